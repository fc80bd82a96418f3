"""How many answers were entered wrongly, as the sheets show that were entered twice."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from privacy.output import format_count
from privacy.reconstruct.modes import EntryErrors
from surveys.models import PaperBatch
from surveys.percent import percent_alone


def entry_error(batches: Iterable[PaperBatch]) -> EntryErrors | None:
    """What all second entries show together; None where nothing was entered twice."""
    pairs = [(batch.compared, batch.differing) for batch in batches]
    compared, differing = (sum(part) for part in zip(*pairs, strict=True)) if pairs else (0, 0)
    return EntryErrors(compared, differing) if compared and 2 * differing < compared else None


def say_error(batches: Iterable[PaperBatch]) -> str:
    """How many answers were entered otherwise than they are crossed, as far as sheets that were entered twice show."""
    found = entry_error(batches)
    if found is None:
        return _("No sheet was entered twice, so nobody knows how many answers were entered wrongly.")
    return _(
        "Of %(compared)s answers that were entered twice, %(differing)s differ: about %(error)s of entered answers are "
        "wrong (%(low)s to %(high)s). Figures on paper are corrected for it."
    ) % {
        "compared": format_count(found.compared),
        "differing": format_count(found.differing),
        **dict(zip(("error", "low", "high"), map(percent_alone, (found.error, *found.ci)), strict=True)),
    }
