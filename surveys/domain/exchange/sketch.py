"""A questionnaire of another program on its way to a document: its names and conditions become those of a draft.

Whoever reads a format fills in a `Sketch` with the names of that format. `finished` makes the document. What a draft
cannot hold becomes a note; what would be wrong or would protect less than was asked becomes a fault.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from privacy.errors import EntryError, InputError
from surveys.domain.drafts import faults
from surveys.domain.drafts.faults import LONGEST_VALUE
from surveys.domain.drafts.names import numbered
from surveys.domain.drafts.protect import arranged, usual
from surveys.domain.exchange.imported import MOST_ROWS, Imported, ImportRefusedError, Note, too_many_rows
from surveys.domain.exchange.sentences import sentence as _
from surveys.domain.exchange.words import Texts, name_of, yes_and_no
from surveys.domain.questionnaire.check import answers_before
from surveys.domain.questionnaire.document import TEXTS, Document, empty, new_question
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.languages import sentence_of
from surveys.models import Survey
from surveys.questions import Asks, type_asking
from surveys.questions.rows import PREFER_NOT, SKIP, YES_AND_NO


@dataclass
class SketchedChoice:
    value: str
    label: Texts
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass
class ShowCondition:
    """Show the question after one of these answers; with `others`, after any answer but these."""

    question: str
    values: frozenset[str]
    others: bool = False


@dataclass
class SketchedQuestion:
    """One question under its foreign name. `statements` are those of a matrix, whose points are `choices`."""

    place: str
    name: str
    asks: Asks
    text: Texts = field(default_factory=dict)
    help: Texts = field(default_factory=dict)
    required: bool = False
    shuffle: bool = False
    no_skip: str = ""
    minimum: str = ""
    maximum: str = ""
    low: Texts = field(default_factory=dict)
    high: Texts = field(default_factory=dict)
    choices: list[SketchedChoice] = field(default_factory=list)
    statements: list[SketchedChoice] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    when: ShowCondition | None = None
    sensitive: bool = False


@dataclass
class SketchedPage:
    """A page of questions."""

    title: Texts = field(default_factory=dict)
    questions: list[SketchedQuestion] = field(default_factory=list)


@dataclass
class Sketch:
    """`blocks` are those that the file names itself, with foreign names of questions; none: they are proposed."""

    title: str = ""
    languages: list[str] = field(default_factory=list)
    texts: dict[str, Texts] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    pages: list[SketchedPage] = field(default_factory=list)
    blocks: list[dict[str, Any]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    faults: list[Note] = field(default_factory=list)

    def note(self, place: str, sentence: str) -> None:
        self.notes.append(Note(place, sentence))

    def fault(self, place: str, sentence: str) -> None:
        self.faults.append(Note(place, sentence))


def finished(sketch: Sketch, title: str) -> Imported:
    """The document of the sketch; ImportRefusedError tells all that is wrong with it."""
    pages = [page for page in sketch.pages if page.questions]
    if not pages:
        sketch.fault("", _("there is no question in it that could be asked here."))
    check_size(sketch)
    naming = _Naming()
    written = [(each, naming.question(sketch, each)) for page in pages for each in page.questions]
    document = empty((sketch.title or title)[: faults.LONGEST_TITLE], sketch.languages or ["en"])
    document |= sketch.fields | {name: sketch.texts.get(name, {}) for name in TEXTS}
    own = iter(written)
    document["pages"] = [
        {"number": number, "title": page.title, "questions": [next(own)[1] for _each in page.questions]}
        for number, page in enumerate(pages, 1)
    ]
    places = {question["name"]: each.place for each, question in written}
    _check(sketch, document, places)
    document = _protected(sketch, document, naming, written)
    _conditions(sketch, document, naming, written)
    _check(sketch, document, places)
    return Imported(document, tuple(sketch.notes))


def check_size(sketch: Sketch) -> None:
    """Before anything is named: names are sought among all others. What is wrong with the whole is said first."""
    asked = [each for page in sketch.pages for each in page.questions]
    sound = len(sketch.faults)
    if len(asked) > faults.MOST_QUESTIONS:
        sketch.fault("", _("a survey has at most %(most)d questions.") % {"most": faults.MOST_QUESTIONS})
    if sum(len(each.choices) + len(each.statements) for each in asked) > MOST_ROWS:
        sketch.faults.append(too_many_rows())
    for each in asked:
        if max(len(each.choices), len(each.statements)) > faults.MOST_OPTIONS:
            sketch.fault(each.place, _("a question has at most %(most)d options.") % {"most": faults.MOST_OPTIONS})
    if len(sketch.faults) > sound:
        raise ImportRefusedError(sketch.faults)


def _check(sketch: Sketch, document: Document, places: Mapping[str, str]) -> None:
    """Refuse what no draft can hold, at the places of the file."""
    mistakes = [] if sketch.faults else list(faults.faults(document))
    for fault in mistakes:
        inside = re.match(r"pages\[(\d+)\]\.questions\[(\d+)\]", fault.at)
        name = document["pages"][int(inside[1])]["questions"][int(inside[2])]["name"] if inside else ""
        sketch.fault(places.get(name, fault.at), sentence_of(fault))
    if sketch.faults:
        raise ImportRefusedError(sketch.faults)


class _Naming:
    """The names of this site for those of the file: of questions, and of their answers."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.questions: dict[str, str] = {}
        self.answers: dict[str, dict[str, str]] = {}  # by the foreign name of the question
        self.statements: dict[str, tuple[str, str]] = {}  # a statement that is asked after: its question, its name

    def question(self, sketch: Sketch, asked: SketchedQuestion) -> dict[str, Any]:
        name = self._name(asked.name)
        if name != asked.name.lower():
            sketch.note(asked.place, _("“%(name)s” is called “%(own)s” here.") % {"name": asked.name, "own": name})
        if asked.name in self.questions:
            sketch.fault(asked.place, _("the name “%(name)s” stands for two questions.") % {"name": asked.name})
        self.questions[asked.name], self.answers[asked.name] = name, {}
        _as_yes_or_no(asked, self.answers[asked.name])
        own = type_asking(asked.asks)
        if asked.sensitive and own.disguise is None:
            sketch.fault(asked.place, _("this type cannot be disguised; ask a choice or a scale instead."))
        question = new_question(name, own.name) | {
            "text": asked.text,
            "help": asked.help,
            "required": asked.required,
            "shuffle": asked.shuffle,
            "no_skip": asked.no_skip,
            "minimum": asked.minimum,
            "maximum": asked.maximum,
            "low": asked.low,
            "high": asked.high,
            "settings": asked.settings,
        }
        question["options"] = [*self._statements(asked, name), *self._choices(sketch, asked, name)]
        return question

    def _name(self, foreign: str) -> str:
        name = name_of(foreign, self.taken)
        self.taken.add(name)
        return name

    def _statements(self, asked: SketchedQuestion, name: str) -> list[dict[str, Any]]:
        rows = []
        for each in asked.statements:
            own = self._item(each.value, name)
            self.statements[each.value] = (asked.name, own)
            rows.append(_option(own, each))
        return rows

    def _item(self, foreign: str, question: str) -> str:
        """An item has a name of its own in records: that of its option, behind the question's where it is taken."""
        if name_of(foreign, ()) in self.taken or not foreign[:1].isalpha():
            foreign = f"{question}-{foreign}"
        return self._name(foreign)

    def _choices(self, sketch: Sketch, asked: SketchedQuestion, name: str) -> list[dict[str, Any]]:
        own = self.answers[asked.name]
        has_items = type_asking(asked.asks).has_items and not asked.statements
        rows: list[dict[str, Any]] = []
        for place, each in enumerate(asked.choices, 1):
            if has_items:
                value = self._item(each.value, name)
            elif asked.statements:  # what begins with a letter would be a statement
                value = each.value if each.value.isdecimal() else str(place)
            else:
                value = own.get(each.value, each.value)
                if len(value) > LONGEST_VALUE:
                    value = numbered("", {row["value"] for row in rows})
            if value in {row["value"] for row in rows}:
                sketch.fault(asked.place, _("two of its options are called “%(value)s”.") % {"value": each.value})
            own[each.value] = value
            rows.append(_option(value, each) | ({"last": True} if value == SKIP else {}))
        return rows


