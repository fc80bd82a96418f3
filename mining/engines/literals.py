"""What may stand in an itemset: one literal per yes/no item, one per option of a choice, and negations where asked."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from mining.engines.bins import Bins
from mining.engines.lines import Lines
from privacy.design import Design, Item
from privacy.design.patterns import Pattern, possible_itemsets
from privacy.errors import InputError


@dataclass(frozen=True)
class Literals:
    """The literals of a design in the order of its columns; arrays run over literals.

    A *unit* is what is disguised together: a block, or one item of a block whose items are disguised apart.
    """

    bins: Bins
    labels: tuple[str, ...]
    column: np.ndarray  # the item
    option: np.ndarray  # the option index the literal is about
    positive: np.ndarray  # the record has this option; else: any other
    unit: np.ndarray
    chance: np.ndarray  # how likely noise matches the literal; not a number where there is no noise
    keep: np.ndarray  # the chance that the unit's coin keeps the truth; not a number where no coin decides
    unit_block: tuple[int, ...]  # the block each unit belongs to
    ARRAYS: ClassVar = ("column", "option", "positive", "unit", "chance", "keep")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def design(self) -> Design:
        """The design of the records, in which an item in bins has its bins as options."""
        return self.bins.design

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.bins, self.column, self.option, self.positive)

    def matches(self, codes: np.ndarray) -> np.ndarray:
        """Whether each record (n, items) that was asked everything matches each literal: (n, literals)."""
        return (codes[:, self.column] == self.option) == self.positive

    def possible(self, longest: int) -> list[float]:
        """How many itemsets of 0, 1, … `longest` literals there are, no two of one item."""
        return possible_itemsets(np.bincount(self.column).tolist(), longest)

    def pattern(self, itemset: np.ndarray) -> Pattern:
        literals = []
        for column, option, positive in zip(
            self.column[itemset].tolist(), self.option[itemset].tolist(), self.positive[itemset].tolist(), strict=True
        ):
            every = range(len(self.design.items[column].options))
            literals.append((column, frozenset(other for other in every if (other == option) == positive)))
        return Pattern.from_literals(literals, self.design)

    @cached_property
    def yes(self) -> np.ndarray:
        """Return the place of the positive literal of each literal's option; for a positive one its own place."""
        options = enumerate(zip(self.column.tolist(), self.option.tolist(), strict=True))
        place = {(column, option): at for at, (column, option) in options if self.positive[at]}
        return np.array([place[pair] for pair in zip(self.column.tolist(), self.option.tolist(), strict=True)])

    @cached_property
    def centre(self) -> np.ndarray:
        """The share of its item's options that each literal names."""
        options = np.array([len(self.design.items[column].options) for column in self.column])
        return np.where(self.positive, 1.0, options - 1.0) / options

    @cached_property
    def by_cells(self) -> bool:
        """Whether some items have more than yes, no and not asked, so that records are counted by cells."""
        return bool(self.lines.details)


def literals_of(design: Design, negated: bool = False, bins: str = "") -> Literals:
    """The literals of `design`; with `negated` also one that says no for every yes/no item.

    Numbers and places have literals where `bins` are asked of them, one per bin.

    A choice with three options or more has no negations: they would say little that its options do not say.

    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "cheating"]})
    >>> literals_of(design, negated=True).labels
    ('drugs', '!drugs', 'cheating', '!cheating')
    """
    binned = Bins(design, bins)
    rows: list[tuple[str, int, int, bool, int, float, float]] = []
    unit_block: list[int] = []
    column = 0
    for place, block in enumerate(binned.design.blocks):
        patterns = block.patterns
        keep = np.nan if patterns.coin is None else patterns.coin
        if not patterns.apart:
            unit_block.append(place)
        for inside, item in enumerate(block.items):
            if patterns.apart:
                unit_block.append(place)
            for label, option, positive in _literals_of_item(item, negated):
                matching = frozenset(code for code in range(len(item.options)) if (code == option) == positive)
                chance = patterns.noise(inside, matching)
                rows.append((label, column, option, positive, len(unit_block) - 1, chance, keep))
            column += 1
    if not rows:
        raise InputError("No item of this design has options, so there is nothing to mine.")
    labels, *arrays = zip(*rows, strict=True)
    named = dict(zip(Literals.ARRAYS, map(np.array, arrays), strict=True))
    return Literals(binned, labels, **named, unit_block=tuple(unit_block))


def _literals_of_item(item: Item, negated: bool) -> list[tuple[str, int, bool]]:
    if item.boolean:
        return [(item.id, 1, True)] + ([(f"!{item.id}", 1, False)] if negated else [])
    return [(f"{item.id}={label}", option, True) for option, label in enumerate(item.options)]
