"""A number, a JSON number from "min" to "max"; it cannot be disguised."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.questions.columns import number_column
from surveys.questions.entered import bounds
from surveys.questions.question import Entry, PublishedQuestion, QuestionType
from surveys.questions.shown import numbers, ranges
from surveys.questions.values import check_order, is_between

LARGEST = 1e15
LONGEST = 25  # digits, sign, point and exponent of a double


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    low, high = entry.get("min"), entry.get("max")
    if not all(value is None or _is_number(value) for value in (low, high)):
        raise EntryError("min and max of a number are numbers.", at=f"question '{question.id}'.min")
    check_order(question, low, high)
    return replace(question, min=low, max=high)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(question: PublishedQuestion, value: object) -> bool:
    return (
        isinstance(value, int | float) and _is_number(value) and abs(value) <= LARGEST and is_between(value, question)
    )


TYPE = QuestionType(
    name="number",
    label=gettext_lazy("number (not disguised)"),
    fields=frozenset(("min", "max")),
    uses=frozenset(("minimum", "maximum")),
    read=_read,
    fits=_fits,
    columns=number_column,
    shown=numbers,
    categories=ranges,
    longest=lambda _question: LONGEST,
    write=lambda entered, _languages: dict(bounds(entered)),
)
