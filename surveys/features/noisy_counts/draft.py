"""Counts with noise in a document: what its choices of protection publish."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.draft_part import DraftPart
from surveys.features.noisy_counts.budget import check_left, lock_budget

CENTRAL = ("epsilon", "delta")  # as a document's protection holds them, and "tables" beside them


def _entries(draft: Draft) -> dict[str, Any]:
    chosen = draft.document["protection"]
    entry = {name: chosen[name] for name in CENTRAL if chosen.get(name)}
    if pairs := chosen.get("tables"):
        entry["tables"] = [pair.split() for pair in pairs]
    return {"central": entry}


PART = DraftPart(
    has=lambda document: bool(document["protection"].get("epsilon")),
    entries=_entries,
    lock=lock_budget,
    allow=check_left,
    lost=_("that answers are counted with noise"),
)
