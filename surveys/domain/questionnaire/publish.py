"""Publishing freezes a questionnaire under a hash; closing ends the collecting."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from math import isinf
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, InputError
from privacy.guarantee import round_up
from surveys.definition import Definition
from surveys.domain.messages.invite import make_key
from surveys.domain.questionnaire.check import complete_definition
from surveys.domain.questionnaire.compose import compose, gamma_limit
from surveys.domain.questionnaire.document import Document, upgrade
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.draft_part import allow, lock_for
from surveys.domain.questionnaire.quotas import forget_counts, is_full
from surveys.models import PublishedDraft, Survey, SurveyVersion


@transaction.atomic
def publish(survey: Survey, by: str = "", reason: str = "") -> SurveyVersion:
    """Publish the draft as the next version; with a reason, under an override that `by` signs for this version alone.

    InputError says why it may not be published; then nothing has changed, and nobody has signed.
    """
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)  # nobody changes the draft meanwhile
    survey.refresh_from_db(fields=["slug"])  # the published bytes name it for good
    if survey.closed_at:
        raise EntryError("This survey is closed.")
    if is_over(survey):
        raise EntryError("The closing date has passed: move it before you publish, or the survey would close at once.")
    draft = Draft.load(survey)
    if reason or survey.versions.exists():  # nobody has signed for another version with the one before
        survey.override_by, survey.override_reason = (by, reason) if reason else ("", "")
    if draft.document["access"] == Survey.Access.INVITATION:
        make_key(survey)
    definition = complete_definition(draft)
    _check_limit(definition)
    frozen = definition.to_bytes()
    digest = sha256(frozen).hexdigest()
    if SurveyVersion.objects.filter(sha256=digest).exists():
        raise EntryError("This questionnaire is already published, word for word.")
    _lock_to_end(survey)  # from here on nobody answers the version before, so it is known whether anybody has
    lock_for(survey, definition)
    allow(survey, definition)
    current = survey.versions.last()
    survey.newest = current.number + 1 if current else 1
    signed = ("override_by", "override_reason") if definition.source["override"] else ()
    survey.save(update_fields=["newest", *signed])
    version = SurveyVersion.objects.create(
        survey=survey, number=survey.newest, definition=frozen, sha256=digest, published_on=timezone.localdate()
    )
    PublishedDraft.objects.create(document=draft.document, version=version)
    return version


def _check_limit(definition: Definition) -> None:
    """Refuse a design that protects less than this site asks for, unless somebody has signed for it."""
    design = definition.design
    if design.odds <= gamma_limit() or definition.source["override"] is not None:
        return
    figures: dict[str, Any] = {
        "shown": "∞" if isinf(design.odds) else f"{float(round_up(design.odds, 6)):g}",
        "limit": gamma_limit(),
    }
    if design.odds == design.gamma:
        raise EntryError(
            "γ is {shown}, above this site's limit of {limit:g}: "
            "disguise more, or sign the override, which respondents will see.",
            **figures,
        )
    raise EntryError(
        "The odds of what is hidden can grow {shown} times, above this site's limit of {limit:g}: "
        "disguise more, or sign the override, which respondents will see.",
        **figures,
    )


def draft_of_version(version: SurveyVersion) -> Document | None:
    """The draft that a version was published from: a definition holds numbers that a browser applies, and not the
    choices that they follow from. None if it was not kept, and today's draft is another.
    """
    kept = PublishedDraft.objects.filter(version=version).first()
    if kept is not None:
        return upgrade(kept.document)
    draft = Draft.load(version.survey)
    return draft.document if is_of(version, draft) else None


def is_of(version: SurveyVersion, draft: Draft) -> bool:
    """Whether the draft would be published as exactly this version."""
    try:
        return compose(draft).to_bytes() == bytes(version.definition)
    except InputError:
        return False


def close(survey: Survey) -> None:
    """Take no more responses; what waits in the inbox is sealed in the next round."""
    if not survey.versions.exists():
        raise EntryError("This survey was never published.")
    _close(survey)


def end_version(survey: Survey) -> SurveyVersion:
    """Take no more responses to the newest version, and leave the survey open to the next one.

    What waits is sealed in the next round, and then the figures can choose what a second wave asks.
    """
    with transaction.atomic():
        _lock_to_end(survey)
        survey.refresh_from_db()
        version = survey.versions.last()
        if version is None:
            raise EntryError("This survey was never published.")
        if is_over(survey):
            raise EntryError("This survey is closed.")
        survey.newest = version.number + 1
        survey.save(update_fields=["newest"])
    return version


def close_ended(survey: Survey) -> None:
    """Close a survey for good if its date or its quota has ended it.

    Called under the survey's lock: when the last place is taken, and before the last responses are sealed, however few
    they are. Otherwise somebody could move the date or raise the quota again and again, and each last sealing would
    show the few responses that came in between.
    """
    if is_closed(survey):
        _close(survey)


def lowers_quota(survey: Survey, quota: int | None) -> bool:
    """Whether a published survey would take fewer responses than was said; its quota can only be raised or removed.

    Otherwise a person who moves the quota and looks whether the survey is full learns how many responses wait.
    """
    return quota is not None and (survey.quota is None or quota < survey.quota) and survey.versions.exists()


def has_live(survey: Survey) -> bool:
    """Whether the survey was published and has not ended: something that an entry can end for good."""
    return survey.versions.exists() and not is_over(survey)


def _close(survey: Survey) -> None:
    """Close the survey now. With a quota only the day is stored: the moment may be that of the last response."""
    now = timezone.now()
    if survey.quota is not None and not is_over(survey):
        now = now.replace(hour=0, minute=0, second=0, microsecond=0)
    with transaction.atomic():
        _lock_to_end(survey)
        Survey.objects.filter(pk=survey.pk, closed_at=None).update(closed_at=now)
        forget_counts([survey.pk])
    survey.refresh_from_db()


def _lock_to_end(survey: Survey) -> None:
    """Lock the survey's row before a survey or a version is made to take no more responses.

    On PostgreSQL a command that has read this row waits for the lock, and then asks again whether the survey collects.
    Under a weaker lock its response would be stored, after the last were sealed.
    """
    Survey.objects.select_for_update().get(pk=survey.pk)


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


def is_early(survey: Survey) -> bool:
    return survey.opens_at is not None and survey.opens_at > timezone.now()


def is_over(survey: Survey) -> bool:
    return survey.closed_at is not None or (survey.closes_at is not None and survey.closes_at <= timezone.now())


def is_closed(survey: Survey) -> bool:
    return is_over(survey) or is_full(survey)


RAISED_ONLY = gettext_lazy(
    "After publishing, a quota can only be raised or removed, because moving it up and down would reveal how many "
    "responses are waiting."
)


def endings(survey: Survey) -> list[str]:
    """Sentences for what saving the survey as it is now would end for good: collecting, or the survey itself."""
    stored = Survey.objects.filter(pk=survey.pk).first()
    if stored is None:
        return []
    return [*_sentences_on_closing(stored, survey), *_sentences_on_erasing(stored, survey)]


def _sentences_on_erasing(stored: Survey, survey: Survey) -> list[str]:
    until = survey.keep_until
    if until is None or until >= timezone.localdate() or until == stored.keep_until or not stored.versions.exists():
        return []
    return [
        _(
            "It is kept until %(date)s, which has passed. Within minutes the survey is closed and erased for good, "
            "with all responses, reports, releases and mining runs. A record of the erasing stays."
        )
        % {"date": date_format(until)}
    ]


def _sentences_on_closing(stored: Survey, survey: Survey) -> list[str]:
    if not has_live(stored) or not is_over(survey):
        return []
    return [
        _(
            "The closing date, %(date)s, has passed. The survey closes now, for good: nobody can answer any more, and "
            "it cannot be opened again. Waiting responses are sealed."
        )
        % {"date": date_format(timezone.localtime(survey.closes_at), "Y-m-d H:i e")}
    ]


def mark(sentences: Sequence[str]) -> str:
    """A hash of the sentences that a person agrees to, so that consent to one ending does not count for another."""
    return sha256("\n".join(sentences).encode()).hexdigest()
