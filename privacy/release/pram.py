"""Columns of a release that are disguised: the post-randomisation method (PRAM; Gouweleeuw and others 1998).

Each value goes through a coin block of its own: it stays with a chance, else a value is drawn from the noise. Nothing
else of the release looks at these columns, so γ of the block holds for the release. The design is published with the
table, and who has both reconstructs shares, tables, rules and regressions.

Even noise loses least at a given γ. Noise that has the shares of the table itself keeps every expected frequency: with
π = q the matrix aI + (1−a)1qᵀ has πM = π. It is then *invariant*, and its design tells these shares.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.block import Block
from privacy.design.blocks import read
from privacy.design.draws import Take
from privacy.design.items import Item, check_item
from privacy.design.notation import EXACT
from privacy.design.rationals import ONE, apportion
from privacy.design.reading import labels, number, quote
from privacy.disguise import disguise
from privacy.errors import EntryError, InputError
from privacy.release.sensitive import encode, in_order


@dataclass(frozen=True)
class ChannelSpec:
    """How a column is disguised: γ at most, and whether expected frequencies stay.

    `values` are all that the column may have; None: those that it has, which the design then tells.
    """

    gamma: Fraction
    invariant: bool
    values: tuple[str, ...] | None
    where: str


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
    return ChannelSpec(gamma, arguments.flag(entry.get("invariant", False), f"{where}.invariant"), values, where)


def coin_of(name: str, column: Sequence[str], asked: ChannelSpec) -> Block:
    """Make the block of a column: γ is not exceeded, and reached as nearly as steps of 2⁻³² allow.

    >>> block = coin_of("sex", ["f", "m", "m", "m"], ChannelSpec(Fraction(9), True, None, "attributes.sex"))
    >>> [round(float(chance), 6) for chance in (block.gamma, block.chance([0], [0], [0]), block.chance([0], [1], [0]))]
    [9.0, 0.75, 0.083333]
    """
    values = asked.values or labels(in_order(column, name), asked.where)
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


def disguise_columns(
    table: Mapping[str, Sequence[str]], asked: Mapping[str, ChannelSpec], take: Take | None = None
) -> tuple[Design, dict[str, list[str]]]:
    """Disguise columns of a table, each by itself: the design, and the columns as they are published.

    Without `take` the randomness is the operating system's, the only one that is fit for people.

    >>> from privacy.disguise.random_words import words_from_seed
    >>> asked = {"sex": ChannelSpec(Fraction(9), False, ("f", "m"), "attributes.sex")}
    >>> design, columns = disguise_columns({"sex": ["f", "m", "m", "f"]}, asked, words_from_seed(5))
    >>> columns
    {'sex': ['f', 'm', 'm', 'f']}
    """
    design = Design(tuple(coin_of(name, table[name], one) for name, one in asked.items()), direct=False)
    codes = [encode(table[item.id], item.options) for item in design.items]
    sent = disguise(design, np.stack(codes, axis=1), take=take).codes
    return design, {
        item.id: [item.options[code] for code in own.tolist()] for item, own in zip(design.items, sent.T, strict=True)
    }