def _option(value: str, choice: SketchedChoice) -> dict[str, Any]:
    """A row of its own: a list may be that of several questions."""
    return {"value": value, "label": {**choice.label}, "last": False, "settings": {**choice.settings}}


def _as_yes_or_no(asked: SketchedQuestion, answers: dict[str, str]) -> None:
    """A choice of yes and no asks for yes or no; without rows where they say what such a question says."""
    if asked.asks not in (Asks.ONE_OF, Asks.YES_OR_NO):
        return
    yes_or_no = yes_and_no((each.value, each.label) for each in asked.choices)
    if not yes_or_no:
        if asked.choices:
            asked.asks = Asks.ONE_OF
        return
    asked.asks = Asks.YES_OR_NO
    answers.update(yes_or_no)
    labels = dict((*YES_AND_NO, (SKIP, PREFER_NOT)))
    if set(yes_or_no.values()) == {"1", "0"} and all(
        text == labels[yes_or_no[each.value]].get(tag, text)
        for each in asked.choices
        for tag, text in each.label.items()
    ):
        asked.choices = []


# ---- conditions -----------------------------------------------------------------------------------------------------


def _conditions(
    sketch: Sketch, document: Document, naming: _Naming, written: list[tuple[SketchedQuestion, dict[str, Any]]]
) -> None:
    """Conditions that a draft can have; the others become notes, and their questions are always asked."""
    hidden = {name for block in document["blocks"] for name in block["questions"]}
    draft = Draft.of(Survey(), document)
    possible: dict[str, list[str]] = {}
    for one, value in answers_before(draft):
        possible.setdefault(one.name, []).append(value)
    seen: set[str] = set()
    for asked, question in written:
        if asked.when is not None:
            question["when"] = _when(sketch, asked, question, naming, possible, hidden, seen)
        seen.add(question["name"])
        if question["required"] and question["name"] in hidden:
            question["required"] = False
            sketch.note(asked.place, _("a sensitive question may always be left out: it is not required."))


