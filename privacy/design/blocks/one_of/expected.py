"""What figures of a complete list of words err by in the stated populations: variance and bias, exactly.

π̂_y = (λ̂_y − base)/added has the mean E[own_y·a]: people above the cap pull it down. One word is sent by each person, so
the counts of words are multinomial. A pattern is a sum of words: a harmless answer is 1 less the telling ones of its
item. With h_y how often a word is in the sum, and t_y = h_y/added_y,

    bias = Σ h_y (E[own_y·a] − π_y)        n·Var = Σ λ_y t_y² − (Σ λ_y t_y)²

The interval of a report reaches from the estimate S to the *far end* S ± (r·S + L), each end with its own error; L is
what the loss word measures, (1[loss word] − base)/lost of a record.

Many lists are judged at once: a list is a column.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, erf, pi, prod, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools
from privacy.design.blocks.one_of.listed_words import Part
from privacy.design.blocks.one_of.populations import (
    CLUSTERED,
    COINCIDING,
    Population,
    Telling,
    coinciding_pairs,
    populations,
)
from privacy.design.brief import WIDE, ExpectedItem
from privacy.design.channels import Floats

_REMEMBERED = 8  # guesses of people that a list is seen by


@dataclass(frozen=True)
class Lists:
    """Complete lists of words: the chances of the words of each length (rows) in each list (columns), and the caps.

    `lost`: how much of the cap loss words of length 0 have for each 1 that they measure, 0 where there is none, and
    `unlost` their base chances; `most_lost`: how many times itself a figure loses at most
    beside what these measure, r where there is one.
    """

    bases: Floats
    added: Floats
    caps: Floats
    lost: Floats
    unlost: Floats
    most_lost: Floats

    far_below: ClassVar[bool] = False  # whether either end of an interval is the outer of its estimate's and far end's

    @cached_property
    def views(self) -> "dict[Expected, list[SeenPeople]]":
        """What these lists show of some people, whatever their number; few are remembered."""
        return {}

    def share_kept(self, most: int, most_alone: int = 0) -> Floats:
        """The share a of people with 0, 1, … `most` telling answers (rows), in each list.

        For each of these numbers there is a row for each number of answers that stand alone.
        """
        owned = self._ways(most, most_alone) @ self.added
        above = owned > self.caps * (1 + 1e-9)
        lost = np.where(owned > (1 + self.most_lost) * self.caps, self.lost, 0.0)
        return np.where(above, (self.caps - lost) / np.where(above, owned - (1 + self.most_lost) * lost, 1.0), 1.0)

    def see(self, expected: "Expected", population: Population, counted: Floats, kept: Floats) -> "SeenPeople":
        """What is seen of a population, of which `counted` and `kept` are known as in `Expected`."""
        del population
        chances, every = counted[:-1], counted[-1]
        whole = chances @ kept
        weights = self.weigh(expected.lengths, whole, chances, every, expected.most)
        biases = [sums.over(whole - chances.sum(axis=1, keepdims=True)) for sums in expected.sums]
        spreads = [sums.variance(weights) for sums in expected.sums]
        return SeenPeople(whole, weights, every @ self.measure(kept), biases, spreads)

    def measure(self, kept: Floats) -> Floats:
        """What the loss word measures of people, by the rows of `share_kept`."""
        return np.where(self.lost > 0, np.maximum(1 - (1 + self.most_lost) * kept, 0.0), 0.0)

    def weigh(
        self, lengths: NDArray[np.intp], kept: Floats, own: Floats, every: Floats, most: tuple[int, int]
    ) -> "Weights":
        """What records weigh for words of these `lengths`, less 1 (rows), in each list; `kept` is E[a·own] of each.

        `own` has P(a word is true, so many answers are), `every` P(so many answers are): a column for each row of
        `share_kept`.
        """
        del own, every, most
        added = self.added[lengths]
        chance = self.bases[lengths] + added * kept
        return Weights(chance / added**2, chance / added, chance / added)

    def half_widths(
        self, sums: "Sums", weights: "Weights", kept: Floats, lost: Floats, respondents: int, halves: bool
    ) -> Floats:
        """Half the widths of the 95 % intervals that a report prints, on average: patterns × lists.

        `kept`: E[a·own], words × lists, as in `weigh`. `lost`: what the loss word of each list measures of all people.
        With `halves` widths are of the difference between two halves of the `respondents`. It may reach to either side,
        as far as the figure of one half: that end has the error of this figure's far end and of the other estimate. A
        reach r·S + L that comes out below 0 by chance counts as 0.
        """
        variance = sums.variance(weights)
        unit = 1 / np.where(self.lost > 0, self.lost, np.inf)
        loss = (self.unlost + self.lost * lost) * unit  # of all records, by what one of them weighs
        of_loss, joint = loss * (unit - loss), sums.sides * sums.over(weights.beside_loss) * loss
        more = 1 + self.most_lost
        far, reach = (times**2 * variance + of_loss - 2 * times * joint for times in (more, self.most_lost))
        doubt = sums.of_squares(np.broadcast_to(weights.doubt, kept.shape))
        people, most = respondents / (2 if halves else 1), self.most_lost * sums.sides * sums.over(kept) + lost
        near, end = (one / people + doubt for one in (variance, np.maximum(far, variance)))
        if halves:
            return np.asarray(WIDE * np.sqrt(near + end) + _mean_above(most, np.maximum(reach, 0) / people))
        own, wider = WIDE * np.sqrt(near), WIDE * (np.sqrt(end) - np.sqrt(near))
        if self.far_below:
            sides = (_mean_above(wider + way * most, np.maximum(reach, 0) / people) for way in (1, -1))
            return np.asarray(own + sum(sides) / 2)
        return np.asarray(own + (wider + most) / 2)

    def _ways(self, most: int, most_alone: int) -> Floats:
        """How many words of each length (columns) people own, by the rows of `share_kept`."""
        ways = [
            [comb(count, length) + apart * (length == 1) for length in range(1, len(self.added) + 1)]
            for count in range(most + 1)
            for apart in range(most_alone + 1)
        ]
        return np.array(ways, float)


def _mean_above(mean: Floats, variance: Floats) -> Floats:
    """E[max(X, 0)] of normal X with this mean and variance."""
    error = np.sqrt(np.maximum(variance, 1e-300))
    away = mean / error
    return np.asarray(
        error * np.exp(-(away**2) / 2) / sqrt(2 * pi) + mean * (1 + np.vectorize(erf)(away / sqrt(2))) / 2
    )


@dataclass(frozen=True)
class Weights:
    """What a record weighs for each word, w: E[w²] and E[w], so shifted that E[w·w′] of two words is 0.

    `beside_loss`: by how much E[w] is above the w of the loss word; `doubt`: how far, squared, a word may be off beside
    its sampling.
    """

    squares: Floats
    means: Floats
    beside_loss: Floats
    doubt: Floats | float = 0.0


@dataclass(frozen=True)
class Outlook:
    """What patterns (rows) are off by in lists (columns) in one population, and how often each row is there.

    `errors` are what patterns are judged by: root mean square errors, or half the widths of intervals, by `WIDE`.
    """

    population: str
    variance: Floats
    bias: Floats
    errors: Floats
    alike: Floats

    @property
    def error(self) -> Floats:
        """The largest error of all patterns; where items coincide, the root mean square of all.

        For which items coincide is not known.
        """
        squares = self.errors**2
        if self.population == COINCIDING:
            return np.asarray(np.sqrt(self.alike @ squares / self.alike.sum()))
        return np.asarray(np.sqrt(squares.max(axis=0)))

    @property
    def farthest_bias(self) -> Floats:
        return np.asarray(np.take_along_axis(self.bias, abs(self.bias).argmax(axis=0)[np.newaxis], axis=0)[0])

    @property
    def tolerable(self) -> Bools:
        """Whether no bias is more than half the standard error."""
        return np.asarray((abs(self.bias) <= np.sqrt(self.variance) / 2).all(axis=0))


@dataclass(frozen=True)
class Sums:
    """Patterns as sums of words: of each the words from one of `starts` on, and how many patterns are `alike`."""

    words: NDArray[np.intp]
    signs: Floats
    starts: NDArray[np.intp]
    alike: Floats

    @classmethod
    def from_terms(cls, rows: Sequence[Sequence[tuple[int, int]]], alike: Sequence[int]) -> "Sums":
        """Make sums from rows of (number of a word, its sign); `alike` says how many patterns a row stands for."""
        words, signs = zip(*(term for row in rows for term in row), strict=True) if rows else ((), ())
        starts = np.cumsum([0, *(len(row) for row in rows)])[:-1]
        return cls(np.array(words, np.intp), np.array(signs, float)[:, np.newaxis], starts, np.array(alike, float))

    @property
    def sides(self) -> Floats:
        """To which side of its estimate a pattern may lie, 1 or −1: below it where no telling answer is in it."""
        return np.asarray(self.signs[self.starts])

    def variance(self, weights: Weights) -> Floats:
        """n·Var of each pattern."""
        return np.asarray(self.of_squares(weights.squares) - self.over(weights.means) ** 2)

    def over(self, of_words: Floats) -> Floats:
        """The sum of a figure of words (rows) over each pattern's words, with their signs."""
        return np.asarray(np.add.reduceat(self.signs * of_words[self.words], self.starts))

    def of_squares(self, of_words: Floats) -> Floats:
        """The sum of a figure of words (rows) over each pattern's words, without signs, as for their squares."""
        return np.asarray(np.add.reduceat(of_words[self.words], self.starts))


