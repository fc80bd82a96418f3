"""The weights that turn disguised records into estimates: one algebra for every kind of block, and every mixture.

A pattern falls into *factors*: what it asks of answers that are disguised together, as their block says. A factor is
seen through *atoms*, events that a record matches or not. A weight is a table over the states of the pattern's t atoms.
The states have the numbers 0 … 2^t − 1: the first atom is the highest bit, and in the last state all atoms match. Every
estimate and variance is a dot product of such tables with counts of records.

Each part of a pattern is a sum of terms φ/λ (as `replacing` and the `turning` of flip blocks have them), and the
weight of the pattern is Σ φ/Λ over the products of terms, with Λ = k + (1−k)·Πλ. For k = 0 it inverts the
disguise (with one coin block this is (8)–(16) of the improved grouped unrelated-question paper); with k the share of
direct answers it is the pooled estimator's, where Λ = k + (1−k)p is the paper's (7); for k = 1 it indicates a match.

>>> from privacy.design.patterns import parse_pattern
>>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
>>> pattern = parse_pattern("drugs", design)
>>> parts = factors(design, pattern)
>>> channel_of([parts]).weights().round(6).tolist()  # of a record that says no, and of one that says yes
[[-0.5, 1.5]]
>>> obstacle(design, pattern, "stratified") is None
True

A joint table has one axis for each of some columns.

>>> table_shape(design, [0]), disguise_shares(table_channels(design, [0]), np.array([0.7, 0.3])).round(6).tolist()
((2,), [0.6, 0.4])
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.design.channels import Factor, Floats, Literal, PatternChannel, TableChannel
from privacy.design.patterns import Pattern
from privacy.errors import InputError

DISGUISED, DIRECT = 0, 1
MOST_ATOMS = 16
MOST_CELLS = 2**18  # of a pattern whose records are read whole


@dataclass(frozen=True)
class Channel:
    """What disguises many patterns of one shape: part by part, a row for each pattern."""

    parts: tuple[PatternChannel, ...]

    @cached_property
    def atoms(self) -> int:
        return sum(part.atoms for part in self.parts)

    def weights(self, share: ArrayLike = 0.0) -> Floats:
        """The weights, each row a table over states; `share` is k, one for all or one for each."""
        weights = self._inverse_strengths(np.asarray(share, dtype=float).reshape(-1))
        for part in self.parts:
            # One axis of terms after the other becomes an axis of states, as in any multilinear transform.
            rest = weights.shape[2:]
            lines = np.moveaxis(weights, 1, -1).reshape(len(weights), -1, weights.shape[1])
            weights = part.states(lines).reshape(-1, *rest, 2**part.atoms)
        return weights.reshape(len(weights), -1)

    def _inverse_strengths(self, k: Floats) -> Floats:
        """1/Λ over the products of terms: patterns × terms of the first part × terms of the second …"""
        product = np.ones(len(self.parts[0].strengths) if self.parts else 1)
        for part in self.parts:
            alone = part.strengths.reshape(-1, *[1] * (product.ndim - 1), part.strengths.shape[1])
            product = product[..., np.newaxis] * alone
        k = k.reshape(-1, *[1] * (product.ndim - 1))
        with np.errstate(divide="ignore"):
            return 1.0 / (k + (1.0 - k) * product)

    def disguise(self, states: Floats, *, back: bool = False) -> Floats:
        """Disguise a distribution over the states of each pattern; `back` applies the transpose."""
        table = states.reshape(-1, *[2] * self.atoms)
        axis = 1
        for part in self.parts:
            table = part.disguise(table, axis, back=back)
            axis += part.atoms
        return table.reshape(len(table), -1)

    def line(self) -> tuple[Floats, Floats]:
        """c and d of P(record matches) = c + d·π, for patterns of a single atom."""
        (part,) = self.parts
        return part.line()

    def slope_of_squares(self) -> Floats:
        """By how much the mean square of the weights grows with the share of a pattern whose parts keep theirs."""
        squares = self.disguise(self.weights() ** 2, back=True)  # E[w² | state of the truth]
        states = np.arange(squares.shape[1])
        lacking = sum((~states >> atom & 1 for atom in range(self.atoms)), np.zeros_like(states))
        slope: Floats = squares @ np.where(lacking % 2, -1.0, 1.0)
        return slope

    def select(self, places: NDArray[np.intp]) -> "Channel":
        return Channel(tuple(part.select(places) for part in self.parts))


def states_from_supports(supports: NDArray[Any], axis: int = -1, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """Turn counts of conjunctions, where state s matches the atoms in s and maybe more, into those of exact states.

    Differences along one atom after the other do it (a Möbius transform): inclusion and exclusion, along one axis of
    2^t states of t atoms, bit j for atom j, in integers where the counts are.

    >>> states_from_supports(np.array([10, 4, 5, 3])).tolist()  # all, the first atom, the second, both
    [4, 1, 2, 3]
    """
    states = np.array(supports, dtype=dtype, order="C")
    axis %= states.ndim
    before, size, after = states.shape[:axis], states.shape[axis], states.shape[axis + 1 :]
    for atom in range(size.bit_length() - 1):
        halves = states.reshape(*before, size >> atom + 1, 2, 1 << atom, *after)
        without, with_it = np.moveaxis(halves, axis + 1, 0)
        without -= with_it
    return states


def shares_of_direct(counts: ArrayLike, channel: Channel) -> Floats:
    """Return the weight of a direct answer in the combined estimator, by its state; the disguised have the rest.

    The last column is the weight of a direct answer that is not among the counts.

    >>> from privacy.design.patterns import parse_pattern
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> channel = channel_of([factors(design, parse_pattern("drugs", design))])
    >>> shares_of_direct([[[60, 40], [70, 30]], [[60, 40], [0, 0]]], channel).round(2).tolist()
    [[0.82, 0.82, 0.82], [0.0, 0.0, 0.0]]
    """
    seen = np.asarray(counts, dtype=float)
    asked = seen.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight, own, other = inverse_variances(seen[:, DIRECT], asked[:, DIRECT], asked[:, DISGUISED], channel)
        weight = np.concatenate([weight, (other / (own + other))[:, np.newaxis]], axis=1)
    return np.where(asked[:, DIRECT, np.newaxis] == 0, 0.0, np.where(asked[:, DISGUISED, np.newaxis] == 0, 1.0, weight))


def inverse_variances(seen: Floats, n0: Floats, n1: Floats, channel: Channel) -> tuple[Floats, Floats, Floats]:
    """The direct group's weight for a direct respondent in each state, and the two groups' smoothed variances.

    `seen` counts the direct respondents in each state. Both variances follow from what they tell of the true states,
    with two more respondents who match and two who do not.
    """
    squares = channel.disguise(channel.weights() ** 2, back=True)  # E[w² | state of the truth]
    states = squares.shape[-1]
    match = np.arange(states) == states - 1
    smoothed = seen + np.where(match, 2.0, 2.0 / max(states - 1, 1))
    sums = (smoothed * squares).sum(axis=-1)

    def variances(share: Floats, square: Floats) -> tuple[Floats, Floats]:
        direct, disguised = (n.reshape(-1, *[1] * (share.ndim - 1)) for n in (n0, n1))
        return share * (1 - share) / direct, (square - share**2) / disguised

    # For a direct respondent in each state: the variances as the other n₀ − 1 direct respondents tell them.
    others = n0[:, np.newaxis] + 3
    own, other = variances((smoothed[:, -1:] - match) / others, (sums[:, np.newaxis] - squares) / others)
    return other / (own + other), *variances(smoothed[:, -1] / (n0 + 4), sums / (n0 + 4))


def factors(design: Design, pattern: Pattern) -> tuple[Factor, ...]:
    """Split a pattern by what disguises it: one for each coin or flipped answer that it has literals of."""
    by_block: dict[int, list[Literal]] = {}
    for literal in pattern.literals:
        by_block.setdefault(design.place(literal[0])[0], []).append(literal)
    parts: list[Factor] = []
    for place, literals in sorted(by_block.items()):
        parts += design.blocks[place].patterns.factors(design.first_columns[place], literals)
    return tuple(parts)


def obstacle(design: Design, pattern: Pattern, estimator: str) -> str | None:
    """Return why this estimator cannot reconstruct the pattern, or None if it can."""
    if sum(len(part.atoms) for part in factors(design, pattern)) > MOST_ATOMS:
        return (
            f"Pattern {pattern.text(design)!r} spreads over more than {MOST_ATOMS} separately disguised answers, "
            f"too many to count."
        )
    return why_no_estimate(design, pattern, estimator)


def require_possible(design: Design, pattern: Pattern, estimator: str) -> None:
    """Refuse a pattern that this estimator cannot reconstruct, and one that is empty."""
    if estimator not in ESTIMATORS:
        raise InputError(f"estimator: {estimator!r} is none of {', '.join(ESTIMATORS)}.")
    if not pattern.literals:
        raise InputError("A pattern is empty; name at least one item.")
    if refusal := obstacle(design, pattern, estimator):
        raise InputError(refusal)


def why_no_estimate(design: Design, pattern: Pattern, estimator: str) -> str | None:
    """Return why no number of records would be enough to reconstruct the pattern, or None."""
    name = f"Pattern {pattern.text(design)!r}"
    for index, block in enumerate(design.blocks):
        if (length := _length_within(design, index, pattern)) > block.items_per_person:
            return (
                f"{name} holds {length} items of blocks[{index}], which asks each respondent only "
                f"{block.items_per_person} of its items, so nobody answered all of it."
            )
    readers = [design.blocks[design.place(column)[0]].patterns.by_record for column in pattern.columns]
    if any(reader is not None for reader in readers):
        if estimator == "pooled":
            return (
                f"{name} has answers of which each record is read whole, which the pooled estimator cannot weigh; use "
                f"another estimator."
            )
        if _cells(design, pattern) > MOST_CELLS:
            return f"{name} has too many answers of which each record is read whole."
    for place, block in enumerate(design.blocks):
        first = design.first_columns[place]
        own = [(c - first, options) for c, options in pattern.literals if first <= c < first + len(block.items)]
        if own and (reader := block.patterns.by_record) and (lack := reader.lacks(own)):
            return f"{name}: {lack}"
    if estimator == "pooled":
        return None
    for part in factors(design, pattern):
        if (reason := part.why_no_estimate()) is not None:
            return f"{name}: {reason}"
    return None


def is_asked(design: Design, pattern: Pattern) -> bool:
    """Whether anybody may be asked all of a pattern."""
    return all(
        _length_within(design, index, pattern) <= block.items_per_person for index, block in enumerate(design.blocks)
    )


def _length_within(design: Design, block: int, pattern: Pattern) -> int:
    """How many literals of a pattern are of this block."""
    first = design.first_columns[block]
    return sum(first <= column < first + len(design.blocks[block].items) for column in pattern.columns)


def _cells(design: Design, pattern: Pattern) -> int:
    """How many cells records have for a pattern, of which some block reads whole records."""
    made = 1
    for block, first in zip(design.blocks, design.first_columns, strict=True):
        own = [(c - first, options) for c, options in pattern.literals if first <= c < first + len(block.items)]
        reader = block.patterns.by_record if own else None
        if reader is None:
            made *= 3 ** len(own)
            continue
        merged = reader.merged(own)
        sizes = [reader.most_places] * len(own) if merged is None else (merged.max(axis=1) + 1).tolist()
        made *= prod(1 + 2 * size for size in sizes)
    return made


def shape(parts: Sequence[Factor]) -> tuple[int, ...]:
    """The shapes of a pattern's factors; patterns with the same ones can be computed together."""
    return tuple(part.shape for part in parts)


