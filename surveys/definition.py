"""The published questionnaire: one JSON document, the same bytes for every respondent, named by its SHA-256.

    {"candor": 1, "slug": "demo", "languages": ["en", "zh-hans"],          main language first
     "title": TEXT, "who": TEXT, "why": TEXT, "consent": TEXT, "closing": TEXT,      TEXT = {"en": "…", "zh-hans": "…"}
     "design": {…},                          the canonical design, probabilities as numerators over 2^32
     "access": "open" | "invitation",        the second with "key": {"n": base64url, "e": "AQAB"} of its signer
     "override": null | {"by": "…", "reason": "…", "gamma": 4090.0 | "Infinity", "limit": 19.0},
     "simulated": true, "trial": true,       only where they are so
     "comprehension": true,                  only where a question about the disguise stands before the first page
     "early": true,                          only where responses may be looked at before the version is closed
     "beside": true,                         only where texts stay beside the other answers in files
     "drawn": true,                          only where the token of the invitation draws what is asked
     "arms": true,                           only where a block is in two arms, so that each device draws one
     "lot": 858993459,                       only where the device draws who is asked directly: the chance, out of 2^32
     "anchor": {"answer": "born", "share": 0.33},    only where the share of an answer is known from elsewhere
     "careless": {"moon": [0.0, 0.01], …},   only where two answers show who answers without reading: the shares of them
                                             among people who read lie between these bounds
     "after": "…",                           only of a second wave: the hash of the version whose people do not answer
     "central": {"epsilon": 1, "delta"?: 1e-6,   only where undisguised answers leave as counts with noise alone, of
     each
                 "tables"?: [["born", "car"], …]},   column by itself, and of these two together
     "texts": {"it": {"begin": "…", …}},     only where the author of the survey says what the page says in a language
     "unspoken": {"it": "…"},                only where nobody does: why people read the promise in another one
     "panel": {"name": "Prolific", "number"?: "PROLIFIC_PID",    only where people come from a panel: the parameter of
                                                                 the address that holds its number of a person
               "ends": {"sent": {"code"?: "C7K2QD9P", "address"?: "https://…"}, "out"?: …, "full"?: …}},
     "frames": ["https://example.edu", …],   only where pages of other sites may hold the survey: those of these origins
     "looks": {"logo"?: {"file": NAME, "words": TEXT}, "accent"?: {"light": "#17635c", "dark": "#7cc9bd"}},
                                             the survey's own; NAME is the hash of a file, and its type (surveys.media)
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
from fractions import Fraction
from math import ceil, isinf
from typing import Any

from privacy.design import ARM, ARMS, Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.rationals import ONE, fraction
from privacy.errors import EntryError, InputError, to_translate
from privacy.guarantee.bounds import LEAST_EPSILON, MOST_DELTA, MOST_EPSILON
from privacy.reconstruct.anchors import corrected, read_anchors
from privacy.reconstruct.weights import obstacle, require_possible
from surveys.conditions import check_shape, leaves
from surveys.looks import check_looks
from surveys.media import check_media
from surveys.origins import ORIGIN
from surveys.questions import TYPES, Asks, Entry, PublishedQuestion, Values, disguise_of, type_asking, type_of
from surveys.questions.columns import ColumnKind

PARAMETER_RULE = to_translate(
    "a parameter of the address is a letter, then 1 to 39 of a-z, A-Z, 0-9, - and _, such as group."
)
LOT_RULE = to_translate(
    "You draw who is asked directly, but direct answers are not allowed: allow them, or draw nobody."
)
TOO_EARLY = to_translate("an answer can stand only in a text of a later page, in every order.")
CHANCES_RULE = to_translate("the device draws one of the options: give each a proportion above 0, such as 1 : 1.")
BY_CHANCE = to_translate(
    "its condition needs a question that comes earlier in every order: let neither page nor questions change places."
)
BODY_LIMIT = 64 * 1024
RANGES = 10  # of a number that is counted
MOST_CROSSED, MOST_CELLS = 20, 400  # tables of two columns, and the cells of one
ARM_DRAWN = PublishedQuestion(ARM, type_asking(Asks.ONE_OF).name, sensitive=False, required=True, options=ARMS)
"""What a device says beside undisguised answers where the design has two arms, as if it had been asked."""
ENDS = ("sent", "out", "full")  # of a visit, for a panel
PANEL = {"name", "number", "ends"}
MOST_GROUPS = 20  # that the address may name, or that are counted
ENOUGH = (20, 10_000_000)  # the least and most people of a group: no fewer than are sealed together
MOST_FRAMES = 10
_CODE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_ADDRESS = re.compile(r"https://[^\s/?#{}@]+([/?#]([^\s{}]|\{number\})*)?")
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,39}")  # none of ours, which have one letter
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
_SAID = ("comprehension", "early", "beside", "drawn", "arms")  # true, or left out
_FIELDS = frozenset(
    (
        *_SHOWN,
        "simulated",
        "trial",
        *_SAID,
        "lot",
        "anchor",
        "careless",
        "after",
        "central",
        "texts",
        "unspoken",
        "panel",
        "frames",
        "looks",
        "pages",
        "pad",
    )
)
_QUESTION_FIELDS = frozenset(
    (
        *("id", "type", "sensitive", "text", "help", "required", "no_skip", "when", "out", "parameter", "chances"),
        *("enough", "pipes", "media"),
    )
).union(
    *(each.fields for each in TYPES.values())  # of all types: a field that belongs to another type is not refused
)


@dataclass(frozen=True)
class Central:
    """How undisguised answers leave as counts with noise alone: discrete Laplace, or with a δ discrete Gaussian.

    Every column is counted by itself, and the pairs in `tables` together.
    """

    epsilon: Fraction
    delta: Fraction | None
    tables: tuple[tuple[str, str], ...]

    @property
    def millionths(self) -> int:
        """What the counts cost in the budget, in millionths of ε."""
        return ceil(self.epsilon * 10**6)


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
        _check_own_texts(document)
        design = Design.parse(document["design"])
        for name in _SAID:
            if document.get(name, True) is not True:
                raise InputError(f"{name} is true, or is left out.")
        if "comprehension" in document and not any(item.explains for item in design.items):
            raise EntryError(
                "the question about the disguise needs a question with options or a number as its example; a place "
                "cannot be one."
            )
        if "comprehension" in document and isinf(design.odds):
            raise EntryError(
                "the question about the disguise says that nobody can be sure of a stored answer, but with this "
                "design somebody can (γ is infinite): disguise more, or leave the question out."
            )
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
        if "drawn" in document and not (document["access"] == "invitation" and design.sampled):
            raise InputError("drawn is only for surveys by invitation that ask some of their questions.")
        if ("arms" in document) != bool(design.arms):
            raise InputError("arms must be in the definition if, and only if, a block of the design has two arms.")
        if not re.fullmatch("[0-9a-f]{64}", document.get("after", "0" * 64)):
            raise InputError("after is the hash of a version.")
        if "lot" in document:
            _check_lot(document["lot"], design)
        if "panel" in document:
            check_panel(document["panel"])
        if "frames" in document:
            check_frames(document["frames"])
        if "looks" in document:
            check_looks(document["looks"], languages)
        if "anchor" in document:
            _check_anchor(document["anchor"], design)
        if "careless" in document:
            _check_careless(document["careless"], design)
        check_names((*questions, ARM_DRAWN) if design.arms else questions)
        if "central" in document:
            _check_central(document, design, questions)
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
        number: str | None = self.source.get("panel", {}).get("number")
        return number if self.access == "invitation" else None

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
        logo = self.source.get("looks", {}).get("logo")
        return beside | ({logo["file"]} if logo else set())

    @property
    def frames(self) -> tuple[str, ...]:
        """The origins whose pages may hold the survey in a frame."""
        return tuple(self.source.get("frames", ()))

    @property
    def lot(self) -> float | None:
        """The chance with which a device draws that its respondent is asked directly; None where people choose."""
        return self.source["lot"] / ONE if "lot" in self.source else None

    @property
    def anchor(self) -> tuple[str, float] | None:
        """The answer whose share is known from elsewhere, and that share."""
        known = self.source.get("anchor")
        return (known["answer"], known["share"]) if known else None

    @property
    def careless(self) -> Mapping[str, Sequence[float]]:
        """The two answers that show who answers without reading, with the bounds of their shares among the others."""
        known: Mapping[str, Sequence[float]] = self.source.get("careless", {})
        return known

    @property
    def after(self) -> str | None:
        """The hash of the version whose figures chose what this one asks: its people do not answer here."""
        return self.source.get("after")

    @property
    def central(self) -> Central | None:
        """The noise with which undisguised answers are counted; None where they leave the site as they are."""
        known = self.source.get("central")
        if known is None:
            return None
        delta = fraction(known["delta"]) if "delta" in known else None
        return Central(fraction(known["epsilon"]), delta, tuple((one, other) for one, other in known.get("tables", ())))

    @property
    def open_questions(self) -> tuple[PublishedQuestion, ...]:
        return tuple(question for question in self.questions if not question.sensitive)

    @property
    def beside_records(self) -> tuple[PublishedQuestion, ...]:
        """The data stored openly beside a record: undisguised answers, and which of two arms the device drew."""
        return (*self.open_questions, ARM_DRAWN) if self.design.arms else self.open_questions

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
    for question in (*questions, ARM_DRAWN) if design.arms else questions:
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
    if not isinstance(parameter, str) or not _PARAMETER.fullmatch(parameter):
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


def check_panel(panel: Any) -> None:
    """Refuse a panel whose ends could differ from record to record, or lead away in the open."""
    if not isinstance(panel, dict) or not {"name", "ends"} <= set(panel) <= PANEL:
        raise InputError("panel has a name, perhaps the parameter with its number of a person, and ends.")
    name, number, ends = panel["name"], panel.get("number", "id"), panel["ends"]
    if not isinstance(name, str) or not 0 < len(name) <= 60:
        raise EntryError("the panel's name has 1 to 60 letters.", at="name")
    if not isinstance(number, str) or not _PARAMETER.fullmatch(number):
        raise EntryError(PARAMETER_RULE, at="number")
    if not isinstance(ends, dict) or not set(ends) <= set(ENDS):
        raise InputError(f"ends are of: {', '.join(ENDS)}.")
    for outcome, end in ends.items():
        if not isinstance(end, dict) or not end or not set(end) <= {"code", "address"}:
            raise InputError("an end has a code, an address, or both.")
        code, address = end.get("code", "-"), end.get("address", "https://-")
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise EntryError("“{code}” is no code: 1 to 40 of a-z, A-Z, 0-9, - and _.", at=outcome, code=str(code)[:60])
        if not isinstance(address, str) or len(address) > 500 or not _ADDRESS.fullmatch(address):
            raise EntryError(
                "“{address}” is no address: https://, no spaces, and in braces only the panel's {{number}}.",
                at=outcome,
                address=str(address)[:60],
            )


def check_frames(origins: Any) -> None:
    """Refuse anything but a few different origins, each written as browsers write it."""
    if not isinstance(origins, list) or not 0 < len(origins) <= MOST_FRAMES:
        raise EntryError("at most {most} sites may hold the survey in their pages.", at="frames", most=MOST_FRAMES)
    for origin in origins:
        if not isinstance(origin, str) or len(origin) > 200 or not ORIGIN.fullmatch(origin):
            raise EntryError(
                "“{site}” is no site: https:// and its name, in small letters, such as https://www.example.edu.",
                at="frames",
                site=str(origin)[:60],
            )
    if len(set(origins)) < len(origins):
        raise EntryError("name each site once.", at="frames")


def _check_text(value: object, languages: list[str], name: str) -> None:
    """Check a text by language, which must be given in every language or in none."""
    if not isinstance(value, dict) or any(not isinstance(text, str) for text in value.values()):
        raise InputError(f"{name}: give a text for each language.")
    for tag in languages:
        if any(value.values()) and not value.get(tag):
            raise InputError(f"{name}: the text in '{tag}' is missing.")


def _check_own_texts(document: dict[str, Any]) -> None:
    """Check the survey's translations of the page, and its reasons where a language has none."""
    texts, reasons = document.get("texts", {}), document.get("unspoken", {})
    for name, entries in (("texts", texts), ("unspoken", reasons)):
        if not isinstance(entries, dict) or not set(entries) <= set(document["languages"]):
            raise InputError(f"{name}: give languages of the survey alone.")
    said = [*reasons.values(), *(text for own in texts.values() for text in own.values())]
    if not all(isinstance(text, str) and text for text in said):
        raise InputError("texts and unspoken hold texts that are not empty.")


