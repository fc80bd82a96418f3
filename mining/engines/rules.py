"""All rules of a lattice at once, as columns: metrics, standard errors, intervals, tests, redundancy.

A rule A ⇒ C is one itemset A∪C and the mask of its literals that stand in A.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from mining.engines.discoveries import q_values
from mining.engines.estimates import Moments, moments
from mining.engines.intervals import Z, delta, ratio, wald
from mining.engines.lattice import BoundReachedError, Lattice, find, keys
from mining.engines.metrics import METRICS, metrics
from mining.engines.tables import exactly, within

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
    parts: list[tuple[np.ndarray, np.ndarray, dict[str, np.ndarray], np.ndarray]] = []
    family: list[np.ndarray] = []
    known = np.empty(0, dtype=np.int64)  # rules of shorter itemsets
    count = 0
    tested = 0
    ranks = _ranks(lattice)
    for level, rank in zip(lattice.levels[1:], ranks[1:], strict=True):
        accepted = np.flatnonzero(level.accepted)
        length = level.items.shape[1]
        step = max(_ENTRIES >> (2 * length), 1)
        new = []
        for start in range(0, len(accepted), step):
            chosen = accepted[start : start + step]
            cells = exactly(level.at_least[chosen])
            parts_of = moments(lattice.literals, level.items[chosen], cells, estimator)
            values, p = _values(parts_of, length)
            slack = level.supports.slack[chosen]
            passing = values["confidence"] >= min_confidence - slack[:, None]
            rows, columns = np.nonzero(passing)
            count += len(rows)
            if count > most:
                raise BoundReachedError(
                    f"More than {most:,} rules reach a confidence of {min_confidence:g}: "
                    "raise the support or the confidence, or lower the length."
                )
            redundant = _redundant(lattice, ranks, level.items[chosen], parts_of, passing, known)
            half = 2 ** (length - 1) - 1  # the other masks split the itemset the same way
            places = tested + rows * half + np.minimum(columns, 2**length - 3 - columns)
            tested += len(chosen) * half
            family.append(p[:, :half].ravel())
            itemset = rank[chosen][rows]
            new.append(itemset * 64 + columns + 1)
            picked = {name: column[rows, columns] for name, column in values.items()}
            picked["p"] = p[rows, columns]
            parts.append((itemset, columns + 1, {**picked, "q": places}, redundant[rows, columns]))
        known = np.concatenate([known, *new])
    return _collected(parts, family)


def _splits(length: int) -> tuple[np.ndarray, np.ndarray]:
    """The antecedent masks of an itemset, and their consequents."""
    masks = np.arange(1, 2**length - 1)
    return masks, 2**length - 1 - masks


def _values(parts: Moments, length: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Metrics with error, and p, of every split of every itemset: (F, 2^L − 2)."""
    left, right = _splits(length)
    antecedent, consequent = parts.support[:, left], parts.support[:, right]
    both = np.repeat(parts.support[:, -1:], len(left), axis=1)
    sides = (left, right, np.full_like(left, 2**length - 1))
    cov = [[parts.covariance[:, i, j] for j in sides] for i in sides]
    values = metrics(antecedent, consequent, both)
    zero, one = np.zeros_like(both), np.ones_like(both)
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, lift, leverage = values["confidence"], values["lift"], values["leverage"]
        by_chance = antecedent * consequent
        gradients = {
            "support": (zero, zero, one),
            "confidence": (-confidence / antecedent, zero, 1 / antecedent),
            "lift": (-lift / antecedent, -lift / consequent, 1 / by_chance),
            "leverage": (-consequent, -antecedent, one),
        }
        for name, gradient in gradients.items():
            values[f"{name} se"] = delta(gradient, cov)
        p = 2 * ndtr(-np.abs(leverage) / values["leverage se"])
        ends = {
            "support": wald(both, values["support se"]),
            "leverage": wald(leverage, values["leverage se"]),
            "confidence": ratio(both, antecedent, cov[2][2], cov[0][0], cov[0][2], values["confidence se"]),
            "lift": ratio(
                both,
                by_chance,
                cov[2][2],
                delta((consequent, antecedent), [row[:2] for row in cov[:2]]) ** 2,
                consequent * cov[0][2] + antecedent * cov[1][2],
                values["lift se"],
            ),
        }
    for name, (low, high) in ends.items():
        values[f"{name} low"], values[f"{name} high"] = low, high
    return values, p


def _redundant(
    lattice: Lattice,
    ranks: list[np.ndarray],
    items: np.ndarray,
    parts: Moments,
    passing: np.ndarray,
    known: np.ndarray,
) -> np.ndarray:
    """Splits (F, 2^L − 2) for which a reported rule with fewer conditions is as strong, within the error of both."""
    length = items.shape[1]
    redundant = np.zeros((len(items), 2**length - 2), dtype=bool)
    if not len(known):
        return redundant
    for mask, general in _generalisations(length):
        rows = np.flatnonzero(passing[:, mask - 1] & ~redundant[:, mask - 1])
        consequent = 2**length - 1 - mask
        whole = general | consequent
        inside = [bit for bit in range(length) if whole >> bit & 1]
        place = find(lattice.levels[len(inside) - 1], keys(items[rows][:, inside], len(lattice.literals)))
        rule = ranks[len(inside) - 1][place] * 64 + within(length, whole)[general]
        at = np.searchsorted(known[:-1], rule)
        there = rows[(place >= 0) & (known[at] == rule)]
        if not len(there):
            continue
        antecedent, part = parts.support[there, mask], parts.support[there, general]
        strong, weak = parts.support[there, -1] / antecedent, parts.support[there, whole] / part
        gradient = (1 / antecedent, -strong / antecedent, -1 / part, weak / part)
        chosen = (2**length - 1, mask, whole, general)
        se = delta(gradient, [[parts.covariance[there, i, j] for j in chosen] for i in chosen])
        redundant[there, mask - 1] |= strong - weak <= Z * se
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


def _collected(
    parts: list[tuple[np.ndarray, np.ndarray, dict[str, np.ndarray], np.ndarray]], family: list[np.ndarray]
) -> Rules:
    if not parts:
        ends = [f"{name} {end}" for name in WITH_ERROR for end in ("se", "low", "high")]
        empty = np.empty(0)
        return Rules(
            empty.astype(np.int64),
            empty.astype(np.int64),
            dict.fromkeys((*METRICS, *ends, "p", "q"), empty),
            empty.astype(bool),
        )
    values = {name: np.concatenate([part[2][name] for part in parts]) for name in parts[0][2]}
    values["q"] = q_values(np.concatenate(family))[values["q"]]
    return Rules(
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        values,
        np.concatenate([part[3] for part in parts]),
    )
