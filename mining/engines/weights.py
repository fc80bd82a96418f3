"""What a record is worth to a pattern: the weight w_E of DESIGN, as a table over the literals that match.

Per unit (what is disguised together) the weight is a sum of terms φ/λ. Coin: φ = q with λ = 1, and φ = 1[match] − q
with λ = keep. Flip: φ = 2^−L Σ_{|S| = m} Π z_j with λ = a_m, the Krawtchouk transform of `flips`. Over units they
multiply. The pooled estimator replaces each total λ by k + (1−k)λ, k the share of direct records.
"""

from itertools import product
from math import comb, prod

import numpy as np

from mining.engines.literals import Literals
from mining.engines.tables import within
from privacy.design import FlipBlock, GroupedBlock
from privacy.flips import eigenvalues

Term = tuple[np.ndarray, np.ndarray | float]  # φ as (patterns or 1, 2^L or 1), λ as (patterns,) or a number


def weights(of: Literals, itemsets: np.ndarray, k: np.ndarray | None = None) -> np.ndarray:
    """The weights of patterns (F, L) as tables (F, 2^L); with `k` (F,) those of the pooled estimator.

    Not a number where the disguise leaves nothing of the pattern.
    """
    count, length = itemsets.shape
    table = np.empty((count, 2**length))
    for leaders, rows in _structures(of, itemsets):
        units = [
            _terms(of, itemsets[rows], [j for j in range(length) if leaders[j] == leader])
            for leader in sorted(set(leaders))
        ]
        table[rows] = _plain(units) if k is None else _pooled(units, k[rows])
    return table


def sub_weights(of: Literals, itemsets: np.ndarray, k: np.ndarray | None = None) -> np.ndarray:
    """The weights of every sub-pattern, over the literals of the whole: (F, 2^L masks, 2^L); mask 0 weighs 1."""
    count, length = itemsets.shape
    tables = np.ones((count, 2**length, 2**length))
    for mask in range(1, 2**length):
        inside = [bit for bit in range(length) if mask >> bit & 1]
        tables[:, mask] = weights(of, itemsets[:, inside], k)[:, within(length, mask)]
    return tables


def _structures(of: Literals, itemsets: np.ndarray) -> list[tuple[tuple[int, ...], np.ndarray | slice]]:
    """Patterns whose literals share units in the same way, flip blocks being told apart one by one."""
    count, length = itemsets.shape
    if len(of.unit_block) == 1:
        return [((0,) * length, slice(None))]
    units = of.unit[itemsets]
    leaders = np.argmax(units[:, :, None] == units[:, None, :], axis=1)  # the first literal of the same unit
    special = np.array([not _plain_coin(of, unit) for unit in range(len(of.unit_block))])
    base = length + len(special)
    signature = np.zeros(count, dtype=np.int64)
    for j in range(length):
        signature = signature * base + np.where(special[units[:, j]], length + units[:, j], leaders[:, j])
    _, first, inverse = np.unique(signature, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    cuts = np.searchsorted(inverse[order], np.arange(len(first) + 1))
    return [
        (tuple(leaders[row].tolist()), order[start:stop])
        for row, start, stop in zip(first, cuts[:-1], cuts[1:], strict=True)
    ]


def _plain_coin(of: Literals, unit: int) -> bool:
    return not isinstance(of.design.blocks[of.unit_block[unit]], FlipBlock | GroupedBlock)


def _terms(of: Literals, itemsets: np.ndarray, members: list[int]) -> list[Term]:
    """The terms of one unit, whose literals stand at the places `members` of the patterns."""
    length = itemsets.shape[1]
    mask = sum(1 << j for j in members)
    here = itemsets[:, members]
    block = of.design.blocks[of.unit_block[of.unit[here[0, 0]]]]
    if isinstance(block, FlipBlock):
        matching = np.bitwise_count(within(length, mask))
        factors = [float(factor) for factor in eigenvalues(block.flips)]
        factors += [0.0] * (
            len(members) + 1 - len(factors)
        )  # longer than what one respondent is asked: nothing is left
        return [(_signs(len(members), m)[matching][None], factors[m]) for m in range(len(members) + 1)]
    if isinstance(block, GroupedBlock):  # noise says yes to all or no to all
        yes = of.positive[here]
        chance = np.where((yes == yes[:, :1]).all(axis=1), of.chance[here[:, 0]], 0.0)
    else:
        chance = of.chance[here].prod(axis=1)
    match = (np.arange(2**length) & mask) == mask
    return [(chance[:, None], 1.0), (match[None] - chance[:, None], of.keep[here[:, 0]])]


def _signs(length: int, m: int) -> np.ndarray:
    """2^−L times the m-th elementary symmetric polynomial of L signs, for 0 … L of them positive."""
    return np.array(
        [
            sum((-1) ** j * comb(length - t, j) * comb(t, m - j) for j in range(m + 1)) / 2**length
            for t in range(length + 1)
        ]
    )


def _plain(units: list[list[Term]]) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        table = prod(sum(phi / _column(lam) for phi, lam in terms) for terms in units)
    return np.where(np.isfinite(table), table, np.nan)


def _pooled(units: list[list[Term]], k: np.ndarray) -> np.ndarray:
    table: np.ndarray | float = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        for terms in product(*units):
            total = prod(lam for _, lam in terms)
            table = table + prod(phi for phi, _ in terms) / _column(k + (1 - k) * total)
    return np.where(np.isfinite(table), table, np.nan)


def _column(values: np.ndarray | float) -> np.ndarray:
    return np.atleast_1d(values)[:, None]
