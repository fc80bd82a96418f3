"""What γ means: ε, and how far a belief can move, rounded so that nothing promises too much.

γ is the largest factor by which one disguised record can change the odds between two true answers (Evfimievski, Gehrke
and Srikant 2003); ε = ln γ is the same in the words of local differential privacy.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from privacy.design import Block, Design, gammas
from privacy.design.gammas import PRECISE, Gamma, at_least, outward, round_up
from privacy.design.rationals import fraction
from privacy.errors import InputError
from privacy.output import to_json_value


def gamma(disguise: Design | Block | Sequence[Sequence[Any]]) -> Gamma:
    """Compute γ, the largest factor by which one record can change the odds between two true answers.

    `disguise`: a matrix has P(output y | input x) at [x][y]; some of its columns are enough for their own γ.

    >>> gamma(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}))
    Fraction(3, 1)
    >>> gamma([[Fraction(9, 10), Fraction(1, 10)], [Fraction(2, 5), Fraction(3, 5)]])
    Fraction(6, 1)
    """
    return disguise.gamma if hasattr(disguise, "gamma") else gammas.of_matrix(disguise)


def epsilon(gamma: Gamma) -> float:
    """Compute ln γ, the ε of local differential privacy, rounded up to a float.

    >>> epsilon(Fraction(19))
    2.9444389791664407
    """
    if isinstance(gamma, float):
        return gamma
    if gamma == 1:
        return 0.0
    ratio = PRECISE.divide(Decimal(gamma.numerator), Decimal(gamma.denominator))
    return at_least(Fraction(PRECISE.ln(ratio)) + Fraction(1, 10**50))  # far more than 60 digits can be wrong


def posterior_bound(prior: float | Fraction, gamma: Gamma) -> Fraction:
    """Compute ργ / (1 + ρ(γ−1)): how sure someone can become of a fact with the prior ρ.

    >>> posterior_bound(0.05, Fraction(19))
    Fraction(1, 2)
    """
    before = probability(prior)
    if isinstance(gamma, float):
        return Fraction(before > 0)
    return before * gamma / (1 + before * (gamma - 1))


def limit_in_words(gamma: Gamma) -> str:
    """A limit of γ with its ε, as results print it.

    >>> limit_in_words(Fraction(19))
    'gamma at most 19 (epsilon 2.94444)'
    """
    return "gamma at most {:g} (epsilon {:g})".format(*(float(round_up(one, 6)) for one in (gamma, epsilon(gamma))))


def promise_as_json(gamma: Gamma, odds: Gamma) -> dict[str, float | str]:
    """Return γ for JSON, and also the odds if they differ from γ.

    >>> from math import inf
    >>> promise_as_json(Fraction(9), Fraction(9)), promise_as_json(inf, Fraction(4))
    ({'gamma': 9.0}, {'gamma': 'Infinity', 'odds': 4.0})
    """
    return {"gamma": to_json_value(outward(gamma))} | ({} if odds == gamma else {"odds": to_json_value(outward(odds))})


def figures(gamma: Gamma, odds: Gamma) -> dict[str, float | str]:
    """Return γ, the odds if they differ, and ε for JSON.

    >>> figures(Fraction(1), Fraction(1))
    {'gamma': 1.0, 'epsilon': 0.0}
    """
    return promise_as_json(gamma, odds) | {"epsilon": to_json_value(epsilon(gamma))}


def probability(prior: float | Fraction) -> Fraction:
    """The exact prior, refused where it is no probability."""
    if not 0 <= prior <= 1:
        raise InputError(f"prior: {float(prior)} is outside 0 to 1.")
    return fraction(prior)
