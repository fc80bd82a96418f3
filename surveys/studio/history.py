"""The last changes of a draft, the newest first: who changed what, and which part of it; and how pages name these."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from surveys.access import studio
from surveys.domain.drafts import history as drafts
from surveys.domain.drafts.changes import words_of_changes
from surveys.domain.exchange.imported import again
from surveys.domain.people.roles import Action
from surveys.domain.questionnaire.document import TEXT_NAMES, Draft, current_draft
from surveys.features.questions import FIELDS as QUESTION_FIELDS
from surveys.models import DraftChange, Survey
from surveys.questions.entered import list_questions
from surveys.sentences import colon
from surveys.studio.staff_part import words_of_fields

SHOWN = 100
_NAMED = 2  # parts of a change, where it is named in a few words
WHAT: dict[str, Promise] = {  # what no named change did
    "elsewhere": _("changed in the administration"),
    "import": _("imported from a file"),
    "redo": _("made again"),
    "slug": _("address of the survey changed"),
    "slug-made": _("address of the survey made from its title"),
    "undo": _("taken back"),
}
# What one change of a question or of the survey touches, where its name alone does not say it.
FIELDS: dict[str, Promise] = {
    "access": _("who may answer"),
    "beside": _("texts beside other answers"),
    "blocks": _("protection"),
    "comprehension": _("question about the disguise"),
    "early": _("figures before closing"),
    "expected": _("expected people"),
    "help": _("help text"),
    "high": _("words at the high end"),
    "languages": _("languages"),
    "low": _("words at the low end"),
    "max": _("largest answer"),
    "min": _("smallest answer"),
    "pages": _("order of the questions"),
    "protection": _("protection"),
    "required": _("whether it must be answered"),
    "shuffle": _("order of options"),
    "slug": _("address of the survey"),
    "text": _("wording"),
    "title": _("working title"),
    **TEXT_NAMES,
    **{name: field.line for name, field in QUESTION_FIELDS.items() if field.line},
}


@studio(Action.SEE)
def history(request: HttpRequest, survey: Survey) -> HttpResponse:
    rows = survey.draft_changes.select_related("by").order_by("-number")[:SHOWN]
    what, fields = WHAT | words_of_changes(), FIELDS | words_of_fields()
    changes = [
        {
            "at": row.at,
            "by": row.by,
            "what": what.get(row.name, _("draft changed")),
            "questions": [part.removeprefix("question.") for part in row.parts if part.startswith("question.")],
            "fields": list(dict.fromkeys(fields[name] for name in _fields(row) if name in fields)),
            "notes": [(again(place), again(sentence)) for place, sentence in row.notes or ()],
        }
        for row in rows
    ]
    return render(request, "studio/history.html", {"survey": survey, "changes": changes})


def offers(survey: Survey, by: User, step: str) -> dict[str, str]:
    """What an undo takes back on this page, and what a redo makes again, in words; nothing where there is nothing."""
    undone = drafts.undo_to_redo(survey, by, step)
    again = undone and undone.takes_back
    last = drafts.change_to_undo(survey, by, step)
    return {way: _describe(row) if row else "" for way, row in (("undo", last), ("redo", again or undone))}


def _describe(row: DraftChange) -> str:
    """A change in a few words: what was done, and where."""
    what = (WHAT | words_of_changes()).get(row.name, _("draft changed"))
    asked = [part for part in row.parts if part.startswith("question.")]
    named = [f"survey.{name}" for name in _fields(row)] if row.name == "survey" else asked
    where = name_parts(row.survey, named[:_NAMED])
    return f"{what}{colon()}{gettext(', ').join(where)}{' …' if len(named) > _NAMED else ''}" if where else str(what)


def name_parts(survey: Survey, parts: Iterable[str]) -> list[str]:
    """The parts of a draft in words: a question by its own, one that was deleted since by its short name."""
    questions = Draft.from_document(survey, current_draft(survey).document).questions
    asked = {question.id: list_questions([question]) for question in questions}
    fields = words_of_changes() | FIELDS | words_of_fields()
    words = []
    for part in parts:
        kind, _dot, name = part.rpartition(".")
        words.append(asked.get(name, name) if kind == "question" else str(fields.get(name, _("draft changed"))))
    return words


def _fields(row: DraftChange) -> list[str]:
    """The fields of the survey, or of the question, that a change of these touched."""
    if row.name == "survey":
        return [part.removeprefix("survey.") for part in row.parts if part.startswith("survey.")]
    if row.name != "question":
        return []
    return [name for part, (old, new) in row.parts.items() if part.startswith("question.") for name in _apart(old, new)]


def _apart(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> list[str]:
    """The fields in which a question differs from what it was."""
    return [name for name in new if name in old and old[name] != new[name]] if old and new else []
