"""The three questions that decide the protection, what follows from them in words, and the alternatives to it."""

import json
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from privacy.design import Design
from privacy.design.block import RowWords
from privacy.design.brief import MOST_ITEMS, WIDE, WORTH, Brief, ExpectedItem
from privacy.errors import InputError
from privacy.output import format_count, two_digits
from privacy.plan.bound import bound, percent_above
from privacy.plan.connections import roughly
from privacy.plan.standard_errors import errors_of_design
from surveys import features
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import (
    GROUPS,
    ONE_WORD,
    PAIRS,
    PROPOSAL,
    SHARES,
    SURE,
    Wishes,
    can_send_one_word,
    is_left_to_site,
    odds_of,
    people_saved,
    proposal,
    read_wishes,
    topics_of,
)
from surveys.domain.drafts.row_changes import has_skip, may_skip
from surveys.domain.drafts.survey_changes import MOST_PEOPLE
from surveys.domain.questionnaire.check import say_small_groups
from surveys.domain.questionnaire.compose import compose_design, gamma_limit
from surveys.domain.questionnaire.directly import share_of_draft
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.draft_part import asks_others
from surveys.domain.questionnaire.expected import in_percent, people_for_links, percent_of_guess
from surveys.domain.questionnaire.forecast import Forecast, forecast, forecast_draft, questions_by_lot
from surveys.domain.questionnaire.guess import guess_of, word_of
from surveys.domain.questionnaire.minimum import minimum_of_draft
from surveys.models import Survey
from surveys.percent import NO_FIGURE
from surveys.sentences import join_sentences
from surveys.studio.staff_part import alternatives as alternatives_of_features

MORE = 4  # times as many people halve every error
MOST_TOGETHER = 30  # questions that are all asked in one alternative: more are too many to answer
FEWEST, SPAN = (
    1 / 4,
    256,
)  # the chart begins with so many of the people who are expected, and ends with so many times those
STEPS = 64  # of a curve


@dataclass(frozen=True)
class Estimable:
    """What can be estimated of one thing, from how many people; `can` says of the first number whether it is enough."""

    what: str
    can: bool
    figures: tuple[str, ...]


@dataclass(frozen=True)
class Price:
    """Another way: what it is, what would be known and from how many people, and the change that takes it.

    Without a change it is not offered, and `moved` begins with the reason.
    """

    title: str
    moved: list[str]
    change: str


@dataclass(frozen=True)
class Curve:
    """The error of one way by the number of people, in percent of the chart; `links`: where links are likely found.

    `band`: from the best known answer to the worst known one, where they differ.
    """

    name: str
    look: str
    points: str
    band: str
    links: tuple[str, str] | None
    figures: tuple[str, ...]


def name_of_analysis(what: str) -> str:
    return {
        SHARES: _("how common each thing is"),
        PAIRS: _("what goes together: pairs and rules"),
        GROUPS: _("how groups differ"),
    }[what]


def points(width: float | None) -> str:
    """A half width in percentage points, as a text; a dash where it is not known or covers every share."""
    return NO_FIGURE if width is None or width >= 1 else f"±{two_digits(100 * width)}"


def _is_known(width: float | None) -> bool:
    return width is not None and width < 1


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
    own = read_wishes(draft.document)
    sure = sorted({*(one for one in SURE if odds_of(one) <= gamma_limit() * (1 + 1e-9)), int(own.sure)})
    return {
        "expected": draft.document["expected"],
        "asks_others": asks_others(draft.document),
        "sure": [(one, one == own.sure) for one in sure],
        "tell": [
            (what, name_of_analysis(what), what in own.tell)
            for what in (SHARES, PAIRS, GROUPS)
            if not (own.listed and what == PAIRS)  # the list already says which sets it shows
        ],
    }


