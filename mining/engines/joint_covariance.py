"""The raw supports of all itemsets that a search has counted, with their joint covariance.

The weight of an itemset is a sum over its parts U of signs of a record, w_E = Σ_U ω_{E,U} χ_U, where χ_U is the product
over the literals in U of +1 where the record matches and −1 where not. So E[w_E w_F] needs nothing but the means of
χ_U χ_V = χ_{U△V}; each comes from everyone who was asked it, and many pairs share one. With n_E asked E,

    Cov(E, F) = n_{E∪F} / (n_E n_F) · (E[w_E w_F] − ŝ_E ŝ_F)      in each group.

By available cases the same holds of the products v_S in place of itemsets, and supports are sums of these (see
`privacy.estimate.available`). The estimators differ in the part of each group.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mining.engines.bits import BitCounter
from mining.engines.estimates import (
    Counted,
    CountedItemsets,
    available_cases,
    keys,
    shares_of_direct_answers,
    sub_weights,
    supports,
)
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals
from mining.engines.table_counter import TableCounter
from privacy.estimate.available import expand, matching, products, signs
from privacy.estimate.selection import between_sums, sums_of_parts
from privacy.estimate.weights import DIRECT, DISGUISED, states_from_supports

Floats = np.ndarray
_MOST_LITERALS = 64  # bits of a key


def itemset_counts(lattice: Lattice) -> Counted:
    """Return all counted itemsets, without the copies that differ only in negations."""
    levels = []
    parts = [*lattice.levels, *lattice.dropped]
    for length in sorted({part.items.shape[1] for part in parts if len(part)}):
        here = [part for part in parts if part.items.shape[1] == length]
        items = np.concatenate([part.items for part in here])
        levels.append(_positive(lattice.literals, items, np.concatenate([part.at_least for part in here])))
    return Counted(lattice.counter, levels, lattice.available)


def _positive(literals: Literals, items: np.ndarray, at_least: np.ndarray) -> CountedItemsets:
    """The same itemsets with positive literals alone, each once, and the counts that follow for them."""
    negated, at_least = ~literals.positive[items], at_least.copy()
    for bit in range(items.shape[1]):
        rows = np.flatnonzero(negated[:, bit])
        table = at_least[rows].reshape(len(rows), 2, at_least.shape[2] >> bit + 1, 2, 1 << bit)
        table[:, :, :, 1] = table[:, :, :, 0] - table[:, :, :, 1]
        at_least[rows] = table.reshape(len(rows), *at_least.shape[1:])
    items = literals.yes[items]
    first = np.unique(keys(items, len(literals)), return_index=True)[1]
    return CountedItemsets(items[first], at_least[first], len(literals))


@dataclass(frozen=True)
class _Weighed:
    """Itemsets of one length, (…, F): what their supports are made of.

    What is estimated is a mean for each itemset and group, of weights with these `signs` (2, 2^L, F); the support is
    the sum over the parts of the itemset, and over the groups, of `parts` (2, 2^L, F) times the mean of each.
    """

    places: np.ndarray  # of the parts among all itemsets, the empty one first: (2^L, F)
    support: Floats
    asked: Floats  # (2, F)
    means: Floats  # (2, F)
    signs: Floats
    parts: Floats


def joint_covariance(counted: Counted, estimator: str) -> tuple[list[tuple[int, ...]], Floats, Floats] | None:
    """All itemsets, their supports, and the covariance; None where literals are too many, or tables were counted."""
    if isinstance(counted.counter, TableCounter):
        return None
    sets: list[tuple[int, ...]] = [()]
    for level in counted.levels:
        sets += [tuple(itemset) for itemset in level.items.tolist()]
    place = {itemset: at for at, itemset in enumerate(sets)}
    moments = _moments(counted.counter, sets)
    if moments is None:
        return None
    asked, means = moments
    weighed = [_weigh_level(counted, length, place, estimator) for length in range(1, len(counted.levels) + 1)]
    count, places = len(sets), [each.places for each in weighed]
    covariance = np.zeros((count, count))
    groups = [group for group in (DISGUISED, DIRECT) if counted.sizes[group]]
    of_groups = np.zeros((2, count))
    for group in groups:
        squares = between_sums(places, [each.signs[group] for each in weighed], means[group])
        n, own = (np.zeros(count), np.zeros(count))
        for each in weighed:
            n[each.places[-1]], own[each.places[-1]] = each.asked[group], each.means[group]
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = asked[group] / np.outer(n, n) * (squares - np.outer(own, own))
        spread = np.where(np.outer(n, n) > 0, spread, 0.0)
        parts = [each.parts[group] for each in weighed]
        covariance += between_sums(places, parts, spread)
        of_groups[group] = sums_of_parts(places, parts, own[:, None])[:, 0]
    if estimator == "stratified" and len(groups) == 2:
        n = counted.sizes.sum()
        apart = of_groups[DIRECT] * n / counted.sizes[DIRECT] - of_groups[DISGUISED] * n / counted.sizes[DISGUISED]
        covariance += np.outer(apart, apart) * np.prod(counted.sizes / n) / n
    support = np.concatenate([each.support for each in weighed])
    return sets[1:], support, covariance[1:, 1:]


def _weigh_level(counted: Counted, length: int, place: dict[tuple[int, ...], int], estimator: str) -> _Weighed:
    """What the supports of all itemsets of one length are made of; `place` is the number of each itemset."""
    level, literals = counted.levels[length - 1], counted.literals
    items, (count, cells) = level.items, (len(level), 2**length)
    states = states_from_supports(np.moveaxis(level.at_least, 0, -1), 1, float)  # (2, cells, F)
    asked = states.sum(axis=1)
    k = asked[DIRECT] / np.maximum(asked.sum(axis=0), 1) if estimator == "pooled" else None
    disguised = np.nan_to_num(sub_weights(literals, items, k))  # where nothing is left no record counts
    direct = disguised if k is not None else np.broadcast_to(matching(cells), disguised.shape)
    tables = [disguised, direct]
    if counted.available:
        cases, centres = available_cases(counted, level, estimator), literals.centre[items.T]
        tables = [products(table, centres) for table in tables]
        times = expand(np.eye(cells)[..., None] * np.ones(count), centres)[-1]
        parts, support = cases.parts * times, cases.support[-1]
    else:
        parts = np.zeros((2, cells, count))
        parts[:, -1] = _shares(counted, level, asked, estimator)
        support = supports(literals, level, estimator, counted.sizes).support
    cells_of = np.stack([table[-1] for table in tables])
    return _Weighed(
        _places_of_parts(items, place),
        support,
        asked,
        np.einsum("gcf,gcf->gf", cells_of, states) / np.maximum(asked, 1),
        np.einsum("uc,gcf->guf", signs(cells), cells_of) / cells,
        np.nan_to_num(parts),
    )


def _places_of_parts(items: np.ndarray, place: dict[tuple[int, ...], int]) -> np.ndarray:
    """The numbers of all parts of these itemsets, by mask: (2^L, F)."""
    places = np.zeros((2 ** items.shape[1], len(items)), dtype=np.intp)
    for mask in range(1, len(places)):
        inside = [bit for bit in range(items.shape[1]) if mask >> bit & 1]
        places[mask] = [place[tuple(itemset)] for itemset in items[:, inside].tolist()]
    return places


def _shares(counted: Counted, itemsets: CountedItemsets, asked: Floats, estimator: str) -> Floats:
    """The weight of each group's mean among complete cases, (2, F)."""
    if estimator == "stratified":
        return np.repeat((counted.sizes / counted.sizes.sum())[:, None], len(itemsets), axis=1)
    if estimator == "pooled":
        return asked / np.maximum(asked.sum(axis=0), 1)
    states = states_from_supports(itemsets.at_least[:, DIRECT].astype(float))
    by_cell = shares_of_direct_answers(counted.literals, itemsets)[:, :-1]
    own = (states * by_cell).sum(axis=1) / np.maximum(asked[DIRECT], 1)
    return np.stack([1 - own, own])


