"""What a device sends of a list: the chance of each word for all answers, and the records that show it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

import numpy as np

from privacy.design.blocks.one_of.listed_words import ListedWords, Part
from privacy.design.gammas import Gamma
from privacy.design.rationals import ONE

SCALE = 2**30  # of the share a
CHANCES_AT_ONCE = 2**20  # what bounds the memory


@dataclass(frozen=True)
class SentWords(ListedWords):
    """The channel of a list of words."""

    def is_true(self, truth: np.ndarray) -> np.ndarray:
        """Whether each word is true of each row of answers, (n, words)."""
        return np.ascontiguousarray(self._people_of_words(truth).T)

    def _people_of_words(self, truth: np.ndarray) -> np.ndarray:
        """The same by words, (words, n): of long lists it takes a part of the time."""
        places, codes = np.array(self.parts).T
        holds = np.vstack([truth.T[places] == codes[:, np.newaxis], np.ones(len(truth), bool)])
        first, *others = self._numbers_of_parts
        made = holds[first]
        for more in others:
            made &= holds[more]
        for number, word in enumerate(self.words) if self.has_thresholds else ():
            if word.least:
                made[number] = holds[[self._number_of[part] for part in word.parts]].sum(axis=0) >= word.least
        return np.asarray(made)

    @cached_property
    def _number_of(self) -> dict[Part, int]:
        return {part: number for number, part in enumerate(self.parts)}

    @cached_property
    def _numbers_of_parts(self) -> np.ndarray:
        """The first answer of each word by its number, the second, …; one beyond the last where it has no more."""
        made = np.full((self.lengths[-1], len(self.words)), len(self._number_of))
        sizes = np.array([len(word.parts) for word in self.words])
        rows = np.arange(len(made))[:, np.newaxis] < sizes
        made.T[rows.T] = [self._number_of[part] for word in self.words for part in word.parts]
        return made

    def numerators(self, truth: np.ndarray) -> np.ndarray:
        """The chance of each word or group, then of each loss word, for each row of answers: numerators, by row."""
        words, people, added, measured = self._sent_by(truth)
        made = np.tile(np.array(self.bases, np.int64), (len(truth), 1))
        made[people, words] += added
        made[:, len(self.words) :] += measured
        return made

    def mean_chances(self, truth: np.ndarray) -> np.ndarray:
        """The mean of `numerators` over these people, as shares: without a table of them, of which most is empty."""
        words, _, added, measured = self._sent_by(truth)
        sent = np.bincount(words, added, len(self.words))  # below 2^53, so exact
        every = np.array(self.bases) * len(truth) + np.append(sent, measured.sum(axis=0))
        return np.asarray(every / len(truth) / ONE)

    def _sent_by(self, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Each own word of each person (row), this person, what it adds; and what loss words add, by person."""
        words, people = np.nonzero(self._people_of_words(truth))
        added = self.added[words]

        def by_person(values: np.ndarray) -> np.ndarray:
            return np.bincount(people, values, len(truth)).astype(np.int64)  # below 2^53, so exact

        total, share = by_person(added), np.full(len(truth), SCALE)
        measured = np.zeros((len(truth), len(self.losses)), np.int64)
        if (above := total > self.cap).any():
            lost = [
                by_person(one[words])[above] + always for one, always in zip(self._lost, self.always_lost, strict=True)
            ]
            alike, places = np.unique(np.column_stack([total[above], *lost]), axis=0, return_inverse=True)
            kept = [SCALE + int(SCALE * loss.spare) for loss in self.losses]  # 1 + r
            scaled = np.array([self.scale(kept, *row) for row in alike.tolist()], np.int64)[places.ravel()]
            share[above], measured[above] = scaled[:, 0], scaled[:, 1:]
        return words, people, added * share[people] // SCALE, measured

    def scale(self, kept: Sequence[int], total: int, *lost: int) -> list[int]:
        """The share a out of SCALE of a person whose own words add `total`, above the cap; then what loss words add.

        `lost` is what a loss of 1 adds to each loss word, and `kept` the factor 1 + r of a in it, out of SCALE.
        """
        most = [loss.added for loss in self.losses]
        begin = [SCALE * total > one * self.cap for one in kept]
        lost = tuple(one if begins else 0 for one, begins in zip(lost, begin, strict=True))
        left = self.cap - sum(lost)
        share = 0
        if left > 0:
            share = SCALE**2 * left // (SCALE * total - sum(a * b for a, b in zip(lost, kept, strict=True)))
        measured = [one * max(SCALE**2 - part * share, 0) // SCALE**2 for one, part in zip(lost, kept, strict=True)]
        if any(one > end for one, end in zip(measured, most, strict=True)):
            measured = [min(pair) for pair in zip(measured, most, strict=True)]
            share = SCALE * (self.cap - sum(measured)) // total
        return [share, *measured]

    @cached_property
    def records(self) -> np.ndarray:
        """The answers by which a record shows each word, each loss word, and nothing, a row each."""
        harmless = np.array(self.harmless)
        telling = np.where(harmless == 0, 1, 0)  # the first answer that is not harmless
        words = self._records_of(range(len(self.words)))
        made = np.vstack([words, np.tile(harmless, (len(self.losses) + 1, 1))])
        for number in range(len(self.losses)):
            row = made[len(self.words) + number]
            row[:] = telling
            if number:
                row[number - 1] = harmless[number - 1]
        return made

    def _records_of(self, words: Sequence[int] | np.ndarray) -> np.ndarray:
        """The answers by which records show these words, a row each."""
        made = np.tile(np.array(self.harmless), (len(words), 1))
        for row, number in zip(made, words, strict=True):
            for place, code in self.words[number].parts:
                row[place] = code
        return made

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        del here  # all items are asked
        numerators = self.numerators(np.array([truth]))[0].tolist()
        numerators.append(ONE - sum(numerators))
        which = np.flatnonzero((self.records == np.array(sent)).all(axis=1))
        return Fraction(numerators[which[0]], ONE) if len(which) else Fraction(0)

    def can_send(self, codes: Sequence[int]) -> bool:
        return bool((self.records == np.array(codes)).all(axis=1).any())

    @cached_property
    def gamma(self) -> Gamma:
        """γ: the largest quotient of the chances of a word, or of the blank, which is least at the cap."""
        own = {*zip(self.likeliest, self.bases, strict=True)}  # words of a length have the same chances
        return max(*(Fraction(most, base) for most, base in own), Fraction(self.blank, self.least_blank))

    @property
    def least_blank(self) -> int:
        """The chance that nothing is sent by a person at the cap, or with all words."""
        return self.blank - min(self.cap, self.every)

    @cached_property
    def likeliest(self) -> list[int]:
        """The greatest chance, over all true answers, of each word (or group), then of each loss word: numerators.

        A word is likeliest from a person of whom nothing else is true; one with a threshold may be own at its full
        chance. Above the cap numbers are rounded down, and what
        loss words lose by it goes to words: a person with more answers may have a few units more.
        """
        words, alike = self.added + self.bases[: len(self.words)], self._longer_alike
        longer = np.array([numbers[0] for numbers in alike], np.intp)
        step = max(1, CHANCES_AT_ONCE // len(self.words))
        for start in range(0, len(longer), step):
            part = longer[start : start + step]
            own, people, added, _ = self._sent_by(self._records_of(part))
            itself = own == part[people]
            number = own[itself]
            words[number] = np.minimum(
                words[number],
                np.array(self.bases)[number] + added[itself] + len(self.losses) + 2 + self.added[number] // SCALE,
            )
        for numbers in alike:
            words[numbers] = words[numbers[0]]
        return [*words.tolist(), *(loss.own for loss in self.losses)]

    @property
    def _longer_alike(self) -> list[list[int]]:
        """The words of several answers without a threshold; those are together whose own words have the same chances.

        A person who has the answers of a word and no others has as own words its subsets that are words.
        """
        added = dict(zip((word.parts for word in self.words), self.added.tolist(), strict=True))
        alike: dict[Hashable, list[int]] = {}
        looks = not self.has_thresholds and 2 ** self.lengths[-1] <= len(self.words)  # else it would take longer
        for number, word in enumerate(self.words):
            if (length := len(word.parts)) > 1 and not word.least:
                inside = (own for size in range(1, length + 1) for own in combinations(word.parts, size))
                kind = (word.base, length, *map(added.get, inside)) if looks else number
                alike.setdefault(kind, []).append(number)
        return list(alike.values())
