"""Power and sample size for supports seen through a disguise.

A record matches a single literal with probability λ = c + d·π. The z test of π = π₀ takes its critical value from the
null's standard error, as do the tests of Blair, Imai and Zhou (2015); power grows with n, so the smallest n is found by
bisection and is exact. Where a block asks each respondent some of its items, a share of the n is asked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, prod, sqrt
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.reconstruct.weights import channel_of, factors

__all__ = [
    "MatchLine",
    "TwoSamples",
    "asked_all",
    "difference_power",
    "fewest",
    "independent",
    "power",
    "sample_size",
    "seen_through",
    "support_se",
    "two_samples",
]

Floats = NDArray[np.float64]
MOST = 2**53  # respondents; a larger sample size helps nobody


@dataclass(frozen=True)
class MatchLine:
    """P(record matches) = c + d·π, of the share of the respondents that is asked."""

    c: float
    d: float
    asked: float = 1.0

    def variance(self, support: float) -> float:
        """The variance of the estimate times the number of respondents, asked or not."""
        seen = self.c + self.d * support
        return seen * (1 - seen) / self.d**2 / self.asked


def seen_through(design: Design, literal: str) -> MatchLine:
    """The line of one literal, or of a pattern under one coin.

    Parameters
    ----------
    design : Design
        The design that will disguise the answers.
    literal : str
        Such as ``drugs``, ``!drugs`` or ``age=50+``.

    Returns
    -------
    MatchLine
        How likely a record matches, from the share of people whose answer does.

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> seen_through(design, "drugs")
    MatchLine(c=0.25, d=0.5, asked=1.0)
    """
    pattern = parse_pattern(literal, design)
    parts = factors(design, pattern)
    if sum(len(part.atoms) for part in parts) != 1:
        raise InputError(f"{literal!r} spreads over several coins or flipped answers; power is known for one.")
    c, d = channel_of([parts]).line()
    if d[0] == 0:
        raise InputError(f"The disguise leaves nothing of {literal!r}.")
    return MatchLine(float(c[0]), float(d[0]), asked_all(design, pattern))


def power(n: int, support: float, null: float, channel: MatchLine, alpha: float = 0.05, sides: int = 1) -> float:
    """How likely n disguised respondents reject support = `null`, when it is `support`.

    Parameters
    ----------
    n : int
        The respondents who answer in disguise.
    support, null : float
        The true share, and the share that is to be rejected.
    channel : MatchLine
        What the disguise makes of a share, as `seen_through` gives it.
    alpha : float
        The level of the test.
    sides : {1, 2}
        Of the test.

    Returns
    -------
    float
        A chance.

    Examples
    --------
    >>> round(power(1000, support=0.3, null=0.2, channel=MatchLine(c=0.25, d=0.5)), 2)
    0.95
    """
    if not 1 <= n <= MOST:
        raise InputError(f"respondents: {n} is outside 1 to {MOST}.")
    _check(alpha, sides, support=support, null=null)
    return _power(n, abs(support - null), channel.variance(null), channel.variance(support), alpha, sides)


def sample_size(
    target: float, support: float, null: float, channel: MatchLine, alpha: float = 0.05, sides: int = 1
) -> int:
    """The fewest disguised respondents that reach the power `target`.

    Parameters
    ----------
    target : float
        The power that is wanted.
    support, null : float
        The true share, and the share that is to be rejected.
    channel : MatchLine
        What the disguise makes of a share, as `seen_through` gives it.
    alpha : float
        The level of the test.
    sides : {1, 2}
        Of the test.

    Returns
    -------
    int

    Examples
    --------
    >>> line = MatchLine(c=0.25, d=0.5)
    >>> n = sample_size(0.8, support=0.3, null=0.2, channel=line)
    >>> power(n - 1, 0.3, 0.2, line) < 0.8 <= power(n, 0.3, 0.2, line)
    True
    """
    _check(alpha, sides, power=target, support=support, null=null)
    if support == null:
        raise InputError("The supports to tell apart are the same; no number of respondents suffices.")
    return fewest(lambda n: power(n, support, null, channel, alpha, sides), target)


def difference_power(
    sizes: tuple[int, int], supports: tuple[float, float], channel: MatchLine, alpha: float = 0.05, sides: int = 2
) -> float:
    """How likely two independent samples through one disguise show that their supports differ.

    Parameters
    ----------
    sizes : pair of int
        The respondents of each sample.
    supports : pair of float
        The true share in each of them.
    channel : MatchLine
        What the disguise makes of a share, as `seen_through` gives it.
    alpha : float
        The level of the test.
    sides : {1, 2}
        Of the test.

    Returns
    -------
    float
        A chance.

    Examples
    --------
    >>> round(difference_power((1000, 1000), (0.2, 0.3), MatchLine(c=0.25, d=0.5)), 2)
    0.64
    """
    _check(alpha, sides, **{"supports[0]": supports[0], "supports[1]": supports[1]})
    common = sum(size * support for size, support in zip(sizes, supports, strict=True)) / sum(sizes)
    null = sum(channel.variance(common) / size for size in sizes)
    truth = sum(channel.variance(support) / size for size, support in zip(sizes, supports, strict=True))
    return _power(1, abs(supports[0] - supports[1]), null, truth, alpha, sides)


def independent(design: Design, pattern: Pattern, shares: Mapping[str, tuple[float, ...]]) -> Floats:
    """The distribution of a pattern's states of independent items, each with these shares of its options.

    Parameters
    ----------
    design : Design
        The design that will disguise the answers.
    pattern : Pattern
        The answers that are asked for.
    shares : mapping of str to tuple of float
        For each item the share of people who give each of its answers.

    Returns
    -------
    array of float
        The last state is that the whole pattern matches.

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
    >>> shares = {"drugs": (0.9, 0.1), "cheating": (0.5, 0.5)}
    >>> independent(design, parse_pattern("drugs,cheating", design), shares).round(3).tolist()
    [0.45, 0.45, 0.05, 0.05]
    """
    states = np.ones(1)
    for part in factors(design, pattern):
        for atom in part.atoms:
            match = prod(sum(shares[design.items[column].id][option] for option in options) for column, options in atom)
            states = np.multiply.outer(states, [1 - match, match]).ravel()
    return states


def asked_all(design: Design, pattern: Pattern) -> float:
    """How likely a respondent is asked every item of the pattern.

    Parameters
    ----------
    design : Design
        Whose blocks ask each respondent some of their items.
    pattern : Pattern
        The answers that are asked for.

    Returns
    -------
    float
        A chance.

    Examples
    --------
    >>> items = [{"id": name, "theta": 0.5} for name in "abcd"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": items, "ask": 2}]})
    >>> round(asked_all(design, parse_pattern("a,b", design)), 6)  # one of six pairs
    0.166667
    """
    chance = 1.0
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        length = sum(first <= column < first + len(block.items) for column in pattern.columns)
        chance *= comb(len(block.items) - length, block.asked - length) / comb(len(block.items), block.asked)
    return chance


def support_se(design: Design, pattern: Pattern, states: Floats, n: int) -> float:
    """The standard error about the population that n disguised respondents will give, before any has answered.

    `states` is the true distribution of the pattern's states, as `independent` gives it. In a sampled block only
    a share of the n respondents, `asked_all`, is asked all of the pattern.

    Parameters
    ----------
    design : Design
        The design that will disguise the answers.
    pattern : Pattern
        The answers that are asked for.
    states : array of float
        The true share of each state of the pattern, as `independent` gives it.
    n : int
        The respondents who answer in disguise.

    Returns
    -------
    float

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> pattern = parse_pattern("drugs", design)
    >>> round(support_se(design, pattern, np.array([0.9, 0.1]), 1000), 4)
    0.029
    """
    disguise = channel_of([factors(design, pattern)])
    square = float(disguise.through(states[np.newaxis])[0] @ disguise.weights()[0] ** 2)
    return sqrt((square - states[-1] ** 2) / (n * asked_all(design, pattern)))


@dataclass(frozen=True)
class TwoSamples:
    """The unrelated question with θ unknown: supports of the sensitive and of the innocent question."""

    support: float
    se: float
    theta: float
    se_theta: float


def _check_pair(name: str, values: Any) -> None:
    try:
        first, second = values
        sound = isinstance(first, Real) and isinstance(second, Real)
    except (TypeError, ValueError):
        sound = False
    if not sound:
        raise InputError(f"{name}: {shown(values)} is not two numbers, one for each sample.")
    if max(map(abs, values)) > MOST:
        raise InputError(f"{name}: {shown(values)} holds too large a number.")


def two_samples(yes: tuple[int, int], sizes: tuple[int, int], p: tuple[float, float]) -> TwoSamples:
    """Estimate π and θ from two samples asked the sensitive question with different p (Greenberg et al. 1969).

    λ_i = p_i π + (1−p_i) θ, two equations in two unknowns; a single respondent in a sample leaves the error unknown.

    Parameters
    ----------
    yes : pair of int
        How many said yes in each sample.
    sizes : pair of int
        The respondents of each sample.
    p : pair of float
        The chance of the sensitive question in each sample.

    Returns
    -------
    TwoSamples
        π and θ with their standard errors.

    Examples
    --------
    >>> both = two_samples(yes=(340, 460), sizes=(1000, 1000), p=(0.8, 0.4))
    >>> round(both.support, 3), round(both.theta, 3)
    (0.28, 0.58)
    """
    for name, values in (("yes", yes), ("sizes", sizes), ("p", p)):
        _check_pair(name, values)
    _check_two(p)
    for name, values in (("yes", yes), ("sizes", sizes)):
        for count in values:
            if count % 1 != 0:
                raise InputError(f"{name}: {shown(count)} is not a whole number.")
    for i in (0, 1):
        if not 0 <= yes[i] <= sizes[i] or sizes[i] < 1:
            raise InputError(f"yes[{i}]: {yes[i]} yes among {sizes[i]} respondents is not possible.")
    seen = [count / size for count, size in zip(yes, sizes, strict=True)]
    apart = p[0] - p[1]
    support = ((1 - p[1]) * seen[0] - (1 - p[0]) * seen[1]) / apart
    theta = (p[0] * seen[1] - p[1] * seen[0]) / apart
    if min(sizes) < 2:
        return TwoSamples(support, float("nan"), theta, float("nan"))
    spread = [share * (1 - share) / (size - 1) for share, size in zip(seen, sizes, strict=True)]
    se = sqrt((1 - p[1]) ** 2 * spread[0] + (1 - p[0]) ** 2 * spread[1]) / abs(apart)
    se_theta = sqrt(p[1] ** 2 * spread[0] + p[0] ** 2 * spread[1]) / abs(apart)
    return TwoSamples(support, se, theta, se_theta)


def _power(n: int, difference: float, null: float, truth: float, alpha: float, sides: int) -> float:
    """Power of the z test of n observations with these variances of one observation under null and truth."""
    from scipy.special import ndtr, ndtri  # slow to import, and most commands do without

    critical = ndtri(1 - alpha / sides) * sqrt(null)
    shift = sqrt(n) * difference
    if truth == 0:
        return float(shift > critical)
    upper = float(ndtr((shift - critical) / sqrt(truth)))
    return upper + float(ndtr((-shift - critical) / sqrt(truth))) if sides == 2 else upper


def fewest(reached: Callable[[int], float], target: float) -> int:
    """The fewest respondents with whom a chance that grows with their number reaches the target."""
    enough = 1
    while reached(enough) < target:
        enough *= 2
        if enough > MOST:
            raise InputError(f"power: {target} would need more than {MOST} respondents.")
    short = enough // 2
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if reached(middle) >= target else (middle, enough)
    return enough


def _check(alpha: float, sides: int, **shares: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha: {alpha!r} is not between 0 and 1.")
    if sides not in (1, 2):
        raise InputError(f"sides: {sides!r} is neither 1 nor 2.")
    for name, share in shares.items():
        if not 0 <= share <= 1 or (name == "power" and share in (0, 1)):
            raise InputError(f"{name}: {share!r} is not {'between 0 and 1' if name == 'power' else 'from 0 to 1'}.")


def _check_two(p: tuple[float, float]) -> None:
    if not all(0 <= share <= 1 for share in p) or p[0] == p[1]:
        raise InputError(f"p: {p[0]} and {p[1]} are not two different shares from 0 to 1.")
