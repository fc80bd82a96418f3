"""Why a release ended without a table, as its row keeps it: by a code and values, so that every reader reads it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from privacy.errors import EntryError, InputError, to_translate
from privacy.release.reasons import ReleaseError
from surveys.models import TableRelease


class TableError(ReleaseError):
    """No table of responses comes of it, for a reason that has a code; those of any table are among them."""

    SENTENCES: ClassVar[Mapping[str, str]] = {
        **ReleaseError.SENTENCES,
        "unanswered": to_translate("Nobody answered this version before it ended: there is nothing to show."),
        "unsealed": to_translate("No responses are sealed yet; there is nothing to show."),
        "open": to_translate(
            "Tables can be released after this version is closed and its last response is sealed. A rehearsal, which "
            "begins on Try, makes them of simulated people before."
        ),
        "least": to_translate("Fewer than {least} people answered this version, too few for a table of responses."),
        "out": to_translate(
            "A table of this version is released. Another one from the responses could tell, together with it, what "
            "neither tells; make it from the released table."
        ),
        "renewed": to_translate("The site was updated since you asked; ask again."),
        "changed": to_translate("The responses have changed since you asked; ask again."),
        "late": to_translate(
            "It took longer than {most} seconds: leave columns out, or ask the administrator for more time."
        ),
        "memory": to_translate(
            "It needed more than {most} MiB of memory: leave columns out, or ask the administrator for more memory."
        ),
        "died": to_translate("Its worker died {attempts} times; ask again."),
        "other": to_translate("It could not be made: {error}"),  # what nobody foresaw, as it was said
    }


def pack_reason(reason: InputError) -> dict[str, Any]:
    """Return the reason in its stored form: by its code, or by its sentence if it has no code."""
    if not isinstance(reason, EntryError):
        reason = TableError("other", error=str(reason))
    values = {name: value if isinstance(value, int | float) else str(value) for name, value in reason.values.items()}
    known = {"code": reason.code} if isinstance(reason, ReleaseError) else {"sentence": reason.sentence}
    return known | {"values": values}


def reason_of(release: TableRelease) -> EntryError | None:
    kept = release.ended_for
    if "code" in kept:
        return TableError(kept["code"], **kept["values"])
    return EntryError(kept["sentence"], **kept["values"]) if kept else None
