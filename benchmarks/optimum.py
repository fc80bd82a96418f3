"""The exact optimum of local recoding on small tables, by integer programming: what heuristics are compared with.

A class of 2k records or more can be split into two that cost no more, so that only classes of k to 2k − 1 records can
be needed. Of all of them those are chosen that hold each record once and cost least. There may be hundreds of
thousands: the linear program is solved over a few, those that its prices call for are added until none is missing, and
then only classes whose reduced cost is within the gap between it and a known solution can be in an optimum (Desrosiers
and Lübbecke 2005).
"""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.errors import InputError
from privacy.output import format_count
from privacy.release.attributes import Space
from privacy.release.methods.local import grow_classes, refine

__all__ = ["MOST_CLASSES", "optimum"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_CLASSES = 3_000_000
NEAR = 1e-7
FIRST = 2_000  # classes with which the linear program begins, and how many are added at a time


def optimum(space: Space, k: int) -> Ints:
    """Gather records into classes of k or more with the least penalty there is.

    `space`: the quasi-identifiers of a table of few records: about 40 with k = 3. Returns the class of each record,
    from 0. Raises `InputError` where there are fewer than k records, or more than three million classes to choose from.

    >>> from privacy.release.attributes import Measured
    >>> optimum(Space([Measured("age", np.array([20.0, 21.0, 40.0, 41.0, 60.0]))]), 2).tolist()
    [0, 0, 1, 1, 1]
    """
    records = len(space.singles(np.arange(len(space.attributes[0].line))))
    known = refine(space, k, np.arange(records), grow_classes(space, k, np.arange(records)))
    sizes = range(k, min(2 * k, records + 1))
    if sum(comb(records, size) for size in sizes) > MOST_CLASSES:
        raise InputError(
            f"optimum: {records} records have more than {format_count(MOST_CLASSES)} classes of {k} to {2 * k - 1}."
        )
    classes = [np.array(list(combinations(range(records), size)), np.int64) for size in sizes]
    costs = [_costs(space, some) for some in classes]
    gap_to = space.penalty(known)
    reduced, bound = _reduced_costs(classes, costs, records)
    # a class in a better solution than the known one has a reduced cost of at most the gap
    kept = [np.flatnonzero(cost <= gap_to - bound + NEAR) for cost in reduced]
    columns = [some[place] for some, place in zip(classes, kept, strict=True)]
    chosen = _cheapest_partition(
        columns, np.concatenate([cost[place] for cost, place in zip(costs, kept, strict=True)]), records
    )
    member = np.empty(records, np.int64)
    first = 0
    for some in columns:
        for row in some[chosen[first : first + len(some)]]:
            member[row] = row.min()
        first += len(some)
    return np.unique(member, return_inverse=True)[1].astype(np.int64)


def _costs(space: Space, classes: Ints) -> Floats:
    """The penalty of all records of each class."""
    count, size = classes.shape
    covers = space.singles(classes[:, 0])
    places = np.arange(count)
    for column in range(1, size):
        both = space.singles(np.concatenate([classes[:, 0], classes[:, column]]))
        for own, so_far in ((both.low, covers.low), (both.high, covers.high), (both.nodes, covers.nodes)):
            for array, before in zip(own, so_far, strict=True):
                array[:count] = before
        space.join(both, places, places + count)
        covers = both.select(places)
    return covers.penalty * size


def _reduced_costs(classes: list[Ints], costs: list[Floats], records: int) -> tuple[list[Floats], float]:
    """The reduced cost of every class at the optimum of the linear program, and that optimum."""
    from scipy.optimize import linprog

    sizes = np.concatenate([np.full(len(some), some.shape[1]) for some in classes])
    cost = np.concatenate(costs)
    starts = np.cumsum([0, *map(len, classes)])
    order = np.argsort(cost / sizes, kind="stable")
    active = np.zeros(len(cost), bool)
    active[order[:FIRST]] = True
    for some, start in zip(
        classes, starts.tolist(), strict=False
    ):  # any record must stand in some class from the start
        for record in range(records):
            active[start + int((some == record).any(axis=1).argmax())] = True
    while True:
        places = np.flatnonzero(active)
        matrix = _incidence(classes, starts, places, records)
        # classes may overlap here: a record less costs no more, and prices that cannot be negative are found sooner
        solved = linprog(cost[places], A_ub=-matrix, b_ub=-np.ones(records), bounds=(0, None), method="highs")
        prices = np.asarray(-solved.ineqlin.marginals)
        reduced = np.concatenate([own - prices[some].sum(axis=1) for some, own in zip(classes, costs, strict=True)])
        wanted = np.flatnonzero((reduced < -NEAR) & ~active)
        if not len(wanted):
            return np.split(reduced, starts[1:-1]), float(solved.fun or 0.0)
        active[wanted[np.argsort(reduced[wanted])[:FIRST]]] = True


def _incidence(classes: list[Ints], starts: Ints, places: Ints, records: int) -> Any:
    """Which record stands in which of the chosen classes."""
    from scipy.sparse import csr_matrix

    rows, columns = [], []
    for some, start, end in zip(classes, starts[:-1], starts[1:], strict=True):
        own = np.flatnonzero((places >= start) & (places < end))
        members = some[places[own] - start]
        rows.append(members.ravel())
        columns.append(np.repeat(own, members.shape[1]))
    entries = np.concatenate(rows), np.concatenate(columns)
    return csr_matrix((np.ones(len(entries[0])), entries), shape=(records, len(places)))


def _cheapest_partition(columns: list[Ints], cost: Floats, records: int) -> NDArray[np.bool_]:
    """The classes of the cheapest partition."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    starts = np.cumsum([0, *map(len, columns)])
    matrix = _incidence(columns, starts, np.arange(len(cost)), records)
    solved = milp(
        cost, constraints=LinearConstraint(matrix, 1, 1), integrality=np.ones(len(cost), int), bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )  # fmt: skip
    assert solved.success, solved.message
    return np.asarray(solved.x > 0.5)
