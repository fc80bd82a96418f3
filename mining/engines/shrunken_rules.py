"""Rules with figures that stay true after selection, beside the raw ones.

Rules between two answers have those of the survey's pairs (`privacy.reconstruct.pairs`), which no search changes. Of
longer ones `privacy.estimate.selection` has the method; it gets all itemsets that the search has counted, those it
dropped among them. What is said of a negated literal follows from the positive one.
"""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from mining.engines.cell_estimates import cell_covariance
from mining.engines.columns import NONE, Columns
from mining.engines.estimates import Counted
from mining.engines.joint_covariance import RecordJoint, itemset_counts
from mining.engines.lattice import Lattice
from mining.engines.mine import MinedLattice
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import parse_pattern
from privacy.errors import InputError
from privacy.estimate.selection import Joint, Shrunken, shrink
from privacy.estimate.wrong_chances import has_wrong_chances
from privacy.reconstruct import metrics
from privacy.reconstruct.pairs import OTHERS, Pairs, shrunk_others, shrunk_rules

_ENTRIES = 1 << 20  # covariances held at once


def add_shrunk_figures(mined: MinedLattice, columns: Columns, estimator: str) -> Columns:
    """Add the shrunken support, confidence and lift of every rule, with their errors; NaN where there are none.

    There are none of itemsets that are longer than `Lattice.shrinkable`, where numbers are in bins or records are read
    whole, where clusters are few, where chances of people's own draws may be wrong, and of a rule with an item whose
    share may be 0 or 1.
    """
    figures = {key: np.full(len(columns.itemset), np.nan) for key in (*metrics.shrunken_keys(), *OTHERS)}
    lattice = mined.lattice
    if has_wrong_chances(lattice.literals.design):
        return columns.with_columns({}, figures)
    if len(columns.itemset) and lattice.shrinkable:
        every = itemset_counts(lattice)
        if lattice.drawn is None:
            joint: Joint | None = RecordJoint(every, estimator)
        else:
            joint = cell_covariance(lattice.drawn, [level.items for level in every.levels], estimator)
        if joint is not None:
            shares = shrink(joint)
            for rows, values in _figures_in_chunks(lattice, columns, every, shares):
                for key, value in values.items():
                    figures[key][rows] = value
    return columns.with_columns({}, figures)


def with_pairs(columns: Columns, pairs: Pairs, design: Design) -> Columns:
    """The columns with what the pairs of a survey say of every rule between two answers that make pairs.

    A rule between other answers to the same questions, such as two that say no, has no figure after selection and no q:
    what can be said of it is said of the pair.

    >>> import numpy as np
    >>> from privacy.reconstruct.pairs import Pairs
    >>> columns = Columns(("a", "b"), np.array([[0, 1]]), {}, np.array([0]), np.array([1]), {"q": np.array([0.01])})
    >>> with_pairs(columns, Pairs(()), Design.parse({"model": "warner", "theta": 0.9, "items": ["a", "b"]})).rules["q"]
    array([0.01])
    """
    kept = dict.fromkeys(OTHERS, np.full(len(columns.itemset), np.nan)) | columns.rules
    asked = {column for pair in pairs.tested for column, _options in pair.answers}
    literals = [_literal(design, label) for label in columns.labels]
    items = columns.items[columns.itemset]
    places, rules = [], []
    for place in np.flatnonzero((items != NONE).sum(axis=1) == 2).tolist():
        one, other = (literals[literal] for literal in items[place, :2].tolist())
        if one and other and {one[0], other[0]} <= asked:
            places.append(place)
            rules.append((one, other) if columns.antecedent[place] == 1 else (other, one))
    printed = pairs.figures(rules)
    keys = [key for metric in metrics.SHRINKING for key in metric.keys]
    named = dict(zip(metrics.shrunken_keys(), keys, strict=True)) | {key: key for key in (*OTHERS, "p", "q")}
    for key, source in named.items():
        kept[key] = np.array(kept.get(key, np.full(len(columns.itemset), np.nan)), dtype=float)
        kept[key][places] = printed[source]
    return columns.with_columns({}, kept)


