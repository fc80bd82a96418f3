"""The itemsets and rules that were mined, as columns: cheap to keep in one field, to filter, to sort and to page.

Then which rules are listed, which of them to believe, in which order, and by which figures. People see figures that
stay true after selection (`mining.engines.shrunken_rules`). Of a rule that has none, as of every rule of older runs,
they see no figure but how far its raw interval reaches: raw figures of chosen rules are too high.

>>> rules = {"infeasible": np.array([False, True]), "redundant": np.array([False, False]), "q": np.array([0.01, 0.01])}
>>> rules |= {"consequent support": np.array([0.5, 0.5])}
>>> rules |= {key: np.array([0.2, 1.3]) for metric in metrics.SHRINKING for key in metric.keys}
>>> columns = Columns(("a", "b"), np.array([[0, 1]]), {}, np.array([0, 0]), np.array([1, 2]), rules)
>>> sure(columns).tolist(), are_trustworthy(columns).tolist(), by_trust(columns, np.array([True, True])).tolist()
([True, False], [True, False], [0, 1])
>>> are_listed(rules).tolist(), are_listed(rules | {"confidence high": np.array([np.inf, 1.0])}).tolist()
([True, False], [False, False])
>>> shown = figures_to_report(rules)
>>> shown["shrunken"].tolist(), shown["confidence"].tolist(), shown["confidence high"].tolist()
([False, False], [nan, nan], [0.2, 1.0])
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from mining.engines.lattice import Lattice
from mining.engines.mine import MinedLattice
from mining.engines.rules import Rules
from privacy.plan.connections import BEYOND_CHANCE
from privacy.reconstruct import metrics

T = TypeVar("T")
NONE = -1  # fills the rows of itemsets shorter than the longest
_CONFIDENCE = ("confidence low", "confidence", "confidence high")
_ROUNDED = 0.005  # what pages print as 0 or 100 %


@dataclass(frozen=True)
class Columns:
    """Itemsets, shorter ones first, and rules; `itemsets` and `rules` are columns by name."""

    labels: tuple[str, ...]
    items: np.ndarray  # (itemsets, longest) literals, filled up with NONE
    itemsets: dict[str, np.ndarray]
    itemset: np.ndarray  # the itemset of each rule
    antecedent: np.ndarray  # the antecedent of each rule: a mask over the literals of its itemset
    rules: dict[str, np.ndarray]

    def to_bytes(self) -> bytes:
        """All columns in NumPy's npz format; one column can be read without the others."""
        alone = ("labels", "items", "itemset", "antecedent")
        columns = {name: np.asarray(getattr(self, name)) for name in alone}
        columns |= {f"itemsets/{name}": values for name, values in self.itemsets.items()}
        columns |= {f"rules/{name}": values for name, values in self.rules.items()}
        file = io.BytesIO()
        np.savez(file, **columns)  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Columns":
        with np.load(io.BytesIO(content), allow_pickle=False) as columns:
            fields: dict[str, Any] = {"itemsets": {}, "rules": {}}
            for key in columns.files:
                table, _, name = key.partition("/")
                if name:
                    fields[table][name] = columns[key]
                else:
                    fields[key] = columns[key]
        return cls(**fields | {"labels": tuple(fields["labels"].tolist())})

    def literals(self, itemset: int) -> list[int]:
        return [literal for literal in self.items[itemset].tolist() if literal != NONE]

    def names(self, itemset: int) -> list[str]:
        return [self.labels[literal] for literal in self.literals(itemset)]

    def sides(self, rule: int) -> tuple[list[str], list[str]]:
        """The labels of the antecedent and of the consequent of a rule."""
        return sides(self.names(int(self.itemset[rule])), int(self.antecedent[rule]))

    def with_columns(self, itemsets: dict[str, np.ndarray], rules: dict[str, np.ndarray]) -> "Columns":
        return replace(self, itemsets=self.itemsets | itemsets, rules=self.rules | rules)

    def with_rules(self, chosen: np.ndarray) -> "Columns":
        rules = {name: values[chosen] for name, values in self.rules.items()}
        return replace(self, itemset=self.itemset[chosen], antecedent=self.antecedent[chosen], rules=rules)


def item_of(literal: str) -> str:
    """The item that a literal is about.

    >>> item_of("!drugs"), item_of("age=30-39")
    ('drugs', 'age')
    """
    return literal.removeprefix("!").partition("=")[0]


def sides(itemset: Sequence[T], antecedent: int) -> tuple[list[T], list[T]]:
    """The items in the antecedent, by its mask, and those in the consequent."""
    left = [item for bit, item in enumerate(itemset) if antecedent >> bit & 1]
    return left, [item for bit, item in enumerate(itemset) if not antecedent >> bit & 1]


