"""Columns of a release that are disguised: the post-randomisation method (PRAM; Gouweleeuw and others 1998).

Each value goes through a channel of its own. Nothing else of the release looks at these columns, so γ of the block
holds for the release. The design is published with the table, and who has both reconstructs shares, tables, rules and
regressions.

A coin: each value stays with a chance, else a value is drawn from the noise. Even noise loses least at a given γ. Noise
that has the shares of the table itself keeps every expected frequency: with π = q the matrix aI + (1−a)1qᵀ has πM = π.
It is then *invariant*, and its design tells these shares. Numbers and days become ranges first.

A square wave (Li and others 2020): a number near the true one is published, or one far away. The range is that of the
spec, never of the column: a number beyond an end counts as this end, and every other one as the nearest step. There is
no place for a row without a number.
"""

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design import Design, arguments
from privacy.design.block import Block
from privacy.design.blocks import read
from privacy.design.draws import Take
from privacy.design.items import Item, check_item
from privacy.design.notation import DECIMAL, EXACT, read_gamma
from privacy.design.rationals import ONE, apportion, parse_number
from privacy.design.reading import items, json_number, labels, only_keys, quote
from privacy.design.sentences import Said
from privacy.disguise import disguise
from privacy.errors import EntryError, InputError, to_translate
from privacy.release.classes import encode
from privacy.release.hierarchies import in_order, number_text


@dataclass(frozen=True)
class Fact:
    """Something that is true of a share of people, as far as rows show it.

    `sorts` is what each row shows, `own` and `others` the chance of each sort from people of whom the fact is true
    and from everybody else.
    """

    value: str
    share: float
    sorts: Ints
    own: Floats
    others: Floats


@dataclass(frozen=True)
class Accuracy:
    """How much of a column stays: of each value with the chance `keep`, or a number `within` so much of it.

    `error` is the standard error of what is reconstructed, at most: `of` a share, or the mean. `members` are the
    channel's own in the JSON of a report.
    """

    values: int
    keep: float
    noise: str
    error: float
    of: str
    members: Mapping[str, Any]


@dataclass(frozen=True)
class ReleaseChannel(ABC):
    """How a column is disguised; `where` is its place in the spec, `name` and `keys` how it is written there."""

    where: str

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, entry: Mapping[str, Any], where: str) -> "ReleaseChannel":
        """Read the members of a column."""

    @abstractmethod
    def block(self, name: str, column: Sequence[str]) -> Block:
        """The block that a column goes through; a column with a value that has no place in it is refused."""

    @abstractmethod
    def encode(self, block: Block, column: Sequence[Any]) -> Ints:
        """The codes of the values of a column as the block disguises them."""

    @abstractmethod
    def accuracy(self, block: Block, rows: int) -> Accuracy: ...

    @abstractmethod
    def facts(self, block: Block, codes: Ints) -> Iterator[Fact]:
        """What rows of a class may tell of its people, by the published codes of all rows."""

    @abstractmethod
    def notes(self, name: str) -> list[Said]:
        """What is to be said of the design."""


_DAY = r"\d{4}(-\d{2}(-\d{2})?)?"  # the order of such texts is that of days


SHARES = to_translate(
    "The design of “{secret}” tells how often each value occurs. Somebody who knows the value of everybody else learns "
    "the last one from it, whatever γ is."
)
LISTED = to_translate(
    "The values of “{secret}” were read from the table, so the design tells that each of them occurs."
)


