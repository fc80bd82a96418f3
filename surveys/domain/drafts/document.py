"""The whole draft as one plain document, and back into the tables that the administration writes too.

    {"candor": 1, "title": "…", "languages": ["en", "zh-hans"], "heading": TEXT, "who": TEXT, "why": TEXT,
     "consent": TEXT, "closing": TEXT, "closed": TEXT, "access": "open" | "invitation", "direct": false,
     "lot": null | 20, "anchor": null | "born", "anchor_share": null | 33,
     "comprehension": false, "early": false, "beside": false, "expected": 1000,
     "protection": {…},                                     what blocks follow from (surveys.domain.drafts.protect)
     "blocks": [{"name": "…", "kind": "flip", "settings": {…}, "questions": ["copied", …]}, …],
     "pages": [{"number": 1, "title": TEXT, "questions": [QUESTION, …]}, …]}

    QUESTION = {"name": "copied", "type": "yesno", "text": TEXT, "help": TEXT, "required": false, "shuffle": false,
     "minimum": "", "maximum": "", "low": TEXT, "high": TEXT, "settings": {…},
     "no_skip": "",                                         why it has no "prefer not to say"
     "when": null | {"question": "…", "is": ["…"]},
     "options": [{"value": "…", "label": TEXT, "last": false, "settings": {…}}, …]}

TEXT maps language tags to texts. A question is sensitive if a block holds its name. Who answers, when, and what was
published are no parts of it: they belong to the survey and not to its content.

A document is also a set of *parts* (`parts`): a part is what two people can change without touching one another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db import transaction

from privacy.errors import EntryError
from surveys.domain.questionnaire.write import Draft, EnteredQuestion, line_of, values_in
from surveys.models import Block, DraftState, Option, Page, Question, Survey

Document = dict[str, Any]

FORMAT = 1
TEXTS = ("heading", "who", "why", "consent", "closing", "closed")
FLAGS = ("direct", "comprehension", "early", "beside")
CHECKS = ("lot", "anchor", "anchor_share")  # what makes figures testable; older documents say nothing of it
PLAIN = ("title", "languages", *TEXTS, "access", *FLAGS, *CHECKS, "expected")
QUESTION_TEXTS = ("text", "help", "low", "high")
QUESTION_FLAGS = ("required", "shuffle")
QUESTION_LINES = ("minimum", "maximum")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


def empty(title: str, languages: list[str]) -> Document:
    """A document without questions."""
    nothing: Document = {"candor": FORMAT, "title": title, "languages": languages, "access": "open", "expected": 1000}
    nothing |= {name: {} for name in TEXTS} | dict.fromkeys(FLAGS, False) | dict.fromkeys(CHECKS)
    return nothing | {"protection": {}, "blocks": [], "pages": [{"number": 1, "title": {}, "questions": []}]}


def completed(document: Any) -> Any:
    """A document that was written before there were checks, and reasons of questions, says nothing of them."""
    if not isinstance(document, dict):
        return document
    document = dict.fromkeys(CHECKS) | document
    if isinstance(document.get("pages"), list):
        document["pages"] = [_completed_page(page) for page in document["pages"]]
    return document


def _completed_page(page: Any) -> Any:
    if not isinstance(page, dict) or not isinstance(page.get("questions"), list):
        return page
    return {**page, "questions": [completed_question(question) for question in page["questions"]]}


def completed_question(question: Any) -> Any:
    return {"no_skip": ""} | question if isinstance(question, dict) else question


def new_question(name: str, kind: str) -> dict[str, Any]:
    question: dict[str, Any] = {"name": name, "type": kind, "settings": {}, "no_skip": "", "when": None, "options": []}
    question |= {field: {} for field in QUESTION_TEXTS} | dict.fromkeys(QUESTION_FLAGS, False)
    return question | dict.fromkeys(QUESTION_LINES, "")


def questions(document: Document) -> Iterator[dict[str, Any]]:
    """All questions in order."""
    return (question for page in document["pages"] for question in page["questions"])


def sensitive(document: Document) -> set[str]:
    """The names of the questions that are disguised."""
    return {name for block in document["blocks"] for name in block["questions"]}


def text_places(document: Document) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text of the document with the name of its place, as files for translators have it."""
    for name in TEXTS:
        yield name, document[name]
    for page in document["pages"]:
        yield f"page {page['number']}", page["title"]
    for question in questions(document):
        for name in QUESTION_TEXTS:
            yield f"{question['name']}.{name}", question[name]
        for option in question["options"]:
            yield f"{question['name']}.options.{option['value']}", option["label"]


