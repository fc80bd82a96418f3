"""What figures of a complete list of words err by in the stated populations: variance and bias, exactly.

π̂_y = (λ̂_y − base)/added has the mean E[own_y·a]: people above the cap pull it down. One word is sent by each person, so
the counts of words are multinomial. A pattern is a sum of words: a harmless answer is 1 less the telling ones of its
item. With h_y how often a word is in the sum, and t_y = h_y/added_y,

    bias = Σ h_y (E[own_y·a] − π_y)        n·Var = Σ λ_y t_y² − (Σ λ_y t_y)²

Many lists are judged at once: a list is a column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools
from privacy.design.blocks.one_of.design import Part
from privacy.design.blocks.one_of.populations import CLUSTERED, COINCIDING, Population, Telling, populations
from privacy.design.brief import ExpectedItem
from privacy.design.channels import Floats

_DIGITS = 12  # words whose chances are the same up to here are one row


@dataclass(frozen=True)
class Lists:
    """Complete lists of words: the chances of the words of each length (rows) in each list (columns), and the caps.

    `lost`: how much of the cap loss words of length 0 have for each 1 that they measure; `spare`: r.
    """

    bases: Floats
    added: Floats
    caps: Floats
    lost: Floats
    spare: float = 0.0

    def share_kept(self, most: int) -> Floats:
        """The share a of people with 0, 1, … `most` telling answers (rows), in each list."""
        ways = [[comb(count, length) for length in range(1, len(self.added) + 1)] for count in range(most + 1)]
        owned = np.array(ways, float) @ self.added
        above = owned > self.caps * (1 + 1e-9)
        lost = np.where(owned > (1 + self.spare) * self.caps, self.lost, 0.0)
        return np.where(above, (self.caps - lost) / np.where(above, owned - (1 + self.spare) * lost, 1.0), 1.0)


@dataclass(frozen=True)
class Outlook:
    """Variance and bias of patterns (rows) by lists (columns) in one population, and how often each row is there."""

    population: str
    variance: Floats
    bias: Floats
    alike: Floats

    @property
    def error(self) -> Floats:
        """The largest root mean square error of a pattern; where items coincide, of all of them in the mean.

        For which items coincide is not known.
        """
        squares = self.variance + self.bias**2
        if self.population == COINCIDING:
            return np.asarray(np.sqrt(self.alike @ squares / self.alike.sum()))
        return np.asarray(np.sqrt(squares.max(axis=0)))

    @property
    def farthest_bias(self) -> Floats:
        """The bias that is farthest from 0."""
        return np.asarray(np.take_along_axis(self.bias, abs(self.bias).argmax(axis=0)[np.newaxis], axis=0)[0])

    @property
    def tolerable(self) -> Bools:
        """Whether no bias is more than half the standard error."""
        return np.asarray((abs(self.bias) <= np.sqrt(self.variance) / 2).all(axis=0))


@dataclass(frozen=True)
class Expected:
    """What is expected of telling answers: of each item (place) by code, and the literals that patterns ask for."""

    telling: Telling
    literals: tuple[tuple[int, ...], ...]
    longest: int

    @property
    def common(self) -> float:
        """How many people give telling answers to an item, on average over the items."""
        return sum(share for own in self.telling for _, share in own) / len(self.telling)

    @cached_property
    def words(self) -> list[tuple[Part, ...]]:
        return _sets([[code for code, _ in own] for own in self.telling], self.longest)

    @cached_property
    def populations(self) -> tuple[Population, ...]:
        return populations(self.telling)

    @cached_property
    def direct(self) -> bool:
        """Whether each pattern is a word."""
        return all(
            [code for code, _ in own] == list(asked) for own, asked in zip(self.telling, self.literals, strict=True)
        )

    @cached_property
    def _rows(self) -> tuple[list[tuple[Part, ...]], Floats, list[Floats]]:
        """Words that differ, how often each is there, and P(true, so many answers) in each population."""
        counted = [one.count_answers(self.words, len(self.telling)) for one in self.populations]
        if not self.direct:
            return self.words, np.ones(len(self.words)), counted
        lengths = np.array([[len(word)] for word in self.words])
        _, first, alike = np.unique(
            np.concatenate([lengths, *counted], axis=1).round(_DIGITS), axis=0, return_index=True, return_counts=True
        )
        return [self.words[row] for row in first], alike.astype(float), [one[first] for one in counted]

    @property
    def lengths(self) -> NDArray[np.intp]:
        """Of each word that differs, how many answers it has, less 1."""
        return np.array([len(word) - 1 for word in self._rows[0]])

    @cached_property
    def sums(self) -> list[Floats]:
        """The words of which the patterns of each length are sums: patterns × words."""
        words, _, _ = self._rows
        if self.direct:
            return [np.eye(len(words))[self.lengths == length] for length in range(self.longest)]
        column = {word: number for number, word in enumerate(words)}
        sums = []
        for length in range(1, self.longest + 1):
            patterns = [pattern for pattern in _sets(self.literals, length) if len(pattern) == length]
            made = np.zeros((len(patterns), len(words)))
            for row, pattern in zip(made, patterns, strict=True):
                for word, times in _expand(pattern, self.telling):
                    row[column[word]] += times
            sums.append(made)
        return sums

    def outlooks(self, lists: Lists, respondents: int) -> list[list[Outlook]]:
        """For each population, for patterns of each length."""
        _, alike, counted = self._rows
        base, added = lists.bases[self.lengths], lists.added[self.lengths]
        kept = lists.share_kept(len(self.telling))
        outlooks = []
        for population, chances in zip(self.populations, counted, strict=True):
            mean = chances @ kept
            chance = base + added * mean
            bias = mean - chances.sum(axis=1, keepdims=True)
            of_length = []
            for sums in self.sums:
                if self.direct:
                    rows = sums.any(axis=0)
                    variance = (chance * (1 - chance) / added**2)[rows] / respondents
                    of_length.append(Outlook(population.name, variance, bias[rows], alike[rows]))
                else:
                    variance = (sums**2 @ (chance / added**2) - (sums @ (chance / added)) ** 2) / respondents
                    of_length.append(Outlook(population.name, variance, sums @ bias, np.ones(len(sums))))
            outlooks.append(of_length)
        return outlooks

    def errors(self, lists: Lists, respondents: int) -> tuple[Floats, Bools]:
        """The worst error of patterns of each length (rows) in each list, and whether bias is tolerable there."""
        outlooks = self.outlooks(lists, respondents)
        tolerable = np.ones(len(lists.caps), bool)
        for outlook in (one for of_length in outlooks for one in of_length if one.population == CLUSTERED):
            tolerable &= outlook.tolerable
        errors = np.max([[one.error for one in of_length] for of_length in outlooks], axis=0)
        return errors, tolerable


def harmless_of(question: ExpectedItem) -> int:
    """The most common option: the rarer ones are telling.

    >>> harmless_of(ExpectedItem("drugs", expected=(0.9, 0.1))), harmless_of(ExpectedItem("vote", expected=(0.2, 0.8)))
    (0, 1)
    """
    shares = question.expected or (0.0,)
    return shares.index(max(shares))


@lru_cache(maxsize=64)
def expect(
    questions: tuple[ExpectedItem, ...], harmless: tuple[int, ...], longest: int, times: float = 1.0
) -> Expected:
    """What is expected of these items; `times`: how many times as common as guessed telling answers are.

    >>> expect((ExpectedItem("vote", expected=(0.2, 0.8)),), (1,), 1, times=2).telling
    (((0, 0.4),),)
    """
    telling = []
    for question, usual in zip(questions, harmless, strict=True):
        shares = question.expected or (1 / len(question.options),) * len(question.options)
        own = [(code, share) for code, share in enumerate(shares) if code != usual]
        most = min(times, 1 / max(sum(share for _, share in own), 1e-12))
        telling.append(tuple((code, share * most) for code, share in own))
    return Expected(tuple(telling), tuple(question.literals for question in questions), longest)


def _sets(answers: Sequence[Sequence[int]], longest: int) -> list[tuple[Part, ...]]:
    """All sets of up to so many answers to different items."""
    parts = [[(place, code) for code in codes] for place, codes in enumerate(answers)]
    return [
        chosen
        for length in range(1, longest + 1)
        for items in combinations(parts, length)
        for chosen in product(*items)
    ]


def _expand(pattern: Sequence[Part], telling: Telling) -> list[tuple[tuple[Part, ...], int]]:
    """The words of a pattern's sum, and how often each is in it; the constant is left out."""
    terms: list[tuple[tuple[Part, ...], int]] = [((), 1)]
    for place, code in pattern:
        codes = [own for own, _ in telling[place]]
        if code in codes:
            terms = [((*word, (place, code)), times) for word, times in terms]
        else:
            terms += [((*word, (place, own)), -times) for word, times in terms for own in codes]
    return [(word, times) for word, times in terms if word]
