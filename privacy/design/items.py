"""Items: the yes/no facts, the choices among options, the numbers and the places that blocks disguise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from privacy.design.fields import YES_NO, Field, Steps, choice
from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError

MOST_OPTIONS = 254


@dataclass(frozen=True)
class Grid:
    """What may be answered, and what records may hold, which can be more: the steps of one scale, or of two.

    The steps of `answers` are consecutive steps of `records`. Wherever codes stand, those of true answers among them,
    they number the records.
    """

    answers: tuple[Steps, ...]
    records: tuple[Steps, ...]

    @property
    def firsts(self) -> tuple[int, ...]:
        """The place of the first answer among the records, on each scale."""
        pairs = zip(self.answers, self.records, strict=True)
        return tuple(int((answers.first - records.first) / records.step) for answers, records in pairs)


SKIP = "secret"  # the option that is "prefer not to say"


@dataclass(frozen=True)
class Item:
    """One yes/no fact, or one choice among options; with a `grid` a number or a place, which has no options.

    `noise` holds numerators, and is None where a block has none. Records hold one of as many `numbers` instead of an
    option where these are not 0.
    """

    id: str
    options: tuple[str, ...] = YES_NO
    noise: tuple[int, ...] | None = None
    grid: Grid | None = None
    numbers: int = 0

    @property
    def boolean(self) -> bool:
        return self.options == YES_NO

    @property
    def has_options(self) -> bool:
        """Whether an answer is one of a few options, which patterns match and tables list."""
        return self.grid is None

    def field(self, optional: bool) -> Field:
        """How records hold an answer to it; `optional` where a respondent may not be asked it."""
        if self.grid:
            return Field(self.id, self.grid.records, optional)
        if self.numbers:
            return Field(self.id, (Steps(self.numbers),), optional)
        return choice(self.id, self.options, optional)

    def answer_field(self, optional: bool) -> Field:
        """Return the field of true answers: it refuses values that only records may hold."""
        return replace(replace(self, numbers=0).field(optional), answers=self.steps)

    @property
    def steps(self) -> tuple[Steps, ...]:
        """The steps of each scale on which an answer lies: one scale of a number, two of a place, none of an option."""
        return self.grid.answers if self.grid else ()

    @property
    def answers(self) -> tuple[str, ...] | tuple[Steps, ...]:
        """What may be answered: one of these options, or a step on each of these scales."""
        return self.steps or self.options

    def codes_at(self, places: Sequence[np.ndarray]) -> np.ndarray:
        """The codes of answers by their place on each scale."""
        firsts = self.grid.firsts if self.grid else ()
        return self.field(optional=False).join([first + at for first, at in zip(firsts, places, strict=True)])

    @property
    def beyond_answers(self) -> bool:
        """Whether a record may hold a value that nobody can answer, such as a number outside the range."""
        return self.numbers > 0 or (self.grid is not None and self.grid.records != self.grid.answers)

    @property
    def singles_out(self) -> bool:
        """Whether one true answer may identify somebody: few people share a number or a place."""
        return not self.has_options

    @property
    def explains(self) -> bool:
        """Whether one stored answer can explain the disguise; a single place among thousands cannot."""
        return len(self.steps) < 2

    def check_options(self) -> None:
        """Refuse a number and a place where an option is to be matched."""
        if not self.has_options:
            raise InputError(f"{self.id!r} lies on a grid and has no options to match; ask for its distribution.")

    def can_be_true(self, codes: np.ndarray) -> np.ndarray:
        """Which codes an answer can have; a record may hold others."""
        if not self.grid:
            return codes < len(self.options)
        field = self.field(optional=False)
        on_scales = zip(field.split(codes), self.grid.firsts, self.grid.answers, strict=True)
        return np.logical_and.reduce([(first <= at) & (at < first + len(steps)) for at, first, steps in on_scales])


def check_item(item: Item, where: str) -> None:
    """Refuse an item whose name or options a design cannot hold.

    >>> check_item(Item("drugs"), "items[0]")
    >>> check_item(Item("direct"), "items[0]")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    privacy.errors.EntryError: items[0].id: 'direct' is the name ... choose another name.
    """
    name = item.id
    if not name or name != name.strip() or name[0] == "!" or any(c in ",=" or not c.isprintable() for c in name):
        raise EntryError(
            "{name!r} is empty, begins with '!', or holds ',', '=', edge spaces or controls.",
            at=f"{where}.id",
            name=name,
        )
    if name == "direct":
        raise EntryError(
            "'direct' is the name of the column of the direct group; choose another name.", at=f"{where}.id"
        )
    if not item.has_options:
        return
    if not 2 <= len(item.options) <= MOST_OPTIONS:
        raise EntryError(
            "the number of options, {count}, is outside 2 to {most}; an item with one option would say nothing.",
            at=f"{where}.options",
            count=len(item.options),
            most=MOST_OPTIONS,
        )
    if len(set(item.options)) < len(item.options):
        doubled = next(label for label in item.options if item.options.count(label) > 1)
        raise EntryError("the option {doubled!r} appears twice.", at=f"{where}.options", doubled=doubled)


def check_noise(item: Item, where: str) -> None:
    if item.noise is None or len(item.noise) != len(item.options):
        count = 0 if item.noise is None else len(item.noise)
        raise InputError(f"{where}: {count} shares do not fit the {len(item.options)} options of {item.id!r}.")
    if min(item.noise) < 0 or sum(item.noise) != ONE:
        raise InputError(f"{where}: the shares of {item.id!r} do not sum to 1.")


def options_without_skip(item: Item) -> list[str]:
    """The options that say something.

    >>> options_without_skip(Item("drugs", ("0", "1", "secret")))
    ['0', '1']
    """
    return [option for option in item.options if option != SKIP]


def is_yes_no(options: list[str]) -> bool:
    """Whether these are the two of a yes/no question.

    >>> is_yes_no(["1", "0"]), is_yes_no(["a", "b"])
    (True, False)
    """
    return {*options} == {*YES_NO}
