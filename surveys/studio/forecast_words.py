"""A forecast in words: how well answers are known, and what one way costs beside another."""

from django.utils.translation import gettext as _

from privacy.output import format_count
from privacy.plan.verdict import points as say_points
from surveys.domain.questionnaire.forecast import Forecast
from surveys.percent import NO_FIGURE


def points(width: float | None) -> str:
    """A width in percentage points, as a text; a dash where it is not known or covers every share."""
    return NO_FIGURE if width is None or width >= 1 else say_points(width)


def is_known(width: float | None) -> bool:
    return width is not None and width < 1


def of_ten(chance: float) -> str:
    """How many of ten connections that are true would be found."""
    if chance < 0.05:
        return _("none")
    if chance > 0.95:
        return _("nearly all")
    return _("%(count)s of 10") % {"count": max(round(10 * chance), 1)}


def points_as_range(one: Forecast) -> str:
    return range_of_points(one.least, one.most)


def range_of_points(first: float | None, last: float | None) -> str:
    least, most = points(first), points(last)
    if is_known(first) and not is_known(last):
        return _("%(least)s or more") % {"least": least}
    return most if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def direct_sentences(one: Forecast) -> list[str]:
    """What is forecast of those who answer directly, and which figures count them; none where nobody may."""
    if not one.direct:
        return []
    said = _(
        "People may answer directly: %(share)s of 100 are thought to. Nothing disguises what they say, and who reads "
        "the database reads it."
    )
    if not one.counts_direct:
        then = _("Figures leave them out, as too few would share an answer: figures rest on the others.")
    elif not one.links_count_direct:
        then = _("Single answers count them. Links and groups leave them out, as they could point at somebody.")
    else:
        then = _("Single answers and links count them; groups leave them out.")
    return [said % {"share": round(100 * one.direct)}, then]


def people_asked(one: Forecast) -> str:
    """What it costs to ask each person some of the questions: how many are asked each, and when a report begins."""
    said = _("About %(each)s of %(n)s people would be asked each question. Its report: %(note)s.")
    return said % {"each": format_count(one.each), "n": format_count(one.respondents), "note": one.shown.note}
