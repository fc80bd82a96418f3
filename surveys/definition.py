"""The published questionnaire: one JSON document, the same bytes for every respondent, named by its SHA-256.

    {"candor": 1, "slug": "demo", "languages": ["en", "zh-hans"],          main language first
     "title": TEXT, "who": TEXT, "why": TEXT, "consent": TEXT, "closing": TEXT,      TEXT = {"en": "…", "zh-hans": "…"}
     "design": {…},                          the canonical design, probabilities as numerators over 2^32
     "access": "open" | "invitation",        the second with "key": {"n": base64url, "e": "AQAB"} of its signer
     "override": null | {"by": "…", "reason": "…", "gamma": 4090.0 | "Infinity", "limit": 19.0},
     "simulated": true, "trial": true,       only where they are so
     "early": true,                          only where responses may be looked at before the version is closed
     "beside": true,                         only where texts stay beside the other answers in files
     "comprehension": true,                  only where a question about the disguise stands before the first page
     "drawn": true,                          only where the token of the invitation draws what is asked
     …                                       the entries of the other features, which surveys.features describe
     "pages": [{"number"?: 3, "title"?: TEXT, "shuffle"?: true, "moves"?: true, "questions": [QUESTION, …]}, …],
                                             the number if it is not its place; the device draws the order of the
                                             questions of a page, and of those pages that move, among their places
     "pad": 1024}                            the size in bytes of every submission, whatever is answered

    QUESTION = {"id": "age", "type": one of surveys.questions.TYPES, "sensitive": true | false,
     "text": TEXT, "help"?: TEXT, "required"?: true,
     …}                                                 the fields of surveys.features.questions, and those of its
                                                        type, each described in its module:
     "shuffle"?: true, "options"?: [{"value": "18-29", "label": TEXT, "last"?: true}, …],
     "items"?: [{"id": "drugs", "label": TEXT, "last"?: true}, …], "min"?, "max"?, "ends"?: {"low": TEXT, "high": TEXT}

A sensitive question is an item of the design with the same id, or one item for each of its "items"; options are in the
same order. Undisguised answers are sent as they are, in the form that the module of their type describes.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from privacy.design import Design
from privacy.errors import EntryError, InputError
from surveys.features import ENTRIES, Around, check_entries, device_questions, files_of_looks, invited_by, let_in_by
from surveys.features.questions import FIELDS, check_references, fields_of, late_references, media
from surveys.questions import TYPES, Asks, Entry, PublishedQuestion, Values, disguise_of, type_of
from surveys.questions.question import check_text

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
_FIELDS = ENTRIES.union(_SHOWN, ("simulated", "trial", "pages", "pad"))
_QUESTION_FIELDS = frozenset(("id", "type", "sensitive", "text", "help", "required", *FIELDS)).union(
    *(each.fields for each in TYPES.values())  # of all types: a field that belongs to another type is not refused
)


@dataclass(frozen=True)
class Definition:
    slug: str
    design: Design
    access: str
    questions: tuple[PublishedQuestion, ...]
    pad: int
    source: dict[str, Any] = field(repr=False)

    @classmethod
    def parse(cls, source: bytes | dict[str, Any]) -> "Definition":
        """Read and check a whole definition; InputError says the first thing that is wrong."""
        document = json.loads(source) if isinstance(source, bytes) else source
        unknown = sorted(set(document) - _FIELDS)
        if unknown:
            raise InputError(f"the definition has an unknown field '{unknown[0]}'.")
        languages = document["languages"]
        if not languages or len(set(languages)) != len(languages):
            raise InputError("languages: give at least one language, each once.")
        for name in ("title", "who", "why", "consent", "closing"):
            check_text(document[name], languages, name)
        design = Design.parse(document["design"])
        questions = tuple(read_question(entry, languages) for page in document["pages"] for entry in page["questions"])
        for page in document["pages"]:
            if "title" in page:
                check_text(page["title"], languages, "page title")
            if not {page.get("shuffle", True), page.get("moves", True)} == {True}:
                raise InputError("shuffle and moves of a page are true, or are left out.")
        if document["access"] not in ("open", "invitation"):
            raise InputError(f"access is '{document['access']}', must be 'open' or 'invitation'.")
        if (document["access"] == "invitation") != ("key" in document):
            raise InputError("key: the definition must have a signing key if, and only if, access is by invitation.")
        beside = device_questions(design, document)
        check_names((*questions, *beside))
        check_entries(Around(document, design, questions))
        _check_items(questions, design)
        check_references(questions)
        for name, late in late_references(document["pages"]):
            raise EntryError(late.too_late, at=f"question '{name}'.{late.name}")
        pad = body_size(design, (*questions, *beside), document["access"] == "invitation")
        if document.get("pad", pad) != pad:
            raise InputError(f"pad is {document['pad']}, the questions need {pad}.")
        if pad > BODY_LIMIT:
            raise EntryError(
                "the undisguised answers may need {pad} bytes, more than {most}: allow shorter texts.",
                pad=pad,
                most=BODY_LIMIT,
            )
        return cls(document["slug"], design, document["access"], questions, pad, {**document, "pad": pad})

    def to_bytes(self) -> bytes:
        """The bytes that are hashed, stored and served."""
        return json.dumps(self.source, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The published entry of each question by its name, in the order of the questionnaire."""
        return {entry["id"]: entry for page in self.source["pages"] for entry in page["questions"]}

    @property
    def is_simulated(self) -> bool:
        return "simulated" in self.source

    @property
    def early(self) -> bool:
        """Say whether respondents read that responses may be looked at before the version is closed."""
        return "early" in self.source

    @property
    def keeps_texts_in_records(self) -> bool:
        """Say whether respondents read that their texts stay beside their other answers in files."""
        return "beside" in self.source

    @property
    def draws_by_token(self) -> bool:
        """Whether the token of the invitation draws what is asked, so that nobody can choose it."""
        return "drawn" in self.source

    @property
    def let_in_by(self) -> str | None:
        """The parameter of the address whose value lets each person in once; None where nothing does so."""
        return let_in_by(self.source)

    @property
    def invited_by(self) -> str | None:
        """The slug of the other survey whose invitations let people in; None where its own do."""
        return invited_by(self.source)

    @property
    def has_texts(self) -> bool:
        """Whether people may write in their own words, which may tell who they are."""
        return any(TYPES[entry["type"]].asks is Asks.TEXT for entry in self.entries.values())

    @property
    def has_invitations(self) -> bool:
        """Whether people need an invitation that somebody makes for this survey."""
        return self.access == "invitation" and not self.let_in_by and not self.invited_by

    @property
    def files(self) -> set[str]:
        """The names of the pictures and sounds that it uses."""
        return media.files_of(self.source) | files_of_looks(self.source)

    @property
    def open_questions(self) -> tuple[PublishedQuestion, ...]:
        return tuple(question for question in self.questions if not question.sensitive)

    @property
    def beside_records(self) -> tuple[PublishedQuestion, ...]:
        """The data stored openly beside a record: undisguised answers, and what the device says beside them."""
        return (*self.open_questions, *device_questions(self.design, self.source))

    @property
    def open_size(self) -> int:
        """The bytes of the longest undisguised answers, as a JSON object."""
        return len("{}") + sum(map(_longest_entry, self.beside_records))


