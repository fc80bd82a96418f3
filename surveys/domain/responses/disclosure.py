"""What of sealed responses may be reported: every figure, page and file reads them here, and nowhere else.

Whoever has the link of a survey can send as many responses as they like. Two figures with one unknown person between
them, and everybody else in them forged, give this person away, unless the disguise protects them. So what is not
disguised (the answers of the direct group, and undisguised answers) is reported once only: of the snapshot that holds
all a version will ever have. Simulated surveys are reported at any time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import row_bytes, unpack
from surveys.domain.responses import gate, snapshots
from surveys.domain.responses.snapshots import unzip_lines
from surveys.models import Inbox, Part, Snapshot, Survey, SurveyVersion

Shown = Callable[[np.ndarray], np.ndarray]  # the codes of direct answers, as figures show them


@dataclass(frozen=True)
class Reportable:
    """`direct`: figures and rows of the direct group. `open`: files, and figures and texts of undisguised questions.

    `settled`: nothing can come any more. Where undisguised answers leave as counts with noise alone, both others stay
    False.
    """

    direct: bool
    open: bool
    settled: bool = False


def reportable(snapshot: Snapshot) -> Reportable:
    settled, definition = is_settled(snapshot), snapshot.version.parsed
    if definition.central:
        return Reportable(direct=False, open=False, settled=settled)
    return Reportable(direct=settled, open=settled or definition.early, settled=settled)


def is_settled(snapshot: Snapshot) -> bool:
    """Whether nothing can come between this snapshot and another one that would tell of a few people."""
    return snapshot.version.parsed.simulated or is_last(snapshot)


def is_last(snapshot: Snapshot) -> bool:
    """Whether the snapshot holds every response that its version will ever have.

    Of a survey that collects this is known without its lock, behind which everybody who sends would wait.
    """
    looks_last = last_snapshots().filter(pk=snapshot.pk)
    if not looks_last.exists():
        return False
    with transaction.atomic():
        # Waits for responses being stored now; of the row nothing is needed.
        Survey.objects.select_for_update().values_list("pk").get(pk=snapshot.version.survey_id)
        return looks_last.all().exists()


def last_snapshots() -> QuerySet[Snapshot]:
    """The snapshots that hold every response their version will ever have."""
    version = OuterRef("version")
    replaced = SurveyVersion.objects.filter(survey=OuterRef("version__survey"), number__gt=OuterRef("version__number"))
    waiting = Inbox.objects.filter(version=version)
    later = Snapshot.objects.filter(version=version, pk__gt=OuterRef("pk"))
    ended = Q(version__survey__closed_at__isnull=False) | Exists(replaced)
    return Snapshot.objects.filter(ended, ~Exists(waiting), ~Exists(later))


def require_open(snapshot: Snapshot) -> None:
    """EntryError while neither files nor anything of undisguised questions may be had of this snapshot."""
    if snapshot.version.parsed.central:
        raise EntryError(
            "{survey}: undisguised answers leave this site as counts with noise alone, so single responses do not "
            "leave.",
            survey=snapshot.version.survey,
        )
    if not reportable(snapshot).open:
        raise EntryError(
            "{survey}: single responses and undisguised answers are available after this version is closed and its "
            "last "
            "response is sealed.",
            survey=snapshot.version.survey,
        )


def of_several(snapshot: Snapshot, shown: Shown | None = None) -> Reportable:
    """What figures of several answers together may hold: the direct group only where it hides each of its people.

    `shown` makes of records what the figures show of them, such as numbers in a few bins. It must hide them there, too.
    """
    decided = reportable(snapshot)
    if not (decided.direct and snapshot.version.design.direct):
        return decided
    least = snapshot.version.survey.least

    def direct() -> Iterator[np.ndarray]:
        return (kept.codes[kept.direct] for _, kept, _ in _parts(snapshot, decided))

    hidden = not gate.singles_out(direct(), least) and gate.together(np.concatenate(list(direct())), least)
    if hidden and shown:
        hidden = gate.together(np.concatenate([shown(codes) for codes in direct()]), least)
    return replace(decided, direct=hidden)


def records(snapshot: Snapshot) -> Iterator[Records]:
    """The records of a snapshot, one part after the other; without the direct group until it may be reported."""
    yield from (kept for _, kept, _ in _parts(snapshot, reportable(snapshot)))


def records_of_several(snapshot: Snapshot, shown: Shown | None = None) -> Iterator[Records]:
    """The records that figures of several answers together may rest on, of which they show so much (`of_several`)."""
    yield from (kept for _, kept, _ in _parts(snapshot, of_several(snapshot, shown)))


def responses(snapshot: Snapshot) -> Iterator[tuple[Records, list[bytes]]]:
    """The same with the undisguised answers of the same rows, a line of JSON for each; EntryError as `require_open`
    says.

    Where the questionnaire has no undisguised question there are no lines.
    """
    require_open(snapshot)
    for part, kept, rows in _parts(snapshot, reportable(snapshot)):
        lines = unzip_lines(part.open)
        yield kept, [line for line, is_kept in zip(lines, rows, strict=True) if is_kept] if lines else []


def lines_to_count(snapshot: Snapshot) -> Iterator[bytes]:
    """The undisguised answers of a snapshot, a line of JSON for each person, only to be counted with noise
    (exports.noisy).
    """
    for part in snapshots.parts(snapshot):
        yield from unzip_lines(part.open) or [b""] * part.size


def _parts(snapshot: Snapshot, decided: Reportable) -> Iterator[tuple[Part, Records, np.ndarray]]:
    """Each part, those of its records that may be reported, and which of its rows these are."""
    design = snapshot.version.design
    for part in snapshots.parts(snapshot):
        every = unpack(design, np.frombuffer(part.records, np.uint8).reshape(-1, row_bytes(design)))
        rows = ~every.direct | decided.direct
        yield part, every if rows.all() else Records(design, every.codes[rows], every.direct[rows]), rows
