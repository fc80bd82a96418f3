"""Published versions as pages of respondents find and read them."""

from functools import lru_cache

from django.shortcuts import get_object_or_404

from surveys.definition import Definition
from surveys.models import Survey, SurveyVersion


def get_public_survey(slug: str) -> Survey:
    """The survey of this name, if it has a published version and is no rehearsal."""
    return get_object_or_404(Survey.objects.filter(versions__isnull=False, rehearses=None).distinct(), slug=slug)


def newest(slug: str) -> SurveyVersion:
    """The newest version of the survey with this name, as `get_public_survey` finds it, in one query of a few bytes.

    It has its hash and the fields that say whether the survey collects; neither document nor draft is read.
    """
    asked = (f"survey__{name}" for name in ("opens_at", "closes_at", "closed_at", "quota", "closed", "newest"))
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
