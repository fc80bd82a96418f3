"""The two questions in a document: what is published of them, what they cost, and what they need."""

import math
from collections.abc import Iterator

from django.utils.translation import gettext as _, gettext_lazy

from privacy.guarantee import round_up
from privacy.reconstruct.anchors import price
from surveys.domain.questionnaire.document import Document, Draft, questions
from surveys.domain.questionnaire.draft_part import DraftPart, Gap, Testable
from surveys.features.careless import NEARLY, anchors
from surveys.features.feature import Named
from surveys.kinds import person
from surveys.questions.entered import Question


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
            _("The two questions that show who answers without reading must be disguised, with the same options."),
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


def _power(testable: Testable, _named: Named) -> str:
    """A sentence on what the two questions find, and what they cost if there is nobody to find."""
    found, wider = price(testable.design, anchors(testable.entries), testable.disguising)
    return _(
        "Answers without reading are found from %(share)s %% of people on, in four of five surveys. Where nobody "
        "answers so, the corrected share of a rare answer has up to %(wider)s times the standard error."
    ) % {"share": math.ceil(100 * found), "wider": f"{round_up(wider, 2):g}"}


PART = DraftPart(
    has=lambda document: bool(document["careless"]),
    entries=_entries,
    gaps=_gaps,
    power=_power,
    guesses=lambda document: dict(zip(document["careless"], (NEARLY / 2, 1 - NEARLY / 2), strict=True)),
    lost=gettext_lazy("which two questions show how many answer without reading"),
)
