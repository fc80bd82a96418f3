"""A forecast in words: how well answers are known, and what one way costs beside another."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from privacy.output import format_count
from privacy.plan.connections import roughly
from privacy.plan.verdict import PAIRS, points as say_points
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


def points_of_answers(one: Forecast) -> str:
    if not is_known(one.least):
        return _("no share is known")
    return _("%(points)s points") % {"points": points_as_range(one)}


def price_of_change(here: Forecast, there: Forecast, tell: Collection[str]) -> list[str]:
    """What would change: first what is wanted, then the points where that was another figure."""
    return list(dict.fromkeys([price(there, here, tell), price(there, here, ())]))


def people_asked(one: Forecast) -> str:
    """What it costs to ask each person some of the questions: how many are asked each, and when a report begins."""
    said = _("About %(each)s of %(n)s people would be asked each question. Its report: %(note)s.")
    return said % {"each": format_count(one.each), "n": format_count(one.respondents), "note": one.shown.note}


def _why_no_share(one: Forecast) -> str:
    if not one.withheld:
        return _("no share is known: intervals would reach from 0 to 100 %")
    said = _("no share is shown: about %(each)s people would be asked each question, and it takes %(least)s")
    return said % {"each": format_count(one.each), "least": format_count(one.shown.disguised)}


def price(one: Forecast, other: Forecast, tell: Collection[str]) -> str:
    """What one way costs beside the other, in people or in points; where both cost as much, that they do."""
    if PAIRS in tell and one.connections and other.connections:
        if one.people_in_reach is None:
            return _("links are out of reach") if other.people_in_reach else _("links are out of reach, either way")
        these = format_count(roughly(one.people_in_reach))
        if other.people_in_reach is None:
            return _("links need %(these)s people; now they are out of reach") % {"these": these}
        said, those = (
            _("links need %(these)s people instead of %(those)s"),
            format_count(roughly(other.people_in_reach)),
        )
        alike = _("links need %(these)s people either way")
    elif not is_known(one.least):
        return _why_no_share(one)
    else:
        these, those = points_as_range(one), points_as_range(other)
        alike = _("%(these)s points either way")
        said = _("%(these)s points instead of %(those)s")
        if not is_known(other.least):
            said = _("%(these)s points; now no share is known")
    return (alike if these == those else said) % {"these": these, "those": those}
