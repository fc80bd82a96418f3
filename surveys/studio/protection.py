"""The three questions that decide the protection, what follows from them in words, and the alternatives to it."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from privacy.draw.chart import Axis, Line, Points, chart
from privacy.errors import InputError
from privacy.output import whole
from privacy.plan.connections import roughly
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import (
    GROUPS,
    PAIRS,
    PROPOSAL,
    SHARES,
    SURE,
    Wishes,
    odds_of,
    proposal,
    topics_of,
    wishes,
)
from surveys.domain.drafts.row_changes import may_skip
from surveys.domain.questionnaire.compose import compose_design, gamma_limit
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.forecast import Forecast, drawn_of, forecast
from surveys.models import Survey
from surveys.questions.rows import SKIP

MORE = 4  # times as many people halve every error
MOST_TOGETHER = 30  # questions that are all asked in one alternative: more are too many to answer
SPAN = [2.0**step for step in range(-3, 4)]  # people in the picture, in times of those who are expected


@dataclass(frozen=True)
class Estimable:
    """What can be estimated of one thing, from how many people; `can` says of the first number whether it is enough."""

    what: str
    can: bool
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Card:
    """Another way: what it is, what it tells, what that is in place of, and the change that takes it."""

    title: str
    figures: str
    moved: str
    change: str


def named(what: str) -> str:
    return {
        SHARES: _("how common each thing is"),
        PAIRS: _("what goes together: pairs and rules"),
        GROUPS: _("how groups differ"),
    }[what]


def points(width: float | None) -> str:
    """A half width in percentage points."""
    if width is None or width >= 1:
        return _("nothing")
    return f"±{100 * width:.2g}"


def of_ten(chance: float) -> str:
    """How many of ten connections that are true would be found."""
    if chance < 0.05:
        return _("none")
    if chance > 0.95:
        return _("nearly all")
    return _("%(count)s of 10") % {"count": max(round(10 * chance), 1)}


# ---- what stands beside the questionnaire ---------------------------------------------------------------------------


def questions_context(draft: Draft) -> dict[str, Any]:
    """The three questions with their answers."""
    own = wishes(draft.document)
    sure = sorted({*(one for one in SURE if odds_of(one) <= gamma_limit() * (1 + 1e-9)), int(own.sure)})
    return {
        "expected": draft.document["expected"],
        "sure": [(one, one == own.sure) for one in sure],
        "tell": [(what, named(what), what in own.tell) for what in (SHARES, PAIRS, GROUPS)],
    }


def forecast_context(draft: Draft) -> dict[str, Any]:
    """What so many people and four times as many will tell; nothing while there is no design."""
    try:
        design = compose_design(draft)
    except InputError:
        return {"rows": [], "nothing": not sensitive(draft.document)}
    count = draft.document["expected"]
    forecasts = [forecast(design, n, draft.survey.least) for n in (count, MORE * count)]
    drawn = drawn_of(design)
    return {
        "said": list(_said(*forecasts)),
        "rows": list(_rows(forecasts)),
        "heads": [whole(one.respondents) for one in forecasts],
        "on_grid": [(name, " ".join(one.written(_) for one in said)) for name, said in forecasts[0].on_grid],
        "asked": drawn and drawn[0],
        "all": drawn and drawn[1],
        "cannot": unanswered(wishes(draft.document).tell, forecasts[0]),
        "wide": _("In 19 of 20 surveys the true share lies within these points."),
    }


def _rows(forecasts: list[Forecast]) -> Iterator[Estimable]:
    first = forecasts[0]
    if first.most is not None:
        yield Estimable(_("each answer"), first.tells_shares, tuple(_of_answers(one) for one in forecasts))
        if first.connections:
            for length, what in ((2, _("links found")), (3, _("rules of three"))):
                figures = tuple(of_ten(one.chance(length)) for one in forecasts)
                yield Estimable(what, first.chance(length) >= 0.5, figures)
        yield Estimable(_("two halves compared"), first.tells_groups, tuple(points(one.apart) for one in forecasts))


def _said(now: Forecast, then: Forecast) -> Iterator[str]:
    """The first rows in words."""
    n = {"n": whole(now.respondents), "more": whole(then.respondents)}
    if now.most is None or now.withheld or not now.most < 1:
        return  # what it does not tell stands there as a warning
    yield _("About %(points)s points on each answer with %(n)s people, %(fewer)s with %(more)s.") % {
        **n,
        "points": _of_answers(now),
        "fewer": _of_answers(then),
    }
    if now.connections:
        first, second = (of_ten(one.chance(2)) for one in (now, then))
        yield _(
            "Links between two answers that are true and found: %(first)s with %(n)s, %(second)s with %(more)s."
        ) % {
            **n,
            "first": first,
            "second": second,
        }


def _of_answers(one: Forecast) -> str:
    least, most = points(one.least), points(one.most)
    return most if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def unanswered(tell: Collection[str], one: Forecast) -> list[str]:
    """What the survey is to tell and will not, each in a sentence."""
    n = {"n": whole(one.respondents)}
    said = []
    if one.withheld:
        sentence = _("Of %(n)s people about %(each)s are asked each question; a report needs at least %(least)s.")
        said.append(sentence % {**n, "each": whole(one.each), "least": whole(one.floor)})
    elif SHARES in tell and not one.tells_shares:
        said.append(
            _(
                "%(n)s people are too few to show how common each thing is: shares are known to %(points)s points at "
                "best."
            )
            % {**n, "points": points(one.most)}
            if one.most is not None and one.most < 1
            else _("%(n)s people are too few to show how common each thing is.") % n
        )
    if PAIRS in tell and one.most is not None and not one.tells_pairs:
        sentence = _("%(n)s people are too few to show what goes together: expect no rules.") % n
        if one.needed is not None:
            sentence += " " + _("About %(needed)s would be needed.") % {"needed": whole(roughly(one.needed))}
        said.append(sentence)
    if GROUPS in tell and not one.tells_groups:
        said.append(
            _("%(n)s people are too few to show how groups differ: a difference is known to %(points)s points at best.")
            % {**n, "points": points(one.apart)}
            if one.apart is not None and one.apart < 1
            else _("%(n)s people are too few to show how groups differ.") % n
        )
    return said


def unanswered_by(survey: Survey, document: Document) -> list[str]:
    """The same of a draft; nothing while it has no design."""
    here = _forecast_of(survey, document)
    return [] if here is None else unanswered(wishes(document).tell, here)


# ---- alternatives ---------------------------------------------------------------------------------------------------


def key(document: Document) -> str:
    """Another one where the alternatives may be others."""
    kinds = [
        (q["type"], len(q["options"]), q["minimum"], q["maximum"]) for p in document["pages"] for q in p["questions"]
    ]
    return sha256(
        json.dumps([document["protection"], document["blocks"], document["expected"], kinds]).encode()
    ).hexdigest()[:12]


def alternatives(survey: Survey, document: Document) -> dict[str, Any]:
    """The cards and the picture; empty while there is no design."""
    here = _forecast_of(survey, document)
    if here is None or here.most is None:
        return {}
    cards = []
    for title, change in _changes(survey, document, here):
        there = _forecast_of(survey, apply(survey, document, change))
        if there is not None:
            cards.append(Card(title, in_short(there), _moved(here, there), json.dumps(change)))
    return {"cards": cards, **_picture(survey, document, here)}


def _forecast_of(survey: Survey, document: Document) -> Forecast | None:
    try:
        design = compose_design(Draft.of(survey, document))
    except InputError:
        return None
    return forecast(design, document["expected"], survey.least)


def in_short(one: Forecast) -> str:
    said = _("%(points)s points") % {"points": _of_answers(one)}
    if one.connections:
        said += " · " + _("links found: %(found)s") % {"found": of_ten(one.chance(2))}
    return said


def _moved(here: Forecast, there: Forecast) -> str:
    """What would change."""
    said = _("%(points)s points") % {"points": f"{_of_answers(here)} → {_of_answers(there)}"}
    if here.connections or there.connections:
        said += " · " + _("links found: %(found)s") % {"found": f"{of_ten(here.chance(2))} → {of_ten(there.chance(2))}"}
    return said


def skipping(survey: Survey, document: Document) -> tuple[Forecast, Forecast] | None:
    """What the draft tells with "prefer not to say" at every sensitive question, and with it at none.

    None while it has no design, or where no question can have it.
    """
    hidden = sensitive(document)
    asked = [one for one in questions(document) if one["name"] in hidden and may_skip(one)]
    if not asked:
        return None
    have = {any(option["value"] == SKIP for option in one["options"]) for one in asked}
    ways = []
    for skips in (True, False):
        try:
            other = document if have == {skips} else apply(survey, document, skip_all(skips=skips))
        except InputError:
            return None
        ways.append(_forecast_of(survey, other))
    return None if ways[0] is None or ways[1] is None else (ways[0], ways[1])


def skip_all(*, skips: bool) -> dict[str, Any]:
    """The change that adds "prefer not to say" to all sensitive questions, or takes it away."""
    return {"do": "skip", "for": "all", "value": skips}


def price(one: Forecast, other: Forecast, tell: Collection[str]) -> str:
    """What one way costs beside the other, in people or in points."""
    if PAIRS in tell and one.connections and other.connections:
        people = {"these": _needed(one), "those": _needed(other)}
        return _("links need %(these)s people instead of %(those)s") % people
    return _("%(these)s points instead of %(those)s") % {"these": _of_answers(one), "those": _of_answers(other)}


def _needed(one: Forecast) -> str:
    """How many people make it likely that links are found."""
    return _("more than any") if one.needed is None else whole(roughly(one.needed))


def _changes(survey: Survey, document: Document, here: Forecast) -> Iterator[tuple[str, dict[str, Any]]]:
    own, count = wishes(document), document["expected"]
    if PAIRS in own.tell and here.needed is not None and here.needed > count:
        yield _people(roughly(here.needed))
    else:
        yield _people(MORE * count)
    if count >= 2 * survey.least:
        yield _people(count // 2)
    if (ways := skipping(survey, document)) is not None:
        with_it, without = ways
        if here != with_it:
            title = _("“Prefer not to say” at every question: %(price)s")
            yield title % {"price": price(with_it, without, own.tell)}, skip_all(skips=True)
        if here != without:
            title = _("no “Prefer not to say”, and a reason why: %(price)s")
            yield title % {"price": price(without, with_it, own.tell)}, skip_all(skips=False)
    if own.by != PROPOSAL:
        return
    yield from _asking(survey, document, own)
    for sure in _beside(own.sure):
        title = _("nobody surer than %(sure)s %%") % {"sure": sure}
        yield title, {"do": "protect", "field": "sure", "value": sure}


def _people(count: int) -> tuple[str, dict[str, Any]]:
    return _("%(n)s people") % {"n": whole(count)}, {"do": "survey", "field": "expected", "value": count}


def _asking(survey: Survey, document: Document, own: Wishes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Fewer questions of each person, all of them, and the number that is best."""
    wanted = sensitive(document)
    now, best = (proposal(survey, document, wanted, asked=asked) for asked in (own.asked, None))
    every = sum(len(topic.sizes) for topic in topics_of(survey, document, wanted))
    fewer = max(now.asked // 2, own.length)
    if now.asked != best.asked:
        title = _("ask each person %(count)s of %(all)s questions, the best number")
        yield title % {"count": best.asked, "all": every}, {"do": "protect", "field": "asked", "value": None}
    for asked in (fewer, every):
        if asked not in (now.asked, best.asked) and (asked < now.asked or asked <= MOST_TOGETHER):
            title = (
                _("ask each person %(count)s of %(all)s questions") if asked < every else _("ask everybody all %(all)s")
            )
            yield title % {"count": asked, "all": every}, {"do": "protect", "field": "asked", "value": asked}


def _beside(sure: float) -> list[int]:
    """The next promises on both sides."""
    weaker = [one for one in SURE if one > sure and odds_of(one) <= gamma_limit() * (1 + 1e-9)]
    return [*weaker[:1], *[one for one in SURE if one < sure][-1:]]


def _picture(survey: Survey, document: Document, here: Forecast) -> dict[str, Any]:
    """± points against people, a line for each promise, with the place of this draft."""
    assert here.most is not None  # asked for where answers have options
    own, count = wishes(document), document["expected"]
    sizes = [count * times for times in SPAN]
    rows = []
    for sure in [one for one in SURE if odds_of(one) <= gamma_limit() * (1 + 1e-9)] if own.by == PROPOSAL else []:
        there = _forecast_of(survey, apply(survey, document, {"do": "protect", "field": "sure", "value": sure}))
        if there is not None and there.most is not None:
            rows.append((_("%(sure)s %% sure") % {"sure": sure}, there.most))
    if own.by != PROPOSAL:
        rows.append((_("these blocks"), here.most))
    lines = [
        Line(name, sizes, [100 * most / math.sqrt(times) for times in SPAN]) for name, most in rows if most < math.inf
    ]
    if not lines or not here.most < math.inf:
        return {}
    title = _("Error against people and protection")
    you = Points(_("you are here"), [float(count)], [100 * here.most], notes=[_("you are here")])
    drawn = chart(
        title,
        [*lines, you],
        Axis(_("people"), log=True),
        Axis(_("± points on the least exact answer"), log=True),
        description=_("Four times as many people halve the error; a stronger promise enlarges it."),
        width=340,
        height=320,
        fluid=False,
    )
    table = [(name, [points(most / math.sqrt(times)) for times in SPAN[::2]]) for name, most in rows]
    return {
        "picture": drawn,
        "title": title,
        "table": table,
        "sizes": [whole(round(count * times)) for times in SPAN[::2]],
    }
