"""The undisguised answers of a snapshot: to each question the different ones, and which of them each person gave.

So what a figure needs to know of an answer is worked out once for all who gave it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np

from surveys.conditions import is_asked, leaves_of
from surveys.definition import Definition
from surveys.domain.responses import gate
from surveys.domain.responses.groups import known_people
from surveys.domain.responses.people import Class, Figure, Published, few_people, figures_in_groups
from surveys.questions import Asks, Given, PublishedQuestion, type_of
from surveys.questions.coarse import NOBODY_KNOWS, Coarse, are_enough, coarse_options


@dataclass(frozen=True)
class Column:
    """The answers to one question; `codes` are their places among the different ones, −1 where nobody answered."""

    different: list[Any]
    codes: np.ndarray

    @classmethod
    def from_rows(cls, rows: Sequence[dict[str, Any]], question: str) -> "Column":
        places: dict[str, int] = {}  # by how an answer is written: 1 and 1.0 are two
        codes = np.array(
            [places.setdefault(repr(row[question]), len(places)) if question in row else -1 for row in rows], np.int32
        )
        _codes, firsts = np.unique(codes, return_index=True)
        return cls([rows[first][question] for first in firsts[-len(places) :]] if places else [], codes)

    def tally(self, rows: np.ndarray | slice = slice(None)) -> Given:
        """Count how many of these people gave each answer."""
        codes = self.codes[rows]
        times = np.bincount(codes[codes >= 0], minlength=len(self.different))
        return Given([self.different[place] for place in np.flatnonzero(times)], times[times > 0])

    def map(self, to: Callable[[Any], Any], silent: Any = None) -> np.ndarray:
        """Map each person's answer by a function; people without one get `silent`."""
        made = np.empty(len(self.different) + 1, object)
        made[:] = [*map(to, self.different), silent]
        mapped: np.ndarray = made[self.codes]
        return mapped

    def group_codes(self, to: Callable[[Any], str]) -> np.ndarray:
        """Map each person's answer and number the results; −1 where there is none."""
        places: dict[str, int] = {"": -1}
        made = [places.setdefault(to(answer), len(places)) for answer in self.different]
        grouped: np.ndarray = np.array([*made, -1])[self.codes]
        return grouped


