"""A batch: counted sheets that are entered together, all of them or none."""

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _, ngettext

from privacy.draws.typed import EntryErrors
from privacy.errors import EntryError, to_translate
from privacy.output import format_count
from privacy.reconstruct.modes import interval_of_error
from surveys.domain.database.wrapping import is_marked, mark
from surveys.domain.messages.refusals import Refused
from surveys.domain.responses.receive import check_collecting, receive_together
from surveys.domain.responses.seal import BATCH
from surveys.features.paper import MODE
from surveys.features.paper.form import form_of
from surveys.features.paper.sheets import SheetTable, compare, read_sheets
from surveys.models import PaperBatch, Survey, SurveyVersion
from surveys.percent import percent_alone
from surveys.sentences import join_sentences

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


def enter_batch(
    version: SurveyVersion, counted: int, aside: int, first: SheetTable, again: SheetTable | None = None
) -> list[str]:
    """Store all sheets of a batch, and of the second entry how often it differs; return the receipts, in no order.

    EntryError says why nothing was stored.
    """
    form = form_of(version)
    sheets = read_sheets(form, first)
    _check_count(counted, aside, len(sheets))
    compared, differing = compare(form, sheets, again) if again else (0, 0)
    sent, place = sha256(first.content).digest(), f"paper {version.sha256}"
    try:
        with transaction.atomic():
            receipts = receive_together(version, sheets)  # the same file, sent at once, waits here for the lock
            if any(is_marked(sent, bytes.fromhex(batch.file), place) for batch in version.paper_batches.all()):
                raise EntryError("This file was entered before: nothing was stored.")
            PaperBatch.objects.create(
                version=version,
                counted=counted,
                aside=aside,
                compared=compared,
                differing=differing,
                file=mark(sent, place).hex(),  # the hash alone would tell a guess of few sheets to be right
            )
    except Refused as refused:
        raise _say_refusal(refused) from None
    return receipts


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


def say_error(version: SurveyVersion) -> str:
    """How many answers were entered otherwise than they are crossed, as far as sheets that were entered twice show."""
    if version.survey.closed_at is None:
        return join_sentences(
            [_say_found(version.entry_errors), _("Until it is closed, full hundreds of sheets count.")]
        )
    return _say_found(version.entry_errors)


def _say_found(found: EntryErrors | None) -> str:
    if found is None:
        return _(
            "Nobody knows how many answers were entered wrongly: too few were entered twice, or half of these differ. "
            "Figures are not corrected for it."
        )
    return ngettext(
        "Of %(compared)s answers that were entered twice, %(differing)s differs: about %(error)s of entered answers "
        "are wrong (%(low)s to %(high)s). All figures of answers that people draw are corrected for it, by web and "
        "paper together, and so are controls; other undisguised answers are not, as nobody knows which box a wrong "
        "entry falls into.",
        "Of %(compared)s answers that were entered twice, %(differing)s differ: about %(error)s of entered answers are "
        "wrong (%(low)s to %(high)s). All figures of answers that people draw are corrected for it, by web and paper "
        "together, and so are controls; other undisguised answers are not, as nobody knows which box a wrong entry "
        "falls into.",
        found.differing,
    ) % {
        "compared": format_count(found.compared),
        "differing": format_count(found.differing),
        **dict(
            zip(("error", "low", "high"), map(percent_alone, (found.error, *interval_of_error(found))), strict=True)
        ),
    }
