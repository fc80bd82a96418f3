"""What of sealed responses may be reported: every figure, page and file reads them here, and nowhere else.

What is not disguised is reported once only: of the snapshot that holds all a version will ever have
(docs/decisions/0050-one-gate-for-figures.md). Simulated surveys are reported at any time. Where fewer people answered
directly than the survey reports on, they are never reported: all is as if nobody had
(docs/decisions/0083-whom-figures-are-about.md). Of a version with fewer other people, only the disguised answers are
reported, of 20 people or more (docs/decisions/0059-few-people.md).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import prod

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import count_direct, unpack
from surveys.domain.questionnaire.closing import takes_no_more
from surveys.domain.questionnaire.minimum import FEWEST, minimum_of_version
from surveys.domain.responses import gate, snapshots
from surveys.domain.responses.snapshots import unzip_lines
from surveys.models import Inbox, Part, Snapshot, Survey, SurveyVersion

Shown = Callable[[np.ndarray], np.ndarray]  # the codes of direct answers, as figures show them


@dataclass(frozen=True)
class Reportable:
    """`direct`: figures and rows of the direct group. `open`: files, and figures and texts of undisguised questions.

    `settled`: nothing can come any more.
    `few`: fewer people may be reported than the survey reports on, so only disguised answers are reported, ever.
    """

    direct: bool
    open: bool
    settled: bool = False
    few: bool = False


def reportable(snapshot: Snapshot) -> Reportable:
    settled, definition = is_settled(snapshot), snapshot.version.parsed
    if settled and count_people(snapshot, settled) < snapshot.version.survey.least:
        return Reportable(direct=False, open=False, settled=True, few=True)
    direct = settled and not hides_direct(snapshot)
    return Reportable(direct=direct, open=settled or definition.early, settled=settled)


def hides_direct(snapshot: Snapshot) -> bool:
    """Whether direct people are in no figure, file or number of a version that ended: few may be there, or nobody."""
    return snapshot.version.parsed.design.direct and _count_direct_of(snapshot) < snapshot.version.survey.least


def count_people(snapshot: Snapshot, settled: bool) -> int:
    """How many people answered, without the group that is not reported.

    Beside figures of the others, the number of all would tell how few are in it.
    """
    if not snapshot.version.parsed.design.direct:
        return snapshot.respondents
    direct = _count_direct_of(snapshot)
    if not settled or hides_direct(snapshot):
        return snapshot.respondents - direct
    return direct if hides_disguised(snapshot) else snapshot.respondents


def hides_disguised(snapshot: Snapshot) -> bool:
    """Whether disguised people are nowhere, beside direct ones who are reported: fewer than `FEWEST`, or nobody."""
    if not snapshot.version.parsed.design.direct or hides_direct(snapshot):
        return False
    return snapshot.respondents - _count_direct_of(snapshot) < min(FEWEST, snapshot.version.survey.least)


def hides_a_group(snapshot: Snapshot) -> bool:
    """Whether direct people, or disguised ones, are in no number of a version that ended."""
    return hides_direct(snapshot) or hides_disguised(snapshot)


def _count_direct_of(snapshot: Snapshot) -> int:
    return _count_direct_in(snapshot.pk, snapshot.sha256)


@lru_cache(maxsize=1024)
def _count_direct_in(pk: int, _sha256: str) -> int:
    """How many answered directly; a snapshot never changes."""
    snapshot = Snapshot.objects.select_related("version__survey").get(pk=pk)
    return sum(count_direct(snapshot.version.design, part.records) for part in snapshots.parts(snapshot))


def is_unanswered(version: SurveyVersion) -> bool:
    """Whether a version without a snapshot will never have one: it ended, and no response waits to be sealed."""
    return takes_no_more(version) and not Inbox.objects.filter(version=version).exists()


def is_of_few(snapshot: Snapshot) -> bool:
    """Whether a snapshot is the last one of its version, with fewer people than its survey reports on."""
    return count_people(snapshot, settled=True) < snapshot.version.survey.least and reportable(snapshot).few


def least_of(snapshot: Snapshot) -> int:
    """Return the least number of people a figure may be about: the survey's minimum, or `FEWEST`."""
    return FEWEST if is_of_few(snapshot) else snapshot.version.survey.least


def least_alone(snapshot: Snapshot) -> int:
    """Return the least number of people, all disguised, a figure of one disguised answer may be about."""
    shown = minimum_of_version(snapshot.version)
    return shown.disguised if is_settled(snapshot) else shown.everything


def require_enough(snapshot: Snapshot) -> None:
    """EntryError where the snapshot is of too few people for figures and files.

    What is certain in a stored answer, as the harmless one to a one-sided question is, no disguise protects among few:
    a version that asks so waits for the survey's minimum with all its answers.
    """
    survey = snapshot.version.survey
    of_disguised = count_people(snapshot, settled=False)
    if of_disguised >= survey.least or count_people(snapshot, is_settled(snapshot)) >= survey.least:
        return
    if not reportable(snapshot).few:
        raise EntryError(
            "{survey}: fewer than {least} people have answered, too few to report on.",
            survey=survey,
            least=survey.least,
        )
    by_quota = survey.quota is not None and (survey.quota < survey.least or survey.has_ended(1))
    if by_quota and snapshot.version.design.direct and snapshot.version.is_coarse:
        raise EntryError(
            "{survey}: fewer than {least} people answered. The quota says how many in all, and would tell how few of "
            "them directly, so nothing is reported.",
            survey=survey,
            least=survey.least,
        )
    if minimum_of_version(snapshot.version).disguised == survey.least > FEWEST:
        raise EntryError(
            "{survey}: fewer than {least} people answered, and some answers are stored as they are, so nothing is "
            "reported.",
            survey=survey,
            least=survey.least,
        )
    if sum(len(kept) for kept in records(snapshot)) < FEWEST:
        raise EntryError(
            "{survey}: fewer than {fewest} people answered with disguise; nothing of them is reported.",
            survey=survey,
            fewest=FEWEST,
        )


