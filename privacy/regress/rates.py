"""The rate of a count beside disguised answers: score equations whose every term is replaced by an unbiased estimate.

With the hidden state s of the predictors x the equations are Σ_i Σ_s w_is x_is (y_i − exp(x_isᵀβ)) = 0, where w_is is
an unbiased weight for 1[state s] (Nakamura 1990). The weights need the disguise alone: nothing is taken for granted of
how counts vary, and β is what Poisson's likelihood of the true answers would give. Errors are those of the linearised
equations, robust.

As in least squares the weights err, and so β̂ is biased as any quotient is. With ψ_i the part of each respondent, J the
mean of −∂ψ and V the covariance of β̂, Kosmidis and Lunardon (2024, equation 7) add to the equations the second order
of their Taylor series, Σ ∂ψ_i J⁻¹ ψ_i / n² + ½ ∂²ψ:V. Where nothing is disguised it is left out, and figures are those
of ordinary Poisson regression.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design.channels import Literal
from privacy.regress.hidden import Hidden
from privacy.regress.least_squares import Products, check_spread
from privacy.regress.terms import Term

STEPS = 200
LONGEST = 1.0  # step of a coefficient of a standardised predictor
NEAR = 1e-13  # of a step: the estimate is then exact
MOST_LOG = 100.0  # of a count's mean: its square is still a number


@dataclass(frozen=True)
class _StatePart:
    """What respondents count in each state (respondents × states), by the answers that some of them were asked."""

    weights: Floats
    asked: Bools
    share: float


@dataclass(frozen=True)
class _Equations:
    """The score equations. `terms` holds the open part of x, `marks` whether its hidden part holds in each state."""

    terms: Floats
    marks: Floats
    count: Floats
    weight: Floats  # of respondents; its sum is 1
    parts: Sequence[_StatePart]

    def means(self, beta: Floats) -> Floats:
        """The mean count of each respondent in each state."""
        return np.exp(np.minimum((self.terms * beta) @ self.marks.T, MOST_LOG))

    def scores(self, means: Floats) -> Floats:
        """The part of each respondent in the equations, which add up to 0 at their solution."""
        scores = np.zeros_like(self.terms)
        for part in self.parts:
            own = self.terms * ((part.weights * (self.count[:, np.newaxis] - means)) @ self.marks)
            mean = self.weight @ (own * part.asked[:, np.newaxis]) / part.share
            scores += np.where(part.asked[:, np.newaxis], (own - mean) / part.share, 0.0) + mean
        return scores

    def slope(self, rates: Floats) -> Floats:
        """J, from the weighted mean counts."""
        size = self.terms.shape[1]
        square = np.zeros((size, size))
        for state, marked in enumerate(self.marks):
            x = self.terms * marked
            square += x.T @ (x * (self.weight * rates[:, state])[:, np.newaxis])
        return square

    def bias(self, rates: Floats, scores: Floats, inverse: Floats) -> Floats:
        """What the second order of the Taylor series adds to the mean of the equations; respondents err one by one."""
        errors = scores @ inverse.T
        own = self.weight[:, np.newaxis] * errors
        variance = own.T @ own
        added = np.zeros(len(inverse))
        for state, marked in enumerate(self.marks):
            x = self.terms * marked
            bend = self.weight * (x * errors).sum(axis=1) + 0.5 * ((x @ variance) * x).sum(axis=1)
            added -= (self.weight * rates[:, state] * bend) @ x
        return added


def rates(
    hidden: Hidden,
    marks: Mapping[Literal, tuple[int, Floats]],
    terms: Sequence[Term],
    state_marks: Floats,
    outcome: Term,
    weight: Floats,
) -> tuple[Floats, Floats] | None:
    """Return β and the part that each respondent has in it (n × terms): β̂ − β is about their mean.

    `state_marks` says for each state (rows) and term whether its literals hold. None: the equations have no solution.
    """
    parts, is_noisy = _parts(Products(hidden, weight, marks))
    open_parts = np.stack([term.values for term in terms], axis=1)
    equations = _Equations(open_parts, state_marks, outcome.values, weight / weight.sum(), parts)
    counted = sum((np.where(part.asked[:, np.newaxis], part.weights / part.share, 0.0) for part in parts), np.zeros(()))
    beta = np.zeros(len(terms))
    beta[0] = np.log(equations.weight @ outcome.values)
    for _ in range(STEPS):
        means = equations.means(beta)
        rate, scores = counted * means, equations.scores(means)
        square = equations.slope(rate)
        check_spread(square)
        inverse = np.asarray(np.linalg.inv(square), dtype=float)
        added = equations.bias(rate, scores, inverse) if is_noisy else 0.0
        step = inverse @ (equations.weight @ scores - added)
        longest = float(np.abs(step).max())
        beta = beta + step * min(1.0, LONGEST / max(longest, 1e-300))
        if longest < NEAR * max(1.0, float(np.abs(beta).max())):
            return beta, scores @ inverse.T
    return None


def _parts(products: Products) -> tuple[list[_StatePart], bool]:
    """Split the indicators of all states; say whether they err: of true answers all weights are from 0 to 1."""
    sizes = products.hidden.sizes
    columns = []
    for state in products.hidden.states:
        worths = {answer: np.eye(size)[state[answer]] for answer, size in enumerate(sizes)}
        columns.append(products.pieces(worths))
    parts = []
    for pieces in zip(*columns, strict=True):
        asked = pieces[0].asked
        weights = np.stack([piece.factor * piece.weights for piece in pieces], axis=1)
        parts.append(_StatePart(weights, asked, float(products.weight @ asked / products.weight.sum())))
    only = parts[0]
    is_noisy = len(parts) > 1 or not only.asked.all() or only.weights.min() < -1e-9 or only.weights.max() > 1 + 1e-9
    return parts, bool(is_noisy)
