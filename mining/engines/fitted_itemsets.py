"""Feasible values for the itemsets, and their rules, whose raw estimates no population could have.

Where one table holds every combination of answers to the items concerned, all values come from it and fit together.
Where there is no room for that, or estimates come from cells of records, every itemset is fitted alone; the report says
which it was.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from mining.engines.cell_estimates import CellEstimates
from mining.engines.columns import NONE, Columns, sides
from mining.engines.estimates import sub_weights
from mining.engines.itemsets import CountedItemsets
from mining.engines.lattice import Lattice
from mining.engines.literals import Literals
from mining.engines.mine import MinedLattice
from mining.engines.progress import FITTING, Progress, silent
from privacy.estimate.bit_columns import states_from_supports, supports_from_states
from privacy.estimate.feasible import joint_fit, nearest_supports, own_fits
from privacy.estimate.joint import MOST_CELLS, table_shape
from privacy.estimate.likelihood import TOLERANCE, Fit

# Both keep a fit within one of a run's ten minutes; 2^20 cells take 180 MB.
_WORK = 1 << 25  # cells × views × iterations
_ENTRIES = 1 << 18  # of channels of itemsets held at once


@dataclass(frozen=True)
class FeasibleFit:
    """How the feasible values came about; `gap`: how much log-likelihood an unfinished fit may still gain."""

    joint: bool
    gap: float | None


def with_feasible(
    mined: MinedLattice, columns: Columns, estimator: str, progress: Progress = silent
) -> tuple[Columns, FeasibleFit]:
    """Add feasible values to infeasible estimates; leave the others empty."""
    lattice = mined.lattice
    inside = np.flatnonzero(columns.rules["infeasible"])  # these include all rules of an infeasible itemset
    fitted = columns.itemsets["infeasible"].copy()
    fitted[columns.itemset[inside]] = True
    wanted = np.flatnonzero(fitted)
    support = np.full(len(columns.items), np.nan)
    of_rule, confidence = np.full((2, len(columns.itemset)), np.nan)
    fit = None
    if len(wanted):
        progress(FITTING, 0, 0, 0)
        items = columns.items[wanted]
        concerned = sorted(set(lattice.literals.column[items[items != NONE]].tolist()))
        fit = _joint_fit(lattice, concerned, estimator) if lattice.drawn is None else None
        if fit is not None:
            made = _from_one_table(fit, lattice.literals, concerned, columns, wanted, inside)
        else:
            made = _each_alone(lattice, columns, wanted, inside, estimator)
        support[wanted], confidence[inside] = made
        of_rule[inside] = support[columns.itemset[inside]]
        support[~columns.itemsets["infeasible"]] = np.nan
    gap = fit.gap if fit is not None and not fit.converged else None
    of_rules = {"feasible support": of_rule, "feasible confidence": confidence}
    return columns.with_columns({"feasible": support}, of_rules), FeasibleFit(fit is not None, gap)


def _joint_fit(lattice: Lattice, concerned: Sequence[int], estimator: str) -> Fit | None:
    """The most likely table of the affected items; None where it would take too much memory or time."""
    design = lattice.literals.design
    cells = prod(table_shape(design, concerned))
    if cells > MOST_CELLS:
        return None
    try:
        return joint_fit(design, concerned, lattice.counter.views(concerned), lattice.sizes, estimator, _WORK)
    except MemoryError:  # the site may give its runs less memory than such a table takes
        return None


def _from_one_table(
    fit: Fit, literals: Literals, concerned: Sequence[int], columns: Columns, wanted: np.ndarray, inside: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Supports of the itemsets `wanted` and confidences of the rules `inside`, read from the fitted table."""
    margins = fit.shares.copy()
    for axis in range(margins.ndim):  # the first option of every item gives its place to "any"
        first = np.moveaxis(margins, axis, 0)
        first[0] = first.sum(axis=0)
    axes = {column: axis for axis, column in enumerate(concerned)}

    def support(itemset: Sequence[int]) -> float:
        chosen: list[int | slice] = [0] * margins.ndim
        for literal in itemset:  # a negated literal stands for the other option
            option = int(literals.option[literal]) if literals.positive[literal] else 0
            chosen[axes[int(literals.column[literal])]] = option or slice(None)
        left = margins[tuple(chosen)]
        while left.ndim:
            left = left[0] - left[1:].sum(axis=0)
        return max(float(left), 0.0)

    def antecedent(rule: int) -> list[int]:
        return sides(columns.literals(int(columns.itemset[rule])), int(columns.antecedent[rule]))[0]

    supports = {place: support(columns.literals(place)) for place in wanted.tolist()}
    both = np.array([supports[place] for place in columns.itemset[inside].tolist()])
    return np.array(list(supports.values())), _ratio(
        both, np.array([support(antecedent(rule)) for rule in inside.tolist()])
    )


