"""When a survey takes responses: it begins, ends and closes for good, and what a change would end."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from surveys.domain.questionnaire.quotas import forget_counts, is_full
from surveys.features import ends_with_survey
from surveys.models import Survey, SurveyVersion

MOST_DAYS = 60  # that tablets may send after a survey is closed for all others


def close(survey: Survey) -> None:
    """Take no more responses; what waits in the inbox is sealed in the next round."""
    if not survey.versions.exists():
        raise EntryError("This survey was never published.")
    _close(survey)


def end_version(survey: Survey, number: str = "") -> SurveyVersion:
    """Take no more responses to the newest version, and leave the survey open to the next one.

    `number`: of the version that somebody saw; another one may have been published since. What waits is sealed in
    the next round.
    """
    with transaction.atomic():
        lock_to_end(survey)
        survey.refresh_from_db()
        version = survey.versions.last()
        if version is None:
            raise EntryError("This survey was never published.")
        if is_over(survey):
            raise EntryError("This survey is closed.")
        if number not in ("", str(version.number)):
            raise EntryError("A newer version of this survey was published meanwhile: nothing was ended.")
        refuse_to_end(version)
        survey.newest = version.number + 1
        survey.save(update_fields=["newest"])
    return version


def refuse_to_end(version: SurveyVersion | None) -> None:
    """EntryError where tablets may hold interviews of a version: they could not send them once it has ended."""
    if version is not None and ends_with_survey(version.parsed.source):
        raise EntryError(
            "Tablets may hold interviews of version {number}, so it ends with the survey. For other questions make a "
            "copy of the survey.",
            number=version.number,
        )


def leave_to_tablets(survey: Survey, last: date) -> None:
    """Close the survey for all but its tablets, which may send until the end of this day; then it closes for good."""
    today = timezone.localdate()
    if not today <= last <= today + timedelta(days=MOST_DAYS):
        raise EntryError("{day} is not within the next {most} days.", at="last", day=last.isoformat(), most=MOST_DAYS)
    with transaction.atomic():
        lock_to_end(survey)
        survey.refresh_from_db()
        if is_over(survey):
            raise EntryError("This survey is closed.")
        survey.tablets_alone_since = survey.tablets_alone_since or today
        survey.closes_at = timezone.make_aware(datetime.combine(last + timedelta(days=1), time()))
        survey.save(update_fields=["tablets_alone_since", "closes_at"])


def close_ended(survey: Survey, moment: datetime | None = None) -> None:
    """Close a survey for good if its quota has ended it, or its date: `moment` is what has surely passed, if known.

    Called under the survey's lock: when the last place is taken, and before the last responses are sealed, however few
    they are. Otherwise somebody could move the date or raise the quota again and again, and each last sealing would
    show the few responses that came in between.
    """
    if has_ended(survey, moment):
        _close(survey)


def has_ended(survey: Survey, moment: datetime | None) -> bool:
    """Whether a survey is to be closed for good; no one clock says so (surveys.domain.database.clock)."""
    by_date = moment is not None and survey.closes_at is not None and survey.closes_at <= moment
    return by_date or survey.closed_at is not None or is_full(survey)


def lowers_quota(survey: Survey, quota: int | None) -> bool:
    """Whether a published survey would take fewer responses than was said; its quota can only be raised or removed.

    Otherwise a person who moves the quota and looks whether the survey is full learns how many responses wait.
    """
    return quota is not None and (survey.quota is None or quota < survey.quota) and survey.versions.exists()


def _close(survey: Survey) -> None:
    """Close the survey now. With a quota only the day is stored: the moment may be that of the last response."""
    now = timezone.now()
    if survey.quota is not None and not is_over(survey):
        now = now.replace(hour=0, minute=0, second=0, microsecond=0)
    with transaction.atomic():
        lock_to_end(survey)
        Survey.objects.filter(pk=survey.pk, closed_at=None).update(closed_at=now)
        forget_counts([survey.pk])
    survey.refresh_from_db()


def lock_to_end(survey: Survey) -> None:
    """Lock the survey's row before a survey or a version is made to take no more responses.

    On PostgreSQL a command that has read this row waits for the lock, and then asks again whether the survey collects.
    Under a weaker lock its response would be stored, after the last were sealed.
    """
    Survey.objects.select_for_update().get(pk=survey.pk)


def is_early(survey: Survey) -> bool:
    return survey.opens_at is not None and survey.opens_at > timezone.now()


def is_over(survey: Survey) -> bool:
    return survey.closed_at is not None or (survey.closes_at is not None and survey.closes_at <= timezone.now())


def is_closed(survey: Survey) -> bool:
    return is_over(survey) or is_full(survey)


def takes_no_more(version: SurveyVersion) -> bool:
    """Whether a version takes no more responses for good: its survey is closed or full, or it was ended or replaced."""
    survey = Survey.objects.get(pk=version.survey_id)
    replaced = survey.versions.filter(number__gt=version.number).exists()
    return has_ended(survey, None) or survey.has_ended(version.number) or replaced


RAISED_ONLY = gettext_lazy(
    "After publishing, a quota can only be raised or removed, because moving it up and down would reveal how many "
    "responses are waiting."
)


def endings(survey: Survey) -> list[str]:
    """Sentences for what saving the survey as it is now would end for good: collecting, or the survey itself."""
    stored, until, said = Survey.objects.filter(pk=survey.pk).first(), survey.keep_until, []
    if stored is None or not stored.versions.exists():
        return []
    if is_over(survey) and not is_over(stored):
        sentence = _(
            "The closing date, %(date)s, has passed. The survey closes now, for good: nobody can answer any more, and "
            "it cannot be opened again. Waiting responses are sealed."
        )
        said.append(sentence % {"date": date_format(timezone.localtime(survey.closes_at), "Y-m-d H:i e")})
    if until is not None and until < timezone.localdate() and until != stored.keep_until:
        sentence = _(
            "It is kept until %(date)s, which has passed. Within about an hour the survey is closed and erased for "
            "good, with all responses, reports, releases and searches. A record of the erasing stays."
        )
        said.append(sentence % {"date": date_format(until)})
    return said


def mark(sentences: Sequence[str]) -> str:
    """A hash of the sentences that a person agrees to, so that consent to one ending does not count for another."""
    return sha256("\n".join(sentences).encode()).hexdigest()
