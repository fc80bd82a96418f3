"""The alternatives to a protection, each with its price and the change that takes it."""

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _, ngettext

from privacy.errors import InputError
from privacy.output import format_count, two_digits
from privacy.plan.verdict import PAIRS, SHARES, Verdict, say_change, say_gains
from surveys import features
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import (
    ONE_WORD,
    PROPOSAL,
    SURE,
    Wishes,
    arrange_blocks,
    can_send_one_word,
    is_proposed,
    judge_or_none,
    odds_of,
    promise_of,
    propose_enough,
    read_wishes,
    tells_more,
    topics_of,
)
from surveys.domain.drafts.question_changes import has_skip, may_skip
from surveys.domain.drafts.survey_changes import MOST_PEOPLE
from surveys.domain.questionnaire.compose import gamma_limit
from surveys.domain.questionnaire.document import Document, Draft, questions, sensitive
from surveys.domain.questionnaire.forecast import Forecast, forecasts_in_range
from surveys.domain.questionnaire.guess import word_of
from surveys.models import Survey
from surveys.studio.protection import sends_one_word
from surveys.studio.staff_part import alternatives as alternatives_of_features
from surveys.studio.verdict import people_asked, points

CARDS = 3  # alternatives that are drawn; others are lines
REACH = 20  # times as many people as are planned
MOST_TOGETHER = 30  # questions that are all asked in one alternative: more are too many to answer


@dataclass(frozen=True)
class Price:
    """Another way: what it is, what it gains and costs beside the way that is chosen, and the change that takes it.

    much, instead: how exact shares would be, and are. Without a change it is not offered; `address`: the page where
    people go for it.
    """

    title: str
    gains: list[str]
    costs: list[str]
    change: str = ""
    much: str = ""
    instead: str = ""
    address: str = ""
    button: str = ""


def key(document: Document) -> str:
    """A hash that changes whenever the alternatives may change."""
    kinds = [
        (q["type"], len(q["options"]), q["min"], q["max"], word_of(document, q["settings"]))
        for p in document["pages"]
        for q in p["questions"]
    ]
    decisive = ("protection", "blocks", "expected", "direct", *features.empty())
    return sha256(json.dumps([*(document[name] for name in decisive), kinds]).encode()).hexdigest()[:12]


def prices_of(survey: Survey, document: Document) -> list[Price]:
    """The other ways, each with its price, those first that most people want; none while there is no design."""
    here = judge_or_none(survey, document)
    if here is None or not here.aims:
        return []
    prices, refused, now = [], [], promise_of(survey, document)
    first = _order(here)
    ways = [way for way in _changes(survey, document, here) if not here.stop or way[1].get("field") != "expected"]
    for title, change in sorted(ways, key=lambda way: _place(way[1], first)):
        changed = apply(survey, document, change)
        there = judge_or_none(survey, changed)
        must_help = here.stop or change.get("field") in ("asked", "expected")
        if there is None or (must_help and not _helps(here, there)):
            continue
        price = _price(title, change, here, there, (now, promise_of(survey, changed)))
        if _goes_direct(change) and (say_gains(here, there)[1] or not _helps(here, there)):
            why = _(
                "It would not pay: reports leave direct answers out where they could point at somebody, and the others "
                "are fewer then."
            )
            refused.append(replace(price, costs=[why, *price.costs[1:]], change=""))
        else:
            prices.append(_with_remarks(survey, document, price, change))
    return prices + refused


def _order(here: Verdict) -> list[str]:
    """The fields whose changes most people want: what cannot be had is left out rather than promised otherwise."""
    pairs = here.aim(PAIRS)
    lost = pairs is not None and not pairs.met and (pairs.needed or math.inf) > REACH * here.respondents
    return ["expected", PAIRS, "sure", "way"] if lost else ["expected", "sure", "way", PAIRS]


def _place(change: dict[str, Any], first: list[str]) -> int:
    field = change.get("field")
    return first.index(field) if field in first else len(first)


def _price(
    title: str, change: dict[str, Any], here: Verdict, there: Verdict, promises: tuple[str, str] = ("", "")
) -> Price:
    """The price of a change: of each aim what it gains or costs by the verdicts on both, then what it means."""
    shares, now = there.aim(SHARES), here.aim(SHARES)
    known = shares and now and shares.figure < 1
    gains, costs = ([one.as_text(_) for one in gain] for gain in say_gains(here, there, but=[SHARES] if known else []))
    if known and shares and now and shares.figure < now.figure:
        gains[:0] = [one.as_text(_) for one in shares.said[1:2]]
    for aim in there.aims:
        if here.aim(aim.what) is None:
            (gains if aim.met else costs).append(aim.said[0].as_text(_))
    if here.aim(PAIRS) and not there.aim(PAIRS):
        costs.append(_("You do not learn what goes together."))
    surer, less_sure = _say_promises(*promises)
    own_gains, own_costs = _meaning(change, here)
    return Price(
        title,
        [*gains, *less_sure, *own_gains],
        [*surer, *own_costs, *costs],
        json.dumps(change),
        _("Shares %(points)s") % {"points": points(shares.figure)} if known and shares else "",
        _("instead of %(points)s") % {"points": points(now.figure)} if known and now else "",
    )


