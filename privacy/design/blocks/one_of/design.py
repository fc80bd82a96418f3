"""A one-of block: everybody answers all its items, and the device sends one word of a public list, or nothing.

A *word* is a telling answer to one item, or a set of such answers to several. Every item has one *harmless* answer, and
all others are telling. A person's own words are those that are true of them. A word is sent with its chance `base` by
those of whom it is not true, and with its chance `own` by those of whom it is; what own words add to their base
chances, all together, is at most the `cap`. A person above the cap has what each own word adds scaled by the same
share a. What is left is the chance that nothing is sent.

    a = 1 where Σ added ≤ cap, else a = (cap − e)/Σ added,   e = Σ lost over own words
    P(y | x) = base_y + a·added_y for own words, base_y for the others

A *loss word* measures what is lost above the cap. Of length 0 it measures (1 − a) − r·a where that is above 0, with
the `spare` r: then the loss E[(1 − a)·1] of a figure E[1] is at most r·E[a·1] and the mean of the loss word. Of another
length it measures what own words of this length lose, all together:

    P(loss word | x) = base + lost·max(0, 1 − (1 + r)·a),   lost = added/full, or the sum over own words of
                       added/full · added_y/(the most that a word of this length adds)

up to its `own` chance; `full` is what makes it certain. e = Σ lost·(1 − …) keeps the cap for all words together.

The blank lies between what is left of 1 over all base chances, and that without the cap; each word between base and
own. Each quotient of chances of one output is at most the largest of those quotients, which is γ. With harmless answers
in place of all others, padding and sampling (Wang, Li and Jha 2018) and subset selection (Ye and Barg 2018) are near
relatives; each own word has a chance of its own here, and is never drawn evenly among a person's own words.

A record shows the word as answers: its own ones as they are, harmless ones elsewhere; a loss word as telling answers to
all items, or to all but one, which is no word. Those who answer directly send all their answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading
from privacy.design.block import Block
from privacy.design.fields import YES_NO
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, read_bare_item, write_item
from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError

SCALE = 2**30  # of the share a
CHANCES_AT_ONCE = 2**20  # what bounds the memory
MOST_WORDS = 2**14
ALONE = "alone"  # what names the answer to an item that no word has beside others
_LEAST_FULL = Fraction(1, 100)  # with the most words, sums of what they lose are whole in the browser's floats
_FOLLOW = ("parts", "lost", "kept")  # what the exact notation says beside: the browser reads it
Part = tuple[int, int]
"""An item of the block by its place, and the code of a telling answer to it."""


@dataclass(frozen=True)
class Word:
    """Telling answers to some items, in the order of items, with numerators of its chances."""

    parts: tuple[Part, ...]
    base: int
    own: int

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
class OneOfBlock(Block):
    """`harmless` has the code of each item's harmless answer; `cap` is a numerator."""

    items: tuple[Item, ...]
    harmless: tuple[int, ...]
    words: tuple[Word, ...]
    cap: int
    losses: tuple[LossWord, ...] = ()

    mark: ClassVar[str] = "one-of"
    more: ClassVar[tuple[str, ...]] = ()  # whole numbers that its JSON has beside
    symbols: ClassVar[Mapping[str, str]] = {"one-of": "cap", "losses": "loss words"}

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "OneOfBlock":
        reading.only_keys(entry, (cls.mark, "items", "words", "losses", *cls.more), where)
        cap = notation.share(entry, cls.mark, where)
        items, harmless = read_harmless_items(entry, where)
        listed, answers = reading.read_filled_list(entry, "words", where), answers_of(items)
        check_count(len(listed), f"{where}.words")
        words = tuple(
            _read_word(word, answers, f"{where}.words[{number}]", notation) for number, word in enumerate(listed)
        )
        losses = tuple(
            _read_loss(loss, f"{where}.losses[{number}]", notation)
            for number, loss in enumerate(reading.items(entry.get("losses", []), f"{where}.losses"))
        )
        made = cls(items, harmless, words, cap, losses, *(reading.whole_number(entry, key, where) for key in cls.more))
        for key in ("words", "losses") if notation.exact else ():
            for own, follows in zip(entry.get(key, ()), made.entry(notation).get(key, ()), strict=True):
                if any(own.get(name) != follows.get(name) for name in _FOLLOW):
                    raise InputError(f"{where}.{key}: parts, lost and kept are not those that follow from the words.")
        return made

    def check(self, where: str, direct: bool) -> None:
        del direct
        seen: set[tuple[Part, ...]] = set()
        for number, word in enumerate(self.words):
            self._check_word(word, f"{where}.words[{number}]")
            if word.parts in seen:
                raise EntryError("the word {word} stands twice.", at=f"{where}.words[{number}]", word=self.text(word))
            seen.add(word.parts)
        if unnamed := {*range(len(self.items))} - {place for word in self.words for place, _ in word.parts}:
            raise EntryError(
                "no word speaks of {item}; leave it out, or add a word.",
                at=f"{where}.words",
                item=repr(self.items[min(unnamed)].id),
            )
        lengths = [loss.length for loss in self.losses]
        for number, loss in enumerate(self.losses):
            place = f"{where}.losses[{number}]"
            if loss.length not in (0, *self.lengths) or lengths.count(loss.length) > 1:
                raise EntryError(
                    "the length {length} is that of no word, or stands twice.", at=place, length=loss.length
                )
            _check_chances(loss.base, loss.own, place)
            if self.least_effect(loss) < 1:
                raise EntryError("full is {full:g}: the loss word measures nothing.", at=place, full=float(loss.full))
            if loss.spare and (not 0 < loss.spare <= 1 or loss.length or len(self.losses) > 1):
                raise EntryError(
                    "spare is {spare:g}; only a loss word of length 0 that is alone has one, from 0 to 1.",
                    at=place,
                    spare=float(loss.spare),
                )
        self.check_records(where)
        most = max(int(self.at_once.max()), sum(loss.added for loss in self.losses))
        if not most <= self.cap:
            raise EntryError(
                "the cap is below what one word, or all loss words, add: {most:g}.",
                at=f"{where}.{self.mark}",
                most=most / ONE,
            )
        if not self.blank > self.cap:
            raise EntryError(
                "the base chances and the cap leave nothing for the blank; they add up to {total:.6g}.",
                at=f"{where}.words",
                total=(ONE - self.blank + self.cap) / ONE,
            )

    def check_records(self, where: str) -> None:
        """Refuse a list of which records cannot show all that may be sent."""
        if len(self.losses) and len(self.items) - (len(self.losses) > 1) <= self.lengths[-1]:
            raise EntryError(
                "words of {length} answers leave no record for a loss word; leave loss words out, or add questions.",
                at=f"{where}.losses",
                length=self.lengths[-1],
            )

    def check_shown(self, places: Sequence[int]) -> None:
        """Refuse figures of the items at these places if they need the words themselves and records show none."""

    def _check_word(self, word: Word, where: str) -> None:
        _check_chances(word.base, word.own, where)
        for place, code in word.parts:
            if code == self.harmless[place]:
                raise EntryError(
                    "{answer} is the harmless answer.", at=where, answer=repr(self._answer_text((place, code)))
                )

    def entry(self, notation: Notation) -> dict[str, Any]:
        chance = notation.write
        words = [{"word": self.text(word), "base": chance(word.base), "own": chance(word.own)} for word in self.words]
        losses = [
            {
                "length": loss.length,
                "base": chance(loss.base),
                "own": chance(loss.own),
                "full": reading.json_number(loss.full),
            }
            | ({"spare": reading.json_number(loss.spare)} if loss.spare else {})
            for loss in self.losses
        ]
        if notation.exact:
            for own, word, lost in zip(words, self.words, self._lost.sum(axis=0).tolist(), strict=True):
                own |= {"parts": [list(part) for part in word.parts], "lost": lost}
            for own, loss, lost in zip(losses, self.losses, self.always_lost.tolist(), strict=True):
                own |= {"lost": lost, "kept": SCALE + int(SCALE * loss.spare)}
        more = {key: getattr(self, key) for key in self.more}
        items = [
            write_item(item, notation) | {"harmless": item.options[code]}
            for item, code in zip(self.items, self.harmless, strict=True)
        ]
        lists: dict[str, Any] = {"words": words} | ({"losses": losses} if losses else {})
        return {self.mark: chance(self.cap)} | lists | more | {"items": items}

    def describe(self) -> dict[str, Any]:
        """The entry with the cap in words, where all words add as much."""
        entry, added = super().describe(), {word.added for word in self.words}
        if self.more or len(added) > 1:  # a cap of groups, or of words of which some count more
            return entry
        return entry | {self.mark: f"{self.cap / added.pop():.4g} words"}

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

    # The channel.

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
            row[:] = [loss.lost(Fraction(added, max(*own, 1))) for added in own]
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
        own = {frozenset(word.parts) for word in self.words}
        return frozenset(
            (number, len(word.parts))
            for number, loss in enumerate(self.losses)
            for word in self.words
            if 0 < loss.length <= len(word.parts)
            and own.isdisjoint(map(frozenset, combinations(word.parts, loss.length)))
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

        return [min(self.least_effect(one) * (fewest if one.length == 1 else 1), certain(one)) for one in self.losses]

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

    def is_true(self, truth: np.ndarray) -> np.ndarray:
        """Whether each word is true of each row of answers, (n, words)."""
        made = np.ones((len(self.words), len(truth)), bool)
        holds: dict[Part, np.ndarray] = {}
        for number, word in enumerate(self.words):
            for place, code in word.parts:
                if (place, code) not in holds:
                    holds[place, code] = truth[:, place] == code
                made[number] &= holds[place, code]
        return made.T

    def numerators(self, truth: np.ndarray) -> np.ndarray:
        """The chance of each word or group, then of each loss word, for each row of answers: numerators, by row."""
        own = self.is_true(truth)
        added = np.where(own, self.added, 0)
        total = added.sum(axis=1)
        share, measured = np.full(len(truth), SCALE, np.int64), np.zeros((len(truth), len(self.losses)), np.int64)
        if (above := total > self.cap).any():
            lost = own[above].astype(np.int64) @ self._lost.T + self.always_lost
            alike, places = np.unique(np.column_stack([total[above], lost]), axis=0, return_inverse=True)
            kept = [SCALE + int(SCALE * loss.spare) for loss in self.losses]  # 1 + r
            scaled = np.array([self.scale(kept, *row) for row in alike.tolist()], np.int64)[places.ravel()]
            share[above], measured[above] = scaled[:, 0], scaled[:, 1:]
        words = np.array([word.base for word in self.words], np.int64) + added * share[:, np.newaxis] // SCALE
        return np.concatenate([words, measured + np.array([loss.base for loss in self.losses], np.int64)], axis=1)

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
        made = np.tile(harmless, (len(self.words) + len(self.losses) + 1, 1))
        for row, word in zip(made, self.words, strict=False):
            for place, code in word.parts:
                row[place] = code
        for number in range(len(self.losses)):
            row = made[len(self.words) + number]
            row[:] = telling
            if number:
                row[number - 1] = harmless[number - 1]
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

        A word is likeliest from a person of whom nothing else is true. Above the cap numbers are rounded down, and what
        loss words lose by it goes to words: a person with more answers may have a few units more.
        """
        words = self.added + self.bases[: len(self.words)]
        longer = np.array([number for number, word in enumerate(self.words) if len(word.parts) > 1], np.intp)
        step = max(1, CHANCES_AT_ONCE // len(self.words))
        for start in range(0, len(longer), step):
            part = longer[start : start + step]
            chances = self.numerators(self.records[part])[np.arange(len(part)), part]
            rounded = len(self.losses) + 2 + self.added[part] // SCALE
            words[part] = np.minimum(words[part], chances + rounded)
        return [*words.tolist(), *(loss.own for loss in self.losses)]


def read_harmless_items(entry: Entry, where: str) -> tuple[tuple[Item, ...], tuple[int, ...]]:
    """The items of a list, and the codes of their harmless answers; an item written as a name alone has no, 0."""
    read = [
        (Item(item), 0) if isinstance(item, str) else _read_item(item, f"{where}.items[{place}]")
        for place, item in enumerate(reading.read_filled_list(entry, "items", where))
    ]
    return tuple(item for item, _ in read), tuple(code for _, code in read)


def read_items_alone(entry: Entry, where: str) -> tuple[tuple[Item, ...], tuple[int, ...], frozenset[Part]]:
    """As `read_harmless_items`, and the answers that items name as `alone`: no word has these beside others."""
    alone: set[Part] = set()
    bare = []
    for place, item in enumerate(reading.read_filled_list(entry, "items", where)):
        if isinstance(item, Mapping) and ALONE in item:
            at = f"{where}.items[{place}].{ALONE}"
            options = reading.labels(item.get("options", YES_NO), f"{where}.items[{place}].options")
            if item[ALONE] not in options or item[ALONE] == item.get("harmless") or len(options) < 3:
                raise EntryError(
                    "{value} is none of three answers or more, or the harmless one: say which one stands alone.",
                    at=at,
                    value=reading.quote(item[ALONE]),
                )
            alone.add((place, options.index(item[ALONE])))
            item = {key: value for key, value in item.items() if key != ALONE}
        bare.append(item)
    return *read_harmless_items({**entry, "items": bare}, where), frozenset(alone)


def _read_item(entry: Any, where: str) -> tuple[Item, int]:
    entry = reading.mapping(entry, where)
    item = read_bare_item(entry, where, "harmless")
    if "harmless" not in entry:
        raise EntryError("{key} is missing.", at=where, key="harmless")
    if entry["harmless"] not in item.options:
        raise EntryError(
            "{value} is none of its answers, {options}: say which one is harmless.",
            at=f"{where}.harmless",
            value=reading.quote(entry["harmless"]),
            options=", ".join(item.options),
        )
    return item, item.options.index(entry["harmless"])


def _read_word(entry: Any, answers: Mapping[str, Part], where: str, notation: Notation) -> Word:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("word", "base", "own", *(_FOLLOW if notation.exact else ())), where)
    parts = parts_of_word(reading.text(entry, "word", where), answers, where)
    return Word(parts, notation.share(entry, "base", where), notation.share(entry, "own", where))


def check_count(count: int, at: str) -> None:
    """Refuse more words than a list may have; `at` is their place in the document."""
    if count > MOST_WORDS:
        raise EntryError("{count} words are more than {most}; leave some out.", at=at, count=count, most=MOST_WORDS)


def answers_of(items: Sequence[Item]) -> dict[str, Part]:
    """Every answer, as a literal of a pattern names it.

    >>> answers_of([Item("vote")])
    {'vote': (0, 1), '!vote': (0, 0), 'vote=0': (0, 0), 'vote=1': (0, 1)}
    """
    answers: dict[str, Part] = {}
    for place, item in enumerate(items):
        if item.boolean:
            answers.setdefault(item.id, (place, 1))
            answers.setdefault(f"!{item.id}", (place, 0))
        for code, option in enumerate(item.options):
            answers.setdefault(f"{item.id}={option}", (place, code))
    return answers


def parts_of_word(text: str, answers: Mapping[str, Part], where: str) -> tuple[Part, ...]:
    """The answers of a word, written as a pattern.

    >>> parts_of_word("theft,!vote", answers_of([Item("vote"), Item("theft")]), "words")
    ((0, 0), (1, 1))
    """
    literals = ["=".join(side.strip() for side in part.split("=", 1)) for part in text.split(",")]
    if unknown := [literal for literal in literals if literal not in answers]:
        raise EntryError(
            "{word} names no answer of this block; write item, !item or item=option between commas.",
            at=where,
            word=reading.quote(unknown[0]),
        )
    parts = sorted(answers[literal] for literal in literals)
    if len({place for place, _ in parts}) < len(parts):
        raise EntryError("{word} names an item twice.", at=where, word=reading.quote(text))
    return tuple(parts)


def _read_loss(entry: Any, where: str, notation: Notation) -> LossWord:
    entry = reading.mapping(entry, where)
    reading.only_keys(
        entry, ("length", "base", "own", "full", "spare", *(_FOLLOW[1:] if notation.exact else ())), where
    )
    length = reading.whole_number(entry, "length", where)
    base, own = (notation.share(entry, key, where) for key in ("base", "own"))
    spare = reading.number(entry, "spare", where) if "spare" in entry else Fraction(0)
    full = reading.number(entry, "full", where)
    if full < _LEAST_FULL:
        raise EntryError("full is {full:g}, below {least}.", at=where, full=float(full), least=float(_LEAST_FULL))
    return LossWord(length, base, own, full, spare)


def _check_chances(base: int, own: int, where: str) -> None:
    if not 0 < base < own < ONE:
        raise EntryError(
            "base {base:.6g} and own {own:.6g}: a word needs 0 < base < own < 1.",
            at=where,
            base=base / ONE,
            own=own / ONE,
        )


def not_worked_out(items: Sequence[Item]) -> InputError:
    """The refusal, to be raised, of a figure that needs each answer to these items by itself."""
    names = ", ".join(repr(item.id) for item in items)
    return InputError(
        f"One word about {names} is sent, and a figure that needs each answer by itself cannot be worked out from it; "
        "ask for shares and sets of answers."
    )
