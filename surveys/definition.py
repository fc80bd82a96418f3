"""The published questionnaire: one JSON document, the same bytes for every respondent, named by its SHA-256.

    {"candor": 1, "slug": "demo", "languages": ["en", "zh-hans"],          main language first
     "title": TEXT, "who": TEXT, "why": TEXT, "consent": TEXT, "closing": TEXT,      TEXT = {"en": "…", "zh-hans": "…"}
     "design": {…},                          the canonical design, probabilities as numerators over 2^32
     "access": "open" | "invitation",        the latter with "key": {"n": base64url, "e": "AQAB"} of the blind signer
     "override": null | {"by": "…", "reason": "…", "gamma": 4090.0 | "Infinity", "limit": 19.0},
     "simulated": true, "trial": true,       only where they are so
     "pages": [{"number"?: 3, "title"?: TEXT, "questions": [QUESTION, …]}, …],   number: its author’s, if not its place
     "pad": 1024}                            bytes of every submission, whatever the answers

    QUESTION = {"id": "age", "type": "yesno" | "choice" | "several" | "scale" | "number" | "text" | "date",
     "sensitive": true | false, "text": TEXT, "help"?: TEXT, "required"?: true, "shuffle"?: true,
     "options"?: [{"value": "18-29", "label": TEXT, "last"?: true}, …],     choice; yesno with more than yes and no
     "items"?: [{"id": "drugs", "label": TEXT}, …],                         several: one yes/no item each
     "min"?, "max"?,        scale and number: numbers; date: "YYYY-MM-DD"; text: "max" counts UTF-16 units
     "ends"?: {"low": TEXT, "high": TEXT},                                  scale
     "when"?: {"question": "gender", "is": ["f"]}}                          shown only then; both are open questions

A sensitive question is an item of the design with its id (sensitive `several`: every one of its items is), options in
the same order; a scale's options are "min" … "max" as decimal strings. Open answers travel as given: yesno "0" or "1",
choice and scale the option's value, several the list of item ids, number a JSON number, text and date strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from privacy.design import Design
from privacy.errors import EntryError, InputError

SENSITIVE_TYPES = ("yesno", "choice", "several", "scale")
TYPES = (*SENSITIVE_TYPES, "number", "text", "date")
LONGEST_TEXT = 4000
BODY_LIMIT = 64 * 1024
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_SHOWN = (
    "candor",
    "slug",
    "languages",
    "title",
    "who",
    "why",
    "consent",
    "closing",
    "design",
    "access",
    "key",
    "override",
)
_FIELDS = frozenset((*_SHOWN, "simulated", "trial", "pages", "pad"))
_QUESTION_FIELDS = frozenset(
    ["id", "type", "sensitive", "text", "help", "required", "shuffle", "options", "items", "min", "max", "ends", "when"]
)


@dataclass(frozen=True)
class Question:
    """What the server must know of a question to accept an answer; the words stay in the document."""

    id: str
    type: str
    sensitive: bool
    required: bool = False
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    min: int | float | str | None = None
    max: int | float | str | None = None
    when: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Definition:
    slug: str
    design: Design
    access: str
    questions: tuple[Question, ...]
    pad: int
    source: dict[str, Any] = field(repr=False)

    @classmethod
    def parse(cls, source: bytes | dict[str, Any]) -> Definition:
        """A whole, checked definition; raises InputError with the first thing that is wrong."""
        document = json.loads(source) if isinstance(source, bytes) else source
        unknown = sorted(set(document) - _FIELDS)
        if unknown:
            raise InputError(f"the definition has an unknown field '{unknown[0]}'.")
        languages = document["languages"]
        if not languages or len(set(languages)) != len(languages):
            raise InputError("languages: name at least one language, each once.")
        for name in ("title", "who", "why", "consent", "closing"):
            _text(document[name], languages, name)
        design = Design.parse(document["design"])
        questions = tuple(read_question(entry, languages) for page in document["pages"] for entry in page["questions"])
        for page in document["pages"]:
            if "title" in page:
                _text(page["title"], languages, "page title")
        if document["access"] not in ("open", "invitation"):
            raise InputError(f"access is '{document['access']}', must be 'open' or 'invitation'.")
        if (document["access"] == "invitation") != ("key" in document):
            raise InputError("key: the signing key stands in the definition exactly when access is by invitation.")
        check_names(questions)
        _check_items(questions, design)
        check_conditions(questions)
        pad = body_size(design, questions, document["access"] == "invitation")
        if document.get("pad", pad) != pad:
            raise InputError(f"pad is {document['pad']}, the questions need {pad}.")
        if pad > BODY_LIMIT:
            raise EntryError(
                "the open answers may need {pad} bytes, more than {most}: allow shorter texts.",
                pad=pad,
                most=BODY_LIMIT,
            )
        return cls(document["slug"], design, document["access"], questions, pad, {**document, "pad": pad})

    def to_bytes(self) -> bytes:
        """The bytes that are hashed, stored and served."""
        return json.dumps(self.source, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    @property
    def open_questions(self) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if not question.sensitive)


def body_size(design: Design, questions: tuple[Question, ...], invitation: bool) -> int:
    """Bytes that the longest possible submission needs; every submission is padded to it."""
    size = len('{"version":"","key":"","direct":0,"record":[],"open":{},"pad":""}') + 64 + 32
    if invitation:
        size += len(',"token":{"message":"","signature":""}') + 43 + 512
    size += 5 * len(design.items)  # "null," or an option's number and a comma
    for question in questions:
        if not question.sensitive:
            size += len(question.id) + len('"":,') + _longest_answer(question)
    return size


def _longest_answer(question: Question) -> int:
    if question.type == "several":
        return 2 + sum(len(item) + 3 for item in question.items)
    if question.type == "number":
        return 25
    if question.type == "date":
        return 12
    if question.type == "text":
        return 2 + 3 * int(question.max or 0)  # a UTF-16 unit is at most 3 bytes of UTF-8; escaped, 2
    return max(len(json.dumps(value, ensure_ascii=False).encode()) for value in question.options)


def read_question(entry: dict[str, Any], languages: list[str]) -> Question:
    name = entry.get("id")
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
        raise EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=f"question '{name}'")
    unknown = sorted(set(entry) - _QUESTION_FIELDS)
    if unknown:
        raise InputError(f"question '{name}' has an unknown field '{unknown[0]}'.")
    kind, sensitive = entry.get("type"), bool(entry.get("sensitive"))
    if kind not in TYPES:
        raise InputError(f"question '{name}': type '{kind}' must be one of {', '.join(TYPES)}.")
    if sensitive and kind not in SENSITIVE_TYPES:
        raise EntryError(
            "this type cannot be disguised; ask a choice or a scale instead.", at=f"question '{name}'.type"
        )
    _text(entry.get("text"), languages, f"question '{name}': text")
    if "help" in entry:
        _text(entry["help"], languages, f"question '{name}': help")
    for end in entry.get("ends", {}).values():
        _text(end, languages, f"question '{name}': ends of the scale")
    for part in (*entry.get("options", ()), *entry.get("items", ())):
        _text(part.get("label"), languages, f"question '{name}': label")
    low, high = _range(name, kind, entry.get("min"), entry.get("max"))
    when = entry.get("when")
    return Question(
        id=name,
        type=kind,
        sensitive=sensitive,
        required=bool(entry.get("required")),
        options=_options(name, kind, entry, low, high),
        items=tuple(item["id"] for item in entry["items"]) if kind == "several" else (),
        min=low,
        max=high,
        when=(when["question"], tuple(when["is"])) if when else None,
    )


def _options(name: str, kind: str, entry: dict[str, Any], low: Any, high: Any) -> tuple[str, ...]:
    if kind == "several" and not entry.get("items"):
        raise EntryError("list the items it asks for.", at=f"question '{name}'.items")
    if kind == "scale":
        return tuple(str(step) for step in range(low, high + 1))
    if kind == "yesno" and "options" not in entry:
        return ("0", "1")
    values = tuple(option["value"] for option in entry.get("options", ()))
    if kind in ("yesno", "choice") and len(values) < 2:
        raise EntryError("a choice needs at least two options.", at=f"question '{name}'.options")
    if len(set(values)) != len(values):
        raise EntryError("every option has a value of its own.", at=f"question '{name}'.options")
    return values


def _range(name: str, kind: str, low: Any, high: Any) -> tuple[Any, Any]:
    """min and max, of the type that the question's answers have."""
    if kind == "scale":
        if type(low) is not int or type(high) is not int or not 0 < high - low <= 20:
            raise EntryError("a scale needs whole numbers min < max, at most 20 apart.", at=f"question '{name}'.min")
    elif kind == "text":
        high = 500 if high is None else high
        if low is not None or type(high) is not int or not 0 < high <= LONGEST_TEXT:
            raise EntryError(
                "a text has only max, its length, from 1 to {longest}.",
                at=f"question '{name}'.max",
                longest=LONGEST_TEXT,
            )
    elif kind == "number":
        for value in (low, high):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise EntryError("min and max of a number are numbers.", at=f"question '{name}'.min")
    elif kind == "date":
        for value in (low, high):
            if value is not None and not is_date(value):
                raise EntryError("min and max of a date are written YYYY-MM-DD.", at=f"question '{name}'.min")
    elif low is not None or high is not None:
        raise EntryError("only a scale, number, date or text has min and max.", at=f"question '{name}'.min")
    if kind != "text" and low is not None and high is not None and low > high:
        raise EntryError("min {low} is above max {high}.", at=f"question '{name}'.max", low=low, high=high)
    return low, high


