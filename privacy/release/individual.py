"""The risk of each row of a sample, and of all together, after Benedetti and Franconi (1998).

Of F people who fit a class, f are in the table, each drawn with the chance p. Given f, F − f is taken as negative
binomial, so that a row is somebody's with the chance r = E(1/F) = p/f · ₂F₁(1, 1; f + 1; 1 − p). p is f over how many
people the rows of the class stand for: by their weights, else by the sampling fraction.
"""

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.everybody import LEVEL, TABLE, SampleClasses, SampleFigure

BY = "Benedetti-Franconi"
WIDE = 1.959963984540054  # standard errors, of 95 %
POINTS = 80  # at which an integral is evaluated
MANY, TERMS = 50, 30  # rows of a class from which so many terms of a series are exact to the last digit


def class_risks(seen: SampleClasses) -> Floats:
    """Compute the risk of a row of each class: 1/F where a table of everybody says F, else its expectation."""
    from scipy.special import hyp2f1  # slow to import

    if seen.people is not None:
        return np.asarray(1 / seen.people)
    p, f = np.minimum(seen.chances, 1.0), seen.sizes
    # SciPy returns inf or nan for f from 100 on; there the series Σ (1 − p)^n / C(f + n, n) needs few terms.
    n = np.arange(1, TERMS)
    series = 1 + np.cumprod((1 - p[:, np.newaxis]) * n / (f[:, np.newaxis] + n), axis=1).sum(axis=1)
    return np.asarray(p / f * np.where(f < MANY, hyp2f1(1, 1, np.minimum(f, MANY) + 1, 1 - p), series))


def source_of(seen: SampleClasses) -> str:
    """What found the risks: a table of everybody, or the model."""
    return BY if seen.people is None else TABLE


def individual(seen: SampleClasses) -> SampleFigure:
    """Find the largest risk of a row; the interval holds the 1/F of such a row."""
    from scipy.special import nbdtrik  # slow to import

    risks = class_risks(seen)
    worst = int(risks.argmax())
    if seen.people is not None:
        return SampleFigure(float(risks[worst]), TABLE)
    f, p = seen.sizes[worst], seen.chances[worst]
    if p >= 1:
        return SampleFigure(float(risks[worst]), BY, float(risks[worst]), float(risks[worst]))
    more = [max(float(np.ceil(nbdtrik(chance, f, p))), 0.0) for chance in ((1 + LEVEL) / 2, (1 - LEVEL) / 2)]
    return SampleFigure(float(risks[worst]), BY, *(float(1 / (f + own)) for own in more))


def global_risk(seen: SampleClasses) -> SampleFigure:
    """Compute the share of rows that are expected to be found: the mean risk, and where Σ f/F lies for these f."""
    risks = class_risks(seen)
    value = float(seen.sizes @ risks / seen.rows)
    if seen.people is not None:
        return SampleFigure(value, TABLE)
    spread = WIDE * float((seen.sizes**2) @ _variances(seen.sizes, seen.chances, risks)) ** 0.5 / seen.rows
    return SampleFigure(value, BY, max(value - spread, 0.0), min(value + spread, 1.0))


def _variances(f: Ints, p: Floats, risks: Floats) -> Floats:
    """The variance of 1/F given f: E(1/F²) is the integral of −ln s · s^(f − 1)·(p/(1 − (1 − p)·s))^f over 0 < s < 1.

    1 − s = p·(e^y − 1) spreads the points evenly over the orders of magnitude in which the integrand lives, and y is
    the end less a square, so that the logarithm does no harm where s is near 0.
    """
    pairs, owner = np.unique(np.stack([f, np.minimum(p, 1.0)]), axis=1, return_inverse=True)
    f, p = pairs[:, :, np.newaxis]
    at, weight = np.polynomial.legendre.leggauss(POINTS)
    end = np.log1p(1 / p)
    from_end = (at + 1) / 2
    y = end * (1 - from_end**2)
    gone = np.minimum(p * np.expm1(y), 1 - 1e-15)
    density = -np.log1p(-gone) * (1 - gone) ** (f - 1) * (p / (p + (1 - p) * gone)) ** f * p * np.exp(y)
    square = (density * from_end * weight).sum(axis=1) * end[:, 0]
    # Of many rows the integrand is too narrow for the points; there the first terms in 1/f do.
    many = (p / f) ** 2 * (1 - p) / f * (1 + (4 - 6 * p) / f)
    own = owner.ravel()
    return np.where(f[own, 0] < MANY, np.maximum(square[own] - risks**2, 0.0), many[own, 0])
