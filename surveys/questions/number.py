"""A number, a JSON number from "min" to "max"; disguised it lies on a grid of steps of the width "step".

Its "heaps" are numbers that many people share: reports look at each of them by itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, floor, inf
from typing import Any

import numpy as np
from django.utils.translation import gettext as _, gettext_lazy

from privacy.design.fields import Steps, steps_between
from privacy.design.rationals import fraction
from privacy.design.recipes import EnteredItem
from privacy.errors import EntryError
from privacy.reconstruct.distribution import distribution
from surveys.displays import Histogram
from surveys.percent import Share
from surveys.questions.coarse import Coarse, coarse_numbers
from surveys.questions.entered import Question, bounds
from surveys.questions.make_displays import (
    by_ranges,
    by_spans,
    empty_histogram,
    middle_of_ranges,
    nearly_all,
    of_ranges,
)
from surveys.questions.question import (
    Answers,
    Asks,
    Categories,
    ColumnKind,
    Disguise,
    Entry,
    Given,
    OpenColumn,
    PublishedQuestion,
    QuestionType,
)
from surveys.questions.values import both_ends, check_order, is_between
from surveys.sentences import join_sentences
from surveys.shares import LEVEL

LARGEST = 1e15
USUAL = (0, 100)  # of what people make up, where it has no ends
MOST_RANGES = 20
LONGEST = 25  # digits, sign, point and exponent of a double


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf


def _grid(question: PublishedQuestion) -> Steps:
    """The numbers that can be answered to a disguised question."""
    low, high, step = question.min, question.max, 1 if question.step is None else question.step
    if isinstance(low, int | float) and isinstance(high, int | float):
        return steps_between(fraction(low), fraction(high), fraction(step), f"question '{question.id}'")
    raise EntryError("a disguised number needs a minimum and a maximum.", at=f"question '{question.id}'.min")


def _check_heaps(answers: Steps, heaps: Any, at: str) -> None:
    if not isinstance(heaps, list) or not all(map(_is_number, heaps)):
        raise EntryError("heaps are a list of numbers.", at=at)
    for value in heaps:
        place = (fraction(value) - fraction(answers.first)) / fraction(answers.step)
        if place.denominator != 1 or not 0 <= place < len(answers):
            raise EntryError("{value} is no answer to this question.", at=at, value=f"{value:.10g}")


def _items_to_disguise(entered: Question) -> list[EnteredItem]:
    ends = bounds(entered)
    if len(ends) < 2:
        raise EntryError("a disguised number needs a minimum and a maximum.", at=f"{entered.place}.min")
    settings = entered.settings
    scale = ends | {"step": settings.get("step") or 1}
    if heaps := settings.get("heaps"):
        low, high, step = map(fraction, scale.values())
        _check_heaps(steps_between(low, high, step, f"{entered.place}.step"), heaps, f"{entered.place}.heaps")
    return [EnteredItem(entered.id, (), settings, scale)]


def _reconstruct(answers: Answers) -> Histogram:
    """How a disguised number is distributed, with its mean and median."""
    name = answers.question.id
    answers = answers.with_item(name)
    records = answers.records
    if answers.worth(np.ones(len(records), bool)) < answers.least_alone:
        return empty_histogram(answers)
    heaps = [fraction(value) for value in answers.entry.get("heaps", ())]
    estimated = distribution(records, name, level=LEVEL, sample=answers.sampling, heaps=heaps)
    figures, edges = estimated.figures, estimated.distribution.edges
    whole = all(edge.is_integer() for edge in edges)
    lows, highs = estimated.intervals
    columns = (estimated.shares, estimated.se, lows, highs)
    shares = tuple(Share(value, se, low, high) for value, se, low, high in np.transpose(columns).tolist())
    labels = tuple(_range(low, high, whole) for low, high in pairwise(edges))
    middle = {
        key: {
            "value": f"{figures[key]:.1f}",
            "low": f"{figures['ci'][key][0]:.1f}",
            "high": f"{figures['ci'][key][1]:.1f}",
        }
        for key in ("mean", "median")
    }
    said = [
        _("Mean %(value)s (%(low)s to %(high)s).") % middle["mean"],
        _("Median %(value)s (%(low)s to %(high)s).") % middle["median"],
    ]
    truth: tuple[float, ...] = ()
    if answers.simulated is not None:
        column, codes = records.design.column(name), answers.simulated[0]
        true = np.array([float(records.design.fields[column].text(code)) for code in codes[:, column].tolist()])
        mean = {"mean": f"{true.mean():.1f}"}
        said.append(_("The simulated people of this demonstration have a mean of %(mean)s.") % mean)
        truth = tuple((np.histogram(true, edges)[0] / len(true)).tolist())
    return Histogram(
        name, len(records), said=join_sentences(said), edges=tuple(edges), labels=labels, shares=shares, truth=truth
    )


def _cells(low: float, high: float, whole: bool) -> np.ndarray:
    """The edges of at most 20 cells of a round width."""
    rough = max((high - low) / MOST_RANGES, 1.0 if whole else 1e-9)
    power = 10.0 ** np.floor(np.log10(rough))
    width = next(power * nice for nice in (1, 2, 5, 10) if power * nice >= rough * (1 - 1e-9))
    first, last = np.floor(low / width), np.floor(high / width) + 1
    return np.arange(first, last + 1) * width


def _range(start: float, stop: float, whole: bool) -> str:
    """The numbers from `start` to before `stop` in words."""
    if stop == inf:
        return _("at least %(least)s") % {"least": f"{start:.10g}"}
    if start == -inf and whole:
        return _("at most %(most)s") % {"most": f"{stop - 1:.10g}"}
    if start == -inf:
        return _("below %(most)s") % {"most": f"{stop:.10g}"}
    if not whole:
        return _("%(least)s to below %(most)s") % {"least": f"{start:.10g}", "most": f"{stop:.10g}"}
    last = stop - 1
    return f"{start:.10g}" if last == start else f"{start:.10g}–{last:.10g}"


class Number(QuestionType):
    name = "number"
    label = gettext_lazy("number")
    asks = Asks.NUMBER
    fields = frozenset(("min", "max", "step", "heaps"))
    uses = frozenset(("min", "max"))
    on_ends = gettext_lazy(
        "Give ends that are plausible for your people, such as 16 and 80. The mean is worked out from ranges, and the "
        "first and the last reach these ends: the wider they are, the less is known of it."
    )
    disguise = Disguise(
        items=lambda question: ((question.id, (_grid(question),)),),
        entered=_items_to_disguise,
        on_grid=True,
        scale=lambda _settings: dict.fromkeys(("min", "max")),
    )

    def read(self, question: PublishedQuestion, entry: Entry) -> PublishedQuestion:
        low, high, step = entry.get("min"), entry.get("max"), entry.get("step")
        if not all(value is None or _is_number(value) for value in (low, high, step)):
            raise EntryError("min and max of a number are numbers.", at=f"question '{question.id}'.min")
        check_order(question, low, high)
        read = replace(question, min=low, max=high, step=step)
        if question.sensitive:
            _check_heaps(_grid(read), entry.get("heaps", []), f"question '{read.id}'.heaps")
        return read

    def lacks(self, entered: Question) -> str:
        if entered.block is None or (entered.min and entered.max):
            return ""
        return _("“%(name)s” needs a minimum and a maximum to be disguised.") % {"name": entered.words}

    def fits(self, question: PublishedQuestion, value: object) -> bool:
        return (
            isinstance(value, int | float)
            and _is_number(value)
            and abs(value) <= LARGEST
            and is_between(value, question)
        )

    def simulate(self, question: PublishedQuestion, chance: np.random.Generator) -> int | float | None:
        """Whole where a whole number lies between the ends; None where every number from end to end is too large."""
        low, high = both_ends(question.min, question.max, USUAL)
        low, high = max(low, -LARGEST), min(high, LARGEST)
        if not low <= high:
            return None
        if ceil(low) <= floor(high):
            return int(chance.integers(ceil(low), floor(high) + 1))
        return float(min(low + (high - low) * chance.random(), high))

    def write(self, entered: Question, _languages: Sequence[str]) -> Entry:
        own = {name: entered.settings.get(name) for name in ("step", "heaps")}
        return bounds(entered) | {name: value for name, value in own.items() if value is not None}

    def columns(self, question: PublishedQuestion) -> Sequence[OpenColumn]:
        return (OpenColumn(question.id, ColumnKind.NUMBER),)

    def coarse(self, question: PublishedQuestion, given: Given, silent: int | None, least: int) -> Coarse:
        """Ranges between the ends of the question."""
        low, high = both_ends(question.min, question.max, (-int(LARGEST), int(LARGEST)))
        values = given.numbers()
        whole = bool((values != np.floor(values)).sum() < least)
        ends = (float(floor(low)), float(floor(high) + 1)) if whole else (float(low), float(np.nextafter(high, inf)))
        return coarse_numbers(values, ends, whole, least, silent)

    def categories(self, answers: Answers) -> list[Categories]:
        """An axis with the ranges of the histogram of undisguised numbers; none of disguised ones, of which none is
        known.
        """
        if answers.question.sensitive:
            return []
        (histogram,) = self.displays(answers)
        return of_ranges(answers, histogram)

    def displays(self, answers: Answers) -> list[Histogram]:
        """Undisguised numbers by ranges that are as wide as it takes to have enough people in each; disguised ones
        by bins.
        """
        if answers.question.sensitive:
            return [_reconstruct(answers)]
        if spans := answers.given.spans:
            made, silent = by_spans(answers, _range), (answers.least - 1) * spans[-1].silent
            return [replace(made, middle=middle_of_ranges(made, answers.question, spans[0].whole, silent))]
        values = answers.given.numbers()
        ends = nearly_all(values, answers.least)
        if ends is None:
            return [empty_histogram(answers)]
        whole = (values != np.floor(values)).sum() < answers.least
        made = by_ranges(answers, values, _cells(*ends, whole), whole, _range)
        return [replace(made, middle=middle_of_ranges(made, answers.question, bool(whole)))]

    def longest(self, _question: PublishedQuestion) -> int:
        return LONGEST
