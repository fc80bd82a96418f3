"""What a change of a survey's dates ends for good, said before it is done; whoever agrees sends back what they read."""

from collections.abc import Sequence
from hashlib import sha256

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy

from surveys.domain.questionnaire.publish import has_live, is_over
from surveys.models import Survey

RAISED_ONLY = gettext_lazy(
    "After publishing, a quota can only be raised or removed, because moving it up and down would reveal how many "
    "responses are waiting."
)


def endings(survey: Survey) -> list[str]:
    """What saving the survey as it is now would end for good: a sentence for each."""
    stored = Survey.objects.filter(pk=survey.pk).first()
    if stored is None:
        return []
    return [*_closes(stored, survey), *_erases(stored, survey)]


def _erases(stored: Survey, survey: Survey) -> list[str]:
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


def _closes(stored: Survey, survey: Survey) -> list[str]:
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
    """What the button of the page sends back; who agreed to one end is asked again about another."""
    return sha256("\n".join(sentences).encode()).hexdigest()