def forecast_context(draft: Draft) -> dict[str, Any]:
    """What so many people and four times as many will tell; nothing while there is no design."""
    try:
        design = compose_design(draft)
    except InputError:
        return {"rows": [], "n": format_count(draft.document["expected"]), "nothing": not sensitive(draft.document)}
    count = draft.document["expected"]
    guess = guess_of(draft)
    shown = minimum_of_draft(draft)
    share = share_of_draft(draft)
    forecasts = [forecast(design, n, shown, share, guess) for n in (count, MORE * count)]
    drawn, rows = questions_by_lot(design), rows_of(design)
    limits = [_(row.limit) for row in rows]
    return {
        "n": format_count(count),
        "said": list(_sentences(*forecasts)),
        "rows": list(_rows(forecasts)),
        "heads": [format_count(one.respondents) for one in forecasts],
        "on_grid": [(name, join_sentences(one.as_text(_) for one in said)) for name, said in forecasts[0].on_grid],
        "asked": drawn and drawn[0],
        "all": drawn and drawn[1],
        "whom": people_asked(forecasts[0]),
        "shown": shown.sentence,
        "cannot": [
            *unmet_wishes_of_draft(draft.survey, draft.document),
            *(said for _asked, said in say_small_groups(draft) if count >= shown.everything),
            *limits,
            *filter(None, [join_sentences(direct_sentences(forecasts[0]))]),
        ],
        "link": next((in_percent(pair) for pair in forecasts[0].connections if pair.length == 2), None),
        "wide": _("In 19 of 20 surveys the true share lies within these points."),
        "nearest": "" if rows else nearest(design, count),  # the bound is of unbiased figures, which lists have not
        "file": list(_example_of_file(draft, rows)),
    }


def rows_of(design: Design) -> list[RowWords]:
    """What to say of a file whose rows are not one answer in each column, by kind of block; empty for others."""
    return list(dict.fromkeys(row for block in design.blocks if (row := block.whole.kind.words.row)))


def sends_one_word(draft: Draft) -> bool:
    """Whether devices send one word, or the number of a group; InputError while the draft has no design."""
    return bool(rows_of(compose_design(draft)))


def choice_of_site(draft: Draft) -> str:
    """Which way the site takes, why, and what the other one would tell; empty where somebody has chosen."""
    survey, document = draft.survey, draft.document
    if not is_left_to_site(document) or not can_send_one_word(survey, document, sensitive(document)):
        return ""
    try:
        one_word = sends_one_word(draft)
        other = apply(survey, document, {"do": "protect", "field": "way", "value": "" if one_word else ONE_WORD})
        here, there = (forecast_draft(one) for one in (draft, Draft.from_document(survey, other)))
    except InputError:
        return ""
    tell = read_wishes(document).tell
    lacking = [
        what
        for what, saved in zip(_comparison_keys(tell), people_saved(there, here, tell), strict=True)
        if saved < WORTH
    ]
    if one_word:
        said = _(
            "We chose one word each: for all that you want to tell it saves a sixth of the people or more. With "
            "disguised answers: %(prices)s."
        )
    elif len(lacking) < len(_comparison_keys(tell)):
        said = _(
            "We chose disguised answers: where as many say yes as you guess, one word each saves a sixth of the people "
            "or more for some of what you want to tell, but not for this: %(lacking)s. With one word each: %(prices)s."
        )
    else:
        said = _(
            "We chose disguised answers: for nothing that you want to tell, one word each saves a sixth of the people "
            "where as many say yes as you guess. With one word each: %(prices)s."
        )
    prices = _("; ").join(price_of_change(here, there, tell))
    return said % {"prices": prices, "lacking": _(", ").join(map(name_of_analysis, lacking))}


def _comparison_keys(tell: Collection[str]) -> list[str]:
    """What `people_saved` compares two ways by, in its order."""
    return [PAIRS] * (PAIRS in tell) + [SHARES] * (SHARES in tell or PAIRS not in tell)


def _example_of_file(draft: Draft, rows: list[RowWords]) -> Iterator[tuple[str, str]]:
    """Example rows (number, word) of the file, if the only block is a list of words that name answers; else none."""
    asked = [question.words for question in draft.questions if question.block]
    if len(draft.blocks) == len(rows) == 1 and rows[0].names_answers:
        yield from (
            ("1", asked[0]),
            ("2", _("none of these")),
            ("…", ""),
            (format_count(draft.document["expected"]), asked[-1]),
        )


