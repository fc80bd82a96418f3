"""How many answers were entered wrongly, as the sheets show that were entered twice."""

from django.utils.translation import gettext as _

from privacy.output import format_count
from privacy.reconstruct.modes import interval_of_error
from surveys.models import SurveyVersion
from surveys.percent import percent_alone


def say_error(version: SurveyVersion) -> str:
    """How many answers were entered otherwise than they are crossed, as far as sheets that were entered twice show."""
    found = version.entry_errors
    if found is None:
        return _(
            "No sheet was entered twice, or half of the answers differ: nobody knows how many were entered wrongly. "
            "Figures are not corrected for it."
        )
    return _(
        "Of %(compared)s answers that were entered twice, %(differing)s differ: about %(error)s of entered answers are "
        "wrong (%(low)s to %(high)s). All figures of answers that people draw are corrected for it, by web and paper "
        "together."
    ) % {
        "compared": format_count(found.compared),
        "differing": format_count(found.differing),
        **dict(
            zip(("error", "low", "high"), map(percent_alone, (found.error, *interval_of_error(found))), strict=True)
        ),
    }
