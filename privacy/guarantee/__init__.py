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
from privacy.guarantee.sentences import advice, believed, explain, notes

__all__ = [
    "Gamma",
    "Guarantee",
    "advice",
    "believed",
    "epsilon",
    "explain",
    "gamma",
    "guarantee",
    "notes",
    "outward",
    "posterior_bound",
    "posterior_floor",
    "promised",
    "rounded_up",
]