def channel_of(batch: Sequence[Sequence[Factor]]) -> Channel:
    """Join the factors of patterns of one shape into one channel, with a row for each pattern."""
    return Channel(tuple(column[0].together(column) for column in zip(*batch, strict=True)))


def line_of(design: Design, pattern: Pattern) -> tuple[float, float]:
    """(c, d) of P(record matches) = c + d·π, where π is the true share and c what noise makes; of a single atom."""
    for column in pattern.columns:
        if design.items[column].numbers:
            raise InputError(f"{pattern.text(design)!r} is in no column of a record, which names several answers.")
    (c,), (d,) = channel_of([factors(design, pattern)]).line()
    return float(c), float(d)


def table_shape(design: Design, columns: Sequence[int]) -> tuple[int, ...]:
    """Return how many values each of the columns has; refuse a number or a place, which has no cells of its own."""
    for column in columns:
        design.items[column].check_options()
    return tuple(len(design.items[column].options) for column in columns)


def table_channels(design: Design, columns: Sequence[int]) -> tuple[TableChannel, ...]:
    """The channels that, one after the other, disguise a table with an axis for each column where all were asked."""
    shape = table_shape(design, columns)
    by_block: dict[int, list[int]] = {}
    for axis, column in enumerate(columns):
        by_block.setdefault(design.place(column)[0], []).append(axis)
    channels: list[TableChannel] = []
    for place, axes in sorted(by_block.items()):
        inside = [columns[axis] - design.first_columns[place] for axis in axes]
        channels += design.blocks[place].patterns.along(axes, inside, shape)
    return tuple(channels)


def disguise_shares(channel: Sequence[TableChannel], table: Floats, *, back: bool = False) -> Floats:
    """Apply the channels of `table_channels` to a distribution; `back` applies the transpose."""
    for piece in channel:
        table = piece.disguise(table, back=back)
    return table
