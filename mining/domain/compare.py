"""Two runs side by side: which rules are new, which are gone, and how the others moved, with the error of the move."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mining.domain.report import rule_at
from mining.engines.columns import Columns
from mining.engines.trust import are_listed, are_trustworthy, by_trust
from privacy.estimate.intervals import beyond_error

Z = 1.959963984540054  # of a 95 % interval


@dataclass(frozen=True)
class Move:
    """A rule of both runs: `row` is the one of the later run, `before` and `now` are confidences of the same kind."""

    row: dict[str, Any]
    before: float
    now: float
    change: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class RunComparison:
    """The trusted rules of two runs: new ones, those that are gone, and those that moved, clear moves first."""

    new: list[dict[str, Any]]
    gone: list[dict[str, Any]]
    moved: list[Move]


def compare(earlier: Columns, later: Columns, *, same_people: bool, biased: bool = False) -> RunComparison:
    """Which trusted rules of two results are new, gone, or moved.

    The error of a change is that of two groups of people; it is too wide where the later run also counts people of the
    earlier one. Between runs about the `same_people` a change has no error: only the parameters differ.
    Where figures may be `biased`, as those of a list are by its cap, a change may be off by both biases.
    """
    before, after = _place_of_each_rule(earlier), _place_of_each_rule(later)
    sure_before, sure_after = _trustworthy_rules(earlier), _trustworthy_rules(later)
    moves = [
        _move(rule_at(earlier, before[rule]), rule_at(later, place), same_people, biased)
        for rule, place in after.items()
        if rule in before and (rule in sure_before or rule in sure_after)
    ]
    return RunComparison(
        [rule_at(later, after[rule]) for rule in sure_after if rule not in before],
        [rule_at(earlier, before[rule]) for rule in sure_before if rule not in after],
        sorted(moves, key=lambda move: (not move.is_clear, -abs(move.change))),
    )


Rule = tuple[frozenset[str], frozenset[str]]


def _rule(columns: Columns, place: int) -> Rule:
    antecedent, consequent = columns.sides(place)
    return frozenset(antecedent), frozenset(consequent)


def _place_of_each_rule(columns: Columns) -> dict[Rule, int]:
    places = by_trust(columns.rules, are_listed(columns.rules)).tolist()
    return {_rule(columns, place): place for place in places}


def _trustworthy_rules(columns: Columns) -> dict[Rule, None]:
    """The rules to trust, the most reliable first: an ordered set, as the keys of a dict."""
    return dict.fromkeys(
        _rule(columns, place) for place in by_trust(columns.rules, are_trustworthy(columns.rules)).tolist()
    )


def _move(earlier: dict[str, Any], later: dict[str, Any], same_people: bool, biased: bool) -> Move:
    # Figures that stay true after selection differ from raw ones by more than people have changed.
    kind = "reported_confidence" if earlier["reported_shrunken"] == later["reported_shrunken"] else "confidence"
    before, now = earlier[kind], later[kind]
    change = now - before
    if same_people:
        return Move(later, before, now, change, change, change)
    error = Z * float(np.hypot(earlier[f"{kind}_se"], later[f"{kind}_se"]))
    below, above = (_beyond(later, kind, sign) + _beyond(earlier, kind, -sign) if biased else 0.0 for sign in (-1, 1))
    return Move(later, before, now, change, change - error - below, change + error + above)


def _beyond(row: dict[str, Any], kind: str, sign: int) -> float:
    """How far the interval of a confidence reaches above (sign 1) or below it beyond its error.

    People above the cap of a list do that. They are no chance, and may lie to the same side in both runs.
    """
    return beyond_error(row[kind], row[f"{kind}_se"], row[f"{kind}_{'high' if sign > 0 else 'low'}"])