@dataclass(frozen=True)
class CoinChannel(ReleaseChannel):
    """γ at most, and whether expected frequencies stay.

    `values` are all that the column may have; None: those that it has, which the design then tells. Numbers and days
    become ranges first: `starts` are where the second range and all later ones begin, and the first and the last have
    no end. Such a column may have `values` besides, which stay as they are.
    """

    gamma: Fraction
    invariant: bool
    values: tuple[str, ...] | None
    starts: tuple[Decimal, ...] | tuple[str, ...] = ()

    name: ClassVar[str] = "coin"
    keys: ClassVar[tuple[str, ...]] = ("gamma", "invariant", "values", "starts")

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str) -> "CoinChannel":
        gamma = read_gamma(entry, "gamma", where)
        values = labels(entry["values"], f"{where}.values") if "values" in entry else None
        starts = read_starts(entry["starts"], f"{where}.starts") if "starts" in entry else ()
        invariant = arguments.flag(entry.get("invariant", False), f"{where}.invariant")
        return cls(where, gamma, invariant, values, starts)

    @property
    def options(self) -> tuple[str, ...] | None:
        """All that the design names; None where it is read from the table."""
        return (*self._ranges, *(self.values or ())) if self.starts else self.values

    @property
    def _ranges(self) -> list[str]:
        """The labels of the ranges, which have no comma, as options of a design."""
        written = [number_text(one) if isinstance(one, Decimal) else one for one in self.starts]
        between = [f"{one} to below {other}" for one, other in pairwise(written)]
        return [f"below {written[0]}", *between, f"{written[-1]} and above"]

    def into_options(self, column: Sequence[Any]) -> list[str]:
        """The entries of a column as options of the design.

        >>> asked = CoinChannel.read({"gamma": 9, "starts": [18, 65]}, "attributes.age")
        >>> asked.into_options(["3", "18", "64.5", "65"])
        ['below 18', '18 to below 65', '18 to below 65', '65 and above']
        """
        different = {one: str(one) for one in dict.fromkeys(column)}
        if self.starts:
            different = {one: self._range_of(text) for one, text in different.items()}
        return [different[one] for one in column]

    def _range_of(self, text: str) -> str:
        if text in (self.values or ()):
            return text
        place: Decimal | str | None = parse_number(text)
        if isinstance(self.starts[0], str):
            place = text if re.fullmatch(_DAY, text) else None
        if place is None:
            raise EntryError(
                "{value} of the column is neither a number nor a day that the ranges hold.",
                at=f"{self.where}.starts", value=quote(text),
            )  # fmt: skip
        return self._ranges[bisect_right(self.starts, place)]

    def block(self, name: str, column: Sequence[str]) -> Block:
        """Make the block of a column: γ is not exceeded, and reached as nearly as steps of 2⁻³² allow.

        >>> block = CoinChannel("attributes.sex", Fraction(9), True, None).block("sex", ["f", "m", "m", "m"])
        >>> chances = (block.gamma, block.chance([0], [0], [0]), block.chance([0], [1], [0]))
        >>> [round(float(chance), 6) for chance in chances]
        [9.0, 0.75, 0.083333]
        """
        if "" in column:
            raise InputError(f"{self.where}: a cell of the column is empty; give it a value, such as 'no answer'.")
        column = self.into_options(column)
        values = self.options or labels(in_order(column, name), self.where)
        counts = Counter(column)
        if stray := next((value for value in counts if value not in values), None):
            raise InputError(f"{self.where}.values: {quote(stray)} of the column is missing.")
        if self.invariant and (unused := next((value for value in values if not counts[value]), None)):
            raise InputError(f"{self.where}.invariant: no row has {quote(unused)}, so no noise could give it.")
        check_item(Item(name, tuple(values)), self.where)
        noise = apportion([Fraction(counts[value] if self.invariant else 1) for value in values])
        rarest = (self.gamma - 1) * min(noise)
        keep = int(rarest / (ONE + rarest) * ONE)
        if not keep:
            raise InputError(f"{self.where}.gamma: {float(self.gamma)!r} keeps less than 2^-32 of the values.")
        item = {"id": name, "options": list(values), "noise": list(noise)}
        return read({"keep": keep, "items": [item]}, self.where, EXACT)

    def encode(self, block: Block, column: Sequence[Any]) -> Ints:
        return encode(self.into_options(column), block.items[0].options)

    def accuracy(self, block: Block, rows: int) -> Accuracy:
        keep, options = block.keep / ONE, block.items[0].options  # type: ignore[attr-defined]
        error, noise = 0.5 / keep / rows**0.5, "as the values" if self.invariant else "even"
        members = {"values": list(options), "keep": keep, "invariant": self.invariant, "error": error}
        return Accuracy(len(options), keep, noise, error, "a share", members)

    def facts(self, block: Block, codes: Ints) -> Iterator[Fact]:
        """Each value: a row shows it or another one."""
        (item,) = block.items
        keep, noise = block.keep / ONE, np.array(item.noise) / ONE  # type: ignore[attr-defined]
        raw = np.clip((np.bincount(codes, minlength=len(noise)) / len(codes) - (1 - keep) * noise) / keep, 0, None)
        for code, (value, share) in enumerate(zip(item.options, (raw / raw.sum()).tolist(), strict=True)):
            others = np.array([1 - (1 - keep) * noise[code], (1 - keep) * noise[code]])
            yield Fact(value, share, (codes == code).astype(np.int64), others + np.array([-keep, keep]), others)

    def notes(self, name: str) -> list[Said]:
        said = [Said(SHARES, {"secret": name})] if self.invariant else []
        return said + ([Said(LISTED, {"secret": name})] if self.options is None else [])


