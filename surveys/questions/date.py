"""A day from "min" to "max", all written "YYYY-MM-DD"; it cannot be disguised."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import numpy as np
from django.utils.translation import gettext_lazy

from privacy.errors import EntryError
from surveys.questions.asks import Asks
from surveys.questions.columns import date_column
from surveys.questions.question import Entry, PublishedQuestion, QuestionType
from surveys.questions.shown import months
from surveys.questions.values import both_ends, check_order, is_between

USUAL = (date(2000, 1, 1).toordinal(), date(2025, 12, 31).toordinal())  # of what people make up, where it has no ends
LONGEST = len('"YYYY-MM-DD"')


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    low, high = entry.get("min"), entry.get("max")
    if not all(value is None or _is_date(value) for value in (low, high)):
        raise EntryError("min and max of a date are written YYYY-MM-DD.", at=f"question '{question.id}'.min")
    check_order(question, low, high)
    return replace(question, min=low, max=high)


def _is_date(value: object) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _made_up(question: PublishedQuestion, chance: np.random.Generator) -> str:
    first, last = (None if end is None else date.fromisoformat(str(end)) for end in (question.min, question.max))
    low, high = both_ends(first and first.toordinal(), last and last.toordinal(), USUAL)
    day = chance.integers(max(low, date.min.toordinal()), min(high, date.max.toordinal()) + 1)
    return date.fromordinal(int(day)).isoformat()


TYPE = QuestionType(
    name="date",
    label=gettext_lazy("date (not disguised)"),
    asks=Asks.DATE,
    fields=frozenset(("min", "max")),
    uses=frozenset(("minimum", "maximum")),
    read=_read,
    fits=lambda question, value: _is_date(value) and is_between(value, question),
    made_up=_made_up,
    columns=date_column,
    shown=months,
    longest=lambda _question: LONGEST,
)
