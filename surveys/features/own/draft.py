"""Own draws in a document: what is published of them, and facts that would give answers away."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError, to_translate
from privacy.own_draw.person_draw import NamedFact
from privacy.own_draw.ready import birthdays, ready_draws
from privacy.own_draw.ways import WAYS
from surveys.definition import Definition
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.drafts.names import free, names_in
from surveys.domain.drafts.order_changes import delete_question, place_after
from surveys.domain.drafts.protect import PROPOSAL, by_hand
from surveys.domain.questionnaire.document import Document, Draft, EnteredBlock, questions, sensitive
from surveys.domain.questionnaire.draft_part import DraftPart, versions_elsewhere
from surveys.features import known_questions
from surveys.features.careless.draft import ask_pair
from surveys.kinds import person
from surveys.models import Survey
from surveys.questions import TYPES, Asks
from surveys.questions.entered import list_questions
from surveys.questions.rows import READY, ready_texts
from surveys.rules import answer_list, list_of, object_of, one_of, or_null, question_name

CLIENT = Path(__file__).parents[2] / "client"
# Ways that put a fact beside a question, with the buttons of records 1 and 0; others have a table, and yes and no.
_SAME = "own.differ", "own.same"
COMPARED = {"crosswise": _SAME, "extended": _SAME, "triangular": ("own.least", "own.none")}
NEVER = 0.005  # how many may affirm what nobody does
OF_CROWD = to_translate("another study here asks people of “{crowd}” with the fact “{fact}”: take another. {together}")
OF_VERSION = to_translate(
    "version {number} asks with the fact “{fact}”, and who answered it may answer again: take another. {together}"
)


@cache
def texts_of_draws() -> dict[str, dict[str, str]]:
    """What respondents read of draws, by language."""
    known: dict[str, dict[str, str]] = json.loads((CLIENT / "features/own/texts.json").read_text(encoding="utf-8"))
    return known


def blocks_of_people(draft: Draft) -> list[EnteredBlock]:
    """The blocks with questions that people draw for."""
    return [block for block in draft.blocks if block.kind == person.NAME and draft.inside(block)]


def _entries(draft: Draft) -> dict[str, dict[str, str]]:
    own = draft.document["own"] or {}
    return {"own": {"never": own["never"]} if own.get("never") in sensitive(draft.document) else {}}


def facts_of_block(draft: Draft, block: EnteredBlock) -> list[NamedFact]:
    """The facts that a block takes, none where people only throw or draw something."""
    source, fact = (str(block.settings.get(name)) for name in ("source", "fact"))
    own = [NamedFact(source, fact)] if source in person.OF_PERSON else []
    if block.settings.get("draw_way") == "unrelated" and source not in person.GIVES_MANY:
        own += [NamedFact("day", one) for one in birthdays(fact, len(draft.inside(block)))]
    return own


def name_fact(fact: NamedFact) -> str:
    source, whose = _(person.SOURCES[fact.source]), _(person.FACTS.get(fact.whose, str(fact)))
    return _("%(source)s (%(whose)s)") % {"source": source, "whose": whose}


def name_draw(settings: Mapping[str, Any], facts: Sequence[NamedFact]) -> str:
    """With what people draw, whose fact it is, and what they do with it."""
    source, way = _(person.SOURCES[settings["source"]]), _(person.WAYS[settings["draw_way"]])
    things = [*([] if facts and settings["source"] in person.OF_PERSON else [source]), *map(name_fact, facts)]
    if person.turns(settings):
        things.append(_("which of them count is drawn by lot"))
    return _("%(things)s: %(way)s") % {"things": _(", ").join(things), "way": way}


def _find_same(fact: NamedFact, others: Collection[NamedFact]) -> NamedFact | None:
    """The first of these that may be this one; two people may have one phone."""
    at_home = (one for one in others if one.source == fact.source and fact.source == "phone")
    return fact.among(others) or next(at_home, None)


def _refusals(draft: Draft) -> Iterator[str]:
    used: dict[NamedFact, list[EnteredBlock]] = defaultdict(list)
    for block in blocks_of_people(draft):
        for fact in facts_of_block(draft, block):
            used[_find_same(fact, used) or fact].append(block)
    for fact, blocks in used.items():
        asked = list_questions([question for block in blocks for question in draft.inside(block)])
        if len(blocks) > 1:
            said = _("%(questions)s may use one fact, %(fact)s: give each another. %(together)s")
            way = WAYS.get(str(blocks[0].settings.get("draw_way")))
            known = {"fact": name_fact(fact), "together": _(way.together) if way else ""}
            yield said % {"questions": asked, **known}
        if fact.whose in (draft.document["own"] or {}).get("held", ()):
            said = _(
                "%(questions)s: who may see the answers knows %(fact)s, and with it the answer is no secret. Take "
                "another."
            )
            yield said % {"questions": asked, "fact": name_fact(fact)}
    if used and draft.document["direct"]:
        yield _("Who draws the chance answers disguised: a survey has either direct answers or own draws.")


def _allow(survey: Survey, definition: Definition) -> None:
    """A fact serves one answer of a person. Who answered an earlier version may answer this one, too;
    and people of a panel any of its studies. Whether anybody answered is not asked: the refusal would tell it.
    """
    own = (("", version) for version in survey.versions.all())
    for crowd, version in chain(own, versions_elsewhere(survey, definition)):
        before = [fact for block in version.design.blocks if block.draw for fact in block.draw.facts]
        for block in definition.design.blocks:
            again = [fact for fact in block.draw.facts if _find_same(fact, before)] if block.draw else []
            if block.draw and again:
                known = {"fact": name_fact(again[0]), "together": _(block.draw.way.together)}
                raise EntryError(OF_CROWD if crowd else OF_VERSION, crowd=crowd, number=version.number, **known)


MOST = 10
_NEVER = {"draw_way": "crosswise", "source": "day", "fact": "father", "part": 8}


@change("draws", gettext_lazy("who draws the chance"))
def _choose_who_draws(document: Document, said: Change, wanted: set[str]) -> None:
    """Let people draw themselves for all sensitive questions, and for the pair that shows who follows; or devices
    again.
    """
    ask_pair(document, {"value": False}, wanted)
    if (document["own"] or {}).get("never"):
        delete_question(document, {"question": document["own"]["never"]}, wanted)
        wanted.discard(document["own"]["never"]) if document["own"] else None
    document["own"] = None
    if said["value"] != person.NAME:
        document["protection"] = {**document["protection"], "by": PROPOSAL}
        return
    asked = [one for one in questions(document) if one["id"] in wanted]
    if not 0 < len(asked) <= MOST:
        raise EntryError(
            "people draw themselves for 1 to {most} sensitive questions, not {count}.", most=MOST, count=len(asked)
        )
    for one in asked:
        if TYPES[one["type"]].asks is not Asks.YES_OR_NO:
            raise EntryError("people draw themselves for yes/no questions alone: “{name}” is none.", name=one["id"])
        one["options"] = []
    by_hand(document)
    (text,) = ready_texts(document["languages"], READY["moon"])
    never = deepcopy(asked[0]) | {"id": free("moon", names_in(document)), "text": text, "help": {}, "settings": {}}
    page, place = place_after(document, asked[-1]["id"])
    page["questions"].insert(place, never)
    usual = next(iter(ready_draws(len(asked)).values()))
    document["blocks"] = [
        {"name": f"block {number}", "kind": person.NAME, "settings": settings, "questions": names}
        for number, (settings, names) in enumerate(
            ((dict(usual), [one["id"] for one in asked]), (_control(usual), [never["id"]])), start=1
        )
    ]
    document["own"] = {"never": never["id"], "held": []}
    wanted.add(never["id"])
    ask_pair(document, {"value": True}, wanted)


def _control(settings: dict[str, Any]) -> dict[str, Any]:
    """The draw of a question whose answer everybody knows: with two looks where the others have them."""
    return _NEVER | {"draw_way": "extended"} if settings["draw_way"] == "extended" else dict(_NEVER)


@change("draw", gettext_lazy("how people draw"))
def _choose_draw(document: Document, said: Change, _wanted: set[str]) -> None:
    """Let people draw the questions of a block in one of the ready ways."""
    block = next(one for one in document["blocks"] if one["name"] == said["block"])
    block["settings"] = dict(ready_draws(len(block["questions"]))[said["value"]])
    for other in document["blocks"]:
        if {*other["questions"]} <= known_questions(document):
            other["settings"] = _control(block["settings"]) | {"fact": other["settings"]["fact"]}


@change("held", gettext_lazy("facts that others know"))
def _note_held_fact(document: Document, said: Change, _wanted: set[str]) -> None:
    """Note that somebody who may see the answers knows a fact, or that nobody does."""
    own = document["own"] or {"never": None, "held": []}
    held = {*own["held"], said["fact"]} if said["value"] else {*own["held"]} - {said["fact"]}
    document["own"] = {**own, "held": sorted(held)}


def _faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    own = document.get("own") if isinstance(document, dict) else None
    name = own.get("never") if isinstance(own, dict) else None
    if name is not None and name not in names:
        yield EntryError("this is the name of a question.", at="own.never")


def _rename(document: Document, old: str, new: str | None) -> None:
    if document["own"] and document["own"]["never"] == old:
        document["own"] = {**document["own"], "never": new}


def _own_rule(value: Any, at: str) -> Iterable[EntryError]:
    members = {"never": or_null(question_name), "held": list_of(one_of(person.FACTS))}
    former = {"controls": answer_list} if isinstance(value, dict) and "controls" in value else {}
    return or_null(object_of(members | former))(value, at)


PART = DraftPart(
    has=lambda document: any(block["kind"] == person.NAME and block["questions"] for block in document["blocks"]),
    entries=_entries,
    refusals=_refusals,
    allow=_allow,
    guesses=lambda document: {name: NEVER} if (name := (document["own"] or {}).get("never")) else {},
    lost=gettext_lazy("which question is never true, and which facts others know"),
    rules={"own": _own_rule},
    faults=_faults,
    rename=_rename,
)
