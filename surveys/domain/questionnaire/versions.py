"""Published versions: how pages of respondents find and read them, their links, and what a later one asks otherwise.

A link says where the page is, and the hash that the questionnaire must have. After `&`, an invitation or what a panel
gives may be added to it.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.shortcuts import get_object_or_404

from surveys.definition import Definition
from surveys.features.questions import FIELDS
from surveys.models import Survey, SurveyVersion


def link(site: str, version: SurveyVersion) -> str:
    """The link to a version: at this site, of which `site` is any address, or at the page's own origin, if any."""
    between = "&" if settings.PAGE_ORIGIN else "#"
    return f"{address(site, version.survey)}{between}v={version.sha256}"


def address(site: str, survey: Survey) -> str:
    """Where people open the survey: what all its links begin with."""
    own = settings.PAGE_ORIGIN
    return f"{own}/#s={survey.slug}" if own else urljoin(site, f"/s/{survey.slug}/")


def get_public_survey(slug: str) -> Survey:
    """The survey of this name, if it has a published version and is no rehearsal."""
    return get_object_or_404(Survey.objects.filter(versions__isnull=False, rehearses=None).distinct(), slug=slug)


def newest(slug: str) -> SurveyVersion:
    """The newest version of the survey with this name, as `get_public_survey` finds it, in one query of a few bytes.

    It has its hash and the fields that say whether the survey collects; neither document nor draft is read.
    """
    asked = (
        f"survey__{name}"
        for name in ("opens_at", "closes_at", "closed_at", "tablets_alone_since", "quota", "closed", "newest")
    )
    versions = SurveyVersion.objects.filter(survey__slug=slug, survey__rehearses=None).select_related("survey")
    return versions.only("sha256", "number", *asked).latest("number")


@lru_cache(maxsize=64)
def parse_version(sha256: str) -> Definition:
    """The definition with this hash. It can be kept in memory, because what has a hash never changes."""
    return SurveyVersion.objects.get(sha256=sha256).parsed


@lru_cache(maxsize=64)
def definition_bytes(digest: str) -> bytes:
    """Return the bytes of the definition with this hash; they stay in memory, because they never change."""
    version = SurveyVersion.objects.only("sha256", "definition").get(sha256=digest)
    version.parsed  # noqa: B018  reading it refuses bytes that are not those of the hash
    return bytes(version.definition)


Source = Mapping[str, Any]
"""Of a definition: its "languages" and "pages"."""

_FIXED = {"type", "text", "help", "options", "items", "ends"} | {
    field.name for field in FIELDS.values() if field.is_read
}


def questions_reworded(earlier: Source, later: Source) -> set[str]:
    """The names of the questions that both ask, with other texts in a language of both, or with other options."""
    shared = set(earlier["languages"]) & set(later["languages"])
    before, now = (dict(_contents(source, shared)) for source in (earlier, later))
    return {name for name in before.keys() & now.keys() if not shared or before[name] != now[name]}


def _contents(source: Source, shared: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Each question by its name, with what people read of it in the shared languages."""
    tags = set(source["languages"])
    for page in source["pages"]:
        for entry in page["questions"]:
            yield entry["id"], {name: _read(entry[name], tags, shared) for name in _FIXED if name in entry}


def _read(value: Any, tags: set[str], shared: Collection[str]) -> Any:
    """A value whose texts, which have a string for each of the tags, are cut to the shared languages."""
    if isinstance(value, Mapping):
        is_text = value.keys() <= tags and all(isinstance(text, str) for text in value.values())
        return {key: _read(one, tags, shared) for key, one in value.items() if not is_text or key in shared}
    return [_read(one, tags, shared) for one in value] if isinstance(value, list | tuple) else value
