"""How many people are alone with their quasi-identifiers in the population, estimated from the classes of a sample.

Three models of class sizes, and the rule of Dankar, El Emam, Neisa and Roffey (2012) that chooses among them: Pitman's
in the form of Hoshino (2001), Zayatz's (1991), and the slide negative binomial, SNB, of Chen and McNulty (1998). s_j is
how many classes have j of the n rows, u how many classes there are, N how many people, and π = n/N.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.errors import to_translate
from privacy.release.everybody import TABLE, SampleClasses, SampleFigure

NOBODY = to_translate("no row is alone")
SMALL = 0.1  # sampling fractions up to this one are Pitman's
WIDE = 1.959963984540054  # standard errors, of 95 %
_STEP = 1e-4  # of differences in place of derivatives
EDGE = 8.0  # the logit of α at which it is as good as 0 or 1


@dataclass(frozen=True)
class ClassCounts:
    """How many classes (`counts`) have each number of rows (`rows`), of a sample from `people`."""

    rows: Ints
    counts: Ints
    people: float

    @property
    def n(self) -> int:
        return int(self.rows @ self.counts)

    @property
    def u(self) -> int:
        return int(self.counts.sum())

    @property
    def share(self) -> float:
        return self.n / self.people

    def with_rows(self, rows: int) -> int:
        """How many classes have so many rows."""
        return int(self.counts[self.rows == rows].sum())


def uniques(seen: SampleClasses) -> SampleFigure:
    """Estimate the share of people who are alone in the population; of a table of everybody, that of these rows."""
    if seen.fitting is not None:
        return SampleFigure(float((seen.fitting == 1).mean()), TABLE)
    rows, counts = np.unique(seen.sizes, return_counts=True)
    sample = ClassCounts(rows, counts, seen.everybody.size)
    if not sample.with_rows(1):
        return SampleFigure(0.0, NOBODY)
    if sample.n >= sample.people:
        return SampleFigure(sample.with_rows(1) / sample.n, TABLE)
    for name in ("Pitman", "Zayatz") if sample.share <= SMALL else _smaller(sample):
        if found := MODELS[name](sample):
            value, low, high = (None if one is None else min(one / sample.people, 1.0) for one in found)
            assert value is not None
            return SampleFigure(value, name, low, high)
    raise AssertionError("Zayatz's model has no condition")


def _smaller(sample: ClassCounts) -> tuple[str, ...]:
    """The two models for large fractions, that with the smaller estimate first."""
    one, other = snb(sample), zayatz(sample)
    return ("SNB", "Zayatz") if one and one[0] <= other[0] else ("Zayatz",)


Estimate = tuple[float, float | None, float | None]  # of the number of people, and its interval where one is known


def zayatz(sample: ClassCounts) -> Estimate:
    """Zayatz (1991): a class of j people shows one row with the hypergeometric chance h(j), and has s_j/u of classes.

    So a row that is alone is alone in the population with the chance s₁·h(1) / Σ s_j·h(j).
    """
    people, n = round(sample.people), sample.n

    def shows_one(size: int) -> float:
        """j·(n/N)·Π (N − n − i)/(N − 1 − i) over i < j − 1."""
        if size - 1 > people - n:
            return 0.0
        steps = np.arange(size - 1)
        return float(size * n / people * np.prod((people - n - steps) / (people - 1 - steps)))

    alone = sample.with_rows(1) * shows_one(1)
    every = sum(
        count * shows_one(size) for size, count in zip(sample.rows.tolist(), sample.counts.tolist(), strict=True)
    )
    return sample.with_rows(1) * alone / every / sample.share, None, None


def pitman(sample: ClassCounts) -> Estimate | None:
    """Hoshino (2001): θ and α by maximum likelihood, then the expected number of classes of one among N people.

    The interval is that of the logarithm by the information matrix. None where no maximum of the likelihood is found.
    ARX 3.9 takes N^α in place of the product over N people, which is .3 % more on Adult as a tenth of all.
    """
    from scipy.optimize import minimize  # slow to import

    def unlikely(at: Floats) -> float:
        return -_log_likelihood(at, sample)

    begin, ends = np.array([0.0, log(sample.n)]), [(-EDGE, EDGE), (-30.0, 40.0)]
    near = minimize(unlikely, begin, method="L-BFGS-B", bounds=ends)
    found = minimize(unlikely, near.x, method="Nelder-Mead", bounds=ends, options={"xatol": 1e-6, "fatol": 1e-8})
    at = np.asarray(found.x, np.float64)
    if at[1] > 39 or abs(_slope(lambda one: _log_likelihood(one, sample), at)[1]) > 1e-3 * sample.n:
        return None
    value = _expected_uniques(at, sample.people)
    if abs(at[0]) > EDGE - 1:  # α is 0 or 1, where the likelihood has no slope of 0
        return value, None, None
    information = -_curvature(lambda one: _log_likelihood(one, sample), at)
    slope = _slope(lambda one: log(_expected_uniques(one, sample.people)), at)
    try:
        variance = float(slope @ np.linalg.solve(information, slope))
    except np.linalg.LinAlgError:
        variance = inf
    if not 0 <= variance < inf:
        return value, None, None
    width = exp(WIDE * variance**0.5)
    return value, value / width, value * width


def _parameters(at: Floats) -> tuple[float, float]:
    """θ and α: 0 < α < 1 and θ > −α, from two numbers without limits."""
    alpha = 1 / (1 + exp(-min(max(at[0], -EDGE), EDGE)))
    return exp(at[1]) - alpha, alpha


def _log_likelihood(at: Floats, sample: ClassCounts) -> float:
    """Pitman's sampling formula, without what depends on the sample alone."""
    from scipy.special import gammaln

    theta, alpha = _parameters(at)
    u, n = sample.u, sample.n
    classes = (u - 1) * log(alpha) + gammaln(theta / alpha + u) - gammaln(theta / alpha + 1)
    rows = gammaln(theta + n) - gammaln(theta + 1)
    return float(classes - rows + sample.counts @ (gammaln(sample.rows - alpha) - gammaln(1 - alpha)))