# ---- between document and tables ----------------------------------------------------------------------------------


def read(survey: Survey) -> Document:
    """The draft as it is stored, whoever wrote it: the studio, the administration or an import."""
    draft = Draft.stored(survey)
    state = DraftState.objects.filter(survey=survey).values_list("protection", flat=True).first()
    return document_of(draft, state or {})


def document_of(draft: Draft, protection: Mapping[str, Any]) -> Document:
    survey = draft.survey
    document: Document = {"candor": FORMAT, **{name: getattr(survey, name) for name in PLAIN}}
    document |= {"languages": survey.language_tags, "closed": survey.closed or {}, "protection": dict(protection)}
    document["blocks"] = [
        {
            "name": block.name,
            "kind": block.kind,
            "settings": block.settings,
            "questions": [entered.question.identifier for entered in draft.inside(block)],
        }
        for block in draft.blocks
    ]
    titles = {page.position: page.title for page in draft.pages}
    numbers = sorted({*titles, *(entered.question.page for entered in draft.questions)}) or [1]
    document["pages"] = [
        {
            "number": number,
            "title": titles.get(number, {}),
            "questions": [_question(entered) for entered in draft.questions if entered.question.page == number],
        }
        for number in numbers
    ]
    return document


def _question(entered: EnteredQuestion) -> dict[str, Any]:
    row = entered.question
    question = {name: getattr(row, name) for name in (*QUESTION_TEXTS, *QUESTION_FLAGS, *QUESTION_LINES, "settings")}
    when = {"question": row.when_question, "is": values_in(row.when_values)} if row.when_question else None
    options = [
        {"value": option.value, "label": option.label, "last": option.last, "settings": option.settings}
        for option in entered.options
    ]
    own = {"name": row.identifier, "type": row.type, "no_skip": row.no_skip or ""}
    return {**own, **question, "when": when, "options": options}


def draft_of(survey: Survey, document: Document) -> Draft:
    """The questionnaire as it would be stored; nothing is. The survey's own row takes its texts from the document."""
    for name, value in _survey_fields(document).items():
        setattr(survey, name, value)
    blocks = dict(enumerate(_blocks(survey, document)))
    within = {name: blocks[place] for place, own in enumerate(document["blocks"]) for name in own["questions"]}
    entered = []
    for page in document["pages"]:
        for place, question in enumerate(page["questions"], 1):
            row = Question(survey=survey, page=page["number"], position=place, **_question_fields(question))
            row.block = within.get(question["name"])
            options = (Option(question=row, **fields) for fields in _option_fields(question))
            entered.append(EnteredQuestion(row, tuple(options)))
    pages = [Page(survey=survey, **fields) for fields in _page_fields(document)]
    return Draft(survey, tuple(blocks.values()), tuple(entered), tuple(pages))


@transaction.atomic
def store(survey: Survey, document: Document) -> None:
    """Write the document into the tables; rows that say the same already stay untouched."""
    fields = _survey_fields(document)
    for name, value in fields.items():
        setattr(survey, name, value)
    survey.save(update_fields=list(fields))
    blocks = _store_blocks(survey, document)
    _store_questions(survey, document, blocks)
    _match(survey.pages.all(), list(_page_fields(document)), lambda fields: Page(survey=survey, **fields))
    used = {block.pk for block in blocks}
    survey.blocks.exclude(pk__in=used).delete()


def _survey_fields(document: Document) -> dict[str, Any]:
    return {name: document[name] for name in PLAIN} | {"languages": " ".join(document["languages"])}


def _blocks(survey: Survey, document: Document) -> Iterator[Block]:
    for place, own in enumerate(document["blocks"], 1):
        yield Block(survey=survey, position=place, name=own["name"], kind=own["kind"], settings=own["settings"])