def nearest(design: Design, people: int) -> str:
    """How near pairs come to what any disguise that keeps the promise could tell; empty where that is not known."""
    items = design.items
    known = not design.direct and all(item.has_options for item in items)
    if not known or not 2 <= len(items) <= MOST_ITEMS or not 1 < design.gamma < 2**32:
        return ""
    questions = tuple(ExpectedItem(item.id, item.options) for item in items)
    error = errors_of_design(design, Brief(questions, people, Fraction(design.gamma))).expected[1]
    if not _is_known(WIDE * error):
        return ""
    least = bound([len(item.options) for item in items], people, Fraction(design.gamma)).versions[1]
    return _(
        "If all answers to a question were equally common, every pair of answers would be known to %(points)s points. "
        "No disguise that keeps this promise can do better than %(least)s points on average over such pairs: this one "
        "is within %(percent)s %%."
    ) % {
        "points": points(WIDE * error),
        "least": points(WIDE * least),
        "percent": percent_above(error, least),
    }


def _rows(forecasts: list[Forecast]) -> Iterator[Estimable]:
    first = forecasts[0]
    if first.most is not None:
        yield Estimable(_("each answer"), first.tells_shares, tuple(_points_as_range(one) for one in forecasts))
        if first.connections:
            for length, what in ((2, _("links found")), (3, _("rules of three"))):
                figures = tuple(of_ten(one.chance(length)) for one in forecasts)
                yield Estimable(what, first.chance(length) >= 0.5, figures)
        yield Estimable(_("two halves compared"), first.tells_groups, tuple(points(one.apart) for one in forecasts))


def _sentences(now: Forecast, then: Forecast) -> Iterator[str]:
    """Say what the planned number of people will show, and what four times as many would."""
    n = {"n": format_count(now.respondents), "more": format_count(then.respondents)}
    if now.most is not None and now.tells_shares:
        yield _("About %(points)s points on each answer with %(n)s people, %(fewer)s with %(more)s.") % {
            **n,
            "points": _points_as_range(now),
            "fewer": _points_as_range(then),
        }
        most = now.most_of(now.respondents)
        yield _("If %(few)s %% give an answer, you will read %(least)s to %(most)s %%.") % {
            "few": percent_of_guess(now.common),
            "least": round(100 * max(now.common - most, 0)),
            "most": round(100 * min(now.common + most, 1)),
        }
    if now.tells_pairs and not now.withheld:
        first, second = (of_ten(one.chance(2)) for one in (now, then))
        yield _(
            "Links between two answers that are true and found: %(first)s with %(n)s, %(second)s with %(more)s."
        ) % {
            **n,
            "first": first,
            "second": second,
        }


def _points_as_range(one: Forecast) -> str:
    return _between(one.least, one.most)


def _between(first: float | None, last: float | None) -> str:
    least, most = points(first), points(last)
    if _is_known(first) and not _is_known(last):
        return _("%(least)s or more") % {"least": least}
    return most if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}


def unmet_wishes(tell: Collection[str], one: Forecast, *, with_open: bool) -> list[str]:
    """What the survey is to tell and by its forecast will not, each in a sentence.

    `with_open`: whether it has undisguised questions, too.
    """
    n = {"n": format_count(one.respondents)}
    said = []
    if with_open and one.respondents < one.shown.everything:
        sentence = _("Of %(n)s people no undisguised answer is shown: that takes %(least)s.")
        said.append(sentence % {**n, "least": format_count(one.shown.everything)})
    if one.withheld:
        sentence = _(
            "Of %(n)s people about %(each)s answer each question with disguise; of fewer than %(least)s nothing is "
            "shown."
        )
        said.append(sentence % {**n, "each": format_count(one.each), "least": format_count(one.shown.disguised)})
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
        said.append(join_sentences([sentence, people_for_links(one.connections)]))
    if GROUPS in tell and not one.tells_groups:
        said.append(
            _("%(n)s people are too few to show how groups differ: a difference is known to %(points)s points at best.")
            % {**n, "points": points(one.apart)}
            if one.apart is not None and one.apart < 1
            else _("%(n)s people are too few to show how groups differ.") % n
        )
    return said


