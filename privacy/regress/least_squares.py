"""Least squares on disguised answers: every product of the normal equations is replaced by an unbiased estimate of it.

A product of answers is a function of their hidden state, and the inverse of their joint channel weighs records so that
the mean weight is the function's mean. So A β = b, with A = E[x xᵀ] and b = E[x y], is estimated term by term, without
any model of how a disguised predictor depends on the others or how the outcome varies, and β is what least squares on
the true answers would give. Its covariance is that of the linearised equations.

Where a predictor is disguised Â errs, too, and a coefficient is a quotient whose divisor may be near 0, as with a weak
instrument. With c = 1 for one coefficient and 0 for the others it is (cᵀβ̂)·D̂ / D̂ with D̂ = 1/(cᵀÂ⁻¹c), what is left of
the spread of its term once the others are fitted (Frisch and Waugh 1933). So the part of each respondent in log D̂ comes
along: intervals hold the values of cᵀβ that a test does not reject (Fieller 1954; Anderson and Rubin 1949).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations
from math import prod

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design.channels import Literal
from privacy.errors import InputError
from privacy.regress.hidden import NOT_ASKED, Hidden
from privacy.regress.task import Term

SLICE = 2**21  # numbers of products that are held at a time


@dataclass(frozen=True)
class Piece:
    """A part of a product of literals: what it counts, a weight for each respondent, and who was asked its answers."""

    factor: float
    weights: Floats
    asked: Bools


@dataclass(frozen=True)
class _Product:
    """The mean of a product of two terms over respondents, and what each respondent has in it."""

    one: Floats
    other: Floats
    pieces: list[Piece]
    weight: Floats

    @cached_property
    def _means(self) -> list[tuple[float, float]]:
        """Of each piece the share of those who were asked, and their mean."""
        shares = [float(self.weight @ piece.asked) for piece in self.pieces]
        sums = [self.weight @ (piece.weights * self.one * self.other * piece.asked) for piece in self.pieces]
        return [(share / self.weight.sum(), float(total / share)) for share, total in zip(shares, sums, strict=True)]

    @property
    def mean(self) -> float:
        return sum(piece.factor * mean for piece, (_, mean) in zip(self.pieces, self._means, strict=True))

    @property
    def is_noisy(self) -> bool:
        """Whether it errs beside the mean of the true product: of true answers all weights are from 0 to 1."""
        (piece, *others) = self.pieces
        return bool(others or not piece.asked.all() or piece.weights.min() < -1e-9 or piece.weights.max() > 1 + 1e-9)

    def parts(self, rows: slice) -> Floats:
        """What some respondents have in the mean: it errs by about the mean of the parts of all."""
        values = self.one[rows] * self.other[rows]
        parts = np.zeros(len(values))
        for piece, (share, mean) in zip(self.pieces, self._means, strict=True):
            apart = piece.factor * (piece.weights[rows] * values - mean) / share
            parts += np.where(piece.asked[rows], apart, 0.0)
        return parts


@dataclass
class Products:
    """Products over respondents; weights of literals are kept.

    Where some were asked one answer and others another, the mean of a product is that of its centred parts: with the
    share c of each answer's literals, E[v·fg] is the sum over subsets of E[v·(f − c)(g − d)], c·E[v·(g − d)] and so on,
    each from all who were asked its answers. So nothing depends on which of two values a literal names, and a person
    who was asked one answer alone counts. An error in c has no part in the sum, whose mean is the same for every c.
    """

    hidden: Hidden
    weight: Floats
    marks: Mapping[Literal, tuple[int, Floats]]  # the hidden answer of a literal, and which of its classes match
    kept: dict[frozenset[Literal], list[Piece]] = field(default_factory=dict)

    def multiply(self, term: Term, other: Term) -> _Product:
        key = frozenset((*term.literals, *other.literals))
        if key not in self.kept:
            self.kept[key] = self.pieces(self._worths(key))
        return _Product(term.values, other.values, self.kept[key], self.weight)

    def _worths(self, literals: frozenset[Literal]) -> dict[int, Floats]:
        """What each class of the answers is worth where all these literals must hold."""
        answers = sorted({self.marks[literal][0] for literal in literals})
        worths = {answer: np.ones(self.hidden.sizes[answer]) for answer in answers}
        for literal in literals:
            answer, matches = self.marks[literal]
            worths[answer] = worths[answer] * matches
        return worths

    def pieces(self, worths: Mapping[int, Floats]) -> list[Piece]:
        """Split a product of answers, each of whose classes is worth this, into centred parts."""
        answers = sorted(worths)
        if (self.hidden.seen[:, answers] != NOT_ASKED).all():
            return [Piece(1.0, *self._weights(worths))]
        centres = {answer: self._share(answer, worth) for answer, worth in worths.items()}
        return [
            Piece(
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
    hidden: Hidden,
    marks: dict[Literal, tuple[int, Floats]],
    terms: Sequence[Term],
    outcome: Term,
    weight: Floats,
    contrasts: Floats,
) -> tuple[Floats, Floats, Floats]:
    """Return β and the parts that each respondent has in it, and in the logarithm of each contrast's divisor.

    Parts are n × terms, and n × contrasts: β̂ − β is about their mean. Without a disguised predictor divisors are taken
    as they are, as ordinary least squares does.
    """
    products = Products(hidden, weight, marks)
    each = [[products.multiply(term, other) for other in (*terms, outcome)] for term in terms]
    means = np.array([[product.mean for product in row] for row in each])
    square, right = means[:, :-1], means[:, -1]
    check_spread(square)
    inverse = np.asarray(np.linalg.inv(square), dtype=float)
    beta = inverse @ right
    errors = np.empty((len(weight), len(terms)))
    divisors = np.zeros((len(weight), len(contrasts)))
    is_noisy = any(product.is_noisy for row in each for product in row[:-1])
    along = contrasts @ inverse
    spread = np.einsum("cp,cp->c", along, contrasts)
    step = max(1, SLICE // means.size)
    for rows in (slice(first, first + step) for first in range(0, len(weight), step)):
        parts = np.stack([[product.parts(rows) for product in row] for row in each]).transpose(2, 0, 1)
        errors[rows] = (parts[..., -1] - parts[..., :-1] @ beta) @ inverse.T
        if is_noisy:
            divisors[rows] = np.einsum("cp,npq,cq->nc", along, parts[..., :-1], along) / spread
    return beta, errors, divisors


def check_spread(square: Floats) -> None:
    """Refuse predictors whose estimated square is not positive."""
    scale = np.sqrt(np.maximum(np.diag(square), 1e-300))
    if np.linalg.eigvalsh(square / np.outer(scale, scale))[0] < 1e-9:
        raise InputError(
            "The disguise leaves too little of the predictors: their recovered variance is not positive. More "
            "respondents, fewer predictors or less disguise are needed."
        )
