"""The two questions in a document: what is published of them, what they cost, and what they need."""

from collections.abc import Collection, Iterator
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import Change, change
from surveys.domain.drafts.names import free, names_in
from surveys.domain.drafts.order_changes import delete_question, place_after
from surveys.domain.drafts.protect import new_block
from surveys.domain.questionnaire.document import Document, Draft, questions
from surveys.domain.questionnaire.draft_part import DraftPart, Gap
from surveys.domain.questionnaire.guess import GUESS
from surveys.features.careless import NEARLY, anchors
from surveys.kinds import person
from surveys.questions import TYPES, Asks
from surveys.questions.entered import Question
from surveys.questions.rows import READY, ready_texts
from surveys.rules import answer_list, or_null


def _entries(draft: Draft) -> dict[str, dict[str, list[float]]]:
    never, always = (_yes_of(draft.document, name) for name in draft.document["careless"])
    return {"careless": {never: [0.0, NEARLY], always: [1 - NEARLY, 1.0]}}


def _yes_of(document: Document, name: str) -> str:
    """The literal of a question's yes in the design: with "prefer not to say" it is one of several options."""
    question = next(one for one in questions(document) if one["id"] == name)
    return f"{name}=1" if question["options"] else name


def _gaps(draft: Draft) -> Iterator[Gap]:
    asked = [question for question in draft.questions if question.id in (draft.document["careless"] or ())]
    if any(question.block is None or _values(question) != _values(asked[0]) for question in asked):
        yield Gap(
            draft.survey,
            _("The two questions that show who follows the design must be disguised, with the same options."),
        )
    for block in draft.blocks:
        inside = [question.id for question in draft.inside(block)]
        if block.kind == person.NAME and len(inside) > 1 and not {question.id for question in asked}.isdisjoint(inside):
            yield Gap(
                draft.survey,
                _(
                    "A question whose answer is known needs a draw of its own, as it would tell of the answers beside "
                    "it: take the two questions out, and add them again."
                ),
            )


def _values(question: Question) -> list[str]:
    return [option.value for option in question.options]


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


PART = DraftPart(
    has=lambda document: bool(document["careless"]),
    entries=_entries,
    gaps=_gaps,
    guesses=lambda document: dict(zip(document["careless"], (NEARLY / 2, 1 - NEARLY / 2), strict=True)),
    lost=gettext_lazy("which two questions show who follows the design"),
    rules={"careless": or_null(answer_list)},
    faults=_faults,
    rename=_rename,
)
