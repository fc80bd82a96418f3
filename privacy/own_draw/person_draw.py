"""A draw by the person: a source of chance, a way of drawing, and what each outcome means. From it follows the channel.

Two answers that hang on one fact about a person tell of each other. Words do not say which fact they are about: “your
mother” and “Mum” are one. So of two draws with facts of one kind each needs a key of `WHOSE`, and another one.

P(record | truth) is an exact fraction. Somebody who follows `outcomes` has this channel, and nobody draws again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from privacy.errors import EntryError, InputError, to_translate
from privacy.own_draw.sources import SOURCES, even
from privacy.own_draw.ways import WAYS, Chance, Chances, Meaning, Numbers, Odds, WayOfDrawing

WHOSE = ("mother", "father", "grandmother", "friend", "cousin", "teacher", "relative", "note", "bill")
"""Whose fact it is: those that the page has words for."""

KEY = "whose"
Words = str | tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class NamedFact:
    """A fact about a person, by its source, as a design names it: a key, or the author's words."""

    source: str
    words: Words

    @property
    def whose(self) -> str:
        """The key of whose it is; empty where words alone name it."""
        key = self.words.strip().casefold() if isinstance(self.words, str) else dict(self.words).get(KEY, "")
        return key if key in WHOSE else ""

    def may_be(self, other: "NamedFact") -> bool:
        """Whether both may be one fact."""
        return self.source == other.source and not (self.whose and other.whose and self.whose != other.whose)

    def among(self, others: Iterable["NamedFact"]) -> "NamedFact | None":
        """The first of these that may be this one."""
        return next((other for other in others if self.may_be(other)), None)

    def __str__(self) -> str:
        if isinstance(self.words, str):
            return self.words
        return self.whose or next(text for _, text in self.words)


def words_of_fact(value: Any, where: str) -> Words | None:
    """A fact as a design names it: a key, or the author's words by language, with the key of whose it is.

    >>> words_of_fact("mother", "draw"), words_of_fact({"en": "your mum", "whose": "mother"}, "draw")
    ('mother', (('en', 'your mum'), ('whose', 'mother')))
    """
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    if isinstance(value, Mapping) and all(isinstance(one, str) for pair in value.items() for one in pair):
        if value.get(KEY, WHOSE[0]) not in WHOSE:
            raise InputError(f"{where}.fact.{KEY}: {value[KEY]!r} is unknown; these are known: {', '.join(WHOSE)}.")
        if value.keys() - {KEY}:
            return tuple(sorted(value.items()))
    raise InputError(f"{where}.fact: this is neither a text nor texts by language.")


LOOK, LOOKS = "look", ("fact", "opposite")
"""The undisguised column of the looks of an extended design, and what stands there."""

ONE_FACT = to_translate("the fact {fact} is already used by {before}. {together}")
MAY_BE_ONE = to_translate(
    "the fact {fact} may be {other} of {before}: say in “whose” whose each is, and take another. {together}"
)
MAY_TURN = to_translate(
    "the kept part of {keep} is so small that chances off by δ could turn every answer round; take outcomes whose "
    "chance is farther from one half, or a lot."
)


@dataclass(frozen=True)
class DrawOutcome:
    """Some outcomes of a source, by their labels, and what they say."""

    labels: tuple[str, ...]
    says: Meaning


