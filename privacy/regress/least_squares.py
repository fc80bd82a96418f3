"""Least squares on disguised answers: every product of the normal equations is replaced by an unbiased estimate of it.

A product of answers is a function of their hidden state, and the inverse of their joint channel weighs records so that
the mean weight is the function's mean. So E[x xᵀ] β = E[x y] is estimated term by term, without any model of how a
disguised predictor depends on the others, and β is what least squares on the true answers would give. Its covariance is
that of the linearised equations. In a sampled block each product is a mean over those who were asked all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Literal
from privacy.errors import InputError
from privacy.regress.hidden import Hidden
from privacy.regress.terms import Term

__all__ = ["least_squares"]

Floats = NDArray[np.float64]


@dataclass
class _Products:
    """Means of products over respondents, and what each respondent has in them; weights of literals are kept."""

    hidden: Hidden
    weight: Floats
    marks: dict[Literal, tuple[int, Floats]]  # the hidden answer of a literal, and which of its classes match
    kept: dict[frozenset[Literal], tuple[Floats, NDArray[np.bool_]]] = field(default_factory=dict)

    def parts(self, values: Floats, literals: Sequence[Literal]) -> tuple[float, Floats]:
        key = frozenset(literals)
        if not key:
            mean = float(self.weight @ values / self.weight.sum())
            return mean, values - mean
        if key not in self.kept:
            self.kept[key] = self._weights(key)
        weights, asked = self.kept[key]
        share = float(self.weight @ asked / self.weight.sum())
        if share == 0:
            raise InputError("Nobody was asked all the answers that one product of these predictors needs.")
        mean = float(self.weight @ (weights * values * asked) / (self.weight @ asked))
        return mean, np.where(asked, (weights * values - mean) / share, 0.0)

    def _weights(self, literals: frozenset[Literal]) -> tuple[Floats, NDArray[np.bool_]]:
        answers = sorted({self.marks[literal][0] for literal in literals})
        worth = np.ones([self.hidden.sizes[answer] for answer in answers])
        for literal in literals:
            answer, matches = self.marks[literal]
            shape = [-1 if other == answer else 1 for other in answers]
            worth = worth * matches.reshape(shape)
        return self.hidden.weights(answers, worth)


def least_squares(
    hidden: Hidden,
    marks: dict[Literal, tuple[int, Floats]],
    terms: Sequence[Term],
    outcome: Term,
    weight: Floats,
) -> tuple[Floats, Floats]:
    """Return β and the part that each respondent has in it (n × terms): β̂ − β is about their mean."""
    products = _Products(hidden, weight, marks)

    def product(term: Term, other: Term) -> tuple[float, Floats]:
        return products.parts(term.values * other.values, (*term.literals, *other.literals))

    square = np.empty((len(terms), len(terms)))
    for j, term in enumerate(terms):
        for k, other in enumerate(terms[: j + 1]):
            square[j, k] = square[k, j] = product(term, other)[0]
    scale = np.sqrt(np.maximum(np.diag(square), 1e-300))
    if np.linalg.eigvalsh(square / np.outer(scale, scale))[0] < 1e-9:
        raise InputError(
            "The disguise leaves too little of the predictors: what is recovered of their spread is not positive. More "
            "respondents, fewer predictors or less disguise are needed."
        )
    right = np.array([product(term, outcome)[0] for term in terms])
    beta = np.asarray(np.linalg.solve(square, right), dtype=float)
    errors = np.empty((len(weight), len(terms)))  # products are made a second time, so that they need not all be kept
    for j, term in enumerate(terms):
        errors[:, j] = product(term, outcome)[1]
        for other, slope in zip(terms, beta, strict=True):
            errors[:, j] -= product(term, other)[1] * slope
    return beta, np.asarray(np.linalg.solve(square, errors.T).T, dtype=float)
