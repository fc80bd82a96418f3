"""Asking for a run: the checks before anything is counted, and the hint to the workers."""

from math import inf

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext

from mining.domain.claim import sweep
from mining.engines.bins import check_bins, read_bins
from mining.engines.drawn import require_cells
from mining.engines.literals import literals_of
from mining.engines.reasons import REFUSALS
from mining.engines.request import USUAL_CONFIDENCE, USUAL_SUPPORT, MiningRequest, refuse_least_squares
from mining.engines.threshold import declines_all
from mining.models import MiningRun
from privacy.errors import EntryError
from surveys import notes
from surveys.domain.people.log import note
from surveys.domain.responses import disclosure, gate, snapshots
from surveys.models import Snapshot, Survey

TAKE = "mining.tasks.take"  # the task that looks at a run


def minable(survey: Survey) -> Snapshot:
    """The survey's last snapshot; InputError while nothing may be reported from it."""
    return require_minable(survey, snapshots.latest(survey))


def require_minable(survey: Survey, snapshot: Snapshot | None) -> Snapshot:
    """The same with the last snapshot at hand; None says that there is no snapshot yet."""
    if snapshot is None:
        raise EntryError(
            "{survey}: there is no snapshot yet; Candor makes one when enough responses are in.", survey=survey
        )
    if snapshot.respondents < survey.least:
        raise EntryError(
            "{survey}: fewer than {least} people have answered, too few to report on.",
            survey=survey,
            least=survey.least,
        )
    if snapshot.version.design.leaks:
        raise EntryError(
            "{survey}: its design gives true answers away and cannot be used in a real survey.", survey=survey
        )
    return snapshot


def request_run(survey: Survey, request: MiningRequest, user: User | None = None) -> MiningRun:
    """The run of these parameters on the survey's last snapshot: a new one, or the one there is."""
    refuse_least_squares(request.cases)
    with transaction.atomic():
        # Sealing locks the same row: the snapshot must not be replaced between looking and referring to it.
        Survey.objects.select_for_update(no_key=True).filter(pk=survey.pk).first()
        snapshot = minable(survey)
        design = snapshot.version.design
        check_bins(design, request.bins, request.max_length)
        _check_true(snapshot, request)
        if not request.bins and not any(item.has_options for item in design.items):
            raise EntryError(
                "{survey} asks only for numbers and places; give bins to mine them.", "bins", survey=survey
            )
        literals = literals_of(design, request.negated, request.bins)
        if literals.by_cells:
            require_cells(literals, request)
        refusal = declines_all(design, request.bins) if request.engine == "mlxtend" else None
        if refusal:
            raise EntryError(REFUSALS[refusal], "engine")
        run, new = MiningRun.objects.get_or_create(
            snapshot=snapshot,
            **{name: getattr(request, name) for name in MiningRequest.ASKED},
            defaults={"requested_at": timezone.now(), "requested_by": user},
        )
        if new:
            if user is not None:
                note(survey, user, gettext("Mining was started: %(run)s.") % {"run": run})
            transaction.on_commit(lambda: hint(run.pk))
    return run


def _check_true(snapshot: Snapshot, request: MiningRequest) -> None:
    """Refuse bins of what a disguise leaves as it is, such as places outside zones, while it may not be reported.

    Beside other answers that are true as they were sent, those who sent the same of these must be a crowd, too.
    """
    design, least = snapshot.version.design, snapshot.version.survey.least
    for name in read_bins(request.bins):
        column = design.column(name)
        block = design.blocks[design.place(column)[0]]
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
        if request.max_length > 1 and not gate.together(_sent_true(snapshot), least):
            raise EntryError(
                "fewer than {least} people share the same true answers beside {name!r}; mine {name!r} in itemsets of "
                "one answer, or leave it out.",
                "bins",
                name=name,
                least=least,
            )


def _sent_true(snapshot: Snapshot) -> np.ndarray:
    """Of every disguised person what is true as it was sent: answers that are not hidden, and whether a place is."""
    design = snapshot.version.design
    open_ones = [column for column in range(len(design.items)) if design.blocks[design.place(column)[0]].gamma == inf]
    parts = []
    for records in disclosure.records(snapshot):
        codes = records.codes[~records.direct][:, open_ones]
        for place, column in enumerate(open_ones):
            if not design.items[column].has_options:
                block = design.blocks[design.place(column)[0]]
                codes[:, place] = block.certain(codes[:, [place]])
        parts.append(codes)
    return np.concatenate(parts)


def run_again(run: MiningRun) -> bool:
    """Queue a run that ended; its result, if it has one, stands until the new one replaces it."""
    with transaction.atomic():
        queued = (
            MiningRun.objects.filter(pk=run.pk)
            .exclude(state__in=(MiningRun.State.QUEUED, MiningRun.State.RUNNING))
            .update(
                state=MiningRun.State.QUEUED,
                ended_for={},
                attempts=0,
                phase="",
                level=0,
                candidates=0,
                share=0,
                requested_at=timezone.now(),
                started_at=None,
                ended_at=None,
            )
        )
        if queued:
            transaction.on_commit(lambda: hint(run.pk))
    return bool(queued)


def hint(run_id: int) -> bool:
    """Tell the workers to look at a run. Should the broker be away, the sweeper tells them later."""
    MiningRun.objects.filter(pk=run_id).update(hinted_at=Now())
    return notes.leave(TAKE, run_id, waits=f"run {run_id} waits for the sweeper")


def mine_rehearsals() -> None:
    """A duty: mine what simulated people have answered to a draft, as the usual form does."""
    answered = Snapshot.objects.filter(version__survey__rehearses__isnull=False, version__survey__erasing_since=None)
    for snapshot in answered.exclude(pk__in=MiningRun.objects.values("snapshot")).select_related("version__survey"):
        if to_be_mined(snapshot):
            request_run(snapshot.version.survey, MiningRequest(USUAL_SUPPORT, USUAL_CONFIDENCE))


def to_be_mined(snapshot: Snapshot) -> bool:
    """Whether there is anything but numbers and places, which have no rules unless somebody chooses bins."""
    return any(item.has_options for item in snapshot.version.design.items)


def take_up() -> None:
    """A duty: hint again at runs that a dead worker left, or whose hint was lost."""
    notes.leave_again(hint, sweep())
