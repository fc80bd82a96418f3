"""Columns of a release that are disguised: the post-randomisation method (PRAM; Gouweleeuw and others 1998).

Each value goes through a coin block of its own: it stays with a chance, else a value is drawn from the noise. Nothing
else of the release looks at these columns, so γ of the block holds for the release. The design is published with the
table, and who has both reconstructs shares, tables, rules and regressions.

Even noise loses least at a given γ. Noise that has the shares of the table itself keeps every expected frequency: with
π = q the matrix aI + (1−a)1qᵀ has πM = π. It is then *invariant*, and its design tells these shares.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.block import Block
from privacy.design.blocks import read
from privacy.design.draws import Take
from privacy.design.items import Item, check_item
from privacy.design.notation import EXACT
from privacy.design.rationals import ONE, apportion, parse_number
from privacy.design.reading import items, labels, number, quote
from privacy.disguise import disguise
from privacy.errors import EntryError, InputError
from privacy.release.ranges import number_text
from privacy.release.sensitive import encode, in_order

_DAY = r"\d{4}(-\d{2}(-\d{2})?)?"  # the order of such texts is that of days


@dataclass(frozen=True)
class ChannelSpec:
    """How a column is disguised: γ at most, and whether expected frequencies stay.

    `values` are all that the column may have; None: those that it has, which the design then tells. Numbers and days
    become ranges first: `starts` are where the second range and all later ones begin, and the first and the last have
    no end. Such a column may have `values` besides, which stay as they are.
    """

    gamma: Fraction
    invariant: bool
    values: tuple[str, ...] | None
    where: str
    starts: tuple[Decimal, ...] | tuple[str, ...] = ()

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

        >>> asked = read_channel({"gamma": 9, "starts": [18, 65]}, "attributes.age")
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


def read_channel(entry: Mapping[str, Any], where: str) -> ChannelSpec:
    """Read the members of a column with the role disguised.

    >>> read_channel({"gamma": 9, "values": ["flu", "cold"]}, "attributes.disease").values
    ('flu', 'cold')
    """
    if "gamma" not in entry:
        raise InputError(f'{where}.gamma: it is missing; say how strong the disguise is, such as "gamma": 9.')
    gamma = number(entry, "gamma", where)
    if gamma <= 1:
        raise EntryError(
            "{gamma:.10g} is not above 1; at 1 nothing can be learned.", at=f"{where}.gamma", gamma=float(gamma)
        )
    values = labels(entry["values"], f"{where}.values") if "values" in entry else None
    starts = read_starts(entry["starts"], f"{where}.starts") if "starts" in entry else ()
    invariant = arguments.flag(entry.get("invariant", False), f"{where}.invariant")
    return ChannelSpec(gamma, invariant, values, where, starts)


def coin_of(name: str, column: Sequence[str], asked: ChannelSpec) -> Block:
    """Make the block of a column: γ is not exceeded, and reached as nearly as steps of 2⁻³² allow.

    >>> block = coin_of("sex", ["f", "m", "m", "m"], ChannelSpec(Fraction(9), True, None, "attributes.sex"))
    >>> [round(float(chance), 6) for chance in (block.gamma, block.chance([0], [0], [0]), block.chance([0], [1], [0]))]
    [9.0, 0.75, 0.083333]
    """
    values = asked.options or labels(in_order(column, name), asked.where)
    counts = Counter(column)
    if stray := next((value for value in counts if value not in values), None):
        raise InputError(f"{asked.where}.values: {quote(stray)} of the column is missing.")
    if asked.invariant and (unused := next((value for value in values if not counts[value]), None)):
        raise InputError(f"{asked.where}.invariant: no row has {quote(unused)}, so no noise could give it.")
    check_item(Item(name, tuple(values)), asked.where)
    noise = apportion([Fraction(counts[value] if asked.invariant else 1) for value in values])
    rarest = (asked.gamma - 1) * min(noise)
    keep = int(rarest / (ONE + rarest) * ONE)
    if not keep:
        raise InputError(f"{asked.where}.gamma: {float(asked.gamma)!r} keeps less than 2^-32 of the values.")
    item = {"id": name, "options": list(values), "noise": list(noise)}
    return read({"keep": keep, "items": [item]}, asked.where, EXACT)


def design_of_columns(table: Mapping[str, Sequence[str]], asked: Mapping[str, ChannelSpec]) -> Design:
    """The design by which columns of a table are disguised, each by itself.

    >>> asked = {"sex": ChannelSpec(Fraction(9), False, ("f", "m"), "attributes.sex")}
    >>> design_of_columns({"sex": ["f", "m", "m", "f"]}, asked).items[0].options
    ('f', 'm')
    """
    return Design(tuple(coin_of(name, one.into_options(table[name]), one) for name, one in asked.items()), direct=False)


def disguise_columns(
    design: Design, table: Mapping[str, Sequence[str]], asked: Mapping[str, ChannelSpec], take: Take | None = None
) -> dict[str, list[str]]:
    """Disguise columns of a table by their design.

    Without `take` the randomness is the operating system's, the only one that is fit for people.

    >>> from privacy.disguise.random_words import words_from_seed
    >>> asked, table = {"sex": ChannelSpec(Fraction(9), False, ("f", "m"), "attributes.sex")}, {"sex": list("fmmf")}
    >>> disguise_columns(design_of_columns(table, asked), table, asked, words_from_seed(5))
    {'sex': ['f', 'm', 'm', 'f']}
    """
    codes = [encode(asked[item.id].into_options(table[item.id]), item.options) for item in design.items]
    sent = disguise(design, np.stack(codes, axis=1), take=take).codes
    return {
        item.id: [item.options[code] for code in own.tolist()] for item, own in zip(design.items, sent.T, strict=True)
    }