def _each_alone(
    lattice: Lattice, columns: Columns, wanted: np.ndarray, inside: np.ndarray, estimator: str
) -> tuple[np.ndarray, np.ndarray]:
    """Supports of the itemsets `wanted`, confidences of the rules `inside`, each itemset fitted by itself."""
    support = np.full(len(columns.items), np.nan)
    confidence = np.full(len(columns.itemset), np.nan)
    first = 0
    for level in lattice.levels:
        accepted = np.flatnonzero(level.accepted)
        here = wanted[(wanted >= first) & (wanted < first + len(accepted))]
        if len(here):
            rows = accepted[here - first]
            if lattice.drawn is None:
                fitted = _own_supports(lattice.literals, level.select(rows), estimator)
            else:
                fitted = _nearest(lattice.drawn, level.items[rows], estimator)
            support[here] = fitted[:, -1]
            rules = inside[np.isin(columns.itemset[inside], here)]
            fit = fitted[np.searchsorted(here, columns.itemset[rules])]
            confidence[rules] = _ratio(fit[:, -1], fit[np.arange(len(rules)), columns.antecedent[rules]])
        first += len(accepted)
    return support[wanted], confidence[inside]


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)


def _own_supports(literals: Literals, itemsets: CountedItemsets, estimator: str) -> np.ndarray:
    """The most likely supports of every sub-pattern (F, 2^L) of itemsets (F, L).

    Each itemset from its own counts alone: within one the values fit together, across itemsets they need not.
    """
    supports = np.empty((len(itemsets), itemsets.at_least.shape[2]))
    step = max(_ENTRIES // supports.shape[1] ** 2, 1)
    for start in range(0, len(itemsets), step):
        rows = slice(start, start + step)
        cells = states_from_supports(itemsets.at_least[rows].astype(np.int64))
        channel = CellChannels.from_literals(literals, itemsets.items[rows])
        fits = own_fits(cells, cells.sum(axis=2), channel, estimator, TOLERANCE)  # a confidence divides by small shares
        shares = [fit.shares for fit in fits if fit is not None]  # somebody was asked every itemset
        supports[rows] = supports_from_states(np.stack(shares))
    return supports


def _nearest(drawn: CellEstimates, itemsets: np.ndarray, estimator: str) -> np.ndarray:
    """The supports of every sub-pattern (F, 2^L) nearest to the estimates of itemsets (F, L); NaN where there are none.

    They are about whom the estimates are about: the population of a sample, too.
    """
    supports = np.full((len(itemsets), 2 ** itemsets.shape[1]), np.nan)
    for row, made in zip(supports, drawn.estimate(itemsets, estimator), strict=True):
        if (fit := nearest_supports(made)) is not None:
            row[:] = fit.shares
    return supports


@dataclass(frozen=True)
class CellChannels:
    """What disguises the cells of all literals of itemsets: P(cell seen | true cell), a matrix for each."""

    matrices: np.ndarray

    @classmethod
    def from_literals(cls, literals: Literals, itemsets: np.ndarray) -> "CellChannels":
        """Build the channels as the inverse of the weights of exact cells."""
        inverse = states_from_supports(sub_weights(literals, itemsets).transpose(2, 1, 0))  # cells seen, true cells
        return cls(np.clip(np.linalg.inv(np.swapaxes(inverse, 1, 2)), 0, 1))

    def select(self, places: np.ndarray) -> "CellChannels":
        return CellChannels(self.matrices[places])

    def disguise(self, states: np.ndarray, *, back: bool = False) -> np.ndarray:
        """The shares of seen cells that these shares of true cells give; with `back` by the transpose."""
        return np.einsum("fyx,fy->fx" if back else "fyx,fx->fy", self.matrices, states)
