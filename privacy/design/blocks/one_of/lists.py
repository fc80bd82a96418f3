"""A list of words by a few numbers: γ, the cap in answers, the longest word, and what each length weighs.

Words of length l have the base chance w_l/T, and T = Σ w over all words and the loss word + γ·C adds everything to 1:
C is what a person with `cap` telling answers owns, Σ_l w_l·C(cap, l). Of a list in groups T and C are those of all
groups. Chances are rounded down, and the blank takes the rest, so that γ is kept exactly.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import ceil, comb, sqrt
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.one_of.at_least import Kind, count_true, solve_classes
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.expected import Lists, SeenPeople, Weights
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.listed_words import LossWord, Part, Word
from privacy.design.blocks.one_of.populations import Population
from privacy.design.channels import Floats
from privacy.design.items import Item
from privacy.design.rationals import ONE
from privacy.errors import InputError

Number = TypeVar("Number", Fraction, float)


def spare_of(longest: int) -> Fraction:
    """The r of a loss word beside words of up to `longest` answers: 1/10 shortens the intervals of pairs."""
    return Fraction(longest > 1, 10)


def loss_weight(items: int, longest: int) -> Fraction:
    """What the loss word weighs beside words of up to `longest` answers: intervals are shortest about here.

    Beside a word of all items there is none: every record with a telling answer to each shows a word.
    """
    return Fraction(longest < items)


def words_up_to(
    items: Sequence[Item], harmless: Sequence[int], longest: int, alone: frozenset[Part] = frozenset()
) -> list[tuple[Part, ...]]:
    """All sets of up to `longest` telling answers to different items, the short ones first.

    Answers that stand `alone` are words of one answer, and are in no other.

    >>> words_up_to([Item("a"), Item("b")], [0, 0], 2)
    [((0, 1),), ((1, 1),), ((0, 1), (1, 1))]
    """
    telling = [
        [(index, code) for code in range(len(item.options)) if code != harmless[index]]
        for index, item in enumerate(items)
    ]
    return sets_up_to(telling, longest, alone)


def sets_up_to(
    parts: Sequence[Sequence[Part]], longest: int, alone: frozenset[Part] = frozenset()
) -> list[tuple[Part, ...]]:
    """All sets of up to `longest` answers to different items, those that stand `alone` by themselves.

    >>> sets_up_to([[(0, 1), (0, 2)], [(1, 1)]], 2, frozenset([(0, 2)]))
    [((0, 1),), ((0, 2),), ((1, 1),), ((0, 1), (1, 1))]
    """
    together = [[part for part in own if part not in alone] for own in parts]
    return [
        chosen
        for length in range(1, longest + 1)
        for own in combinations(parts if length == 1 else together, length)
        for chosen in product(*own)
    ]


def count_words(options: Sequence[Sequence[str]], alone: frozenset[Part], longest: int) -> list[int]:
    """How many words of each length there are; of answers that stand alone there is one each.

    >>> count_words([("0", "1"), ("no", "once", "often")], frozenset(), 2)
    [3, 2]
    """
    apart = Counter(place for place, _ in alone)
    polynomial = [1] + [0] * longest
    for index, given in enumerate(options):
        own = len(given) - 1 - apart[index]
        polynomial = [1, *(polynomial[size] + own * polynomial[size - 1] for size in range(1, longest + 1))]
    return [polynomial[1] + len(alone), *polynomial[2:]]


@lru_cache(maxsize=4096)
def own_words(cap: Fraction, length: int) -> Fraction:
    """How many words of a length a person with `cap` telling answers owns; of a fraction, in between."""
    ways = Fraction(1)
    for taken in range(length):
        ways *= max(cap - taken, Fraction(0)) / (taken + 1)
    return ways


@lru_cache(maxsize=4096)
def own_weight(cap: Fraction, weights: tuple[Fraction, ...]) -> Fraction:
    """What all words of a person with `cap` telling answers weigh; `weights` are by length, from 1.

    >>> own_weight(Fraction(3), (Fraction(1), Fraction(1, 2)))
    Fraction(9, 2)
    """
    return sum((weight * own_words(cap, length) for length, weight in enumerate(weights, start=1)), Fraction(0))


def own_sets(items: int, cap: Fraction, size: int, least: int) -> Fraction:
    """Of how many sets of `size` out of so many answers a person with `cap` telling ones gives at least `least`.

    >>> own_sets(6, Fraction(2), 4, 2)
    Fraction(6, 1)
    """
    fewer = (own_words(cap, held) * own_words(items - cap, size - held) for held in range(least))
    return comb(items, size) - sum(fewer, Fraction(0))


def sets_block(
    items: Sequence[Item], harmless: Sequence[int], gamma: Fraction, size: int, least: int, weight: Fraction
) -> OneOfBlock:
    """The block of single answers and of sets of `size` with `least` enough, which weigh `weight` beside them.

    A person with up to `least` telling answers counts in full. The loss word, which takes the whole cap, adds as much
    as all words of such a person.
    """
    parts = [(index, 1 - code) for index, code in enumerate(harmless)]
    words = [*((part,) for part in parts), *combinations(parts, size)]
    own = [least, int(own_sets(len(items), Fraction(least), size, least))]
    total = len(parts) + weight * comb(len(parts), size) + (1 + gamma) * (own[0] + weight * own[1])
    bases = [int(ONE * one / total) for one in (Fraction(1), weight)]
    owns = [int(gamma * base) for base in bases]
    if min(high - low for high, low in zip(owns, bases, strict=True)) < 1:
        raise InputError(f"gamma: {float(gamma):.10g} over so many words leaves a word less than 2^-32.")
    made = [Word(word, bases[len(word) > 1], owns[len(word) > 1], least * (len(word) > 1)) for word in words]
    base, most = (sum(count * chance for count, chance in zip(own, chances, strict=True)) for chances in (bases, owns))
    loss = LossWord(0, base, most, Fraction(1))
    return OneOfBlock(tuple(items), tuple(harmless), tuple(made), loss.added, (loss,))


def list_block(
    items: Sequence[Item],
    harmless: Sequence[int],
    gamma: Fraction,
    cap: Fraction,
    words: Sequence[tuple[Part, ...]],
    weights: Sequence[Fraction],
    loss: Fraction = Fraction(1),
    spare: Fraction = Fraction(0),
    groups: int = 0,
) -> OneOfBlock:
    """The block that sends these words; `weights` by length from 1, `loss` is that of the loss word with this `spare`.

    Without a weight there is no loss word. With `groups` of each seed records name groups of words, which all weigh 1,
    and the loss word weighs `loss` of all groups of a word.
    """
    seeds, lengths = groups + 1, Counter(len(parts) - 1 for parts in words)
    sent = {0: groups * seeds} if groups else lengths
    loss *= seeds
    at_cap = own_weight(cap, tuple(weights))
    at_cap = max(groups_at_cap(at_cap, groups) if groups else at_cap, *(weights[length] for length in lengths), loss)
    total = sum(weights[one] * count for one, count in sent.items()) + loss + gamma * at_cap
    bases = [int(ONE * weight / total) for weight in (*weights, loss)]
    owns = [int(gamma * base) for base in bases]
    made = tuple(Word(parts, bases[len(parts) - 1], owns[len(parts) - 1]) for parts in words)
    adds = {length: owns[length] - bases[length] for length in lengths}
    if min(adds.values()) < 1:
        raise InputError(f"gamma: {float(gamma):.10g} over so many words leaves a word less than 2^-32.")
    added = max(Fraction(own) / weights[one] for one, own in adds.items())
    blank = ONE - sum(bases[one] * count for one, count in sent.items()) - bases[-1]
    most = max(seeds * max(adds.values()), owns[-1] - bases[-1])
    limit = min(int(blank * (gamma - 1) / gamma), max(most, int(added * at_cap)))
    listed = (tuple(items), tuple(harmless), made, limit)
    block = GroupOfBlock(*listed, groups=groups) if groups else OneOfBlock(*listed)
    if not loss or (1 + spare) * block.least_kept() >= 1:
        return block
    word = LossWord(0, bases[-1], owns[-1], Fraction(1), spare)
    # What it has to measure where everything is true of somebody, for whom it is certain.
    full = 1 - (1 + spare) * block.least_kept(word.added)
    return replace(block, losses=(replace(word, full=Fraction(ceil(full * 10**6), 10**6)),))


def groups_at_cap(words: Number, groups: int) -> Number:
    """The most groups that one person's words can be in, where one sort of grouping puts all of them into one group.

    A word is in one of the `groups` of each of `groups` + 1 ways to sort words. Less than one word counts as one.

    >>> groups_at_cap(Fraction(3), 5), groups_at_cap(0.5, 5)
    (Fraction(16, 1), 6.0)
    """
    one = type(words)(1)
    return min(max(words, one) * groups + one, one * groups * (groups + 1))


_TINY = 1e-300


@dataclass(frozen=True)
class GroupLists(Lists):
    """Lists in groups, `buckets` of each seed: each list has the same chances for words of all lengths."""

    buckets: tuple[int, ...]

    far_below: ClassVar[bool] = True

    @property
    def _seeds(self) -> Floats:
        """r of each list: how many groups a word is in."""
        return np.array(self.buckets, float) + 1

    @property
    def _known_of_own(self) -> Floats:
        """What is known of an own word, d·(r − c/r)."""
        return np.asarray(self.added[0] * self._seeds - self.caps / self._seeds)

    def share_kept(self, most: int, most_alone: int = 0) -> Floats:
        groups, adds = self._sent(most, most_alone)
        return np.asarray(adds * (self._seeds - groups / self._seeds) / self._known_of_own)

    @cached_property
    def _sent_before(self) -> dict[tuple[int, int], tuple[Floats, Floats]]:
        """`_sent`, once for all populations."""
        return {}

    def _sent(self, most: int, most_alone: int) -> tuple[Floats, Floats]:
        """How many groups people with so many answers (rows) own, and what each of them adds, in each list."""
        if (most, most_alone) not in self._sent_before:
            self._sent_before[most, most_alone] = self._work_out_sent(most, most_alone)
        return self._sent_before[most, most_alone]

    def _work_out_sent(self, most: int, most_alone: int) -> tuple[Floats, Floats]:
        words = self._ways(most, most_alone).sum(axis=1).astype(int)
        sizes, place = np.unique(self.buckets, return_inverse=True)
        groups = np.array([groups_of_many(size, int(words.max()))[words] for size in sizes.tolist()]).T[:, place]
        rest, total = self._seeds - groups / self._seeds, groups * self.added[0]
        # What a kept share counts for the loss word.
        counts = (1 + self.most_lost) * self.added[0] * rest / self._known_of_own
        lost = np.where(total > counts * self.caps, self.lost, 0.0)
        above = np.minimum((self.caps - lost) / np.maximum(total - counts * lost, _TINY), 1) * self.added[0]
        return groups, np.where(total > self.caps, above, self._known_of_own / np.maximum(rest, _TINY))

    def weigh(
        self, lengths: NDArray[np.intp], kept: Floats, own: Floats, every: Floats, most: tuple[int, int]
    ) -> Weights:
        del lengths
        seeds, base = self._seeds, self.bases[0]
        groups, adds = self._sent(*most)
        of_all = groups * adds
        mine, sent = own @ adds, every @ of_all
        shown = seeds * base + seeds * mine + (sent - own @ of_all) / seeds
        named = np.array(self.buckets) * seeds * base + sent
        less = 1 / seeds + base
        squares = (1 - less) ** 2 * shown + less**2 * (named - shown) + base**2 * (1 - named)
        false = (sent / (seeds * self._known_of_own)) ** 2 / (2 * np.array(self.buckets))
        return Weights(squares / self._known_of_own**2, kept, kept + base / self._known_of_own, false)


@lru_cache(maxsize=64)
def groups_of_many(buckets: int, most: int) -> Floats:
    """How many groups 0, 1, … `most` words are in, in the mean.

    >>> groups_of_many(5, 3).round(2).tolist()
    [0.0, 6.0, 11.0, 15.13]
    """
    left = np.maximum(buckets**2 - np.arange(most), 1)
    missed = np.cumprod(np.maximum(left - buckets, 0) / left)
    return np.concatenate([[0.0], buckets * (buckets + 1) * (1 - missed)])[: most + 1]


if TYPE_CHECKING:
    from privacy.design.blocks.one_of.expected import Expected


@dataclass(frozen=True)
class _WordClasses:
    """Of patterns of one length: what each class of words weighs by what an own one adds, and how many words it has.

    `true`: how many of them are true of people with d answers of the pattern, c in all.
    """

    kinds: list[int]
    weights: Floats
    words: Floats
    true: Floats


@lru_cache(maxsize=64)
def _tabulate(items: int, length: int, kind: Kind) -> _WordClasses:
    kinds = ((1, 1), kind)
    solved = solve_classes(items, length, kinds)
    assert solved
    true = np.zeros((len(solved), length + 1, items + 1))
    for d in range(length + 1):
        for c in range(d, items - length + d + 1):
            true[:, d, c] = [count_true(items, length, kinds[size > 1], own, c, d) for size, own in solved]
    words = [comb(length, own) * comb(items - length, size - own) for size, own in solved]
    weights, counts = (np.array([float(one) for one in own])[:, np.newaxis] for own in (solved.values(), words))
    return _WordClasses([int(size > 1) for size, _ in solved], weights, counts, true)


@dataclass(frozen=True)
class ThresholdLists(Lists):
    """Lists of single answers and of one other `kind` of word about so many `items`; rows of chances are these two."""

    items: int
    kind: Kind

    far_below: ClassVar[bool] = True

    def _ways(self, most: int, most_alone: int) -> Floats:
        del most_alone  # no answer stands alone
        owned = [(count, own_sets(self.items, Fraction(count), *self.kind)) for count in range(most + 1)]
        return np.array(owned, float)

    def see(self, expected: "Expected", population: Population, counted: Floats, kept: Floats) -> SeenPeople:
        rows = []
        for word, own in zip(expected.words, counted, strict=False):
            singles = population.count_answers([[part] for part in word], expected.most[0])
            held = [singles.sum(axis=0) - 2 * own, own][-len(word) :]
            rows.append(self._see_pattern(np.array([counted[-1] - sum(held), *held]), kept))
        mean, squares, means = (np.array(one) for one in zip(*rows, strict=True))
        weights, share = Weights(squares, means, means), counted[:-1].sum(axis=1, keepdims=True)
        biases = [sums.over(mean - share) for sums in expected.sums]
        spreads = [sums.variance(weights) for sums in expected.sums]
        return SeenPeople(mean, weights, counted[-1] @ self.measure(kept), biases, spreads)

    def _see_pattern(self, cells: Floats, kept: Floats) -> tuple[Floats, Floats, Floats]:
        """Of a pattern whose people are in these cells, by d and c: its mean, and E[w²] and E[w] of `Weights`."""
        table = _tabulate(self.items, len(cells) - 1, self.kind)
        added, bases = self.added[table.kinds], self.bases[table.kinds] * table.words
        by = table.weights / added
        chance = bases + added * ((table.true * cells).sum(axis=1) @ kept)
        means = (by * chance).sum(axis=0)
        return means - (by * bases).sum(axis=0), (by**2 * chance).sum(axis=0), means

    def as_words(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Chances of the words whose figures err as much, of the first list by length: where nothing else is true."""
        bases, added = [], []
        kept = np.ones((self.items + 1, len(self.caps)))
        for length in (1, 2):
            squares = []
            for held in (0, length):
                cells = np.zeros((length + 1, self.items + 1))
                cells[held, held] = 1
                mean, square, shifted = (float(one[0]) for one in self._see_pattern(cells, kept))
                squares.append(square - shifted**2 + mean**2)
            miss, rise = squares[0], squares[1] - squares[0]
            added.append(1 / sqrt(4 * miss + rise**2))
            bases.append((1 - rise * added[-1]) / 2)
        return tuple(bases), tuple(added)


def lists_of_sets(items: int, kind: Kind, gamma: float, weights: Sequence[float]) -> ThresholdLists:
    """The chances of lists in which sets weigh so much, as `lists.sets_block` makes them."""
    weight = np.array([np.ones(len(weights)), weights])
    size, least = kind
    cap = np.array([least, float(own_sets(items, Fraction(least), size, least))]) @ weight
    total = np.array([items, comb(items, size)]) @ weight + (1 + gamma) * cap
    unit = (gamma - 1) / total
    return ThresholdLists(
        weight / total, weight * unit, cap * unit, cap * unit, cap / total, np.zeros(len(weights)), items, kind
    )
