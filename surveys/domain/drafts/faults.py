"""What is wrong with a document, each fault with its place. What is merely unfinished is no fault.

A place is the way there in the JSON file, such as `pages[0].questions[2].options[1].value`. The shape of a document
(surveys.domain.questionnaire.document) is written down once, at the end; above it stand the rules of its values.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from privacy.errors import EntryError, to_translate
from surveys.conditions import MOST_ANSWERS
from surveys.domain.drafts import change_part
from surveys.domain.drafts.protect import read_wishes
from surveys.domain.questionnaire.document import (
    FLAGS,
    FORMAT,
    PAGE_FLAGS,
    QUESTION_FLAGS,
    QUESTION_LINES,
    QUESTION_TEXTS,
    TEXTS,
)
from surveys.domain.questionnaire.guess import GUESS, check_guess
from surveys.features.questions import FIELDS
from surveys.kinds import BLOCK_FIELDS, FORMS, QUESTION_FIELDS
from surveys.kinds.forms import Value
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.entered import LARGEST
from surveys.questions.place import check_map
from surveys.rules import (
    LARGEST_COUNT,
    LONGEST_LINE,
    LONGEST_VALUE,
    Faults,
    checked_by,
    is_whole,
    language_tags,
    line,
    list_of,
    object_of,
    one_of,
    or_null,
    question_name,
    rule,
    texts,
    whole_number,
)

MOST_QUESTIONS = 500
MOST_OPTIONS = 200
LONGEST_TITLE = 200
LONGEST_WORD = 300  # of a list: three answers with their questions
FORMER = {  # what earlier versions kept among the choices of protection
    "epsilon": to_translate("Candor counts no answers with noise any more: take this out."),
    "after": to_translate("Candor has no second waves of a survey any more: take this out."),
}


def check(document: Any) -> None:
    """Raise the first fault of the document, if it has any."""
    for fault in faults(document):
        raise fault


def faults(document: Any) -> Iterator[EntryError]:
    """Yield everything in the document that a draft cannot hold, each with its place."""
    if not _can_be_stored(document):
        yield EntryError("this contains a letter or a number that cannot be stored.")
    elif isinstance(document, dict) and document.get("candor", FORMAT) != FORMAT:
        yield EntryError("this site reads version {known} of the format.", at="candor", known=FORMAT)
    else:
        yield from _DOCUMENT(document, "")
        yield from _name_faults(document)


def _can_be_stored(document: Any) -> bool:
    """Whether every database takes it: numbers that JSON has, and letters that UTF-8 and PostgreSQL have."""
    try:
        written = json.dumps(document, ensure_ascii=False, allow_nan=False)
        written.encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return "\\u0000" not in written


def _name_faults(document: Any) -> Faults:
    """Check names: every question has another one, and blocks and features name existing questions."""
    names = [
        (question["id"], f"{page}.questions[{place}].id")
        for page, own in ((f"pages[{place}]", own) for place, own in _list_entries(document, "pages"))
        for place, question in _list_entries(own, "questions")
        if isinstance(question, dict) and isinstance(question.get("id"), str)
    ]
    counted, held = Counter[str](), set[str]()
    for name, at in names:
        counted[name] += 1
        if counted[name] == 2:
            yield EntryError("the name '{name}' is used for two questions or items.", at=at, name=name)
    if len(names) > MOST_QUESTIONS:
        yield EntryError(
            "there are {count} questions, more than {most}.", "pages", count=len(names), most=MOST_QUESTIONS
        )
    yield from change_part.faults(document, counted)
    for number, block in _list_entries(document, "blocks"):
        for place, name in _list_entries(block, "questions"):
            at = f"blocks[{number}].questions[{place}]"
            if not isinstance(name, str) or name not in counted:
                yield EntryError("there is no question with this name.", at=at)
            elif name in held:
                yield EntryError("“{name}” is in two blocks.", at=at, name=name)
            else:
                held.add(name)


def _list_entries(value: Any, member: str) -> Iterable[tuple[int, Any]]:
    """The numbered entries of the list `value[member]`; none where there is no such list."""
    entries = value.get(member) if isinstance(value, dict) else ()
    return enumerate(entries if isinstance(entries, list) else ())


# ---- rules ----------------------------------------------------------------------------------------------------------


def _option_faults(options: Any, at: str) -> Faults:
    yield from list_of(_OPTION)(options, at)
    if isinstance(options, list) and len(options) > MOST_OPTIONS:
        yield EntryError("there are {count} options, more than {most}.", at, count=len(options), most=MOST_OPTIONS)
    values = set()
    for place, option in _list_entries({"options": options}, "options"):
        value = option.get("value") if isinstance(option, dict) else place
        if value == "" or (isinstance(value, str) and value in values):
            yield EntryError("every option needs a different value.", at=f"{at}[{place}].value")
        elif isinstance(value, str):
            values.add(value)


def _page_faults(pages: Any, at: str) -> Faults:
    if not isinstance(pages, list) or not pages:
        yield EntryError("this is a list of pages, at least one.", at=at)
        return
    yield from list_of(_PAGE)(pages, at)
    last = 0
    for index, page in enumerate(pages):
        number = page.get("number", last + 1) if isinstance(page, dict) else last + 1
        if not is_whole(number, last + 1, 32767):
            yield EntryError("pages must have rising whole numbers.", at=f"{at}[{index}].number")
        else:
            last = number


def _settings_faults(settings: Any, at: str) -> Faults:
    """Check the entered values of forms by type only; the code that uses them checks the rest."""
    if not isinstance(settings, dict):
        yield EntryError("this is an object.", at=at)
        return
    for name, value in settings.items():
        yield from _ENTERED.get(name, _SOME)(value, f"{at}.{name[:LONGEST_VALUE]}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < LARGEST


def _is_plain(value: Any) -> bool:
    return value is None or _is_number(value) or (isinstance(value, str) and len(value) <= LONGEST_VALUE)


def _is_list_of(holds: Callable[[Any], bool], values: Any) -> bool:
    return isinstance(values, list) and len(values) <= MOST_ANSWERS and all(map(holds, values))


def _protection_faults(chosen: Any, at: str) -> Faults:
    if former := [name for name in FORMER if isinstance(chosen, dict) and chosen.get(name)]:
        yield from (EntryError(FORMER[name], at=f"{at}.{name}") for name in former)
        return
    yield from (faults := list(_settings_faults(chosen, at)))
    if not faults:
        yield from checked_by(lambda protection, _at: read_wishes({"protection": protection}))(chosen, at)


# ---- the shape ------------------------------------------------------------------------------------------------------

_ANY = rule(lambda _value: True, "")
_FLAG = rule(lambda value: isinstance(value, bool), to_translate("this is true or false."))
_ONE = rule(_is_plain, to_translate("this is a number or a short text."))
_SOME = rule(
    lambda value: _is_plain(value) or _is_list_of(_is_plain, value),
    to_translate("this is a number, a short text, or a list of them."),
)
_SHARES = rule(
    lambda value: _is_plain(value) or _is_list_of(_is_number, value), to_translate("this is a list of numbers.")
)
_ZONES = rule(
    lambda zones: (
        zones is None or _is_list_of(lambda zone: _is_list_of(_is_number, zone) and len(zone) in (4, 5), zones)
    ),
    to_translate("a zone has four numbers: left, bottom, width and height."),
)
_WORDS = rule(
    lambda words: _is_list_of(lambda word: isinstance(word, str) and len(word) <= LONGEST_WORD, words),
    to_translate("this is a list of words."),
)
_OF_VALUE = {
    Value.SHARES: _SHARES,
    Value.NUMBERS: rule(lambda values: _is_list_of(_is_number, values), to_translate("this is a list of numbers.")),
    Value.WORDS: _WORDS,
    Value.MAP: checked_by(check_map),
    Value.ZONES: _ZONES,
}
_ENTERED = {name: _OF_VALUE.get(field.value, _ONE) for name, field in (BLOCK_FIELDS | QUESTION_FIELDS).items()}
_ENTERED[GUESS] = checked_by(check_guess)
_OPTION = object_of({"value": line(LONGEST_VALUE), "label": texts, "last": _FLAG, "settings": _settings_faults})
_QUESTION = object_of(
    {"id": question_name, "type": one_of(TYPES)}
    | dict.fromkeys(QUESTION_TEXTS, texts)
    | dict.fromkeys(QUESTION_FLAGS, _FLAG)
    | dict.fromkeys(QUESTION_LINES, line(LONGEST_LINE))
    | {name: field.rule for name, field in FIELDS.items()}
    | {"settings": _settings_faults, "options": _option_faults}
)
_PAGE = object_of(
    {"number": _ANY, "title": texts, "ask": or_null(whole_number(MOST_QUESTIONS)), "questions": list_of(_QUESTION)}
    | dict.fromkeys(PAGE_FLAGS, _FLAG)
)
_KIND = rule(lambda kind: isinstance(kind, str) and kind in FORMS, to_translate("there is no such kind of block."))
_BLOCK = object_of({"name": line(100), "kind": _KIND, "settings": _settings_faults, "questions": list_of(_ANY)})
_DOCUMENT = object_of(
    {"candor": _ANY, "title": line(LONGEST_TITLE)}
    | {"languages": language_tags, "access": one_of(Survey.Access.values)}
    | dict.fromkeys(TEXTS, texts)
    | dict.fromkeys(FLAGS, _FLAG)
    | {"expected": whole_number(LARGEST_COUNT), "protection": _protection_faults}
    | {"pages": _page_faults, "blocks": list_of(_BLOCK)},
    change_part.shape,
)
