"""What a design promises to a respondent, as exact numbers that are rounded outward."""

from privacy.guarantee.promise import (
    Gamma,
    Guarantee,
    epsilon,
    gamma,
    guarantee,
    item_gamma,
    outward,
    posterior_bound,
    posterior_floor,
    rounded_up,
)

__all__ = [
    "Gamma",
    "Guarantee",
    "epsilon",
    "gamma",
    "guarantee",
    "item_gamma",
    "outward",
    "posterior_bound",
    "posterior_floor",
    "rounded_up",
]
