"""A public order of the answers asked, which whoever knows what was asked can work out.

The sets of s out of a block's N items are numbered by the combinatorial number system (Knuth, The Art of Computer
Programming 4A, 7.2.1.3): those of the places c_1 < … < c_s have the number Σ C(c_i, i). The s! orders are numbered as
words in a dictionary. The set with the number r is asked in the order r mod s!; so all orders come about as often, and
no record has to hold its own. The browser orders in the same way (privacy/disguise/browser/kinds/patterned.js).
"""

from functools import cache
from itertools import permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

MOST_ORDERED = 5  # items of an order: a table has 2^s masks


def ordered_places(here: NDArray[np.bool_], asked: int) -> NDArray[np.intp]:
    """The place of each asked item in the order of its row, −1 where an item was not asked.

    `here` has a row for each respondent and a column for each item; each row asks so many items.

    >>> ordered_places(np.array([[True, True, False], [True, False, True], [False, True, True]]), 2).tolist()
    [[0, 1, -1], [1, -1, 0], [-1, 0, 1]]
    """
    rank = np.cumsum(here, axis=1)  # of an asked item, counted from 1
    numbers = _numbers(here.shape[1], asked)[np.arange(here.shape[1]), rank]
    number = np.where(here, numbers, 0).sum(axis=1) % factorial(asked)
    places = np.take_along_axis(_orders(asked)[number], np.maximum(rank - 1, 0), axis=1)
    return np.where(here, places, -1)


@cache
def _numbers(items: int, asked: int) -> NDArray[np.int64]:
    """C(c, i) mod s! for each place c and rank i."""
    most = factorial(asked)
    return np.array([[comb(place, rank) % most for rank in range(asked + 1)] for place in range(items)])


@cache
def _orders(asked: int) -> NDArray[np.intp]:
    """In each order, the place of the first asked item, of the second, and so on."""
    return np.argsort(np.array(list(permutations(range(asked)))), axis=1)
