"""A questionnaire as it is written: one plain document, which is what is stored, changed, copied, and sent as a file.

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

TEXT maps language tags to texts. A question is sensitive if a block holds its name. When people answer, and what was
published are no parts of it: they belong to the survey and not to its content.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from surveys.models import DraftDocument, Survey

Document = dict[str, Any]

FORMAT = 1
TEXTS = ("heading", "who", "why", "consent", "closing", "closed")
FLAGS = ("direct", "comprehension", "early", "beside")
CHECKS = ("lot", "anchor", "anchor_share")  # what makes figures testable; older documents say nothing of it
PLAIN = ("title", "languages", *TEXTS, "access", *FLAGS, *CHECKS, "expected")
QUESTION_TEXTS = ("text", "help", "low", "high")
QUESTION_FLAGS = ("required", "shuffle")
QUESTION_LINES = ("minimum", "maximum")
QUESTION_FIELDS = (*QUESTION_TEXTS, *QUESTION_FLAGS, *QUESTION_LINES, "settings", "no_skip")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
# What the survey's own row says, too: lists, invitations and the page of a closed survey ask for it without the draft.
ON_SURVEY = ("title", "closed", "access", "expected")


def empty(title: str, languages: list[str]) -> Document:
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


def new_option(value: str, label: Mapping[str, str], last: bool = False) -> dict[str, Any]:
    return {"value": value, "label": dict(label), "last": last, "settings": {}}


def questions(document: Document) -> Iterator[dict[str, Any]]:
    return (question for page in document["pages"] for question in page["questions"])


def sensitive(document: Document) -> set[str]:
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


def read(survey: Survey) -> Document:
    """The draft of the survey as it is stored; of a survey that never had one, an empty one."""
    kept = DraftDocument.objects.filter(survey=survey).first()
    return kept.document if kept else empty_for(survey)


@transaction.atomic
def write_closed_text(survey: Survey, texts: dict[str, str]) -> None:
    """What people read once the survey is closed: it may be changed at any time, for it is never published."""
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    kept = DraftDocument.objects.filter(survey=survey).first()
    store(survey, {**(kept.document if kept else empty_for(survey)), "closed": texts}, kept.number if kept else 0)


def empty_for(survey: Survey) -> Document:
    return empty(survey.title, ["en"]) | {name: getattr(survey, name) for name in ON_SURVEY}


def store(survey: Survey, document: Document, number: int = 0) -> None:
    """Make the document the draft of the survey. Who writes it has checked it, and holds the survey's lock."""
    now = {"document": document, "number": number, "changed_at": timezone.now()}
    DraftDocument.objects.update_or_create(survey=survey, defaults=now)
    fields = [name for name in ON_SURVEY if getattr(survey, name) != document[name]]
    for name in fields:
        setattr(survey, name, document[name])
    if fields:
        survey.save(update_fields=fields)
