"""mlxtend's part: its join and prune of Apriori for every design, and its rules of a site.

Candidates of each length are joined and pruned by mlxtend from the itemsets that reach their own reconstructed support;
counting, supports, errors and thresholds are those of `mining.engines.lattice`. `association_rules` makes the rules of
a site from the reconstructed supports, whichever engine has joined. Errors and tests, which mlxtend does not have, are
those of `mining.engines.rules`.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import association_rules
from mlxtend.frequent_patterns.apriori import generate_new_combinations

from mining.engines.estimates import keys
from mining.engines.lattice import Level, count_joins
from privacy.reconstruct.metrics import Sides, metrics

_OF_SIDES = ("antecedent support", "consequent support", "support")
_AT_ONCE = 60_000  # rules of itemsets and of their parts that mlxtend makes in one table


def join(level: Level, column: np.ndarray) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """What `mining.engines.lattice.candidates` yields, joined and pruned by mlxtend: all of a level at once.

    mlxtend knows no items of several options, so it also joins two options of one item.
    """
    count_joins(level)
    length = level.items.shape[1] + 1
    items = np.fromiter(generate_new_combinations(level.items), dtype=np.int64).reshape(-1, length)
    columns = np.sort(column[items], axis=1)
    items = items[(columns[:, 1:] != columns[:, :-1]).all(axis=1)]
    items = items[np.argsort(keys(items, level.base))]
    drops = np.stack([level.find(np.delete(items, index, axis=1)) for index in range(length)], axis=1)
    there = (drops >= 0).all(axis=1)  # old versions of mlxtend prune less
    yield 1.0, items[there], drops[there]


class MissingPartError(Exception):
    """A part of an itemset has no support, and without it `association_rules` makes no rules."""


def mlxtend_rules(supports: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """The rules that mlxtend's `association_rules` makes: to the last digit those of `mining.engines.rules.own_rules`.

    MissingPartError where it would miss a support.
    """
    if not np.isfinite(supports[1:]).all():
        raise MissingPartError
    step = max(_AT_ONCE // 3 ** _itemset_length(supports), 1)
    made = [
        _rules_of_chunk(supports[:, start : start + step], least[start : start + step], start)
        for start in range(0, len(least), step)
    ]
    rows, masks, figures = zip(*made, strict=True)
    joined = {name: np.concatenate([part[name] for part in figures]) for name in figures[0]}
    return np.concatenate(rows), np.concatenate(masks), joined


def _rules_of_chunk(
    supports: np.ndarray, least: np.ndarray, first: int
) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """The rules of some itemsets, numbered from `first` on: their itemsets, masks of antecedents, metrics by name.

    The parts of a rule come from those who were asked all of it, so two itemsets may have two supports for one part.
    Therefore each itemset has items of its own here: its literal `bit` is the item `row · length + bit`.
    """
    length = _itemset_length(supports)
    parts = [[bit for bit in range(length) if mask >> bit & 1] for mask in range(1, len(supports))]
    itemsets = [frozenset(row * length + bit for bit in part) for row in range(len(least)) for part in parts]
    with np.errstate(divide="ignore", invalid="ignore"):  # a certainty divides by 0 before it is taken to be 0
        frame = pd.DataFrame({"support": supports[1:].T.ravel(), "itemsets": itemsets})
        table = association_rules(frame, metric="confidence", min_threshold=least.min())
    sides = list(zip(table["antecedents"], table["consequents"], strict=True))
    rows = np.array([min(antecedent) // length for antecedent, _ in sides], dtype=np.int64)
    masks = np.array([sum(1 << item % length for item in antecedent) for antecedent, _ in sides], dtype=np.int64)
    whole = np.array([len(antecedent) + len(consequent) == length for antecedent, consequent in sides], dtype=bool)
    figures = metrics(Sides(*(table[name].to_numpy(float) for name in _OF_SIDES)))  # mlxtend may not have all of them
    figures |= {name: table[name].to_numpy(float) for name in figures if name in table}
    kept = np.flatnonzero(whole & (figures["confidence"] >= least[rows]))  # without rules of parts of an itemset
    kept = kept[np.lexsort((masks[kept], rows[kept]))]
    return first + rows[kept], masks[kept], {name: values[kept] for name, values in figures.items()}


def _itemset_length(supports: np.ndarray) -> int:
    return len(supports).bit_length() - 1
