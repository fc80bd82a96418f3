"""The two questions in a document: what is published of them, what they cost, and what they need."""

from collections.abc import Iterator

from django.utils.translation import gettext as _, gettext_lazy

from surveys.domain.questionnaire.document import Document, Draft, questions
from surveys.domain.questionnaire.draft_part import DraftPart, Gap
from surveys.features.careless import NEARLY
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


PART = DraftPart(
    has=lambda document: bool(document["careless"]),
    entries=_entries,
    gaps=_gaps,
    guesses=lambda document: dict(zip(document["careless"], (NEARLY / 2, 1 - NEARLY / 2), strict=True)),
    lost=gettext_lazy("which two questions show who follows the design"),
)
