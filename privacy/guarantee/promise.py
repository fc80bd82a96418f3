"""What a design promises, as exact numbers rounded so that they never promise too much.

γ is the largest factor by which one disguised record can change the odds between two true answers (Evfimievski, Gehrke
and Srikant 2003); ε = ln γ is the same in the words of local differential privacy. The blocks of a design use
randomness of their own, so a respondent's γ is the product over blocks, and some record reaches it.

A kind of block may protect one of an item's two answers alone. Its γ is infinite then, and `odds` is what it does
promise: how much the odds of the protected answers can grow. Where every answer is protected, the odds are γ.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import cache, partial
from typing import Any

from privacy.design import Block, Design, gammas
from privacy.design.gammas import Gamma
from privacy.design.rationals import fraction
from privacy.errors import InputError

_PRECISE = Context(prec=60)


def gamma(disguise: Design | Block | Sequence[Sequence[Any]]) -> Gamma:
    """Compute γ, the largest factor by which one record can change the odds between two true answers.

    Parameters
    ----------
    disguise : Design, Block, or matrix
        A matrix has P(output y | input x) at [x][y]; any of its columns will do.

    Returns
    -------
    Fraction or inf

    Examples
    --------
    >>> gamma(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}))
    Fraction(3, 1)
    >>> gamma([[Fraction(9, 10), Fraction(1, 10)], [Fraction(2, 5), Fraction(3, 5)]])
    Fraction(6, 1)
    """
    return disguise.gamma if hasattr(disguise, "gamma") else gammas.of_matrix(disguise)


def epsilon(gamma: Gamma) -> float:
    """Compute ln γ, what γ is in the words of local differential privacy.

    Parameters
    ----------
    gamma : Fraction or inf
        The exact γ.

    Returns
    -------
    float
        The least float that is not below ln γ.

    Examples
    --------
    >>> epsilon(Fraction(19))
    2.9444389791664407
    """
    if isinstance(gamma, float):
        return gamma
    if gamma == 1:
        return 0.0
    ratio = _PRECISE.divide(Decimal(gamma.numerator), Decimal(gamma.denominator))
    return _at_least(Fraction(_PRECISE.ln(ratio)) + Fraction(1, 10**50))  # far more than 60 digits can be wrong


def posterior_bound(prior: float | Fraction, gamma: Gamma) -> Fraction:
    """Compute ργ / (1 + ρ(γ−1)): how sure someone can become of what they held likely with the prior ρ.

    Parameters
    ----------
    prior : float or Fraction
        The probability ρ before the record was seen.
    gamma : Fraction or inf
        γ of what disguised the record.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> posterior_bound(0.05, Fraction(19))
    Fraction(1, 2)
    """
    before = _probability(prior)
    if isinstance(gamma, float):
        return Fraction(before > 0)
    return before * gamma / (1 + before * (gamma - 1))


def posterior_floor(prior: float | Fraction, gamma: Gamma) -> Fraction:
    """Compute ρ / (ρ + γ(1−ρ)): how far the belief can fall.

    Parameters
    ----------
    prior : float or Fraction
        The probability ρ before the record was seen.
    gamma : Fraction or inf
        γ of what disguised the record.

    Returns
    -------
    Fraction

    Examples
    --------
    >>> posterior_floor(0.5, Fraction(19))
    Fraction(1, 20)
    """
    return 1 - posterior_bound(1 - _probability(prior), gamma)


@dataclass(frozen=True)
class ItemGuarantee:
    """What the disguised answer to one item tells alone."""

    id: str
    gamma: Gamma
    odds: Gamma


@dataclass(frozen=True)
class BlockGuarantee:
    """What one block alone promises, and each of its items alone."""

    gamma: Gamma
    odds: Gamma
    asked: int
    figures: Mapping[str, Any]
    items: tuple[ItemGuarantee, ...]


@dataclass(frozen=True)
class Guarantee:
    """What a design promises to a respondent of the disguised group: first of all, for the whole record."""

    gamma: Gamma
    odds: Gamma
    prior: Fraction
    blocks: tuple[BlockGuarantee, ...]

    @property
    def one_sided(self) -> bool:
        """Whether some answers are not protected, so that the odds of the protected ones are the promise."""
        return self.odds != self.gamma

    @property
    def epsilon(self) -> float:
        return epsilon(self.gamma)

    @property
    def posterior(self) -> Fraction:
        return posterior_bound(self.prior, self.gamma)

    @property
    def posterior_odds(self) -> Fraction:
        """How sure someone can become of what is protected: the bound that the odds set."""
        return posterior_bound(self.prior, self.odds)

    def to_json(self) -> dict[str, Any]:
        """Floats rounded outward, and "Infinity" where there is no protection."""
        # Most items of a block are disguised alike: what they promise is rounded once.
        figures, posteriors = cache(_figures), cache(partial(_posteriors, self.prior))
        return {
            **figures(self.gamma, self.odds),
            "prior": float(self.prior),
            **posteriors(self.gamma, self.odds),
            "blocks": [
                {
                    **figures(block.gamma, block.odds),
                    **posteriors(block.gamma, block.odds),
                    "asked": block.asked,
                    **block.figures,
                    "items": [
                        {
                            "id": item.id,
                            **figures(item.gamma, item.odds),
                            **posteriors(item.gamma, item.odds),
                        }
                        for item in block.items
                    ],
                }
                for block in self.blocks
            ],
        }


def guarantee(design: Design, prior: float | Fraction = Fraction(1, 20)) -> Guarantee:
    """Compute the promise of a design to its respondents.

    Parameters
    ----------
    design : Design
        What happens to the answers.
    prior : float or Fraction
        How likely a fact was thought before the record was seen.

    Returns
    -------
    Guarantee
        γ, ε and the bound on the posterior, exact, for the whole record and for each block and item alone.

    Examples
    --------
    >>> promise = guarantee(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}), prior=0.05)
    >>> promise.gamma, promise.posterior
    (Fraction(3, 1), Fraction(3, 22))
    """
    blocks = tuple(
        BlockGuarantee(
            block.gamma,
            block.odds,
            block.asked,
            block.figures,
            tuple(
                ItemGuarantee(item.id, block.item_gamma(place), block.item_odds(place))
                for place, item in enumerate(block.items)
            ),
        )
        for block in design.blocks
    )
    return Guarantee(design.gamma, design.odds, _probability(prior), blocks)


def outward(gamma: Gamma) -> float:
    """γ as the nearest float that is not below it.

    Parameters
    ----------
    gamma : Fraction or float
        Exact, or infinite.

    Returns
    -------
    float
        Never below the exact figure.

    Examples
    --------
    >>> outward(Fraction(7, 3)) >= Fraction(7, 3)
    True
    """
    return gamma if isinstance(gamma, float) else _at_least(gamma)


def rounded_up(figure: Gamma, digits: int) -> Decimal:
    """A figure of the promise as it is printed: rounded up to this many digits.

    Parameters
    ----------
    figure : Fraction or float
        γ, odds or another bound; it may be infinite.
    digits : int
        How many digits are printed.

    Returns
    -------
    Decimal
        The least number of so many digits that is not below the figure.

    Examples
    --------
    >>> rounded_up(Fraction(7, 3), 3)
    Decimal('2.34')
    """
    if figure == math.inf:
        return Decimal("Infinity")
    exact = Fraction(figure)
    return Context(prec=digits, rounding=ROUND_CEILING).divide(Decimal(exact.numerator), Decimal(exact.denominator))


def promised(gamma: Gamma, odds: Gamma) -> dict[str, float | str]:
    """γ for JSON, and the odds beside it where they are another figure.

    Parameters
    ----------
    gamma, odds : Fraction or float
        The γ of a design or a block, and the most that the odds of a protected fact can grow.

    Returns
    -------
    dict
        `gamma`, and `odds` where they differ; an infinite figure is the text "Infinity".

    Examples
    --------
    >>> from math import inf
    >>> promised(Fraction(9), Fraction(9)), promised(inf, Fraction(4))
    ({'gamma': 9.0}, {'gamma': 'Infinity', 'odds': 4.0})
    """
    return {"gamma": _written(outward(gamma))} | ({} if odds == gamma else {"odds": _written(outward(odds))})


def _figures(gamma: Gamma, odds: Gamma) -> dict[str, float | str]:
    return promised(gamma, odds) | {"epsilon": _written(epsilon(gamma))}


def _posteriors(prior: Fraction, gamma: Gamma, odds: Gamma) -> dict[str, float]:
    """The bound that γ sets, and where the odds are another figure the one that they set."""
    bounds = {"posterior": gamma} | ({} if odds == gamma else {"posterior_odds": odds})
    return {name: _at_least(posterior_bound(prior, factor)) for name, factor in bounds.items()}


def _written(figure: float) -> float | str:
    return "Infinity" if figure == math.inf else figure


def _at_least(value: Fraction) -> float:
    """The least float that is not below the value."""
    try:
        near = float(value)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def _probability(prior: float | Fraction) -> Fraction:
    if not 0 <= prior <= 1:
        raise InputError(f"prior: {prior} is outside 0 to 1.")
    return fraction(prior)
