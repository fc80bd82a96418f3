"""All rules of a lattice at once, as columns: metrics, standard errors, intervals, tests, redundancy.

A rule A ⇒ C is one itemset A∪C and the mask of its literals that stand in A.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from mining.engines.discoveries import q_values
from mining.engines.estimates import Parts, variance
from mining.engines.intervals import Z, ratio, wald
from mining.engines.lattice import BoundReachedError, Lattice, find, keys
from mining.engines.metrics import METRICS, metrics
from mining.engines.tables import within

WITH_ERROR = ("support", "confidence", "lift", "leverage")
_ENTRIES = 1 << 20  # covariances held at once


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
            spreads = splits(parts)
            p = leverage_tests(parts, spreads)
            with np.errstate(divide="ignore", invalid="ignore"):
                confidence = (parts.support[-1] / parts.support[1:-1]).T
            rows, columns = np.nonzero(confidence >= min_confidence - level.supports.slack[chosen, None])
            count += len(rows)
            if count > most:
                raise BoundReachedError(
                    f"More than {most:,} rules reach a confidence of {min_confidence:g}: "
                    "raise the support or the confidence, or lower the length."
                )
            values = rule_values(parts, spreads, rows, columns + 1)
            split = np.minimum(columns, 2**length - 3 - columns)  # A ⇒ C and C ⇒ A are one test
            values |= {"p": p[rows, split], "q": tested + rows * p.shape[1] + split}  # q: its place in the family, yet
            tested += p.size
            family.append(p.ravel())
            itemset = rank[chosen][rows]
            new.append(itemset * 64 + columns + 1)
            redundant = _redundant(lattice, ranks, level.items[chosen], parts, rows, columns + 1, known)
            found.append(Rules(itemset, columns + 1, values, redundant))
        known = np.concatenate([known, *new])
    return _collected(found, family)


def splits(parts: Parts) -> np.ndarray:
    """For each way to split each itemset in two, the covariance of (whole, left, right): (2^(L−1) − 1, 3, 3, F)."""
    whole = len(parts.support) - 1
    return np.stack([parts.covariance([whole, left, whole - left]) for left in range(1, whole // 2 + 1)])


def leverage_tests(parts: Parts, spreads: np.ndarray) -> np.ndarray:
    """For each itemset and each split of it, the p of its leverage: (F, splits)."""
    count = len(spreads)
    a, c = parts.support[1 : count + 1], parts.support[-2 : -count - 2 : -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (parts.support[-1] - a * c) / np.sqrt(variance(np.moveaxis(spreads, 0, 2), 1.0, -c, -a))
    return 2 * ndtr(-np.abs(z)).T


def rule_values(parts: Parts, spreads: np.ndarray, rows: np.ndarray, left: np.ndarray) -> dict[str, np.ndarray]:
    """Metrics of rules, by itemset and mask of the antecedent, with standard errors and 95 % intervals."""
    right = len(parts.support) - 1 - left
    a, c, both = parts.support[left, rows], parts.support[right, rows], parts.support[-1, rows]
    values = metrics(a, c, both)
    sides = np.stack([np.zeros_like(left), np.where(left < right, 1, 2), np.where(left < right, 2, 1)])
    spread = spreads[np.minimum(left, right) - 1, sides[:, None], sides, rows]  # of (both, a, c)

    def se(*gradient: np.ndarray | float) -> np.ndarray:
        return np.sqrt(variance(spread, *gradient))

    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, lift = values["confidence"], values["lift"]
        values["support se"] = se(1.0, 0.0, 0.0)
        values["confidence se"] = se(1 / a, -confidence / a, 0.0)
        values["lift se"] = se(1 / (a * c), -lift / a, -lift / c)
        values["leverage se"] = se(1.0, -c, -a)

        def for_confidence(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            here = spread[:, :, at]
            return variance(here, 1.0, 0.0, 0.0), variance(here, 1.0, -1.0, 0.0)

        def for_lift(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            here = spread[:, :, at]
            return variance(here, 1.0, 0.0, 0.0), variance(here, 1.0, -c[at], -a[at])

        ends = {
            "support": wald(both, values["support se"]),
            "confidence": ratio(both, a, values["confidence se"], se(0.0, 1.0, 0.0), for_confidence),
            "lift": ratio(both, a * c, values["lift se"], se(0.0, c, a), for_lift),
            "leverage": wald(values["leverage"], values["leverage se"]),
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
    full = 2**length - 1
    redundant = np.zeros(len(rows), dtype=bool)
    if not len(known):
        return redundant
    close = []  # stronger than a more general rule, perhaps within error
    for mask, general in _generalisations(length):
        at = np.flatnonzero((masks == mask) & ~redundant)
        whole = general | (full - mask)
        inside = [bit for bit in range(length) if whole >> bit & 1]
        place = find(lattice.levels[len(inside) - 1], keys(items[rows[at]][:, inside], len(lattice.literals)))
        rule = ranks[len(inside) - 1][place] * 64 + within(length, whole)[general]
        at = at[(place >= 0) & (known[np.searchsorted(known[:-1], rule)] == rule)]
        here = rows[at]
        antecedent, part = parts.support[mask, here], parts.support[general, here]
        strong, weak = parts.support[-1, here] / antecedent, parts.support[whole, here] / part
        redundant[at[strong <= weak]] = True
        close.append((mask, general, whole, at[strong > weak]))
    for mask, general, whole, at in close:
        at = at[~redundant[at]]
        if not len(at):
            continue
        here = rows[at]
        antecedent, part = parts.support[mask, here], parts.support[general, here]
        strong, weak = parts.support[-1, here] / antecedent, parts.support[whole, here] / part
        gradient = {full: 1 / antecedent, mask: -strong / antecedent, whole: -1 / part, general: weak / part}
        redundant[at] = strong - weak <= Z * np.sqrt(parts.variance(here, gradient))
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