def _literal(design: Design, label: str) -> Literal | None:
    with suppress(InputError):  # a bin of a number is no answer of a pair
        return parse_pattern(label, design).literals[0]
    return None


def _figures_in_chunks(
    lattice: Lattice, columns: Columns, every: Counted, shares: Shrunken
) -> Iterator[tuple[np.ndarray, dict[str, np.ndarray]]]:
    """Some rules at a time: their rows, and their shrunken figures by key."""
    firsts = np.cumsum([0, *(len(level) for level in every.levels)])
    first = 0  # of the accepted itemsets of a level
    for level in lattice.levels[: len(every.levels)]:
        accepted = level.items[level.accepted]
        step = max(_ENTRIES >> 2 * level.items.shape[1], 1)
        for start in range(0, len(accepted), step):
            items = accepted[start : start + step]
            inside = (columns.itemset >= first + start) & (columns.itemset < first + start + len(items))
            rows = np.flatnonzero(inside)
            if len(rows):
                support, covariance = _parts(items, every, firsts, shares)
                itemset = columns.itemset[rows] - first - start
                yield rows, _values(support, covariance, itemset, columns.antecedent[rows].astype(np.int64))
        first += len(accepted)


def _parts(items: np.ndarray, every: Counted, firsts: np.ndarray, shares: Shrunken) -> tuple[np.ndarray, np.ndarray]:
    """The supports of all parts of some itemsets by mask, (2^L, F), and their covariances (2^L, 2^L, F)."""
    literals, (count, length) = every.literals, items.shape
    positive = literals.yes[items]
    places = np.full((2**length, count), -1)
    for mask in range(1, 2**length):
        inside = [bit for bit in range(length) if mask >> bit & 1]
        level = every.levels[len(inside) - 1]
        places[mask] = firsts[len(inside) - 1] + level.find(positive[:, inside])
    support, covariance = shares.parts(places)
    for bit in range(length):
        turned = ~literals.positive[items[:, bit]]
        if turned.any():
            support = _negate_literal(support, bit, turned)
            covariance = np.swapaxes(
                _negate_literal(np.swapaxes(_negate_literal(covariance, bit, turned), 0, 1), bit, turned), 0, 1
            )
    return support, covariance


def _negate_literal(table: np.ndarray, bit: int, turned: np.ndarray) -> np.ndarray:
    """The table (2^L, …, F) with the literal `bit` of the itemsets in `turned` negated.

    Of a part with the literal it then has what is true of the part without it, less what is true with it.
    """
    pairs = table.reshape(-1, 2, 1 << bit, *table.shape[1:])
    without, with_it = pairs[:, 0], pairs[:, 1]
    return np.stack([without, np.where(turned, without - with_it, with_it)], axis=1).reshape(table.shape)


def _values(
    support: np.ndarray, covariance: np.ndarray, itemset: np.ndarray, left: np.ndarray
) -> dict[str, np.ndarray]:
    """The shrunken figures of rules by key; `left` is the mask of the antecedent in each one's itemset."""
    whole = np.full(len(left), len(support) - 1)
    masks = np.stack([whole, left, whole - left])
    both, a, c = support[masks, itemset]
    sides, spread = metrics.Sides(a, c, both), covariance[masks[:, None], masks, itemset]
    made = shrunk_rules(sides, spread) | shrunk_others(sides, spread)
    names = [key for metric in metrics.SHRINKING for key in metric.keys]
    possible = (a > 0) & (c > 0) & (both > 0)
    return {
        key: np.where(possible, made[name], np.nan)
        for key, name in zip((*metrics.shrunken_keys(), *OTHERS), (*names, *OTHERS), strict=True)
    }
