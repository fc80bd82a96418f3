"""A number, a JSON number from "min" to "max"; disguised it lies on a grid of steps of the width "step"."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

import numpy as np
from django.utils.translation import gettext_lazy

from privacy.design.fields import Steps, steps_between
from privacy.design.forms import EnteredItem
from privacy.design.rationals import fraction
from privacy.errors import EntryError
from surveys.questions.asks import Asks
from surveys.questions.columns import number_column
from surveys.questions.entered import Entered, at, bounds
from surveys.questions.question import Disguise, Entry, PublishedQuestion, QuestionType
from surveys.questions.shown import numbers, ranges
from surveys.questions.values import both_ends, check_order, is_between

LARGEST = 1e15
USUAL = (0, 100)  # of what people make up, where it has no ends
LONGEST = 25  # digits, sign, point and exponent of a double


def _read(question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
    low, high, step = entry.get("min"), entry.get("max"), entry.get("step")
    if not all(value is None or _is_number(value) for value in (low, high, step)):
        raise EntryError("min and max of a number are numbers.", at=f"question '{question.id}'.min")
    check_order(question, low, high)
    read = replace(question, min=low, max=high, step=step)
    if question.sensitive:
        _grid(read)
    return read


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(question: PublishedQuestion, value: object) -> bool:
    return (
        isinstance(value, int | float) and _is_number(value) and abs(value) <= LARGEST and is_between(value, question)
    )


def _made_up(question: PublishedQuestion, chance: np.random.Generator) -> int | float | None:
    """Whole where a whole number lies between the ends; None where every number from end to end is too large."""
    low, high = both_ends(question.min, question.max, USUAL)
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if not low <= high:
        return None
    if ceil(low) <= floor(high):
        return int(chance.integers(ceil(low), floor(high) + 1))
    return float(min(low + (high - low) * chance.random(), high))


def _grid(question: PublishedQuestion) -> Steps:
    """The numbers that can be answered to a disguised question."""
    low, high, step = question.min, question.max, 1 if question.step is None else question.step
    if isinstance(low, int | float) and isinstance(high, int | float):
        return steps_between(fraction(low), fraction(high), fraction(step), f"question '{question.id}'")
    raise EntryError("a disguised number needs a minimum and a maximum.", at=f"question '{question.id}'.min")


def _write(entered: Entered, languages: object) -> Entry:
    del languages
    step = entered.question.settings.get("step")
    return bounds(entered) | ({} if step is None else {"step": step})


def _entered(entered: Entered) -> list[EnteredItem]:
    ends = bounds(entered)
    if len(ends) < 2:
        raise EntryError("a disguised number needs a minimum and a maximum.", at=at(entered, "min"))
    settings = entered.question.settings
    scale = ends | {"step": settings.get("step") or 1}
    return [EnteredItem(entered.question.identifier, (), settings, scale)]


TYPE = QuestionType(
    name="number",
    label=gettext_lazy("number"),
    asks=Asks.NUMBER,
    fields=frozenset(("min", "max", "step")),
    uses=frozenset(("minimum", "maximum")),
    read=_read,
    fits=_fits,
    made_up=_made_up,
    columns=number_column,
    shown=numbers,
    categories=ranges,
    longest=lambda _question: LONGEST,
    write=_write,
    disguise=Disguise(
        items=lambda question: ((question.id, (_grid(question),)),),
        entered=_entered,
        on_grid=True,
        own_block=True,
        scale=lambda _settings: dict.fromkeys(("min", "max")),
    ),
)
