"""Feasible values for the itemsets, and their rules, whose raw estimates no population could have.

Where one table holds all items of the survey, all values come from it and fit together. Beyond, every itemset is fitted
alone, and the report says so.
"""

from __future__ import annotations

from math import prod

import numpy as np

from mining.engines.feasible import feasible
from mining.engines.found import Found
from mining.engines.mine import Mined
from privacy.design import Design
from privacy.reconstruct import reconstruct
from surveys.domain import snapshots
from surveys.models import Snapshot

_MOST_CELLS = 1 << 12  # of a table that is fitted within seconds, whatever the design


def fits_together(design: Design) -> bool:
    """Whether one table holds every combination of answers."""
    return prod(len(item.options) for item in design.items) <= _MOST_CELLS


def with_feasible(snapshot: Snapshot, done: Mined, columns: Found, estimator: str) -> Found:
    """The columns with the most likely values beside what is infeasible, nothing beside the rest."""
    wanted = np.flatnonzero(columns.itemsets["infeasible"])
    inside = np.flatnonzero(columns.itemsets["infeasible"][columns.itemset])
    support = np.full(len(columns.items), np.nan)
    confidence = np.full(len(columns.itemset), np.nan)
    if not len(wanted):
        pass
    elif fits_together(snapshot.version.design):
        support[wanted], confidence[inside] = _together(snapshot, columns, wanted, inside, estimator)
    else:
        support[wanted], confidence[inside] = _alone(done, columns, wanted, inside, estimator)
    of_rule = np.full(len(columns.itemset), np.nan)
    of_rule[inside] = support[columns.itemset[inside]]
    return columns.with_columns({"feasible": support}, {"feasible support": of_rule, "feasible confidence": confidence})


def _together(
    snapshot: Snapshot, columns: Found, wanted: np.ndarray, inside: np.ndarray, estimator: str
) -> tuple[np.ndarray, np.ndarray]:
    whole = {place: ",".join(columns.names(place)) for place in wanted.tolist()}
    antecedents = [",".join(columns.sides(place)[0]) for place in inside.tolist()]
    patterns = list(dict.fromkeys([*whole.values(), *antecedents]))
    report = reconstruct(snapshots.records(snapshot), patterns, estimator)
    fitted = {
        pattern: figures.feasible.support if figures.feasible else np.nan
        for pattern, figures in zip(patterns, report.patterns, strict=True)
    }
    support = np.array([fitted[whole[place]] for place in wanted.tolist()])
    both = np.array([fitted[whole[place]] for place in columns.itemset[inside].tolist()])
    return support, _ratio(both, np.array([fitted[name] for name in antecedents]))


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
