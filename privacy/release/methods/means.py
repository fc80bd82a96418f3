"""Microaggregation: groups of at least k rows, each published by its means.

`mdav` is the heuristic of Domingo-Ferrer and Torra (2005, section 4.1): maximum distance to the average vector. Of a
single number `best_partition` finds the groups with the least squared error, as the shortest path of Hansen and
Mukherjee (2003): sorted values, groups of neighbours, each of k to 2k − 1 of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import fsum, inf

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.methods.local import require_enough
from privacy.release.reasons import Progress, nobody

DIGITS = 2  # decimals of a mean beyond those of the numbers
UNITS = 1 << 20  # of a standard deviation
EMPTY = 8  # a part of the places; once so many are empty, they are dropped


def mdav(points: Floats, k: int, progress: Progress = nobody) -> Ints:
    """The group of each point; of equally far ones the first by content, so that their order decides nothing.

    Points that are alike are one place with a count. Coordinates are whole numbers, so that sums of them are exact.
    """
    require_enough(len(points), k)
    places = _Places.from_points(points)
    while places.left >= 2 * k:
        progress(1 - places.left / len(points))
        first = places.farthest(places.distances(places.total / places.left))
        from_first = places.distances(first)
        second = places.farthest(from_first)
        places.take(k, from_first)
        if places.left >= 2 * k:  # there were 3k or more
            places.take(k, places.distances(second))
        places.compact()
    places.take(places.left, places.distances(places.total))
    return places.member


@dataclass(eq=False)
class _Places:
    """Places with points that are left, in the order of their content.

    `order` are all points, place by place; `start` is where those left of a place begin, and `count` how many they are.
    """

    columns: Floats
    start: Ints
    count: Ints
    order: Ints
    member: Ints
    total: Floats
    left: int
    groups: int = 0
    empty: list[int] = field(default_factory=list)

    @classmethod
    def from_points(cls, points: Floats) -> "_Places":
        order = np.lexsort(points.T[::-1])
        own = points[order]
        start = np.flatnonzero(np.append(True, (own[1:] != own[:-1]).any(axis=1)))
        count = np.diff(start, append=len(own))
        member = np.empty(len(own), np.int64)
        return cls(own[start].T.copy(), start, count, order, member, own.sum(axis=0), len(own))

    def distances(self, origin: Floats) -> Floats:
        """Squared distances, added up column by column, so that every processor rounds alike."""
        total = np.zeros(len(self.count))
        for column, own in zip(self.columns, origin.tolist(), strict=True):
            apart = column - own
            apart *= apart
            total += apart
        return total

    def farthest(self, distances: Floats) -> Floats:
        distances[self.empty] = -1
        return np.asarray(self.columns[:, distances.argmax()])

    def take(self, k: int, distances: Floats) -> None:
        """Make a group of the k nearest points."""
        distances[self.empty] = inf
        last = min(k, len(distances)) - 1
        near = np.flatnonzero(distances <= np.partition(distances, last)[last])
        wanted = k
        for place in near[np.argsort(distances[near], kind="stable")].tolist():
            own, first = min(int(self.count[place]), wanted), int(self.start[place])
            self.member[self.order[first : first + own]] = self.groups
            self.start[place], self.count[place] = first + own, self.count[place] - own
            self.total -= own * self.columns[:, place]
            wanted -= own
            if not self.count[place]:
                self.empty.append(place)
            if not wanted:
                break
        self.groups, self.left = self.groups + 1, self.left - k

    def compact(self) -> None:
        """Drop empty places, once they are many."""
        if len(self.empty) * EMPTY > len(self.count):
            kept = np.flatnonzero(self.count)
            self.columns, self.start, self.count = self.columns[:, kept], self.start[kept], self.count[kept]
            self.empty = []


def best_partition(numbers: Sequence[int], k: int) -> Ints:
    """The group of each number, such that the squared error within groups of at least k is the least there is.

    Errors are sums of exact ones, each rounded once.
    """
    require_enough(len(numbers), k)
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    ordered = [numbers[place] for place in order]
    sums, squares = ([0, *accumulate(own)] for own in (ordered, [one * one for one in ordered]))
    cost, before = [0.0, *[inf] * len(numbers)], [0] * (len(numbers) + 1)
    for end in range(k, len(numbers) + 1):
        for start in range(max(end - 2 * k + 1, 0), end - k + 1):
            if cost[start] < inf:
                size, total = end - start, sums[end] - sums[start]
                error = cost[start] + (size * (squares[end] - squares[start]) - total * total) / size
                if error < cost[end]:
                    cost[end], before[end] = error, start
    ends = [len(numbers)]
    while ends[-1]:
        ends.append(before[ends[-1]])
    member = np.empty(len(numbers), np.int64)
    member[order] = np.searchsorted(ends[-2::-1], np.arange(len(numbers)), side="right")
    return member


def standard(columns: Sequence[Sequence[str]], weights: Sequence[float]) -> Floats:
    """The numbers by their standard deviation, times the root of their weight: a point for each row.

    Coordinates are whole numbers of 2^-20 of a standard deviation.
    """
    points = []
    for column, weight in zip(columns, weights, strict=True):
        own = np.array(column, np.float64)
        apart = own - fsum(own.tolist()) / len(own)
        spread = (fsum((apart**2).tolist()) / len(own)) ** 0.5
        points.append(np.rint(apart / spread * weight**0.5 * UNITS) if spread else np.zeros(len(own)))
    return np.stack(points, axis=1)


def whole_numbers(column: Sequence[str]) -> tuple[list[int], int]:
    """The numbers without their decimals, and how many decimals these are.

    >>> whole_numbers(["2.5", "31"])
    ([25, 310], 1)
    """
    numbers = list(map(Decimal, column))
    decimals = max(0, *(-int(number.as_tuple().exponent) for number in numbers))
    return [int(number.scaleb(decimals)) for number in numbers], decimals


def means(column: Sequence[str], member: Ints) -> list[str]:
    """What stands in the place of each number: the mean of its group, with two decimals more than the numbers have.

    >>> means(["20", "31", "45", "46"], np.array([0, 0, 1, 1]))
    ['25.5', '25.5', '45.5', '45.5']
    """
    numbers, decimals = whole_numbers(column)
    sums, sizes = [0] * (int(member.max()) + 1), np.bincount(member).tolist()
    for number, own in zip(numbers, member.tolist(), strict=True):
        sums[own] += number
    steps = [round(Fraction(total * 10**DIGITS, size)) for total, size in zip(sums, sizes, strict=True)]
    texts = [f"{Decimal(step).scaleb(-decimals - DIGITS).normalize():f}" for step in steps]
    return [texts[own] for own in member.tolist()]


def variance_lost(column: Sequence[str], published: Sequence[str]) -> float:
    """The share of the variance of a column that its means lack.

    >>> variance_lost(["1", "3", "5", "7"], ["2", "2", "6", "6"])
    0.2
    """
    before, after = (np.array(own, np.float64) for own in (column, published))
    whole = ((before - before.mean()) ** 2).sum()
    return round(float(((before - after) ** 2).sum() / whole), 12) if whole else 0.0
