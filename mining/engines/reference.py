"""The reference engine: mlxtend's Apriori on the frame of disguised records, corrected afterwards.

Apriori knows one threshold on observed supports, that of `mining.engines.threshold`. Metrics are those of
`association_rules` on the reconstructed supports; errors and tests, which mlxtend does not have, are computed alike.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import apriori, association_rules

from mining.engines.bits import pack
from mining.engines.lattice import Lattice, assemble, find, keys
from mining.engines.literals import Literals
from mining.engines.progress import COUNTING, REFERENCE, Progress
from mining.engines.rules import Rules, sides
from mining.engines.search import Wanted, candidates, counts, refuse_too_many, weigh
from mining.engines.small_groups import without_small_group
from mining.engines.threshold import observed_threshold
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.metrics import computed


def frame(literals: Literals, codes: np.ndarray) -> pd.DataFrame:
    """One boolean column per literal."""
    return pd.DataFrame(literals.matches(codes), columns=range(len(literals)))


def search_frame(
    literals: Literals, codes: np.ndarray, direct: np.ndarray, wanted: Wanted, progress: Progress
) -> Lattice:
    """The lattice that `search` gives, from mlxtend's itemsets."""
    every = len(direct)
    codes, direct = without_small_group(literals.design, codes, direct, wanted.least, wanted.max_length)
    table = frame(literals, codes)
    matches = table.to_numpy()
    alone = np.arange(len(literals))[:, None]
    sizes = np.array([(~direct).sum(), direct.sum()])
    singles = np.stack([np.tile(sizes, (len(literals), 1)), _counts(matches, direct, alone).T], axis=-1).astype(
        np.int32
    )
    lattice = Lattice(pack([(codes, direct)], literals), singles, left_out=every - len(direct))
    threshold = observed_threshold(literals, wanted, direct)
    progress(REFERENCE, 0, 0, 0)
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
            [find(below, keys(np.delete(items, place, axis=1), len(literals))) for place in range(length)], axis=1
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


def _weigh_the_rest(lattice: Lattice, wanted: Wanted, accepted: np.ndarray) -> None:
    """Count the candidates that Apriori left out as too rare: our own search counts them, too."""
    below, base = lattice.levels[-1], len(lattice.literals)
    for _, items, drops in candidates(below, lattice.literals.column, base):
        rest = ~np.isin(keys(items, base), keys(accepted, base))
        if rest.any():
            weigh(lattice, wanted, items[rest], counts(lattice.counter, below, items[rest], drops[rest]))


def _counts(matches: np.ndarray, direct: np.ndarray, items: np.ndarray) -> np.ndarray:
    counts = np.zeros((2, len(items)), dtype=np.int64)
    for place, itemset in enumerate(items):
        hit = matches[:, itemset].all(axis=1)
        counts[DIRECT, place] = np.count_nonzero(hit & direct)
        counts[DISGUISED, place] = np.count_nonzero(hit) - counts[DIRECT, place]
    return counts


def reference_metrics(lattice: Lattice, rules: Rules) -> Rules:
    """The same rules with the metrics that mlxtend's `association_rules` computes from the reconstructed supports."""
    if not len(rules):
        return rules  # association_rules refuses to work on nothing
    itemsets, values = [], []
    for level in lattice.levels:
        itemsets += [frozenset(itemset) for itemset in level.items.tolist()]
        values += level.supports.support.tolist()
    wanted = dict(zip(_sides(lattice, rules), range(len(rules)), strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):  # a certainty divides by 0 before it is taken to be 0
        table = association_rules(
            pd.DataFrame({"support": values, "itemsets": itemsets}), metric="support", min_threshold=-np.inf
        )
    places = np.array([wanted.get(pair, -1) for pair in zip(table["antecedents"], table["consequents"], strict=True)])
    chosen = np.flatnonzero(places >= 0)
    columns = dict(rules.values)
    for name in [metric.key for metric in computed() if metric.key in table]:
        columns[name] = np.empty(len(rules))
        columns[name][places[chosen]] = table[name].to_numpy()[chosen]
    return replace(rules, values=columns)


def _sides(lattice: Lattice, rules: Rules) -> list[tuple[frozenset[int], frozenset[int]]]:
    accepted = [itemset for level in lattice.levels for itemset in level.items[level.accepted].tolist()]
    pairs = zip(rules.itemset.tolist(), rules.antecedent.tolist(), strict=True)
    both = (sides(accepted[place], antecedent) for place, antecedent in pairs)
    return [(frozenset(left), frozenset(right)) for left, right in both]
