"""The records that a run counts, and which engine will search them: said before the run begins."""

from collections.abc import Iterator

import numpy as np

from mining.engines.bins import Bins
from mining.engines.literals import literals_of
from mining.engines.mine import choose_engine
from mining.engines.request import MiningRequest
from privacy.records.bits import Batch
from surveys.domain.responses import disclosure
from surveys.models import Snapshot


def batches(snapshot: Snapshot, request: MiningRequest) -> Iterator[Batch]:
    """The records of a snapshot that may be reported now, part after part."""
    bins = Bins(snapshot.version.design, request.bins)
    shown = (lambda codes: bins.apply(codes, np.ones(len(codes), bool))[0]) if bins.cuts else None
    for some in disclosure.records_of_several(snapshot, shown):
        yield some.codes, some.direct


def foresee_engine(snapshot: Snapshot, request: MiningRequest) -> tuple[str, str]:
    """The engine that will search, and the code of the reason; MiningError where the one asked for cannot."""
    literals = literals_of(snapshot.version.design, request.negated, request.bins)
    return choose_engine(literals, request, on_site=True)
