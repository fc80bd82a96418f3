"""Whether published figures, added and subtracted, are about fewer people than a survey reports on.

A figure is a sum over classes of people, in which each class has a whole coefficient. A combination of figures is about
the classes that do not cancel (docs/decisions/0083-whom-figures-are-about.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

Class = Any  # what can be a key
Figure = Mapping[Class, int]
"""The coefficient of each class of people whom a published figure rests on."""
Counts = Mapping[Class, int]
"""How many people are in each class."""
Published = tuple[list[Figure], Counts]


def few_people(figures: Iterable[Figure], people: Counts, least: int) -> frozenset[Class]:
    """The classes of fewer than `least` people together that some combination of figures is about; none if there is no
    such combination.

    A class that `people` does not name is hidden by its disguise, among however few.
    """
    rows = [figure for figure in figures if any(figure.values())]
    classes = list(dict.fromkeys(one for figure in rows for one in figure))
    small = sorted((group for group in classes if people.get(group, least) < least), key=lambda one: -people[one])
    large = [group for group in classes if people.get(group, least) >= least]
    combined = np.array([[figure.get(one, 0) for one in (*large, *small)] for figure in rows], object)
    for column in range(len(large)):
        combined = _without(combined, column)
    sizes = np.array([0] * len(large) + [people[one] for one in small])
    found = _lightest(combined, sizes, len(large), least - 1)
    return frozenset(small[place - len(large)] for place in found)


def _without(combined: np.ndarray, column: int) -> np.ndarray:
    """The combinations in which a class cancels, in whole numbers (fraction-free elimination, Bareiss 1968)."""
    if not len(combined) or not combined[:, column].any():
        return combined
    places = np.flatnonzero(combined[:, column])
    pivot, others = combined[places[0]], np.delete(combined, places[0], 0)
    made = others * pivot[column] - np.outer(others[:, column], pivot)
    made = made[(made != 0).any(axis=1)]
    return made // np.gcd.reduce(made, axis=1, keepdims=True) if len(made) else made


def _lightest(combined: np.ndarray, sizes: np.ndarray, place: int, spare: int) -> Sequence[int]:
    """The columns of a combination whose classes from `place` on have at most `spare` people together.

    They come from the largest to the smallest. Each cancels, or its people are in the figure.
    """
    if not len(combined):
        return ()
    while place < len(sizes) and not combined[:, place].any():
        place += 1
    if place == len(sizes):
        return np.flatnonzero(combined[0]).tolist()
    found = _lightest(_without(combined, place), sizes, place + 1, spare)
    return found or (_lightest(combined, sizes, place + 1, spare - sizes[place]) if sizes[place] <= spare else ())


def figures_in_groups(name: str, groups: Sequence[np.ndarray], direct: np.ndarray, with_direct: bool) -> Published:
    """The figures of people by their group in each of some ways to make groups; codes are numbers from −1 on.

    Some figures are of disguised people alone. Where direct ones count, others are of both, and in each group in which
    disguised people are some direct ones may be.
    """
    sizes = [2, *(int(codes.max(initial=-1)) + 2 for codes in groups)]
    numbers, counts = np.unique(
        np.ravel_multi_index([direct.astype(int), *(codes + 1 for codes in groups)], sizes), return_counts=True
    )
    cells = np.transpose(np.unravel_index(numbers, sizes)).tolist()
    people = {(name, *cell): n for cell, n in zip(cells, counts.tolist(), strict=True) if with_direct or not cell[0]}
    if with_direct:
        people = {(name, 1, *cell[2:]): 0 for cell in people} | people
    figures: list[Figure] = []
    for index in range(2, 2 + len(groups)):
        for group in sorted({cell[index] for cell in people}):
            own = [cell for cell in people if cell[index] == group]
            figures += [dict.fromkeys([cell for cell in own if not cell[1]], 1), dict.fromkeys(own, 1)]
    return figures, people
