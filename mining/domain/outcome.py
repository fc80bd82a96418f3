"""What is told of mined records, on pages and by commands alike: columns with feasible values, and a summary."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mining.domain.feasible import with_feasible
from mining.domain.warnings import warnings
from mining.engines import few
from mining.engines.found import Found, found
from mining.engines.groups import compare_groups
from mining.engines.mine import Mined, Part, Request, mine
from mining.engines.progress import Progress, silent
from privacy.design import Design


@dataclass(frozen=True)
class Outcome:
    """What was mined, its columns, and what a first page says without reading them."""

    done: Mined
    columns: Found
    summary: dict[str, Any]


def outcome(
    parts: Callable[[], Iterable[Part]], design: Design, request: Request, progress: Progress = silent
) -> Outcome:
    """Mine the records, which are read once more where something infeasible needs a likely value.

    `seconds` are those of all this work, fitting and comparing included.
    """
    start = time.perf_counter()
    done = mine(parts(), design, request, progress)
    omitted = done.lattice.left_out
    told = (few.disguised(*part) for part in parts()) if omitted else parts()
    columns, fitted = with_feasible(told, done, found(done), request.estimator, progress)
    groups = compare_groups(done.lattice, request.least)
    disguised, direct = (int(size) for size in done.lattice.sizes)
    summary = {
        "n": direct + disguised,
        "direct": direct,
        "left_out": omitted,
        "estimator": request.estimator,
        "engine": done.engine,
        "why": done.why,
        "candidates": done.lattice.candidates,
        "itemsets": len(columns.items),
        "rules": len(columns.itemset),
        "redundant": int(columns.rules["redundant"].sum()),
        "groups": groups.to_json(),
        "warnings": warnings(done, columns, groups, fitted, request),
        "seconds": time.perf_counter() - start,
    }
    return Outcome(done, columns, summary)
