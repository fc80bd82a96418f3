"""Exact standard errors of supports, from the algebra alone.

The estimate of a support is the mean of the records' weights w, so that n·Var = E[w²] − P². Blocks use randomness of
their own: given the truth, E[w²] is the product over blocks of E[w_b² | truth], and each factor depends only on how
much of the pattern the truth matches. Two figures follow: the *expected* one where items are independent and as common
as guessed, and the *worst* one over every possible truth (E[w²] is linear in the distribution of the truth, so the
worst mixes truths that match with the worst of those that do not).

In a sampled block each part of a pattern is estimated from everyone who was asked it (`privacy.plan.exact_errors`). The
stratified estimator joins direct answers, a share k of respondents, where both groups answer alike.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeVar

import numpy as np

from privacy.arrays import unique_rows
from privacy.design import Block, Design
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Squares
from privacy.design.channels.replacing import independent
from privacy.design.draws import share_asked
from privacy.design.plans import Plan, Sketched
from privacy.plan.exact_errors import BlockSubPatterns, TruthCells, cells_of, cells_of_coins, cells_of_nobody

Sketch = tuple[Sketched, ...]
_NEARLY = 1 - 1e-9  # what a bound leaves to rounding
_FEW = 64  # sub-patterns; sorting so few costs more than it saves


@dataclass(frozen=True)
class Parts(BlockSubPatterns):
    """What E[w²] is of each sub-pattern.

    share: how many truths match it; square: E[w²] for independent items; hit: E[w²] where the truth matches;
    miss: the largest E[w²] where it does not.
    """

    share: Floats
    square: Floats
    hit: Floats
    miss: Floats

    def times(self, other: "Parts") -> "Parts":
        """All pairs of a sub-pattern here and one of `other`, each pair as one sub-pattern."""
        a, b = self, other
        return Parts(
            np.outer(a.share, b.share).ravel(),
            np.outer(a.square, b.square).ravel(),
            np.outer(a.hit, b.hit).ravel(),
            np.maximum(np.outer(a.miss, np.maximum(b.hit, b.miss)), np.outer(a.hit, b.miss)).ravel(),
        )

    def without_repeats(self) -> "Parts":
        """The same without repetitions; equal blocks make many."""
        if len(self.share) < _FEW:
            return self
        rows = unique_rows(np.stack(self.columns, axis=1))
        return Parts(*rows.T)

    def expected_error(self, brief: Brief) -> Floats:
        """The largest standard error over the sub-patterns (the last axis), as expected."""
        k, n = brief.direct_share, brief.respondents
        known = np.isfinite(self.square)
        square = np.where(known, self.square, 0.0)
        expected = np.where(known, (k * self.share + (1 - k) * square - self.share**2) / n, np.inf)
        return np.asarray(np.sqrt(np.maximum(expected, 0).max(axis=-1)))

    def worst(self, brief: Brief) -> Floats:
        """The largest standard error over the sub-patterns (the last axis), whatever is true."""
        k, n = brief.direct_share, brief.respondents
        known = np.isfinite(self.square)
        hit, miss = (np.where(known, column, 0.0) for column in (self.hit, self.miss))
        rises = k + (1 - k) * (hit - miss)
        share = np.clip(rises / 2, 0, 1)
        worst = np.where(known, ((1 - k) * miss + rises * share - share**2) / n, np.inf)
        return np.asarray(np.sqrt(worst.max(axis=-1)))


@dataclass(frozen=True)
class Guessed(BlockSubPatterns):
    """E[w²] of each sub-pattern where answers are independent and as common as guessed.

    direct: what E[w²] is of direct answers; square: of disguised ones; least: what n·Var leaves of both.
    """

    direct: Floats
    square: Floats
    least: Floats

    def times(self, other: "Guessed") -> "Guessed":
        pairs = zip(self.columns, other.columns, strict=True)
        return Guessed(*(np.outer(a, b).ravel() for a, b in pairs))

    def without_repeats(self) -> "Guessed":
        """The same: its entries are few numbers, and sorting them out would cost more."""
        return self


Own = TypeVar("Own", Parts, TruthCells, Guessed)


@dataclass(frozen=True)
class Errors:
    """Standard errors of the worst support of each length 1, 2, …; infinite where a pattern is not identified."""

    expected: tuple[float, ...]
    worst: tuple[float, ...]

    def up_to(self, length: int, guessed: bool) -> float:
        """The largest error of patterns up to a length, as guessed or at worst."""
        return max((self.expected if guessed else self.worst)[:length])


def errors_of_design(design: Design | Sketch, brief: Brief, *, expected: bool = True, worst: bool = True) -> Errors:
    """The standard errors a design will have under a brief, whose items it holds in the brief's order.

    For each length the error as expected, where answers are guessed, and at worst.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> design = Design.parse({"model": "gamma-diagonal", "gamma": 19, "items": ["a", "b"]})
    >>> brief = Brief(yes_no(2, prevalence=0.3), respondents=10_000, gamma=Fraction(19))
    >>> [round(error, 4) for error in errors_of_design(design, brief).expected]
    [0.0058, 0.004]
    """
    sketch = of_design(design) if isinstance(design, Design) else design
    if len(sketch) == 1 and (own := sketch[0].errors(brief, worst=worst)):
        return Errors(*own)
    return Errors(errors_of_guess(sketch, brief) if expected else (), _worst_errors(sketch, brief) if worst else ())


def _worst_errors(sketch: Sketch, brief: Brief) -> tuple[float, ...]:
    of_size = _sub_patterns_by_size(sketch, brief)
    sizes = [of_size.get(size) for size in range(1, brief.length + 1)]
    return tuple(float(size.worst(brief)) if size else math.inf for size in sizes)


def errors_to_judge(sketch: Sketch, brief: Brief) -> Errors:
    """The errors of a sketch by which the brief judges: the expected ones or the worst; the others are left out."""
    return errors_of_design(sketch, brief, expected=brief.has_expectations, worst=not brief.has_expectations)


def errors_of_guess(sketch: Sketch, brief: Brief) -> tuple[float, ...]:
    """The largest standard error of each length, as guessed: as `errors_of_design`, without its cells.

    Blocks are independent, and so are answers; so E[w²] and what it leaves are products over the blocks.
    """
    blocks = _count_blocks(sketch, brief)
    sampled = any(channel.ask < len(members) for channel, members in blocks)
    of_size = _join_blocks(
        ((_errors_of_guess(*block, brief.length, sampled), count) for block, count in blocks.items()), brief.length
    )
    return tuple(_largest_error(of_size.get(size), brief) for size in range(1, brief.length + 1))


def _largest_error(own: Guessed | None, brief: Brief) -> float:
    if own is None or not np.isfinite(own.square).all():
        return math.inf
    k = brief.direct_share
    variance = float((k * own.direct + (1 - k) * own.square - own.least).max())
    return math.sqrt(max(variance, 0.0) / brief.respondents)


def _count_blocks(sketch: Sketch, brief: Brief) -> Counter[tuple[Sketched, tuple["Member", ...]]]:
    """Count the blocks of a design that are alike but for the names of their items."""
    return Counter((block.channel, _members(block.items, block.noise, brief)) for block in sketch)


def least_errors(sketch: Sketch, brief: Brief, kinds: Sequence[int], *, several: bool) -> tuple[float, float]:
    """Return what a single answer, and any longer pattern, errs by at least.

    `kinds` has a number for each question; those with the same one are alike. `several`: the design has more blocks
    beside those of this sketch. Blocks use randomness of their own, so that n·Var of a pair of answers in two
    blocks is at least the product of both: (V + P²)(V′ + P′²) − P²P′² ≥ V·V′. Where items of a block have coins of
    their own, noise in both answers at once, N·N′, is seen by those alone who were asked both.
    """
    errors, pairs = [], [0.0]
    for block in sketch:
        unlike = {(kinds[item], own): item for item, own in zip(block.items, block.noise, strict=True)}
        members = [_member(brief.questions[item], own) for (_, own), item in unlike.items()]
        literals = [
            _variance_of_one(*block.line(noise), share if brief.has_expectations else None)
            for member in members
            for share, noise, _ in member
        ]
        seldom = len(block.items) / block.ask
        errors.append(_NEARLY * math.sqrt(max(literals)[0] * seldom / brief.respondents))
        if block.apart and block.ask > 1:
            seldom *= (len(block.items) - 1) / (block.ask - 1)
            pairs.append(_NEARLY * min(noise for _, noise in literals) * math.sqrt(seldom / brief.respondents))
    single = max(errors)
    if several:
        pairs.append(min(errors) ** 2 * math.sqrt(brief.respondents))
    return single, max(single, *pairs)


def _variance_of_one(c: float, d: float, share: float | None) -> tuple[float, float]:
    """n·Var of a literal that a record matches with the chance c, or c + d where the truth does; None: at worst.

    And the part of it that is noise, for the truth of which that is largest.
    """
    if not d:
        return math.inf, math.inf
    hit, miss = (((c + d * true) * (1 - 2 * c) + c**2) / d**2 for true in (1, 0))
    at = min(max((hit - miss) / 2, 0.0), 1.0) if share is None else share
    variance = max(miss + (hit - miss) * at - at**2, 0.0)
    return variance, max(hit - 1, miss) if share is None else max(variance - at * (1 - at), 0.0)


def _sub_patterns_by_size(sketch: Sketch, brief: Brief) -> Mapping[int, Parts] | Mapping[int, TruthCells]:
    """The sub-patterns of each length; as cells where some block asks each respondent only some of its items."""
    blocks = _count_blocks(sketch, brief)
    if any(channel.ask < len(members) for channel, members in blocks):
        return _join_blocks(((_cells(*block, brief.length), count) for block, count in blocks.items()), brief.length)
    return _join_blocks(((_parts(*block, brief.length), count) for block, count in blocks.items()), brief.length)


def errors_of_many(
    brief: Brief,
    items: Sequence[int],
    ask: int,
    count: int,
    squares: Callable[[Floats, Floats], Squares],
    longest: int | None = None,
) -> Floats:
    """The worst error of each length (columns) of many channels without noise over the same items (rows).

    `squares` gives E[w²] under every channel (a row) for the shares of sub-patterns, and the shares of respondents who
    are asked none, one … all of a sub-pattern. Where these are not 1, the errors are near enough to choose by.
    """
    members = _members(tuple(items), ((0.0, 0.0),) * len(items), brief)
    longest = longest or brief.length
    worst = np.full((count, longest), np.inf)
    for size in range(1, min(longest, ask) + 1):
        shares, _, _ = _literals(members, size)
        seen = np.array([share_asked(len(items), ask, asked) for asked in range(size + 1)])
        parts = Parts(shares.prod(axis=1), *squares(shares, seen))
        worst[:, size - 1] = parts.expected_error(brief) if brief.has_expectations else parts.worst(brief)
    return worst


def _join_blocks(blocks: Iterable[tuple[dict[int, Own], int]], length: int) -> dict[int, Own]:
    """The sub-patterns of a design by size, from those of its blocks and how often each block is there."""
    by_size: dict[int, Own] = {}
    for block, count in blocks:
        for _ in range(min(count, length)):
            by_size = _with_block(by_size, block, length)
    return by_size


def _with_block(by_size: dict[int, Own], block: dict[int, Own], length: int) -> dict[int, Own]:
    """Sub-patterns without the block, those in it alone, and those of both."""
    joined: dict[int, Own] = dict(by_size)

    def add(size: int, parts: Own) -> None:
        joined[size] = joined[size].join(parts) if size in joined else parts

    for size, parts in block.items():
        add(size, parts)
    for a, first in by_size.items():
        for b, second in block.items():
            if a + b <= length:
                add(a + b, first.times(second))
    return {size: parts.without_repeats() for size, parts in joined.items()}


Member = tuple[tuple[float, float, float], ...]
"""The literals of an item: how common in truth, how likely as noise, and the share of its options that one is."""


@lru_cache(maxsize=4096)
def _members(items: tuple[int, ...], noise: tuple[tuple[float, ...], ...], brief: Brief) -> tuple[Member, ...]:
    """The literals of each of these items that a worst pattern can have, in an order that tells no names."""
    return tuple(sorted(_member(brief.questions[item], own) for item, own in zip(items, noise, strict=True)))


def _member(question: ExpectedItem, noise: tuple[float, ...]) -> Member:
    """The literals of an item that a worst pattern can have; without a guess all answers are equally common."""
    common = question.expected or (1 / len(question.options),) * len(question.options)
    return _worst_literals(common, noise, question.literals)


@lru_cache(maxsize=4096)
def _worst_literals(common: tuple[float, ...], noise: tuple[float, ...], options: tuple[int, ...]) -> Member:
    """The literals of an item that a worst pattern can have: the two most common of each noise.

    The error rises with the share P as long as P ≤ ½ (its slope is at least (1−2(1−a)q)/a − 2P, and q ≤ ½ but for a
    yes/no item, which has one literal), and at most one option has more than ½.
    """
    alike: dict[float, list[float]] = {}
    for option in options:
        alike.setdefault(noise[option], []).append(common[option])
    centre = 1 / len(common)
    return tuple(sorted({(share, q, centre) for q, shares in alike.items() for share in sorted(shares)[-2:]}))


@lru_cache(maxsize=4096)
def _parts(channel: Sketched, members: tuple[Member, ...], length: int) -> dict[int, Parts]:
    """The sub-patterns of one block by size."""
    parts = {}
    for size in range(1, min(length, len(members)) + 1):
        shares, noise, _ = _literals(members, size)
        parts[size] = Parts(shares.prod(axis=1), *channel.squares(shares, noise))
    return parts


@lru_cache(maxsize=4096)
def _cells(channel: Sketched, members: tuple[Member, ...], length: int) -> dict[int, TruthCells]:
    """Return the sub-patterns of one block by size, by available cases."""
    cells = {}
    for size in range(1, min(length, len(members)) + 1):
        if size > channel.ask:
            cells[size] = cells_of_nobody(size)
            continue
        shares, noise, centres = _literals(members, size)
        own = _cells_of_channel(channel, noise.tobytes(), centres.tobytes(), size, len(members))
        cells[size] = TruthCells(independent(shares), *own)
    return cells


@lru_cache(maxsize=4096)
def _cells_of_channel(
    channel: Sketched, noise: bytes, centres: bytes, size: int, items: int
) -> tuple[Floats, Floats, Floats]:
    """`cells_of`, which the shares of answers do not change: every guess has the same."""
    own, options = (np.frombuffer(one).reshape(-1, size) for one in (noise, centres))
    if (moments := channel.moments(own)) is not None:
        return cells_of_coins(moments, options, items, channel.ask)
    return cells_of(channel.chances(own), options, items, channel.ask)


@lru_cache(maxsize=4096)
def _errors_of_guess(channel: Sketched, members: tuple[Member, ...], length: int, sampled: bool) -> dict[int, Guessed]:
    """Sub-patterns of one block by size, for answers as guessed; by available cases if some block is sampled."""
    if sampled:
        return {size: Guessed(*cells.variance_parts()) for size, cells in _cells(channel, members, length).items()}
    parts = _parts(channel, members, length)
    return {size: Guessed(own.share, own.square, own.share**2) for size, own in parts.items()}


@lru_cache(maxsize=4096)
def _literals(members: tuple[Member, ...], size: int) -> tuple[Floats, Floats, Floats]:
    """Shares, noise and centres of patterns of `size` literals: one pattern for each case whose error can differ."""
    kinds = list(Counter(members).items())
    literals = [(kind, literal) for kind, (member, _) in enumerate(kinds) for literal in member]
    chosen = [
        [literal for _, literal in picked]
        for picked in combinations_with_replacement(literals, size)
        if all(count <= kinds[kind][1] for kind, count in Counter(kind for kind, _ in picked).items())
    ]
    table = np.array(chosen)
    return table[:, :, 0], table[:, :, 1], table[:, :, 2]


def sketch_plan(plan: Plan, questions: Sequence[ExpectedItem], gamma: float) -> Sketch:
    """The blocks of a plan, sharing γ by their weights."""
    total = sum(block.weight for block in plan)
    return tuple(block.sketch(questions, gamma ** (block.weight / total)) for block in plan)


def of_design(design: Design) -> Sketch:
    """The sketch of a design, for its errors."""
    placed = zip(design.blocks, design.first_columns, strict=True)
    return tuple(block.sketch(tuple(range(first, first + len(block.items)))) for block, first in placed)


def to_design(sketch: Sketch, questions: Sequence[ExpectedItem], limit: Fraction, direct: bool) -> Design | None:
    """The design over 2^32 whose exact γ is at most the limit; None where steps of 2^−32 are too coarse.

    All but the last block stay a hair under the γ they have in floats, and the last takes exactly what is left.
    """
    left = limit
    blocks: list[Block] = []
    for index, block in enumerate(sketch):
        own = left if index == len(sketch) - 1 else min(left, Fraction(block.odds) * (1 - Fraction(1, 10**12)))
        made = block.exact_block(questions, own) if own > 1 else None
        if made is None:
            return None
        blocks.append(made)
        left /= Fraction(made.odds)
    return Design(tuple(blocks), direct)
