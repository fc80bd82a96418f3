"""Own draws on the pages of staff: who draws, with what, and what it costs."""

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from privacy.design import Block
from privacy.errors import InputError
from privacy.output import format_count
from privacy.own_draw.ready import ready_draws
from privacy.own_draw.sources import SOURCES
from privacy.plan.verdict import SHARES
from surveys.definition import Definition
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import judge_or_none
from surveys.domain.questionnaire.compose import compose_design, design_or_none, gamma_limit
from surveys.domain.questionnaire.document import Document, Draft, EnteredBlock, questions, sensitive
from surveys.domain.questionnaire.guess import guess_of
from surveys.domain.questionnaire.promise import figure
from surveys.features import known_questions, odds_of_secrets
from surveys.features.own import is_drawn
from surveys.features.own.draft import MOST, blocks_of_people, facts_of_block, name_draw
from surveys.kinds import person
from surveys.models import Survey
from surveys.questions import TYPES, Asks
from surveys.questions.entered import list_questions
from surveys.studio.protection import promise_in_short
from surveys.studio.staff_part import Pane, StaffPart

MOST_NAMED = 3  # questions of a draw; of more the page says how many
CARELESS = Fraction(1, 10)  # of people, in the sentence on what it costs if they do not follow


def _change(**said: Any) -> str:
    return json.dumps({"do": "draws", **said})


def _pane(draft: Draft) -> dict[str, Any]:
    """Who draws; where people do, each draw with its assumptions."""
    drawn = blocks_of_people(draft)
    ways = (("device", _("the device draws")), (person.NAME, _("people draw themselves")))
    shown: dict[str, Any] = {
        "who": [
            (who, words, chosen, _promise(draft, who, is_chosen=chosen))
            for who, words in ways
            for chosen in [(who == person.NAME) == bool(drawn)]
        ],
        "change": _change(),
        "can": bool(drawn) or _can_draw(draft.document),
    }
    if not drawn:
        return shown
    own = draft.document["own"] or {"never": None, "held": []}
    facts = sorted({fact.whose for block in drawn for fact in facts_of_block(draft, block)})
    shown["held"] = [
        (json.dumps({"do": "held", "fact": fact}), _(person.FACTS.get(fact, fact)), fact in own["held"])
        for fact in facts
    ]
    shown["pair"] = list_questions([one for one in draft.questions if one.id in known_questions(draft.document)])
    if (design := design_or_none(draft)) is None:
        return shown
    by_item = {item.id: block for block in design.blocks for item in block.items}
    shown["draws"] = [_describe(draft, by_item, block) for block in drawn]
    return shown


def _promise(draft: Draft, who: str, *, is_chosen: bool) -> str:
    """What the draft promises where this one draws; empty where that cannot be."""
    try:
        document = draft.document if is_chosen else apply(draft.survey, draft.document, {"do": "draws", "value": who})
    except InputError:
        return ""
    return _say_price(draft.survey, document)


def _say_price(survey: Survey, document: Document) -> str:
    """What a draft promises, and how many people it takes."""
    verdict = judge_or_none(survey, document)
    aim = verdict.aim(SHARES) if verdict else None
    words = {"promised": promise_in_short(survey, document), "people": format_count(aim.needed or 0) if aim else ""}
    return _("%(promised)s; %(people)s people for shares") % words if aim and aim.needed else words["promised"]


def _describe(draft: Draft, by_item: dict[str, Block], entered: Any) -> dict[str, Any]:
    """A draw in words: with what, how far its chance may be off, what it promises, and what it takes."""
    inside = draft.inside(entered)
    block = by_item[inside[0].id]
    assert block.draw is not None
    drawn, asked = block.draw.drawn, block.items_per_person
    source, is_asked = SOURCES[drawn.source], inside[0].id not in known_questions(draft.document)
    said = [
        _("Its chance may be off by %(delta)s, an assumption; γ = %(gamma)s is that of the worse end.")
        % {"delta": f"{float(drawn.delta):g}", "gamma": figure(block.odds)}
        if drawn.off
        else _("A lot makes its chance exact; γ = %(gamma)s is that of the worst window.")
        % {"gamma": figure(block.odds)},
        _("It takes about %(seconds)s seconds, an assumption.") % {"seconds": math.ceil(block.draw.way.seconds(asked))},
    ]
    if is_asked:
        said.append(_say_pressing(draft, block))
    return {
        "questions": list_questions(inside) if len(inside) <= MOST_NAMED else _count(len(inside)),
        "drawn": name_draw(entered.settings, facts_of_block(draft, entered)),
        "ways": list(_ready_ways(draft, entered)) if is_asked else [],
        "change": json.dumps({"do": "draw", "block": entered.name}),
        "name": f"draw-{entered.name}",
        "said": said,
        "unsafe": _(source.unsafe) if source.unsafe else "",
    }


