"""A group-of block: a list of words as long as a one-of block can have, of which a record names a group.

The chances, `base` and `own`, and what is added are those of a group; all groups have the same. The cap counts what own
groups add. Its loss word is of length 0, and is in no group (`privacy.design.blocks.one_of.group_of`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt, prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.design import reading
from privacy.design.blocks.one_of.design import OneOfBlock, not_worked_out
from privacy.design.blocks.one_of.listed_words import Part, Word
from privacy.design.blocks.one_of.sent_words import SCALE
from privacy.design.rationals import ONE
from privacy.errors import EntryError

MOST_BUCKETS = 127  # of a seed: groups are then no more than words can be


@dataclass(frozen=True)
class GroupOfBlock(OneOfBlock):
    """`groups`: how many there are of each seed."""

    groups: int = 0

    mark: ClassVar[str] = "group-of"
    more: ClassVar[tuple[str, ...]] = ("groups",)
    symbols: ClassVar[Mapping[str, str]] = {"group-of": "cap", "losses": "loss words"}

    def check_records(self, where: str) -> None:
        check_buckets(self.groups, len(self.words), f"{where}.groups")
        if len({(word.base, word.own) for word in self.words}) > 1:
            raise EntryError("words in groups all have the same chances.", at=f"{where}.words")
        if any(loss.length for loss in self.losses):
            raise EntryError("a loss word beside groups has the length 0.", at=f"{where}.losses")
        if self.cap > self.count * self.words[0].added:
            raise EntryError("the cap is above what all groups add.", at=f"{where}.{self.mark}")
        if prod(len(item.options) for item in self.items) < len(self.bases) + 1:
            raise EntryError(
                "so few questions cannot show the number of one of {count} groups; leave groups out.",
                at=f"{where}.groups",
                count=self.count,
            )

    def check_shown(self, places: Sequence[int]) -> None:
        raise not_worked_out([self.items[place] for place in places])

    @property
    def count(self) -> int:
        """How many groups there are."""
        return self.groups * self.seeds

    @property
    def seeds(self) -> int:
        """How many groups a word is in."""
        return self.groups + 1

    @cached_property
    def groups_of_words(self) -> np.ndarray:
        """The groups of each word, a row of numbers each."""
        return groups_of_words(len(self.words), self.groups)

    @cached_property
    def numbers_by_parts(self) -> dict[tuple[Part, ...], int]:
        return {word.parts: number for number, word in enumerate(self.words)}

    @cached_property
    def bases(self) -> list[int]:
        return [self.words[0].base] * self.count + [loss.base for loss in self.losses]

    @property
    def at_once(self) -> np.ndarray:
        return self.added * self.seeds

    @cached_property
    def every(self) -> int:
        return int(np.count_nonzero(np.bincount(self.groups_of_words.ravel()))) * self.words[0].added

    @cached_property
    def most_added(self) -> int:
        return self.every

    @property
    def least_left(self) -> Fraction:
        return self.least_kept()

    def least_kept(self, lost: int = 0) -> Fraction:
        rest = self.seeds**2 * self.words[0].added - self.every
        return super().least_kept(lost) * Fraction(rest, self.known)

    @property
    def known(self) -> int:
        """d·(r² − c): what is known of one own word, times r."""
        return self.words[0].added * self.seeds**2 - self.cap

    def line_of(self, word: Word) -> tuple[float, float]:
        """c and d where everybody is at the cap: how often others name a group depends on what they answer."""
        c, d = (self.seeds * word.base + self.cap / self.seeds) / ONE, self.known / self.seeds / ONE
        return min(c, 1 - d), d

    @property
    def in_common(self) -> float:
        return 1 / self.seeds

    def false_support(self, named: float) -> float:
        """The square by the mean of a·k/(r − c/r): own groups are d·r·E[a·k] of all records, `known` is d·(r² − c)."""
        own = max(named - self.count * self.words[0].base / ONE, 0.0) / (self.known / ONE)
        return own**2 / (2 * self.groups)

    def naming(self, counts: np.ndarray) -> np.ndarray:
        named: np.ndarray = counts[self.groups_of_words].sum(axis=1)
        return named

    def numerators(self, truth: np.ndarray) -> np.ndarray:
        """The chance of each group, then of each loss word, by row; all own groups of a person have the same."""
        made = np.tile(np.array(self.bases, np.int64), (len(truth), 1))
        people, groups, scaled = self._own_groups(truth)
        made[people, groups] += scaled[people, 0]
        made[:, self.count :] += scaled[:, 1:]
        return made

    def mean_chances(self, truth: np.ndarray) -> np.ndarray:
        people, groups, scaled = self._own_groups(truth)
        every = np.array(self.bases, float) * len(truth)
        every[: self.count] += np.bincount(groups, scaled[people, 0], self.count)
        every[self.count :] += scaled[:, 1:].sum(axis=0)
        return np.asarray(every / len(truth) / ONE)

    def _own_groups(self, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each person beside each own group; and of each person what each of these adds, then what loss words add."""
        words, people = np.divmod(np.flatnonzero(self._people_of_words(truth)), len(truth))
        own = np.sort(people[:, np.newaxis] * self.count + self.groups_of_words[words], axis=None)
        people, groups = np.divmod(own[np.diff(own, prepend=-1) > 0], self.count)  # each pair once
        counts, places = np.unique(np.bincount(people, minlength=len(truth)), return_inverse=True)
        return people, groups, np.array([self._of_own(count) for count in counts.tolist()], np.int64)[places]

    def _of_own(self, own: int) -> list[int]:
        """What each own group of a person with `own` of them adds, then what loss words add."""
        added, rest = self.words[0].added, self.seeds**2 - own
        if own * added <= self.cap:
            return [self.known // rest, *[0] * len(self.losses)]
        # Beside what the cap takes, each own group tells less of a person who has more of them.
        kept = [(SCALE + int(SCALE * loss.spare)) * added * rest // self.known for loss in self.losses]
        share, *measured = self.scale(kept, own * added, *self.always_lost.tolist())
        return [added * share // SCALE, *measured]

    @cached_property
    def likeliest(self) -> list[int]:
        """An own group is likeliest at the cap."""
        return [self.words[0].own] * self.count + [loss.own for loss in self.losses]

    @property
    def _option_counts(self) -> np.ndarray:
        return np.array([len(item.options) for item in self.items])

    @cached_property
    def records(self) -> np.ndarray:
        """The answers that write the number of each group, then of the loss word, then 0 for nothing: a row each."""
        numbers = np.roll(np.arange(len(self.bases) + 1), -1)
        return write_number(numbers, np.array(self.harmless), self._option_counts)

    def numbers_of(self, codes: np.ndarray) -> np.ndarray:
        """The group that each record names, from 0; then the loss word; −1 for none."""
        return read_number(codes, np.array(self.harmless), self._option_counts, len(self.bases) + 1) - 1


def check_buckets(buckets: int, words: int, where: str) -> None:
    """Refuse a number of groups of each seed with which two words would share no group, or several."""
    if buckets > MOST_BUCKETS or not is_prime(buckets) or buckets**2 < words:
        raise EntryError(
            "{groups} groups of each seed do not fit {count} words: take a prime up to {most} whose square is no less.",
            at=where,
            groups=reading.quote(buckets),
            count=words,
            most=MOST_BUCKETS,
        )


def groups_of_words(words: int, buckets: int) -> NDArray[np.intp]:
    """The groups of each word, one of each seed: words × (buckets + 1)."""
    w, u = np.divmod(np.arange(words)[:, np.newaxis], buckets)
    v = (u**2 + w) % buckets
    seeds = np.arange(buckets)
    return np.concatenate([seeds * buckets + (v + seeds * u) % buckets, buckets**2 + u], axis=1)


def read_number(
    codes: NDArray[np.integer], harmless: NDArray[np.intp], options: NDArray[np.intp], end: int
) -> NDArray[np.intp]:
    """The numbers that rows of answers write, as in `write_number`; 0 for a number from `end` on.

    >>> read_number(np.array([[0, 1, 0], [1, 0, 0], [1, 0, 1]]), np.array([0, 1, 0]), np.array([2, 3, 2]), 10).tolist()
    [0, 5, 0]
    """
    digits = (codes.astype(np.intp) - harmless) % options
    made, radix = np.zeros(len(codes), np.intp), 1
    for digit, base in zip(digits.T, options.tolist(), strict=True):
        made += digit * radix
        radix = min(radix * base, end)  # beyond it any digit is too many
    return np.where(made < end, made, 0)


def is_prime(number: int) -> bool:
    """Whether a number is prime, as the number of buckets has to be.

    >>> [number for number in range(20) if is_prime(number)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def write_number(numbers: NDArray[np.intp], harmless: NDArray[np.intp], options: NDArray[np.intp]) -> NDArray[np.intp]:
    """Write numbers as rows of answers, 0 as harmless ones: the first item has the lowest digit, 0 if harmless.

    >>> write_number(np.array([0, 1, 5]), np.array([0, 1, 0]), np.array([2, 3, 2])).tolist()
    [[0, 1, 0], [1, 1, 0], [1, 0, 0]]
    """
    made = np.empty((len(numbers), len(options)), np.intp)
    for index, (usual, base) in enumerate(zip(harmless.tolist(), options.tolist(), strict=True)):
        numbers, digit = np.divmod(numbers, base)
        made[:, index] = (usual + digit) % base
    return made
