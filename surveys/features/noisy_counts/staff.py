"""Counts with noise on the pages of staff: how sure they may make somebody, and what they cost a budget."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.choices import GAUSSIAN, LAPLACE
from privacy.errors import InputError
from privacy.release.noise import noise_of
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import Draft
from surveys.features.noisy_counts import central
from surveys.features.noisy_counts.budget import describe_release, promises
from surveys.features.noisy_counts.counts import columns_to_count
from surveys.studio.staff_part import Pane, StaffPart

EPSILONS, DELTA, LEVEL = (0.25, 0.5, 1.0, 2.0), 1e-6, 0.95


def _context(draft: Draft) -> dict[str, Any]:
    """How sure of one person's undisguised answers counts with noise may make somebody whose guess was even, by the ε.

    Where the draft can be read: how far counts will be from the truth, and which two questions may be counted together.
    """
    chosen = draft.document["protection"]
    own, pairs = chosen.get("epsilon"), chosen.get("tables", [])
    offered = sorted({*EPSILONS, *([own] if own else [])})
    shown: dict[str, Any] = {
        "own": own,
        "ways": [(one, math.ceil(100 / (1 + math.exp(-one)))) for one in offered],
        "gaussian": bool(chosen.get("delta")),
        "delta": chosen.get("delta") or DELTA,
        "pairs": [(pair, " × ".join(pair.split())) for pair in pairs],
    }
    try:
        definition = compose(draft, trial=True)
    except InputError:
        return shown
    sizes = {one.column.name: len(one.values) for one in columns_to_count(definition)}
    if own and sizes and (noise := central(definition.source)):
        crossed = [sizes[first] * sizes[second] for first, second in noise.tables]
        counted = [*sizes.values(), *crossed]
        here = noise_of(counted, noise.epsilon, noise.delta, GAUSSIAN)
        law = GAUSSIAN if noise.delta is None else LAPLACE
        other = noise_of(counted, noise.epsilon, noise.delta or Fraction(str(DELTA)), law)
        taken = {frozenset(pair) for pair in noise.tables}
        free = [pair for pair in combinations(sizes, 2) if frozenset(pair) not in taken]
        shown |= {
            "within": here.within(LEVEL),
            "other": other.within(LEVEL),
            "free": [(" ".join(pair), " × ".join(pair)) for pair in free],
        }
    return shown


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    """A remark, with its place, on other surveys that share the budget from which this survey's counts are to come."""
    relatives = (
        [describe_release(*one) for one in promises(draft.survey)]
        if draft.document["protection"].get("epsilon")
        else []
    )
    if relatives:
        sentence = _(
            "Counts with noise share one budget with surveys that are still to be counted, by title and version: "
            "%(relatives)s."
        )
        yield sentence % {"relatives": "; ".join(relatives)}, "protect"


PART = StaffPart(
    remarks=_remarks,
    panels=[
        Pane(
            "noise",
            "protect",
            "studio/features/noisy_counts/panel.html",
            _context,
            gettext_lazy("Undisguised answers as counts with noise"),
        )
    ],
)