def columns_of(mined: MinedLattice) -> Columns:
    """The columns of what was mined; only accepted itemsets."""
    lattice = mined.lattice
    longest = max((level.items.shape[1] for level in lattice.levels if level.accepted.any()), default=1)
    rows = [
        np.pad(level.items[level.accepted], ((0, 0), (0, longest - level.items.shape[1])), constant_values=NONE)
        for level in lattice.levels[:longest]
    ]
    columns = {
        key: np.concatenate([getattr(level.supports, key)[level.accepted] for level in lattice.levels])
        for metric in metrics.ITEMSET_ESTIMATES
        for key in metric.keys
    }
    columns |= {metric.key: metric.formula(columns) for metric in metrics.of_itemsets() if metric.formula is not None}
    slack = np.concatenate([level.supports.slack[level.accepted] for level in lattice.levels])
    columns["infeasible"] = columns["support"] > _lowest(lattice) + slack
    infeasible = _infeasible(mined.rules, slack) | columns["infeasible"][mined.rules.itemset]
    return Columns(
        mined.literals.labels,
        np.concatenate(rows).astype(np.int32),
        columns,
        mined.rules.itemset,
        mined.rules.antecedent.astype(np.int8),
        mined.rules.values | {"redundant": mined.rules.redundant, "infeasible": infeasible},
    )


def _infeasible(rules: Rules, slack: np.ndarray) -> np.ndarray:
    """Which rules no population can have, because of the supports of their sides.

    The supports of sides come from those who were asked all of the rule, so they may differ from those of itemsets.
    """
    a, c = rules.values["antecedent support"], rules.values["consequent support"]
    both, room = rules.values["support"], slack[rules.itemset]
    return (np.minimum(a, c) + room < both) | (np.maximum(a, c) > 1 + room)


def _lowest(lattice: Lattice) -> np.ndarray:
    """For each accepted itemset, the smallest estimate among all its parts; 1 for literals."""
    lowest = [np.ones(len(lattice.levels[0]))]
    for below, level in pairwise(lattice.levels):
        reached = np.minimum(lowest[-1], below.supports.support)
        parts = [reached[below.find(np.delete(level.items, bit, axis=1))] for bit in range(level.items.shape[1])]
        lowest.append(np.min(parts, axis=0))
    return np.concatenate([low[level.accepted] for low, level in zip(lowest, lattice.levels, strict=True)])


def figures_to_report(rules: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the printed figures of all rules by the keys of the raw ones; `shrunken` says which rules have them.

    The others have the ends of their raw intervals alone, as far as there can be such a share or lift.
    """
    nothing = np.full(len(rules["confidence"]), np.nan)
    known = np.isfinite(rules.get("shrunken confidence", nothing))
    figures = {"shrunken": known}
    for raw, shrunken in zip(metrics.SHRINKING, metrics.SHRUNKEN, strict=True):
        most = 1.0 if raw.written == metrics.PERCENT else np.inf
        value, se, *ends = zip(raw.keys, shrunken.keys, strict=True)
        figures[se[0]] = np.where(known, rules.get(se[1], nothing), np.nan)
        figures[value[0]] = np.where(known, np.clip(rules.get(value[1], nothing), 0, most), np.nan)
        for key, other in ends:
            figures[key] = np.clip(np.where(known, rules.get(other, nothing), rules[key]), 0, most)
    with np.errstate(divide="ignore", invalid="ignore"):  # a lift of 0
        figures["consequent support"] = figures["confidence"] / figures["lift"]
    return figures


def are_listed(rules: Mapping[str, np.ndarray]) -> np.ndarray:
    """Say of which rules the records tell the confidence, so that lists show them; files have all, with this mark.

    Both ends of its raw interval, before any is cut, are finite. They leave out a part of 0 to 1, as pages round it,
    and not all of it; so do the ends of a figure after selection. The figure lies between its ends.
    """
    shown = figures_to_report(rules)
    ends = rules["confidence low"], rules["confidence high"]
    nothing = np.full(len(ends[0]), np.nan)
    low, value, high = (
        np.where(shown["shrunken"], rules.get(f"shrunken {key}", nothing), rules[key]) for key in _CONFIDENCE
    )
    known = np.isfinite(ends).all(axis=0) & (low <= value) & (value <= high)
    for least, most in (ends, (low, high)):
        known &= ((least > _ROUNDED) | (most < 1 - _ROUNDED)) & (least < 1) & (most > 0)
    return known


def sure(columns: Columns) -> np.ndarray:
    """Say which rules are beyond chance and have estimates that a population could have.

    Of rules between two answers the survey's pairs decide alone: what is printed of these a population could have.
    """
    rules = columns.rules
    lengths = (columns.items[columns.itemset] != NONE).sum(axis=1)
    of_pair = (lengths == 2) & np.isfinite(rules.get("others", np.full(len(lengths), np.nan)))
    return (~rules["infeasible"] | of_pair) & (rules["q"] <= BEYOND_CHANCE)


def are_trustworthy(columns: Columns) -> np.ndarray:
    """Which rules are listed, and neither redundant nor doubtful."""
    return ~columns.rules["redundant"] & sure(columns) & are_listed(columns.rules)


def by_trust(columns: Columns, keep: np.ndarray) -> np.ndarray:
    """The places of the rules to keep, most reliable rules first.

    Doubtful rules come after all others, however high their confidence: noise makes the highest ones. Within both
    kinds, rules without a figure come last, and else the higher lower end of the confidence interval comes first.
    """
    places, shown = np.flatnonzero(keep), figures_to_report(columns.rules)
    low = np.nan_to_num(shown["confidence low"], nan=-np.inf)
    return places[np.lexsort((-low[places], ~shown["shrunken"][places], ~sure(columns)[places]))]
