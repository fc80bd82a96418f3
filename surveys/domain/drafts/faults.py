"""What is wrong with a document, each fault with its place. What is merely unfinished is no fault.

A place is the way there in the JSON file, such as `pages[0].questions[2].options[1].value`. The shape of a document
(surveys.domain.questionnaire.document) is written down once, at the end; above it stand the rules of its values.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from privacy.errors import EntryError, to_translate
from surveys.conditions import MOST_ANSWERS, check_shape
from surveys.domain.drafts import change_part
from surveys.domain.drafts.protect import AFTER, check_after, read_wishes
from surveys.domain.drafts.rules import answer_list
from surveys.domain.questionnaire.document import (
    FLAGS,
    FORMAT,
    NAME,
    PAGE_FLAGS,
    QUESTION_FLAGS,
    QUESTION_LINES,
    QUESTION_TEXTS,
    TEXTS,
)
from surveys.domain.questionnaire.guess import GUESS, check_guess
from surveys.domain.questionnaire.languages import TAG
from surveys.features.looks.shades import check_color
from surveys.features.page_texts.draft import check_page_texts
from surveys.features.panel.draft import FIELDS, PANELS, check_entered
from surveys.kinds import BLOCK_FIELDS, QUESTION_FIELDS, form_of
from surveys.kinds.forms import Value
from surveys.media import is_name, is_picture
from surveys.models import Survey
from surveys.questions import TYPES
from surveys.questions.entered import LARGEST
from surveys.questions.place import check_map

Faults = Iterable[EntryError]
Rule = Callable[[Any, str], Faults]
"""What is wrong with a value at a place."""

MOST_QUESTIONS = 500
MOST_OPTIONS = 200
LONGEST_TITLE = 200
LONGEST_LINE = 20
LONGEST_ANCHOR = 100
LONGEST_VALUE = 40
LONGEST_WORD = 300  # of a list: three answers with their questions
LONGEST_TEXT = 20_000
LONGEST_REASON = 200
LONGEST_END = 500  # an address
MOST_PIPES = 20
_LANGUAGES = 100  # letters of all tags together
_LARGEST = 2**31 - 1


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


def _object(own: Mapping[str, Rule], others: Callable[[], Mapping[str, Rule]] = dict) -> Rule:
    """An object that has these members and those of `others`, and no more."""

    def find_faults(value: Any, at: str) -> Faults:
        members = {**own, **others()}
        if not isinstance(value, dict):
            yield EntryError("this is an object.", at=at)
            return
        start = f"{at}." if at else ""
        for name in (name for name in members if name not in value):
            yield EntryError("this is missing.", at=f"{start}{name}")
        for name in (name for name in value if name not in members):
            yield EntryError("there is no field with this name.", at=f"{start}{str(name)[:LONGEST_VALUE]}")
        for name, rule in members.items():
            if name in value:
                yield from rule(value[name], f"{start}{name}")

    return find_faults


def _list_of(rule: Rule) -> Rule:
    """A list whose values all follow the rule."""

    def find_faults(values: Any, at: str) -> Faults:
        if not isinstance(values, list):
            yield EntryError("this is a list.", at=at)
            return
        for place, value in enumerate(values):
            yield from rule(value, f"{at}[{place}]")

    return find_faults


def _or_null(rule: Rule) -> Rule:
    return lambda value, at: () if value is None else rule(value, at)


def _or_empty(rule: Rule) -> Rule:
    return lambda value, at: () if value == "" else rule(value, at)


def _rule(holds: Callable[[Any], bool], sentence: str, **values: Any) -> Rule:
    """Make a rule: where the condition does not hold for a value, the sentence (with its values) is its fault."""
    return lambda value, at: () if holds(value) else (EntryError(sentence, at, **values),)


def _one_of(values: Collection[str]) -> Rule:
    listed = to_translate("this is one of: {values}.")
    return _rule(lambda value: isinstance(value, str) and value in values, listed, values=", ".join(values))


def _whole(most: int) -> Rule:
    sentence = to_translate("this is a whole number from {least} to {most}.")
    return _rule(lambda value: _is_whole(value, 1, most), sentence, least=1, most=most)


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _line(longest: int) -> Rule:
    def find_faults(value: Any, at: str) -> Faults:
        if not isinstance(value, str):
            yield EntryError("this is a text.", at=at)
        elif len(value) > longest:
            yield EntryError("these are {count} characters, more than {most}.", at, count=len(value), most=longest)
        elif "\n" in value:
            yield EntryError("this must be one line.", at=at)

    return find_faults


def _texts(value: Any, at: str) -> Faults:
    texts = value if isinstance(value, dict) else {"": None}
    for tag, text in texts.items():
        if not isinstance(tag, str) or not TAG.fullmatch(tag) or not isinstance(text, str):
            yield EntryError("this is an object from language tags to texts.", at=at)
        elif len(text) > LONGEST_TEXT:
            values = {"count": len(text), "most": LONGEST_TEXT}
            yield EntryError("these are {count} characters, more than {most}.", at=f"{at}.{tag}", **values)


def _language_faults(tags: Any, at: str) -> Faults:
    if not isinstance(tags, list) or not tags or not all(isinstance(tag, str) and TAG.fullmatch(tag) for tag in tags):
        yield EntryError("list language tags in small letters, the main language first: en, zh-hans.", at=at)
    elif len(set(tags)) < len(tags) or len(" ".join(tags)) > _LANGUAGES:
        yield EntryError("give each language once, and not too many.", at=at)


def _people_faults(numbers: Any, at: str) -> Faults:
    """How many people with which answer: an object from a few answers to whole numbers."""
    few = isinstance(numbers, dict) and len(numbers) <= MOST_ANSWERS
    if not few or not all(_is_whole(number, 0, _LARGEST) for number in numbers.values()):
        yield EntryError("this gives a number of people to each of a few answers.", at=at)


def _option_faults(options: Any, at: str) -> Faults:
    yield from _list_of(_OPTION)(options, at)
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
    yield from _list_of(_PAGE)(pages, at)
    last = 0
    for place, page in enumerate(pages):
        number = page.get("number", last + 1) if isinstance(page, dict) else last + 1
        if not _is_whole(number, last + 1, 32767):
            yield EntryError("pages must have rising whole numbers.", at=f"{at}[{place}].number")
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


def _faults_by(by: Callable[[Any, str], object]) -> Rule:
    """Make a rule of a function that raises EntryError for a wrong value."""

    def find_faults(value: Any, at: str) -> Faults:
        try:
            by(value, at)
        except EntryError as fault:
            yield fault

    return find_faults


def _protection_faults(chosen: Any, at: str) -> Faults:
    yield from (faults := list(_settings_faults(chosen, at)))
    if not faults:
        yield from _faults_by(lambda protection, _at: read_wishes({"protection": protection}))(chosen, at)


def _page_text_faults(languages: Any, at: str) -> Faults:
    tags = list(languages) if isinstance(languages, dict) else [None]
    yield from _language_faults(tags, at) if tags else ()
    for tag in tags if isinstance(languages, dict) else ():
        yield from _faults_by(check_page_texts)(languages[tag], f"{at}.{tag}")


def _panel_faults(panel: Any, at: str) -> Faults:
    yield from (faults := list(_or_null(_PANEL)(panel, at)))
    if not faults:
        yield from _faults_by(check_entered)(panel, at)


def _file_faults(files: Any, at: str) -> Faults:
    """A file for each of some languages."""
    yield from _texts(files, at)
    if files == {}:
        yield EntryError("this is no file of a survey.", at=at)
    for tag, name in files.items() if isinstance(files, dict) else ():
        yield from _FILE(name, f"{at}.{tag}")


def _pipe_faults(pipes: Any, at: str) -> Faults:
    if not isinstance(pipes, dict) or len(pipes) > MOST_PIPES:
        yield EntryError("this is an object from names of questions to texts, not too many.", at=at)
        return
    for name, text in pipes.items():
        yield from _NAME(name, at)
        yield from _texts(text, f"{at}.{name[:LONGEST_VALUE]}")


def _kind_faults(kind: Any, at: str) -> Faults:
    try:
        form_of(kind)
    except (KeyError, TypeError):
        yield EntryError("there is no such kind of block.", at=at)


# ---- the shape ------------------------------------------------------------------------------------------------------

_ANY = _rule(lambda _value: True, "")
_FLAG = _rule(lambda value: isinstance(value, bool), to_translate("this is true or false."))
_ONE = _rule(_is_plain, to_translate("this is a number or a short text."))
_SOME = _rule(
    lambda value: _is_plain(value) or _is_list_of(_is_plain, value),
    to_translate("this is a number, a short text, or a list of them."),
)
_SHARES = _rule(
    lambda value: _is_plain(value) or _is_list_of(_is_number, value), to_translate("this is a list of numbers.")
)
_ZONES = _rule(
    lambda zones: (
        zones is None or _is_list_of(lambda zone: _is_list_of(_is_number, zone) and len(zone) in (4, 5), zones)
    ),
    to_translate("a zone has four numbers: left, bottom, width and height."),
)
_WORDS = _rule(
    lambda words: _is_list_of(lambda word: isinstance(word, str) and len(word) <= LONGEST_WORD, words),
    to_translate("this is a list of words."),
)
_OF_VALUE = {
    Value.SHARES: _SHARES,
    Value.NUMBERS: _rule(lambda values: _is_list_of(_is_number, values), to_translate("this is a list of numbers.")),
    Value.WORDS: _WORDS,
    Value.MAP: _faults_by(check_map),
    Value.ZONES: _ZONES,
}
_ENTERED = {name: _OF_VALUE.get(field.value, _ONE) for name, field in (BLOCK_FIELDS | QUESTION_FIELDS).items()}
_ENTERED[GUESS] = _faults_by(check_guess)
_ENTERED[AFTER] = _faults_by(check_after)
_NAME = _rule(
    lambda name: isinstance(name, str) and NAME.fullmatch(name) is not None,
    to_translate("a name is a small letter, then up to 39 of a-z, 0-9, - and _."),
)
_FILE = _rule(is_name, to_translate("this is no file of a survey."))
_PICTURE = _rule(lambda name: is_name(name) and is_picture(name), to_translate("a logo is a picture."))
_PERCENT = _rule(
    lambda share: isinstance(share, int | float) and 0 < share < 100,
    to_translate("this is a number between 0 and 100."),
)
_OPTION = _object({"value": _line(LONGEST_VALUE), "label": _texts, "last": _FLAG, "settings": _settings_faults})
_QUESTION = _object(
    {"id": _NAME, "type": _one_of(TYPES)}
    | dict.fromkeys(QUESTION_TEXTS, _texts)
    | dict.fromkeys(QUESTION_FLAGS, _FLAG)
    | dict.fromkeys(QUESTION_LINES, _line(LONGEST_LINE))
    | {
        "parameter": _line(LONGEST_VALUE),
        "out": answer_list,
        "enough": _people_faults,
        "pipes": _pipe_faults,
        "media": _or_null(_object({"file": _file_faults, "words": _texts})),
        "no_skip": _line(LONGEST_REASON),
        "settings": _settings_faults,
        "options": _option_faults,
    }
    | {"when": _or_null(_faults_by(check_shape))}
)
_PANEL = _object({"by": _one_of(PANELS)} | dict.fromkeys(FIELDS[1:], _line(LONGEST_END)))
_LOOKS = _object({"logo": _or_empty(_PICTURE), "words": _texts, "accent": _or_empty(_faults_by(check_color))})
_PAGE = _object(
    {"number": _ANY, "title": _texts, "ask": _or_null(_whole(MOST_QUESTIONS)), "questions": _list_of(_QUESTION)}
    | dict.fromkeys(PAGE_FLAGS, _FLAG)
)
_BLOCK = _object({"name": _line(100), "kind": _kind_faults, "settings": _settings_faults, "questions": _list_of(_ANY)})
_DOCUMENT = _object(
    {"candor": _ANY, "title": _line(LONGEST_TITLE)}
    | {"languages": _language_faults, "access": _one_of(Survey.Access.values)}
    | dict.fromkeys(TEXTS, _texts)
    | dict.fromkeys(FLAGS, _FLAG)
    | {"lot": _or_null(_whole(99)), "anchor": _or_null(_line(LONGEST_ANCHOR)), "anchor_share": _or_null(_PERCENT)}
    | {"page_texts": _page_text_faults, "panel": _panel_faults, "looks": _LOOKS}
    | {"expected": _whole(_LARGEST), "protection": _protection_faults}
    | {"pages": _page_faults, "blocks": _list_of(_BLOCK)},
    change_part.shape,
)
