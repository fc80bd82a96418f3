"""What pages and commands report of mined records: columns with feasible values, and a summary."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mining.engines.bits import Batch
from mining.engines.columns import Columns, columns_of
from mining.engines.counter import Counter
from mining.engines.feasible import with_feasible
from mining.engines.groups import compare_groups
from mining.engines.mine import Mined, mine, mine_by
from mining.engines.progress import Progress, silent
from mining.engines.request import MiningRequest
from mining.engines.selection import with_shrunken
from mining.engines.warnings import warnings
from privacy.design import Design
from privacy.reconstruct.sampling import Sampling


@dataclass(frozen=True)
class Findings:
    """What was mined, its columns, and what a first page says without reading them."""

    mined: Mined
    columns: Columns
    summary: dict[str, Any]


def findings(
    batches: Iterable[Batch],
    design: Design,
    request: MiningRequest,
    progress: Progress = silent,
    sampling: Sampling | None = None,
) -> Findings:
    """Mine the records, which may come one batch after the other; by a sampling figures are those of its population.

    `seconds` are those of all this work, fitting and comparing included.

    Parameters
    ----------
    batches : iterable of Batch
        The codes of records and who of them answered directly.
    design : Design
        The design that disguised them.
    request : MiningRequest
        What to mine.
    progress : Progress
        Is told how far the work is.
    sampling : Sampling, optional
        How the respondents were drawn, where they were not drawn alike.

    Returns
    -------
    Findings

    Raises
    ------
    MiningError
        Where the request is too much, or asks for an engine that cannot take the records.

    Examples
    --------
    >>> import numpy as np
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> batch = np.array([[1], [0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> findings([batch], design, MiningRequest(min_support=0.1, min_confidence=0.5)).summary["itemsets"]
    1
    """
    return _findings(lambda: mine(batches, design, request, progress, sampling), request, progress)


def findings_by(counter: Counter, request: MiningRequest, progress: Progress = silent, why: str = "asked") -> Findings:
    """Mine the records that a counter counts, which may lie on several machines; otherwise as `findings`.

    Parameters
    ----------
    counter : Counter
        Who counts them.
    request : MiningRequest
        What to mine.
    progress : Progress
        Is told how far the work is.
    why : str
        The code of the reason for this engine (`mining.engines.reasons.CHOICES`).

    Returns
    -------
    Findings

    Examples
    --------
    >>> import numpy as np
    >>> from mining.engines.bits import pack
    >>> from mining.engines.literals import literals_of
    >>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> batch = np.array([[1], [0]] * 500, np.uint8), np.zeros(1_000, bool)
    >>> counter = pack([batch], literals_of(design))
    >>> findings_by(counter, MiningRequest(min_support=0.1, min_confidence=0.5)).summary["n"]
    1000
    """
    return _findings(lambda: mine_by(counter, request, progress, why), request, progress)


def _findings(work: Callable[[], Mined], request: MiningRequest, progress: Progress) -> Findings:
    start = time.perf_counter()
    mined = work()
    lattice = mined.lattice
    columns, fitted = with_feasible(mined, columns_of(mined), request.estimator, progress)
    columns = with_shrunken(mined, columns, request.estimator)
    groups = compare_groups(lattice, request.least)
    disguised, direct = (int(size) for size in lattice.sizes)
    summary = {
        "n": direct + disguised,
        "direct": direct,
        "left_out": lattice.left_out,
        "estimator": request.estimator,
        "cases": request.cases,
        "engine": mined.engine,
        "why": mined.why,
        "candidates": lattice.candidates,
        "itemsets": len(columns.items),
        "rules": len(columns.itemset),
        "redundant": int(columns.rules["redundant"].sum()),
        "groups": groups.to_json(),
        "warnings": warnings(mined, columns, groups, fitted, request),
        "seconds": time.perf_counter() - start,
    }
    return Findings(mined, columns, summary)
