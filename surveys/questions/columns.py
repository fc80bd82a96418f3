"""The columns that open answers have in files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from privacy.design import YES_NO


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
    """One column: what it holds (`kind`: choice, number, date or text), and its value in an open answer, or None.

    `part` is the item or statement that it is about, where the question has several.
    """

    name: str
    kind: str
    value: Callable[[Any], Any] = lambda answer: answer
    options: tuple[str, ...] = ()
    part: str = ""


def own_column(question: Asked) -> Sequence[OpenColumn]:
    """One of the options, or whatever the answer is as text."""
    if question.options:
        return (OpenColumn(question.id, "choice", options=question.options),)
    return (OpenColumn(question.id, "text", lambda answer: answer if isinstance(answer, str) else str(answer)),)


def number_column(question: Asked) -> Sequence[OpenColumn]:
    return (OpenColumn(question.id, "number"),)


def date_column(question: Asked) -> Sequence[OpenColumn]:
    return (OpenColumn(question.id, "date"),)


def column_of_each_item(question: Asked) -> Sequence[OpenColumn]:
    """Whether each item was ticked."""
    return [
        OpenColumn(item, "choice", lambda answer, item=item: str(int(item in answer)), YES_NO, item)  # type: ignore[misc]
        for item in question.items
    ]


def column_of_each_statement(question: Asked) -> Sequence[OpenColumn]:
    """The point of each statement."""
    return [
        OpenColumn(item, "choice", lambda answer, item=item: answer.get(item), question.options, item)  # type: ignore[misc]
        for item in question.items
    ]
