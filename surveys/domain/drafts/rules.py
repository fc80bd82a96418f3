"""Rules of values that a document and its features share."""

from collections.abc import Iterator
from typing import Any

from privacy.errors import EntryError
from surveys.conditions import MOST_ANSWERS


def answer_list(values: Any, at: str) -> Iterator[EntryError]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        yield EntryError("this is a list of texts.", at=at)
    elif len(values) > MOST_ANSWERS:
        yield EntryError("these are too many answers for a condition: tick fewer.", at=at)
