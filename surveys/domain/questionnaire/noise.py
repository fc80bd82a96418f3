"""The budget of open answers that leave as counts with noise: one for a survey, its versions and its copies.

ε is the logarithm of how much likelier one person may make a result. What is published of several rounds adds up, and
often the same people answer them; so copies spend from the budget of what they were copied from, and it outlives both.

δ needs no budget: all that was released together is (ε, δ)-differentially private with the sum of every ε and the
largest δ. Under discrete Gaussian noise ε = ρ + 2√(ρ ln 1/δ), where the ρ add up, and the root of a sum is at most the
sum of the roots; discrete Laplace noise has no δ.
"""

from django.conf import settings
from django.db.models import F

from privacy.errors import EntryError
from surveys.definition import Definition
from surveys.models import NoiseBudget, Survey

MILLION = 10**6


def epsilon_limit() -> float:
    """The ε that a survey and its copies may spend in all."""
    return float(getattr(settings, "CANDOR_EPSILON_LIMIT", 4.0))


def budget_of(survey: Survey) -> NoiseBudget:
    """The budget that the survey shares; called under the survey's lock, or of a survey that nobody else has yet."""
    budget = survey.noise_budgets.first()
    if budget is None:
        budget = NoiseBudget.objects.create()
        budget.surveys.add(survey)
    return budget


def share_budget(survey: Survey, copy: Survey) -> None:
    """Let a copy spend from the budget of the survey it was copied from."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    budget_of(survey).surveys.add(copy)


def check_left(survey: Survey, definition: Definition) -> None:
    """Refuse to publish what asks for more than is left; called under the survey's lock."""
    if definition.central is None:
        return
    spent, asked = budget_of(survey).spent, definition.central.millionths
    if spent >= _limit():
        raise _all_spent()
    if spent + asked > _limit():
        raise EntryError(
            "Counts with ε = {asked:g} cannot be released: this survey and its copies have {left:g} left of {limit:g}.",
            asked=asked / MILLION,
            left=(_limit() - spent) / MILLION,
            limit=epsilon_limit(),
        )


def spend(survey: Survey, millionths: int) -> None:
    """Take so much of the budget, in the transaction that stores what it is spent on; EntryError if it is not there."""
    budget = budget_of(survey)
    enough = NoiseBudget.objects.filter(pk=budget.pk, spent__lte=_limit() - millionths)
    if not enough.update(spent=F("spent") + millionths):
        raise _all_spent()


def _all_spent() -> EntryError:
    return EntryError(
        "Open answers are not released: what this site allows for this survey and its copies is spent. After a "
        "backup was restored all of it counts as spent."
    )


def _limit() -> int:
    return int(epsilon_limit() * MILLION)
