"""What a design promises to a respondent, as exact numbers that are rounded outward."""

from privacy.design.gammas import Gamma
from privacy.guarantee.promise import (
    Guarantee,
    epsilon,
    gamma,
    guarantee,
    outward,
    posterior_bound,
    posterior_floor,
    promised,
    rounded_up,
)

__all__ = [
    "Gamma",
    "Guarantee",
    "epsilon",
    "gamma",
    "guarantee",
    "outward",
    "posterior_bound",
    "posterior_floor",
    "promised",
    "rounded_up",
]
