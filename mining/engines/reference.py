"""The reference engine: mlxtend's Apriori on the frame of disguised records, corrected afterwards.

Apriori knows one threshold on observed supports, that of `mining.engines.threshold`. Its `association_rules` makes the
rules of a site from the reconstructed supports, whichever engine has counted. Errors and tests, which mlxtend does not
have, are those of `mining.engines.rules`.
"""

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, association_rules

from mining.engines.bits import pack
from mining.engines.lattice import Lattice, assemble, find, keys
from mining.engines.literals import Literals
from mining.engines.progress import COUNTING, REFERENCE, Progress
from mining.engines.request import MiningRequest
from mining.engines.search import candidates, counts, refuse_too_many, weigh
from mining.engines.small_groups import without_small_group
from mining.engines.threshold import threshold_of_observed
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.metrics import Sides, metrics

_OF_SIDES = ("antecedent support", "consequent support", "support")
_AT_ONCE = 60_000  # rules of itemsets and of their parts that mlxtend makes in one table


def search_frame(
    literals: Literals, codes: np.ndarray, direct: np.ndarray, wanted: MiningRequest, progress: Progress
) -> Lattice:
    """The itemsets of the records by mlxtend's Apriori, with the same figures as those of `search`."""
    every = len(direct)
    codes, direct = without_small_group(literals.design, codes, direct, wanted.least, wanted.max_length)
    matches = literals.matches(codes)
    alone = np.arange(len(literals))[:, None]
    sizes = np.array([(~direct).sum(), direct.sum()])
    matching = _counts(matches, direct, alone).T
    singles = np.stack([np.tile(sizes, (len(literals), 1)), matching], axis=-1).astype(np.int32)
    lattice = Lattice(pack([(codes, direct)], literals), singles, left_out=every - len(direct))
    threshold = threshold_of_observed(literals, wanted, direct)
    progress(REFERENCE, 0, 0, 0)
    table = pd.DataFrame(matches, columns=range(len(literals)))
    frequent = apriori(table, min_support=threshold, max_len=wanted.max_length, low_memory=True)
    by_length: dict[int, list[list[int]]] = {}
    for itemset in frequent["itemsets"]:
        by_length.setdefault(len(itemset), []).append(sorted(itemset))
    lattice.candidates.append(len(literals))
    lattice.levels.append(weigh(lattice, wanted, alone, singles))
    for length in range(2, wanted.max_length + 1):
        items = np.array(sorted(by_length.get(length, [])), dtype=np.int64).reshape(-1, length)
        below = lattice.levels[-1]
        drops = np.stack(
            [find(below, np.delete(items, place, axis=1), len(literals)) for place in range(length)], axis=1
        )
        closed = (drops >= 0).all(axis=1)
        items, drops = items[closed], drops[closed]
        _weigh_the_rest(lattice, wanted, items)
        if not len(items):
            break
        progress(COUNTING, length, len(items), 0.0)
        lattice.candidates.append(len(items))
        at_least = assemble(below, drops, _counts(matches, direct, items))
        lattice.levels.append(weigh(lattice, wanted, items, at_least))
        refuse_too_many(lattice, wanted, [])
        progress(COUNTING, length, len(items), 1.0)
    return lattice


def _weigh_the_rest(lattice: Lattice, wanted: MiningRequest, accepted: np.ndarray) -> None:
    """Count the candidates that Apriori left out as too rare: our own search counts them, too."""
    below, base = lattice.levels[-1], len(lattice.literals)
    for _, items, drops in candidates(below, lattice.literals.column, base):
        rest = ~np.isin(keys(items, base), keys(accepted, base))
        if rest.any():
            weigh(lattice, wanted, items[rest], counts(lattice.counter, below, items[rest], drops[rest]))


def _counts(matches: np.ndarray, direct: np.ndarray, items: np.ndarray) -> np.ndarray:
    """How many records of each group match each itemset: (2, F)."""
    counts = np.zeros((2, len(items)), dtype=np.int64)
    for place, itemset in enumerate(items):
        hit = matches[:, itemset].all(axis=1)
        counts[DIRECT, place] = np.count_nonzero(hit & direct)
        counts[DISGUISED, place] = np.count_nonzero(hit) - counts[DIRECT, place]
    return counts


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
        table = association_rules(
            pd.DataFrame({"support": supports[1:].T.ravel(), "itemsets": itemsets}),
            metric="confidence",
            min_threshold=least.min(),
        )
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