def is_date(value: object) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _text(value: object, languages: list[str], name: str) -> None:
    """A text in every language, or empty in all of them."""
    if not isinstance(value, dict) or any(not isinstance(words, str) for words in value.values()):
        raise InputError(f"{name}: give a text for each language.")
    missing = [tag for tag in languages if not value.get(tag)]
    if missing and any(value.values()):
        raise InputError(f"{name}: the text in '{missing[0]}' is missing.")


def check_names(questions: tuple[Question, ...]) -> None:
    if not questions:
        raise EntryError("the questionnaire has no questions.")
    names = [name for question in questions for name in (question.items or (question.id,))]
    for name in names:
        if not _IDENTIFIER.fullmatch(name):
            raise EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=f"item '{name}'")
        if names.count(name) > 1:
            raise EntryError("the name '{name}' stands for two questions or items.", name=name)


def _sensitive_items(questions: tuple[Question, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name and options of everything that must be an item of the design."""
    for question in questions:
        if question.sensitive and question.type == "several":
            yield from ((item, ("0", "1")) for item in question.items)
        elif question.sensitive:
            yield question.id, question.options


def _check_items(questions: tuple[Question, ...], design: Design) -> None:
    asked, disguised = dict(_sensitive_items(questions)), {item.id: item.options for item in design.items}
    for name in sorted(asked.keys() ^ disguised.keys()):
        if name in asked:
            raise InputError(f"question '{name}' is sensitive but stands in no block of the design.")
        raise InputError(f"item '{name}' of the design is asked by no sensitive question.")
    for name, options in asked.items():
        if options != disguised[name]:
            raise InputError(f"question '{name}': its options are not those of the item in the design.")


def check_conditions(questions: tuple[Question, ...]) -> None:
    """Conditions look back at open questions only: what shows must never depend on a true sensitive answer."""
    earlier: dict[str, Question] = {}
    for question in questions:
        if question.when:
            name, values = question.when
            if question.sensitive or name not in earlier or earlier[name].sensitive:
                raise EntryError(
                    "a condition joins an open question to an earlier open one.", at=f"question '{question.id}'.when"
                )
            known = earlier[name].items or earlier[name].options
            if not set(values) <= set(known):
                raise EntryError(
                    "its condition names no option of '{name}'.", at=f"question '{question.id}'.when", name=name
                )
        earlier[question.id] = question
