"""Changes that add the pair of questions, remove it, or concern one of them."""

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import Change, ChangePart, change
from surveys.domain.drafts.names import free, names_in
from surveys.domain.drafts.order_changes import delete_question, place_after
from surveys.domain.drafts.protect import new_block
from surveys.domain.questionnaire.document import Document, questions
from surveys.domain.questionnaire.guess import GUESS
from surveys.features.careless import anchors
from surveys.kinds import person
from surveys.questions import TYPES, Asks
from surveys.questions.rows import READY, ready_texts
from surveys.rules import answer_list, or_null

ANCHORS = ("moon", "water")  # ready-made: what nobody has done, and what everybody has


@change("careless", gettext_lazy("questions that show who follows the design added or removed"))
def ask_pair(document: Document, said: Change, wanted: set[str]) -> None:
    """Add the pair that shows who follows the design, or remove it; its options are those of a disguised yes/no
    question. Where people draw, what nobody affirms may be asked already.
    """
    nobody = [*anchors({**document, "careless": None})]
    for name in document["careless"] or ():
        if name not in nobody:
            delete_question(document, {"question": name}, wanted)
    document["careless"] = None
    if not said["value"]:
        return
    asked = [one for one in questions(document) if one["id"] in wanted and TYPES[one["type"]].asks is Asks.YES_OR_NO]
    if not asked:
        raise EntryError("disguise a yes/no question first: what nobody reads is corrected in such questions.")
    drawn = next((block for block in document["blocks"] if not {*nobody}.isdisjoint(block["questions"])), None)
    names = nobody if drawn else []
    for ready, after in [*zip(ANCHORS, (asked[0], asked[-1]), strict=True)][len(names) :]:
        (text,) = ready_texts(document["languages"], READY[ready])
        settings = {name: value for name, value in asked[0]["settings"].items() if name != GUESS}
        own = {"id": free(ready, names_in(document)), "text": text, "help": {}, "settings": settings}
        question = deepcopy(asked[0]) | own
        page, place = place_after(document, after["id"])
        page["questions"].insert(place, question)
        names.append(question["id"])
        if drawn:  # beside another answer its own would be no secret, so it has a draw and a fact of its own
            used = {block["settings"].get("fact") for block in document["blocks"]}
            block = new_block(document, drawn)
            block["settings"]["fact"] = next(fact for fact in person.FACTS if fact not in used)
            block["questions"] = [question["id"]]
    document["careless"] = names
    wanted |= {*names}


def _faults(document: Any, names: Collection[str]) -> Iterator[EntryError]:
    asked = document.get("careless") if isinstance(document, dict) else None
    asked = asked if isinstance(asked, list) else []
    if asked and (len(asked) != 2 or len({name for name in names if name in asked}) != 2):
        yield EntryError("these are the names of two questions.", at="careless")


def _rename(document: Document, old: str, new: str | None) -> None:
    if old in (document["careless"] or ()):
        document["careless"] = new and [new if one == old else one for one in document["careless"]]


PART = ChangePart(rules={"careless": or_null(answer_list)}, faults=_faults, rename=_rename)
