"""Top and bottom coding: hierarchies that join the values at both ends of a number and keep those between.

Each level says where its ends begin: by two numbers, or by the share of rows that are in each end at least. Which level
is taken, risk decides: full-domain searches for the one that loses least of those that keep the model.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from math import ceil
from typing import Any

from privacy.design.rationals import fraction
from privacy.design.reading import quote
from privacy.errors import EntryError
from privacy.release.hierarchies import MISSING, ROOT, Hierarchy, by_rows
from privacy.release.ranges import number_text, read_number

BELOW, ABOVE = "≤ ", "≥ "  # that begin the labels of the ends
Ends = tuple[Decimal | None, Decimal | None]


def by_ends(values: Sequence[str], levels: Sequence[Any], source: str) -> Hierarchy:
    """Build the hierarchy of a column; `values` are those of all rows, whose shares count.

    A level is a share, such as 0.05, or the greatest value of the lower end and the least one of the upper end; one of
    these may be null. The last level is the root. Missing values are a label of their own up to there.

    >>> tree = by_ends(["7", "20", "31", "45", "88"], [[10, 80], [20, 45]], "age")
    >>> tree.labels[1], tree.labels[2]
    (('≤ 10', '20', '31', '45', '≥ 80'), ('≤ 20', '31', '≥ 45'))
    >>> by_ends(["1", "2", "3", "4", "5", "6"], [0.2], "age").labels[1]
    ('≤ 2', '3', '4', '≥ 5')
    """
    numbers = {
        value: (read_number(value, source), count) for value, count in Counter(values).items() if value != MISSING
    }
    rows = sorted(number for number, count in numbers.values() for _ in range(count))
    ends = [_read_ends(level, rows, source) for level in levels]
    for one, other in pairwise([(None, None), *ends]):
        _require_wider(one, other, source)
    in_order = sorted((number, value) for value, (number, _) in numbers.items())
    table = [[value, *(_label(value, number, own) for own in ends), ROOT] for number, value in in_order]
    if len(rows) < len(values):
        table.append([MISSING, *[MISSING] * len(ends), ROOT])
    return by_rows(table, source)


def _read_ends(level: Any, rows: Sequence[Decimal], source: str) -> Ends:
    if isinstance(level, Sequence) and not isinstance(level, str):
        if len(level) != 2 or level == [None, None]:
            raise EntryError("{level} is not where the lower and the upper end begin.", at=source, level=quote(level))
        low, high = (None if one is None else read_number(one, source) for one in level)
    else:
        share = read_number(level, source)
        if not 0 < share < Decimal("0.5"):
            raise EntryError("{level} is not a share of rows between 0 and 0.5.", at=source, level=quote(level))
        if not rows:
            return None, None
        count = ceil(fraction(share) * len(rows))
        low, high = rows[count - 1], rows[-count]
    if low is not None and high is not None and low >= high:
        raise EntryError(
            "the ends of {level} meet, at {low} and {high}.",
            at=source, level=quote(level), low=number_text(low), high=number_text(high),
        )  # fmt: skip
    return low, high


def _require_wider(one: Ends, other: Ends, source: str) -> None:
    """Refuse a level whose ends do not hold those of the level below, so that a label would have two parents."""
    for before, after, up in ((one[0], other[0], True), (one[1], other[1], False)):
        if before is not None and (after is None or (after < before if up else after > before)):
            raise EntryError(
                "an end that begins at {before} must hold it on the next level, too.",
                at=source,
                before=number_text(before),
            )


def _label(value: str, number: Decimal, ends: Ends) -> str:
    low, high = ends
    if low is not None and number <= low:
        return BELOW + number_text(low)
    if high is not None and number >= high:
        return ABOVE + number_text(high)
    return value
