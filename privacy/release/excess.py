"""How often discrete Gaussian noise exceeds ε: the δ of counts of which one person changes several, each by one.

Each of m changed cells has its own noise of the variance σ². If Z is the sum of these m noises, the odds between two
tables that differ by one person change by e^L, L = (m + 2Z)/2σ², and ε is exceeded by

    δ = Σ_Z P(Z) · max(1 − e^(ε−L), 0)

(Balle and Wang 2018, theorem 5; both tables give the same, as the noise is symmetric). All is rounded upward.

The law of Z is no discrete Gaussian. Over all noises that sum up to Z, P(Z) is exp(−Z²/2mσ²) times a sum of Gaussians
over a shifted lattice. By Poisson's formula the shift changes that sum by a factor of (1+t)/(1−t) at most; t is the sum
of e^(−2π²σ²|v|²) over the dual lattice without 0. A vector v of it is a function x on m places, whole and up to a
constant, and m|v|² = Σ (x_i − x_j)² over pairs is at least Σ k(m−k) over its level sets, of k places each. So with
q = e^(−π²σ²), t ≤ A/(1−A) where A = 2((1+q)^m − 1), and t ≤ 4mq where mq < .1. Where that is not tiny, the laws are
convolved.
"""

from math import ceil, exp, floor, log, pi, sqrt

import numpy as np

from privacy.arrays import Floats

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
