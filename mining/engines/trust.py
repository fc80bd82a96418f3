"""Which rules are listed, which of them to believe, in which order, and by which figures.

People see figures that stay true after selection (`mining.engines.shrunken_rules`). Of a rule that has none, as of
every rule of older runs, they see no figure but how far its raw interval reaches: raw figures of chosen rules are
too high.

>>> rules = {"infeasible": np.array([False, True]), "redundant": np.array([False, False]), "q": np.array([0.01, 0.01])}
>>> rules |= {"consequent support": np.array([0.5, 0.5])}
>>> rules |= {key: np.array([0.2, 1.3]) for metric in metrics.SHRINKING for key in metric.keys}
>>> sure(rules).tolist(), are_trustworthy(rules).tolist(), by_trust(rules, np.array([True, True])).tolist()
([True, False], [True, False], [0, 1])
>>> are_listed(rules).tolist(), are_listed(rules | {"confidence high": np.array([np.inf, 1.0])}).tolist()
([True, False], [False, False])
>>> shown = figures_to_report(rules)
>>> shown["shrunken"].tolist(), shown["confidence"].tolist(), shown["confidence high"].tolist()
([False, False], [nan, nan], [0.2, 1.0])
"""

from collections.abc import Mapping

import numpy as np

from privacy.plan.connections import BEYOND_CHANCE
from privacy.reconstruct import metrics

_CONFIDENCE = ("confidence low", "confidence", "confidence high")
_ROUNDED = 0.005  # what pages print as 0 or 100 %


def figures_to_report(rules: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the printed figures of all rules by the keys of the raw ones; `shrunken` says which rules have them.

    The others have the ends of their raw intervals alone, as far as there can be such a share or lift.
    """
    nothing = np.full(len(rules["confidence"]), np.nan)
    known = np.isfinite(rules.get("shrunken confidence", nothing))
    figures = {"shrunken": known}
    for raw, shrunken in zip(metrics.SHRINKING, metrics.SHRUNKEN, strict=True):
        most = 1.0 if raw.written == metrics.PERCENT else np.inf
        value, se, *ends = zip(raw.keys, shrunken.keys, strict=True)
        figures[se[0]] = np.where(known, rules.get(se[1], nothing), np.nan)
        figures[value[0]] = np.where(known, np.clip(rules.get(value[1], nothing), 0, most), np.nan)
        for key, other in ends:
            figures[key] = np.clip(np.where(known, rules.get(other, nothing), rules[key]), 0, most)
    with np.errstate(divide="ignore", invalid="ignore"):  # a lift of 0
        figures["consequent support"] = figures["confidence"] / figures["lift"]
    return figures


def are_listed(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Say of which rules the records tell the confidence, so that lists show them; files have all, with this mark.

    Both ends of its raw interval, before any is cut, are finite. They leave out a part of 0 to 1, as pages round it,
    and not all of it; so do the ends of a figure after selection. The figure lies between its ends.
    """
    shown = figures_to_report(rules)
    ends = rules["confidence low"], rules["confidence high"]
    nothing = np.full(len(ends[0]), np.nan)
    low, value, high = (
        np.where(shown["shrunken"], rules.get(f"shrunken {key}", nothing), rules[key]) for key in _CONFIDENCE
    )
    known = np.isfinite(ends).all(axis=0) & (low <= value) & (value <= high)
    for least, most in (ends, (low, high)):
        known &= ((least > _ROUNDED) | (most < 1 - _ROUNDED)) & (least < 1) & (most > 0)
    return known


def sure(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Say which rules are beyond chance and have estimates that a population could have.

    Of rules between two answers the survey's pairs decide alone: what is printed of these a population could have.
    """
    of_pair = np.isfinite(rules.get("others", np.full(len(rules["q"]), np.nan)))
    return (~rules["infeasible"] | of_pair) & (rules["q"] <= BEYOND_CHANCE)


def are_trustworthy(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which rules are listed, and neither redundant nor doubtful."""
    return ~rules["redundant"] & sure(rules) & are_listed(rules)


def by_trust(rules: Mapping[str, np.ndarray], keep: np.ndarray) -> np.ndarray:
    """The places of the rules to keep, most reliable rules first.

    Doubtful rules come after all others, however high their confidence: noise makes the highest ones. Within both
    kinds, rules without a figure come last, and else the higher lower end of the confidence interval comes first.
    """
    places, shown = np.flatnonzero(keep), figures_to_report(rules)
    low = np.nan_to_num(shown["confidence low"], nan=-np.inf)
    return places[np.lexsort((-low[places], ~shown["shrunken"][places], ~sure(rules)[places]))]
