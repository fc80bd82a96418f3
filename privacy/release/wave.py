"""A square wave for a column of numbers (Li and others 2020): a number near the true one is published, or one far away.

The range is that of the spec, never of the column: a number beyond an end counts as this end, and every other one as
the nearest step. There is no place for a row without a number.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design.block import Block
from privacy.design.blocks import read
from privacy.design.notation import DECIMAL
from privacy.design.rationals import parse_number
from privacy.design.reading import json_number, quote
from privacy.design.sentences import Said
from privacy.errors import EntryError, InputError, to_translate
from privacy.release.channel import Accuracy, Fact, ReleaseChannel

PARTS = 8  # of the range, of which the report says what a class tells
ROUNDS = 200  # in which their shares are fitted
ENDS = to_translate(
    "In “{secret}” a number below {low} counts as {low}, and one above {high} as {high}; the ends are those of the "
    "design."
)
NO_NUMBER = to_translate("{value} of the column is no number, and a square wave has no place for it; give it ranges.")


@dataclass(frozen=True)
class WaveChannel(ReleaseChannel):
    """`entry` has ε and the numbers that may be true, as an item of a design has them."""

    entry: Mapping[str, Any]

    name: ClassVar[str] = "square-wave"
    keys: ClassVar[tuple[str, ...]] = ("epsilon", "min", "max", "step")

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str) -> "WaveChannel":
        if missing := next((key for key in cls.keys[:3] if key not in entry), None):
            raise InputError(f"{where}.{missing}: it is missing; a square wave needs epsilon, min and max.")
        channel = cls(where, {key: entry[key] for key in cls.keys if key in entry})
        channel._read("column")
        return channel

    def _read(self, name: str) -> Block:
        item = {key: value for key, value in self.entry.items() if key != "epsilon"} | {"id": name}
        wave = {"number": self.name, "epsilon": self.entry["epsilon"], "items": [item]}
        try:
            return read(wave, self.where, DECIMAL)
        except EntryError as error:  # the members of its item stand in the column itself
            raise EntryError(error.sentence, error.at.replace(".items[0]", ""), **error.values) from error

    def block(self, name: str, column: Sequence[str]) -> Block:
        """The block of a column, which depends on the spec alone.

        >>> age = WaveChannel.read({"epsilon": 2, "min": 0, "max": 60}, "attributes.age")
        >>> age.encode(age.block("age", ["30"]), ["-4", "30.4", "99"]).tolist()  # 8 steps more lie at each side
        [8, 38, 68]
        """
        block = self._read(name)
        self.encode(block, column)
        return block

    def encode(self, block: Block, column: Sequence[Any]) -> Ints:
        (item,) = block.items
        (steps,) = item.steps
        places: dict[Any, int] = {}
        for value in dict.fromkeys(column):
            if (number := parse_number(str(value))) is None:
                raise EntryError(NO_NUMBER, at=self.where, value=quote(str(value)))
            places[value] = min(max(round((number - steps.first) / steps.step), 0), len(steps) - 1)
        return item.codes_at([np.array([places[value] for value in column], np.int64)])

    def accuracy(self, block: Block, rows: int) -> Accuracy:
        """The mean of records is a straight line of the number; records differ most where everybody is at an end.

        So many people at each end: as E((y − middle)² | x) is least in the middle, no others give a larger error.
        """
        (item,) = block.items
        (steps,) = item.steps
        first = int(item.codes_at([np.array(0)]))  # as many records lie at each side of the answers
        chances = np.array([float(block.chance([0], [first], [sent])) for sent in range(len(steps) + 2 * first)])
        away = np.arange(len(chances)) - (len(chances) - 1) / 2
        slope = -2 * (chances @ away) / (len(steps) - 1)
        error = float((chances @ away**2) ** 0.5 / slope / rows**0.5 * float(steps.step))
        within, keep = first * float(steps.step), float(chances[: 2 * first + 1].sum())
        ends = [json_number(Fraction(number)) for number in (steps[0], steps[len(steps) - 1], steps.step)]
        members = {"range": ends, "keep": keep, "within": within, "error_of_mean": error}
        return Accuracy(len(steps), keep, f"within {within:g}", error, "the mean", members)

    def facts(self, block: Block, codes: Ints) -> Iterator[Fact]:
        """Each part of the range, in which all numbers are taken to be equally common."""
        (steps,) = block.items[0].steps
        count = min(PARTS, len(steps))
        assert block.distribution is not None
        grid = block.distribution((count,), ())
        assert grid.rows is not None
        even = grid.sets_in_report[0] * grid.rows.sum(axis=0)
        chances = grid.forward(even / even.sum(axis=1, keepdims=True))
        shares = _fit(chances, np.bincount(codes, minlength=chances.shape[1]) / len(codes))
        starts = [place * len(steps) // count for place in range(count + 1)]
        for (start, stop), share, own in zip(pairwise(starts), shares.tolist(), chances, strict=True):
            first, last = steps[start], steps[stop - 1]
            others = np.clip(shares @ chances - share * own, 0, None)
            if others.any():
                yield Fact(first if first == last else f"{first} … {last}", share, codes, own, others / others.sum())

    def notes(self, name: str) -> list[Said]:
        (steps,) = self._read(name).items[0].steps
        return [Said(ENDS, {"secret": name, "low": steps[0], "high": steps[len(steps) - 1]})]


def _fit(chances: Floats, seen: Floats) -> Floats:
    """The likeliest shares of the rows of a channel, by what was seen of its columns."""
    shares = np.full(len(chances), 1 / len(chances))
    for _ in range(ROUNDS):
        shares *= chances @ (seen / (shares @ chances))
    return shares
