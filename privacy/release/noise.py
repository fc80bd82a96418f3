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
from math import ceil, exp, floor, isqrt, log, pi, sqrt
from statistics import NormalDist

import numpy as np

from privacy.arrays import Floats
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

    The variance is about the least that `excess` allows, rounded up. The search begins at one that
    does: of the variance σ² counts are ρ-concentrated with ρ = changed / 2σ², and ε = ρ + 2√(ρ ln 1/δ) holds (Bun and
    Steinke 2016, proposition 1.3).
    """

    tail = log(delta.denominator) - log(delta.numerator)
    root = float(epsilon) / (sqrt(tail + float(epsilon)) + sqrt(tail))  # √(tail + ε) − √tail, without cancelling
    enough = changed / (2 * root * root) * (1 + 1e-12)
    steps = ceil(least_variance(float(epsilon), float(delta), changed, enough) * 2**16)
    while excess(steps / 2**16, float(epsilon), changed) > delta:
        steps += 1
    return Gaussian(Fraction(steps, 2**16))


_APART = 1e-9  # as much as laws may differ relatively, or they are convolved
_BLOCKS = 4000  # to a standard deviation of Z at most: of more values many are taken for their worst
_FAR = 12.0  # standard deviations of Z beyond where ε is first exceeded
_ROUNDING = 1 + 1e-9


def excess(variance: float, epsilon: float, changed: int) -> float:
    """An upper bound of δ, which is within a hundredth of it."""
    spread = sqrt(changed * variance)
    first = floor(variance * epsilon - changed / 2)  # of Z: no more than ε is lost up to here
    far = max(first, 0) + ceil(_FAR * spread) + 1
    apart = 4 * changed * exp(-(pi**2) * variance)
    if changed * variance > 1 and apart < _APART:
        block = max(floor(spread / _BLOCKS), 1)
        least = np.arange(first, far, block, dtype=float)
        most = least + (block - 1)
        law = block * np.exp(-(np.clip(0, least, most) ** 2) / (2 * spread**2)) / (sqrt(2 * pi) * spread)
        law *= (1 + apart) / (1 - apart)
        beyond = 2 * (1 + spread) * exp(-(far**2) / (2 * spread**2)) / spread
    else:
        law, most = _sums(variance, changed, far), np.arange(-far, far + 1, dtype=float)
        beyond = 4 * changed * exp(-(far**2) / (2 * spread**2))
    lost = (changed + 2 * most) / (2 * variance) - epsilon
    return float(law @ -np.expm1(-np.maximum(lost, 0.0))) * _ROUNDING + beyond


def _sums(variance: float, changed: int, far: int) -> Floats:
    """The probabilities of the sum of `changed` noises at the whole numbers from −far to far.

    What lies further off is cut at each step: that is less than 4·changed·exp(−far²/2mσ²) in all. The noise is
    subgaussian (Canonne, Kamath and Steinke 2020), so a sum of k exceeds x with a chance of at most exp(−x²/2kσ²).
    """
    places = np.arange(-far, far + 1, dtype=float)
    single = np.exp(-(places**2) / (2 * variance))
    single /= single.sum()
    made = np.where(places == 0, 1.0, 0.0)
    for bit in f"{changed:b}":
        made = np.convolve(made, made, "same")
        if bit == "1":
            made = np.convolve(made, single, "same")
    return made


def least_variance(epsilon: float, delta: float, changed: int, enough: float) -> float:
    """About the least variance by which ε is exceeded with a chance of at most δ; `enough` is a variance that does.

    >>> round(sqrt(least_variance(0.5, 1e-5, 4, 19.4**2)), 1)
    14.1
    """
    high, low = enough, enough / 2
    while low > 2**-16 and excess(low, epsilon, changed) <= delta:
        high, low = low, low / 2
    for _ in range(ceil(log(2 / 1e-4) / log(2))):
        middle = (low + high) / 2
        if excess(middle, epsilon, changed) <= delta:
            high = middle
        else:
            low = middle
    return high
