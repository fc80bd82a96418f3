"""How a one-of block is inverted: by how many records are exactly a word.

Of a word y, and the share λ of records that are y, E[(λ − base)/added] = E[a·own]: the share of people of whom y is
true, less what those above the cap lose. A set of literals is a sum of words with signs: of a telling answer it has the
words with it, and of all others 1 less these. Here a record's *place* is how many telling answers it shows, or which
loss word it is. With the literals that it matches this tells the word, if all words of a set have the same chances.

**Bias.** Of a pattern P with a telling answer E[a·1_P] is estimated, which is below E[1_P] by E[(1 − a)·1_P]. With a
loss word of length 0 this is at most r·E[a·1_P] + E[max(0, 1 − a − r·a)], and the loss word measures the second part;
with one of the length l of a word in P, Σ over own words of this length of (1 − a), which is at least 1 − a where P
holds, measures it, and with one of length 1 several times 1 − a (`OneOfBlock.least_measured`); with none, 1 − a is at
most (1/a_min − 1)·a, where a_min is the share that is kept of a person of whom everything is true. Of a pattern without
a telling answer the union of words is too low, and so it is too high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import comb, inf, prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import row_keys
from privacy.design.block import Patterns
from privacy.design.blocks.one_of.design import OneOfBlock, not_worked_out
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.listed_words import Part, Word
from privacy.design.channels import ByRecord, CapLoss, Floats, Literal, TableChannel, WordList
from privacy.design.items import Item
from privacy.design.rationals import ONE


@dataclass(frozen=True)
class WordPatterns(Patterns):
    block: OneOfBlock

    @property
    def by_record(self) -> "WordRecords":
        return WordRecords(self.block)

    @property
    def word_list(self) -> WordList | None:
        from privacy.design.blocks.one_of.word_list import BlockWords  # scipy is slow to import

        return BlockWords(self.block)

    def ends_of_weights(self, length: int) -> list[tuple[float, float]]:
        if self.block.corrects:  # a record moves what is given back, too, by how much depends on the other records
            return [(-np.inf, np.inf)]
        return _ends_of_weights(self.block, length)

    def factors(self, first: int, literals: Sequence[Literal]) -> list["_OneWord"]:
        """Return a factor that says which items the literals are of; records are read whole, never by it."""
        del first
        return [_OneWord(self.block.items, tuple((literal,) for literal in literals))]

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> Sequence[TableChannel]:
        raise not_worked_out([self.block.items[place] for place in places])


@dataclass(frozen=True)
class _OneWord:
    items: tuple[Item, ...]
    atoms: tuple[tuple[Literal, ...], ...]

    @property
    def shape(self) -> int:
        return len(self.atoms)

    def why_no_estimate(self) -> None:
        """None: `WordRecords.lacks` says what has no figure."""

    @staticmethod
    def together(factors: Sequence["_OneWord"]) -> NoReturn:
        raise not_worked_out(factors[0].items)


@dataclass(frozen=True)
class WordRecords(ByRecord):
    """How whole records of the block are read."""

    block: OneOfBlock

    @property
    def most_places(self) -> int:
        """The numbers of telling answers in words, 0 also where they are more than in any; then the loss words."""
        return self._longest + 1 + len(self.block.losses)

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        del here  # all items are asked
        telling = (codes != np.array(self.block.harmless, codes.dtype)).sum(axis=1)
        place = np.where(telling > self._longest, 0, telling)  # who shows more, as direct people do, names no word
        for number in range(len(self.block.losses)):
            record = self.block.records[len(self.block.words) + number]
            place[(codes == record.astype(codes.dtype)).all(axis=1)] = self._longest + 1 + number
        return np.broadcast_to(place[:, np.newaxis], codes.shape)

    def lacks(self, literals: Sequence[Literal]) -> str | None:
        for sides in subsets([self._side(literal) for literal in literals]):
            words = self._words_of([telling for telling, _ in sides])
            if None in words:
                every = [*product(*(telling for telling, _ in sides))]
                text = self.block.text(Word(tuple(sorted(every[words.index(None)])), 0, 0))
                return f"the list has no word {text!r}, so nothing tells of it; add this word to the list."
            if len({(word.base, word.own) for word in words if word}) > 1:
                return "its answers have words with other chances; ask for them one at a time."
        return None

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        tables = self.sub_patterns(literals, matches, places)
        known = np.ones_like(tables)
        for bit, centre in enumerate(centres[:, 0].tolist()):
            pairs = tables.reshape(-1, 2, 1 << bit, tables.shape[1])
            pairs[:, 1] -= centre * pairs[:, 0]
        return tables, known

    def sub_patterns(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> Floats:
        """The weight of each cell for each set of the literals: sets × cells. Not a number where a word is missing."""
        sides = [self._side(literal) for literal in literals]
        shows = self._shown(literals, matches)
        of_words = np.ones((2 ** len(literals), matches.shape[1]))  # E[1 of the words with all answers of a set]
        for own in range(1, len(of_words)):
            inside = [bit for bit in range(len(literals)) if own >> bit & 1]
            words = self._words_of([sides[bit][0] for bit in inside])
            if None in words or len({(word.base, word.own) for word in words if word}) > 1:
                of_words[own] = np.nan
            elif words and words[0]:
                exactly = (places[inside[0]] == len(inside)) & shows[inside].all(axis=0)
                of_words[own] = self._weigh([word for word in words if word], own, literals, exactly, places)
        return self._turn_rests(of_words, literals)

    def _shown(self, literals: Sequence[Literal], matches: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which literals each cell shows by a telling answer: literals × cells."""
        return matches != np.array([self._side(literal)[1] for literal in literals], bool)[:, np.newaxis]

    def _turn_rests(self, of_sets: Floats, literals: Sequence[Literal]) -> Floats:
        """Weights of sets of telling answers, as weights of the literals: 1 less these where one is the rest."""
        for bit, literal in enumerate(literals):
            if self._side(literal)[1]:
                pairs = of_sets.reshape(-1, 2, 1 << bit, of_sets.shape[1])
                pairs[:, 1] = pairs[:, 0] - pairs[:, 1]  # where all others match
        return of_sets

    def _weigh(
        self,
        words: Sequence[Word],
        own: int,
        literals: Sequence[Literal],
        exactly: NDArray[np.bool_],
        places: NDArray[np.intp],
    ) -> Floats:
        """The weight of each cell for the `words` of the set `own` of the literals; `exactly`: it shows one of them."""
        del own, literals, places
        return np.asarray((exactly - len(words) * words[0].base / ONE) / (words[0].added / ONE))

    def line(self, literals: Sequence[Literal]) -> tuple[float, float] | None:
        """c and d of P(record matches) = c + d·π: a record matches a word by being it, the rest by being another."""
        sides = [self._side(literal) for literal in literals]
        words = self._words_of([telling for telling, _ in sides])
        if self.lacks(literals) or (len(sides) > 1 and any(rest for _, rest in sides)) or not words[0]:
            return None
        base, added = self.block.line_of(words[0])
        base = min(len(words) * base, 1 - added)
        return (1 - base - added, added) if sides[0][1] else (base, added)

    def reach(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> CapLoss | None:
        block = self.block
        telling = sum(not self._side(literal)[1] for literal in literals)
        if block.most_added <= block.cap:
            return None
        most_lost, number = block.most_lost(max(telling, 1))
        if number is None:
            return CapLoss(most_lost, np.zeros(matches.shape[1]), below=not telling)
        loss = block.losses[number]
        lost = ((places[0] == self._place_of_loss(number)) * ONE - loss.base) / block.least_measured[number]
        return CapLoss(most_lost, lost, below=not telling)

    def least(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.bool_]] | None:
        """Each cell's base chance, 0 where it shows no word; and which literals it shows by a telling answer.

        A word is sent at least so often, whatever is true of people.
        """
        made = np.zeros(matches.shape[1])
        sides = [self._side(literal) for literal in literals]
        shows = self._shown(literals, matches)
        alone = (places == shows.sum(axis=0)).all(axis=0)  # the record shows no other answer
        for own in range(1, 2 ** len(sides)):
            inside = [bit for bit in range(len(sides)) if own >> bit & 1]
            exactly = alone & (shows == [[bit in inside] for bit in range(len(sides))]).all(axis=0)
            made[exactly] = sum(word.base for word in self._words_of([sides[bit][0] for bit in inside]) if word) / ONE
        return made, shows

    def _place_of_loss(self, number: int) -> int:
        """The place of records that show the loss word of this number; groups have another."""
        return self._longest + 1 + number

    @property
    def _longest(self) -> int:
        return self.block.lengths[-1]

    def _side(self, literal: Literal) -> tuple[list[Part], bool]:
        """The telling answers that a literal names, or that it excludes, and whether it is the latter."""
        place, options = literal
        rest = self.block.harmless[place] in options
        named = range(len(self.block.items[place].options))
        return [(place, code) for code in named if (code in options) != rest], rest

    def _words_of(self, telling: Sequence[Sequence[Part]]) -> list[Word | None]:
        """The words with one answer of each literal; None for each that the list does not have."""
        return [self.block.words_by_parts.get(tuple(sorted(parts))) for parts in product(*telling)]