def _expected_uniques(at: Floats, people: float) -> float:
    """N·Π (θ + α + i − 1)/(θ + i) over 0 < i < N: each of N people is alone if nobody who comes later joins."""
    from scipy.special import gammaln

    theta, alpha = _parameters(at)
    return exp(log(people) + gammaln(theta + alpha + people - 1) - gammaln(theta + alpha)
               + gammaln(theta + 1) - gammaln(theta + people))  # fmt: skip


def snb(sample: ClassCounts, classes: float | None = None) -> Estimate | None:
    """Chen and McNulty (1998): a class has one person and a negative binomial number more, K classes in all.

    α and β are those that expect s₁ and s₂ of a sample by chance π: with D = 1 − (1 − β)(1 − π), s₁ = K·π·(β/D)^α·
    (1 + α(1 − D)/D) and s₂ = K·π²·α·(1 − β)·β^α·(2D + (α + 1)(1 − D)) / (2·D^(α + 2)). K·β^α people are alone. None
    where no α and β do. `classes` is K, if it is known. ARX 3.9 has D^(α + 2) as a factor of s₂,
    which no expected value has.
    """
    from scipy.optimize import least_squares  # slow to import

    share, many = sample.share, shlosser(sample) if classes is None else classes

    def means(at: Floats) -> Floats:
        alpha, beta = exp(at[0]), 1 / (1 + exp(-at[1]))
        d = 1 - (1 - beta) * (1 - share)
        one = many * share * (beta / d) ** alpha * (1 + alpha * (1 - d) / d)
        two = many * share**2 * alpha * (1 - beta) * beta**alpha * (2 * d + (alpha + 1) * (1 - d))
        return np.array([one, two / (2 * d ** (alpha + 2))])

    shown = np.array([sample.with_rows(1), sample.with_rows(2)], np.float64)

    def amiss(at: Floats) -> Floats:
        return (means(at) - shown) / np.maximum(shown, 1)

    found = least_squares(amiss, np.zeros(2), bounds=(-20, 20), xtol=1e-13, ftol=1e-13, gtol=1e-13)
    if not abs(found.fun).max() < 1e-6:
        return None
    return many * (1 / (1 + exp(-found.x[1]))) ** exp(found.x[0]), None, None


def shlosser(sample: ClassCounts) -> float:
    """Shlosser's number of classes in the population, as Haas and Stokes (1998) mend it for uneven sizes."""
    share, rows, counts = sample.share, sample.rows.astype(np.float64), sample.counts
    lost = (1 - share) ** rows
    pairs = counts @ (rows * share**2 * (1 - share**2) ** (rows - 1))
    more = counts @ (lost * ((1 + share) ** rows - 1))
    ratio = counts @ lost / (counts @ (rows * share * (1 - share) ** (rows - 1)))
    return float(sample.u + sample.with_rows(1) * pairs / more * ratio**2)


def _slope(of: Callable[[Floats], float], at: Floats) -> Floats:
    return np.array([(of(at + one) - of(at - one)) / (2 * _STEP) for one in np.eye(len(at)) * _STEP])


def _curvature(of: Callable[[Floats], float], at: Floats) -> Floats:
    return np.array([(_slope(of, at + one) - _slope(of, at - one)) / (2 * _STEP) for one in np.eye(len(at)) * _STEP])


MODELS: dict[str, Callable[[ClassCounts], Estimate | None]] = {"Pitman": pitman, "Zayatz": zayatz, "SNB": snb}
