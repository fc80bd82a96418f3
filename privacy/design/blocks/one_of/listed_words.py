"""What a public list has: words and loss words, what each adds to its chance, and what the cap takes of them."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, inf

import numpy as np

from privacy.design.block import Block
from privacy.design.items import Item
from privacy.design.rationals import ONE

Part = tuple[int, int]
"""An item of the block by its place, and the code of a telling answer to it."""


@dataclass(frozen=True)
class Word:
    """Telling answers to some items, in the order of items, with numerators of its chances.

    It is true of people with `least` of these answers or more; 0: with all of them.
    """

    parts: tuple[Part, ...]
    base: int
    own: int
    least: int = 0

    @property
    def enough(self) -> int:
        """How many of its answers make it true."""
        return self.least or len(self.parts)

    @property
    def added(self) -> int:
        """What is added to its base chance by those of whom the word is true."""
        return self.own - self.base


@dataclass(frozen=True)
class LossWord:
    """A word that nobody has: it is sent the more often, the more the cap takes from a person's words of `length`
    answers; of length 0, from all of them. `full` says how much makes it certain: in words, or as a share.
    """

    length: int
    base: int
    own: int
    full: Fraction
    spare: Fraction = Fraction(0)

    @property
    def added(self) -> int:
        """The most that what a person loses can add to its base chance."""
        return self.own - self.base

    def lost(self, part: Fraction) -> int:
        """The numerator of what a loss of the size `part` adds to its base chance."""
        return int(self.added * part / self.full)


@dataclass(frozen=True)
class ListedWords(Block):
    """`harmless` has the code of each item's harmless answer; `cap` is a numerator."""

    items: tuple[Item, ...]
    harmless: tuple[int, ...]
    words: tuple[Word, ...]
    cap: int
    losses: tuple[LossWord, ...] = ()

    def text(self, word: Word) -> str:
        """The word as a pattern is written.

        >>> from privacy.design import Design
        >>> items = [{"id": "drugs", "harmless": "0"}, {"id": "vote", "harmless": "1"}]
        >>> words = [{"word": "!vote,drugs", "base": 0.1, "own": 0.4}]
        >>> (block,) = Design.parse({"blocks": [{"one-of": 0.3, "items": items, "words": words}]}).blocks
        >>> block.text(block.words[0])
        'drugs,!vote'
        """
        return ",".join(self.answers(word))

    def answers(self, word: Word) -> tuple[str, ...]:
        """The answers of a word, each written as a literal of a pattern."""
        return tuple(map(self._answer_text, word.parts))

    def _answer_text(self, part: Part) -> str:
        item = self.items[part[0]]
        return ["!", ""][part[1]] + item.id if item.boolean else f"{item.id}={item.options[part[1]]}"

    @cached_property
    def with_literals(self) -> list[tuple[tuple[str, ...], tuple[tuple[int, frozenset[int]], ...]]]:
        """The answers of each word, as patterns write them and as the codes of items."""
        of_part = {part: (self._answer_text(part), (part[0], frozenset({part[1]}))) for part in self.parts}
        written = (zip(*(of_part[part] for part in word.parts), strict=True) for word in self.words)
        return [(answers, literals) for answers, literals in written]

    @cached_property
    def has_thresholds(self) -> bool:
        """Whether some words are true of people with only some of their answers."""
        return any(word.least for word in self.words)

    @cached_property
    def parts(self) -> list[Part]:
        """The answers that are in words, each once."""
        return list({part: None for word in self.words for part in word.parts})

    @cached_property
    def bases(self) -> list[int]:
        """The base chances of the words (or groups), then of the loss words, as numerators."""
        return [word.base for word in self.words] + [loss.base for loss in self.losses]

    @property
    def blank(self) -> int:
        """The chance that nothing is sent by a person with no own word."""
        return ONE - sum(self.bases)

    @cached_property
    def lengths(self) -> list[int]:
        """The lengths of words, the shortest first."""
        return sorted({len(word.parts) for word in self.words})

    @cached_property
    def alone(self) -> frozenset[Part]:
        """Telling answers in words of one answer alone, while another answer to the same item is in longer words."""
        together = {part for word in self.words if len(word.parts) > 1 for part in word.parts}
        paired = {place for place, _ in together}
        own = {word.parts[0] for word in self.words if len(word.parts) == 1}
        return frozenset((place, code) for place, code in own - together if place in paired)

    @cached_property
    def words_by_parts(self) -> dict[tuple[Part, ...], Word]:
        return {word.parts: word for word in self.words}

    @cached_property
    def added(self) -> np.ndarray:
        """What each word adds to its base chance where it is true, as numerators."""
        return np.array([word.added for word in self.words], np.int64)

    @property
    def at_once(self) -> np.ndarray:
        """What a person adds to chances in all of whom one word alone is true, for each word."""
        return self.added

    @property
    def groups(self) -> int:
        """How many groups there are of each seed; 0 where records name words."""
        return 0

    @cached_property
    def every(self) -> int:
        """What all words add together, as if all were true of one person."""
        return int(self.added.sum())

    def least_kept(self, lost: int = 0) -> Fraction:
        """The share that is kept of a person of whom every word is true, where loss words take `lost` of the cap."""
        return Fraction(self.cap - lost, self.every)

    @cached_property
    def most_added(self) -> int:
        """The most that own words of one person can add: of words with other answers to the same items one is true."""
        if all(len(item.options) == 2 for item in self.items):
            return self.every
        most: dict[tuple[int, ...], int] = {}
        for word in self.words:
            places = tuple(place for place, _ in word.parts)
            most[places] = max(most.get(places, 0), word.added)
        return sum(most.values())

    @property
    def least_left(self) -> Fraction:
        """The least share that is kept of a person, with as many own words as there can be, and with loss words."""
        return Fraction(max(self.cap - self._cap_for_losses, 1), self.most_added)

    @property
    def _cap_for_losses(self) -> int:
        """What the loss words take of the cap at most, where each is certain."""
        return sum(loss.added for loss in self.losses)

    @cached_property
    def _lost(self) -> np.ndarray:
        """What each word adds to each loss word where it is lost: loss words × words."""
        made = np.zeros((len(self.losses), len(self.words)), np.int64)
        for row, loss in zip(made, self.losses, strict=True):
            own = [word.added if len(word.parts) == loss.length else 0 for word in self.words]
            lost = {added: loss.lost(Fraction(added, max(*own, 1))) for added in {*own}}
            row[:] = [lost[added] for added in own]
        return made

    @cached_property
    def always_lost(self) -> np.ndarray:
        """What a loss 1 − a of 1 adds to each loss word: 0 for those that measure words of one length."""
        return np.array([0 if loss.length else loss.lost(Fraction(1)) for loss in self.losses], np.int64)

    @property
    def corrects(self) -> bool:
        """Whether loss words measure what words of each length lose, so that figures can give it back."""
        return {loss.length for loss in self.losses} == set(self.lengths)

    def least_effect(self, loss: LossWord) -> int:
        """The least numerator that a loss adds to its loss word: of 1 − (1 + r)·a, or of one word of its length."""
        number = self.losses.index(loss)
        if not loss.length:
            return int(self.always_lost[number])
        lengths = np.array([len(word.parts) for word in self.words])
        return int(self._lost[number, lengths == loss.length].min())

    def loss_for(self, length: int) -> int | None:
        """The number of the loss word that measures what a figure of `length` telling answers may lose, or None."""
        fitting = [
            number
            for number, loss in enumerate(self.losses)
            if loss.length <= length and (number, length) not in self._without_measure
        ]
        return min(fitting, key=lambda one: self.losses[one].length, default=None)

    @cached_property
    def _without_measure(self) -> frozenset[tuple[int, int]]:
        """Loss words (by number) and lengths of words: of people with such a word it may measure nothing.

        They need not have a word of its length: a set may stand in the list without its parts.
        """
        measuring = [(number, loss) for number, loss in enumerate(self.losses) if loss.length]
        own = {frozenset(word.parts) for word in self.words} if measuring else set()
        return frozenset(
            (number, len(word.parts))
            for number, loss in measuring
            for word in self.words
            if loss.length <= len(word.parts) and own.isdisjoint(map(frozenset, combinations(word.parts, loss.length)))
        )

    def most_lost(self, length: int) -> tuple[float, int | None]:
        """How many times itself a figure of `length` answers loses at most, and which loss word measures the rest."""
        number = self.loss_for(length)
        return float(1 / self.least_left) - 1 if number is None else float(self.losses[number].spare), number

    @cached_property
    def least_measured(self) -> list[float]:
        """The least numerator that the loss 1 − a of anybody adds to each loss word, who loses several words at once.

        A person above the cap has some words of one answer: k of them make no more words than all sets of k answers.
        """
        alone = {word.parts[0] for word in self.words if len(word.parts) == 1}
        sizes: dict[int, list[int]] = {}  # what words add, by length; 0 for sets of other answers, too
        for word in self.words:
            sizes.setdefault(len(word.parts) if alone.issuperset(word.parts) else 0, []).append(word.added)
        sets = [(length, sorted(added, reverse=True)) for length, added in sizes.items()]

        def at_most(count: int) -> int:
            """The most that words can add to which `count` answers belong."""
            return sum(sum(added[: comb(count, length) if length else None]) for length, added in sets)

        fewest = next((count for count in range(1, len(alone)) if at_most(count) > self.cap), max(len(alone), 1))
        kept = self.least_kept(self._cap_for_losses)

        def certain(loss: LossWord) -> float:
            """What a loss that makes the loss word certain adds for each 1, as no larger one adds more."""
            most = 1 - (1 + loss.spare) * kept
            return float(loss.added / most) if most > 0 else inf

        return [
            min(self.least_effect(loss) * (fewest if loss.length == 1 else 1), certain(loss)) for loss in self.losses
        ]

    def line_of(self, word: Word) -> tuple[float, float]:
        """c and d of P(record counts for the word) = c + d·π."""
        return word.base / ONE, word.added / ONE

    @property
    def in_common(self) -> float:
        """Which part of the records that name anything names a given word even where it is not true."""
        return 0.0

    def false_support(self, named: float) -> float:
        """The squared error of a word's share by the words of others, if the share `named` of records names any."""
        del named
        return 0.0

    def naming(self, counts: np.ndarray) -> np.ndarray:
        """How many records name each word, from the counts of all that may be sent."""
        return counts[: len(self.words)]
