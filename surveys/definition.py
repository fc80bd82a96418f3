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
     "no_skip"?: "…",                                   why it is sensitive and has no "prefer not to say"
     "when"?: {"question": "gender", "is": ["f"]},      asked only in this case; both are undisguised questions. Also
                                                        several cases, {"all": [CASE, …]} or {"any": [CASE, …]}
     "out"?: ["under18"],                               answers that end the visit; of an undisguised question
     "enough"?: {"law": 200},                           answers that do so once about so many people gave them
     "parameter"?: "source",                            not asked: of the address, one of few undisguised "options"
     "pipes"?: {"job": TEXT},                           in its texts {job} is the answer to an undisguised question of
                                                        an earlier page; without an answer it is this text
     "media"?: {"file": {"en": NAME}, "words": TEXT},   a picture or a sound, of the main language and perhaps others
     "chances"?: [2147483648, 2147483648],              not asked: the device draws one of its undisguised "options",
                                                        with these chances out of 2^32; conditions may depend on it
     …}                                                 and the fields of its type, described in its module:
     "shuffle"?: true, "options"?: [{"value": "18-29", "label": TEXT, "last"?: true}, …],
     "items"?: [{"id": "drugs", "label": TEXT, "last"?: true}, …], "min"?, "max"?, "ends"?: {"low": TEXT, "high": TEXT}

A sensitive question is an item of the design with the same id, or one item for each of its "items"; options are in the
same order. Undisguised answers are sent as they are, in the form that the module of their type describes.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privacy.design import Design
from privacy.design.rationals import ONE
from privacy.errors import EntryError, InputError, to_translate
from surveys.conditions import check_shape, leaves
from surveys.features import ENTRIES, Around, anchor, asked, check_entries, files, lot, noisy_counts, panel
from surveys.features.panel import PARAMETER, PARAMETER_RULE
from surveys.media import check_media
from surveys.questions import TYPES, Entry, PublishedQuestion, Values, disguise_of, type_of

