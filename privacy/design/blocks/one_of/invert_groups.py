"""How a group-of block is inverted: by which words are in the group that a record names."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import row_keys
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.invert import WordPatterns, WordRecords, subsets
from privacy.design.blocks.one_of.listed_words import Word
from privacy.design.channels import Floats, Literal, WordList
from privacy.design.rationals import ONE


@dataclass(frozen=True)
class GroupPatterns(WordPatterns):
    block: GroupOfBlock

    @property
    def by_record(self) -> "GroupRecords":
        return GroupRecords(self.block)

    @property
    def word_list(self) -> WordList:
        from privacy.design.blocks.one_of.word_list import GroupWords  # scipy is slow to import

        return GroupWords(self.block)

    def ends_of_weights(self, length: int) -> list[tuple[float, float]]:
        """The least and the largest weight of a record for patterns with 0, 1, … `length` telling answers.

        A pattern is a sum of words with signs: a record names a group with or without each word, or none.
        """
        block = self.block
        known, base = block.known / block.seeds / ONE, block.words[0].base / ONE
        ends = []
        options = max(len(item.options) - 1 for item in block.items)
        for telling in range(length + 1):
            most = (1 + options) ** (length - telling)  # words of a sum
            low, high = (-1 / block.seeds - base) / known, (1 - 1 / block.seeds - base) / known
            wide = max(abs(low), abs(high)) * most
            ends.append((low, high) if most == 1 else (-wide, 1 + wide))
        return ends


@dataclass(frozen=True)
class GroupRecords(WordRecords):
    """How records that name a group are read (`privacy.design.blocks.one_of.groups`).

    A place is 0 where nothing was named, 1 for the loss word, and else the group. Groups that hold the same sets of the
    literals, equally often, are merged for the first literal, and all of them for the others.

    **False support.** With k own words of a person, of which t in all share a group with an earlier one, a word that is
    not true is credited a·(t/r − s)/(r − c/r) of a person, where s own words share its groups with others of them. Two
    words share one of the B² + B groups, which has B of the B² words. So by a numbering of words that has nothing to do
    with who has which, this is 0 in the mean, and its variance over words is at most (a·k/(r − c/r))²/(2B); of all
    people together it is so with the mean of a·k, which the records that name a group tell.
    """

    block: GroupOfBlock
    _known: dict[tuple[Literal, ...], tuple[NDArray[np.intp], NDArray[np.intp]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def most_places(self) -> int:
        return 2 + self.block.count

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        del here  # all items are asked
        numbers = self.block.numbers_of(codes)
        place = np.where(numbers < self.block.count, numbers + 2, 1) * (numbers >= 0)
        return np.broadcast_to(place[:, np.newaxis], codes.shape)

    def merged(self, literals: Sequence[Literal]) -> NDArray[np.intp]:
        made = np.zeros((len(literals), self.most_places), np.intp)
        made[:, 1] = 1
        made[0, 2:] = 2 + self._classes(literals)[1]
        return made

    def line(self, literals: Sequence[Literal]) -> None:
        """None: how often others name a group depends on what they answer."""

    def _place_of_loss(self, number: int) -> int:
        del number
        return 1

    def _weigh(
        self,
        words: Sequence[Word],
        own: int,
        literals: Sequence[Literal],
        exactly: NDArray[np.bool_],
        places: NDArray[np.intp],
    ) -> Floats:
        del exactly
        counts, _ = self._classes(literals)
        named = places[0] >= 2
        fitting = np.where(named, counts[np.maximum(places[0] - 2, 0), own], 0)
        rest = len(words) * (named / self.block.seeds + self.block.words[0].base / ONE)
        return np.asarray((fitting - rest) / (self.block.known / self.block.seeds / ONE))

    def doubt(self, literals: Sequence[Literal], places: NDArray[np.intp], shares: Floats) -> Floats:
        """The variance that false support adds to each set of literals: that of one word, times the words summed."""
        made = []
        for sides in subsets([self._side(literal) for literal in literals]):
            made.append(prod(len(telling) + rest for telling, rest in sides) - all(rest for _, rest in sides))
        return np.array([0, *made]) * self.block.false_support(float(shares[places[0] >= 2].sum()))

    def least(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> None:
        """None: no cell is rare, as each word is in many groups."""

    def _classes(self, literals: Sequence[Literal]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """How many words of each set of the literals groups hold, by class of groups; and the class of each group."""
        own = tuple(literals)
        if own not in self._known:
            self._known[own] = self._classify(own)
        return self._known[own]

    def _classify(self, literals: Sequence[Literal]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Work out `_classes`: groups with as many words of each set are one class."""
        telling = [self._side(literal)[0] for literal in literals]
        number_of = self.block.numbers_by_parts
        table = np.zeros((self.block.count, 2 ** len(literals)), np.intp)
        for own in range(1, table.shape[1]):
            parts = product(*(side for bit, side in enumerate(telling) if own >> bit & 1))
            for one in parts:
                if (word := number_of.get(tuple(sorted(one)))) is not None:
                    table[self.block.groups_of_words[word], own] += 1
        here = np.flatnonzero(table.any(axis=1))  # few groups: all others are alike
        _, first, classes = np.unique(row_keys(table[here]), return_index=True, return_inverse=True)
        class_of = np.zeros(self.block.count, np.intp)
        class_of[here] = 1 + classes.ravel()
        return np.concatenate([table[:1] * 0, table[here][first]]), class_of
