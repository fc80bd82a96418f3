"""How a group-of block is inverted: by which words are in the group that a record names."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import row_keys
from privacy.design.blocks.one_of.design import Word
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.invert import WordPatterns, WordRecords
from privacy.design.channels import Floats, Literal
from privacy.design.rationals import ONE

_MOST_LITERALS = 8  # of a pattern of which groups are distinguished by the words that they have


@dataclass(frozen=True)
class GroupPatterns(WordPatterns):
    block: GroupOfBlock

    @property
    def by_record(self) -> "GroupRecords":
        return GroupRecords(self.block)

    @property
    def word_list(self) -> None:
        """None: what is made of lists in two waves reads words."""
        return None

    def ends_of_weights(self, length: int) -> list[tuple[float, float]]:
        """A pattern is a sum of words with signs; each has 1 less what remains, or not, or nothing was named."""
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

    The place of the first literal says of which sets of the literals, and how often, a word is in the group; 0 says
    that no group was named, and 1 that the loss word was, as for all other literals.

    **False support.** With the own words of a person, of which t in all share a group with an earlier one, a word that
    is not true is credited (t/r − s)/r of a person, s of its groups being shared by own words. In the mean over words
    this is 0, and for any t/r² at most; where all people with two answers have the three words of these, a word in one
    group with two of them has 1/r of their share less. `docs/decisions/0060-one-word.md` has how much that is.
    """

    block: GroupOfBlock

    @property
    def most_places(self) -> int:
        return 2 + self.block.count

    def sizes(self, literals: Sequence[Literal]) -> list[int]:
        first = 2 + (len(self._classes(literals)[0]) if len(literals) <= _MOST_LITERALS else self.block.count)
        return [first, *[2] * (len(literals) - 1)]

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_], literals: Sequence[Literal]) -> NDArray[np.intp]:
        del here  # all items are asked
        numbers = self.block.numbers_of(codes)
        made = np.zeros(codes.shape, np.intp)
        made[numbers >= self.block.count] = 1
        named = (numbers >= 0) & (numbers < self.block.count)
        made[named, literals[0][0]] = 2 + self._classes(literals)[1][numbers[named]]
        return made

    def line(self, literals: Sequence[Literal]) -> None:
        del literals  # how often a group is named by others depends on what they answer

    def likely_line(self, literals: Sequence[Literal]) -> tuple[float, float] | None:
        """As where everybody is at the cap."""
        sides = [self._side(literal) for literal in literals]
        words = self._words_of([telling for telling, _ in sides])
        if self.lacks(literals) or (len(sides) > 1 and any(rest for _, rest in sides)):
            return None
        block = self.block
        known = block.known / block.seeds / ONE
        noise = len(words) * (block.seeds * block.words[0].base + block.cap / block.seeds) / ONE
        noise = min(noise, 1 - known)
        return (1 - noise - known, known) if sides[0][1] else (noise, known)

    def _place_of_loss(self, number: int) -> int:
        del number
        return 1

    @property
    def _most_lost(self) -> float:
        block = self.block
        added, square = block.words[0].added, block.seeds**2
        kept = block.cap / block.every * (square * added - block.every) / block.known
        return 1 / kept - 1

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

    def _classes(self, literals: Sequence[Literal]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """How many words of each set of the literals a group has, a row for each class of groups; and that of each."""
        telling = [self._side(literal)[0] for literal in literals]
        number_of = self.block.numbers_by_parts
        table = np.zeros((self.block.count, 2 ** len(literals)), np.intp)
        for own in range(1, table.shape[1]):
            parts = product(*(side for bit, side in enumerate(telling) if own >> bit & 1))
            words = [number_of.get(tuple(sorted(one))) for one in parts]
            for word in words:
                if word is not None:
                    table[self.block.groups_of_words[word], own] += 1
        _, first, classes = np.unique(row_keys(table), return_index=True, return_inverse=True)
        return table[first], classes.ravel()
