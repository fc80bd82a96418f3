"""Power and sample size for supports seen through a disguise.

A record matches a single literal with probability λ = c + d·π. The z test of π = π₀ takes its critical value from the
null's standard error, as do the tests of Blair, Imai and Zhou (2015); power grows with n, so the smallest n is found by
bisection and is exact. Where a block asks each respondent some of its items, a share of the n is asked.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.design.draws import share_asked
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.estimate.weights import channel_of, factors

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

    def power(self, n: int, support: float, null: float, alpha: float = 0.05, sides: int = 1) -> float:
        """The chance that n disguised respondents reject support = `null` if it is `support`."""
        if not 1 <= n <= MOST:
            raise InputError(f"respondents: {n} is outside 1 to {MOST}.")
        _check_test(alpha, sides, support=support, null=null)
        return _power(n, abs(support - null), self.variance(null), self.variance(support), alpha, sides)

    def sample_size(self, target: float, support: float, null: float, alpha: float = 0.05, sides: int = 1) -> int:
        """The fewest disguised respondents that reach the power `target`."""
        _check_test(alpha, sides, power=target, support=support, null=null)
        if support == null:
            raise InputError("The supports to tell apart are the same; no number of respondents suffices.")
        return fewest(lambda n: self.power(n, support, null, alpha, sides), target)


def line_of_pattern(design: Design, literal: str) -> MatchLine:
    """The line of one literal, or of a pattern under one coin."""
    pattern = parse_pattern(literal, design)
    if (line := _line_by_record(design, pattern)) is not None:
        return MatchLine(*line)
    parts = factors(design, pattern)
    if sum(len(part.atoms) for part in parts) != 1:
        raise InputError(
            f"No single chance tells of {literal!r}, such as that of one coin, flipped answer or word: its power "
            "is not known."
        )
    c, d = channel_of([parts]).line()
    if d[0] == 0:
        raise InputError(f"The disguise leaves nothing of {literal!r}.")
    return MatchLine(float(c[0]), float(d[0]), chance_asked_all(design, pattern))


def _line_by_record(design: Design, pattern: Pattern) -> tuple[float, float] | None:
    """The line of a pattern on one block of which records are read whole, where it has one."""
    blocks = {design.place(column)[0] for column in pattern.columns}
    if len(blocks) != 1:
        return None
    (block,) = blocks
    reader, first = design.blocks[block].patterns.by_record, design.first_columns[block]
    if reader is None:
        return None
    literals = [(column - first, options) for column, options in pattern.literals]
    if lack := reader.lacks(literals):
        raise InputError(f"Pattern {pattern.text(design)!r}: {lack}")
    nothing = np.zeros((len(literals), 0))
    if reader.reach(literals, nothing.astype(bool), nothing.astype(np.intp)) is not None:
        raise InputError(
            f"Pattern {pattern.text(design)!r}: people of whom more is true than the cap of the list allows send a "
            "part of it, so power depends on their other answers, too; candor advise says how far figures may be off."
        )
    return reader.line(literals)


def power(
    design: Design, pattern: str, *, respondents: int, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> float:
    """Compute how likely a test rejects `support = null` if the support is another.

    Parameters
    ----------
    design : Design
        What the answers are disguised by.
    pattern : str
        One literal, such as ``drugs`` or ``age=30-49``, or a pattern under one coin.
    respondents : int
        How many answer disguised. Where a block asks each of them some of its items, those who are asked all of the
        pattern are a share of these.
    support : float
        The true share.
    null : float
        The share that is tested.
    alpha : float
        The level of the test.
    sides : int
        1 or 2.

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> round(candor.power(design, "drugs", respondents=5_000, support=0.10, null=0.05), 3)
    0.689
    """
    return _read_line(design, pattern).power(
        arguments.whole_number(respondents, "respondents"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        arguments.number(alpha, "alpha"),
        arguments.whole_number(sides, "sides"),
    )


def sample_size(
    design: Design, pattern: str, *, power: float, support: float, null: float, alpha: float = 0.05, sides: int = 1
) -> int:
    """Find the fewest disguised respondents with which a test of `support = null` has the power wanted.

    Parameters
    ----------
    power : float
        How likely the test is to reject the null.
    design, pattern, support, null, alpha, sides
        As in `candor.power`.

    Examples
    --------
    >>> import candor
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> candor.sample_size(design, "drugs", power=0.8, support=0.10, null=0.05)
    6770
    """
    return _read_line(design, pattern).sample_size(
        arguments.number(power, "power"),
        arguments.number(support, "support"),
        arguments.number(null, "null"),
        arguments.number(alpha, "alpha"),
        arguments.whole_number(sides, "sides"),
    )


def _read_line(design: Design, pattern: str) -> MatchLine:
    return line_of_pattern(require_design(design), arguments.text(pattern, "pattern"))


def chance_asked_all(design: Design, pattern: Pattern) -> float:
    """How likely a respondent is asked every item of the pattern.

    >>> items = [{"id": name, "theta": 0.5} for name in "abcd"]
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": items, "ask": 2}]})
    >>> round(chance_asked_all(design, parse_pattern("a,b", design)), 6)  # one of six pairs
    0.166667
    """
    chance = 1.0
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        length = sum(first <= column < first + len(block.items) for column in pattern.columns)
        chance *= share_asked(len(block.items), block.items_per_person, length)
    return chance


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
    """The fewest respondents with whom a chance that grows with their number reaches the target.

    >>> fewest(lambda n: 1 - 1 / n, 0.9)
    10
    """
    enough = 1
    while reached(enough) < target:
        enough *= 2
        if enough > MOST:
            raise InputError(f"power: {target} would need more than {MOST} respondents.")
    return bisect_left(range(enough), target, enough // 2 + 1, key=reached)


def _check_test(alpha: float, sides: int, **shares: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha: {alpha!r} is not between 0 and 1.")
    if sides not in (1, 2):
        raise InputError(f"sides: {sides!r} is neither 1 nor 2.")
    for name, share in shares.items():
        if not 0 <= share <= 1 or (name == "power" and share in (0, 1)):
            raise InputError(f"{name}: {share!r} is not {'between 0 and 1' if name == 'power' else 'from 0 to 1'}.")
