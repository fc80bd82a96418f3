"""How many answers were entered wrongly, as the sheets show that were entered twice."""

from django.utils.translation import gettext as _, ngettext

from privacy.draws.typed import EntryErrors
from privacy.output import format_count
from privacy.reconstruct.modes import interval_of_error
from surveys.models import SurveyVersion
from surveys.percent import percent_alone
from surveys.sentences import join_sentences


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
