"""What may be mined: every way to figures of a snapshot passes here, before it waits and again when it is mined.

A page, the API, a task, a command, a rehearsal: each makes one request, and `mining.domain.result` mines no other.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf

import numpy as np

from mining.engines.bins import Bins, check_bins
from mining.engines.literals import literals_of
from mining.engines.mine import choose_engine
from mining.engines.reasons import REFUSALS, MiningError
from mining.engines.request import MiningRequest, require_cells
from privacy.design import Design
from privacy.errors import EntryError
from privacy.records.bits import Batch
from surveys.domain.responses import disclosure, gate
from surveys.models import Snapshot, Survey


def require_minable(survey: Survey, snapshot: Snapshot | None) -> Snapshot:
    """Return the snapshot if it may be mined, or refuse; None means that there is none yet."""
    if snapshot is None:
        raise EntryError(
            "{survey}: there is no snapshot yet; Candor makes one when enough responses are in.", survey=survey
        )
    disclosure.require_enough(snapshot)
    if snapshot.version.design.leaks:
        raise EntryError(
            "{survey}: its design gives true answers away and cannot be used in a real survey.", survey=survey
        )
    return snapshot


def check_request(snapshot: Snapshot, request: MiningRequest) -> MiningRequest:
    """Return the request with which this snapshot is mined, demanding as many people as must be to report on it.

    Raises EntryError if it must not be mined now.
    """
    survey, design = snapshot.version.survey, snapshot.version.design
    require_minable(survey, snapshot)
    bins = Bins(design, request.bins)
    check_bins(bins)
    require_cells(bins, request)
    _check_undisguised(snapshot, bins, request.max_length)
    if not request.bins and not any(item.has_options for item in design.items):
        raise EntryError("{survey} asks only for numbers and places; give bins to mine them.", "bins", survey=survey)
    floor = disclosure.least_of(snapshot)
    request = replace(request, least=floor if floor < survey.least else max(request.least, floor))
    if request.engine == "mlxtend":
        try:
            choose_engine(literals_of(design, request.negated, request.bins), request, on_site=True)
        except MiningError as refusal:
            raise EntryError(REFUSALS[refusal.code], "engine") from refusal
    return request


def _check_undisguised(snapshot: Snapshot, bins: Bins, max_length: int) -> None:
    """Refuse bins of answers that the disguise leaves true, such as places outside zones, while these may not be
    reported.

    In itemsets of several answers, people who share all answers that are true as sent must be a crowd, too.
    """
    design, least = snapshot.version.design, snapshot.version.survey.least
    for column in bins.cuts:
        name, block = design.items[column].id, design.blocks[design.place(column)[0]]
        if block.gamma != inf:
            continue
        if not disclosure.reportable(snapshot).open:
            raise EntryError(
                "{name!r} has undisguised places; it can be reported after this version is closed and its last "
                "response is sealed.",
                "bins",
                name=name,
            )
        true = sum(int(block.certain(records.codes[:, [column]]).sum()) for records in disclosure.records(snapshot))
        if true < least:
            raise EntryError(
                "fewer than {least} people are outside the zones of {name!r}, too few to report on.",
                "bins",
                name=name,
                least=least,
            )
        if max_length > 1 and not _are_crowds(snapshot):
            raise EntryError(
                "fewer than {least} people share the same true answers beside {name!r}; mine {name!r} in itemsets of "
                "one answer, or leave it out.",
                "bins",
                name=name,
                least=least,
            )


def _are_crowds(snapshot: Snapshot) -> bool:
    """Whether people who share all answers that are true as sent are many enough."""
    given, design, least = _open_answers(snapshot), snapshot.version.design, snapshot.version.survey.least
    if not snapshot.version.is_coarse:
        return gate.together(given, least)
    sizes = [len(item.options) if item.has_options else 2 for item in map(design.items.__getitem__, _true(design))]
    return gate.fills(given, least, sizes)


def _true(design: Design) -> list[int]:
    """The places of items of which a stored answer can only be true."""
    return [column for column in range(len(design.items)) if design.blocks[design.place(column)[0]].gamma == inf]


def _open_answers(snapshot: Snapshot) -> np.ndarray:
    """A row for each disguised respondent: the answers that were sent undisguised, and 1 for a place that is true."""
    design = snapshot.version.design
    open_ones = _true(design)
    parts = []
    for records in disclosure.records(snapshot):
        codes = records.codes[~records.direct][:, open_ones]
        for index, column in enumerate(open_ones):
            if not design.items[column].has_options:
                block = design.blocks[design.place(column)[0]]
                codes[:, index] = block.certain(codes[:, [index]])
        parts.append(codes)
    return np.concatenate(parts)


def batches(snapshot: Snapshot, request: MiningRequest) -> Iterator[Batch]:
    """The records of a snapshot that may be reported now, part after part."""
    bins = Bins(snapshot.version.design, request.bins)
    shown = (lambda codes: bins.apply(codes, np.ones(len(codes), bool))[0]) if bins.cuts else None
    for some in disclosure.records_of_several(snapshot, shown):
        yield some.codes, some.direct