@dataclass(frozen=True)
class Drawn:
    """Outcomes of one source, each of which says something."""

    source: str
    outcomes: tuple[DrawOutcome, ...]
    delta: Fraction
    lot: bool = False
    fact: Words | None = None

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of all outcomes, as they were named."""
        return tuple(label for outcome in self.outcomes for label in outcome.labels)

    @property
    def facts(self) -> tuple[NamedFact, ...]:
        """The facts about a person that it takes."""
        return () if self.fact is None else (NamedFact(self.source, self.fact),)

    @cached_property
    def chances(self) -> Chances:
        """The chance of each meaning; under a lot each outcome is as likely as any other, whatever people are like."""
        source, count = SOURCES[self.source], len(self.labels)
        return self._by_meaning({label: Fraction(1, count) for label in self.labels} if self.lot else source.chances)

    @cached_property
    def windows(self) -> list[Chances]:
        """The chances for somebody who sees the window that a lot drew, for each of them; else those there are."""
        if not self.lot:
            return [self.chances]
        return [self._by_meaning(window) for window in SOURCES[self.source].windows()]

    @property
    def off(self) -> Fraction:
        """How far figures reckon with wrong chances: not at all under a lot."""
        return Fraction(0) if self.lot else self.delta

    @property
    def takes_slips(self) -> bool:
        """Whether who knows no birthday may draw a slip with a day of a month instead: δ reaches over both chances."""
        slips = self._by_meaning(even(self.labels))
        return self.source == "day" and all(abs(slips[says] - own) <= self.delta for says, own in self.chances.items())

    def as_chance(self) -> Chance:
        """The chance of the first meaning, of a fact that is answered instead."""
        return Chance(self.chances[self.outcomes[0].says], self.delta)

    def _by_meaning(self, of_labels: Mapping[str, Fraction]) -> Chances:
        made: dict[Meaning, Fraction] = {}
        for outcome in self.outcomes:
            own = sum((of_labels[label] for label in outcome.labels), Fraction(0))
            made[outcome.says] = made.get(outcome.says, Fraction(0)) + own
        return made

    def check(self, where: str) -> None:
        """Refuse what does not name each outcome of the source once, and a δ that lets an outcome never come."""
        source = SOURCES[self.source]
        for label in self.labels:
            if label not in source.chances or self.labels.count(label) > 1:
                rule = "appears twice" if label in source.chances else f"is no outcome of {self.source!r}"
                raise InputError(f"{where}.outcomes: {label!r} {rule}.")
        if missing := [label for label in source.chances if label not in self.labels]:
            raise EntryError(
                "nothing says what {label} means; each outcome needs a meaning.",
                at=f"{where}.outcomes",
                label=repr(missing[0]),
            )
        if source.of_person != (self.fact is not None):
            rule = "names no fact, and is one about a person" if source.of_person else "is no fact about a person"
            raise InputError(f"{where}.fact: {self.source!r} {rule}.")
        rarest = min(min(chances.values()) for chances in self.windows)
        if not 0 <= self.delta < rarest:
            raise EntryError(
                "{delta} is not from 0 to below {chance}, the chance of the rarest meaning.",
                at=f"{where}.delta",
                delta=str(self.delta),
                chance=str(rarest),
            )


@dataclass(frozen=True)
class PersonDraw:
    """How a block is drawn by the person: once for all questions that are asked together.

    `others` are the facts that are answered instead, one for each question; or one alone, of the source of the draw, of
    which each question takes a further outcome.
    """

    way: WayOfDrawing
    drawn: Drawn
    others: tuple[Drawn, ...] = ()

    @property
    def goes_on(self) -> bool:
        """Whether each question takes a further outcome of what the draw takes: a throw, or a digit of its number."""
        drawn = self.drawn
        return [(other.source, other.fact) for other in self.others] == [(drawn.source, drawn.fact)] and SOURCES[
            drawn.source
        ].gives_many

    @property
    def facts(self) -> tuple[NamedFact, ...]:
        """The facts about a person that it takes."""
        draws = (self.drawn,) if self.goes_on else (self.drawn, *self.others)
        return tuple(fact for drawn in draws for fact in drawn.facts)

    def check(self, items: int, asked: int, where: str) -> None:
        """Refuse what does not fit, and what would give answers away."""
        self.drawn.check(where)
        needed = (1 if self.goes_on else items) if self.way.takes_facts else 0
        if len(self.others) != needed:
            raise InputError(
                f"{where}.other: there are {len(self.others)} entries, and {self.way.name!r} needs {needed}."
            )
        for index, other in enumerate(self.others):
            other.check(f"{where}.other[{index}]")
        self.way.check(self.drawn.chances, asked, where)
        check_facts((self,), [where])
        keep = self.numbers(items).keep
        if not 0 < keep < 1:
            raise EntryError(
                "a record 1 does not speak for yes; say the opposite for each outcome.", at=f"{where}.outcomes"
            )

    def _others(self, items: int) -> Sequence[Chance]:
        chances = [other.as_chance() for other in self.others]
        return chances * items if self.goes_on else chances

    def numbers(self, items: int) -> Numbers:
        """The channel of a block of so many items."""
        return _of_items(self.way.numbers(self.drawn.chances, self._others(items)), items)

    def ends(self, items: int) -> list[Numbers]:
        """The channel at each corner of what its chances may be; none where they are exact."""
        if self.is_exact:
            return []
        corners = self.way.ends(self.drawn.chances, self.drawn.off, self._others(items))
        return [_of_items(numbers, items) for numbers in corners]

    def may_turn(self, items: int) -> bool:
        """Whether chances within δ may leave nothing of an answer, or turn it round: no figure is bounded then."""
        return any(numbers.keep <= 0 for numbers in self.ends(items))

    def odds(self, items: int, named: int) -> Odds:
        """By how much a record changes the odds at most, of `named` answers: at the worst window and end of δ."""
        others = self._others(items)
        return max(self.way.odds(window, self.drawn.delta, others, named) for window in self.drawn.windows)

    @property
    def is_exact(self) -> bool:
        """Whether figures reckon with no wrong chance."""
        return not self.drawn.off and not any(other.delta for other in self.others)

    def shift(self, items: int, places: Sequence[int], yes: Sequence[bool], share: float, rest: float) -> float:
        """How far wrong chances can move the share of a pattern of these items, before it is divided by `keep`.

        `share` is the true one, and `rest` that of the pattern without these items.
        """
        others = self._others(items)
        of_places = [others[place] for place in places] if others else []
        return self.way.shift(self.drawn.chances, float(self.drawn.off), of_places, yes, share, rest)


def check_facts(draws: Sequence[PersonDraw | None], places: Sequence[str]) -> None:
    """Refuse a fact of which two draws make use, or may: two answers that hang on one fact tell of each other.

    >>> check_facts([None], ["blocks[0].draw"])
    """
    used: dict[NamedFact, str] = {}
    for draw, place in zip(draws, places, strict=True):
        for fact in draw.facts if draw else ():
            if draw and (other := fact.among(used)):
                raise EntryError(
                    ONE_FACT if fact.whose and other.whose else MAY_BE_ONE,
                    at=place,
                    fact=repr(str(fact)),
                    other=repr(str(other)),
                    before=used[other],
                    together=draw.way.together,
                )
            used[fact] = place


def _of_items(numbers: Numbers, items: int) -> Numbers:
    """The channel of all items of a block, of which one is asked."""
    return numbers if len(numbers.noise) == items else replace(numbers, noise=numbers.noise[:1] * items)


def way_of(name: Any, where: str) -> WayOfDrawing:
    """The row of a way by its name.

    >>> way_of("crosswise", "draw").look
    False
    """
    if not isinstance(name, str) or name not in WAYS:
        raise InputError(f"{where}.way: {name!r} is unknown; the ways are {', '.join(WAYS)}.")
    return WAYS[name]
