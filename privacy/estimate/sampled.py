"""Patterns on sampled blocks, counted and estimated by available cases.

>>> from privacy.design.patterns import parse_pattern
>>> from privacy.records import Records
>>> design = Design.parse({"blocks": [{"keep": 0.5, "ask": 2, "items": [{"id": one, "theta": 0.5} for one in "abc"]}]})
>>> own = pattern_of_sample(design, parse_pattern("a,b", design))
>>> asked = np.repeat([[1, 1, 255], [0, 0, 255], [1, 255, 0]], 10, axis=0).astype(np.uint8)
>>> counts = own.count(BitColumns(Records(design, asked, np.zeros(30, bool))))
>>> estimates = estimate_sampled(own, counts, np.array([30, 0]), "stratified", 0.95)
>>> float(estimates.asked[0]), float(estimates.support[0].round(3))
(20.0, 0.917)
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE, COMPLETE
from privacy.design import Design
from privacy.design.channels import Floats, Literal
from privacy.design.patterns import Pattern
from privacy.estimate.available import AvailableCases
from privacy.estimate.bit_columns import BitColumns, count_states
from privacy.estimate.estimators import Estimates
from privacy.estimate.weights import channel_of, factors, is_asked, shares_of_direct

Counts = NDArray[np.int64]
MOST_SAMPLED = 7  # literals on sampled blocks; n of them need 3^n counts and 4^n covariances


@dataclass(frozen=True)
class SampledPattern:
    """A pattern with its literals on sampled blocks; bit j of a mask, and of a cell of events, stands for the j-th.

    The further events of a cell are what the rest of the pattern is seen through.
    """

    design: Design
    pattern: Pattern
    literals: tuple[Literal, ...]

    def part(self, mask: int) -> Pattern:
        """The pattern without the sampled literals that are not in the mask."""
        left_out = {literal for bit, literal in enumerate(self.literals) if not mask >> bit & 1}
        return Pattern(tuple(literal for literal in self.pattern.literals if literal not in left_out))

    @cached_property
    def rest(self) -> tuple[tuple[Literal, ...], ...]:
        """The atoms of the literals that are not sampled, each one event of a cell, the highest bit first."""
        return tuple(atom for factor in factors(self.design, self.part(0)) for atom in factor.atoms)

    @property
    def cells(self) -> int:
        return 2 ** (len(self.literals) + len(self.rest))

    @cached_property
    def centres(self) -> Floats:
        """The share of its item's options that each sampled literal names."""
        options = [len(self.design.items[column].options) for column, _ in self.literals]
        return np.array([len(own) / size for (_, own), size in zip(self.literals, options, strict=True)])

    def count(self, bits: BitColumns) -> Counts:
        """Count the records of those asked each set of literals by cell: 2 groups × Σ 2^(events of a set)."""
        return np.concatenate(
            [count_states(bits, self._events(mask), self.part(mask).columns) for mask in self._masks], axis=1
        )

    def states(self, counts: Counts) -> Floats:
        """The result of `count` as a table: 2 groups × sets × cells."""
        states = np.zeros((2, len(self._masks), self.cells))
        start = 0
        for mask in self._masks:
            cells = self._cells(mask)
            states[:, mask, cells] = counts[:, start : start + len(cells)]
            start += len(cells)
        return states

    def whole(self, counts: Counts) -> Counts:
        """Count the records that were asked all of the pattern, by the states of its atoms."""
        own = counts[:, -self.cells :]
        states = np.zeros((2, 2 ** sum(len(part.atoms) for part in factors(self.design, self.pattern))), np.int64)
        np.add.at(states.T, self.all_states[self._cells(self._masks[-1])], own.T)
        return states

    def weights(self, k: Floats | None) -> Floats:
        """The weights of cells for each sub-pattern, (sets, cells, 1); `k`: the share of direct answers, if pooled."""
        tables = np.ones((len(self._masks), self.cells, 1))
        for mask in self._masks:
            parts = factors(self.design, self.part(mask))
            if parts and is_asked(self.design, self.part(mask)):
                (weights,) = channel_of([parts]).weights(0.0 if k is None else k)
                tables[mask, :, 0] = weights[self._states(mask)]
        return tables

    @cached_property
    def all_states(self) -> NDArray[np.intp]:
        """For each cell, the state of the atoms of the whole pattern."""
        return self._states(self._masks[-1])

    @property
    def _masks(self) -> range:
        return range(2 ** len(self.literals))

    def _events(self, mask: int) -> list[tuple[Literal, ...]]:
        """The events of a set: the atoms of the rest, then its sampled literals, the highest bit first."""
        return [*self.rest, *((self.literals[bit],) for bit in reversed(range(len(self.literals))) if mask >> bit & 1)]

    def _cells(self, mask: int) -> NDArray[np.intp]:
        """The cells in which only events of this set may occur, in the order of `count_states`."""
        cells = np.zeros(1, dtype=np.intp)
        for bit in reversed(range(len(self.literals) + len(self.rest))):
            if bit >= len(self.literals) or mask >> bit & 1:
                cells = (cells[:, None] | np.array([0, 1 << bit])).ravel()
        return cells

    def _states(self, mask: int) -> NDArray[np.intp]:
        """For each cell, the state of the atoms of the part with these sampled literals."""
        places = {literal: bit for bit, literal in enumerate(self.literals)}
        events = dict(
            zip(self.rest, reversed(range(len(self.literals), len(self.literals) + len(self.rest))), strict=True)
        )
        cells = np.arange(self.cells)
        state = np.zeros(self.cells, dtype=np.intp)
        for factor in factors(self.design, self.part(mask)):
            for atom in factor.atoms:
                bits = 1 << events[atom] if atom in events else sum(1 << places[literal] for literal in atom)
                state = state << 1 | ((cells & bits) == bits)
        return state


def pattern_of_sample(design: Design, pattern: Pattern, cases: str = AVAILABLE) -> SampledPattern | None:
    """The pattern for available cases, which treat each sampled literal apart.

    None where complete cases are wanted or all there is, or where there would be too many literals.
    """
    literals = []
    for column, options in pattern.literals:
        block = design.blocks[design.place(column)[0]]
        if block.items_per_person < len(block.items):
            literals.append((column, options))
    if cases == COMPLETE or len(pattern.literals) < 2 or not literals:
        return None
    return SampledPattern(design, pattern, tuple(literals)) if len(literals) <= MOST_SAMPLED else None


def estimate_sampled(own: SampledPattern, counts: Counts, sizes: Counts, estimator: str, level: float) -> Estimates:
    """The figures of one pattern by available cases."""
    whole = own.whole(counts)
    matching, groups = whole[:, -1:].astype(float), sizes.astype(float)
    states, centres = own.states(counts)[..., np.newaxis], own.centres[:, np.newaxis]
    shares = None
    if estimator == "combined":
        channel = channel_of([factors(own.design, own.pattern)])
        (*by_state, others) = shares_of_direct(whole[np.newaxis], channel)[0]
        shares = np.array(by_state)[own.all_states][:, np.newaxis], np.array([others])
    return AvailableCases(states, groups, own.weights, centres, estimator, shares).estimates(matching, groups, level)
