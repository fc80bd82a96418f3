"""How many responses a survey with a quota has taken: kept beside it, so that no response costs more than the first.

The count is made under the survey's lock, and from then on each response adds one to it where it is stored. Sealing
changes nothing of it. Where responses are deleted it is forgotten, and made again when the next one comes. It is for
decisions, and never to be shown.
"""

from collections.abc import Iterable

from django.db.models import Max

from surveys.models import Inbox, QuotaCount, Snapshot, Survey


def is_full(survey: Survey) -> bool:
    return survey.quota is not None and count_received(survey) >= survey.quota


def count_received(survey: Survey) -> int:
    """How many responses are stored, sealed or waiting: for decisions under the survey's lock, never to be shown."""
    kept = QuotaCount.objects.filter(survey=survey).values_list("responses", flat=True).first()
    return _count_rows(survey) if kept is None else kept


def keep_count(survey: Survey) -> None:
    """Begin to keep the count. Called under the survey's lock, which all take who send to a survey with a quota."""
    if survey.quota is not None and not QuotaCount.objects.filter(survey=survey).exists():
        QuotaCount.objects.create(survey=survey, responses=_count_rows(survey))


def forget_counts(surveys: Iterable[int]) -> None:
    QuotaCount.objects.filter(survey__in=list(surveys)).delete()


def _count_rows(survey: Survey) -> int:
    sealed = Snapshot.objects.filter(version__survey=survey).values("version").annotate(most=Max("respondents"))
    return sum(row["most"] for row in sealed) + Inbox.objects.filter(version__survey=survey).count()
