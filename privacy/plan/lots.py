"""A public lot: some people are asked only the common items, by one design, and all others only the rare ones.

Everybody is under the whole promise and answers one of two designs, of which each is best for its own items. The common
ones err by the unbiased design's error over the root of their people. For the rare ones the list of words is made for
the people they have. The lot that makes both err alike is best. Nobody answers a common and a rare item, so no pattern
has both.

A design cannot hold such a lot: everybody answers all of its blocks, whose γ multiply, and a sampled block draws among
items that are disguised together. So it is fielded as two surveys.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from privacy.design.brief import WORTH, Brief, ExpectedItem
from privacy.plan.choice import DesignChoice, choices_with_bias

_CUTS = 5  # ways tried to part common items from rare ones
_HALVINGS = 7  # of the range of the lot: to a hundredth
_LEAST, _MOST = 0.02, 0.98


@dataclass(frozen=True)
class PlannedLot:
    """So many people, drawn by lot, get the design `common`, all others `rare`; `error` is the larger error of both."""

    people: int
    common: DesignChoice
    rare: DesignChoice
    error: float

    def contents(self) -> Iterator[str]:
        """Yield the sentence that people read about the lot."""
        items = [item.id for item in self.common.design.items]
        names = ", ".join(items) if len(items) <= 5 else f"{len(items)} items"
        yield (
            f"A public lot may ask some {self.people} people only the common items ({names}), by {self.common.family}, "
            f"and all others only the rare ones, by {self.rare.family}: then the error is {self.error:.4g}. "
            "No single design holds both; they are two surveys, and a lot decides whose link a person gets."
        )

    def to_json(self) -> dict[str, Any]:
        parts = {"common": self.common.to_json(), "rare": self.rare.to_json()}
        return {"people": self.people, "error": self.error, **parts}


def best_lot(brief: Brief, best: Callable[[Brief], DesignChoice], most: float) -> PlannedLot | None:
    """The best lot, where it is worth it beside one design for all.

    `best` makes a design for some items; one design for all errs by `most`.
    """
    if not brief.has_expectations or brief.promise or brief.direct_share or brief.most_questions < len(brief.questions):
        return None
    shares = sorted({_rare_share(question) for question in brief.questions})
    cuts = shares[1:][:: -(-len(shares) // _CUTS)]
    lots = [lot for cut in cuts if (lot := _lot_at(cut, brief, best))]
    least = min(lots, key=lambda lot: lot.error, default=None)
    return least if least and WORTH * least.error**2 <= most**2 else None


def _lot_at(cut: float, brief: Brief, best: Callable[[Brief], DesignChoice]) -> PlannedLot | None:
    """The lot between items whose rare answers are at least this common, and the others."""
    common = replace(brief, questions=tuple(one for one in brief.questions if _rare_share(one) >= cut))
    rare = replace(brief, questions=tuple(one for one in brief.questions if _rare_share(one) < cut))
    for_common = best(common)
    if for_common.biased:
        return None
    whole = for_common.errors.expected[0]

    def list_of(part: float) -> DesignChoice | None:
        people = max(int(brief.respondents * (1 - part)), 1)
        return next(iter(choices_with_bias(replace(rare, respondents=people), 1, math.inf)), None)

    low, high = _LEAST, _MOST
    lot = None
    for _ in range(_HALVINGS):
        part = (low + high) / 2
        words = list_of(part)
        if words is None:
            return None
        errors = whole / math.sqrt(part), words.errors.expected[0]
        if lot is None or max(errors) < lot.error:
            lot = PlannedLot(round(brief.respondents * part), for_common, words, max(errors))
        low, high = (low, part) if errors[0] < errors[1] else (part, high)
    return lot


def _rare_share(question: ExpectedItem) -> float:
    """The share of all answers but the most common one."""
    return 1 - max(question.expected or (1.0,))
