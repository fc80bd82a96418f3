"""A published question as the server knows it, what each type must tell of itself, and its columns in files."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from privacy.design.blocks import usual
from privacy.design.fields import Steps
from privacy.design.patterns import Pattern
from privacy.design.rationals import ONE
from privacy.design.recipes import EnteredItem
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.records import Records
from surveys.displays import Display
from surveys.questions.coarse import Coarse, Span
from surveys.questions.entered import Question
from surveys.questions.rows import ReadyScale, RowGroup, Texts


class ColumnKind(StrEnum):
    """What the cells of a column are, whatever was asked: each type of question says it of its own columns.

    The values are the words of the codebook.
    """

    GROUP = "group"  # whether a person answered directly; no question has it
    CHOICE = "choice"  # one of the column's options
    NUMBER = "number"
    DAY = "date"
    TEXT = "text"


@dataclass(frozen=True)
class OpenColumn:
    """One column: what it holds, and its value in an undisguised answer, or None.

    `part` is the item or statement that it is about, where the question has several.
    """

    name: str
    kind: ColumnKind
    value: Callable[[Any], Any] = lambda answer: answer
    options: tuple[str, ...] = ()
    part: str = ""


Entry = dict[str, Any]  # the JSON object of a question in the published definition
Values = tuple[str, ...] | tuple[Steps, ...]  # what may be answered to an item of the design


def check_text(value: object, languages: Sequence[str], name: str) -> None:
    """Check a text by language, which must be given in every language or in none."""
    if not isinstance(value, dict) or any(not isinstance(text, str) for text in value.values()):
        raise InputError(f"{name}: give a text for each language.")
    for tag in languages:
        if any(value.values()) and not value.get(tag):
            raise InputError(f"{name}: the text in '{tag}' is missing.")


class Asks(Enum):
    """What questions ask for, in words that other programs have, too.

    A type of question names one of these, and a format of files (surveys.domain.exchange) says what it calls each. So a
    format knows no type, and a type knows no format.
    """

    YES_OR_NO = auto()
    ONE_OF = auto()  # of a list
    ANY_OF = auto()  # of a list: none, some or all
    ON_A_SCALE = auto()  # a whole number from one end to the other
    ORDER_OF = auto()  # of a list: what comes first, second, and so on
    OF_STATEMENTS = auto()  # for each statement one of a list, which is the same for all of them
    NUMBER = auto()
    TEXT = auto()
    DATE = auto()
    PLACE = auto()


@dataclass(frozen=True)
class PublishedQuestion:
    """What the server must know of a published question to accept an answer; its texts stay in the document."""

    id: str
    type: str
    sensitive: bool
    required: bool = False
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    min: int | float | str | None = None
    max: int | float | str | None = None
    step: int | float | None = None
    when: Mapping[str, Any] | None = field(default=None, hash=False)  # surveys.conditions
    out: tuple[str, ...] = ()
    enough: Mapping[str, int] = field(default_factory=dict, hash=False)  # people with an answer
    pipes: tuple[str, ...] = ()  # the questions whose answers stand in its texts
    chances: tuple[int, ...] = ()  # of the options, out of 2^32, where the device draws one
    grid: tuple[Steps, ...] = ()


@dataclass(frozen=True)
class Disguise:
    """How the answers of a type become items of the design.

    items      the name of each item, which is a column of records, and its answers: options, or the steps of a grid
    entered    the items from what was entered, with the values that the block asks of them; without options as long as
               options are missing
    yes_no     whether they are yes/no items, unless options are entered
    on_grid    whether they lie on a grid, where no option can say that somebody prefers not to answer
    scale      what says of a number or a place how it lies on its grid, by the settings of the question
    """

    items: Callable[[PublishedQuestion], Iterable[tuple[str, Values]]]
    entered: Callable[[Question], list[EnteredItem]]
    yes_no: bool = False
    on_grid: bool = False
    scale: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda _settings: {}

    def form(self, settings: Mapping[str, Any]) -> str:
        """The form of block that disguises it until another is chosen."""
        return usual(self.scale(settings))


@dataclass(frozen=True)
class Given:
    """The different answers to an undisguised question, and how many people gave each."""

    different: Sequence[Any]
    times: np.ndarray

    @property
    def people(self) -> int:
        return int(self.times.sum())

    def count(self, values: Sequence[Any]) -> np.ndarray:
        """How many people gave each of these answers."""
        return np.array([sum(self.times[[answer == value for answer in self.different]]) for value in values], int)

    @property
    def spans(self) -> list[Span]:
        """The ranges that stand in place of numbers, in their order; empty where these are as they were given."""
        return sorted(answer for answer in self.different if isinstance(answer, Span))

    def numbers(self, of: Callable[[Any], float] = float) -> np.ndarray:
        """The answer of each person as a number, made by `of`; one entry per person."""
        return np.repeat(np.array([of(answer) for answer in self.different], float), self.times)


NOBODY = Given((), np.zeros(0, np.int64))


@dataclass(frozen=True)
class Answers:
    """The answers that a snapshot holds to one question, for its type to show.

    `given` are those to an undisguised question; a disguised one has `records`. `settled`:
    what is not disguised of them may be reported (surveys.domain.responses.disclosure). `sampling` says how the people
    of the records were drawn, None alike. `simulated` are, of simulated people, the true answers to all items and what
    was sent of each, as codes. `alone`: the fewest of whom figures are shown that rest on disguised people alone.
    `coarse`: a public order chooses what is hidden beside a rare answer (surveys.questions.coarse).
    """

    question: PublishedQuestion
    entry: Entry
    language: str
    given: Given
    records: Records
    least: int
    settled: bool = True
    sampling: Sampling | None = None
    simulated: tuple[np.ndarray, np.ndarray] | None = None
    alone: int | None = None
    coarse: bool = False

    @property
    def least_alone(self) -> int:
        return self.least if self.alone is None else self.alone

    def select(self, rows: np.ndarray) -> "Answers":
        """Return the answers of some of the records."""
        records = Records(self.records.design, self.records.codes[rows], self.records.direct[rows])
        return replace(self, records=records, sampling=None if self.sampling is None else self.sampling.select(rows))

    def with_item(self, item: str) -> "Answers":
        """Return the answers of people who were asked this item; withheld direct answers count as not asked."""
        design = self.records.design
        rows = self.records.codes[:, design.column(item)] != design.not_asked
        return self if rows.all() else self.select(rows)

    def worth(self, rows: np.ndarray) -> float:
        """The number of people in some of the records; with weights, their effective number."""
        return float(rows.sum() if self.sampling is None else self.sampling.worth(rows)[0])

    def true_share(self, pattern: Pattern) -> float | None:
        """How common it is among simulated people; None of real ones."""
        if self.simulated is None:
            return None
        matches = [np.isin(self.simulated[0][:, column], sorted(options)) for column, options in pattern.literals]
        return float(np.all(matches, axis=0).mean())

    @property
    def text(self) -> str:
        """The words of the question, or its name where it has none."""
        return self.entry["text"].get(self.language) or self.question.id

    def label(self, value: str) -> str:
        """The words of an option or an item; yes, no, or the value itself where it has none."""
        rows = [(row["value"], row["label"]) for row in self.entry.get("options", ())]
        rows += [(row["id"], row["label"]) for row in self.entry.get("items", ())]
        text = next((label.get(self.language) for name, label in rows if name == value), None)
        return text or value


@dataclass(frozen=True)
class Categories:
    """Answers as one of several values, which a table can have an axis for.

    `place` is that of an undisguised answer among the labels, −1 where it has none; a disguised item of this name has
    its options in the order of the labels.
    """

    name: str
    heading: str
    labels: tuple[str, ...]
    place: Callable[[Any], int]


class QuestionType(ABC):
    """One type of question: what it is called and needs; and, in its methods, how it differs from the others.

    name       its name in the definition and the database
    label      its name for people who write a questionnaire
    asks       what it asks for, as files of other programs have it; None: no other program has such questions
    fields     the fields of its entry in the published definition, beside those that every question has
    uses       the form fields that it needs; "options" stands for the rows below the question
    groups     those rows as a page asks for them, one a line
    scales     scales that one choice fills in
    skipped    the options before "prefer not to say" is added to them, if none were entered; None: it cannot be
    has_items  whether its rows are items with names of their own in records, and not options of one answer
    disguise   how its answers are disguised; None if all its questions are open
    on_ends    what the ends of an undisguised question are for, where reports need them
    """

    name: str
    label: Any  # a lazy translation
    asks: Asks | None
    fields: frozenset[str]
    uses: frozenset[str]
    groups: tuple[RowGroup, ...] = ()
    scales: Sequence[ReadyScale] = ()
    skipped: tuple[tuple[str, Texts], ...] | None = None
    has_items = False
    disguise: Disguise | None = None
    on_ends: Any = ""  # a lazy translation

    @abstractmethod
    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        """The question with what its own fields say; refused if something is wrong with them."""

    @abstractmethod
    def fits(self, question: PublishedQuestion, value: Any) -> bool:
        """Whether a value that has arrived answers the question."""

    @abstractmethod
    def displays(self, answers: Answers) -> Sequence[Display]:
        """How its answers are shown, undisguised ones and disguised ones: one display or several."""

    def longest(self, question: PublishedQuestion) -> int:
        """The bytes of its longest undisguised answer, as JSON."""
        return max(len(json.dumps(value, ensure_ascii=False).encode()) for value in question.options)

    def write(self, _entered: Question, _languages: Sequence[str]) -> Entry:
        """Its own fields of the published entry, from what was entered, in these languages."""
        return {}

    def lacks(self, _entered: Question) -> str:
        """Say what is still missing on its page; empty if nothing is."""
        return ""

    def answers(self, question: PublishedQuestion) -> Iterable[str]:
        """The values that a condition of a later question may name."""
        return question.options

    def values(self, answer: Any) -> Iterable[str]:
        """The values that an undisguised answer gives to such a condition."""
        return (answer,)

    def parts(self, question: PublishedQuestion) -> Sequence[Iterable[str]]:
        """The values of `answers` in groups: each answer gives one value of each group."""
        return (self.answers(question),)

    def answer_text(self, entered: Question, value: str, language: str) -> str:
        """One of `answers` in words, for a question as it was entered, in a language."""
        return next((option.label.get(language) for option in entered.options if option.value == value), None) or value

    def limits(self, entry: Entry) -> str:
        """The limits of an answer in words; empty if there are none."""
        low, high = entry.get("min"), entry.get("max")
        if low is not None and high is not None:
            return _("from %(least)s to %(most)s") % {"least": low, "most": high}
        if low is not None:
            return _("at least %(least)s") % {"least": low}
        return "" if high is None else _("at most %(most)s") % {"most": high}

    def columns(self, question: PublishedQuestion) -> Sequence[OpenColumn]:
        """The columns that its undisguised answers have in files: one, of its options or of texts."""
        if question.options:
            return (OpenColumn(question.id, ColumnKind.CHOICE, options=question.options),)
        return (OpenColumn(question.id, ColumnKind.TEXT, str),)

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> Any:
        """An undisguised answer that fits, of one of the people on whom a draft is tried; None: nobody can make one
        up.
        """
        if question.chances:
            return question.options[chance.choice(len(question.options), p=np.array(question.chances) / ONE)]
        return question.options[chance.integers(len(question.options))]

    def coarse(self, _question: PublishedQuestion, _given: Given, _silent: int | None, _least: int) -> Coarse | None:
        """The classes in which figures read its undisguised answers, by how many people gave each, and how many gave
        none; None where answers are shown as they were written.
        """
        return None

    def categories(self, _answers: Answers) -> Sequence[Categories]:
        """Its answers as values that a table can have an axis for; none where there are too many of them."""
        return ()

    def alike(self, answers: Answers) -> Sequence[Categories]:
        """The values by which people count as having answered alike: those of `categories`, unless these are none."""
        return self.categories(answers)