def is_enough(snapshot: Snapshot) -> bool:
    """Whether enough people answered for figures and files, as `require_enough` says."""
    try:
        require_enough(snapshot)
    except EntryError:
        return False
    return True


def most_asked(snapshot: Snapshot) -> int:
    """How many of the people who may be reported were asked the disguised question that most were asked."""
    asked = [(kept.codes != kept.design.not_asked).sum(axis=0) for kept in records(snapshot)]
    return max(map(int, sum(asked)), default=0) if asked else 0


def is_settled(snapshot: Snapshot) -> bool:
    """Whether the snapshot is the last one of its version, or simulated: no later one can be compared with it."""
    return snapshot.version.parsed.is_simulated or is_last(snapshot)


def is_last(snapshot: Snapshot) -> bool:
    """Whether the snapshot holds every response that its version will ever have; the last one stays the last.

    Of a survey that collects this is known without its lock, behind which everybody who sends would wait.
    """
    if not snapshot.is_known_to_be_last:
        snapshot.is_known_to_be_last = _look_whether_last(snapshot)
    return snapshot.is_known_to_be_last


def _look_whether_last(snapshot: Snapshot) -> bool:
    looks_last = last_snapshots().filter(pk=snapshot.pk)
    if not looks_last.exists():
        return False
    with transaction.atomic():
        # Waits for responses being stored now; of the row nothing is needed.
        Survey.objects.select_for_update().values_list("pk").get(pk=snapshot.version.survey_id)
        return looks_last.all().exists()


@cache
def last_snapshots() -> QuerySet[Snapshot]:
    """The snapshots that hold every response their version will ever have: a query for others to narrow down."""
    version = OuterRef("version")
    replaced = SurveyVersion.objects.filter(survey=OuterRef("version__survey"), number__gt=OuterRef("version__number"))
    waiting = Inbox.objects.filter(version=version)
    later = Snapshot.objects.filter(version=version, pk__gt=OuterRef("pk"))
    closed = Q(version__survey__closed_at__isnull=False) | Q(version__survey__newest__gt=F("version__number"))
    return Snapshot.objects.filter(closed | Exists(replaced), ~Exists(waiting), ~Exists(later))


def require_open(snapshot: Snapshot) -> None:
    """EntryError if no files of responses may be had of this snapshot now."""
    require_enough(snapshot)
    shows = reportable(snapshot)
    if not (shows.open or shows.few):
        raise EntryError(
            "{survey}: single responses and undisguised answers are available after this version is closed and its "
            "last "
            "response is sealed.",
            survey=snapshot.version.survey,
        )


def of_several(snapshot: Snapshot, shown: Shown | None = None) -> Reportable:
    """What may be in figures of several answers: the direct group only if each of its people is hidden in it.

    `shown` turns codes into what the figures show of them, such as numbers in a few bins. It must hide them, too; where
    every combination of codes has enough people, it does.
    """
    decided = reportable(snapshot)
    if not (decided.direct and snapshot.version.design.direct):
        return decided
    least = snapshot.version.survey.least

    def direct() -> Iterator[np.ndarray]:
        return (kept.codes[kept.direct] for _, kept, _ in _reportable_parts(snapshot, decided))

    if snapshot.version.is_coarse:
        sizes = [field.size for field in snapshot.version.design.fields]
        can_fill = prod(sizes) * least <= snapshot.respondents
        return replace(decided, direct=can_fill and gate.fills(np.concatenate(list(direct())), least, sizes))
    hidden = not gate.singles_out(direct(), least) and gate.together(np.concatenate(list(direct())), least)
    if hidden and shown:
        hidden = gate.together(np.concatenate([shown(codes) for codes in direct()]), least)
    return replace(decided, direct=hidden)


def records(snapshot: Snapshot) -> Iterator[Records]:
    """The records of a snapshot, one part after the other; without the direct group until it may be reported."""
    yield from (kept for _, kept, _ in _reportable_parts(snapshot, reportable(snapshot)))


def records_of_several(snapshot: Snapshot, shown: Shown | None = None) -> Iterator[Records]:
    """The records that figures of several answers together may use; `shown` as for `of_several`."""
    yield from (kept for _, kept, _ in _reportable_parts(snapshot, of_several(snapshot, shown)))


def responses(snapshot: Snapshot) -> Iterator[tuple[Records, list[bytes]]]:
    """The records of a snapshot, part after part, and the undisguised answers of the same rows as lines of JSON.

    There are no lines where the questionnaire has no undisguised question, or few people answered. EntryError as
    `require_open` says.
    """
    require_open(snapshot)
    shows = reportable(snapshot)
    for part, kept, rows in _reportable_parts(snapshot, shows):
        lines = unzip_lines(part.open) if shows.open else []
        yield kept, [line for line, is_kept in zip(lines, rows, strict=True) if is_kept] if lines else []


def _reportable_parts(snapshot: Snapshot, decided: Reportable) -> Iterator[tuple[Part, Records, np.ndarray]]:
    """Yield each part, those of its records that may be reported, and a mask of their rows."""
    design, shows_disguised = snapshot.version.design, not (decided.settled and hides_disguised(snapshot))
    for part in snapshots.parts(snapshot):
        every = unpack(design, part.records)
        rows = np.where(every.direct, decided.direct, shows_disguised)
        yield part, every if rows.all() else Records(design, every.codes[rows], every.direct[rows]), rows
