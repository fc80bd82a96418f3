"""What one disguised answer can do to a belief: prior, posterior, breach, and the worst case of a channel.

The theory is Evfimievski, Gehrke and Srikant, "Limiting privacy breaches in privacy preserving data mining" (2003). A
channel is a matrix with P(output y | input x) at [x, y]; a prior is the distribution of the input; a property is a set
of inputs. Numbers may be floats or exact fractions (an array of `Fraction`), and stay what they are.

Background knowledge Z about a person only changes the prior, to P(X | Z = z): since the disguise does not depend on Z,
everything here holds for that prior as it does for any other.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.errors import InputError

Numbers = NDArray[Any]


@dataclass(frozen=True)
class Breach:
    """A property (its inputs), an output, and the belief in the property before and after seeing the output."""

    inputs: tuple[int, ...]
    output: int
    before: Any
    after: Any

    @property
    def amplification(self) -> Any:
        """How many times the odds of the property grew; never more than γ."""
        if self.after == self.before:
            return 1
        if self.after == 1 or self.before == 0:
            return math.inf
        return self.after * (1 - self.before) / (self.before * (1 - self.after))


def posterior(prior: ArrayLike, channel: ArrayLike, output: int) -> Numbers:
    """Compute P(X = x | Y = output) for every x, by Bayes.

    >>> posterior([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], output=1).tolist()
    [0.25, 0.75]
    """
    before, matrix = _checked(prior, channel)
    joint = before * matrix[:, output]
    if joint.sum() == 0:
        raise InputError(f"output {output} cannot occur under this prior")
    return joint / joint.sum()


def belief(distribution: ArrayLike, inputs: Iterable[int]) -> Any:
    """Compute the probability of a property, the inputs that have it, under a prior or a posterior.

    >>> float(belief([0.2, 0.5, 0.3], {1, 2}))
    0.8
    """
    return _numbers(distribution)[sorted(set(inputs))].sum()


def breach_limit(rho1: Any, rho2: Any) -> Any:
    """Compute ρ₂(1−ρ₁) / (ρ₁(1−ρ₂)): where γ is below it, no ρ₁→ρ₂ breach is possible, either way.

    >>> from fractions import Fraction
    >>> breach_limit(Fraction(1, 20), Fraction(1, 2))
    Fraction(19, 1)
    """
    _check_levels(rho1, rho2)
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


def worst_breach(prior: ArrayLike, channel: ArrayLike) -> Breach:
    """Find the property and the output with the largest amplification of odds, over all 2^|V| properties.

    For one output the amplification is s(1−p) / (p(S−s)), where p is the prior of the property, s its joint
    probability with the output and S that of the output. On (p, s) its level curves are concave above the diagonal and
    the properties lie in a polygon whose corners are the inputs taken in order of likelihood (Neyman and Pearson), so
    that no other property can do better than the best corner.

    >>> worst = worst_breach([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]])
    >>> worst.inputs, float(worst.amplification)
    ((0,), 3.0)
    """
    before, matrix = _checked(prior, channel)
    possible = np.flatnonzero(before > 0)
    best = Breach((), 0, before[:0].sum(), before[:0].sum())
    for output in range(matrix.shape[1]):
        likelihood = matrix[possible, output]
        order = np.argsort(-likelihood, kind="stable")
        inside, mass = before[possible][order], (before[possible] * likelihood)[order]
        total = mass.sum()
        if total == 0 or len(possible) == 1:
            continue
        # Sums from the far end keep an exact zero where nothing is left outside.
        p, outside_p = np.cumsum(inside)[:-1], np.cumsum(inside[::-1])[::-1][1:]
        s, outside_s = np.cumsum(mass)[:-1], np.cumsum(mass[::-1])[::-1][1:]
        sure = np.flatnonzero(outside_s == 0)
        cut = int(sure[0]) if len(sure) else int(np.argmax(s * outside_p / (p * outside_s)))
        chosen = tuple(sorted(map(int, possible[order[: cut + 1]])))
        breach = Breach(chosen, output, p[cut], 1 if len(sure) else s[cut] / total)
        if breach.amplification > best.amplification:
            best = breach
    return best


def _checked(prior: ArrayLike, channel: ArrayLike) -> tuple[Numbers, Numbers]:
    before, matrix = _numbers(prior), _numbers(channel)
    if before.ndim != 1 or matrix.ndim != 2 or len(before) != len(matrix):
        raise InputError(f"a prior of shape {before.shape} does not fit a channel of shape {matrix.shape}")
    for name, rows in (("prior", before[None]), ("channel", matrix)):
        sums = rows.sum(axis=1)
        if (rows < 0).any() or (abs(sums - 1) > 1e-9).any():
            raise InputError(f"{name}: every row must be a distribution, not negative and with sum 1")
    return before, matrix


def _numbers(values: ArrayLike) -> Numbers:
    array = np.asarray(values)
    return array if array.dtype == object else array.astype(float)


def _check_levels(rho1: Any, rho2: Any) -> None:
    if not 0 < rho1 < rho2 < 1:
        raise InputError(f"rho1 = {rho1} and rho2 = {rho2} must satisfy 0 < rho1 < rho2 < 1")
