"""Least squares on disguised answers: every product of the normal equations is replaced by an unbiased estimate of it.

A product of answers is a function of their hidden state, and the inverse of their joint channel weighs records so that
the mean weight is the function's mean. So E[x xᵀ] β = E[x y] is estimated term by term, without any model of how a
disguised predictor depends on the others, and β is what least squares on the true answers would give. Its covariance is
that of the linearised equations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from math import prod

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design.channels import Literal
from privacy.errors import InputError
from privacy.regress.hidden import NOT_ASKED, Hidden
from privacy.regress.terms import Term


@dataclass
class _Products:
    """Means of products over respondents, and what each respondent has in them; weights of literals are kept.

    Where some were asked one answer and others another, the mean of a product is that of its centred parts: with the
    share c of each answer's literals, E[v·fg] is the sum over subsets of E[v·(f − c)(g − d)], c·E[v·(g − d)] and so on,
    each from all who were asked its answers. So nothing depends on which of two values a literal names, and a person
    who was asked one answer alone counts. An error in c has no part in the sum, whose mean is the same for every c.
    """

    hidden: Hidden
    weight: Floats
    marks: dict[Literal, tuple[int, Floats]]  # the hidden answer of a literal, and which of its classes match
    kept: dict[frozenset[Literal], list[tuple[float, Floats, Bools]]] = field(default_factory=dict)

    def parts(self, values: Floats, literals: Sequence[Literal]) -> tuple[float, Floats]:
        """The mean of `values` times these literals over all people, and the part of each respondent in it."""
        key = frozenset(literals)
        if key not in self.kept:
            self.kept[key] = self._pieces(key)
        total, parts = 0.0, np.zeros(len(values))
        for factor, weights, asked in self.kept[key]:
            share = float(self.weight @ asked / self.weight.sum())
            mean = float(self.weight @ (weights * values * asked) / (self.weight @ asked))
            total += factor * mean
            parts += np.where(asked, factor * (weights * values - mean) / share, 0.0)
        return total, parts

    def _pieces(self, literals: frozenset[Literal]) -> list[tuple[float, Floats, Bools]]:
        """Split a product of literals into centred parts: of each a factor, weights, and who was asked its answers."""
        answers = sorted({self.marks[literal][0] for literal in literals})
        worths = {answer: np.ones(self.hidden.sizes[answer]) for answer in answers}
        for literal in literals:
            answer, matches = self.marks[literal]
            worths[answer] = worths[answer] * matches
        if (self.hidden.seen[:, answers] != NOT_ASKED).all():
            return [(1.0, *self._weights(worths))]
        centres = {answer: self._share(answer, worth) for answer, worth in worths.items()}
        return [
            (
                prod(centres[answer] for answer in answers if answer not in chosen),
                *self._weights({answer: worths[answer] - centres[answer] for answer in chosen}),
            )
            for size in range(len(answers) + 1)
            for chosen in combinations(answers, size)
        ]

    def _share(self, answer: int, worth: Floats) -> float:
        """The estimated mean of an answer whose classes are worth this."""
        weights, asked = self._weights({answer: worth})
        return float(self.weight @ (weights * asked) / (self.weight @ asked))

    def _weights(self, worths: Mapping[int, Floats]) -> tuple[Floats, Bools]:
        """Weigh respondents for a product of answers: return weights, and who was asked all of these.

        `worths` has, for each answer of the product, what each of its classes is worth. The product of no answers is 1,
        and nobody lacks it.
        """
        if not worths:
            return np.ones(len(self.weight)), np.ones(len(self.weight), bool)
        worth = reduce(np.multiply.outer, worths.values())
        weights, asked = self.hidden.weights(list(worths), worth)
        if not float(self.weight @ asked) > 0:
            raise InputError("Nobody was asked all the answers that a product of these predictors needs.")
        return weights, asked


def least_squares(
    hidden: Hidden, marks: dict[Literal, tuple[int, Floats]], terms: Sequence[Term], outcome: Term, weight: Floats
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
            "The disguise leaves too little of the predictors: their recovered variance is not positive. More "
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
