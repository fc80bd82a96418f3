"""Groups of words: for long lists a record names one of many public groups, and words are in several of them.

Words are numbered from 0, in the order of the list. With a prime B and the number w·B + u of a word, 0 ≤ u < B, and
v = (u² + w) mod B, each seed from 0 to B puts every word into one of B buckets:

    bucket = (v + seed·u) mod B        the seed B: bucket = u

The group is seed·B + bucket. Words are points of the affine plane of B² points and groups its lines, so that each word
is in r = B + 1 groups, one of each seed, and **each two words share exactly one**. No hash has fewer groups with this.

Of a person let o be the own groups: those with an own word. With the chance q of other groups, and what is added at the
cap d, an own group has

    q + a·d,   a = (r² − c)/(r² − o) where o ≤ c, the cap in groups, and c/o above

A word that is not true has one group in common with each own word, about o/r groups, where own words share no group
with it. So of the records that name one of its groups, less 1/r of those that name any, remains a·d·(r − o/r) for each
own word, which a makes the same for all people up to the cap, and about nothing for others:

    π̂_y = (share with y − share with a group/r − q)/(d·(r − c/r))

What own words share with another word makes up for that only in the mean over words (`invert_groups` says how far it
can be). Words that follow each other lie on a parabola, of which no three are in a group: single answers are first in a
list, and those of one person would all share a group if they lay on a line.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray


def groups_of_words(words: int, buckets: int) -> NDArray[np.intp]:
    """The groups of each word, one of each seed: words × (buckets + 1)."""
    w, u = np.divmod(np.arange(words)[:, np.newaxis], buckets)
    v = (u**2 + w) % buckets
    seeds = np.arange(buckets)
    return np.concatenate([seeds * buckets + (v + seeds * u) % buckets, buckets**2 + u], axis=1)


def read_number(
    codes: NDArray[np.integer], harmless: NDArray[np.intp], options: NDArray[np.intp], end: int
) -> NDArray[np.intp]:
    """The numbers that rows of answers write, as in `write_number`; 0 for a number from `end` on.

    >>> read_number(np.array([[0, 1, 0], [1, 0, 0], [1, 0, 1]]), np.array([0, 1, 0]), np.array([2, 3, 2]), 10).tolist()
    [0, 5, 0]
    """
    digits = (codes.astype(np.intp) - harmless) % options
    made, radix = np.zeros(len(codes), np.intp), 1
    for digit, base in zip(digits.T, options.tolist(), strict=True):
        made += digit * radix
        radix = min(radix * base, end)  # beyond it any digit is too many
    return np.where(made < end, made, 0)


def is_prime(number: int) -> bool:
    """Whether a number is prime, as the number of buckets has to be.

    >>> [number for number in range(20) if is_prime(number)]
    [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def write_number(numbers: NDArray[np.intp], harmless: NDArray[np.intp], options: NDArray[np.intp]) -> NDArray[np.intp]:
    """Write numbers as rows of answers, 0 as harmless ones: the first item has the lowest digit, 0 if harmless.

    >>> write_number(np.array([0, 1, 5]), np.array([0, 1, 0]), np.array([2, 3, 2])).tolist()
    [[0, 1, 0], [1, 1, 0], [1, 0, 0]]
    """
    made = np.empty((len(numbers), len(options)), np.intp)
    for place, (usual, base) in enumerate(zip(harmless.tolist(), options.tolist(), strict=True)):
        numbers, digit = np.divmod(numbers, base)
        made[:, place] = (usual + digit) % base
    return made
