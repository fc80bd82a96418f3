"""Hierarchies of ranges for numbers, and what is proposed for a column whose values nobody has put in order yet."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from privacy.design.rationals import parse_number
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError
from privacy.release.hierarchies import MISSING, ROOT, Hierarchy, by_rows


def by_ranges(values: Iterable[str], breaks: Sequence[Sequence[float | Decimal]], source: str) -> Hierarchy:
    """Build a hierarchy of ranges for numbers: each level has its break points, among those of the level below.

    Values are numbers as they are written; one that is missing is a label of its own up to the root. A range holds its
    lower end and not its upper one; the last range of a level holds both. Labels are ``[20, 40)`` and, of the last
    range, ``[40, 80]``.
    """
    if not breaks:
        raise InputError(f"{source}: ranges need at least one level of break points.")
    levels = [_read_break_points(points, source) for points in breaks]
    for one, other in pairwise(levels):
        known = set(one)
        stray = [point for point in other if point not in known]
        if stray:
            raise EntryError("{point} is not a break point of the level below.", at=source, point=number_text(stray[0]))
        if (other[0], other[-1]) != (one[0], one[-1]):
            raise EntryError(
                "every level must go from {low} to {high}.",
                at=source,
                low=number_text(one[0]),
                high=number_text(one[-1]),
            )
    different = list(dict.fromkeys(values))
    given = [(read_number(value, source), value) for value in different if value != MISSING]
    low, high = levels[0][0], levels[0][-1]
    for number, value in given:
        if not low <= number <= high:
            raise EntryError(
                "the value {value} is outside {low} to {high}.",
                at=source, value=quote(value), low=number_text(low), high=number_text(high),
            )  # fmt: skip
    missing = len(given) < len(different)
    root = [ROOT] if len(levels[-1]) > 2 or missing else []
    rows = [
        [value, *(_range_label(points, number) for points in levels), *root]
        for number, value in sorted(given, key=lambda one: one[0])
    ]
    if missing:
        rows.append([MISSING, *[MISSING] * len(levels), ROOT])
    return by_rows(rows, source)


def _read_break_points(points: Any, source: str) -> list[Decimal]:
    if not isinstance(points, Sequence) or isinstance(points, str) or len(points) < 2:
        raise EntryError("{points} is not a list of at least two break points.", at=source, points=quote(points))
    numbers = [read_number(point, source) for point in points]
    for one, other in pairwise(numbers):
        if other <= one:
            raise EntryError(
                "the break point {other} after {one} does not rise.",
                at=source, other=number_text(other), one=number_text(one),
            )  # fmt: skip
    return numbers


def read_number(value: Any, source: str) -> Decimal:
    number = parse_number(str(value))
    if number is None or isinstance(value, bool):
        raise EntryError("{value} is not a number.", at=source, value=quote(value))
    return number


def _range_label(points: Sequence[Decimal], number: Decimal) -> str:
    place = min(bisect_right(points, number), len(points) - 1) - 1
    closing = "]" if place == len(points) - 2 else ")"
    return f"[{number_text(points[place])}, {number_text(points[place + 1])}{closing}"


def number_text(number: Decimal) -> str:
    return f"{number.normalize():f}"


def propose_levels(values: Iterable[str]) -> dict[str, Any]:
    """Propose how a column becomes coarser: ranges of numbers, truncated dates and codes, else the value or nothing.

    Missing values are left out of account. The proposal is written as in a spec, for people to look at before its use:
    only they know which values belong together.

    >>> propose_levels(["1999-02-03", "2001-12-24"])
    {'truncate': [7, 4, 0]}
    >>> propose_levels(["red", "green", ""])
    {'hierarchy': [['', '*'], ['green', '*'], ['red', '*']]}
    >>> propose_levels(["5", "17", "40"])
    {'ranges': [[5, 10, 15, 20, 25, 30, 35, 40, 45], [5, 15, 25, 35, 45], [5, 25, 45], [5, 45]]}
    """
    different = sorted(set(values))
    given = [value for value in different if value != MISSING]
    lengths = set(map(len, given))
    if lengths == {10} and all(value[4] == value[7] == "-" and value.replace("-", "").isdigit() for value in given):
        return {"truncate": [7, 4, 0]}
    if len(lengths) == 1 and min(lengths) >= 4 and all(map(str.isdigit, given)):
        return {"truncate": [*range(min(lengths) - 1, 0, -1), 0]}
    try:
        numbers = [read_number(value, "") for value in given]
    except InputError:
        numbers = []
    if numbers:
        ends = _doubling(min(numbers), max(numbers))
        return {"ranges": [[int(end) if end == int(end) else float(end) for end in level] for level in ends]}
    return {"hierarchy": [[value, ROOT] for value in different]}


def _doubling(low: Decimal, high: Decimal) -> list[list[Decimal]]:
    """Break points of about eight ranges of a round width, then of twice that width, up to one range."""
    wanted = (high - low) / 8 or Decimal(1)
    power = Decimal(10) ** wanted.adjusted()
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)
    first = math.floor(low / width)
    count = 1
    while (first + count) * width < high:
        count *= 2
    ends = [width * (first + place) for place in range(count + 1)]
    return [ends[:: 1 << level] for level in range(count.bit_length())]