def _check_lot(lot: Any, design: Design) -> None:
    if not isinstance(lot, int) or isinstance(lot, bool) or not 0 < lot < ONE:
        raise InputError(f"lot is {lot!r}, must be a whole number from 1 to {ONE - 1}.")
    if not design.direct:
        raise EntryError(LOT_RULE)


def _check_anchor(anchor: Any, design: Design) -> None:
    if not isinstance(anchor, dict) or set(anchor) != {"answer", "share"} or not isinstance(anchor["answer"], str):
        raise InputError('anchor holds an "answer" and its "share".')
    answer, share = anchor["answer"], anchor["share"]
    if not isinstance(share, float) or not 0 < share < 1:
        raise EntryError("the share of the anchor is '{share}', which is not between 0 and 1.", share=share)
    try:
        pattern = parse_pattern(answer, design)
    except InputError:
        pattern = None
    if pattern is None or len(pattern.literals) != 1 or obstacle(design, pattern, "stratified"):
        raise EntryError("the anchor '{answer}' is not a disguised answer that can be reconstructed.", answer=answer)


def _check_careless(anchors: Any, design: Design) -> None:
    if not isinstance(anchors, dict) or len(anchors) != 2:
        raise InputError("careless holds two answers, each with the bounds of its share.")
    known = read_anchors(design, anchors)
    for one in known:
        require_possible(design, Pattern(((one.column, frozenset({one.yes})),)), "stratified")
    if not corrected(design, known):
        raise EntryError("no other disguised question has the answers of those that show careless people.")