def _say_promises(now: str, then: str) -> tuple[list[str], list[str]]:
    """That a stored answer may make somebody surer, and that it may not as much: one of them, or neither."""
    if not now or not then or now == then:
        return [], []
    said = _("A stored answer could make somebody %(sure)s %% sure, not %(now)s %%. People read this number.")
    meant = [said % {"sure": then, "now": now}]
    return (meant, []) if int(then) > int(now) else ([], meant)


def _meaning(change: dict[str, Any], here: Verdict) -> tuple[list[str], list[str]]:
    """What a change gains and costs that is in no figure."""
    field, value = change.get("field"), change.get("value", 0)
    if field == "expected":
        times = int(value) / here.respondents
        said = two_digits(times) if times >= 1.1 else f"{times:.3g}"  # 1.04 times, not 1
        return [], [_("%(times)s times the invitations") % {"times": said}]
    if field == "way" and value != ONE_WORD:
        return [_("Each row of your file has all answers, disguised: you can run regressions of your own.")], []
    if field == "way":
        return [], [_("A row of your file tells one thing about a person, or nothing.")]
    if change.get("do") == "skip" and value:
        return [_("Who would rather not answer can say so.")], []
    if change.get("do") == "skip":
        return [], [_("Who would rather not answer has to leave, or to say something else.")]
    if _goes_direct(change):
        said = _("Their answers are stored as they are: nothing disguises them, and who reads the database reads them.")
        return [], [said]
    return [], []


def _with_remarks(survey: Survey, document: Document, price: Price, change: dict[str, Any]) -> Price:
    """The price with whether we would make the change, and of how many each question would be asked."""
    here, there = (
        forecasts_in_range(Draft.from_document(survey, one)) for one in (document, apply(survey, document, change))
    )
    said = _advice(change, here, there, read_wishes(document).tell)
    if change.get("field") == "asked" and there[0].each < here[0].each:
        said = people_asked(there[0])
    return replace(price, costs=[*price.costs, said]) if said else price


def _goes_direct(change: dict[str, Any]) -> bool:
    return change.get("field") == "direct" and change["value"]


def _advice(change: dict[str, Any], here: list[Forecast], there: list[Forecast], tell: Collection[str]) -> str:
    """Whether we would make a change of the way, over all that is guessed; empty where people may take either."""
    if change.get("field") != "way":
        return ""
    if change["value"] != ONE_WORD:
        return _("We would keep one word each.") if tells_more(here, there, tell) else ""
    if tells_more(there, here, tell):
        return _("We would take this: it tells more of what you want.")
    return _(
        "We would keep disguised answers: over all that you guess, one word each tells no more, and a row of your file "
        "tells less."
    )


def _helps(here: Verdict, there: Verdict) -> bool:
    """Whether anything is known better there: asking more or fewer questions of each person keeps the promise."""
    return bool(say_gains(here, there)[0])


def works_of(survey: Survey, document: Document) -> list[Price]:
    """What would work instead of a survey that nobody should run as it is; nothing of any other."""
    here = judge_or_none(survey, document)
    if here is None or not here.stop:
        return []
    people = next((aim.needed for aim in here.aims if aim.needed), None)
    made = list(_with_one_question(survey, document, here))
    if people:
        change = {"do": "survey", "field": "expected", "value": str(people)}
        there = judge_or_none(survey, apply(survey, document, change))
        n = {"n": format_count(people)}
        if there is not None:
            price = _price(_("Ask more people together"), change, here, there)
            costs = [_("A figure of all of them together, none of yours alone."), *price.costs]
            instead = _("with %(n)s people") % n
            made.append(replace(price, costs=costs, instead=instead, button=_("Plan for %(n)s") % n))
    n = {"n": format_count(here.respondents)}
    made.append(
        Price(
            _("Use it to teach"),
            [_("A rehearsal with %(n)s simulated people shows how disguise works, and why %(n)s are too few.") % n],
            [_("You learn nothing about these people.")],
            much=_("No share"),
            instead=_("and nobody answers"),
            address="studio:try",
            button=_("Open a rehearsal"),
        )
    )
    return made


