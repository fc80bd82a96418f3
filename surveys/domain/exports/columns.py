"""The columns of the files that leave the site: what each is called, what it holds, and by what it was disguised."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext_noop

from privacy.design import YES_NO, Design
from privacy.records.columns import DISGUISED, unique_name
from privacy.records.records import DIRECT
from surveys.definition import Definition, asked_items
from surveys.features import device_questions
from surveys.questions import Entry, PublishedQuestion, type_of
from surveys.questions.question import ColumnKind
from surveys.questions.rows import YES_AND_NO, ready_texts

Texts = dict[str, str]  # by language
GROUPS: dict[str, Texts] = {  # what the column `direct` holds
    "0": {"en": "Answered under disguise", "zh-hans": "经伪装回答"},
    "1": {"en": "Answered directly", "zh-hans": "直接回答"},
}
NOT_ASKED, NOT_ANSWERED = gettext_noop("not asked"), gettext_noop("not answered")


@dataclass(frozen=True)
class CodedValue:
    """A value as CSV and JSON lines have it, its number in SPSS and Stata, and its words."""

    value: str
    code: int
    label: Texts


@dataclass(frozen=True)
class FileColumn:
    """One column of a file.

    name       an item of the design, or an undisguised question
    variable   what it is called in every file: a disguised one says so, so that nobody takes its values for the truth
    kind       what its cells are
    texts      the question, and where it has several parts, the part
    disguised  whether chance may have changed its values; `channel` says how: a row for each recorded value, and in it
               a chance for each true one
    row        what a row shows, where that is not one answer in each column
    empty      why a cell may be empty: it was not asked (the device drew others), or not answered
    of         of an undisguised column: its value in the undisguised answer
    """

    name: str
    variable: str
    kind: ColumnKind
    question: str = ""
    texts: tuple[Texts, ...] = ()
    values: tuple[CodedValue, ...] = ()
    disguised: bool = False
    channel: tuple[tuple[float, ...], ...] = ()
    empty: str = ""
    row: str = ""
    of: Callable[[Any], Any] | None = field(default=None, repr=False)

    @property
    def by_record(self) -> list[tuple[CodedValue, tuple[float, ...]]]:
        """The row of `channel` for each recorded value: pairs of the value and the chances, one for each true value."""
        return list(zip(self.values, self.channel, strict=True))

    def title(self, language: str) -> str:
        """The texts of question and part in one language, or the column's name if there is none."""
        return " – ".join(filter(None, (texts.get(language) for texts in self.texts))) or self.name


def columns_of(definition: Definition, design: Design | None = None) -> list[FileColumn]:
    """The columns of a version's files, in order: `direct`, the items of the design, undisguised questions in the order
    of the questionnaire, and what devices say beside them.

    `design` is the one that records are read by, where it is another than the published one.
    """
    asking = {
        item: (question, item if question.items else "", definition.entries[question.id])
        for question in definition.questions
        if question.sensitive
        for item, _ in asked_items(question)
    }
    columns = [FileColumn("direct", "direct", ColumnKind.GROUP, values=_values(DIRECT.scales[0], GROUPS))]
    for index, item in enumerate(definition.design.items):
        columns.append(_sensitive_column(design or definition.design, index, *asking[item.id]))
    for question in definition.open_questions:
        columns += _open_columns(question, definition.entries[question.id])
    for said in device_questions(definition.design, definition.source):
        values = _values(said.options, {})
        columns.append(FileColumn(said.id, "", ColumnKind.CHOICE, said.id, values=values, of=lambda answer: answer))
    return _name_columns(columns)


def words_of_lists(definition: Definition) -> list[str]:
    """Every word that a device may send, as a pattern is written: of all lists of the design."""
    lists = [block.patterns.word_list for block in definition.design.blocks if block.distribution is None]
    return [",".join(answers) for words in lists if words is not None for answers, _literals in words.words]


def _sensitive_column(design: Design, place: int, question: PublishedQuestion, part: str, entry: Entry) -> FileColumn:
    """The column of the design's item at `place`; `part`: the item of a question that has several, or empty."""
    spec = design.fields[place]
    texts = (entry["text"], *([_labels(entry)[part]] if part else []))
    empty = NOT_ASKED if spec.optional else ""
    if spec.numeric:  # a number of a grid, or a pair of them, which is a text "x:y"
        kind = ColumnKind.NUMBER if len(spec.scales) == 1 else ColumnKind.TEXT
        column = FileColumn(spec.name, "", kind, question.id, texts, disguised=True, empty=empty)
    else:
        values, odds = _values(spec.scales[0], _labels(entry), entry["text"]), channel(design, place)
        column = FileColumn(spec.name, "", ColumnKind.CHOICE, question.id, texts, values, True, odds, empty)
    row = design.blocks[design.place(place)[0]].whole.kind.words.row
    return replace(column, row=row.about) if row else column


def _open_columns(question: PublishedQuestion, entry: Entry) -> Iterator[FileColumn]:
    labels = _labels(entry)
    for column in type_of(question).columns(question):
        texts = (entry["text"], *([labels[column.part]] if column.part else []))
        values = _values(column.options, labels, entry["text"])
        yield FileColumn(column.name, "", column.kind, question.id, texts, values, empty=NOT_ANSWERED, of=column.value)


def channel(design: Design, place: int) -> tuple[tuple[float, ...], ...]:
    """P(recorded | true) of an item by itself, a row for each recorded value; empty if it depends on other answers."""
    block_place, inside = design.place(place)
    if design.blocks[block_place].reads_whole:
        return ()
    size = design.fields[place].size
    table = np.eye(size)  # a row for each true answer
    for part in design.blocks[block_place].patterns.along([0], [inside], (size,)):
        table = np.stack([part.disguise(row) for row in table])
    return tuple(map(tuple, table.T.tolist()))


def _labels(entry: Entry) -> dict[str, Texts]:
    rows = [(row["id"], row["label"]) for row in entry.get("items", ())]
    return dict(rows + [(row["value"], row["label"]) for row in entry.get("options", ())])


def _values(options: Sequence[str], labels: dict[str, Texts], tags: Iterable[str] = ("en",)) -> tuple[CodedValue, ...]:
    """Options with codes and labels: whole numbers are codes, others are numbered from 1; 0 and 1 alone: no and yes."""
    numbers = [int(option) for option in options if re.fullmatch(r"0|[1-9]\d{0,8}", option, re.ASCII)]
    codes = numbers if len(numbers) == len(options) else range(1, len(options) + 1)
    usual = {value: ready_texts(tags, label)[0] for value, label in YES_AND_NO}
    known = usual | labels if options == YES_NO else labels
    return tuple(CodedValue(option, code, known.get(option, {})) for option, code in zip(options, codes, strict=True))


def _name_columns(columns: list[FileColumn]) -> list[FileColumn]:
    """Give each column a variable; for items these are the names that `candor` takes (privacy.records.columns)."""
    taken: set[str] = set()
    return [
        replace(column, variable=unique_name(column.name, taken, DISGUISED if column.disguised else ""))
        for column in columns
    ]
