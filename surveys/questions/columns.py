"""The columns that open answers have in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from privacy.design import YES_NO


class ColumnKind(StrEnum):
    """What the cells of a column are, whatever was asked: each type of question says it of its own columns.

    The values are the words of the codebook.
    """

    GROUP = "group"  # whether a person answered directly; no question has it
    CHOICE = "choice"  # one of the column's options
    NUMBER = "number"
    DAY = "date"
    TEXT = "text"


class Asked(Protocol):
    """What is looked at of a published question."""

    @property
    def id(self) -> str: ...

    @property
    def options(self) -> tuple[str, ...]: ...

    @property
    def items(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class OpenColumn:
    """One column: what it holds, and its value in an open answer, or None.

    `part` is the item or statement that it is about, where the question has several.
    """

    name: str
    kind: ColumnKind
    value: Callable[[Any], Any] = lambda answer: answer
    options: tuple[str, ...] = ()
    part: str = ""


def own_column(question: Asked) -> Sequence[OpenColumn]:
    """One of the options, or whatever the answer is as text."""
    if question.options:
        return (OpenColumn(question.id, ColumnKind.CHOICE, options=question.options),)
    return (
        OpenColumn(question.id, ColumnKind.TEXT, lambda answer: answer if isinstance(answer, str) else str(answer)),
    )


def number_column(question: Asked) -> Sequence[OpenColumn]:
    return (OpenColumn(question.id, ColumnKind.NUMBER),)


def date_column(question: Asked) -> Sequence[OpenColumn]:
    return (OpenColumn(question.id, ColumnKind.DAY),)


def column_of_each_item(question: Asked) -> Sequence[OpenColumn]:
    """Whether each item was ticked."""
    return [
        OpenColumn(item, ColumnKind.CHOICE, lambda answer, item=item: str(int(item in answer)), YES_NO, item)  # type: ignore[misc]
        for item in question.items
    ]


def column_of_each_statement(question: Asked) -> Sequence[OpenColumn]:
    """The point of each statement."""
    return [
        OpenColumn(item, ColumnKind.CHOICE, lambda answer, item=item: answer.get(item), question.options, item)  # type: ignore[misc]
        for item in question.items
    ]
