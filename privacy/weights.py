"""The weights that turn disguised records into estimates: one algebra for coins, flips and every mixture of blocks.

A pattern falls into *factors*: what it asks of the items under one coin, or of one flip block. A factor is seen
through *atoms*, events that a record matches or not: all its literals together under a coin, every literal by itself
under flips. A weight is then a table over the states of the pattern's t atoms, numbered 0 … 2^t − 1 with the first
atom as the highest bit and the last state the match of all; every estimate and variance is a dot product of such
tables with counts of records.

Each factor is a sum of terms φ/λ:

    coin   φ = q(E_b), λ = 1            and  φ = 1[match] − q(E_b), λ = a
    flips  φ = 2^−L Σ_{|S|=m} Π_{j∈S} z_j, λ = a_m, for m = 0 … L              (z_j = ±1: literal j matches or not)

and the weight of the pattern is Σ φ/Λ over the products of terms, with Λ = k + (1−k)·Πλ. For k = 0 it inverts the
disguise (with one coin block this is (8)–(16) of the improved grouped unrelated-question paper); with k the share of
direct answers it is the pooled estimator's, where Λ = k + (1−k)p is the paper's (7); for k = 1 it indicates a match.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.channels import StateChannel, StatePart
from privacy.design import Block, CoinBlock, Design, FlipBlock, GroupedBlock, asked
from privacy.exact import ONE
from privacy.flips import eigenvalues, krawtchouk
from privacy.patterns import Literal, Pattern

__all__ = ["Factor", "factors", "line", "obstacle", "shape", "state_channel", "subset_tables", "tables"]

Floats = NDArray[np.float64]
MOST_ATOMS = 16


@dataclass(frozen=True)
class Factor:
    """What a pattern asks of one coin (`noise` = q(E_b)) or of one flip block (`noise` is None)."""

    block: Block
    literals: tuple[tuple[int, frozenset[int]], ...]  # place inside the block, options
    atoms: tuple[tuple[Literal, ...], ...]
    strengths: tuple[float, ...]
    noise: float | None

    @property
    def states(self) -> int:
        return 1 << len(self.atoms)


def factors(design: Design, pattern: Pattern) -> tuple[Factor, ...]:
    """Split a pattern by the coins and flips that disguise it."""
    by_block: dict[int, list[Literal]] = {}
    for literal in pattern.literals:
        by_block.setdefault(design.place(literal[0])[0], []).append(literal)
    found = []
    for place, literals in sorted(by_block.items()):
        block, first = design.blocks[place], design.first_columns[place]
        separate = isinstance(block, CoinBlock) and block.each
        for group in [[literal] for literal in literals] if separate else [literals]:
            inside = tuple((column - first, options) for column, options in group)
            if isinstance(block, FlipBlock):
                strengths = _strengths(block.flips)[: len(group) + 1]
                found.append(Factor(block, inside, tuple((literal,) for literal in group), strengths, None))
            else:
                noise = _noise(block, inside)
                found.append(Factor(block, inside, (tuple(group),), (1.0, block.keep / ONE), noise))
    return tuple(found)


def obstacle(design: Design, pattern: Pattern, estimator: str) -> str | None:
    """Why this estimator cannot reconstruct the pattern, or None if it can."""
    name = f"Pattern {pattern.text(design)!r}"
    for place, block in enumerate(design.blocks):
        first = design.first_columns[place]
        length = sum(first <= column < first + len(block.items) for column in pattern.columns)
        if length > asked(block):
            return (
                f"{name} holds {length} items of blocks[{place}], which asks each respondent only {asked(block)} of "
                f"its items, so nobody answered all of it."
            )
    parts = factors(design, pattern)
    if sum(len(part.atoms) for part in parts) > MOST_ATOMS:
        return f"{name} spreads over more than {MOST_ATOMS} separately disguised answers, too many to count."
    if estimator == "pooled":
        return None
    for part in parts:
        if part.noise is not None and part.strengths[1] == 0:
            items = ", ".join(item.id for item in part.block.items)
            return f"{name}: keep = 0 leaves nothing of {items} in a disguised record; only 'pooled' can be used."
        lost = [m for m, strength in enumerate(part.strengths) if strength == 0]
        if lost:
            return (
                f"{name}: these flips leave nothing of {' and of '.join(str(m) for m in lost)} answers taken together "
                f"(a_m = 0), so the pattern is unidentified."
            )
    return None


def shape(parts: Sequence[Factor]) -> tuple[int, ...]:
    """What patterns must share to be computed together: the literals of each flip factor, 0 for each coin."""
    return tuple(0 if part.noise is not None else len(part.atoms) for part in parts)


def tables(batch: Sequence[Sequence[Factor]], share: ArrayLike = 0.0) -> Floats:
    """The weights of many patterns of one shape, each row a table over states; `share` is k, one or one for each."""
    terms = [
        np.stack([_coin_terms(part.noise) for part in column])
        if column[0].noise is not None
        else _flip_terms(len(column[0].atoms))[np.newaxis]
        for column in zip(*batch, strict=True)
    ]
    weights = _inverse_strengths(batch, share)
    for term in terms:
        # One axis of terms after the other becomes an axis of states, as in any multilinear transform.
        rest = weights.shape[2:]
        lines = np.moveaxis(weights, 1, -1).reshape(len(weights), -1, weights.shape[1])
        weights = (lines @ term).reshape(-1, *rest, term.shape[-1])
    return weights.reshape(len(weights), -1)


def subset_tables(parts: Sequence[Factor], share: float = 0.0) -> Floats:
    """The weights of every sub-pattern, all over the states of the whole pattern's single literals.

    Row and column numbers read the literals in the order of the factors, the first as the highest bit: row S is the
    weight of the sub-pattern of the literals in S, column s the state of a record that matches exactly those in s.
    The parts of one association rule are estimated so from the same records, and their covariances are dot products.
    """
    weights = _inverse_strengths([parts], share)[0]
    for part in parts:
        weights = np.tensordot(weights, _subset_terms(part), axes=([0], [1]))
    # The axes are now subsets and states in turn, factor by factor.
    count = len(parts)
    order = [2 * j for j in range(count)] + [2 * j + 1 for j in range(count)]
    size = 1 << sum(len(part.literals) for part in parts)
    return weights.transpose(order).reshape(size, size)


def state_channel(batch: Sequence[Sequence[Factor]]) -> StateChannel:
    """What the disguise does to the states of patterns of one shape."""
    parts = []
    for column in zip(*batch, strict=True):
        strengths = np.array([part.strengths for part in column])
        noise = None if column[0].noise is None else np.array([part.noise for part in column])
        parts.append(StatePart(len(column[0].atoms), strengths, noise))
    return StateChannel(tuple(parts))


def line(batch: Sequence[Sequence[Factor]]) -> tuple[Floats, Floats]:
    """c and d of P(record matches) = c + d·π, for patterns of a single atom."""
    parts = [parts[0] for parts in batch]
    d = np.array([part.strengths[1] for part in parts])
    return (1 - d) * np.array([0.5 if part.noise is None else part.noise for part in parts]), d


def _inverse_strengths(batch: Sequence[Sequence[Factor]], share: ArrayLike) -> Floats:
    """1/Λ over the products of terms, one axis of terms for each factor after the axis of patterns."""
    strength = np.ones((len(batch),))
    for column in zip(*batch, strict=True):
        strength = strength[..., None] * np.array([part.strengths for part in column]).reshape(
            len(batch), *[1] * (strength.ndim - 1), -1
        )
    k = np.asarray(share, dtype=float).reshape(-1, *[1] * (strength.ndim - 1))
    with np.errstate(divide="ignore"):
        return 1.0 / (k + (1.0 - k) * strength)


def _noise(block: Block, literals: Iterable[tuple[int, frozenset[int]]]) -> float:
    """q(E_b): how likely noise alone matches the literals; 1 for none."""
    literals = tuple(literals)
    if isinstance(block, GroupedBlock):  # the grouped model's noise is all yes or all no: (3)–(6) of the paper
        yes, no = all(1 in options for _, options in literals), all(0 in options for _, options in literals)
        return (block.theta * yes + (ONE - block.theta) * no) / ONE
    return prod(sum((block.items[j].noise or ())[option] for option in options) / ONE for j, options in literals)


@lru_cache(maxsize=64)
def _strengths(flips: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in eigenvalues(flips))


def _coin_terms(noise: float) -> Floats:
    return np.array([[noise, noise], [-noise, 1.0 - noise]])


@lru_cache(maxsize=64)
def _flip_terms(length: int) -> Floats:
    """2^−L K_m(mismatches) for m = 0 … L and every state: Σ over |S| = m of Π z_j."""
    by_mismatches = _krawtchouk_table(length)
    return by_mismatches[:, [length - state.bit_count() for state in range(1 << length)]]


@lru_cache(maxsize=64)
def _krawtchouk_table(length: int) -> Floats:
    sizes = range(length + 1)
    return np.array([[krawtchouk(length, m, d) for d in sizes] for m in sizes], dtype=float) / 2**length


def _subset_terms(part: Factor) -> Floats:
    """φ of every subset of the literals: subsets × terms × states of the single literals."""
    length = len(part.literals)
    found = np.zeros((1 << length, len(part.strengths), 1 << length))
    for chosen in range(1 << length):
        size = chosen.bit_count()
        matched = np.array([(state & chosen).bit_count() for state in range(1 << length)])
        if part.noise is None:
            found[chosen, : size + 1] = _krawtchouk_table(size)[:, size - matched]
        else:
            subset = [literal for bit, literal in enumerate(reversed(part.literals)) if chosen >> bit & 1]
            noise = _noise(part.block, subset)
            found[chosen, 0], found[chosen, 1] = noise, (matched == size) - noise
    return found