def read_starts(entry: Any, where: str) -> tuple[Decimal, ...] | tuple[str, ...]:
    """Read where ranges begin: numbers, or days as texts such as ``2024-05-17``, ``2024-05`` or ``2024``.

    >>> read_starts([18, 65], "attributes.age.starts"), read_starts(["2023", "2024-07"], "attributes.day.starts")
    ((Decimal('18'), Decimal('65')), ('2023', '2024-07'))
    """
    given = items(entry, where)
    days = tuple(one for one in given if isinstance(one, str) and re.fullmatch(_DAY, one))
    numbers = tuple(number for one in given if (number := parse_number(str(one))) is not None)
    starts: tuple[Any, ...] = days or numbers
    if not starts or len(starts) < len(given):
        raise EntryError("{starts} are neither numbers nor days.", at=where, starts=quote(entry))
    for one, other in pairwise(starts):
        if not one < other:
            raise EntryError("{other} after {one} does not rise.", at=where, one=str(one), other=str(other))
    return starts


PARTS = 8  # of the range, of which the report says what a class tells
WAVE_ROUNDS = 200  # in which their shares are fitted
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
    for _ in range(WAVE_ROUNDS):
        shares *= chances @ (seen / (shares @ chances))
    return shares


CHANNELS: dict[str, type[ReleaseChannel]] = {one.name: one for one in (CoinChannel, WaveChannel)}
"""The channels of columns, by the member `channel` of a spec; the first is taken without it."""


def read_channel(entry: Mapping[str, Any], where: str) -> ReleaseChannel:
    """Read the members of a column with the role disguised.

    >>> read_channel({"gamma": 9, "values": ["flu", "cold"]}, "attributes.disease").keys
    ('gamma', 'invariant', 'values', 'starts')
    """
    name = entry.get("channel", next(iter(CHANNELS)))
    arguments.choice(name, f"{where}.channel", CHANNELS)
    only_keys(entry, ("role", "channel", *CHANNELS[name].keys), where)
    return CHANNELS[name].read(entry, where)


def design_of_columns(table: Mapping[str, Sequence[str]], asked: Mapping[str, ReleaseChannel]) -> Design:
    """The design by which columns of a table are disguised, each by itself.

    >>> asked = {"sex": read_channel({"gamma": 9, "values": ["f", "m"]}, "attributes.sex")}
    >>> design_of_columns({"sex": ["f", "m", "m", "f"]}, asked).items[0].options
    ('f', 'm')
    """
    return Design(tuple(one.block(name, table[name]) for name, one in asked.items()), direct=False)


def disguise_columns(
    design: Design, table: Mapping[str, Sequence[str]], asked: Mapping[str, ReleaseChannel], take: Take | None = None
) -> dict[str, list[str]]:
    """Disguise columns of a table by their design.

    Without `take` the randomness is the operating system's, the only one that is fit for people.

    >>> from privacy.disguise.table import words_from_seed
    >>> asked, table = {"sex": read_channel({"gamma": 9}, "attributes.sex")}, {"sex": list("fmmf")}
    >>> disguise_columns(design_of_columns(table, asked), table, asked, words_from_seed(5))
    {'sex': ['f', 'm', 'm', 'f']}
    """
    names = [item.id for item in design.items]
    codes = [asked[name].encode(block, table[name]) for name, block in zip(names, design.blocks, strict=True)]
    sent = disguise(design, np.stack(codes, axis=1), take=take).codes
    published = {}
    for name, field, own in zip(names, design.fields, sent.T, strict=True):
        texts = {code: field.text(code) for code in np.unique(own).tolist()}
        published[name] = [texts[code] for code in own.tolist()]
    return published
