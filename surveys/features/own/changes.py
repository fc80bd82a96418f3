"""The change of who draws, and facts that others know."""

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import ChangePart
from surveys.domain.drafts.named import Change, change
from surveys.domain.drafts.names import free, names_in
from surveys.domain.drafts.order_changes import delete_question, place_after
from surveys.domain.drafts.protect import PROPOSAL, by_hand
from surveys.domain.questionnaire.document import Document, questions
from surveys.kinds import person
from surveys.questions import TYPES, Asks
from surveys.questions.rows import READY, ready_texts
from surveys.rules import list_of, object_of, one_of, or_null, question_name

ASKED = 3  # of many questions, by a public lot
MOST = 10
_NEVER = {"draw_way": "crosswise", "source": "day", "fact": "father", "part": 8}


def _usual(count: int) -> dict[str, Any]:
    """The settings of one draw for so many questions, that people can make by hand."""
    if count == 1:
        return {"draw_way": "extended", "source": "day", "fact": "mother", "part": 8}
    if count == 2:
        return {"draw_way": "table", "source": "digit", "fact": "note", "part": 6, "lot": "lot"}
    if count <= 4:
        return {"draw_way": "coins", "source": "die", "part": 3}
    return {"draw_way": "table", "source": "cards", "part": 28, "ask": ASKED}


@change("draws")
def _choose_who_draws(document: Document, said: Change, wanted: set[str]) -> None:
    """Let people draw themselves for all sensitive questions, and for one that is never true; or devices again."""
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
    usual = _usual(len(asked))
    control = _NEVER | {"draw_way": "extended"} if len(asked) == 1 else _NEVER
    document["blocks"] = [
        {"name": f"block {number}", "kind": person.NAME, "settings": settings, "questions": names}
        for number, (settings, names) in enumerate(
            ((usual, [one["id"] for one in asked]), (control, [never["id"]])), start=1
        )
    ]
    document["own"] = {"never": never["id"], "held": []}
    wanted.add(never["id"])


@change("held")
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


def _forget(document: Document, names: Collection[str]) -> None:
    own = document["own"]
    if own and own["never"] in names:
        document["own"] = {**own, "never": None}


def _rename(document: Document, old: str, new: str) -> None:
    own = document["own"]
    if own and own["never"] == old:
        document["own"] = {**own, "never": new}


PART = ChangePart(
    rules={"own": or_null(object_of({"never": or_null(question_name), "held": list_of(one_of(person.FACTS))}))},
    faults=_faults,
    forget=_forget,
    rename=_rename,
)