@dataclass(frozen=True)
class OpenAnswers:
    """The columns of so many people, by question; of those that nobody answered there is none."""

    people: int
    columns: dict[str, Column]

    @classmethod
    def from_rows(cls, rows: Sequence[dict[str, Any]]) -> "OpenAnswers":
        questions = dict.fromkeys(question for row in rows for question in row)
        return OpenAnswers(len(rows), {question: Column.from_rows(rows, question) for question in questions})

    @classmethod
    def from_lines(cls, lines: Sequence[bytes], people: int) -> "OpenAnswers":
        """Read one line of JSON per person; without lines there are no columns."""
        return cls.from_rows(json.loads(b"[" + b",".join(lines) + b"]")) if lines else OpenAnswers(people, {})

    def __len__(self) -> int:
        return self.people

    def select(self, rows: np.ndarray) -> Self:
        """Return the answers of some of the people."""
        columns = {name: Column(column.different, column.codes[rows]) for name, column in self.columns.items()}
        return replace(self, people=len(np.arange(self.people)[rows]), columns=columns)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The answers of each person."""
        for row in range(self.people):
            yield {
                question: column.different[column.codes[row]]
                for question, column in self.columns.items()
                if column.codes[row] >= 0
            }

    def column(self, question: str) -> Column:
        return self.columns.get(question) or Column([], np.full(self.people, -1, np.int32))


@dataclass(frozen=True)
class DeclaredAnswers(OpenAnswers):
    """The answers that figures read. `declared`: whom these figures are about, as `few_people` looks at them.

    What a report shows of undisguised answers it reads here, and the type checker takes no others.
    """

    declared: Published


@dataclass(frozen=True)
class _Classed:
    """A question that figures show: its classes, and the class of each person; `with_direct` says of whom."""

    rule: Coarse
    column: Column
    with_direct: bool
    declared: list[Published]


def make_coarse(
    answers: OpenAnswers, definition: Definition, direct: np.ndarray, least: int, full: Mapping[str, Sequence[str]]
) -> DeclaredAnswers:
    """The same people with a class in place of each undisguised answer, which disguised people alone decide.

    Direct ones are in the classes of a question only where `least` of them are in each, otherwise in none. What the
    device drew stays, and so do texts, where their number tells of no fewer. Everybody knows which groups are `full`.
    """
    questions = {question.id: question for question in definition.open_questions}
    columns, classed = dict(answers.columns), dict[str, _Classed]()
    figures, people = list[Figure](), dict[Class, int]()
    for question in questions.values():
        columns.pop(question.id, None)
        parents = [questions[name] for name in dict.fromkeys(leaf["question"] for leaf in leaves_of(question))]
        if not _is_settled(question, parents, classed, direct, least):
            continue
        given, asked = answers.column(question.id), _people_asked(question, parents, answers, questions)
        can_tell_direct = all(classed[parent.id].with_direct for parent in parents)
        declared = list[Published]()
        if type_of(question).asks is Asks.TEXT:
            if texts := _texts(question, given, asked, direct, can_tell_direct, least):
                columns[question.id] = texts
                wrote = [(texts.codes >= 0).astype(int), asked.astype(int)]
                declared = [figures_in_groups(question.id, wrote, direct, can_tell_direct)]
        elif made := _tell(question, given, asked, direct, can_tell_direct, least, full.get(question.id, ())):
            classed[question.id], columns[question.id] = made, made.column
            declared = made.declared
        for own, counts in declared:
            figures += own
            people |= counts
    return DeclaredAnswers(len(answers), columns, (figures, people))


def _is_settled(
    question: PublishedQuestion,
    parents: list[PublishedQuestion],
    classed: dict[str, _Classed],
    direct: np.ndarray,
    least: int,
) -> bool:
    """Whether classes of earlier questions alone decide who is asked this one: else their number would tell of others.

    A condition names answers that are classes of their own; of several questions, items or statements every combination
    has enough people.
    """
    named = leaves_of(question)
    if not all(leaf["question"] in classed for leaf in named):
        return False
    if not all(classed[leaf["question"]].rule.apart.issuperset(leaf["is"]) for leaf in named):
        return False
    columns = [
        classed[parent.id].column.group_codes(lambda answer, one=one: _word(one.value(answer)))  # type: ignore[misc]
        for parent in parents
        for values, one in zip(type_of(parent).parts(parent), type_of(parent).columns(parent), strict=True)
        if any(leaf["question"] == parent.id and not {*leaf["is"]}.isdisjoint(values) for leaf in named)
    ]
    with_direct = all(classed[parent.id].with_direct for parent in parents) and direct.any()
    return len(columns) < 2 or all(
        len(gate.columns_that_cross([column[rows] for column in columns], least)) == len(columns)
        for rows in ([~direct, direct] if with_direct else [~direct])
    )


def _word(value: object) -> str:
    return "" if value is None else str(value)


def _people_asked(
    question: PublishedQuestion,
    parents: list[PublishedQuestion],
    answers: OpenAnswers,
    known: dict[str, PublishedQuestion],
) -> np.ndarray:
    given = [answers.column(parent.id) for parent in parents]
    if not given:
        return np.ones(len(answers), bool)
    different, places = np.unique([column.codes for column in given], axis=1, return_inverse=True)
    combinations = (
        {
            parent.id: column.different[code]
            for parent, column, code in zip(parents, given, codes, strict=True)
            if code >= 0
        }
        for codes in different.T
    )
    return np.array([is_asked(question, combination, known) for combination in combinations])[places.ravel()]


def _texts(
    question: PublishedQuestion, given: Column, asked: np.ndarray, direct: np.ndarray, with_direct: bool, least: int
) -> Column | None:
    """The texts of who was asked; None where few wrote one, or may have left it out: their number would tell both."""
    disguised = asked & ~direct
    wrote, silent = (int((disguised & has).sum()) for has in (given.codes >= 0, given.codes < 0))
    if wrote < least or (silent < least and (silent or not question.required)):
        return None
    return Column(given.different, np.where(asked if with_direct else disguised, given.codes, -1).astype(np.int32))


def _tell(
    question: PublishedQuestion,
    given: Column,
    asked: np.ndarray,
    direct: np.ndarray,
    with_direct: bool,
    least: int,
    full: Sequence[str],
) -> _Classed | None:
    """The class of each person who was asked; None where nothing is shown of the question."""
    of_type, disguised = type_of(question), asked & ~direct
    said = given.tally(disguised & (given.codes >= 0))
    silent: int | None = int((disguised & (given.codes < 0)).sum())
    if question.required and not silent:
        silent = None
    if not are_enough(said.people, least, silent):
        return None
    rule = of_type.coarse(question, said, silent, least)
    if limits := known_people(question, full):  # it is known of all people: direct ones are taken off, or are any few
        others = given.tally(asked & direct & (given.codes >= 0)).count(question.options)
        fewest, most = limits
        known = (fewest - others, most - others) if with_direct else (fewest, most - min(direct.sum(), NOBODY_KNOWS))
        rule = coarse_options(question.options, said.count(question.options), least, silent, known)
    assert rule is not None
    classes = [*map(rule.of, given.different), rule.silence]
    places: dict[str, int] = {repr(None): -1}
    of_class = np.array([places.setdefault(repr(group), len(places) - 1) for group in classes])
    codes = np.where(asked, of_class[given.codes], -1)  # the last one is of those who gave no answer
    different = [next(group for group in classes if repr(group) == name) for name in places if name != repr(None)]
    made = Column(different, codes.astype(np.int32))
    own = {
        column.name: made.group_codes(lambda one, column=column: repr(column.value(one)))  # type: ignore[misc]
        for column in of_type.columns(question)
    }
    published = [partial(figures_in_groups, name, [codes, asked.astype(int)], direct) for name, codes in own.items()]
    if any(few_people(*of(with_direct=False), least) for of in published):
        return None
    can_tell = with_direct
    with_direct &= not any(few_people(*of(with_direct=True), least) for of in published)
    if limits and can_tell and not with_direct:
        return _tell(question, given, asked, direct, False, least, full)
    if not with_direct:
        made = Column(different, np.where(direct, -1, made.codes).astype(np.int32))
    return _Classed(rule, made, with_direct, [of(with_direct=with_direct) for of in published])
