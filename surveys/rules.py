"""Rules of values that a document and its features share: each says what is wrong with a value at a place."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from privacy.errors import EntryError, InputError, to_translate
from surveys.conditions import MOST_ANSWERS

Faults = Iterable[EntryError]
Rule = Callable[[Any, str], Faults]
"""What is wrong with a value at a place."""

# Browsers refuse other tags (BCP 47): a language, perhaps a script, a region and variants.
TAG = re.compile(r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z0-9]{5,8}|\d[a-z0-9]{3}))*", re.ASCII)
LONGEST_VALUE = 40
LARGEST_COUNT = 2**31 - 1
LONGEST_TEXT = 20_000
LONGEST_LINE = 20
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_LANGUAGES = 100  # letters of all tags together


def object_of(own: Mapping[str, Rule], others: Callable[[], Mapping[str, Rule]] = dict) -> Rule:
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


def list_of(rule: Rule) -> Rule:
    """A list whose values all follow the rule."""

    def find_faults(values: Any, at: str) -> Faults:
        if not isinstance(values, list):
            yield EntryError("this is a list.", at=at)
            return
        for place, value in enumerate(values):
            yield from rule(value, f"{at}[{place}]")

    return find_faults


def or_null(rule: Rule) -> Rule:
    return lambda value, at: () if value is None else rule(value, at)


def or_empty(rule: Rule) -> Rule:
    return lambda value, at: () if value == "" else rule(value, at)


def rule(holds: Callable[[Any], bool], sentence: str, **values: Any) -> Rule:
    """Make a rule: where the condition does not hold for a value, the sentence (with its values) is its fault."""
    return lambda value, at: () if holds(value) else (EntryError(sentence, at, **values),)


def question_name(name: Any, at: str) -> Faults:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=at)


def one_of(values: Collection[str]) -> Rule:
    listed = to_translate("this is one of: {values}.")
    return rule(lambda value: isinstance(value, str) and value in values, listed, values=", ".join(values))


def whole_number(most: int) -> Rule:
    sentence = to_translate("this is a whole number from {least} to {most}.")
    return rule(lambda value: is_whole(value, 1, most), sentence, least=1, most=most)


def is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def line(longest: int) -> Rule:
    def find_faults(value: Any, at: str) -> Faults:
        if not isinstance(value, str):
            yield EntryError("this is a text.", at=at)
        elif len(value) > longest:
            yield EntryError("these are {count} characters, more than {most}.", at, count=len(value), most=longest)
        elif "\n" in value:
            yield EntryError("this must be one line.", at=at)

    return find_faults


def texts(value: Any, at: str) -> Faults:
    own = value if isinstance(value, dict) else {"": None}
    for tag, text in own.items():
        if not isinstance(tag, str) or not TAG.fullmatch(tag) or not isinstance(text, str):
            yield EntryError("this is an object from language tags to texts.", at=at)
        elif len(text) > LONGEST_TEXT:
            values = {"count": len(text), "most": LONGEST_TEXT}
            yield EntryError("these are {count} characters, more than {most}.", at=f"{at}.{tag}", **values)


def language_tags(tags: Any, at: str) -> Faults:
    if not isinstance(tags, list) or not tags or not all(isinstance(tag, str) and TAG.fullmatch(tag) for tag in tags):
        yield EntryError("list language tags in small letters, the main language first: en, zh-hans.", at=at)
    elif len(set(tags)) < len(tags) or len(" ".join(tags)) > _LANGUAGES:
        yield EntryError("give each language once, and not too many.", at=at)


def checked_by(by: Callable[[Any, str], object]) -> Rule:
    """Make a rule of a function that raises InputError for a wrong value."""

    def find_faults(value: Any, at: str) -> Faults:
        try:
            by(value, at)
        except EntryError as fault:
            yield fault
        except InputError as fault:  # a file may hold what no page sends
            yield EntryError(str(fault).replace("{", "{{").replace("}", "}}"), at)

    return find_faults


def answer_list(values: Any, at: str) -> Faults:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        yield EntryError("this is a list of texts.", at=at)
    elif len(values) > MOST_ANSWERS:
        yield EntryError("these are too many answers for a condition: tick fewer.", at=at)
