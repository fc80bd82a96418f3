"""What one column of records may hold: how many values there are, how they are written, and whether it may be empty.

Everything that stores a record goes by its fields alone: packing, parts, files and tables of codes. An item gives its
field, so a new type of item needs no change in any of them.

A code is the number of a value: 0, 1, … The values lie on one scale, or on two, as a place "x:y" does, whose code is
x·(steps of y) + y. A table of codes has the narrowest type whose greatest number is no value of any field; that number
says "not asked". So tables of choices are uint8, and 255 says that an item was not asked. In packed records, which
have no such room, "not asked" is one more value, after the others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, overload

import numpy as np

from privacy.design import reading
from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError

YES_NO = ("0", "1")
MOST_STEPS = 2**16  # so that a pair of numbers has 32 bits
# What spreadsheets and R write for 0 and 1, in any case.
WORDS = {
    "".join(letters): code
    for word, code in (("no", 0), ("false", 0), ("yes", 1), ("true", 1))
    for letters in product(*zip(word, word.upper(), strict=True))
}
NOTHING = ("NaN", "nan", "NA")  # what pandas and R write for an empty cell
SHOWN = 8  # values that a refusal lists before it stops
Codes = np.ndarray


@dataclass(frozen=True)
class Steps(Sequence[str]):
    """The numbers of a grid as texts: `first`, `first` + `step`, …, each in the shortest plain decimals."""

    length: int
    first: Decimal = Decimal(0)
    step: Decimal = Decimal(1)

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[str]:
        return map(self._text, range(self.length))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        places = range(self.length)[place]
        return self._text(places) if isinstance(places, int) else [self._text(place) for place in places]

    def _text(self, place: int) -> str:
        text = f"{self.first + place * self.step:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text


def steps_between(low: Fraction, high: Fraction, step: Fraction, where: str) -> Steps:
    """Return the steps from the least number to the greatest; refused where they do not fit.

    >>> list(steps_between(Fraction(0), Fraction(1), Fraction("0.5"), ""))
    ['0', '0.5', '1']
    """
    if step <= 0:
        raise EntryError("the step {step:g} is not above 0.", at=f"{where}.step", step=float(step))
    if high <= low:
        raise EntryError("max {high:g} is not above min {low:g}.", at=f"{where}.max", low=float(low), high=float(high))
    count = (high - low) / step + 1
    if count.denominator != 1:
        raise EntryError(
            "from {low:g} to {high:g} are no whole steps of {step:g}.",
            at=f"{where}.step",
            low=float(low),
            high=float(high),
            step=float(step),
        )
    if count > MOST_STEPS:
        raise EntryError(
            "{count} steps are more than {most}; take a larger step.",
            at=f"{where}.step",
            count=int(count),
            most=MOST_STEPS,
        )
    return Steps(int(count), _decimal(low), _decimal(step))


def _decimal(number: Fraction) -> Decimal:
    """The number as a decimal, which ends for all numbers that people write."""
    return Decimal(number.numerator) / Decimal(number.denominator)


@dataclass(frozen=True)
class Field:
    """One column: its scale, or its two scales, of texts; an `optional` one may also hold nothing.

    Where true answers are meant, whose numbers end before those of records do, `answers` has their scales.
    """

    name: str
    scales: tuple[Sequence[str], ...]
    optional: bool = False
    answers: tuple[Sequence[str], ...] = ()

    def __post_init__(self) -> None:
        if len(self.scales) > 2 or max(map(len, self.scales)) > MOST_STEPS:
            raise InputError(f"{self.name}: a value lies on one scale or two, each of at most {MOST_STEPS} steps.")

    @cached_property
    def size(self) -> int:
        """How many values there are, "not asked" not counted."""
        return prod(map(len, self.scales))

    @cached_property
    def value_count(self) -> int:
        """The number of values in a packed record, including "not asked" where the field may be empty."""
        return self.size + self.optional

    @cached_property
    def bits(self) -> int:
        """How wide the field is in a packed record."""
        return (self.value_count - 1).bit_length()

    @property
    def boolean(self) -> bool:
        return self.scales == (YES_NO,)

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers of a grid or pairs of them, which are too many to list."""
        return isinstance(self.scales[0], Steps)

    @cached_property
    def other_texts(self) -> dict[str, int]:
        """The codes of what other programs write for values of one scale, where no value is called so: `1.0` and `TRUE`
        for 1, `NaN` for nothing.

        >>> choice("grade", ["2", "NA"], optional=True).other_texts
        {'2.0': 0, 'NaN': 2, 'nan': 2}
        """
        (options,) = self.scales
        texts = {f"{option}.0": code for code, option in enumerate(options) if option.removeprefix("-").isdecimal()}
        texts |= WORDS if self.boolean else {}
        texts |= dict.fromkeys(NOTHING, self.size) if self.optional else {}
        return {text: code for text, code in texts.items() if self.numeric or text not in options}

    def text(self, code: int) -> str:
        """The value of a code as files write it."""
        texts = []
        for scale in reversed(self.scales):
            code, place = divmod(code, len(scale))
            texts.append(scale[place])
        return ":".join(reversed(texts))

    def split(self, codes: Codes) -> list[Codes]:
        """The place of each code on each scale; "not asked", like any larger code, has the place after the last."""
        if len(self.scales) == 1:
            return [np.minimum(codes, self.size)]
        high, low = np.divmod(codes, len(self.scales[1]))
        empty = codes >= self.size
        return [np.where(empty, len(self.scales[0]), high), np.where(empty, len(self.scales[1]), low)]

    def join(self, places: Sequence[Codes]) -> Codes:
        """The codes of places on the scales; −1 where one of the places is −1."""
        if len(places) == 1:
            return places[0]
        high, low = places
        return np.where((high < 0) | (low < 0), -1, high * len(self.scales[1]) + low)

    def examples(self) -> str:
        """The first values and, where there are more, the last one, for a sentence that refuses another."""
        field = Field(self.name, self.answers or self.scales)
        texts = [field.text(code) for code in range(min(field.size, SHOWN))]
        return ", ".join(texts) + (f", …, {field.text(field.size - 1)}" if field.size > SHOWN else "")


