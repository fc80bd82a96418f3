"""The change of who draws, and facts that others know."""

from collections.abc import Collection, Iterable, Iterator
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from privacy.own_draw.ready import ready_draws
from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.drafts.names import free, names_in
from surveys.domain.drafts.order_changes import delete_question, place_after
from surveys.domain.drafts.protect import PROPOSAL, by_hand
from surveys.domain.questionnaire.document import Document, questions
from surveys.features import known_questions
from surveys.features.careless.changes import ask_pair
from surveys.kinds import person
from surveys.questions import TYPES, Asks
from surveys.questions.rows import READY, ready_texts
from surveys.rules import answer_list, list_of, object_of, one_of, or_null, question_name

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


PART = ChangePart(rules={"own": _own_rule}, faults=_faults, rename=_rename)
