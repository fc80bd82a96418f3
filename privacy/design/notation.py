"""The two notations of a design's probabilities: the decimals people write, and exact numerators over 2^32."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privacy.design import reading
from privacy.design.gammas import of_epsilon
from privacy.design.items import YES_NO, Item
from privacy.design.rationals import ONE, apportion, decimal, decimals, numerator
from privacy.errors import EntryError, InputError

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Notation:
    """How a probability under a key, and a list of shares that sum to 1, are read as numerators, and written."""

    share: Callable[[Entry, str, str], int]
    shares: Callable[[Any, str], tuple[int, ...]]
    write: Callable[[int], Any]
    write_all: Callable[[Sequence[int]], list[Any]]
    exact: bool


def _decimal_share(entry: Entry, key: str, where: str) -> int:
    """The numerator of the probability under `key`, written as a decimal; `where` names the entry in refusals."""
    return numerator(reading.share(entry, key, where))


def _decimal_shares(values: Any, where: str) -> tuple[int, ...]:
    shares = [
        reading.share({"": value}, "", f"{where}[{index}]") for index, value in enumerate(reading.items(values, where))
    ]
    if abs(sum(shares, Fraction(0)) - 1) > Fraction(1, 10**9):
        raise EntryError(
            "the shares {shares} sum to {total:.10g}, not to 1.",
            at=where,
            shares=reading.quote(values),
            total=float(sum(shares, Fraction(0))),
        )
    return apportion(shares)


def _exact_share(entry: Entry, key: str, where: str) -> int:
    """The numerator under `key`; refused where it is no integer from 0 to 2^32."""
    value = entry.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= ONE:
        raise InputError(f"{where}.{key}: {value!r} is not an integer from 0 to 4294967296.")
    return value


def _exact_shares(values: Any, where: str) -> tuple[int, ...]:
    """Read shares that add up to 1 as whole numerators over 2³²; InputError where they do not."""
    numerators = tuple(
        _exact_share({"": value}, "", f"{where}[{index}]") for index, value in enumerate(reading.items(values, where))
    )
    if sum(numerators) != ONE:
        raise InputError(f"{where}: the numerators sum to {sum(numerators)}, not to 4294967296.")
    return numerators


DECIMAL = Notation(_decimal_share, _decimal_shares, decimal, decimals, exact=False)
EXACT = Notation(_exact_share, _exact_shares, int, list, exact=True)


def read_bare_items(entry: Entry, where: str) -> tuple[Item, ...]:
    """Read the items of a block whose kind gives them no noise of their own."""
    listed = enumerate(reading.read_filled_list(entry, "items", where))
    return tuple(read_bare_item(item, f"{where}.items[{place}]") for place, item in listed)


def read_bare_item(entry: Any, where: str, *more: str) -> Item:
    """Read one item without noise of its own; `more` are further keys it may have, which the caller reads."""
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "options", *more), where)
    options = reading.labels(entry["options"], f"{where}.options") if "options" in entry else YES_NO
    return Item(reading.text(entry, "id", where), options)


def write_item(item: Item, notation: Notation) -> dict[str, Any]:
    """The JSON of an item that `read_bare_item` reads; the exact notation has the options of yes/no items, too."""
    return {"id": item.id} | ({"options": list(item.options)} if notation.exact or not item.boolean else {})


def read_ask(entry: Entry, where: str) -> int | None:
    """How many of its items a block asks each respondent; None where all are asked."""
    return reading.whole_number(entry, "ask", where) if "ask" in entry else None


def write_ask(ask: int | None) -> dict[str, int]:
    """The key `ask` as `read_ask` reads it: no key where all items are asked."""
    return {} if ask is None else {"ask": ask}


def check_ask(ask: int | None, size: int, where: str) -> None:
    """Refuse a number of items to ask that is not from 1 to the `size` of the block."""
    if ask is not None and not 1 <= ask <= size:
        raise EntryError("{ask} is not from 1 to the {size} items of the block.", at=f"{where}.ask", ask=ask, size=size)


def check_keep(keep: int, where: str, direct: bool) -> None:
    """Refuse a numerator `keep` outside 0 to 2^32, and 0 unless respondents may answer directly."""
    check_numerator(keep, f"{where}.keep")
    if keep == 0 and not direct:
        raise EntryError("0 keeps no answer, so nothing could be recovered without a direct group.", at=f"{where}.keep")


def read_gamma(entry: Entry, key: str, where: str) -> Fraction:
    """The γ under `key`, above 1: a number, or by its logarithm, {"epsilon": 2}.

    >>> float(read_gamma({"gamma": {"epsilon": 2}}, "gamma", "design"))
    7.389056098880246
    """
    value, at = entry.get(key), f"{where}.{key}"
    if isinstance(value, Mapping):
        reading.only_keys(value, ("epsilon",), at)
        return of_epsilon(reading.number(value, "epsilon", at), f"{at}.epsilon")
    gamma = reading.number(entry, key, where)
    check_gamma(gamma, at)
    return gamma


def check_gamma(gamma: Fraction, where: str) -> None:
    """Refuse a γ by which nothing can be learned."""
    if gamma <= 1:
        raise EntryError("{gamma:.10g} is not above 1; at 1 nothing can be learned.", at=where, gamma=float(gamma))


def check_numerator(value: int, where: str) -> None:
    if not 0 <= value <= ONE:
        raise InputError(f"{where}: {value / ONE:.10g} is outside 0 to 1.")
