"""Which rules to believe, in which order, and by which figures.

People see figures that stay true after selection (`mining.engines.selection`). Rules of older runs, which were computed
before these existed, have only the raw ones.

>>> rules = {"infeasible": np.array([False, True]), "redundant": np.array([False, False]), "q": np.array([0.01, 0.01])}
>>> rules |= {"consequent support": np.array([0.5, 0.5])}
>>> rules |= {key: np.array([0.2, 0.3]) for metric in metrics.SHRINKING for key in metric.keys}
>>> sure(rules).tolist(), are_trustworthy(rules).tolist(), by_trust(rules, np.array([True, True])).tolist()
([True, False], [True, False], [0, 1])
>>> figures_to_report(rules)["shrunken"].tolist()
[False, False]
"""

from collections.abc import Mapping

import numpy as np

from privacy.plan.connections import BEYOND_CHANCE
from privacy.reconstruct import metrics


def figures_to_report(rules: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the printed figures of all rules by the keys of the raw ones; `shrunken` marks the others."""
    known = np.isfinite(rules.get("shrunken confidence", np.full(len(rules["confidence"]), np.nan)))
    figures = {"shrunken": known, "consequent support": rules["consequent support"]}
    for raw, shrunken in zip(metrics.SHRINKING, metrics.SHRUNKEN, strict=True):
        for key, other in zip(raw.keys, shrunken.keys, strict=True):
            figures[key] = np.where(known, rules[other], rules[key]) if known.any() else rules[key]
    if known.any():
        with np.errstate(divide="ignore", invalid="ignore"):  # a lift that is not reported, or one of 0
            among_all = rules["shrunken confidence"] / rules["shrunken lift"]
        figures["consequent support"] = np.where(known, among_all, figures["consequent support"])
    return figures


def sure(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Say which rules are beyond chance and have estimates that a population could have."""
    return ~rules["infeasible"] & (rules["q"] <= BEYOND_CHANCE)


def are_trustworthy(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which rules are neither redundant nor doubtful."""
    return ~rules["redundant"] & sure(rules)


def by_trust(rules: Mapping[str, np.ndarray], keep: np.ndarray) -> np.ndarray:
    """The places of the rules to keep, most reliable rules first.

    Doubtful rules come after all others, however high their confidence: noise makes the highest ones. Within both
    kinds, the rule with the higher lower end of its confidence interval comes first.
    """
    places = np.flatnonzero(keep)
    low = np.nan_to_num(figures_to_report(rules)["confidence low"], nan=-np.inf)
    return places[np.lexsort((-low[places], ~sure(rules)[places]))]
