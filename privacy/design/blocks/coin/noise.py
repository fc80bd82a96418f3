"""The noise of the items under a coin: how designs write it, and what a coin may keep beside it under a γ."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import inf, prod
from typing import Any

from privacy.design import reading
from privacy.design.brief import ExpectedItem
from privacy.design.items import YES_NO, Item
from privacy.design.notation import Notation
from privacy.design.rationals import ONE, decimal, decimals, numerator
from privacy.errors import InputError

__all__ = [
    "expected_noise",
    "friendly_item",
    "gamma_of",
    "keep_of",
    "keep_of_each",
    "noise_of",
    "rarest_of",
    "read_item",
]


def keep_of(gamma: Fraction | float, rarest: Fraction | float) -> Fraction | float:
    """a from γ = 1 + a/((1−a)·min q)."""
    return (gamma - 1) * rarest / (1 + (gamma - 1) * rarest)


def keep_of_each(gamma: float, rarest: Sequence[float]) -> float:
    """The same where each item has a coin of its own, and γ is the product of theirs."""
    low, high = 0.0, float(keep_of(gamma, max(rarest)))
    counted = Counter(rarest).items()
    for _ in range(60):
        keep = (low + high) / 2
        spent = prod(gamma_of(keep, least) ** count for least, count in counted)
        low, high = (keep, high) if spent <= gamma else (low, keep)
    return low


def gamma_of(keep: float, rarest: float) -> float:
    """1 + a/((1−a)·min q) in floats."""
    return 1 + keep / ((1 - keep) * rarest) if rarest > 0 and keep < 1 else inf


def noise_of(item: Item) -> tuple[int, ...]:
    assert item.noise is not None  # coin blocks are checked to have noise
    return item.noise


def rarest_of(item: Item) -> Fraction:
    return Fraction(min(noise_of(item)), ONE)


def expected_noise(question: ExpectedItem, skew: float) -> tuple[float, ...]:
    """Noise between even (skew 0) and what is expected of the answers (skew 1)."""
    even = 1 / len(question.options)
    if not skew or question.expected is None:
        return (even,) * len(question.options)
    return tuple((1 - skew) * even + skew * share for share in question.expected)


def read_item(entry: Any, where: str, notation: Notation) -> Item:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "theta", "options", "noise"), where)
    if "theta" in entry and not notation.exact:
        if "options" in entry or "noise" in entry:
            raise InputError(
                f"{where}: theta stands for the options 0 and 1 and their noise, so give one or the other."
            )
        yes = numerator(reading.share(entry, "theta", where))
        return Item(reading.text(entry, "id", where), YES_NO, (ONE - yes, yes))
    for key in ("options", "noise"):
        if key not in entry:
            raise InputError(f"{where}: {key} is missing (an item has theta, or options and noise).")
    return Item(
        reading.text(entry, "id", where),
        reading.labels(entry["options"], f"{where}.options"),
        notation.shares(entry["noise"], f"{where}.noise"),
    )


def friendly_item(item: Item) -> dict[str, Any]:
    noise = noise_of(item)
    if item.boolean:
        return {"id": item.id, "theta": decimal(noise[1])}
    return {"id": item.id, "options": list(item.options), "noise": decimals(noise)}