def unmet_wishes_of_draft(survey: Survey, document: Document) -> list[str]:
    """What a draft is to tell and by its forecast will not, in sentences; nothing while it has no design."""
    one = _forecast_of(survey, document)
    with_open = len(sensitive(document)) < sum(1 for _question in questions(document))
    return [] if one is None else unmet_wishes(read_wishes(document).to_forecast, one, with_open=with_open)


# ---- alternatives ---------------------------------------------------------------------------------------------------


def key(document: Document) -> str:
    """A hash that changes whenever the alternatives may change."""
    kinds = [
        (q["type"], len(q["options"]), q["min"], q["max"], word_of(document, q["settings"]))
        for p in document["pages"]
        for q in p["questions"]
    ]
    decisive = ("protection", "blocks", "expected", "direct", *features.empty())
    return sha256(json.dumps([*(document[name] for name in decisive), kinds]).encode()).hexdigest()[:12]


def alternatives(survey: Survey, document: Document) -> dict[str, Any]:
    """The chart and the prices; empty while there is no design."""
    here = _forecast_of(survey, document)
    if here is None or here.most is None:
        return {}
    ways = [
        (title, change, there)
        for title, change in _changes(survey, document, here)
        if (there := _forecast_of(survey, apply(survey, document, change))) is not None
        and (change.get("field") not in ("asked", "expected") or _helps(here, there))
    ]
    tell = read_wishes(document).tell
    one_word = sends_one_word(Draft.from_document(survey, document))
    directly = next((way for way in ways if _goes_direct(way[1])), None)
    if directly and not _pays(here, directly[2], tell):
        ways.remove(directly)
    else:
        directly = None
    prices = [
        Price(
            title,
            [*price_of_change(here, there, _spoken_of(tell, change)), *_risk(change, here, there, tell)],
            json.dumps(change),
        )
        for title, change, there in ways
    ]
    if directly:
        prices.append(Price(directly[0], [_why_not_direct(), *price_of_change(here, directly[2], tell)], ""))
    # Beside the choice the chart shows a way of each sort: skipping first, then another promise, then fewer questions.
    # In a list of words skipping costs hardly anything, and what differs most is no list.
    order = ["skip", "sure", "asked", "way", PAIRS, "direct"]
    if one_word:
        order.sort(key=("sure", "way").__contains__, reverse=True)
    ways = [way for way in ways if way[1].get("field") != "expected"]
    ways.sort(key=lambda way: order.index(way[1].get("field", way[1]["do"])))
    firsts = {way[1].get("field", way[1]["do"]): way for way in reversed(ways)}
    others = [
        (title, there) for title, _change, there in reversed(firsts.values()) if there.most not in (None, math.inf)
    ]
    shown = [(_("as chosen"), here), *others[:2]]
    return {"prices": prices, **_chart(document["expected"], shown)}


def _forecast_of(survey: Survey, document: Document) -> Forecast | None:
    try:
        return forecast_draft(Draft.from_document(survey, document))
    except InputError:
        return None


def _goes_direct(change: dict[str, Any]) -> bool:
    return change.get("field") == "direct" and change["value"]


def _pays(here: Forecast, there: Forecast, tell: Collection[str]) -> bool:
    """Whether direct answers bring something of what is wanted, and take nothing of it."""
    saved = people_saved(there, here, tell)
    if GROUPS in tell:
        saved.append((here.apart or 0) / (there.apart or math.inf) if there.apart else 1.0)
    return min(saved) >= 1 < max(saved)


def _why_not_direct() -> str:
    return _(
        "It would not pay: reports leave direct answers out where they could point at somebody, and the others are "
        "fewer then."
    )


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


def _spoken_of(tell: Collection[str], change: dict[str, Any]) -> Collection[str]:
    """What the price of a change speaks of: the wishes, and pairs if it is about these; nothing of more people."""
    if change.get("field") == "expected":
        return ()
    return {*tell, PAIRS} if change.get("field") == PAIRS else tell


