"""The standard error a support would have with another p, another k or other numbers of respondents.

Figure 1 of the improved grouped unrelated-question paper for every design and estimator: the truth is taken to be what
was estimated, and both groups to answer alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mining.engines.columns import Columns
from mining.engines.literals import Literals
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.reconstruct.weights import Channel, channel_of, factors

Floats = np.ndarray


@dataclass(frozen=True)
class Seen:
    """An itemset as its disguise shows it, with the most plausible shares of its states."""

    name: str
    n: float  # asked all of it
    channel: Channel
    states: Floats

    def errors(self, estimator: str, k: ArrayLike, p: ArrayLike | None = None, times: ArrayLike = 1.0) -> Floats:
        """Standard errors for shares `k` of direct answers, coins that keep `p`, and `times` as many respondents."""
        k, times = np.broadcast_arrays(np.asarray(k, dtype=float), np.asarray(times, dtype=float))
        channel, count = self.channel, len(k) if p is None else len(np.asarray(p))
        channel = channel.keeping(p, count)
        states, k = np.tile(self.states, (count, 1)), np.broadcast_to(k, count)
        support, seen = self.states[-1], channel.through(states)
        with np.errstate(divide="ignore", invalid="ignore"):
            if estimator == "pooled":
                seen = k[:, None] * states + (1 - k[:, None]) * seen
                square = (seen * channel.weights(k) ** 2).sum(axis=1) - support**2
            else:
                direct = support * (1 - support)
                disguised = (seen * channel.weights() ** 2).sum(axis=1) - support**2
                if estimator == "stratified":
                    square = k * direct + (1 - k) * disguised
                else:
                    square = 1 / (k / direct + (1 - k) / disguised)
        errors: Floats = np.sqrt(np.maximum(square, 0) / (self.n * times))
        return errors


def seen(columns: Columns, literals: Literals, place: int) -> Seen:
    """The itemset at this place of the columns."""
    design, itemset = literals.design, columns.literals(place)
    by_column = {int(literals.column[literal]): literal for literal in itemset}
    parts = factors(design, _pattern(literals, itemset))
    atoms = [[by_column[column] for column, _ in atom] for part in parts for atom in part.atoms]
    return Seen(
        ", ".join(columns.names(place)),
        float(columns.itemsets["n"][place]),
        channel_of([parts]),
        _states(columns, atoms, float(columns.itemsets["support"][place])),
    )


def coins(design: Design) -> list[float]:
    """The different p of a design's coins."""
    return sorted({block.coin for block in design.blocks if block.coin is not None})


def _pattern(literals: Literals, itemset: list[int]) -> Pattern:
    pattern = []
    for literal in itemset:
        column, option = int(literals.column[literal]), int(literals.option[literal])
        every = range(len(literals.design.items[column].options))
        pattern.append((column, frozenset(o for o in every if (o == option) == bool(literals.positive[literal]))))
    return Pattern.of(pattern, literals.design)


def _states(columns: Columns, atoms: list[list[int]], support: float) -> Floats:
    """The distribution over the states of the atoms, from the supports of what they join to.

    A part below the threshold, which was not mined, counts as the whole; impossible shares are cut off.
    """
    table = np.empty([2] * len(atoms))
    for state in np.ndindex(table.shape):
        joined = sorted(literal for bit, atom in zip(state, atoms, strict=True) if bit for literal in atom)
        row = np.pad(joined, (0, columns.items.shape[1] - len(joined)), constant_values=-1)
        places = np.flatnonzero((columns.items == row).all(axis=1))
        table[state] = (columns.itemsets["support"][places[0]] if len(places) else support) if joined else 1.0
    for axis in range(table.ndim):
        matched = np.moveaxis(table, axis, 0)
        matched[0] -= matched[1]
    table = np.clip(table, 0, None).ravel()
    shares: Floats = table / table.sum()
    return shares
