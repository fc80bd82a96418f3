"""A questionnaire of another program on its way to a document: its names and conditions become those of a draft.

A module that reads a format fills in a `Sketch` with the names of that format. `finish_sketch` makes the document. What
a draft cannot hold becomes a note; what would be wrong or would protect less than was asked becomes a fault.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from privacy.errors import EntryError, InputError, to_translate
from surveys.conditions import Condition, check_shape, fold, join_conditions
from surveys.domain.drafts import faults
from surveys.domain.drafts.names import free_name
from surveys.domain.drafts.protect import arrange_blocks, usual
from surveys.domain.exchange.imported import MOST_ROWS, Imported, ImportRefusedError, Note, sentence as _, too_many_rows
from surveys.domain.exchange.words import Texts, name_of, yes_and_no
from surveys.domain.questionnaire.check import answers_before
from surveys.domain.questionnaire.document import (
    PAGE_FLAGS,
    QUESTION_FLAGS,
    QUESTION_TEXTS,
    TEXTS,
    Document,
    Draft,
    empty,
    new_option,
    new_page,
    new_question,
)
from surveys.domain.questionnaire.guess import GUESS
from surveys.models import Survey
from surveys.questions import Asks, type_asking
from surveys.questions.rows import PREFER_NOT, SKIP, YES_AND_NO
from surveys.rules import LONGEST_VALUE
from surveys.sentences import sentence_of

UNKNOWN: Condition = {"question": "", "is": {""}}  # not understood, so nobody can say whom it asks
_ANSWER = re.compile(r"\$\{\s*([^${}]+?)\s*\}")  # the answer to a question within a text, as XLSForms write it
_OWN = (*QUESTION_TEXTS, *QUESTION_FLAGS, "min", "max", "settings")


@dataclass
class SketchedChoice:
    value: str
    label: Texts
    settings: dict[str, Any] = field(default_factory=dict)


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
    min: str = ""
    max: str = ""
    low: Texts = field(default_factory=dict)
    high: Texts = field(default_factory=dict)
    choices: list[SketchedChoice] = field(default_factory=list)
    statements: list[SketchedChoice] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)  # those of surveys.features.questions that the file has
    when: Condition | None = None  # under foreign names; {"question": …, "not": […]}: any answer but these
    sensitive: bool = False


@dataclass
class SketchedPage:
    """A page and its questions; `moves`: it changes places with others that do; `ask`: how many are asked."""

    title: Texts = field(default_factory=dict)
    questions: list[SketchedQuestion] = field(default_factory=list)
    shuffle: bool = False
    moves: bool = False
    ask: int | None = None


@dataclass
class Sketch:
    """A questionnaire in foreign names. `blocks`: those that the file itself names; without any they are proposed.

    `guess`: how many say yes, in the word of the file.
    """

    title: str = ""
    languages: list[str] = field(default_factory=list)
    texts: dict[str, Texts] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    pages: list[SketchedPage] = field(default_factory=list)
    blocks: list[dict[str, Any]] = field(default_factory=list)
    guess: str = ""
    notes: list[Note] = field(default_factory=list)
    faults: list[Note] = field(default_factory=list)

    def note(self, place: str, sentence: str, **values: object) -> None:
        self.notes.append(Note(place, sentence % values if values else sentence))

    def fault(self, place: str, sentence: str, **values: object) -> None:
        self.faults.append(Note(place, sentence % values if values else sentence))

    def note_type(self, place: str, name: str, kind: str) -> None:
        self.note(place, _("“%(name)s” is left out: there is no question type “%(type)s”."), name=name, type=kind)


def finish_sketch(sketch: Sketch, title: str) -> Imported:
    """Make the document of the sketch; ImportRefusedError lists all that is wrong with it."""
    if not any(page.questions for page in sketch.pages):
        sketch.fault("", _("it contains no question that can be imported."))
    check_size(sketch)
    return Imported(_SketchWriter(sketch, title).document_of_sketch(), tuple(sketch.notes))


def check_size(sketch: Sketch) -> None:
    """Refuse a sketch with too many questions or options. Checked first, because unique names are slow to find then."""
    asked = [question for page in sketch.pages for question in page.questions]
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


_NOT_UNDERSTOOD = to_translate("“%(name)s” is left out: its condition is not understood.")
_OF_SEVERAL = (Asks.ANY_OF, Asks.ORDER_OF, Asks.OF_STATEMENTS, Asks.PLACE)


class _LostError(Exception):
    """A condition that a draft cannot have."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class _SketchWriter:
    """A sketch on its way to a document: the names of this site for those of the file, of questions and of answers."""

    def __init__(self, sketch: Sketch, title: str) -> None:
        self.sketch = sketch
        self.taken: set[str] = set()
        self.names: dict[str, str] = {}  # of questions
        self.answers: dict[str, dict[str, str]] = {}  # by the foreign name of the question
        self.statements: dict[str, tuple[str, str]] = {}  # a statement that is asked after: its question, its name
        asked = [question for page in sketch.pages for question in page.questions]
        self.always = {each.name for each in asked if each.required and each.when is None}  # they have an answer
        self.ticked = {each.name for each in asked if each.asks is Asks.ANY_OF}
        if capital := next((each.name for each in asked if each.name != each.name.lower()), None):
            sketch.note("", _("names are in small letters here, such as that of “%(name)s”."), name=capital)
        self.questions: list[tuple[SketchedQuestion, dict[str, Any]]] = []
        self.document = empty((sketch.title or title)[: faults.LONGEST_TITLE], sketch.languages or ["en"])
        self.document |= sketch.fields | {name: sketch.texts.get(name, {}) for name in TEXTS}
        self.document["pages"] = [
            new_page(number, map(self._question, page.questions))
            | {"title": page.title, "ask": page.ask}
            | {flag: getattr(page, flag) for flag in PAGE_FLAGS}
            for number, page in enumerate((page for page in sketch.pages if page.questions), 1)
        ]

    def document_of_sketch(self) -> Document:
        self._check()
        wanted = {question["id"] for asked, question in self.questions if asked.sensitive or asked.asks is Asks.PLACE}
        self._ask_after(wanted)
        self._read_answers_in_texts(wanted)
        self._protect(wanted)
        self._check()
        return self.document

    def _check(self) -> None:
        """Refuse what no draft can hold, with its place in the file."""
        places = {question["id"]: asked.place for asked, question in self.questions}
        for fault in [] if self.sketch.faults else list(faults.faults(self.document)):
            inside = re.match(r"pages\[(\d+)\]\.questions\[(\d+)\]", fault.at)
            name = self.document["pages"][int(inside[1])]["questions"][int(inside[2])]["id"] if inside else ""
            self.sketch.fault(places.get(name, fault.at), sentence_of(fault))
        if self.sketch.faults:
            raise ImportRefusedError(self.sketch.faults)

    # ---- questions and their rows

    def _question(self, asked: SketchedQuestion) -> dict[str, Any]:
        name = self._free_name(asked.name)
        if name != asked.name.lower():
            self.sketch.note(asked.place, _("“%(name)s” is called “%(own)s” here.") % {"name": asked.name, "own": name})
        if asked.name in self.names:
            self.sketch.fault(asked.place, _("the name “%(name)s” is used for two questions.") % {"name": asked.name})
        self.names[asked.name], self.answers[asked.name] = name, {}
        _as_yes_or_no(asked, self.answers[asked.name])
        own = type_asking(asked.asks)
        if asked.sensitive and own.disguise is None:
            self.sketch.fault(asked.place, _("this type cannot be disguised; ask a choice or a scale instead."))
        question = new_question(name, own.name)
        question |= {name: getattr(asked, name) for name in _OWN} | asked.fields
        question["options"] = [*self._statements(asked, name), *self._choices(asked, name, own.has_items)]
        question["out"] = [self.answers[asked.name].get(value, value) for value in question["out"]]
        self.questions.append((asked, question))
        return question

    def _free_name(self, foreign: str) -> str:
        name = name_of(foreign, self.taken)
        self.taken.add(name)
        return name

    def _statements(self, asked: SketchedQuestion, name: str) -> Iterator[dict[str, Any]]:
        for statement in asked.statements:
            own = self._item(statement.value, name)
            self.statements[statement.value] = (asked.name, own)
            yield _option(own, statement)

    def _item(self, foreign: str, question: str) -> str:
        """A free name for an item: that of its option, with the question's before it where it is taken."""
        if name_of(foreign, ()) in self.taken or not foreign[:1].isalpha():
            foreign = f"{question}-{foreign}"
        return self._free_name(foreign)

    def _choices(self, asked: SketchedQuestion, name: str, have_names: bool) -> Iterator[dict[str, Any]]:
        """Make an option of each choice; `have_names`: each is an item, whose value is a name of its own in records."""
        own, values = self.answers[asked.name], set[str]()
        for index, choice in enumerate(asked.choices, 1):
            if asked.statements:  # what begins with a letter would be a statement
                value = choice.value if choice.value.isdecimal() else str(index)
            elif have_names:
                value = self._item(choice.value, name)
            else:
                value = own.get(choice.value, choice.value)
                if len(value) > LONGEST_VALUE:
                    value = free_name("", values)
            if value in values:
                self.sketch.fault(
                    asked.place, _("two of its options are called “%(value)s”.") % {"value": choice.value}
                )
            own[choice.value] = value
            values.add(value)
            yield _option(value, choice)

    # ---- conditions

    def _ask_after(self, hidden: set[str]) -> None:
        """Set the conditions that a draft can have. A question with another one is left out: it would be asked of
        people whom its author excludes. `hidden`: sensitive ones.
        """
        possible: dict[str, list[str]] = {}
        for one, value in answers_before(Draft.from_document(Survey(), self.document)):
            possible.setdefault(one.id, []).append(value)
        seen, left = set[str](), set[str]()
        for asked, question in self.questions:
            if asked.when is not None:
                earlier = {name: values for name, values in possible.items() if name in seen}
                try:
                    question["when"] = fold(asked.when, partial(self._after, asked, earlier, hidden), join_conditions)
                    check_shape(question["when"], "when")
                except (_LostError, EntryError) as lost:  # or a draft holds no condition of this size
                    why = lost.why if isinstance(lost, _LostError) else _NOT_UNDERSTOOD
                    self.sketch.note(asked.place, _(why), name=asked.name)
                    left.add(question["id"])
                    continue
            seen.add(question["id"])
            if question["required"] and question["id"] in hidden:
                question["required"] = False
                self.sketch.note(asked.place, _("sensitive questions are always optional: it is not required."))
        self.questions = [(asked, question) for asked, question in self.questions if question["id"] not in left]
        for page in self.document["pages"]:
            page["questions"] = [question for question in page["questions"] if question["id"] not in left]
        pages = [page for page in self.document["pages"] if page["questions"]]
        self.document["pages"] = [page | {"number": number} for number, page in enumerate(pages, 1)]
        if not pages:
            self.sketch.fault("", _("it contains no question that can be imported."))

    def _after(
        self, asked: SketchedQuestion, earlier: Mapping[str, list[str]], hidden: set[str], leaf: Condition
    ) -> Condition:
        """A part of a condition in new names; `earlier`: answers of earlier questions; `hidden`: sensitive ones."""
        foreign, statement = self.statements.get(leaf["question"], (leaf["question"], ""))
        name, begins = self.names.get(foreign, ""), f"{statement}=" if statement else ""
        others, named = "not" in leaf, leaf.get("not", leaf.get("is"))
        values = {begins + self.answers.get(foreign, {}).get(value, value) for value in named}
        if hidden & {self.names[asked.name], name}:
            why = to_translate("“%(name)s” is left out: its condition would reveal a sensitive answer.")
        elif not foreign or (foreign in self.ticked and (others or leaf.get("exactly"))):  # it says what was ticked
            why = _NOT_UNDERSTOOD
        elif name not in earlier or (not others and not values <= set(earlier[name])):
            why = to_translate("“%(name)s” is left out: its condition needs an option of an earlier question.")
        else:
            if others and foreign not in self.always:
                sentence = _("who gave no answer to “%(name)s” is not asked this here.")
                self.sketch.note(asked.place, sentence, name=foreign)
            ordered = [value for value in earlier[name] if (value in values) != others]
            return {"question": name, "is": [value for value in ordered if value.startswith(begins)]}
        raise _LostError(why)

    # ---- answers in texts

    def _read_answers_in_texts(self, hidden: set[str]) -> None:
        """Let `${job}` in a text be the answer to “job”, as a draft writes it, where it can be; else dots, noted."""
        pages = {question["id"]: page["number"] for page in self.document["pages"] for question in page["questions"]}
        single = {question["id"] for asked, question in self.questions if asked.asks not in _OF_SEVERAL}
        for asked, question in self.questions:

            def replace_answer(match: re.Match[str], asked: SketchedQuestion = asked, question: Any = question) -> str:
                name = self.names.get(match[1], "")
                may = name in single - hidden and pages[name] < pages[question["id"]]
                said = _("where “%(name)s” has no answer, its text shows “…”: write what should be there.")
                lost = _("the answer to “%(name)s” cannot stand in its text here: the text shows “…”.")
                note = Note(asked.place, (said if may else lost) % {"name": match[1]})
                if note not in self.sketch.notes:
                    self.sketch.notes.append(note)
                if may:
                    question["pipes"][name] = dict.fromkeys(self.document["languages"], "…")
                return f"{{{name}}}" if may else "…"

            texts = [question["text"], question["help"], *(option["label"] for option in question["options"])]
            for text in texts:
                text.update({tag: _ANSWER.sub(replace_answer, words) for tag, words in text.items()})

    # ---- protection

    def _protect(self, wanted: set[str]) -> None:
        """Set the blocks of the file, or proposed ones; a question that cannot be disguised as asked is a fault."""
        there = {asked.name for asked, _question in self.questions}
        for asked, _question in self.questions:
            if asked.asks is Asks.PLACE and not asked.sensitive:
                self.sketch.note(asked.place, _("a place is always disguised: it is sensitive now, and needs a map."))
        blocks = [
            {**block, "questions": [self.names[name] for name in block["questions"] if name in there]}
            for block in self.sketch.blocks
            if there.intersection(block["questions"])
        ]
        chosen: Document = {"blocks": blocks} if blocks else {"protection": usual()}
        if self.sketch.guess:
            chosen["protection"] = chosen.get("protection", {}) | {GUESS: self.sketch.guess}
        try:
            self.document = arrange_blocks(Survey(), self.document | chosen, wanted & set(self.names.values()))
        except InputError as error:
            self.sketch.fault(error.at, sentence_of(error))
            raise ImportRefusedError(self.sketch.faults) from None


def _option(value: str, choice: SketchedChoice) -> dict[str, Any]:
    """The document's option of a choice; with settings of its own, as several questions may share the choice."""
    return new_option(value, choice.label, last=value == SKIP) | {"settings": {**choice.settings}}


def _as_yes_or_no(asked: SketchedQuestion, answers: dict[str, str]) -> None:
    """Let a choice of yes and no ask for yes or no, and map its `answers`; drop options with the usual words."""
    if asked.asks not in (Asks.ONE_OF, Asks.YES_OR_NO):
        return
    yes_or_no = yes_and_no((choice.value, choice.label) for choice in asked.choices)
    if not yes_or_no:
        if asked.choices:
            asked.asks = Asks.ONE_OF
        return
    asked.asks = Asks.YES_OR_NO
    answers.update(yes_or_no)
    labels = dict((*YES_AND_NO, (SKIP, PREFER_NOT)))
    if set(yes_or_no.values()) == {"1", "0"} and all(
        text == labels[yes_or_no[choice.value]].get(tag, text)
        for choice in asked.choices
        for tag, text in choice.label.items()
    ):
        asked.choices = []
