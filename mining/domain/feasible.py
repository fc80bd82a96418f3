"""Feasible values for the itemsets, and their rules, whose raw estimates no population could have.

Where one table holds every combination of answers to the items concerned, all values come from it and fit together.
Where there is no room for that, every itemset is fitted alone; the report says which it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from mining.engines.feasible import feasible
from mining.engines.found import Found
from mining.engines.literals import Literals
from mining.engines.mine import Mined, Part
from mining.engines.progress import FITTING, Progress, silent
from mining.engines.rules import sides
from privacy.reconstruct.feasible import joint_fit
from privacy.reconstruct.joint import MOST_CELLS, View, table_shape, view_counts
from privacy.reconstruct.likelihood import Fit
from privacy.records import Records

# Both keep a fit within one of a run's ten minutes; 2^20 cells take 180 MB.
_WORK = 1 << 25  # cells × views × iterations
_MOST_WORK = 1 << 26  # cells × views


@dataclass(frozen=True)
class Fitted:
    """How the feasible values came about; `gap` is what a joint fit that was cut short may lack of the likelihood."""

    joint: bool
    gap: float | None


def with_feasible(
    parts: Iterable[Part], done: Mined, columns: Found, estimator: str, progress: Progress = silent
) -> tuple[Found, Fitted]:
    """The columns with the most likely values beside what is infeasible, nothing beside the rest."""
    of = done.literals
    inside = np.flatnonzero(columns.rules["infeasible"])  # all rules of an infeasible itemset among them
    fitted = columns.itemsets["infeasible"].copy()
    fitted[columns.itemset[inside]] = True
    wanted = np.flatnonzero(fitted)
    if len(wanted):
        progress(FITTING, 0, 0, 0)
    support = np.full(len(columns.items), np.nan)
    confidence = np.full(len(columns.itemset), np.nan)
    concerned = sorted({int(of.column[literal]) for place in wanted.tolist() for literal in columns.literals(place)})
    fit = _fit(parts, of, concerned, done.lattice.sizes, estimator) if len(wanted) else None
    if fit is not None:
        support[wanted], confidence[inside] = _together(fit, of, concerned, columns, wanted, inside)
    elif len(wanted):
        support[wanted], confidence[inside] = _alone(done, columns, wanted, inside, estimator)
    of_rule = np.full(len(columns.itemset), np.nan)
    of_rule[inside] = support[columns.itemset[inside]]
    support[~columns.itemsets["infeasible"]] = np.nan
    gap = fit.gap if fit is not None and not fit.converged else None
    return (
        columns.with_columns({"feasible": support}, {"feasible support": of_rule, "feasible confidence": confidence}),
        Fitted(fit is not None, gap),
    )


def _fit(
    parts: Iterable[Part], of: Literals, concerned: Sequence[int], sizes: np.ndarray, estimator: str
) -> Fit | None:
    """The most likely table of the items concerned; None where it would take more room or time than a run has."""
    cells = prod(table_shape(of.design, concerned))
    if cells > MOST_CELLS:
        return None
    views: dict[View, np.ndarray] = {}
    for codes, direct in parts:
        for view, counts in view_counts(Records(of.design, codes, direct), concerned).items():
            views[view] = views[view] + counts if view in views else counts
    if cells * len(views) > _MOST_WORK:
        return None
    try:
        return joint_fit(of.design, concerned, views, sizes, estimator, _WORK)
    except MemoryError:  # the site may give its runs less memory than such a table takes
        return None


def _together(
    fit: Fit, of: Literals, concerned: Sequence[int], columns: Found, wanted: np.ndarray, inside: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    margins = fit.shares.copy()
    for axis in range(margins.ndim):  # the first option of every item gives its place to "any"
        first = np.moveaxis(margins, axis, 0)
        first[0] = first.sum(axis=0)
    axes = {column: axis for axis, column in enumerate(concerned)}

    def support(literals: Sequence[int]) -> float:
        chosen: list[int | slice] = [0] * margins.ndim
        for literal in literals:
            option = int(of.option[literal]) if of.positive[literal] else 0  # what a negation leaves is the other one
            chosen[axes[int(of.column[literal])]] = option or slice(None)
        left = margins[tuple(chosen)]
        while left.ndim:
            left = left[0] - left[1:].sum(axis=0)
        return max(float(left), 0.0)

    def antecedent(rule: int) -> list[int]:
        return sides(columns.literals(int(columns.itemset[rule])), int(columns.antecedent[rule]))[0]

    found = {place: support(columns.literals(place)) for place in wanted.tolist()}
    both = np.array([found[place] for place in columns.itemset[inside].tolist()])
    return np.array(list(found.values())), _ratio(
        both, np.array([support(antecedent(rule)) for rule in inside.tolist()])
    )


def _alone(
    done: Mined, columns: Found, wanted: np.ndarray, inside: np.ndarray, estimator: str
) -> tuple[np.ndarray, np.ndarray]:
    support = np.full(len(columns.items), np.nan)
    confidence = np.full(len(columns.itemset), np.nan)
    first = 0
    for level in done.lattice.levels:
        accepted = np.flatnonzero(level.accepted)
        here = wanted[(wanted >= first) & (wanted < first + len(accepted))]
        if len(here):
            rows = accepted[here - first]
            fitted = feasible(done.literals, level.items[rows], level.at_least[rows], estimator)
            support[here] = fitted[:, -1]
            rules = inside[np.isin(columns.itemset[inside], here)]
            fit = fitted[np.searchsorted(here, columns.itemset[rules])]
            confidence[rules] = _ratio(fit[:, -1], fit[np.arange(len(rules)), columns.antecedent[rules]])
        first += len(accepted)
    return support[wanted], confidence[inside]


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
