"""The undisguised answers of a snapshot: to each question the different ones, and which of them each person gave.

So what a figure needs to know of an answer is worked out once for all who gave it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from surveys.domain.responses.people import Published
from surveys.questions import Given


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
