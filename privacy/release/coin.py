"""A coin for a column of a release: each value stays with a chance, else a value is drawn from the noise.

Even noise loses least at a given γ. Noise that has the shares of the table itself keeps every expected frequency: with
π = q the matrix aI + (1−a)1qᵀ has πM = π. It is then *invariant*, and its design tells these shares. Numbers and days
become ranges first.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Ints
from privacy.design import arguments
from privacy.design.block import Block
from privacy.design.blocks import read
from privacy.design.items import Item, check_item
from privacy.design.notation import EXACT, check_gamma
from privacy.design.rationals import ONE, apportion, parse_number
from privacy.design.reading import items, labels, number, quote
from privacy.design.sentences import Said
from privacy.errors import EntryError, InputError, to_translate
from privacy.release.channel import Accuracy, Fact, ReleaseChannel
from privacy.release.ranges import number_text
from privacy.release.sensitive import encode, in_order

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
        if "gamma" not in entry:
            raise InputError(f'{where}.gamma: it is missing; say how strong the disguise is, such as "gamma": 9.')
        gamma = number(entry, "gamma", where)
        check_gamma(gamma, f"{where}.gamma")
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
