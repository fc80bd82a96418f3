"""Whole noise drawn from whole random numbers, so that no rounding of a machine's numbers shows through a count.

After Canonne, Kamath and Steinke, "The discrete Gaussian for differential privacy" (2020): a coin of the chance
exp(−x) for a fraction x (their algorithm 1), the discrete Laplace distribution (2), and the discrete Gaussian (3). All
is decided by comparing fractions. Noise that is computed in floating point leaves marks in its last digits, by which a
single result can tell the true count (Mironov 2012).
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, isqrt, log, sqrt
from statistics import NormalDist

from privacy.choices import GAUSSIAN, LAPLACE
from privacy.errors import InputError

LEVEL = 0.95  # of noise that is said to be within a distance

Below = Callable[[int], int]
"""Draws a whole number from 0 and below this one, each equally likely."""


@dataclass(frozen=True)
class Laplace:
    """P(z) ∝ exp(−|z| / scale): of the scale sensitivity / ε, a result is ε-differentially private."""

    scale: Fraction

    def draw(self, below: Below = secrets.randbelow) -> int:
        """Draw one whole number."""
        above, under = self.scale.as_integer_ratio()
        while True:
            rest = below(above)
            if not exponential_coin(Fraction(rest, above), below):
                continue
            rounds = 0
            while exponential_coin(Fraction(1), below):
                rounds += 1
            size = (rest + above * rounds) // under
            negative = below(2)
            if size or not negative:  # 0 has no sign, and must not be drawn twice as often
                return -size if negative else size

    def within(self, level: float) -> int:
        """The least distance that noise exceeds with a chance of at most 1 − `level`."""
        rate = 1 / float(self.scale)
        return max(0, ceil(log(2 / ((1 - level) * (1 + exp(-rate)))) / rate) - 1)


@dataclass(frozen=True)
class Gaussian:
    """P(z) ∝ exp(−z² / 2·variance)."""

    variance: Fraction

    def draw(self, below: Below = secrets.randbelow) -> int:
        """Draw one whole number."""
        scale = isqrt(int(self.variance)) + 1
        wide = Laplace(Fraction(scale))
        while True:
            drawn = wide.draw(below)
            if exponential_coin((abs(drawn) - self.variance / scale) ** 2 / (2 * self.variance), below):
                return drawn

    def within(self, level: float) -> int:
        """A distance that noise exceeds with a chance of at most 1 − `level`; it may be a little above the least."""
        return ceil(NormalDist().inv_cdf((1 + level) / 2) * sqrt(self.variance))


Noise = Laplace | Gaussian


def exponential_coin(x: Fraction, below: Below) -> bool:
    """Throw a coin that shows heads with the chance exp(−x), x from 0.

    >>> exponential_coin(Fraction(0), secrets.randbelow)
    True
    """
    for _ in range(int(x)):
        if not _until_tails(Fraction(1), below):
            return False
    return _until_tails(x - int(x), below)


def _until_tails(x: Fraction, below: Below) -> bool:
    """As `exponential_coin` for x up to 1: of coins of x, x/2, x/3 … the first tails is at an odd place by exp(−x)."""
    place = 1
    while below(x.denominator * place) < x.numerator:
        place += 1
    return place % 2 == 1


def noise_of(sizes: Iterable[int], epsilon: Fraction, delta: Fraction | None = None, law: str | None = None) -> Noise:
    """The noise for tables with these numbers of cells, each of which sums up to all people; ε and δ of all together.

    Somebody who were another one changes two cells of a table; of two cells one tells the other. Without a δ the noise
    is Laplace's, else that of the `law`, of `privacy.choices.LAWS`, or the nearer one.

    >>> noise_of([2, 3], Fraction(1))
    Laplace(scale=Fraction(3, 1))
    >>> noise_of([2] * 20, Fraction(1), Fraction(1, 10**6)).within(0.95)
    38
    """
    changed = sum(min(cells - 1, 2) for cells in sizes)
    if not changed:
        raise InputError("Where every column has one value alone there is nothing to count.")
    if delta is None or law == LAPLACE:
        return laplace(epsilon, changed)
    normal, plain = gaussian(epsilon, delta, changed), laplace(epsilon, changed)
    return normal if law == GAUSSIAN or normal.within(LEVEL) < plain.within(LEVEL) else plain


def laplace(epsilon: Fraction, changed: int) -> Laplace:
    """The ε-differentially private noise of counts, of which one person changes `changed`, each by one.

    >>> laplace(Fraction(1, 2), 2)
    Laplace(scale=Fraction(4, 1))
    """
    return Laplace(changed / epsilon)


def gaussian(epsilon: Fraction, delta: Fraction, changed: int) -> Gaussian:
    """The (ε, δ)-differentially private noise of counts, of which one person changes `changed`; for δ below 1.

    The variance is about the least that `privacy.release.excess` allows, rounded up. The search begins at one that
    does: of the variance σ² counts are ρ-concentrated with ρ = changed / 2σ², and ε = ρ + 2√(ρ ln 1/δ) holds (Bun and
    Steinke 2016, proposition 1.3).
    """
    from privacy.release.excess import excess, least_variance  # NumPy, which a site that takes answers does without

    tail = log(delta.denominator) - log(delta.numerator)
    root = float(epsilon) / (sqrt(tail + float(epsilon)) + sqrt(tail))  # √(tail + ε) − √tail, without cancelling
    enough = changed / (2 * root * root) * (1 + 1e-12)
    steps = ceil(least_variance(float(epsilon), float(delta), changed, enough) * 2**16)
    while excess(steps / 2**16, float(epsilon), changed) > delta:
        steps += 1
    return Gaussian(Fraction(steps, 2**16))