@dataclass(frozen=True)
class SeenPeople:
    """What is seen of a population through lists, whatever its number of people.

    kept: E[a·own], words × lists. lost: what loss words measure, by list. biases and n·Var (`spreads`) of the patterns
    of each length.
    """

    kept: Floats
    weights: Weights
    lost: Floats
    biases: list[Floats]
    spreads: list[Floats]


@dataclass(frozen=True)
class Expected:
    """What is expected of telling answers: of each item (place) by code, and the literals that patterns ask for.

    Answers that stand `alone` are in no word with others, and patterns of which the list has not all words are left
    out.
    """

    telling: Telling
    literals: tuple[tuple[int, ...], ...]
    longest: int
    alone: frozenset[Part] = frozenset()

    @cached_property
    def most(self) -> tuple[int, int]:
        """How many answers of one person words pair at most, and how many there can be that stand alone."""
        own = [{(index, code) for code, _ in answers} for index, answers in enumerate(self.telling)]
        return sum(bool(parts - self.alone) for parts in own), sum(bool(parts & self.alone) for parts in own)

    @cached_property
    def populations(self) -> tuple[Population, ...]:
        return populations(self.telling)

    @cached_property
    def _kinds(self) -> list[list[int]]:
        """Groups of items whose patterns err alike: as common, with the same answers, in the same coinciding pair."""
        pair_of = {place: number for number, pair in enumerate(coinciding_pairs(self.telling)) for place in pair}
        alone = [frozenset(code for at, code in self.alone if at == index) for index in range(len(self.telling))]
        kinds: dict[Hashable, list[int]] = {}
        for index, key in enumerate(zip(self.telling, self.literals, alone, strict=True)):
            kinds.setdefault((key, pair_of.get(index)), []).append(index)
        return list(kinds.values())

    @cached_property
    def _sums(self) -> tuple[list[tuple[Part, ...]], list["Sums"]]:
        """All words, and for each length the patterns as sums of them; of patterns that are alike only one."""
        column: dict[tuple[Part, ...], int] = {}
        sums = []
        for length in range(1, self.longest + 1):
            rows, alike = [], []
            for kinds in combinations_with_replacement(range(len(self._kinds)), length):
                times = Counter(kinds)
                count = prod(comb(len(self._kinds[kind]), own) for kind, own in times.items())
                items = sorted(place for kind, own in times.items() for place in self._kinds[kind][:own])
                for codes in product(*(self.literals[place] for place in items)) if count else ():
                    terms = _expand(list(zip(items, codes, strict=True)), self.telling)
                    if all(len(word) == 1 or self.alone.isdisjoint(word) for word, _ in terms):
                        rows.append([(column.setdefault(word, len(column)), sign) for word, sign in terms])
                        alike.append(count)
            sums.append(Sums.from_terms(rows, alike))
        return list(column), sums

    @property
    def words(self) -> list[tuple[Part, ...]]:
        """The words of which patterns are sums."""
        return self._sums[0]

    @property
    def lengths(self) -> NDArray[np.intp]:
        """Of each word, how many answers it has, less 1."""
        return np.array([len(word) - 1 for word in self.words])

    @property
    def sums(self) -> list["Sums"]:
        """The patterns of each length."""
        return self._sums[1]

    @property
    def by_words(self) -> bool:
        """Whether each pattern is a word, or what one leaves, and no sum of several."""
        return all(len(sums.words) == len(sums.starts) for sums in self.sums)

    @property
    def size(self) -> int:
        """How many chances are computed of a population."""
        return len(self.words) * (self.most[0] + 1) * (self.most[1] + 1)

    @cached_property
    def _counted(self) -> list[Floats]:
        """P(a word is true, so many answers are) in each population; in the last row P(so many answers are)."""
        words = [*self.words, ()]
        return [
            population.count_answers(words, self.most[0], self.alone, self.most[1]) for population in self.populations
        ]

    def outlooks(
        self, lists: Lists, respondents: int, by_interval: bool = False, halves: bool = False
    ) -> list[list[Outlook]]:
        """The outlook of the patterns of each length in each population: populations × lengths."""
        outlooks = []
        for population, seen in zip(self.populations, self._see(lists), strict=True):
            of_length = []
            for sums, bias, spread in zip(self.sums, seen.biases, seen.spreads, strict=True):
                variance = spread / respondents
                if by_interval:
                    errors = lists.half_widths(sums, seen.weights, seen.kept, seen.lost, respondents, halves) / WIDE
                else:
                    errors = np.sqrt(variance + bias**2)
                of_length.append(Outlook(population.name, variance, bias, errors, sums.alike))
            outlooks.append(of_length)
        return outlooks

    def _see(self, lists: Lists) -> "list[SeenPeople]":
        """What is seen of each population through the lists; looked up where it is known already."""
        known = lists.views
        if self in known:
            return known[self]
        kept = lists.share_kept(*self.most)
        pairs = zip(self.populations, self._counted, strict=True)
        made = [lists.see(self, population, counted, kept) for population, counted in pairs]
        if len(known) >= _REMEMBERED:
            known.clear()
        known[self] = made
        return made

    def errors(
        self, lists: Lists, respondents: int, by_interval: bool = False, halves: bool = False
    ) -> tuple[Floats, Bools]:
        """The worst error of patterns of each length (rows) in each list, and whether bias is tolerable there."""
        outlooks = self.outlooks(lists, respondents, by_interval, halves)
        tolerable = np.ones(len(lists.caps), bool)
        for outlook in (one for of_length in outlooks for one in of_length if one.population == CLUSTERED):
            tolerable &= outlook.tolerable
        errors = np.array([[one.error for one in of_length] for of_length in outlooks])
        return errors.max(axis=0), tolerable


