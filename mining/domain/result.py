"""From a run to what is stored of it: the columns of itemsets and rules, and the summary its page begins with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mining.domain.feasible import Fitted, with_feasible
from mining.engines.found import Found, found
from mining.engines.lattice import Lattice
from mining.engines.mine import Mined, Part, mine
from mining.engines.search import Progress
from mining.engines.tables import exactly
from mining.models import MiningRun
from privacy.groups import LEVEL, Comparison, comparable, compare
from privacy.guarantee import guarantee
from privacy.packing import row_bytes, unpack
from surveys.domain import demo
from surveys.models import Snapshot

_MOST_WITH_TRUTH = 20_000


def parts(snapshot: Snapshot) -> Iterator[Part]:
    """The records of a snapshot, one part after the other, so that only one is unpacked at a time."""
    design = snapshot.version.design
    for part in snapshot.parts.order_by("pk").iterator(chunk_size=1):
        packed = np.frombuffer(part.records, dtype=np.uint8).reshape(-1, row_bytes(design))
        records = unpack(design, packed)
        yield records.codes, records.direct


def mined(run: MiningRun, progress: Progress) -> tuple[dict[str, Any], bytes]:
    """Do the work of a run: its summary and its columns."""
    version = run.snapshot.version
    done = mine(parts(run.snapshot), version.design, run.request, progress)
    columns = found(done)
    columns, fitted = with_feasible(parts(run.snapshot), done, columns, run.estimator)
    truth = demo.truth(version)
    if truth is not None and len(columns.items) <= _MOST_WITH_TRUTH:
        columns = columns.with_columns(*_truth(done, columns, truth))
    return summarise(run, done, columns, fitted), columns.to_bytes()


def summarise(run: MiningRun, done: Mined, columns: Found, fitted: Fitted) -> dict[str, Any]:
    """What the first page of a report says without reading the columns."""
    disguised, direct = (int(size) for size in done.lattice.sizes)
    support, se = columns.itemsets["support"], columns.itemsets["se"]
    groups = compare_groups(done.lattice)
    weak = support < 2 * se
    warnings: list[dict[str, Any]] = []
    if weak.any():
        needed = float(np.max((2 * se[weak] / support[weak]) ** 2)) * (direct + disguised)
        warnings.append({"code": "weak", "count": int(weak.sum()), "of": len(support), "needed": int(needed)})
    if columns.itemsets["infeasible"].any():
        count = int(columns.itemsets["infeasible"].sum())
        warnings.append({"code": "infeasible", "count": count, **vars(fitted)})
    if groups.alike is False:
        differing = [answer.answer for answer in groups.answers if answer.corrected < LEVEL]
        warnings.append({"code": "groups", "items": differing, "estimator": run.estimator})
    if done.lattice.unidentified:
        warnings.append({"code": "unidentified", "count": done.lattice.unidentified})
    return {
        "n": direct + disguised,
        "direct": direct,
        "estimator": run.estimator,
        "engine": done.engine,
        "seconds": done.seconds,
        "candidates": done.lattice.candidates,
        "itemsets": len(columns.items),
        "rules": len(columns.itemset),
        "redundant": int(columns.rules["redundant"].sum()),
        "guarantee": guarantee(run.snapshot.version.design).to_json(),
        "simulated": run.survey.simulated,
        "groups": groups.to_json(),
        "warnings": warnings,
    }


def compare_groups(lattice: Lattice) -> Comparison:
    """Whether those who answered directly differ, tested on every answer of the design, frequent or not."""
    of = lattice.literals
    of_answer = {
        (column, option): place
        for place, (column, option, positive) in enumerate(
            zip(of.column.tolist(), of.option.tolist(), of.positive.tolist(), strict=True)
        )
        if positive
    }
    patterns = comparable(of.design)
    places = [of_answer[column, min(options)] for ((column, options),) in (pattern.literals for pattern in patterns)]
    return compare(of.design, patterns, exactly(lattice.singles[places].astype(np.int64)))


def _truth(done: Mined, columns: Found, truth: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """What the simulated respondents really said, for the demo alone."""
    of = done.literals
    match = (truth[:, of.column] == of.option) == of.positive
    known: dict[tuple[int, ...], float] = {}

    def share(literals: list[int]) -> float:
        key = tuple(literals)
        if key not in known:
            known[key] = float(match[:, literals].all(axis=1).mean())
        return known[key]

    itemsets = np.array([share(columns.literals(place)) for place in range(len(columns.items))])
    confidence = np.full(len(columns.itemset), np.nan)
    for place, (itemset, mask) in enumerate(zip(columns.itemset.tolist(), columns.antecedent.tolist(), strict=True)):
        literals = columns.literals(itemset)
        antecedent = share([literal for bit, literal in enumerate(literals) if mask >> bit & 1])
        confidence[place] = share(literals) / antecedent if antecedent else np.nan
    return {"truth": itemsets}, {"true support": itemsets[columns.itemset], "true confidence": confidence}
