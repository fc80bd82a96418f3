"""Named changes of the order: questions are added, copied, moved and deleted, and pages begin and end."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.domain.drafts.change_part import Change, change, find, lines_of, rename
from surveys.domain.drafts.names import free_name, names_in, question_name
from surveys.domain.drafts.question_changes import new_row, skip
from surveys.domain.questionnaire import document as documents
from surveys.domain.questionnaire.document import Document
from surveys.questions import TYPES
from surveys.questions.entered import write_text


@change("add", gettext_lazy("questions added"))
def _add_questions(document: Document, said: Change, wanted: set[str]) -> None:
    """Add a question for each line of text, after the question `after`, or at the end."""
    own = TYPES[said["type"]]
    lines = lines_of(said["lines"]) or [""]
    page, place = place_after(document, said.get("after"))
    options = lines_of(said.get("rows") or "")
    for line in lines:
        name = question_name(line, names_in(document)) if line else free_name("q", names_in(document))
        question = documents.new_question(name, own.name)
        write_text(question["text"], document["languages"][0], line)
        page["questions"].insert(place, question)
        place += 1
        if options and own.groups:
            for text in options:
                label = {document["languages"][0]: text}
                question["options"].append(new_row(document, own.groups[0], question, label))
        if own.disguise is not None and ("map" in own.uses or said.get("sensitive")):
            wanted.add(name)
            if said.get("skip") and own.skipped is not None:
                skip(document, {"question": name, "value": True}, wanted)


def place_after(document: Document, name: Any) -> tuple[dict[str, Any], int]:
    """The page of the named question and the index behind it there; without that question the end of the last page."""
    for page in document["pages"]:
        for index, question in enumerate(page["questions"]):
            if question["id"] == name:
                return page, index + 1
    return document["pages"][-1], len(document["pages"][-1]["questions"])


@change("delete", gettext_lazy("question deleted"))
def delete_question(document: Document, said: Change, _wanted: set[str]) -> None:
    question = find(document, said["question"])
    for page in document["pages"]:
        page["questions"] = [each for each in page["questions"] if each is not question]
    rename(document, question["id"], None)
    _drop_empty_pages(document)


@change("duplicate", gettext_lazy("question duplicated"))
def _duplicate_question(document: Document, said: Change, wanted: set[str]) -> None:
    question = find(document, said["question"])
    copy = deepcopy(question)
    taken = names_in(document)
    copy["id"] = _name_of_copy(question["id"], taken)
    for group in TYPES[question["type"]].groups:
        for option in copy["options"]:
            if group.are_items and group.holds(option["value"]):
                option["value"] = _name_of_copy(option["value"], taken)
                taken.add(option["value"])
    page, place = place_after(document, question["id"])
    page["questions"].insert(place, copy)
    if question["id"] in wanted:
        wanted.add(copy["id"])


def _name_of_copy(name: str, taken: set[str]) -> str:
    base = name.rstrip("0123456789")
    return free_name(base if base.endswith("-") or base != name else f"{name[:37]}-", taken, 2)


@change("move", gettext_lazy("question moved"))
def _move_question(document: Document, said: Change, _wanted: set[str]) -> None:
    """Move a question one step up or down, also over a page break, or before or after another question."""
    question, to = find(document, said["question"]), said["to"]
    pages = document["pages"]
    number = next(index for index, page in enumerate(pages) if question in page["questions"])
    place = pages[number]["questions"].index(question)
    if isinstance(to, Mapping):
        side, other = next(iter(to.items()))
        if find(document, other) is question:
            return
        pages[number]["questions"].pop(place)
        page, after = place_after(document, other)
        page["questions"].insert(after - (side == "before"), question)
    elif to in ("up", "down"):
        step = -1 if to == "up" else 1
        if 0 <= place + step < len(pages[number]["questions"]):
            pages[number]["questions"].insert(place + step, pages[number]["questions"].pop(place))
        elif 0 <= number + step < len(pages):
            beside = pages[number + step]["questions"]
            beside.insert(len(beside) if step < 0 else 0, pages[number]["questions"].pop(place))
    else:
        raise KeyError(to)
    _drop_empty_pages(document)


@change("break", gettext_lazy("page break added"))
def _break_page_before(document: Document, said: Change, _wanted: set[str]) -> None:
    question = find(document, said["question"])
    number = next(index for index, page in enumerate(document["pages"]) if question in page["questions"])
    own = document["pages"][number]["questions"]
    place = own.index(question)
    if place == 0:
        raise EntryError("the page already begins with this question.", at="break")
    document["pages"][number]["questions"] = own[:place]
    document["pages"].insert(number + 1, documents.new_page(0, own[place:]))
    _renumber(document)


@change("join", gettext_lazy("page break removed"))
def _join_pages(document: Document, said: Change, _wanted: set[str]) -> None:
    """Remove the page break before the page that begins with the question."""
    number = _page_index(document, said["question"])
    if number == 0:
        raise EntryError("there is no page before the first one.", at="join")
    document["pages"][number - 1]["questions"] += document["pages"].pop(number)["questions"]
    _renumber(document)


@change("page", gettext_lazy("title of a page changed"))
def _write_page_title(document: Document, said: Change, _wanted: set[str]) -> None:
    write_text(document["pages"][_page_index(document, said["question"])]["title"], said["language"], said["value"])


@change("page-order", gettext_lazy("order on a page changed"))
def _order_page(document: Document, said: Change, _wanted: set[str]) -> None:
    """Set one choice about order for the page that begins with the question: whether its questions are shuffled,
    whether the page changes places with others, or how many of its questions are asked.
    """
    page, field, value = document["pages"][_page_index(document, said["question"])], said["field"], said["value"]
    if field == "ask":
        page["ask"] = int(value) if value else None
    elif field in documents.PAGE_FLAGS:
        page[field] = bool(value)
    else:
        raise KeyError(field)


def _page_index(document: Document, name: Any) -> int:
    for number, page in enumerate(document["pages"]):
        if page["questions"] and page["questions"][0]["id"] == name:
            return number
    raise EntryError("The page no longer begins with “{name}”.", name=name)


def _drop_empty_pages(document: Document) -> None:
    kept = [page for page in document["pages"] if page["questions"]]
    if len(kept) < len(document["pages"]):
        document["pages"] = kept or [documents.new_page(1)]
        _renumber(document)


def _renumber(document: Document) -> None:
    for number, page in enumerate(document["pages"], 1):
        page["number"] = number
