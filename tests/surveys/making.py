"""Surveys for tests: the paper's three questions in one block, or whatever a test asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from surveys.definition import Definition
from surveys.domain.questionnaire.compose import compose
from surveys.domain.questionnaire.document import (
    PLAIN,
    Document,
    Draft,
    empty,
    new_question,
    questions,
    read_document,
    store,
)
from surveys.models import DraftDocument, Survey

NAMES = ("drugs", "cheating", "theft")


def words(text: str) -> dict[str, str]:
    return {"en": text}


def make_survey(slug: str = "study", names: tuple[str, ...] = NAMES, **fields: Any) -> Survey:
    """A draft with one coin block (p = .3, θ = .6) over yes/no questions, that may be answered directly."""
    texts = {name: words(name.title()) for name in ("heading", "who", "why", "consent", "closing")}
    written = {"direct": True, **texts, **{name: fields.pop(name) for name in PLAIN if name in fields}}
    title = written.pop("title", slug.title())
    survey = Survey.objects.create(slug=slug, title=title, **fields)
    store(survey, empty(title, ["en"]) | written)
    with edit_draft(survey):
        add_block(survey, "all", settings={"keep": 0.3, "theta": 0.6})
        for name in names:
            add_question(survey, name, block="all")
    return survey


_being_edited: dict[int, Document] = {}


@contextmanager
def edit_draft(survey: Survey) -> Iterator[Document]:
    """The draft, to be changed in any way: it is stored as it is left, and no history says so.

    What changes it inside is stored with it, once.
    """
    if survey.pk in _being_edited:
        yield _being_edited[survey.pk]
        return
    kept = DraftDocument.objects.filter(survey=survey).first()
    document = _being_edited[survey.pk] = deepcopy(read_document(survey))
    try:
        yield document
    finally:
        del _being_edited[survey.pk]
    store(survey, document, kept.number if kept else 0)


def write(survey: Survey, **fields: Any) -> None:
    """Texts and switches of the survey as a whole."""
    with edit_draft(survey) as document:
        document.update(fields)


def add_block(survey: Survey, name: str, kind: str = "coin", settings: Any = None) -> str:
    with edit_draft(survey) as document:
        document["blocks"].append({"name": name, "kind": kind, "settings": settings or {}, "questions": []})
    return name


def set_block(survey: Survey, name: str = "all", **fields: Any) -> None:
    """Another kind, or other settings."""
    with edit_draft(survey) as document:
        (block,) = (block for block in document["blocks"] if block["name"] == name)
        block.update(fields)


def add_question(
    survey: Survey,
    name: str,
    block: str | None = None,
    page: int = 1,
    options: tuple[tuple[str, Any], ...] = (),
    at: int | None = None,
    **fields: Any,
) -> None:
    """A question at the end of its page, or `at` a place in it; page 0 is a new first one. Options: values, labels."""
    own = new_question(name, fields.pop("type", "yesno")) | {"text": words(f"{name}?"), **fields}
    own["options"] = [
        {"value": value, "label": words(label) if isinstance(label, str) else label, "last": False, "settings": {}}
        for value, label in options
    ]
    with edit_draft(survey) as document:
        pages = {each["number"]: each for each in document["pages"]}
        on = pages.setdefault(page, {"number": page, "title": {}, "questions": []})["questions"]
        on.insert(len(on) if at is None else at, own)
        later = page == 0
        document["pages"] = [{**pages[number], "number": number + later} for number in sorted(pages)]
        for each in document["blocks"]:
            each["questions"] += [name] * (each["name"] == block)


def drop_questions(survey: Survey, *names: str) -> None:
    """Without these questions; all of them where none is named."""
    with edit_draft(survey) as document:
        gone = names or [question["id"] for question in questions(document)]
        for page in document["pages"]:
            page["questions"] = [question for question in page["questions"] if question["id"] not in gone]
        for block in document["blocks"]:
            block["questions"] = [name for name in block["questions"] if name not in gone]


def set_question(survey: Survey, name: str, **fields: Any) -> None:
    with edit_draft(survey) as document:
        find_in(document, name).update(fields)


def set_questions(survey: Survey, **fields: Any) -> None:
    """All of them."""
    with edit_draft(survey) as document:
        for question in questions(document):
            question.update(fields)


def find_in(document: Document, name: str) -> dict[str, Any]:
    (found,) = (question for question in questions(document) if question["id"] == name)
    return found


def compose_draft(survey: Survey) -> Definition:
    """What the draft would be published as."""
    return compose(Draft.load(survey))


MAP = {"width": 1000, "height": 800, "cell": 10}
ZONES = [[400, 300, 200, 200]]


def town_survey(kind: str = "zones", settings: Any = None) -> Survey:
    """A draft with one question for a place, in a block of its own."""
    survey = make_survey(names=(), direct=False)
    with edit_draft(survey) as document:
        document["blocks"].clear()
    add_block(survey, "places", kind, {"epsilon": 2.0})
    on_map = {"map": MAP, "zones": ZONES} if settings is None else settings
    add_question(survey, "home", type="place", block="places", settings=on_map)
    return survey
