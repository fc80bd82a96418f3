"""What counts with noise take from the budget that a survey shares with its copies, and what is left of it."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db.models import F

from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.domain.questionnaire.noise import budget_of
from surveys.features.noisy_counts import central as noise_of_counts
from surveys.models import Inbox, NoiseBudget, Survey, SurveyVersion

MILLION = 10**6


def epsilon_limit() -> float:
    """The ε that a survey and its copies may spend in all."""
    return float(getattr(settings, "CANDOR_EPSILON_LIMIT", 4.0))


def lock_budget(survey: Survey) -> None:
    """Let nobody else publish out of this budget until the transaction ends; called under the survey's lock."""
    NoiseBudget.objects.select_for_update().get(pk=budget_of(survey).pk)


def promises(survey: Survey) -> Iterator[tuple[SurveyVersion, int]]:
    """Yield the versions that share the budget and whose counts are still to be drawn, with what each will spend.

    Versions of this survey are taken as ended: a newer one is about to be published.
    """
    budget = survey.noise_budgets.first()
    undrawn = SurveyVersion.objects.filter(survey__noise_budgets=budget, noisy_counts=None) if budget else ()
    for version in undrawn:
        central = noise_of_counts(version.parsed.source)
        if central is not None and (_collects_still(version, survey) or _has_enough(version)):
            yield version, central.millionths


def _collects_still(version: SurveyVersion, survey: Survey) -> bool:
    own = version.survey
    return own.pk != survey.pk and own.closed_at is None and version.number == own.newest


def _has_enough(version: SurveyVersion) -> bool:
    """Whether a version that is closed to responses may have enough of them for counts.

    Sealing moves them from the first place to the second, and waits for nobody who publishes a relative.
    """
    enough = version.snapshots.filter(respondents__gte=version.survey.least)
    return Inbox.objects.filter(version=version).exists() or enough.exists()


def describe_release(version: SurveyVersion, millionths: int) -> str:
    return f"{version.survey.title}, {version.number} (ε = {millionths / MILLION:g})"


def check_left(survey: Survey, definition: Definition) -> None:
    """Refuse to publish if the counts cost more than the budget has left after all promises."""
    central = noise_of_counts(definition.source)
    if central is None:
        return
    asked, left = central.millionths, _unspent(survey)
    if left <= 0:
        raise no_budget_error()
    relatives = list(promises(survey))
    left -= sum(millionths for _version, millionths in relatives)
    if asked <= left:
        return
    figures: dict[str, Any] = {"asked": asked / MILLION, "left": max(left, 0) / MILLION, "limit": epsilon_limit()}
    if relatives:
        raise EntryError(
            "Counts with ε = {asked:g} cannot be released: this survey and its copies have {left:g} left of {limit:g}. "
            "Still to be released, by title and version: {relatives}.",
            **figures,
            relatives="; ".join(describe_release(*one) for one in relatives),
        )
    raise EntryError(
        "Counts with ε = {asked:g} cannot be released: this survey and its copies have {left:g} left of {limit:g}.",
        **figures,
    )


def is_left(version: SurveyVersion) -> bool:
    """Whether the budget holds what the counts of this version spend."""
    central = noise_of_counts(version.parsed.source)
    return central is not None and central.millionths <= _unspent(version.survey)


def _unspent(survey: Survey) -> int:
    """What the survey's budget still holds, in millionths of ε."""
    budget = survey.noise_budgets.first()
    return _limit_in_millionths() - (budget.spent if budget else 0)


def spend(survey: Survey, millionths: int) -> None:
    """Spend part of the budget, in the transaction that stores the counts; EntryError if too little is left."""
    budget = budget_of(survey)
    enough = NoiseBudget.objects.filter(pk=budget.pk, spent__lte=_limit_in_millionths() - millionths)
    if not enough.update(spent=F("spent") + millionths):
        raise no_budget_error()


def no_budget_error() -> EntryError:
    return EntryError(
        "Undisguised answers are not released: what this site allows for this survey and its copies is spent. After a "
        "backup was restored all of it counts as spent."
    )


def _limit_in_millionths() -> int:
    return int(epsilon_limit() * MILLION)
