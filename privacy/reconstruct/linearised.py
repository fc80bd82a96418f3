"""Figures with what each respondent has in them: errors hold however respondents were drawn, and figures compare.

A figure here is an estimate with its *parts*: one number for each respondent, whose weighted sum is about the distance
of the estimate from the truth (Taylor linearisation; Särndal, Swensson and Wretman 1992, section 5.5). Parts add up as
figures do: those of a difference are the differences of parts, those of a rule's confidence follow by the chain rule.
The spread of their sum is the sampling's. Outside of a subgroup all parts are 0: it is a domain of the sample.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.reconstruct.intervals import quotient
from privacy.reconstruct.sampling import Sampling

__all__ = ["ALIKE", "Estimate", "Linearised", "with_error"]

ALIKE = 1e-9  # of a share: less is rounding, and tells nothing of how respondents differ
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure with its error; p is that of the figure being 0.

    Error, interval and p are NaN where respondents are too few, or answer too much alike, to show how they differ.
    """

    estimate: float
    se: float
    ci: tuple[float, float]
    p: float


@dataclass(frozen=True)
class Linearised:
    """A figure, how many respondents it comes from, and the part that each respondent of the records has in it.

    `fraction` holds, of a figure that is one, what stands above and what below: near 0 its interval is Fieller's.
    `spread` says whether respondents of one group differ in it: one alone does not, and nothing tells the error then.
    """

    name: str
    n: int
    value: float
    parts: Floats
    fraction: "tuple[Linearised, Linearised] | None" = None
    spread: bool = True
    members: float = np.inf  # how many respondents its subgroup has; of all of them nothing is said

    def estimate(self, sampling: Sampling, level: float = 0.95) -> Estimate:
        """The figure with its error under this sampling; a small subgroup knows it no better than its size allows."""
        freedom = min(sampling.freedom, max(self.members - 1, 1))
        figures = (self, *(self.fraction or ()))
        covariance = sampling.covariance(np.stack([one.parts for one in figures], axis=1))
        differs = self.spread and covariance[0, 0] > (ALIKE / len(self.parts)) ** 2
        estimate = with_error(self.value, float(covariance[0, 0]) if differs else np.nan, freedom, level)
        if self.fraction is None or not differs:
            return estimate
        above, below = (np.array([one.value]) for one in self.fraction)
        difference = covariance[1, 1] - 2 * covariance[1, 2] + covariance[2, 2]
        low, high = quotient(
            above,
            below,
            covariance[:1, 0],
            covariance[2:, 2],
            lambda _places: (covariance[1:2, 1], np.array([difference])),
            level,
            freedom,
        )
        return replace(estimate, ci=(float(low[0]), float(high[0])))

    def simple_estimate(self, level: float = 0.95) -> Estimate:
        """The figure with its error where everybody was drawn alike and alone.

        The error divides squares by n, as `reconstruct` and all pages do; the interval by n − 1, as Student's t asks.
        """
        n = len(self.parts)
        estimate = self.estimate(Sampling.simple(n), level)
        return replace(estimate, se=estimate.se * ((n - 1) / n) ** 0.5)

    def minus(self, other: "Linearised") -> "Linearised":
        """The difference from another figure of the same records."""
        return Linearised(
            f"{self.name} − {other.name}",
            min(self.n, other.n),
            self.value - other.value,
            self.parts - other.parts,
            spread=self.spread and other.spread,
            members=min(self.members, other.members),
        )


def with_error(value: float, variance: float, freedom: float, level: float) -> Estimate:
    """An estimate with Student's t of so many degrees of freedom; without a variance there is no error."""
    from scipy.special import stdtr, stdtrit  # slow to import; a command that tells no such figure does without

    se = float(np.sqrt(variance))
    reach = float(stdtrit(freedom, (1 + level) / 2)) * se
    p = 2 * float(stdtr(freedom, -abs(value) / se))
    return Estimate(value, se, (value - reach, value + reach), p)
