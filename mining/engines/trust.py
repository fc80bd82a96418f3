"""Which rules to believe, in which order, and by which figures.

People are told figures that stay true after selection (`mining.engines.selection`), and the raw ones where a rule has
no others, as the rules of runs from before these were computed.
"""

from collections.abc import Mapping

import numpy as np

from privacy.plan.connections import BEYOND_CHANCE
from privacy.reconstruct import metrics


def reported(rules: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The figures of all rules that people are told, by the keys of the raw ones; `shrunken` says which are not raw.

    Returns as long as the columns.

    >>> from mining.engines.findings import findings
    >>> from mining.engines.request import MiningRequest
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> columns = findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5)).columns
    >>> "confidence low" in reported(columns.rules)
    True
    """
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
    """Rules whose sides more than chance has brought together, with estimates that a population could have.

    >>> sure({"infeasible": np.array([False, True]), "q": np.array([0.01, 0.01])}).tolist()
    [True, False]
    """
    beyond: np.ndarray = ~rules["infeasible"] & (rules["q"] <= BEYOND_CHANCE)
    return beyond


def trusted(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which rules say something: neither redundant nor doubtful.

    >>> flags = {"redundant": np.array([False, True]), "infeasible": np.array([False, False])}
    >>> trusted({**flags, "q": np.array([0.01, 0.01])}).tolist()
    [True, False]
    """
    return ~rules["redundant"] & sure(rules)


def by_trust(rules: Mapping[str, np.ndarray], keep: np.ndarray) -> np.ndarray:
    """The places of the rules to keep, most reliable rules first.

    Doubtful rules come after all others, however high their confidence: noise makes the highest ones. Within both
    kinds, the rule with the higher lower end of its confidence interval comes first.

    `keep`: which of them to keep. Returns the places of those that are kept.

    >>> from mining.engines.findings import findings
    >>> from mining.engines.request import MiningRequest
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> batch = np.array([[1, 1], [0, 0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> columns = findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5)).columns
    >>> by_trust(columns.rules, np.array([False, True])).tolist()
    [1]
    """
    places = np.flatnonzero(keep)
    low = np.nan_to_num(reported(rules)["confidence low"], nan=-np.inf)
    return places[np.lexsort((-low[places], ~sure(rules)[places]))]
