"""The verdict on a survey as the studio shows it: its sentences, and how widths fall with people."""

import json
import math
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from privacy.output import format_count
from privacy.plan.verdict import GROUPS, PAIRS, SHARES, Aim, Verdict, points as say_points
from surveys.domain.drafts.protect import judge_document, judge_or_none, read_wishes
from surveys.domain.questionnaire.document import Draft, sensitive
from surveys.domain.questionnaire.forecast import Forecast, forecast_draft
from surveys.percent import NO_FIGURE
from surveys.sentences import join_sentences

KNOTS = 9  # of the picture, between which widths are drawn as straight lines of logarithms
SPAN = 64  # the last number of people of the picture is so many times the first


def unmet(verdict: Verdict, one: Forecast, *, with_open: bool) -> list[str]:
    """What the survey is to tell and will not, in sentences; `with_open`: it has undisguised questions, too."""
    n, said = {"n": format_count(one.respondents)}, []
    if with_open and one.respondents < one.shown.everything:
        sentence = _("Of %(n)s people no undisguised answer is shown: that takes %(least)s.")
        said.append(sentence % {**n, "least": format_count(one.shown.everything)})
    if one.withheld:
        sentence = _(
            "Of %(n)s people about %(each)s answer each question with disguise; of fewer than %(least)s nothing is "
            "shown."
        )
        said.append(sentence % {**n, "each": format_count(one.each), "least": format_count(one.shown.disguised)})
    return said + [join_sentences(one.as_text(_) for one in aim.said) for aim in verdict.aims if not aim.met]


def unmet_of_draft(draft: Draft) -> list[str]:
    """The same of a draft that has a design."""
    with_open = any(question.block is None for question in draft.questions)
    return unmet(judge_document(draft.survey, draft.document), forecast_draft(draft), with_open=with_open)


def in_short(verdict: Verdict) -> str:
    """One line for the rail and beside the questionnaire: how exact shares are, and whether links are found."""
    said = []
    for aim in verdict.aims:
        if aim.what == SHARES:
            said.append(_("shares %(points)s") % {"points": points(aim.figure)})
        elif aim.what == PAIRS:
            found = _("pairs yes") if aim.met else _("pairs no")
            if not aim.met and aim.needed:
                found = _("pairs from %(n)s people") % {"n": format_count(aim.needed)}
            said.append(found)
        else:
            said.append(_("groups yes") if aim.met else _("groups no"))
    return _(", ").join(said)


def context(draft: Draft) -> dict[str, Any]:
    """The panel at the head of Protect."""
    if not sensitive(draft.document):
        return {"why": _("Nothing is disguised yet.")}
    verdict = judge_or_none(draft.survey, draft.document)
    if not verdict:
        return {"why": _("When the sensitive questions are finished, you see here what you will be able to learn.")}
    own = read_wishes(draft.document)
    return {
        "headline": verdict.headline.as_text(_),
        "stop": verdict.stop,
        "aims": [_line_of(aim, is_good=verdict.is_good(aim)) for aim in verdict.aims],
        "off": [name for what, name in _names().items() if what not in own.tell],
        "falls": _falls(draft, verdict),
        "plain": _plain(verdict),
        "write": reverse("studio:write", args=[draft.survey.pk]),
    }


def _names() -> dict[str, str]:
    return {
        SHARES: _("Shares: you did not ask."),
        PAIRS: _("What goes together: you did not ask."),
        GROUPS: _("Groups: you did not ask."),
    }


def _plain(verdict: Verdict) -> dict[str, Any] | None:
    """Whether to ask plainly; of a disguise that errs more however many hide the scale has no other side."""
    if verdict.plain is None:
        return None
    first, *rest = (one.as_text(_) for one in verdict.plain.said)
    hide = verdict.plain.hide
    return {"first": first, "rest": join_sentences(rest), "hide": hide, "left": None if hide is None else 100 - hide}


def say_plain(verdict: Verdict) -> str:
    """When a plain question is better, in a sentence; empty where nobody can say."""
    return join_sentences(one.as_text(_) for one in verdict.say_plain())


def _line_of(aim: Aim, *, is_good: bool) -> dict[str, Any]:
    first, *rest = (one.as_text(_) for one in aim.said)
    more = None if aim.met else aim.needed
    change = json.dumps({"do": "survey", "field": "expected", "value": str(more)}) if more else ""
    return {"good": is_good, "first": first, "rest": rest, "needed": more and format_count(more), "change": change}


def _falls(draft: Draft, verdict: Verdict) -> dict[str, Any] | None:
    """How the range of a share narrows with people, as a ribbon around the truth; None where nothing is known."""
    now = verdict.aim(SHARES)
    if now is None or not now.figure < 1:
        return None
    n, one, wanted = verdict.respondents, forecast_draft(draft), read_wishes(draft.document).within
    fewest = max(n // 4, 1)

    def width(people: int) -> float:
        return one.with_people(people).most or 0.0

    widest = min(width(fewest), 1.0)
    places = [index / (KNOTS - 1) for index in range(KNOTS)]

    def half(side: float) -> float:
        """Half the height of the ribbon, in percent of the picture: at the fewest people nearly all of it."""
        return 47.5 * min(side / widest, 1.0)

    sides = [half(width(round(fewest * SPAN**place))) for place in places]
    upper = [f"{100 * place:.2f},{50 - side:.2f}" for place, side in zip(places, sides, strict=True)]
    lower = [f"{100 * place:.2f},{50 + side:.2f}" for place, side in zip(places, sides, strict=True)]

    def mark(people: int, side: float) -> dict[str, str]:
        return {
            "x": f"{100 * math.log(people / fewest, SPAN):.2f}%",
            "up": f"{50 - half(side):.2f}%",
            "down": f"{50 + half(side):.2f}%",
            "n": format_count(people),
            "points": points(side),
        }

    sizes = [fewest, *(n * 4**power for power in range(3))]
    then = now.needed if not now.met and now.needed and n < now.needed <= fewest * SPAN else None
    return {
        "ribbon": " ".join([*upper, *reversed(lower)]),
        "now": mark(n, now.figure),
        "then": then and mark(then, wanted),
        "axis": [(format_count(people), f"{100 * power / 3:.2f}%") for power, people in enumerate(sizes)],
        "rows": [(format_count(people), points(width(people))) for people in sizes],
    }


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