def _risk(change: dict[str, Any], here: Forecast, there: Forecast, tell: Collection[str]) -> list[str]:
    """Sentences beside a price: what a change takes from people, and whether we would make it."""
    if change.get("field") == "way":
        if change["value"] == ONE_WORD:
            saved = people_saved(there, here, tell)
            if min(saved) >= WORTH:
                return [_("We would take this: it saves a sixth of the people or more.")]
            if max(saved) >= WORTH:
                return []
            return [
                _(
                    "We would keep disguised answers: where as many say yes as you guess, one word each saves less "
                    "than a sixth of the people, and a row of your file tells less."
                )
            ]
        return [_("We would keep one word each.")] if min(people_saved(here, there, tell)) >= WORTH else []
    if change.get("field") == "asked" and there.each < here.each:
        return [people_asked(there)]
    if not _goes_direct(change):
        return []
    return [_("Their answers are stored as they are: nothing disguises them, and who reads the database reads them.")]


def links_in_short(one: Forecast) -> str:
    """How many people links need; empty where there can be none."""
    if not one.connections:
        return ""
    if one.people_in_reach is None:
        return _("Links are out of reach.")
    return _("Links need about %(n)s people.") % {"n": format_count(roughly(one.people_in_reach))}


def points_of_answers(one: Forecast) -> str:
    if not _is_known(one.least):
        return _("no share is known")
    return _("%(points)s points") % {"points": _points_as_range(one)}


def in_short(one: Forecast) -> str:
    """How exact shares are, and how many links are found, in one short line."""
    said = points_of_answers(one)
    if one.connections:
        said += " · " + _("links found: %(found)s") % {"found": of_ten(one.chance(2))}
    return said


def _helps(here: Forecast, there: Forecast) -> bool:
    """Whether anything is known better there: asking more or fewer questions of each person keeps the promise."""
    never = math.inf
    return (there.most or 0) < (here.most or 0) or (there.people_for_links or never) < (here.people_for_links or never)


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


def skipping(survey: Survey, document: Document) -> tuple[Forecast, Forecast] | None:
    """What the draft tells with "prefer not to say" at every sensitive question, and with it at none.

    None while it has no design, or where no question can have it.
    """
    hidden = sensitive(document)
    asked = [one for one in questions(document) if one["id"] in hidden and may_skip(one)]
    if not asked:
        return None
    have = {has_skip(one) for one in asked}
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
    elif not _is_known(one.least):
        return _why_no_share(one)
    else:
        these, those = _points_as_range(one), _points_as_range(other)
        alike = _("%(these)s points either way")
        said = _("%(these)s points instead of %(those)s")
        if not _is_known(other.least):
            said = _("%(these)s points; now no share is known")
    return (alike if these == those else said) % {"these": these, "those": those}


def _changes(survey: Survey, document: Document, here: Forecast) -> Iterator[tuple[str, dict[str, Any]]]:
    """The alternatives to a draft: for each its title, and the change of the draft that takes it."""
    own, more = read_wishes(document), 2 * document["expected"]
    one_word = sends_one_word(Draft.from_document(survey, document))
    if own.by == PROPOSAL and not one_word and can_send_one_word(survey, document, sensitive(document)):
        title = _("one word each: everybody answers all questions, and one answer is sent, or none")
        yield title, {"do": "protect", "field": "way", "value": ONE_WORD}
    if more <= MOST_PEOPLE:
        yield (
            _("ask %(n)s people") % {"n": format_count(more)},
            {"do": "survey", "field": "expected", "value": str(more)},
        )
    if (ways := skipping(survey, document)) is not None:
        with_it, without = ways
        if here != with_it:
            yield _("“Prefer not to say” at every question"), skip_all(skips=True)
        if here != without:
            yield _("no “Prefer not to say”, and a reason why"), skip_all(skips=False)
    yield from alternatives_of_features(document)
    if own.by != PROPOSAL:
        return
    if one_word:
        yield _("disguised answers instead of one word"), {"do": "protect", "field": "way", "value": ""}
        if SHARES in own.tell and not own.listed:
            title = _("also what goes together") if PAIRS not in own.tell else _("only how common each thing is")
            yield title, {"do": "protect", "field": PAIRS, "value": PAIRS not in own.tell}
    else:
        yield from _asking(survey, document, own)
    for sure in _neighbours(own.sure):
        title = _("nobody surer than %(sure)s %%") % {"sure": sure}
        yield title, {"do": "protect", "field": "sure", "value": sure}


