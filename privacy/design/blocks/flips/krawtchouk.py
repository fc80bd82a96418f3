"""The numbers of a flip block: what turning over a random set of answers does to products of ±1 answers.

A flip block turns over d of its s yes/no answers, d drawn from `flips`, every set of d equally likely. A product of m
answers written ±1 keeps its expectation up to the factor a_m, the Krawtchouk transform of `flips`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from privacy.design.rationals import ONE


def krawtchouks(s: int, d: int) -> Iterator[int]:
    """Yield the Krawtchouk numbers K_0(d) … K_s(d), by (m+1)·K_{m+1} = (s−2d)·K_m − (s−m+1)·K_{m−1}."""
    before, here = 0, 1
    for m in range(s + 1):
        yield here
        before, here = here, ((s - 2 * d) * here - (s - m + 1) * before) // (m + 1)


def krawtchouk(s: int, m: int, d: int) -> int:
    """The Krawtchouk number K_m(d) = Σ_j (−1)^j C(d, j) C(s−d, m−j)."""
    return sum((-1) ** j * comb(d, j) * comb(s - d, m - j) for j in range(m + 1))


@lru_cache(maxsize=256)
def eigenvalues(flips: tuple[int, ...]) -> tuple[Fraction, ...]:
    """a_m = Σ_d flips[d]·K_m(d)/C(s, m) for m = 0 … s, exactly; 0 where a_m is only rounding of the table.

    |a_m| ≤ (s+1)·2^−32 may come from a table that was meant to give 0: patterns that need it are unidentified.
    """
    s = len(flips) - 1
    noise = Fraction(s + 1, ONE)
    sums = [0] * (s + 1)
    for d, share in enumerate(flips):
        for m, value in enumerate(krawtchouks(s, d)):
            sums[m] += share * value
    exact = [Fraction(total, ONE * comb(s, m)) for m, total in enumerate(sums)]
    return tuple(value if abs(value) > noise else Fraction(0) for value in exact)


def marginal_flips(flips: Sequence[int], size: int) -> tuple[Fraction, ...]:
    """The flips table of only `size` of the s items of a flip block: the chance that e of them are turned over.

    flips'[e] = Σ_d flips[d]·C(d, e)·C(s−d, size−e)/C(s, size).
    """
    s = len(flips) - 1
    return tuple(
        Fraction(sum(share * comb(d, e) * comb(s - d, size - e) for d, share in enumerate(flips)), ONE * comb(s, size))
        for e in range(size + 1)
    )