def _store_blocks(survey: Survey, document: Document) -> list[Block]:
    """The rows of the blocks, in order; a row stays as long as there is a block at its place."""
    rows = list(survey.blocks.all())
    stored = []
    for place, wanted in enumerate(_blocks(survey, document)):
        row = rows[place] if place < len(rows) else wanted
        _save(row, {name: getattr(wanted, name) for name in ("position", "name", "kind", "settings")})
        stored.append(row)
    return stored


def _store_questions(survey: Survey, document: Document, blocks: list[Block]) -> None:
    rows = {row.identifier: row for row in survey.questions.prefetch_related("options")}
    within = {name: blocks[place] for place, own in enumerate(document["blocks"]) for name in own["questions"]}
    wanted = {question["name"] for question in questions(document)}
    survey.questions.exclude(identifier__in=wanted).delete()
    for page in document["pages"]:
        for place, question in enumerate(page["questions"], 1):
            name = question["name"]
            row = rows.get(name) or Question(survey=survey)
            block = within.get(name)
            own = {"page": page["number"], "position": place, "block_id": block.pk if block else None}
            options = list(row.options.all()) if row.pk else []
            _save(row, _question_fields(question) | own)
            _match(options, list(_option_fields(question)), lambda fields, row=row: Option(question=row, **fields))  # type: ignore[misc]


def _match(rows: Any, wanted: list[dict[str, Any]], make: Callable[[dict[str, Any]], Any]) -> None:
    """Replace the rows, unless they say what is wanted already."""
    rows = list(rows)
    if len(rows) == len(wanted) and all(
        getattr(row, name) == value for row, fields in zip(rows, wanted, strict=True) for name, value in fields.items()
    ):
        return
    for row in rows:
        row.delete()
    for fields in wanted:
        make(fields).save()


def _save(row: Any, fields: dict[str, Any]) -> None:
    if row.pk and all(getattr(row, name) == value for name, value in fields.items()):
        return
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()


def _question_fields(question: Mapping[str, Any]) -> dict[str, Any]:
    names = (*QUESTION_TEXTS, *QUESTION_FLAGS, *QUESTION_LINES, "type", "settings")
    when = question["when"] or {"question": "", "is": []}
    own = {"identifier": question["name"], "when_question": when["question"], "when_values": line_of(when["is"])}
    own["no_skip"] = question["no_skip"] or None
    return {name: question[name] for name in names} | own


def _option_fields(question: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for place, option in enumerate(question["options"], 1):
        yield {"position": place, **option}


def _page_fields(document: Document) -> Iterator[dict[str, Any]]:
    """A page has a row where it has a title, or nothing else by which it would be kept."""
    for page in document["pages"]:
        if any(page["title"].values()) or (not page["questions"] and len(document["pages"]) > 1):
            yield {"position": page["number"], "title": page["title"]}


# ---- parts ----------------------------------------------------------------------------------------------------------


def parts(document: Document) -> dict[str, Any]:
    """What can be changed independently: each field of the survey, each question, the blocks, the order of all."""
    own: dict[str, Any] = {f"survey.{name}": document[name] for name in PLAIN}
    own |= {name: document[name] for name in ("protection", "blocks")}
    own["pages"] = [
        {**page, "questions": [question["name"] for question in page["questions"]]} for page in document["pages"]
    ]
    return own | {f"question.{question['name']}": question for question in questions(document)}


def whole(own: Mapping[str, Any]) -> Document:
    """The document of these parts; EntryError where the order names a question that is no part, or none."""
    document = {"candor": FORMAT, **{name: own[f"survey.{name}"] for name in PLAIN}}
    document |= {name: own[name] for name in ("protection", "blocks")}
    named = {name.removeprefix("question.") for name in own if name.startswith("question.")}
    order = [name for page in own["pages"] for name in page["questions"]]
    if sorted(order) != sorted(named):
        raise EntryError("Questions were added, moved or deleted since.")
    document["pages"] = [
        {**page, "questions": [own[f"question.{name}"] for name in page["questions"]]} for page in own["pages"]
    ]
    return document


def differences(before: Document, after: Document) -> dict[str, list[Any]]:
    """The parts that are not the same, each with what it was and what it became; None: it was not there."""
    old, new = parts(before), parts(after)
    names = [*old, *(name for name in new if name not in old)]
    return {name: [old.get(name), new.get(name)] for name in names if old.get(name) != new.get(name)}
