"""The budget of undisguised answers that leave as counts with noise: one for a survey, its versions and its copies.

ε is the logarithm of how many times as likely one person may make a result. What is published of several rounds adds
up, so all that are related spend one budget, which outlives them; what each version will spend is kept for it
(docs/decisions/0058-counts-with-noise.md). δ has none of its own: it adds up as ε does, which leaves few releases.
"""

import re
from typing import Any
from uuid import uuid4

from django.db import transaction

from surveys.domain.people.roles import Action, may
from surveys.domain.questionnaire.document import Document
from surveys.models import NoiseBudget, Survey

MARK = re.compile("[0-9a-f]{32}")


def budget_of(survey: Survey) -> NoiseBudget:
    """The budget that the survey shares, made if need be; called under its lock, or while nobody else knows it."""
    budget = survey.noise_budgets.first()
    if budget is None:
        budget = NoiseBudget.objects.create()
        budget.surveys.add(survey)
    return budget


def share_budget(survey: Survey, copy: Survey) -> None:
    """Let a copy spend from the budget of the survey it was copied from."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    budget_of(survey).surveys.add(copy)


@transaction.atomic
def lineage_of(survey: Survey) -> str:
    """The mark of the survey's budget, which is drawn when it is first needed."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    budget = budget_of(survey)
    if budget.mark is None:
        NoiseBudget.objects.filter(pk=budget.pk, mark=None).update(mark=uuid4())
        budget.refresh_from_db(fields=["mark"])
    assert budget.mark is not None
    return budget.mark.hex


def with_lineage(survey: Survey, document: Document, user: Any) -> Document:
    """The document for a file of this person's, with the mark of the survey's budget if they may publish.

    Somebody who imports the mark can spend what is left of the budget.
    """
    return document | ({"lineage": lineage_of(survey)} if may(user, Action.PUBLISH, survey) else {})


def join_lineage(survey: Survey, mark: str) -> None:
    """Let a survey that was imported spend from the budget with this mark; a mark of another site begins one here."""
    NoiseBudget.objects.get_or_create(mark=mark)[0].surveys.add(survey)