def _with_one_question(survey: Survey, document: Document, here: Verdict) -> Iterator[Price]:
    """The first sensitive question alone, if the site proposes how it is disguised."""
    names = [question["id"] for question in questions(document) if question["id"] in sensitive(document)]
    if len(names) < 2 or not is_proposed(document):
        return
    there = judge_or_none(survey, arrange_blocks(survey, document, {names[0]}))
    shares = there and there.aim(SHARES)
    if there is None or not shares or not shares.figure < 1:
        return
    price = _price(_("Ask one question, not %(count)s") % {"count": len(names)}, {}, here, there)
    drops = ngettext(
        "You drop %(n)s question and keep the one that matters most.",
        "You drop %(n)s questions and keep the one that matters most.",
        len(names) - 1,
    ) % {"n": len(names) - 1}
    yield replace(price, costs=[drops], change="", address="studio:write", button=_("Choose it on Write"))


def skipping(survey: Survey, document: Document) -> tuple[Verdict, Verdict] | None:
    """What the draft tells with "prefer not to say" at every sensitive question, and with it at none.

    None while it has no design, or where no question can have it.
    """
    hidden = sensitive(document)
    asked = [question for question in questions(document) if question["id"] in hidden and may_skip(question)]
    if not asked:
        return None
    have = {has_skip(one) for one in asked}
    ways = []
    for skips in (True, False):
        try:
            other = document if have == {skips} else apply(survey, document, skip_all(skips=skips))
        except InputError:
            return None
        ways.append(judge_or_none(survey, other))
    return None if ways[0] is None or ways[1] is None else (ways[0], ways[1])


def skip_all(*, skips: bool) -> dict[str, Any]:
    """The change that adds "prefer not to say" to all sensitive questions, or takes it away."""
    return {"do": "skip", "for": "all", "value": skips}


def _changes(survey: Survey, document: Document, here: Verdict) -> Iterator[tuple[str, dict[str, Any]]]:
    """The alternatives to a draft: for each its title, and the change of the draft that takes it."""
    own, more = read_wishes(document), _more_people(here)
    one_word = sends_one_word(Draft.from_document(survey, document))
    if own.by == PROPOSAL and not one_word and can_send_one_word(survey, document, sensitive(document)):
        title = _("one word each: everybody answers all questions, and one short message is sent, or none")
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
    if PAIRS in own.tell and SHARES in own.tell:
        yield _("only how common each thing is"), {"do": "protect", "field": PAIRS, "value": False}
    if one_word:
        yield _("disguised answers instead of one word"), {"do": "protect", "field": "way", "value": ""}
        if PAIRS not in own.tell:
            yield _("also what goes together"), {"do": "protect", "field": PAIRS, "value": True}
    else:
        yield from _asking(survey, document, own)
    for sure in _neighbours(own.sure):
        title = _("a weaker promise") if sure > own.sure else _("a stronger promise")
        yield title, {"do": "protect", "field": "sure", "value": sure}


def _more_people(here: Verdict) -> int:
    """As many as are enough for the first aim that is not met, if that is in reach; else twice as many."""
    needed = next((aim.needed for aim in here.aims if not aim.met), None)
    return needed if needed and needed <= REACH * here.respondents else 2 * here.respondents


def _asking(survey: Survey, document: Document, own: Wishes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Alternatives in how many questions each person is asked: the best number, fewer, all of them."""
    topics = topics_of(survey, document, sensitive(document))
    choices = (own, replace(own, asked=None))
    now, best = (propose_enough(document["expected"], survey.least, choice, topics) for choice in choices)
    every = sum(len(topic.sizes) for topic in topics)
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


def price_of_skipping(survey: Survey, document: Document, name: str) -> str:
    """What "prefer not to say" costs at this sensitive question, in people or points; empty while there is no design.

    Under a proposal the promise stays and figures become less exact: that price is of all such questions together,
    since one alone hides it. In blocks made by hand somebody may become surer.
    """
    ways = skipping(survey, document)
    skips = {question["id"]: has_skip(question) for question in questions(document) if may_skip(question)}
    if ways is None or name not in skips or name not in sensitive(document):
        return ""
    surer = "" if is_proposed(document) else _surer(survey, document, name, skips[name])
    with_it, without = ways
    return ". ".join(filter(None, [surer, say_change(without, with_it).as_text(_)]))


def _surer(survey: Survey, document: Document, name: str, skips: bool) -> str:
    """How much surer somebody may become; empty where the promise is the same."""
    now = promise_of(survey, document)
    try:
        other = promise_of(survey, apply(survey, document, {"do": "skip", "question": name, "value": not skips}))
    except InputError:
        return ""
    without, with_it = (other, now) if skips else (now, other)
    if not without or not with_it or int(with_it) <= int(without):
        return ""
    said = _("somebody may become %(with_it)s %% sure instead of %(without)s %%")
    return said % {"with_it": with_it, "without": without}