def _asking(survey: Survey, document: Document, own: Wishes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Alternatives in how many questions each person is asked: the best number, fewer, all of them."""
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


def _neighbours(sure: float) -> list[int]:
    """The next weaker and the next stronger promise, in percent."""
    weaker = [one for one in SURE if one > sure and odds_of(one) <= gamma_limit() * (1 + 1e-9)]
    return [*weaker[:1], *[one for one in SURE if one < sure][-1:]]


def _chart(count: int, ways: list[tuple[str, Forecast]]) -> dict[str, Any]:
    """± points against people, a curve for each way; where the first one tells nothing, only the number of people."""
    here = ways[0][1]
    assert here.most is not None  # asked for where answers have options
    if not here.most < 1:
        return {"too_few": format_count(count)}
    fewest = count * FEWEST
    highest = 100 * max(
        _error(one, max(fewest, one.respondents * one.shown.disguised / one.each)) for _name, one in ways if one.each
    )
    step = next(size for size in (0.5, 1, 2, 5, 10, 20) if size * 5 >= min(100, highest))
    lines = math.ceil(min(100, highest) / step)
    top = lines * step
    sizes = [round(fewest * MORE**power) for power in range(5)]
    curves = [
        _curve(name, look, one, fewest, top, sizes) for (name, one), look in zip(ways, ("", "b", "c"), strict=False)
    ]
    return {
        "curves": curves,
        "has_links": any(curve.links for curve in curves),
        "grid": [(f"±{step * line:g}", f"{100 - 100 * line / lines:.2f}%") for line in range(1, lines + 1)],
        "axis": [(format_count(size), f"{25 * place}%") for place, size in enumerate(sizes)],
        "rows": [
            (format_count(size), [curve.figures[place] for curve in curves])
            for place, size in enumerate(sizes)
            if place
        ],
        "halves": not any(one.lasting for _name, one in ways),
        "needed": [
            format_count(roughly(one.people_in_reach)) if one.people_in_reach else NO_FIGURE for _name, one in ways
        ],
        "n": format_count(count),
        "error": points(here.most),
        "place": ("25%", f"{100 - 10000 * here.most / top:.2f}%"),
    }


def _error(one: Forecast, people: float) -> float:
    """The error with other people than those of the forecast; of fewer than are shown nothing is known."""
    enough = people * one.each >= one.shown.disguised * one.respondents * (1 - 1e-9)
    return one.most_of(people) if enough and one.most is not None and one.most < math.inf else math.inf


def _least_error(one: Forecast, people: float) -> float:
    """The error of the answer that is known best, with this number of people."""
    return one.least_of(people) if _error(one, people) < math.inf else math.inf


def _differ(one: Forecast) -> bool:
    """Whether answers are known differently well."""
    return one.most is not None and one.least is not None and points(one.least) != points(one.most)


def _curve(name: str, look: str, one: Forecast, fewest: float, top: float, sizes: list[int]) -> Curve:
    """The curve of one way by its forecast: four times as many people halve the error."""

    def spot(people: float, error: Callable[[Forecast, float], float] = _error) -> tuple[float, float]:
        return 100 * math.log(people / fewest, SPAN), 100 - 10000 * error(one, people) / top

    sizes_drawn = [fewest * SPAN ** (place / STEPS) for place in range(STEPS + 1)]
    places = [spot(people) for people in sizes_drawn]
    band = [*places, *(spot(people, _least_error) for people in reversed(sizes_drawn))] if _differ(one) else []
    links = (
        spot(one.people_for_links) if one.people_for_links and fewest <= one.people_for_links <= fewest * SPAN else None
    )
    return Curve(
        name,
        look,
        " ".join(f"{x:.2f} {y:.2f}" for x, y in places if y >= 0),
        " ".join(f"{x:.2f} {max(y, 0):.2f}" for x, y in band),
        (f"{links[0]:.2f}%", f"{links[1]:.2f}%") if links and links[1] >= 0 else None,
        tuple(_between(_least_error(one, size), _error(one, size)) for size in sizes),
    )
