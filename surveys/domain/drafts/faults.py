"""What is wrong with a document, each fault with its place. What is merely unfinished is no fault.

A place is the way there in the JSON file, such as `pages[0].questions[2].options[1].value`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from privacy.errors import EntryError
from surveys.domain.questionnaire.document import (
    CHECKS,
    FLAGS,
    FORMAT,
    NAME,
    QUESTION_FLAGS,
    QUESTION_LINES,
    QUESTION_TEXTS,
    TEXTS,
    empty,
    new_question,
)
from surveys.domain.questionnaire.languages import TAG
from surveys.kinds import form_of
from surveys.models import Survey
from surveys.questions import TYPES

Faults = Iterator[EntryError]

PAGE = ("number", "title", "questions")
OPTION = ("value", "label", "last", "settings")
BLOCK = ("name", "kind", "settings", "questions")
MOST_QUESTIONS = 500
MOST_OPTIONS = 200
LONGEST_TITLE = 200
LONGEST_LINE = 20
LONGEST_ANCHOR = 100
LONGEST_VALUE = 40
LONGEST_TEXT = 20_000
LONGEST_REASON = 200
MOST_ANSWERS = 1000  # that a condition names
_LANGUAGES = 100  # letters of all tags together
_LARGEST = 2**31 - 1


def check(document: Any) -> None:
    """Refuse the document with the first of its faults."""
    for fault in faults(document):
        raise fault


def faults(document: Any) -> Faults:
    """Everything that no draft can hold, or that is too long."""
    if not _can_be_stored(document):
        yield EntryError("this holds a letter or a number that cannot be stored.")
        return
    if isinstance(document, dict) and document.get("candor", FORMAT) != FORMAT:
        yield EntryError("this site reads version {known} of the format.", at="candor", known=FORMAT)
        return
    yield from _members(document, empty("", []), "")
    if isinstance(document, dict):
        yield from _of_survey(document)
        if "pages" in document:
            yield from _of_pages(document["pages"])
        yield from _of_blocks(document.get("blocks", []), _names(document))


def _of_survey(document: dict[str, Any]) -> Faults:
    yield from _line(document.get("title", ""), LONGEST_TITLE, "title")
    tags = document.get("languages", ["en"])
    if not isinstance(tags, list) or not tags or not all(isinstance(tag, str) and TAG.fullmatch(tag) for tag in tags):
        yield EntryError("list language tags in small letters, the main language first: en, zh-hans.", at="languages")
    elif len(set(tags)) < len(tags) or len(" ".join(tags)) > _LANGUAGES:
        yield EntryError("name each language once, and not too many.", at="languages")
    for name in TEXTS:
        yield from _text(document.get(name, {}), name)
    yield from _one_of(document.get("access", "open"), Survey.Access.values, "access")
    for name in FLAGS:
        yield from _flag(document.get(name, False), name)
    yield from _of_checks(*(document.get(name) for name in CHECKS))
    expected = document.get("expected", 1)
    if not _is_whole(expected) or not 0 < expected <= _LARGEST:
        yield EntryError("this is a whole number from {least} to {most}.", at="expected", least=1, most=_LARGEST)
    if not isinstance(document.get("protection", {}), dict):
        yield EntryError("this is an object.", at="protection")


def _of_checks(lot: Any, anchor: Any, share: Any) -> Faults:
    if lot is not None and (not _is_whole(lot) or not 0 < lot < 100):
        yield EntryError("this is a whole number from {least} to {most}.", at="lot", least=1, most=99)
    if anchor is not None:
        yield from _line(anchor, LONGEST_ANCHOR, "anchor")
    if share is not None and not (isinstance(share, int | float) and 0 < share < 100):
        yield EntryError("this is a number between 0 and 100.", at="anchor_share")


def _of_pages(pages: Any) -> Faults:
    if not isinstance(pages, list) or not pages:
        yield EntryError("this is a list of pages, at least one.", at="pages")
        return
    last, names = 0, Counter[str]()
    for place, page in enumerate(pages):
        at = f"pages[{place}]"
        yield from _members(page, PAGE, at)
        if not isinstance(page, dict):
            continue
        number = page.get("number", last + 1)
        if not _is_whole(number) or not last < number < 32768:
            yield EntryError("pages have whole numbers that rise.", at=f"{at}.number")
        else:
            last = number
        yield from _text(page.get("title", {}), f"{at}.title")
        questions = page.get("questions", [])
        if not isinstance(questions, list):
            yield EntryError("this is a list.", at=f"{at}.questions")
            continue
        for inside, question in enumerate(questions):
            where = f"{at}.questions[{inside}]"
            yield from _of_question(question, where)
            name = question.get("name") if isinstance(question, dict) else None
            if isinstance(name, str):
                names[name] += 1
                if names[name] == 2:
                    yield EntryError(
                        "the name '{name}' stands for two questions or items.", at=f"{where}.name", name=name
                    )
    if names.total() > MOST_QUESTIONS:
        yield EntryError(
            "there are {count} questions, more than {most}.", at="pages", count=names.total(), most=MOST_QUESTIONS
        )


def _of_question(question: Any, at: str) -> Faults:
    yield from _members(question, new_question("", ""), at)
    if not isinstance(question, dict):
        return
    name = question.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=f"{at}.name")
    yield from _one_of(question.get("type"), TYPES, f"{at}.type")
    for field in QUESTION_TEXTS:
        yield from _text(question.get(field, {}), f"{at}.{field}")
    for field in QUESTION_FLAGS:
        yield from _flag(question.get(field, False), f"{at}.{field}")
    for field in QUESTION_LINES:
        yield from _line(question.get(field, ""), LONGEST_LINE, f"{at}.{field}")
    yield from _line(question.get("no_skip", ""), LONGEST_REASON, f"{at}.no_skip")
    yield from _settings(question, at)
    yield from _of_condition(question.get("when"), f"{at}.when")
    yield from _of_options(question.get("options", []), f"{at}.options")


def _of_condition(when: Any, at: str) -> Faults:
    if when is None:
        return
    yield from _members(when, ("question", "is"), at)
    if not isinstance(when, dict):
        return
    yield from _line(when.get("question", ""), LONGEST_VALUE, f"{at}.question")
    values = when.get("is", [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        yield EntryError("this is a list of texts.", at=f"{at}.is")
    elif len(values) > MOST_ANSWERS:
        yield EntryError("these are too many answers for a condition: tick fewer.", at=f"{at}.is")


def _of_options(options: Any, at: str) -> Faults:
    if not isinstance(options, list):
        yield EntryError("this is a list.", at=at)
        return
    if len(options) > MOST_OPTIONS:
        yield EntryError("there are {count} options, more than {most}.", at=at, count=len(options), most=MOST_OPTIONS)
    values = set()
    for place, option in enumerate(options):
        where = f"{at}[{place}]"
        yield from _members(option, OPTION, where)
        if not isinstance(option, dict):
            continue
        value = option.get("value")
        yield from _line(value, LONGEST_VALUE, f"{where}.value")
        if not value or (isinstance(value, str) and value in values):
            yield EntryError("every option has a value of its own.", at=f"{where}.value")
        elif isinstance(value, str):
            values.add(value)
        yield from _text(option.get("label", {}), f"{where}.label")
        yield from _flag(option.get("last", False), f"{where}.last")
        yield from _settings(option, where)


def _of_blocks(blocks: Any, names: Collection[str]) -> Faults:
    if not isinstance(blocks, list):
        yield EntryError("this is a list.", at="blocks")
        return
    held: set[str] = set()
    for place, block in enumerate(blocks):
        at = f"blocks[{place}]"
        yield from _members(block, BLOCK, at)
        if not isinstance(block, dict):
            continue
        yield from _line(block.get("name", ""), 100, f"{at}.name")
        try:
            form_of(block.get("kind", ""))
        except (KeyError, TypeError):
            yield EntryError("there is no such kind of block.", at=f"{at}.kind")
        yield from _settings(block, at)
        own = block.get("questions", [])
        if not isinstance(own, list):
            yield EntryError("this is a list.", at=f"{at}.questions")
            continue
        for inside, name in enumerate(own):
            where = f"{at}.questions[{inside}]"
            if not isinstance(name, str) or name not in names:
                yield EntryError("there is no question of this name.", at=where)
            elif name in held:
                yield EntryError("“{name}” stands in two blocks.", at=where, name=name)
            else:
                held.add(name)


def _names(document: dict[str, Any]) -> set[str]:
    """The names of the questions, as far as there are any."""
    pages = document.get("pages")
    lists = [page.get("questions") for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []
    entries = (question for own in lists if isinstance(own, list) for question in own if isinstance(question, dict))
    return {question["name"] for question in entries if isinstance(question.get("name"), str)}


# ---- values ---------------------------------------------------------------------------------------------------------


def _can_be_stored(document: Any) -> bool:
    """Whether every database takes it: numbers that JSON has, and letters that UTF-8 and PostgreSQL have."""
    try:
        written = json.dumps(document, ensure_ascii=False, allow_nan=False)
        written.encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return "\\u0000" not in written


def _members(value: Any, names: Collection[str], at: str) -> Faults:
    """Those that this object must have, and no others."""
    if not isinstance(value, dict):
        yield EntryError("this is an object.", at=at)
        return
    start = f"{at}." if at else ""
    for name in names:
        if name not in value:
            yield EntryError("this is missing.", at=f"{start}{name}")
    for name in value:
        if name not in names:
            yield EntryError("nothing of this name belongs here.", at=f"{start}{str(name)[:LONGEST_VALUE]}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _settings(value: dict[str, Any], at: str) -> Faults:
    if not isinstance(value.get("settings", {}), dict):
        yield EntryError("this is an object.", at=f"{at}.settings")


def _flag(value: Any, at: str) -> Faults:
    if not isinstance(value, bool):
        yield EntryError("this is true or false.", at=at)


def _one_of(value: Any, values: Collection[str], at: str) -> Faults:
    if not isinstance(value, str) or value not in values:
        yield EntryError("this is one of: {values}.", at=at, values=", ".join(values))


def _line(value: Any, longest: int, at: str) -> Faults:
    if not isinstance(value, str):
        yield EntryError("this is a text.", at=at)
    elif len(value) > longest:
        yield EntryError("these are {count} characters, more than {most}.", at=at, count=len(value), most=longest)
    elif "\n" in value:
        yield EntryError("this is one line.", at=at)


def _text(value: Any, at: str) -> Faults:
    if not isinstance(value, dict):
        yield EntryError("this is an object from language tags to texts.", at=at)
        return
    for tag, text in value.items():
        if not isinstance(tag, str) or not TAG.fullmatch(tag) or not isinstance(text, str):
            yield EntryError("this is an object from language tags to texts.", at=at)
        elif len(text) > LONGEST_TEXT:
            yield EntryError(
                "these are {count} characters, more than {most}.",
                at=f"{at}.{tag}",
                count=len(text),
                most=LONGEST_TEXT,
            )
