"""All rules of a lattice at once, as columns: metrics, standard errors, intervals, tests, redundancy.

A rule A ⇒ C is one itemset A∪C and the mask of its literals that stand in A.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from mining.engines.discoveries import q_values
from mining.engines.estimates import Parts
from mining.engines.intervals import Z, ratio, wald
from mining.engines.lattice import BoundReachedError, Lattice, find, keys
from mining.engines.metrics import METRICS, metrics
from mining.engines.tables import within

WITH_ERROR = ("support", "confidence", "lift", "leverage")
_ENTRIES = 1 << 19  # covariances held at once


@dataclass(frozen=True)
class Rules:
    """Columns over rules; `values` holds the metrics, and for those with error also `… se`, `… low` and `… high`."""

    itemset: np.ndarray  # its place among the accepted itemsets, shorter ones first
    antecedent: np.ndarray  # mask over the literals of the itemset
    values: dict[str, np.ndarray]  # also p, q
    redundant: np.ndarray

    def __len__(self) -> int:
        return len(self.itemset)


def rules(lattice: Lattice, min_confidence: float, estimator: str, most: int = 100_000) -> Rules:
    """Every rule whose reconstructed confidence reaches the threshold."""
    found: list[Rules] = []
    family: list[np.ndarray] = []  # the p of every split of every accepted itemset: what was tested, reported or not
    known = np.empty(0, dtype=np.int64)  # rules of shorter itemsets, as numbers
    tested = count = 0
    ranks = _ranks(lattice)
    for level, rank in zip(lattice.levels[1:], ranks[1:], strict=True):
        accepted = np.flatnonzero(level.accepted)
        length = level.items.shape[1]
        step = max(_ENTRIES >> (2 * length), 1)
        new = []
        for start in range(0, len(accepted), step):
            chosen = accepted[start : start + step]
            parts = Parts(lattice.literals, level.items[chosen], level.at_least[chosen], estimator, lattice.sizes)
            leverage_se, p = leverage_tests(parts, length)
            with np.errstate(divide="ignore", invalid="ignore"):
                confidence = parts.support[:, -1:] / parts.support[:, 1:-1]
            rows, columns = np.nonzero(confidence >= min_confidence - level.supports.slack[chosen, None])
            count += len(rows)
            if count > most:
                raise BoundReachedError(
                    f"More than {most:,} rules reach a confidence of {min_confidence:g}: "
                    "raise the support or the confidence, or lower the length."
                )
            split = np.minimum(columns, 2**length - 3 - columns)  # A ⇒ C and C ⇒ A are one test
            values = rule_values(parts, rows, columns + 1, leverage_se[rows, split])
            values |= {"p": p[rows, split], "q": tested + rows * p.shape[1] + split}  # q: its place in the family, yet
            tested += p.size
            family.append(p.ravel())
            itemset = rank[chosen][rows]
            new.append(itemset * 64 + columns + 1)
            redundant = _redundant(lattice, ranks, level.items[chosen], parts, rows, columns + 1, known)
            found.append(Rules(itemset, columns + 1, values, redundant))
        known = np.concatenate([known, *new])
    return _collected(found, family)


def leverage_tests(parts: Parts, length: int) -> tuple[np.ndarray, np.ndarray]:
    """For each way to split each itemset in two, the standard error of its leverage and p: (F, 2^(L−1) − 1)."""
    count, splits = len(parts.support), 2 ** (length - 1) - 1
    rows = np.repeat(np.arange(count), splits)
    left = np.tile(np.arange(1, splits + 1), count)
    right = 2**length - 1 - left
    a, c = parts.support[rows, left], parts.support[rows, right]
    whole = np.full_like(left, 2**length - 1)
    se = np.sqrt(parts.variance(rows, [(whole, 1.0), (left, -c), (right, -a)]))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * ndtr(-np.abs(parts.support[rows, -1] - a * c) / se)
    return se.reshape(count, splits), p.reshape(count, splits)


def rule_values(parts: Parts, rows: np.ndarray, left: np.ndarray, leverage_se: np.ndarray) -> dict[str, np.ndarray]:
    """Metrics of rules, with standard errors by the delta method and 95 % intervals."""
    states = parts.support.shape[1] - 1
    right, whole = states - left, np.full_like(left, states)
    a, c, both = parts.support[rows, left], parts.support[rows, right], parts.support[rows, -1]
    values = metrics(a, c, both)

    def se(*terms: tuple[np.ndarray, np.ndarray | float]) -> np.ndarray:
        return np.sqrt(parts.variance(rows, list(terms)))

    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, lift = values["confidence"], values["lift"]
        values["support se"] = se((whole, 1.0))
        values["confidence se"] = se((whole, 1 / a), (left, -confidence / a))
        values["lift se"] = se((whole, 1 / (a * c)), (left, -lift / a), (right, -lift / c))
        values["leverage se"] = leverage_se
        by_chance = [(left, c), (right, a)]  # the gradient of sup(A)·sup(C)

        def for_confidence(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            apart = parts.variance(rows[at], [(whole[at], 1.0), (left[at], -1.0)])
            return parts.variance(rows[at], [(whole[at], 1.0)]), apart

        def for_lift(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            apart = parts.variance(rows[at], [(whole[at], 1.0), (left[at], -c[at]), (right[at], -a[at])])
            return parts.variance(rows[at], [(whole[at], 1.0)]), apart

        ends = {
            "support": wald(both, values["support se"]),
            "confidence": ratio(both, a, values["confidence se"], se((left, 1.0)), for_confidence),
            "lift": ratio(both, a * c, values["lift se"], se(*by_chance), for_lift),
            "leverage": wald(values["leverage"], leverage_se),
        }
    for name, (low, high) in ends.items():
        values[f"{name} low"], values[f"{name} high"] = low, high
    return values


def _redundant(
    lattice: Lattice,
    ranks: list[np.ndarray],
    items: np.ndarray,
    parts: Parts,
    rows: np.ndarray,
    masks: np.ndarray,
    known: np.ndarray,
) -> np.ndarray:
    """Which rules have a reported rule with fewer conditions that is as strong, within the error of both."""
    length = items.shape[1]
    redundant = np.zeros(len(rows), dtype=bool)
    if not len(known):
        return redundant
    for mask, general in _generalisations(length):
        at = np.flatnonzero((masks == mask) & ~redundant)
        whole = general | (2**length - 1 - mask)
        inside = [bit for bit in range(length) if whole >> bit & 1]
        place = find(lattice.levels[len(inside) - 1], keys(items[rows[at]][:, inside], len(lattice.literals)))
        rule = ranks[len(inside) - 1][place] * 64 + within(length, whole)[general]
        at = at[(place >= 0) & (known[np.searchsorted(known[:-1], rule)] == rule)]
        if not len(at):
            continue
        here = rows[at]
        antecedent, part = parts.support[here, mask], parts.support[here, general]
        strong, weak = parts.support[here, -1] / antecedent, parts.support[here, whole] / part
        terms = {2**length - 1: 1 / antecedent, mask: -strong / antecedent, whole: -1 / part, general: weak / part}
        variance = parts.variance(here, [(np.full_like(here, part), value) for part, value in terms.items()])
        redundant[at] |= strong - weak <= Z * np.sqrt(variance)
    return redundant


def _generalisations(length: int) -> Iterator[tuple[int, int]]:
    """Antecedents with each of their non-empty proper subsets."""
    for mask in range(1, 2**length - 1):
        general = (mask - 1) & mask
        while general:
            yield mask, general
            general = (general - 1) & mask


def _ranks(lattice: Lattice) -> list[np.ndarray]:
    """Per level, the places of its itemsets among all accepted ones; −1 for those that are not."""
    accepted = np.concatenate([level.accepted for level in lattice.levels])
    ranks = np.where(accepted, np.cumsum(accepted) - 1, -1)
    return np.split(ranks, np.cumsum([len(level) for level in lattice.levels])[:-1])


def _collected(found: list[Rules], family: list[np.ndarray]) -> Rules:
    if not found:
        none = np.empty(0)
        names = [*METRICS, *(f"{name} {end}" for name in WITH_ERROR for end in ("se", "low", "high")), "p", "q"]
        return Rules(none.astype(np.int64), none.astype(np.int64), dict.fromkeys(names, none), none.astype(bool))
    values = {name: np.concatenate([part.values[name] for part in found]) for name in found[0].values}
    values["q"] = q_values(np.concatenate(family))[values["q"]]
    return Rules(
        np.concatenate([part.itemset for part in found]),
        np.concatenate([part.antecedent for part in found]),
        values,
        np.concatenate([part.redundant for part in found]),
    )