def choice(name: str, options: Sequence[str], optional: bool = False) -> Field:
    """The field of one choice among options.

    >>> choice("age", ["18-29", "30-49", "50+"], optional=True).bits
    2
    """
    return Field(name, (tuple(options),), optional)


def code_type(fields: Iterable[Field]) -> np.dtype:
    """The narrowest type of codes that leaves its greatest number to say "not asked".

    >>> code_type([choice("drugs", YES_NO)]), code_type([Field("income", (Steps(1000),))])
    (dtype('uint8'), dtype('uint16'))
    """
    return np.min_scalar_type(max(field.size for field in fields))


def read_map(entry: Mapping[str, Any], where: str) -> tuple[tuple[Steps, ...], Fraction]:
    """The columns and rows of a map by its width, height and cell, and the cell.

    >>> (columns, rows), cell = read_map({"width": 1000, "height": 800, "cell": 10}, "items[0]")
    >>> len(columns), len(rows), cell
    (100, 80, Fraction(10, 1))
    """
    cell = reading.number(entry, "cell", where) if "cell" in entry else Fraction(1)
    if cell <= 0:
        raise EntryError("the cell {cell:g} is not above 0.", at=f"{where}.cell", cell=float(cell))
    counts = [_cells(entry, key, where, cell) for key in ("width", "height")]
    if not 1 < counts[0] * counts[1] < ONE:
        raise EntryError(
            "the map has {count} cells; it needs from 2 to {most}.", at=where, count=counts[0] * counts[1], most=ONE - 1
        )
    return tuple(Steps(count) for count in counts), cell


def _cells(entry: Mapping[str, Any], key: str, where: str, cell: Fraction) -> int:
    """How many cells a side of the map has."""
    length = reading.number(entry, key, where)
    if length <= 0:
        raise EntryError("the length {length:g} is not above 0.", at=f"{where}.{key}", length=float(length))
    count = length / cell
    if count.denominator != 1 or count > MOST_STEPS:
        raise EntryError(
            "{length:g} is not a whole number of cells of {cell:g}, at most {most}.",
            at=f"{where}.{key}",
            length=float(length),
            cell=float(cell),
            most=MOST_STEPS,
        )
    return int(count)
