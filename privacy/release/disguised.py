"""Disguised answers in a table that is released: how diverse the true answers of each class are shown to be.

The sensitive answers of the disguised group are published as they are stored, disguised, with their design. What a
class says of its people is then an estimate: the true shares are reconstructed from its records, with intervals that
hold for all values of a class together (Bonferroni). A class is *shown* to have l values where l intervals lie above 0.
A class that is too small to tell is not shown diverse, whatever its records say. Each single record is protected by γ
besides, which no generalisation changes. The direct group answered undisguised: its classes are judged as they stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import exact
from privacy.estimate.weights import channel_of, factors
from privacy.guarantee import Gamma
from privacy.reconstruct import Figures, PatternQuery, count_patterns, make_report
from privacy.records import Records
from privacy.release.classes import tally
from privacy.release.measures import TableMeasures, measure

_LEVEL = 0.95  # how surely all intervals of a class hold together


@dataclass(frozen=True)
class ClassShares:
    """A class of the disguised group: its size, and each true answer's share and interval (None: not shown)."""

    size: int
    shares: tuple[float | None, ...]
    intervals: tuple[tuple[float, float] | None, ...]

    @property
    def shown(self) -> int:
        """The number of values that the class has for sure, by test."""
        return sum(interval is not None and interval[0] > 0 for interval in self.intervals)


@dataclass(frozen=True)
class Disguised:
    """What a released item tells: the classes of the disguised group, and the measures of the direct one."""

    item: str
    values: tuple[str, ...]
    level: float
    gamma: Gamma  # of this item alone, for a record of the disguised group
    classes: tuple[ClassShares, ...]
    direct: TableMeasures | None  # None where nobody answered directly

    def to_json(self) -> dict[str, Any]:
        return {
            "item": self.item,
            "values": list(self.values),
            "level": self.level,
            "gamma": float(self.gamma),
            "classes": [
                {
                    "size": one.size,
                    "shares": list(one.shares),
                    "ci": [interval and list(interval) for interval in one.intervals],
                    "shown": one.shown,
                }
                for one in self.classes
            ],
            "direct": self.direct and self.direct.to_json(),
        }


def judge_disguised(records: Records, item: str, member: Ints) -> Disguised:
    """Say how diverse a disguised answer is within the classes of a release.

    `member`: the class of each record, −1 where it is suppressed: these are a class, too. Raises `InputError` where the
    design has no such item with options, or lengths differ.
    """
    design = records.design
    places = [place for place, one in enumerate(design.items) if one.id == item and one.has_options]
    if not places:
        raise InputError(f"item: the design has no item {item!r} with options.")
    if len(member) != len(records):
        raise InputError(f"member: {len(member)} classes are given for {len(records)} records.")
    (place,) = places
    values = tuple(design.items[place].options)
    each = 1 - (1 - _LEVEL) / len(values)
    patterns = [Pattern(((place, frozenset([code])),)) for code in range(len(values))]
    classes = [
        _class_shares(Records(design, records.codes[rows], records.direct[rows]), patterns, each)
        for rows in _rows_of(member, ~records.direct)
    ]
    block, inside = design.place(place)
    gamma = design.blocks[block].item_gamma(inside)
    return Disguised(item, values, _LEVEL, gamma, tuple(classes), _direct(records, place, member))


def _rows_of(member: Ints, chosen: Bools) -> Sequence[Ints]:
    """The chosen rows, class by class; classes without any are left out."""
    rows = np.flatnonzero(chosen)
    order = rows[np.argsort(member[rows], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(member[order])) + 1) if len(order) else []


def _class_shares(records: Records, patterns: Sequence[Pattern], level: float) -> ClassShares:
    query = PatternQuery.parse(records.design, patterns)
    report = make_report(query, count_patterns(records, query), level)
    found = zip(patterns, report.patterns, strict=True)
    intervals = tuple(_exact_interval(records.design, pattern, figures, level) for pattern, figures in found)
    return ClassShares(len(records), tuple(figures.support for figures in report.patterns), intervals)


def _exact_interval(design: Design, pattern: Pattern, figures: Figures, level: float) -> tuple[float, float] | None:
    """The interval of Clopper and Pearson for the share of records that match, turned into one of true answers.

    It never misses more often than it says. Wilson's, which estimates have elsewhere, does in classes of ten.
    """
    if figures.ci is None or figures.observed is None:
        return None
    low, high = exact(np.array(figures.observed), np.array(figures.n), level)
    c, d = (float(one[0]) for one in channel_of([factors(design, pattern)]).line())
    ends = sorted(((low - c) / d, (high - c) / d))
    return float(ends[0]), float(ends[1])


def _direct(records: Records, place: int, member: Ints) -> TableMeasures | None:
    """The measures of the direct group, whose answers are true; those who were not asked are left out."""
    codes = records.codes[:, place]
    rows = np.flatnonzero(records.direct & (codes < len(records.design.items[place].options)))
    if not len(rows):
        return None
    classes = np.unique(member[rows], return_inverse=True)[1]
    return measure(tally(classes.astype(np.int64), codes[rows].astype(np.int64)))
