"""The numbers of a flip block: what turning over a random set of answers does to products of ±1 answers.

A flip block turns over d of its s yes/no answers, d drawn from `flips`, every set of d equally likely. A product of m
answers written ±1 keeps its expectation up to the factor a_m, the Krawtchouk transform of `flips`.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from privacy.exact import ONE


def krawtchouk(s: int, m: int, d: int) -> int:
    """K_m(d) = Σ_j (−1)^j C(d, j) C(s−d, m−j)."""
    return sum((-1) ** j * comb(d, j) * comb(s - d, m - j) for j in range(m + 1))


@lru_cache(maxsize=256)
def eigenvalues(flips: tuple[int, ...]) -> tuple[Fraction, ...]:
    """a_m = Σ_d flips[d]·K_m(d)/C(s, m) for m = 0 … s, exactly; 0 where the rounding of the table is all there is.

    |a_m| ≤ (s+1)·2^−32 cannot be told from a table that was meant to give 0: patterns that need it are unidentified.
    """
    s = len(flips) - 1
    noise = Fraction(s + 1, ONE)
    exact = [
        sum((Fraction(share, ONE) * krawtchouk(s, m, d) for d, share in enumerate(flips)), Fraction(0)) / comb(s, m)
        for m in range(s + 1)
    ]
    return tuple(value if abs(value) > noise else Fraction(0) for value in exact)


def seen(flips: Sequence[int], size: int) -> tuple[Fraction, ...]:
    """The table of the flip block that is seen when only `size` of the s items are looked at.

    flips'[e] = Σ_d flips[d]·C(d, e)·C(s−d, size−e)/C(s, size).
    """
    s = len(flips) - 1
    return tuple(
        Fraction(sum(share * comb(d, e) * comb(s - d, size - e) for d, share in enumerate(flips)), ONE * comb(s, size))
        for e in range(size + 1)
    )
