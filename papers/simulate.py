"""Surveys simulated by their counts: no respondent is drawn, only how many fall into each state of a pattern."""

from collections.abc import Mapping
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.estimate.estimators import estimate
from privacy.estimate.power import chance_asked_all
from privacy.estimate.weights import channel_of, factors

Counts = NDArray[np.int64]


def independent(design: Design, pattern: Pattern, shares: Mapping[str, tuple[float, ...]]) -> Floats:
    """The distribution of a pattern's states, of independent items by the shares of their options."""
    states = np.ones(1)
    for atom in (atom for part in factors(design, pattern) for atom in part.atoms):
        match = prod(sum(shares[design.items[column].id][option] for option in options) for column, options in atom)
        states = np.multiply.outer(states, [1 - match, match]).ravel()
    return states


def exact_error(design: Design, pattern: Pattern, states: Floats, n: int) -> float:
    """The standard error of n disguised respondents whose true answers are distributed as these states."""
    channel = channel_of([factors(design, pattern)])
    seen = n * chance_asked_all(design, pattern) * channel.disguise(states[np.newaxis])
    return float(estimate(np.stack([seen, 0 * seen], axis=1), [n, 0], channel, "stratified").se[0])


def surveys(
    design: Design,
    pattern: Pattern,
    states: Floats,
    n: int,
    direct: float,
    repetitions: int,
    random: np.random.Generator,
) -> tuple[Counts, Counts]:
    """Counts of many surveys of n respondents, each direct with probability `direct`, and their group sizes."""
    disguised = np.maximum(channel_of([factors(design, pattern)]).disguise(states[np.newaxis])[0], 0.0)
    draws = portable_generator(random)
    in_direct = draws.binomial(n, direct, repetitions)
    sizes = np.stack([n - in_direct, in_direct], axis=-1)
    chance = round(chance_asked_all(design, pattern), 12)
    groups = enumerate((disguised, states))
    counts = [split(draws.binomial(sizes[:, group], chance), shares / shares.sum(), draws) for group, shares in groups]
    return np.stack(counts, axis=1), sizes


def portable_generator(random: np.random.Generator) -> np.random.RandomState:
    """A generator whose draws no version of numpy changes, as the binomial ones of `random` may be."""
    return np.random.RandomState(int(random.integers(2**32)))


def split(people: Counts, chances: Floats, random: np.random.RandomState) -> Counts:
    """Draw how many of the people fall into each cell, by its chance; cells are along the last axis.

    Chances are rounded: a draw can turn on their last bit, which differs between processors.
    """
    left, rest, counts = people, 1.0, []
    for chance in chances[:-1].tolist():
        counts.append(random.binomial(left, round(min(chance / rest, 1.0), 12) if rest > 0 else 0.0))
        left, rest = left - counts[-1], rest - chance
    return np.stack([*counts, left], axis=-1)
