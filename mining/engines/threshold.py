"""One threshold on observed supports: when it loses no itemset for certain, and how much work it leaves.

mlxtend's Apriori knows no other. `threshold_of_observed` is the largest one that is sure to lose no itemset whose
reconstructed support reaches the wanted one; where there is none, the reference engine declines. Nothing here loads
pandas or mlxtend, which takes longer than most jobs.
"""

from math import comb

import numpy as np

from mining.engines.literals import Literals
from mining.engines.request import MiningRequest
from privacy.design import Design


def declines_all(design: Design, bins: str = "") -> str | None:
    """The code of the reason why this engine cannot take records of this design in these bins, or None.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> declines_all(design), declines_all(design, "age=18,30")
    (None, 'bins')
    """
    if bins:
        return "bins"
    if design.by_record:
        return "ordered"
    if design.sampled:
        return "sampled"
    if any(block.patterns.coin is None for block in design.blocks):
        return "coinless"
    return None


def declines(literals: Literals, wanted: MiningRequest, direct: np.ndarray) -> str | None:
    """The code of the reason why mlxtend cannot take this request for these records, or None."""
    refusal = declines_all(literals.design)
    if refusal:
        return refusal
    both = 0 < direct.sum() < len(direct)
    if both and wanted.estimator == "combined":
        return "combined"
    if both and wanted.estimator == "stratified" and len(literals.unit_block) > 1:
        return "several"
    if threshold_of_observed(literals, wanted, direct) <= 0:
        return "few"
    return None


def threshold_of_observed(literals: Literals, wanted: MiningRequest, direct: np.ndarray) -> float:
    """The observed support that every itemset must have whose reconstructed support reaches the threshold.

    One unit: P* ≥ keep·s + (1−k)(1−keep)·q, exactly what the correction undoes. Several units: P* is a sum of
    reconstructed supports of sub-patterns with positive coefficients, and those in the search are at least s − se.
    """
    s, k, n = wanted.min_support, float(direct.mean()), len(direct)
    bounds = []
    for length in range(1, min(wanted.max_length, len(literals)) + 1):
        if len(literals.unit_block) == 1:
            multiplied = literals.design.blocks[0].patterns.of_many is None
            q = np.sort(literals.chance)[:length].prod() if multiplied else 0.0
            keep = literals.keep[0]
            own = k + (1 - k) * keep if wanted.estimator == "pooled" else keep
            bounds.append(own * s + (1 - k) * (1 - keep) * q)
            continue
        most = literals.chance + np.maximum(literals.chance, 1 - literals.chance) / literals.keep  # of |w|, per literal
        low = s - np.sort(most)[::-1][: length - 1].prod() / np.sqrt(n)
        # What a true, an untrue and a wholly kept pattern add to P*: the sub-patterns between count `low` each.
        true = np.sort(literals.keep + (1 - literals.keep) * literals.chance)
        true = k + (1 - k) * (true if low >= 0 else true[::-1])[:length].prod()
        untrue = (1 - k) * np.sort((1 - literals.keep) * literals.chance)[:length].prod()
        kept = k + (1 - k) * np.sort(literals.keep)[:length].prod()
        bounds.append(low * true + (1 - low) * untrue + (s - low) * kept)
    return float(min(bounds)) - 1e-9


def most_candidates(literals: Literals, wanted: MiningRequest, codes: np.ndarray, direct: np.ndarray) -> int:
    """How many itemsets may pass the threshold, an upper bound: itemsets made of literals above the threshold."""
    passing = int((literals.matches(codes).mean(axis=0) >= threshold_of_observed(literals, wanted, direct)).sum())
    return sum(comb(passing, length) for length in range(1, wanted.max_length + 1))
