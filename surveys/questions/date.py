"""A day from "min" to "max", all written "YYYY-MM-DD"; it cannot be disguised."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from math import inf

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.errors import EntryError
from surveys.displays import Histogram
from surveys.questions.coarse import Coarse, coarse_numbers
from surveys.questions.make_displays import by_ranges, by_spans, empty_histogram, nearly_all, of_ranges
from surveys.questions.question import (
    Answers,
    Asks,
    Categories,
    ColumnKind,
    Entry,
    Given,
    OpenColumn,
    PublishedQuestion,
    QuestionType,
)
from surveys.questions.values import both_ends, check_order, is_between

USUAL = (date(2000, 1, 1).toordinal(), date(2025, 12, 31).toordinal())  # of what people make up, where it has no ends
FIRST, LAST = date.min.isoformat(), date.max.isoformat()
LONGEST = len('"YYYY-MM-DD"')


def _is_date(value: object) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _month_number(day: str) -> int:
    year, month, _day = day.split("-")
    return 12 * int(year) + int(month) - 1


def _month_as_text(month: float) -> str:
    year, place = divmod(int(month), 12)
    return f"{year:04}-{place + 1:02}"


def _months_as_text(start: float, stop: float, _whole: bool) -> str:
    if start == -inf:
        return _("up to %(last)s") % {"last": _month_as_text(stop - 1)}
    if stop == inf:
        return _("%(first)s or later") % {"first": _month_as_text(start)}
    first, last = _month_as_text(start), _month_as_text(stop - 1)
    return first if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}


class Date(QuestionType):
    name = "date"
    label = gettext_lazy("date (not disguised)")
    asks = Asks.DATE
    fields = frozenset(("min", "max"))
    uses = frozenset(("min", "max"))

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        low, high = entry.get("min"), entry.get("max")
        if not all(value is None or _is_date(value) for value in (low, high)):
            raise EntryError("min and max of a date are written YYYY-MM-DD.", at=f"question '{question.id}'.min")
        check_order(question, low, high)
        return replace(question, min=low, max=high)

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> str:
        first, last = (None if end is None else date.fromisoformat(str(end)) for end in (question.min, question.max))
        low, high = both_ends(first and first.toordinal(), last and last.toordinal(), USUAL)
        day = chance.integers(max(low, date.min.toordinal()), min(high, date.max.toordinal()) + 1)
        return date.fromordinal(int(day)).isoformat()

    def columns(self, question: PublishedQuestion) -> Sequence[OpenColumn]:
        return (OpenColumn(question.id, ColumnKind.DAY),)

    def displays(self, answers: Answers) -> list[Histogram]:
        """Undisguised days by month; neighbouring months are joined until they have enough people."""
        if answers.given.spans:
            return [by_spans(answers, _months_as_text, _month_as_text)]
        values = answers.given.numbers(_month_number)
        ends = nearly_all(values, answers.least)
        if ends is None:
            return [empty_histogram(answers)]
        edges = np.arange(ends[0], ends[1] + 2)
        return [by_ranges(answers, values, edges, True, _months_as_text, _month_as_text)]

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Ranges of months."""
        ends = (_month_number(str(end or usual)) for end, usual in ((question.min, FIRST), (question.max, LAST)))
        first, last = (float(end) for end in ends)
        values = given.numbers(_month_number)
        return coarse_numbers(values, (first, last + 1), True, least, silent, _month_number)

    def alike(self, answers: Answers) -> list[Categories]:
        (histogram,) = self.displays(answers)
        return of_ranges(answers, histogram, _month_number)

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        return _is_date(value) and is_between(value, question)

    def longest(self, _question: PublishedQuestion) -> int:
        return LONGEST
