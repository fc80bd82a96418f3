"""The whole draft as one plain document, and back into the tables that the administration writes too.

    {"candor": 1, "title": "…", "languages": ["en", "zh-hans"], "heading": TEXT, "who": TEXT, "why": TEXT,
     "consent": TEXT, "closing": TEXT, "closed": TEXT, "access": "open" | "invitation", "direct": false,
     "comprehension": false, "early": false, "beside": false, "expected": 1000,
     "protection": {…},                                     what blocks follow from (surveys.domain.drafts.protect)
     "blocks": [{"name": "…", "kind": "flip", "settings": {…}, "questions": ["copied", …]}, …],
     "pages": [{"number": 1, "title": TEXT, "questions": [QUESTION, …]}, …]}

    QUESTION = {"name": "copied", "type": "yesno", "text": TEXT, "help": TEXT, "required": false, "shuffle": false,
     "minimum": "", "maximum": "", "low": TEXT, "high": TEXT, "settings": {…},
     "when": null | {"question": "…", "is": ["…"]},
     "options": [{"value": "…", "label": TEXT, "last": false, "settings": {…}}, …]}

TEXT maps language tags to texts. A question is sensitive if a block holds its name. Who answers, when, and what was
published are no parts of it: they belong to the survey and not to its content.

A document is also a set of *parts* (`parts`): a part is what two people can change without touching one another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db import transaction

from privacy.errors import EntryError
from surveys.domain.questionnaire.languages import TAG
from surveys.domain.questionnaire.write import Draft, EnteredQuestion, line_of, values_in
from surveys.kinds import form_of
from surveys.models import Block, DraftState, Option, Page, Question, Survey
from surveys.questions import TYPES

Document = dict[str, Any]

FORMAT = 1
TEXTS = ("heading", "who", "why", "consent", "closing", "closed")
FLAGS = ("direct", "comprehension", "early", "beside")
PLAIN = ("title", "languages", *TEXTS, "access", *FLAGS, "expected")
QUESTION_TEXTS = ("text", "help", "low", "high")
QUESTION_FLAGS = ("required", "shuffle")
QUESTION_LINES = ("minimum", "maximum")
PAGE = {"number", "title", "questions"}
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
MOST_QUESTIONS = 500
MOST_OPTIONS = 200
LONGEST_TEXT = 20_000
LONGEST_VALUE = 40
_CONDITION = Question._meta.get_field("when_values").max_length or 0


def empty(title: str, languages: list[str]) -> Document:
    """A document without questions."""
    nothing: Document = {"candor": FORMAT, "title": title, "languages": languages, "access": "open", "expected": 1000}
    nothing |= {name: {} for name in TEXTS} | dict.fromkeys(FLAGS, False)
    return nothing | {"protection": {}, "blocks": [], "pages": [{"number": 1, "title": {}, "questions": []}]}


def new_question(name: str, kind: str) -> dict[str, Any]:
    question: dict[str, Any] = {"name": name, "type": kind, "settings": {}, "when": None, "options": []}
    question |= {field: {} for field in QUESTION_TEXTS} | dict.fromkeys(QUESTION_FLAGS, False)
    return question | dict.fromkeys(QUESTION_LINES, "")


def questions(document: Document) -> Iterator[dict[str, Any]]:
    """All questions in order."""
    return (question for page in document["pages"] for question in page["questions"])


def sensitive(document: Document) -> set[str]:
    """The names of the questions that are disguised."""
    return {name for block in document["blocks"] for name in block["questions"]}


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
    return {"name": row.identifier, "type": row.type, **question, "when": when, "options": options}


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
    check(document)
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


# ---- what a document may hold ---------------------------------------------------------------------------------------


def check(document: Any) -> None:
    """Refuse what is no document, or too long for the tables. What is merely unfinished passes."""
    _expect(_can_be_stored(document), "document")
    _expect(isinstance(document, dict) and set(document) == set(empty("", [])), "document")
    _expect(document["candor"] == FORMAT, "candor")
    _line(document["title"], 200, "title")
    tags = document["languages"]
    _expect(isinstance(tags, list) and all(isinstance(tag, str) and TAG.fullmatch(tag) for tag in tags), "languages")
    _expect(0 < len(tags) == len(set(tags)) and len(" ".join(tags)) <= 100, "languages")
    for name in TEXTS:
        _text(document[name], name)
    _expect(document["access"] in Survey.Access.values, "access")
    for name in FLAGS:
        _expect(isinstance(document[name], bool), name)
    expected = document["expected"]
    _expect(isinstance(expected, int) and not isinstance(expected, bool) and 0 < expected <= 2**31 - 1, "expected")
    _expect(isinstance(document["protection"], dict) and isinstance(document["blocks"], list), "blocks")
    _expect(isinstance(document["pages"], list) and len(document["pages"]) > 0, "pages")
    for page in document["pages"]:
        _expect(isinstance(page, dict) and set(page) == PAGE, "pages")
        _expect(isinstance(page["number"], int) and 0 < page["number"] < 32768, "pages")
        _text(page["title"], "pages")
        _expect(isinstance(page["questions"], list), "pages")
    numbers = [page["number"] for page in document["pages"]]
    _expect(numbers == sorted(set(numbers)), "pages")
    names = []
    for question in questions(document):
        _check_question(question)
        names.append(question["name"])
    for name in names:
        if names.count(name) > 1:
            raise EntryError("the name '{name}' stands for two questions or items.", at=f"question '{name}'", name=name)
    if len(names) > MOST_QUESTIONS:
        raise EntryError("there are {count} questions, more than {most}.", count=len(names), most=MOST_QUESTIONS)
    _check_blocks(document["blocks"], names)


def _check_question(question: Any) -> None:
    _expect(isinstance(question, dict) and set(question) == set(new_question("", "")), "questions")
    name = question["name"]
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise EntryError(
            "a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=f"question '{name}'.identifier"
        )
    where = f"question '{name}'"
    _expect(question["type"] in TYPES, f"{where}.type")
    for field in QUESTION_TEXTS:
        _text(question[field], f"{where}.{field}")
    for field in QUESTION_FLAGS:
        _expect(isinstance(question[field], bool), f"{where}.{field}")
    for field in QUESTION_LINES:
        _line(question[field], 20, f"{where}.{field}")
    _expect(isinstance(question["settings"], dict), f"{where}.settings")
    when = question["when"]
    if when is not None:
        _expect(isinstance(when, dict) and set(when) == {"question", "is"}, f"{where}.when")
        _line(when["question"], 40, f"{where}.when")
        _expect(isinstance(when["is"], list) and all(isinstance(value, str) for value in when["is"]), f"{where}.when")
        if len(line_of(when["is"])) > _CONDITION:
            raise EntryError("these are too many answers for a condition: tick fewer.", at=f"{where}.when")
    options = question["options"]
    _expect(isinstance(options, list) and len(options) <= MOST_OPTIONS, f"{where}.options")
    for option in options:
        _expect(isinstance(option, dict) and set(option) == {"value", "label", "last", "settings"}, f"{where}.options")
        _line(option["value"], LONGEST_VALUE, f"{where}.options")
        _text(option["label"], f"{where}.options")
        _expect(isinstance(option["last"], bool) and isinstance(option["settings"], dict), f"{where}.options")
    values = [option["value"] for option in options]
    if len(set(values)) != len(values) or not all(values):
        raise EntryError("every option has a value of its own.", at=f"{where}.options")


def _check_blocks(blocks: list[Any], names: list[str]) -> None:
    held: list[str] = []
    for block in blocks:
        _expect(isinstance(block, dict) and set(block) == {"name", "kind", "settings", "questions"}, "blocks")
        _line(block["name"], 100, "blocks")
        _expect(isinstance(block["settings"], dict) and isinstance(block["questions"], list), "blocks")
        try:
            form_of(block["kind"])
        except (KeyError, TypeError):
            _expect(False, "blocks")
        held += block["questions"]
    _expect(len(set(held)) == len(held) and set(held) <= set(names), "blocks")


def _can_be_stored(document: Any) -> bool:
    """Whether every database takes it: numbers that JSON has, and letters that UTF-8 and PostgreSQL have."""
    try:
        written = json.dumps(document, ensure_ascii=False, allow_nan=False)
        written.encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return "\\u0000" not in written


def _line(value: Any, longest: int, where: str) -> None:
    _expect(isinstance(value, str), where)
    if len(value) > longest:
        raise EntryError("these are {count} characters, more than {most}.", at=where, count=len(value), most=longest)
    _expect("\n" not in value, where)


def _text(value: Any, where: str) -> None:
    _expect(isinstance(value, dict), where)
    for tag, text in value.items():
        _expect(isinstance(tag, str) and TAG.fullmatch(tag) is not None and isinstance(text, str), where)
        if len(text) > LONGEST_TEXT:
            raise EntryError(
                "these are {count} characters, more than {most}.", at=where, count=len(text), most=LONGEST_TEXT
            )


def _expect(right: bool, where: str) -> None:
    if not right:
        raise EntryError("this is not what the format of a survey says.", at=where)