def harmless_of(question: ExpectedItem) -> int:
    """The most common option: the rarer ones are telling.

    >>> harmless_of(ExpectedItem("drugs", expected=(0.9, 0.1))), harmless_of(ExpectedItem("vote", expected=(0.2, 0.8)))
    (0, 1)
    """
    shares = question.expected or (0.0,)
    return shares.index(max(shares))


@lru_cache(maxsize=64)
def expect(
    questions: tuple[ExpectedItem, ...],
    harmless: tuple[int, ...],
    longest: int,
    times: float = 1.0,
    alone: frozenset[Part] = frozenset(),
) -> Expected:
    """What is expected of these items; `times`: how many times as common as guessed telling answers are."""
    telling = []
    for question, usual in zip(questions, harmless, strict=True):
        shares = question.expected or (1 / len(question.options),) * len(question.options)
        own = [(code, share) for code, share in enumerate(shares) if code != usual]
        most = min(times, 1 / max(sum(share for _, share in own), 1e-12))
        telling.append(tuple((code, share * most) for code, share in own))
    literals = (
        tuple(code for code, _ in own) if question.alone and question.wanted is None else question.literals
        for question, own in zip(questions, telling, strict=True)
    )
    return Expected(tuple(telling), tuple(literals), longest, alone)


def _expand(pattern: Sequence[Part], telling: Telling) -> list[tuple[tuple[Part, ...], int]]:
    """The words of a pattern's sum, and with which sign each is in it; the constant is left out."""
    terms: list[tuple[tuple[Part, ...], int]] = [((), 1)]
    for place, code in pattern:
        codes = [own for own, _ in telling[place]]
        if code in codes:
            terms = [((*word, (place, code)), times) for word, times in terms]
        else:
            terms += [((*word, (place, code)), -times) for word, times in terms for code in codes]
    return [(word, times) for word, times in terms if word]
