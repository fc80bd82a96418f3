"""A public order of the answers asked: everybody who knows what was asked can work it out.

The sets of s out of a block's N items are numbered by the combinatorial number system (Knuth, The Art of Computer
Programming 4A, 7.2.1.3): those of the places c_1 < … < c_s have the number Σ C(c_i, i). The s! orders are numbered as
words in a dictionary. The set with the number r is asked in the order r mod s!; so all orders come about as often, and
no record has to hold its own. But a pattern is in few of the sets, and may stand at bad places in most of them.

The *even* order goes through the sets by their numbers and gives each the order in which its parts, of up to three
items, have stood at their places least often so far, all parts together, those of several items three times; of several
such orders the first. So every pattern stands at all places about as often. Only `has_even` designs can have it.

The browser orders in the same way (privacy/disguise/browser/kinds/patterned.js).
"""

from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

MOST_ORDERED = 5  # items of an order: a table has 2^s masks
_LONGEST = 3
_MOST_TRIED = 120_000  # orders of sets: more take longer than a phone should, and then chance makes places even enough


def places_in_order(here: NDArray[np.bool_], asked: int, even: bool = False) -> NDArray[np.intp]:
    """The place of each asked item in the order of its row, −1 where an item was not asked.

    `here` has a row for each respondent and a column for each item; each row asks `asked` items.

    >>> places_in_order(np.array([[True, True, False], [True, False, True], [False, True, True]]), 2).tolist()
    [[0, 1, -1], [1, -1, 0], [-1, 0, 1]]
    """
    rank = np.cumsum(here, axis=1)  # of an asked item, counted from 1
    numbers = _numbers(here.shape[1], asked, even)[np.arange(here.shape[1]), rank]
    number = np.where(here, numbers, 0).sum(axis=1)
    places = np.take_along_axis(_places(number, here.shape[1], asked, even), np.maximum(rank - 1, 0), axis=1)
    return np.where(here, places, -1)


def places_of_sets(sets: NDArray[np.intp], items: int, even: bool = False) -> NDArray[np.intp]:
    """The place of each item in the order of its set; `sets` has a row for each set, its items in rising order.

    >>> places_of_sets(np.array([[0, 1], [0, 2], [1, 2]]), 3).tolist()
    [[0, 1], [1, 0], [0, 1]]
    """
    asked = sets.shape[1]
    number = _numbers(items, asked, even)[sets, np.arange(1, asked + 1)].sum(axis=1)
    return _places(number, items, asked, even)


def _places(number: NDArray[np.int64], items: int, asked: int, even: bool) -> NDArray[np.intp]:
    """The place of each asked item in its order, a row for each number of a set."""
    return _orders(asked)[even_orders(items, asked)[number] if even else number % factorial(asked)]


@cache
def _numbers(items: int, asked: int, even: bool) -> NDArray[np.int64]:
    """C(c, i) at [item c, rank i], which add up to the number of a set; mod s! where only the remainder counts."""
    most = _MOST_TRIED if even else factorial(asked)
    return np.array([[comb(place, rank) % most for rank in range(asked + 1)] for place in range(items)])


@cache
def _orders(asked: int) -> NDArray[np.intp]:
    """All orders of the asked items, a row each: the place of the first item, of the second, and so on."""
    return np.argsort(np.array(list(permutations(range(asked)))), axis=1)


def has_even(items: int, asked: int) -> bool:
    """Whether the sets of `asked` out of `items` are few enough for the even order."""
    return comb(items, asked) * factorial(asked) <= _MOST_TRIED


@lru_cache(maxsize=64)
def even_orders(items: int, asked: int) -> NDArray[np.intp]:
    """Which order each set of items has by the even rule, as a row of `_orders`; sets go by their numbers.

    >>> even_orders(3, 2).tolist()
    [0, 1, 0]
    """
    sets = np.array(list(combinations(range(items)[::-1], asked)))[::-1, ::-1]
    # A set has a part of all its items to itself, which therefore stood nowhere before.
    parts = [
        part for size in range(1, min(max(asked - 1, 1), _LONGEST) + 1) for part in combinations(range(asked), size)
    ]
    places = np.stack([(1 << _orders(asked)[:, part]).sum(axis=1) for part in parts], axis=1)
    names = np.stack([(sets[:, part] + 1) @ (items + 1) ** np.arange(len(part)) for part in parts], axis=1)
    weights = np.array([1 if len(part) == 1 else 3 for part in parts])
    stood, every = np.zeros((items + 1) ** min(asked, _LONGEST) * 2**asked), np.ones(len(parts))
    chosen = []
    for at in (names * 2**asked)[:, np.newaxis] + places:
        order = stood.take(at).dot(every).argmin()
        chosen.append(order)
        stood[at[order]] += weights
    return np.array(chosen)