TOO_EARLY = to_translate("an answer can stand only in a text of a later page, in every order.")
CHANCES_RULE = to_translate("the device draws one of the options: give each a proportion above 0, such as 1 : 1.")
BY_CHANCE = to_translate(
    "its condition needs a question that comes earlier in every order: let neither page nor questions change places."
)
BODY_LIMIT = 64 * 1024
MOST_GROUPS = 20  # that the address may name, or that are counted
ENOUGH = (20, 10_000_000)  # the least and most people of a group: no fewer than are sealed together
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
_QUESTION_FIELDS = frozenset(
    (
        *("id", "type", "sensitive", "text", "help", "required", "no_skip", "when", "out", "parameter", "chances"),
        *("enough", "pipes", "media"),
    )
).union(
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
            _check_text(document[name], languages, name)
        design = Design.parse(document["design"])
        questions = tuple(read_question(entry, languages) for page in document["pages"] for entry in page["questions"])
        for page in document["pages"]:
            if "title" in page:
                _check_text(page["title"], languages, "page title")
            if not {page.get("shuffle", True), page.get("moves", True)} == {True}:
                raise InputError("shuffle and moves of a page are true, or are left out.")
        if document["access"] not in ("open", "invitation"):
            raise InputError(f"access is '{document['access']}', must be 'open' or 'invitation'.")
        if (document["access"] == "invitation") != ("key" in document):
            raise InputError("key: the definition must have a signing key if, and only if, access is by invitation.")
        check_names((*questions, *asked(design)))
        check_entries(Around(document, design, questions))
        _check_items(questions, design)
        check_conditions(questions)
        for name in depend_on_chance(document["pages"]):
            raise EntryError(BY_CHANCE, at=f"question '{name}'.when")
        for name in name_too_early(document["pages"]):
            raise EntryError(TOO_EARLY, at=f"question '{name}'.pipes")
        pad = body_size(design, questions, document["access"] == "invitation")
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

    @property
    def is_simulated(self) -> bool:
        """Whether the respondents are simulated."""
        return "simulated" in self.source

    @property
    def early(self) -> bool:
        """Say whether respondents read that responses may be looked at before the version is closed."""
        return "early" in self.source

    @property
    def keeps_texts_beside(self) -> bool:
        """Say whether respondents read that their texts stay beside their other answers in files."""
        return "beside" in self.source

    @property
    def draws_by_token(self) -> bool:
        """Whether the token of the invitation draws what is asked, so that nobody can choose it."""
        return "drawn" in self.source

    @property
    def panel_number(self) -> str | None:
        """The parameter with a panel's number of a person, which lets each in once; None where nothing does so."""
        return panel.number_of(self.source)

    @property
    def _entries(self) -> Iterator[Mapping[str, Any]]:
        """The questions as they are written."""
        return (question for page in self.source["pages"] for question in page["questions"])

    @property
    def parameters(self) -> dict[str, str]:
        """The parameter of the address that answers a question, by the question's name."""
        return {question["id"]: question["parameter"] for question in self._entries if "parameter" in question}

    @property
    def files(self) -> set[str]:
        """The names of the pictures and sounds that it uses."""
        with_media = (question for question in self._entries if "media" in question)
        beside = {name for question in with_media for name in question["media"]["file"].values()}
        return beside | files(self.source)

    @property
    def lot(self) -> float | None:
        """The chance with which a device draws that its respondent is asked directly; None where people choose."""
        return lot.chance(self.source)

    @property
    def anchor(self) -> tuple[str, float] | None:
        """The answer whose share is known from elsewhere, and that share."""
        return anchor.known(self.source)

    @property
    def after(self) -> str | None:
        """The hash of the version whose figures chose what this one asks: its people do not answer here."""
        return self.source.get("after")

    @property
    def central(self) -> noisy_counts.Central | None:
        """The noise with which undisguised answers are counted; None where they leave the site as they are."""
        return noisy_counts.central(self.source)

    @property
    def open_questions(self) -> tuple[PublishedQuestion, ...]:
        return tuple(question for question in self.questions if not question.sensitive)

    @property
    def beside_records(self) -> tuple[PublishedQuestion, ...]:
        """The data stored openly beside a record: undisguised answers, and what the device says beside them."""
        return (*self.open_questions, *asked(self.design))

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
    for question in (*questions, *asked(design)):
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
    _check_text(entry.get("text"), languages, f"question '{name}': text")
    if "help" in entry:
        _check_text(entry["help"], languages, f"question '{name}': help")
    for text in entry.get("ends", {}).values():
        _check_text(text, languages, f"question '{name}': ends of the scale")
    for text in _pipes(entry).values():
        _check_text(text, languages, f"question '{name}': text without an answer")
        if languages and not any(text.values()):
            raise InputError(f"question '{name}': say what stands in its text without an answer.")
    if "media" in entry:
        check_media(entry["media"], languages, f"question '{name}'.media")
    for option in (*entry.get("options", ()), *entry.get("items", ())):
        _check_text(option.get("label"), languages, f"question '{name}': label")
    if not TYPES[entry["type"]].fields & {"min", "max"} and (
        entry.get("min") is not None or entry.get("max") is not None
    ):
        raise EntryError("this type has neither min nor max.", at=f"question '{name}'.min")
    text = entry.get("no_skip", "why")
    if not isinstance(text, str) or not text or ("no_skip" in entry and not entry.get("sensitive")):
        raise InputError(f"question '{name}': no_skip is a text, of a sensitive question.")
    when = entry.get("when") or None
    if when is not None:
        check_shape(when, f"question '{name}'.when")
    question = PublishedQuestion(
        id=name,
        type=entry["type"],
        sensitive=bool(entry.get("sensitive")),
        required=bool(entry.get("required") or entry.get("chances")),
        when=when,
        out=tuple(entry.get("out", ())),
        enough=entry.get("enough", {}),
        pipes=tuple(_pipes(entry)),
        chances=tuple(entry.get("chances", ())),
    )
    question = type_of(question).read(question, entry)
    _check_chances(question, entry)
    _check_ends_and_parameter(question, entry)
    return question


def _pipes(entry: Entry) -> dict[str, Any]:
    pipes = entry.get("pipes", {})
    if not isinstance(pipes, dict):
        raise InputError(f"question '{entry['id']}': pipes names questions, each with a text.")
    return pipes


def check_enough(people: Any, at: str) -> None:
    """Refuse a number of people that cannot be enough for a group."""
    least, most = ENOUGH
    if not isinstance(people, int) or not least <= people <= most:
        raise EntryError(
            "a group has enough people with {least} to {most}, not with “{people}”.",
            at=at,
            people=str(people)[:20],
            least=least,
            most=most,
        )


def _check_ends_and_parameter(question: PublishedQuestion, entry: Entry) -> None:
    """Check which answers end the visit or come from the address: no sensitive ones, as others learn these."""
    out, enough, parameter, at = question.out, question.enough, entry.get("parameter"), f"question '{question.id}'"
    if question.sensitive and (out or enough or parameter):
        raise EntryError(
            "a sensitive answer cannot end the visit, nor come from the address: others would learn it.", at=at
        )
    countable = bool(question.options) and not question.items
    if not isinstance(enough, dict) or len(enough) > (MOST_GROUPS if countable else 0):
        raise EntryError(
            "only people who choose one option are counted, of {most} options at most.", at=at, most=MOST_GROUPS
        )
    answers = type_of(question).answers(question) if out or enough else ()
    for value in (*out, *enough):
        if value not in answers:
            raise EntryError("there is no answer “{value}” that could end the visit.", at=at, value=value)
    if out and set(out) >= set(answers):
        raise EntryError("each answer would end the visit: leave one that does not.", at=at)
    for people in enough.values():
        check_enough(people, at)
    if parameter is None:
        return
    if not isinstance(parameter, str) or not PARAMETER.fullmatch(parameter):
        raise EntryError(PARAMETER_RULE, at=at)
    if not 0 < len(question.options) <= MOST_GROUPS or question.items:
        raise EntryError("only one of at most {most} options can come from the address.", at=at, most=MOST_GROUPS)
    if question.required or out or enough:
        raise EntryError("what comes from the address is neither required, nor does it end the visit.", at=at)


def _check_chances(question: PublishedQuestion, entry: Entry) -> None:
    """Check the chances of a question that a device answers by a draw; it must be undisguised, and end no visit."""
    chances, at = question.chances, f"question '{question.id}'.chances"
    if not chances:
        return
    if question.sensitive or {"when", "out", "enough", "parameter", "required"} & entry.keys():
        raise EntryError(
            "what the device draws is undisguised: it has no condition or parameter, ends no visit, is not required.",
            at=at,
        )
    whole = all(isinstance(chance, int) and chance > 0 for chance in chances)
    if question.items or len(chances) != len(entry.get("options", ())) or not whole or sum(chances) != ONE:
        raise EntryError(CHANCES_RULE, at=at)


def _check_text(value: object, languages: list[str], name: str) -> None:
    """Check a text by language, which must be given in every language or in none."""
    if not isinstance(value, dict) or any(not isinstance(text, str) for text in value.values()):
        raise InputError(f"{name}: give a text for each language.")
    for tag in languages:
        if any(value.values()) and not value.get(tag):
            raise InputError(f"{name}: the text in '{tag}' is missing.")


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


def items_of(question: PublishedQuestion) -> Iterable[tuple[str, Values]]:
    """The items of the design that a sensitive question asks for: names, with what may be answered."""
    return disguise_of(question.type, at=f"question '{question.id}'.type").items(question)


def _check_items(questions: tuple[PublishedQuestion, ...], design: Design) -> None:
    asked = dict(item for question in questions if question.sensitive for item in items_of(question))
    disguised = {item.id: item.answers for item in design.items}
    for name in sorted(asked.keys() ^ disguised.keys()):
        if name in asked:
            raise InputError(f"question '{name}' is sensitive but is in no block of the design.")
        raise InputError(f"item '{name}' of the design is asked by no sensitive question.")
    for name, answers in asked.items():
        if answers != disguised[name]:
            raise InputError(f"question '{name}': its answers differ from those of the item in the design.")


def depend_on_chance(pages: Sequence[Entry]) -> Iterator[str]:
    """Yield the questions with a condition on one that does not come earlier in every order that a device may draw."""
    places, page_of = _places_of_pages(pages)
    for at, page in enumerate(pages):
        for entry in page["questions"]:
            named = (page_of.get(leaf["question"]) for leaf in leaves(entry.get("when")))
            if any(
                page.get("shuffle") if earlier == at else places[earlier][1] >= places[at][0]
                for earlier in named
                if earlier is not None
            ):
                yield entry["id"]


def name_too_early(pages: Sequence[Entry]) -> Iterator[str]:
    """Yield the questions whose texts hold an answer that may be given on the same page, or later."""
    places, page_of = _places_of_pages(pages)
    for at, page in enumerate(pages):
        for entry in page["questions"]:
            earlier = (page_of[name] for name in entry.get("pipes", ()) if name in page_of)
            if any(places[other][1] >= places[at][0] for other in earlier):
                yield entry["id"]


def _places_of_pages(pages: Sequence[Entry]) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """The first and last place that each page may have, and the page's number by the name of each question on it."""
    moving = [place for place, page in enumerate(pages) if page.get("moves")]
    places = [(moving[0], moving[-1]) if page.get("moves") else (at, at) for at, page in enumerate(pages)]
    page_of = {
        entry["id"]: at
        for at, page in enumerate(pages)
        for entry in page["questions"]
        if not entry.get("parameter") and not entry.get("chances")  # these are known from the beginning
    }
    return places, page_of


def check_conditions(questions: tuple[PublishedQuestion, ...]) -> None:
    """Refuse a condition or text that names anything but an earlier undisguised question: no sensitive answer may
    decide what is shown.
    """
    earlier: dict[str, PublishedQuestion] = {}
    for question in questions:
        for leaf in leaves(question.when):
            name, at = leaf["question"], f"question '{question.id}'.when"
            if question.sensitive or name not in earlier or earlier[name].sensitive:
                raise EntryError("a condition must depend on an earlier undisguised question.", at=at)
            if not set(leaf["is"]) <= set(type_of(earlier[name]).answers(earlier[name])):
                raise EntryError("its condition needs an option of '{name}'.", at=at, name=name)
        for name in question.pipes:
            if name not in earlier or earlier[name].sensitive or earlier[name].items:
                raise EntryError(
                    "“{name}” stands in a text, so it must be an earlier undisguised question with one answer.",
                    at=f"question '{question.id}'.pipes",
                    name=name,
                )
        earlier[question.id] = question