def _count(questions: int) -> str:
    return ngettext("%(n)s question", "%(n)s questions", questions) % {"n": questions}


def _ready_ways(draft: Draft, entered: EnteredBlock) -> Iterator[tuple[str, str, bool, str]]:
    """Draws that could be taken for a block: the name of each, what it is, whether it is taken, and its promise."""
    for name, settings in ready_draws(len(draft.inside(entered))).items():
        change = {"do": "draw", "block": entered.name, "value": name}
        try:
            document = apply(draft.survey, draft.document, change)
            changed = Draft.from_document(draft.survey, document)
            limited = odds_of_secrets(compose_design(changed), document) <= gamma_limit() * (1 + 1e-9)
        except InputError:
            continue
        if limited:
            block = next(one for one in changed.blocks if one.name == entered.name)
            words = name_draw(settings, facts_of_block(changed, block))
            yield name, words, settings == entered.settings, _say_price(draft.survey, document)


def _say_pressing(draft: Draft, block: Block) -> str:
    """What people cost who do not follow, for the share that is guessed."""
    share, here = float(guess_of(draft).shares(block.items[0])[1]), tuple(range(block.items_per_person))
    u, v = (
        float(sum(block.chance(here, (yes,) * len(here), sent) for sent in _records(len(here)) if sent[0]))
        for yes in (1, 0)
    )
    seen = share + float(CARELESS) * ((0.5 - v) / (u - v) - share)
    return _(
        "That people follow the draw is an assumption: if a tenth press anything, %(share)s %% look like %(seen)s %%."
    ) % {"share": f"{100 * share:.2g}", "seen": f"{100 * seen:.2g}"}


def _records(count: int) -> Iterator[tuple[int, ...]]:
    return (tuple(number >> place & 1 for place in range(count)) for number in range(2**count))


def _can_draw(document: Document) -> bool:
    """Whether all sensitive questions are yes/no questions that people can draw for, and not too many."""
    asked = [one for one in questions(document) if one["id"] in sensitive(document)]
    return 0 < len(asked) <= MOST and all(TYPES[one["type"]].asks is Asks.YES_OR_NO for one in asked)


def _alternatives(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    if any(block["kind"] == person.NAME for block in document["blocks"]):
        yield _("the device draws, not the people"), {"do": "draws", "value": "device"}
    elif _can_draw(document):
        yield _("people draw themselves, with a birthday, a die or a banknote"), {"do": "draws", "value": person.NAME}


def _disguise(definition: Definition) -> str:
    if not is_drawn(definition.design):
        return ""
    sources = dict.fromkeys(block.draw.drawn.source for block in definition.design.blocks if block.draw)
    return _(
        "People draw the chance themselves (%(sources)s): no device disguises these answers, and the page sends what "
        "they press. What they drew is not asked. The promise is that of the worst chances within the stated bounds."
    ) % {"sources": _("; ").join(_(person.SOURCES[source]) for source in sources)}


def _remarks(draft: Draft) -> Iterator[tuple[str, str]]:
    if any(facts_of_block(draft, block) for block in blocks_of_people(draft)):
        yield _("A fact serves one version: once this is published, a new version needs other facts."), "protect"


PART = StaffPart(
    panels=(Pane("draws", "protect", "studio/features/own/pane.html", _pane, gettext_lazy("Who draws the chance?")),),
    alternatives=_alternatives,
    disguise=_disguise,
    remarks=_remarks,
)