def subsets(sides: Sequence[tuple[list[Part], bool]]) -> Iterator[list[tuple[list[Part], bool]]]:
    """Yield every set of literals but the empty one, each literal as its `WordRecords._side`."""
    for own in range(1, 2 ** len(sides)):
        yield [side for bit, side in enumerate(sides) if own >> bit & 1]


def _ends_of_weights(block: OneOfBlock, length: int) -> list[tuple[float, float]]:
    """The least and the largest weight of a record, for patterns with so many telling answers, from none on.

    A pattern is a sum of words with signs, and a record is one word or none. So each word adds its sign times
    (1[it was sent] − base)/added. The rarest word of each length has the largest weights. Of an item with an answer
    that stands alone, no pattern of several answers says the harmless one.
    """
    rarest = {}
    for word in sorted(block.words, key=lambda word: -word.added):
        rarest[len(word.parts)] = word
    apart = {place for place, _ in block.alone} if length > 1 else set()
    telling_of = [len(item.options) - 1 for index, item in enumerate(block.items) if index not in apart]
    options = max(telling_of, default=0)
    ends = []
    for telling in range(max(length - len(telling_of), 0), length + 1):
        constant, moves = float(not telling), [0.0]
        for more in range(not telling, length - telling + 1):
            if telling + more not in rarest:
                constant, moves = 0.0, [-inf, inf]
                break
            word = rarest[telling + more]
            sign, words = (-1) ** more, comb(length - telling, more) * options**more
            constant -= sign * words * word.base / word.added
            moves.append(sign * ONE / word.added)
        ends.append((constant + min(moves), constant + max(moves)))
    return ends


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
    """How records that name a group are read (`privacy.design.blocks.one_of.group_of`).

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
            for part in parts:
                if (word := number_of.get(tuple(sorted(part)))) is not None:
                    table[self.block.groups_of_words[word], own] += 1
        here = np.flatnonzero(table.any(axis=1))  # few groups: all others are alike
        _, first, classes = np.unique(row_keys(table[here]), return_index=True, return_inverse=True)
        class_of = np.zeros(self.block.count, np.intp)
        class_of[here] = 1 + classes.ravel()
        return np.concatenate([table[:1] * 0, table[here][first]]), class_of