def body_size(design: Design, questions: tuple[PublishedQuestion, ...], invitation: bool) -> int:
    """The bytes that the longest possible submission needs; every submission is filled up to this size."""
    size = len('{"version":"","key":"","direct":0,"record":[],"open":{},"pad":""}') + 64 + 32
    if invitation:
        size += len(',"token":{"message":"","signature":""}') + 43 + 512
    size += sum(max(len("null,"), len(f"{field.size - 1},")) for field in design.fields)
    for question in questions:
        if not question.sensitive:
            size += _longest_entry(question)
    return size


def _longest_entry(question: PublishedQuestion) -> int:
    """The bytes of the longest answer to a question in a JSON object: its name, the answer and a comma."""
    return len(question.id) + len('"":,') + type_of(question).longest(question)


def read_question(entry: Entry, languages: list[str]) -> PublishedQuestion:
    """Read and check the entry of a question, with texts in these languages; InputError says what is wrong."""
    name = entry.get("id")
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
        raise EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=f"question '{name}'")
    unknown = sorted(set(entry) - _QUESTION_FIELDS)
    if unknown:
        raise InputError(f"question '{name}' has an unknown field '{unknown[0]}'.")
    if entry.get("type") not in TYPES:
        raise InputError(f"question '{name}': type '{entry.get('type')}' must be one of {', '.join(TYPES)}.")
    check_text(entry.get("text"), languages, f"question '{name}': text")
    if "help" in entry:
        check_text(entry["help"], languages, f"question '{name}': help")
    for text in entry.get("ends", {}).values():
        check_text(text, languages, f"question '{name}': ends of the scale")
    for option in (*entry.get("options", ()), *entry.get("items", ())):
        check_text(option.get("label"), languages, f"question '{name}': label")
    if not TYPES[entry["type"]].fields & {"min", "max"} and (
        entry.get("min") is not None or entry.get("max") is not None
    ):
        raise EntryError("this type has neither min nor max.", at=f"question '{name}'.min")
    known: dict[str, Any] = {"required": bool(entry.get("required"))}
    for own in fields_of(entry):
        known |= own.read(entry, f"question '{name}'", languages)
    question = PublishedQuestion(id=name, type=entry["type"], sensitive=bool(entry.get("sensitive")), **known)
    question = type_of(question).read(question, entry)
    for own in fields_of(entry):
        own.check(question, entry)
    return question


def check_names(questions: tuple[PublishedQuestion, ...]) -> None:
    if not questions:
        raise EntryError("the questionnaire has no questions.")
    taken = set[str]()
    for question in questions:
        for name in question.items or (question.id,):
            at = f"question '{question.id}'.options"
            if not _IDENTIFIER.fullmatch(name):
                raise EntryError("a name is a small letter, then up to 39 of a-z, 0-9, - and _.", at=at)
            if name in taken:
                raise EntryError("the name '{name}' is used for two questions or items.", at=at, name=name)
            taken.add(name)


def asked_items(question: PublishedQuestion) -> Iterable[tuple[str, Values]]:
    """The items of the design that a sensitive question asks for: names, with what may be answered."""
    return disguise_of(question.type, at=f"question '{question.id}'.type").items(question)


def _check_items(questions: tuple[PublishedQuestion, ...], design: Design) -> None:
    asked = dict(item for question in questions if question.sensitive for item in asked_items(question))
    disguised = {item.id: item.answers for item in design.items}
    for name in sorted(asked.keys() ^ disguised.keys()):
        if name in asked:
            raise InputError(f"question '{name}' is sensitive but is in no block of the design.")
        raise InputError(f"item '{name}' of the design is asked by no sensitive question.")
    for name, answers in asked.items():
        if answers != disguised[name]:
            raise InputError(f"question '{name}': its answers differ from those of the item in the design.")