def countable(questions: Iterable[PublishedQuestion]) -> dict[str, int]:
    """The number of values of each undisguised column whose values are public, by its name: options, or ranges of a
    number.
    """
    return {
        column.name: len(column.options) or RANGES
        for question in questions
        if not question.sensitive
        for column in type_of(question).columns(question)
        if column.options
        or (
            column.kind is ColumnKind.NUMBER
            and all(isinstance(end, int | float) for end in (question.min, question.max))
        )
    }


def _check_central(document: dict[str, Any], design: Design, questions: Iterable[PublishedQuestion]) -> None:
    central = document["central"]
    if not isinstance(central, dict) or not {"epsilon"} <= set(central) <= {"epsilon", "delta", "tables"}:
        raise InputError('central holds "epsilon", and perhaps "delta" and "tables".')
    noise = [value for name, value in central.items() if name != "tables"]
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in noise):
        raise InputError("central holds numbers.")
    _check_crossed(central.get("tables", []), countable(questions))
    if (
        not LEAST_EPSILON <= central["epsilon"] <= MOST_EPSILON
        or not 0 < central.get("delta", MOST_DELTA) <= MOST_DELTA
    ):
        raise EntryError(
            "ε must be from {least} to {most}, and δ above 0 and at most {delta}.",
            least=f"{LEAST_EPSILON:f}",
            most=MOST_EPSILON,
            delta=MOST_DELTA,
        )
    counted = any(question.enough for question in questions)
    if design.direct or design.arms or isinf(design.gamma) or {"early", "beside"} & set(document) or counted:
        raise EntryError(
            "Where undisguised answers leave as counts with noise alone, nobody answers directly, no stored answer to "
            "a sensitive question can only be true (γ is finite), there are no two arms, nothing is looked at early, "
            "texts stay beside no answers, and no group is closed once it has enough."
        )


def _check_crossed(tables: Any, sizes: Mapping[str, int]) -> None:
    """Check the tables of two columns; a pair that comes twice, in either order, would draw its counts again."""
    if not isinstance(tables, list) or not all(isinstance(one, list) and len(one) == 2 for one in tables):
        raise InputError("central.tables lists pairs of names.")
    for name in (name for one in tables for name in one if name not in sizes):
        raise EntryError(
            "“{name}” is no undisguised question whose answers are counted.", at="central.tables", name=name
        )
    if any(sizes[first] * sizes[second] > MOST_CELLS for first, second in tables):
        raise EntryError("a table of two questions has at most {most} cells.", at="central.tables", most=MOST_CELLS)
    if len(tables) > MOST_CROSSED:
        raise EntryError("at most {most} tables of two questions are counted.", at="central.tables", most=MOST_CROSSED)
    pairs = {frozenset(one) for one in tables}
    if len(pairs) < len(tables) or any(len(pair) < 2 for pair in pairs):
        raise InputError("central.tables names two different questions, and each pair once.")


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