def _when(
    sketch: Sketch,
    asked: SketchedQuestion,
    question: Mapping[str, Any],
    naming: _Naming,
    possible: Mapping[str, list[str]],
    hidden: set[str],
    seen: set[str],
) -> dict[str, Any] | None:
    assert asked.when is not None  # the caller has looked
    foreign, statement = asked.when.question, ""
    if foreign in naming.statements:
        foreign, statement = naming.statements[foreign]
    name = naming.questions.get(foreign, "")
    values = {naming.answers.get(foreign, {}).get(value, value) for value in asked.when.values}
    if statement:
        values = {f"{statement}={value}" for value in values}
    if question["name"] in hidden or name in hidden:
        why = _("a condition with a sensitive question would tell its answer: it is always asked.")
    elif name not in seen or name not in possible:
        why = _("its condition names no earlier question with answers to choose from: it is always asked.")
    elif not asked.when.others and not values <= set(possible[name]):
        why = _("its condition names no answer of “%(name)s”: it is always asked.") % {"name": foreign}
    else:
        ordered = [value for value in possible[name] if (value in values) != asked.when.others]
        ordered = [value for value in ordered if not statement or value.startswith(f"{statement}=")]
        return {"question": name, "is": ordered}
    sketch.note(asked.place, why)
    return None


# ---- protection -----------------------------------------------------------------------------------------------------


def _protected(
    sketch: Sketch, document: Document, naming: _Naming, written: list[tuple[SketchedQuestion, dict[str, Any]]]
) -> Document:
    """With the blocks of the file, or with proposed ones; a question that cannot be disguised as asked is a fault."""
    wanted = {question["name"] for asked, question in written if asked.sensitive}
    for asked, question in written:
        if asked.asks is Asks.PLACE:
            wanted.add(question["name"])
            if not asked.sensitive:
                sketch.note(asked.place, _("a place is always disguised: it is sensitive now, and needs a map."))
    blocks = [
        {**block, "questions": [naming.questions[name] for name in block["questions"]]} for block in sketch.blocks
    ]
    try:
        if not blocks:
            return arranged(Survey(), {**document, "protection": usual()}, wanted)
        return arranged(Survey(), {**document, "blocks": blocks}, wanted)
    except EntryError as error:
        sketch.fault(error.at, sentence_of(error))
    except InputError as error:
        sketch.fault(error.at, str(error))
    raise ImportRefusedError(sketch.faults)