def _moments(counter: BitCounter, sets: Sequence[tuple[int, ...]]) -> tuple[Floats, Floats] | None:
    """For each two sets, how many were asked both, and the mean product of their signs: (2, sets, sets) each."""
    if len({literal for itemset in sets for literal in itemset}) > _MOST_LITERALS:
        return None
    sizes = np.array([len(itemset) for itemset in sets])
    rows = np.array([itemset + (-1,) * (sizes.max() - len(itemset)) for itemset in sets])
    if counter.literals.design.sampled:
        together, n, uneven = _sampled_counts(counter, rows)
    else:
        uneven = counter.uneven(rows)
        together = n = np.broadcast_to(counter.sizes[:, None, None], uneven.shape)
    # An odd number of matches leaves an even number of −1 where the literals are odd in number, too.
    sign = (1 - 2 * (sizes % 2)) * (1 - 2 * (sizes % 2))[:, None]
    return together, np.where(n > 0, sign * (n - 2 * uneven) / np.maximum(n, 1), 0.0)


def _sampled_counts(counter: BitCounter, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each two sets, by group: who were asked both, were asked their difference, match an odd number of it."""
    used = np.unique(rows[rows >= 0])
    bits = np.append(np.uint64(1) << np.arange(len(used), dtype=np.uint64), np.uint64(0))
    keys = np.bitwise_or.reduce(bits[np.where(rows < 0, len(used), np.searchsorted(used, rows))], axis=1)
    first, second = np.triu_indices(len(keys))
    pairs = np.stack([keys[first] | keys[second], keys[first] ^ keys[second]])
    every, place = np.unique(pairs, return_inverse=True)
    counts = np.zeros((2, 2, len(every)), dtype=np.int64)
    counts[0, :, every == 0] = counter.sizes
    asked = np.flatnonzero((every > 0) & _can_be_asked(counter.literals, every, used))
    counts[:, :, asked] = counter.parities(_rows_of_keys(every[asked], used))
    counts = counts[:, :, place.reshape(pairs.shape)]
    made = np.empty((3, 2, len(keys), len(keys)), dtype=np.int64)
    made[:, :, first, second] = made[:, :, second, first] = counts[0, :, 0], counts[0, :, 1], counts[1, :, 1]
    return made[0], made[1], made[2]


def _can_be_asked(literals: Literals, keys: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Whether one person may be asked all items of each set: of no sampled block more than it asks."""
    able, columns = np.ones(len(keys), dtype=bool), literals.column[used]
    for first, block in zip(literals.design.first_columns, literals.design.blocks, strict=True):
        items = np.zeros(len(keys), dtype=np.int64)
        for column in range(first, first + len(block.items)):
            item = sum(1 << bit for bit in np.flatnonzero(columns == column).tolist())
            items += keys & np.uint64(item) > 0
        able &= items <= block.items_per_person
    return able


def _rows_of_keys(keys: np.ndarray, used: np.ndarray) -> np.ndarray:
    """The literals of each key, ascending and filled up with −1."""
    rows = np.full((len(keys), int(np.bitwise_count(keys).max(initial=1))), -1)
    for column in rows.T:
        lowest = keys & -keys
        left = keys > 0
        column[left] = used[np.bitwise_count(lowest[left] - np.uint64(1))]
        keys = keys ^ lowest
    return rows
