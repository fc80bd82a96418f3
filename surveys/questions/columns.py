"""The columns that undisguised answers have in files."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
