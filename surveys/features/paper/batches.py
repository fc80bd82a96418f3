"""A batch: counted sheets that are entered together, all of them or none."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db import transaction

from privacy.errors import EntryError, to_translate
from surveys.domain.database.wrapping import is_marked, mark
from surveys.domain.messages.submission import Refused
from surveys.domain.responses.receive import check_collecting, receive_together
from surveys.domain.responses.seal import BATCH
from surveys.features.paper import MODE
from surveys.features.paper.form import form_of
from surveys.features.paper.sheets import SETTLED, SecondEntry, SheetTable, compare, hash_sheets, read_sheets, settle
from surveys.models import Survey, SurveyVersion

MOST = 1_000  # sheets of a batch
FEWEST = BATCH  # that are entered: who put a sheet into the box on a known day is one of so many
_REFUSED = {
    "closed": to_translate("This survey is closed: nothing was stored."),
    "not-open": to_translate("This survey is not open yet: nothing was stored."),
    "version": to_translate("A newer version of this survey was published meanwhile: nothing was stored."),
}


def version_on_paper(survey: Survey) -> SurveyVersion:
    """The newest version; EntryError where nobody may answer it on paper."""
    version = survey.versions.last()
    if version is None or MODE not in version.parsed.source:
        raise EntryError("No published version of this survey may be answered on paper.")
    return version


def check_open(version: SurveyVersion) -> None:
    """EntryError where no sheet can be stored now: nobody should type in vain."""
    try:
        check_collecting(version)
    except Refused as refused:
        raise _say_refusal(refused) from None


class UnsettledError(Exception):
    """Two entries of a sheet differ, and nobody has looked at it; nothing was stored. It has what differs."""


def enter_batch(
    version: SurveyVersion,
    counted: int,
    aside: int,
    first: SheetTable,
    again: SheetTable | None = None,
    settled: Mapping[str, str] = {},
) -> list[str]:
    """Store all sheets of a batch, and of the second entry how often it differs; return the receipts, in no order.

    `settled` says of each difference, by its name, what the sheet shows: the first entry, the second, or neither.
    EntryError says why nothing was stored; UnsettledError has the differences that somebody must look at. These are
    noted at once, as of no sheet yet: a stack that is typed or sent again, mended, changes nothing of what was counted.
    """
    form = form_of(version)
    sheets = read_sheets(form, first)
    _check_count(counted, aside, len(sheets))
    second = compare(form, first, sheets, again) if again else SecondEntry()
    sent = hash_sheets(sheets, first.token)
    noted = mark(second.typed_once or sent, f"twice {_place(version)}").hex()
    known = sent, sha256(first.content).digest()  # stacks that an earlier version stored are known by their bytes
    twice = {"compared": second.compared, "differing": second.differing}
    if any(settled.get(field.name) not in SETTLED for field in second.differences):
        check_open(version)
        _check_new(version, known)
        if 2 * second.differing < second.compared:  # else these are hardly the same sheets
            version.paper_batches.get_or_create(file=noted, defaults=twice | {"counted": counted, "aside": counted})
        raise UnsettledError(*second.differences)
    stored = read_sheets(form, settle(first, second.differences, settled))
    aside += len(sheets) - len(stored)
    _check_count(counted, aside, len(stored))
    try:
        with transaction.atomic():
            receipts = receive_together(version, stored)  # the same file, sent at once, waits here for the lock
            _check_new(version, known)
            entered = {"counted": counted, "aside": aside}
            batch, _new = version.paper_batches.get_or_create(file=noted, defaults=twice | entered)
            # The hash alone would tell a guess of few sheets to be right.
            version.paper_batches.filter(pk=batch.pk).update(file=mark(sent, _place(version)).hex(), **entered)
    except Refused as refused:
        raise _say_refusal(refused) from None
    return receipts


def _place(version: SurveyVersion) -> str:
    return f"paper {version.sha256}"


def _check_new(version: SurveyVersion, known: Sequence[bytes]) -> None:
    """EntryError where a stack with one of these hashes was stored before."""
    marks = [bytes.fromhex(batch.file) for batch in version.paper_batches.all()]
    if any(is_marked(batch, mark_of_batch, _place(version)) for batch in known for mark_of_batch in marks):
        raise EntryError("This file was entered before: nothing was stored.")


def _say_refusal(refused: Refused) -> EntryError:
    return EntryError(_REFUSED.get(refused.code, _REFUSED["closed"]))


def _check_count(counted: int, aside: int, entered: int) -> None:
    numbers: dict[str, Any] = {"counted": counted, "aside": aside, "entered": entered}
    if counted > MOST:
        raise EntryError(
            "You counted {counted} sheets; a batch has {most} at most.", at="counted", **numbers, most=MOST
        )
    if not entered:
        raise EntryError("No sheet was entered.")
    if entered + aside > counted:
        raise EntryError(
            "Entered: {entered}, set aside: {aside}. This is more than the {counted} that you counted: nothing was "
            "stored.",
            **numbers,
        )
    if entered < FEWEST:
        raise EntryError(
            "A stack has {fewest} sheets or more, so that nobody knows whose are in it. Keep these {entered} in the "
            "box until there are enough: nothing was stored.",
            **numbers,
            fewest=FEWEST,
        )
    if entered + aside < counted:
        raise EntryError(
            "Entered: {entered}, set aside: {aside}, counted: {counted}. Is a part of the file missing? Nothing was "
            "stored.",
            **numbers,
        )
