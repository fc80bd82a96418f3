"""The alternatives to a protection, each with its price and the change that takes it."""

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from privacy.design.brief import WORTH
from privacy.errors import InputError
from privacy.output import format_count
from privacy.plan.verdict import GROUPS, PAIRS, SHARES
from surveys import features
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import (
    ONE_WORD,
    PROPOSAL,
    SURE,
    Wishes,
    can_send_one_word,
    odds_of,
    people_saved,
    proposal,
    read_wishes,
    topics_of,
)
from surveys.domain.drafts.row_changes import has_skip, may_skip
from surveys.domain.drafts.survey_changes import MOST_PEOPLE
from surveys.domain.questionnaire.compose import gamma_limit
from surveys.domain.questionnaire.document import Document, questions, sensitive
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.forecast import Forecast, forecast_draft
from surveys.domain.questionnaire.guess import word_of
from surveys.models import Survey
from surveys.studio.forecast_words import people_asked, price_of_change
from surveys.studio.protection import sends_one_word
from surveys.studio.staff_part import alternatives as alternatives_of_features

MOST_TOGETHER = 30  # questions that are all asked in one alternative: more are too many to answer


@dataclass(frozen=True)
class Price:
    """Another way: what it is, what would be known and from how many people, and the change that takes it.

    Without a change it is not offered, and `moved` begins with the reason.
    """

    title: str
    moved: list[str]
    change: str


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
    """The other ways, each with its price; none while there is no design."""
    here = _forecast_of(survey, document)
    if here is None or here.most is None:
        return []
    ways = [
        (title, change, there)
        for title, change in _changes(survey, document, here)
        if (there := _forecast_of(survey, apply(survey, document, change))) is not None
        and (change.get("field") not in ("asked", "expected") or _helps(here, there))
    ]
    tell = read_wishes(document).tell
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
    return prices


def _forecast_of(survey: Survey, document: Document) -> Forecast | None:
    try:
        return forecast_draft(Draft.from_document(survey, document))
    except InputError:
        return None


def _goes_direct(change: dict[str, Any]) -> bool:
    return change.get("field") == "direct" and change["value"]


def _pays(here: Forecast, there: Forecast, tell: Collection[str]) -> bool:
    """Whether direct answers bring something of what is wanted, and take nothing of it."""
    saved = people_saved([there], [here], tell)
    if GROUPS in tell:
        saved.append((here.apart or 0) / (there.apart or math.inf) if there.apart else 1.0)
    return min(saved) >= 1 < max(saved)


def _why_not_direct() -> str:
    return _(
        "It would not pay: reports leave direct answers out where they could point at somebody, and the others are "
        "fewer then."
    )


def _spoken_of(tell: Collection[str], change: dict[str, Any]) -> Collection[str]:
    """What the price of a change speaks of: the wishes, and pairs if it is about these; nothing of more people."""
    if change.get("field") == "expected":
        return ()
    return {*tell, PAIRS} if change.get("field") == PAIRS else tell


def _risk(change: dict[str, Any], here: Forecast, there: Forecast, tell: Collection[str]) -> list[str]:
    """Sentences beside a price: what a change takes from people, and whether we would make it."""
    if change.get("field") == "way":
        if change["value"] == ONE_WORD:
            saved = people_saved([there], [here], tell)
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
        return [_("We would keep one word each.")] if min(people_saved([here], [there], tell)) >= WORTH else []
    if change.get("field") == "asked" and there.each < here.each:
        return [people_asked(there)]
    if not _goes_direct(change):
        return []
    return [_("Their answers are stored as they are: nothing disguises them, and who reads the database reads them.")]


def _helps(here: Forecast, there: Forecast) -> bool:
    """Whether anything is known better there: asking more or fewer questions of each person keeps the promise."""
    never = math.inf
    return (there.most or 0) < (here.most or 0) or (there.people_for_links or never) < (here.people_for_links or never)


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


def _changes(survey: Survey, document: Document, here: Forecast) -> Iterator[tuple[str, dict[str, Any]]]:
    """The alternatives to a draft: for each its title, and the change of the draft that takes it."""
    own, more = read_wishes(document), 2 * document["expected"]
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
