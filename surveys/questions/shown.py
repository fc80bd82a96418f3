"""How answers are shown: shares of options and of items, numbers and days by ranges, texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from privacy.design.block import Block
from privacy.design.patterns import Pattern
from privacy.design.sentences import three_digits
from privacy.draw.map import Map
from privacy.reconstruct.distribution import Shares as Found
from privacy.reconstruct.distribution import reconstruct_distribution
from surveys.displays import Histogram, PlaceMap, Row, Share, Shares, Texts
from surveys.questions.question import Answers, Categories
from surveys.shares import LEVEL, Estimate, counted, merged, reconstructed, told

MOST_RANGES = 20
MAP_CELLS = 8  # columns and rows of a map, so that shares have an error that tells something


def one_answer(answers: Answers) -> list[Shares]:
    """Of a question with one answer: how common each option is."""
    question = answers.question
    labels = [answers.label(value) for value in question.options]
    if question.sensitive:
        return [disguised_options(answers, question.id, labels)]
    return [open_options(answers, question.id, [str(value) for value in answers.given], labels)]


def open_options(answers: Answers, name: str, given: Sequence[str], labels: Sequence[str], heading: str = "") -> Shares:
    """How common each option is among open answers; `given` has one for each person who answered."""
    options = answers.question.options
    n = len(given)
    if n < answers.least:
        return Shares(name, 0, (), heading)
    counts = np.array([given.count(option) for option in options])
    shown = told(counts, answers.least)
    rows = [
        Row(label, counted(int(count), n) if tell else None)
        for label, count, tell in zip(labels, counts, shown, strict=True)
    ]
    together = counted(int(counts[~shown].sum()), n) if not shown.all() and shown.any() else None
    return Shares(name, n, tuple(rows), heading, together)


def disguised_options(answers: Answers, item: str, labels: Sequence[str], heading: str = "") -> Shares:
    """How common each option of a disguised item is."""
    column = answers.records.design.column(item)
    patterns = [Pattern(((column, frozenset([place])),)) for place in range(len(labels))]
    return in_rows(item, labels, reconstructed(answers.records, patterns, answers.least), heading)


def in_rows(name: str, labels: Sequence[str], estimates: Sequence[Estimate], heading: str = "") -> Shares:
    n = max((estimate.n for estimate in estimates), default=0)
    rows = [
        Row(label, estimate.all, estimate.direct, estimate.disguised, estimate.difference)
        for label, estimate in zip(labels, estimates, strict=True)
    ]
    return Shares(name, n, tuple(rows) if n else (), heading)


def several_answers(answers: Answers) -> list[Shares]:
    """Of a question with several answers: how many gave each of them."""
    question, given, least = answers.question, answers.given, answers.least
    labels = [answers.label(item) for item in question.items]
    if question.sensitive:
        design = answers.records.design
        patterns = [Pattern(((design.column(item), frozenset([1])),)) for item in question.items]
        return [in_rows(question.id, labels, reconstructed(answers.records, patterns, least))]
    n = len(given)
    if n < least:
        return [Shares(question.id, 0, ())]
    rows = []
    for item, label in zip(question.items, labels, strict=True):
        count = sum(item in answer for answer in given)
        rows.append(Row(label, counted(count, n) if told([count, n - count], least).all() else None))
    return [Shares(question.id, n, tuple(rows))]


def by_statement(answers: Answers) -> list[Shares]:
    """Of statements on one scale: how common each point is, a display for each statement."""
    question = answers.question
    labels = [answers.label(point) for point in question.options]
    shown = []
    for item in question.items:
        heading = answers.label(item)
        if question.sensitive:
            shown.append(disguised_options(answers, item, labels, heading))
        else:
            given = [answer[item] for answer in answers.given if item in answer]
            shown.append(open_options(answers, item, given, labels, heading))
    return shown


def options(answers: Answers) -> list[Categories]:
    """One axis with the options of a question with one answer."""
    question = answers.question
    labels = tuple(answers.label(value) for value in question.options)
    return [Categories(question.id, answers.text, labels, _place(question.options))]


def yes_or_no(answers: Answers) -> list[Categories]:
    """An axis for each item of a question with several answers: was it ticked or not?"""
    said = (_("No"), _("Yes"))

    def of_item(item: str) -> Categories:
        heading = f"{answers.text} {answers.label(item)}"
        return Categories(item, heading, said, lambda answer: int(item in answer))

    return [of_item(item) for item in answers.question.items]


def points(answers: Answers) -> list[Categories]:
    """An axis for each statement on a scale."""
    question = answers.question
    labels = tuple(answers.label(value) for value in question.options)
    place = _place(question.options)

    def of_item(item: str) -> Categories:
        heading = f"{answers.text} {answers.label(item)}"
        return Categories(item, heading, labels, lambda answer: place(answer.get(item)))

    return [of_item(item) for item in question.items]


def _place(values: Sequence[str]) -> Callable[[Any], int]:
    places = {value: place for place, value in enumerate(values)}
    return lambda answer: places.get(answer, -1)


def ranges(answers: Answers) -> list[Categories]:
    """An axis with the ranges of the histogram of open numbers; none of disguised ones, of which no cell is known."""
    if answers.question.sensitive:
        return []
    (histogram,) = numbers(answers)
    if len(histogram.labels) < 2:
        return []
    last = len(histogram.labels) - 1

    def place(answer: float) -> int:
        return int(np.clip(np.searchsorted(histogram.edges, answer, side="right") - 1, 0, last))

    return [Categories(answers.question.id, answers.text, histogram.labels, place)]


def numbers(answers: Answers) -> list[Histogram]:
    """Open numbers by ranges that are as wide as it takes to have enough people in each; disguised ones by bins."""
    if answers.question.sensitive:
        return [_reconstructed(answers)]
    values = np.array(answers.given, dtype=float)
    return [by_ranges(answers, values, *_grid(values), _range)] if len(values) else [_nothing(answers)]


def _reconstructed(answers: Answers) -> Histogram:
    """How a disguised number is distributed, with its mean and median. A small direct group enters nothing."""
    name, direct = answers.question.id, answers.records.direct
    if direct.any() and answers.worth(direct) < answers.least:
        answers = answers.among(~direct)
    records = answers.records
    if answers.worth(np.ones(len(records), bool)) < answers.least:
        return _nothing(answers)
    found = reconstruct_distribution(records, name, level=LEVEL, sampling=answers.sampling)
    figures, edges = found.figures, found.distribution.edges
    whole = all(edge.is_integer() for edge in edges)
    lows, highs = found.intervals
    columns = (found.shares, found.se, lows, highs)
    shares = tuple(Share(*map(float, values)) for values in zip(*columns, strict=True))
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
    if answers.sampling is None and (pairs := answers.simulated()) is not None:
        column = records.design.column(name)
        true = np.mean([float(records.design.fields[column].text(code)) for code in pairs[0][:, column].tolist()])
        said.append(_("The simulated people of this demonstration have a mean of %(mean)s.") % {"mean": f"{true:.1f}"})
    return Histogram(name, len(records), tuple(edges), labels, shares, said=" ".join(said))


def by_ranges(
    answers: Answers,
    values: np.ndarray,
    edges: np.ndarray,
    whole: bool,
    named: Callable[[float, float, bool], str],
    ticks: Callable[[float], str] | None = None,
) -> Histogram:
    """The histogram over neighbouring cells of a grid, joined until each has enough people."""
    n, name = len(values), answers.question.id
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    counts = np.bincount(places, minlength=len(edges) - 1)
    ranges = merged(counts, answers.least)
    if not ranges:
        return _nothing(answers)
    ends = (*tuple(float(edges[start]) for start, _stop in ranges), float(edges[-1]))
    labels = tuple(named(float(edges[start]), float(edges[stop]), whole) for start, stop in ranges)
    shares: tuple[Share, ...] = tuple(counted(int(counts[start:stop].sum()), n) for start, stop in ranges)
    return Histogram(name, n, ends, labels, shares, ticks)


def _nothing(answers: Answers) -> Histogram:
    return Histogram(answers.question.id, 0, (), (), ())


def _grid(values: np.ndarray) -> tuple[np.ndarray, bool]:
    """The edges of at most 20 cells of a round width over nearly all numbers, and whether all numbers are whole.

    The outermost cells take in the few numbers beyond them, so that no edge tells the smallest or the largest one.
    """
    low, high = (float(end) for end in np.quantile(values, (0.01, 0.99)))
    whole = bool((values == np.floor(values)).all())
    rough = max((high - low) / MOST_RANGES, 1.0 if whole else 1e-9)
    power = 10.0 ** np.floor(np.log10(rough))
    width = next(power * nice for nice in (1, 2, 5, 10) if power * nice >= rough * (1 - 1e-9))
    first, last = np.floor(low / width), np.floor(high / width) + 1
    return np.arange(first, last + 1) * width, whole


def _range(start: float, stop: float, whole: bool) -> str:
    if not whole:
        return _("%(least)s to below %(most)s") % {"least": f"{start:.10g}", "most": f"{stop:.10g}"}
    last = stop - 1
    return f"{start:.10g}" if last == start else f"{start:.10g}–{last:.10g}"


def months(answers: Answers) -> list[Histogram]:
    """Open days by month; neighbouring months are joined until they have enough people."""
    if not answers.given:
        return [_nothing(answers)]
    values = np.array([_month(day) for day in answers.given], dtype=float)
    edges = np.arange(values.min(), values.max() + 2)
    return [by_ranges(answers, values, edges, True, _months, _named_month)]


def _month(day: str) -> int:
    year, month, _day = day.split("-")
    return 12 * int(year) + int(month) - 1


def _named_month(month: float) -> str:
    year, place = divmod(int(month), 12)
    return f"{year:04}-{place + 1:02}"


def _months(start: float, stop: float, _whole: bool) -> str:
    first, last = _named_month(start), _named_month(stop - 1)
    return first if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}


def texts(answers: Answers) -> list[Texts]:
    """Texts sorted by their letters: so they tell neither an order nor what else a person answered."""
    given: list[Any] = sorted(answers.given)
    told_of = len(given) >= answers.least
    return [Texts(answers.question.id, len(given) if told_of else 0, tuple(given) if told_of else ())]


def on_map(answers: Answers) -> list[PlaceMap]:
    """Of a place: the share of people in each cell of a grid, and in each zone.

    What is sent from outside the zones is true: a cell there is reported as an open answer is, if enough are there.
    """
    question, direct = answers.question, answers.records.direct
    if answers.worth(direct) < answers.least:
        answers = answers.among(~direct)
    records, design = answers.records, answers.records.design
    n, column = len(records), design.column(question.id)
    if answers.worth(np.ones(n, bool)) < answers.least:
        return [PlaceMap(question.id, 0)]
    block = design.blocks[design.place(column)[0]]
    true = block.certain(records.codes[:, [column]])
    few = answers.settled and answers.worth(true) < answers.least  # as if nobody were there
    columns, rows = (min(len(steps), MAP_CELLS) for steps in question.grid)
    kept = answers.among(~true) if few else answers
    found = reconstruct_distribution(kept.records, question.id, (columns, rows), sampling=kept.sampling)
    exposed = np.full_like(found.exposed, np.inf) if few else found.exposed
    least = answers.least if answers.settled else np.inf
    seen = told(exposed.ravel(), least).reshape(exposed.shape)
    zones = found.figures.get("zones", [])
    of_zones = (
        [zone["zone"] != "elsewhere" for zone in zones]
        if few
        else told([answers.worth(true) if zone["zone"] == "elsewhere" else np.inf for zone in zones], least)
    )
    map_, figures = answers.entry["map"], block.figures
    return [
        PlaceMap(
            question.id,
            n,
            Map(map_["width"], map_["height"], map_.get("lines", ()), figures.get("merged", ())),
            found.distribution.edges,
            _where(found.shares, seen),
            _where(found.se, seen),
            tuple(zone for zone, tell in zip(zones, of_zones, strict=True) if tell),
            _together(found, ~seen),
            " ".join(_of_places(block, answers, found, hidden=not seen.all(), few=few and bool(zones))),
        )
    ]


def _of_places(block: Block, answers: Answers, found: Found, *, hidden: bool, few: bool) -> Iterator[str]:
    """What is said below a map of answers."""
    yield _("From their reports people are {distance} away in the root mean square, if they live evenly.").format(
        distance=three_digits(sqrt(block.figures["expected_squared_error"]))
    )
    side, edges = block.figures["side"], found.distribution.edges
    if min(np.diff(edges[axis]).min() for axis in "xy") < side:
        yield _(
            "Where places are hidden, reports tell nothing finer than a square of {side} by {side}: narrower cells of "
            "this map may be off by more than their errors say."
        ).format(side=three_digits(side))
    if (pairs := answers.simulated()) is not None:
        column, cell = answers.records.design.column(answers.question.id), answers.entry["map"]["cell"]
        true, sent = (np.divmod(codes[:, column].astype(float), len(answers.question.grid[1])) for codes in pairs)
        squared = sum((one - other) ** 2 for one, other in zip(true, sent, strict=True))
        yield _("The simulated people of this demonstration are {distance} away from theirs.").format(
            distance=three_digits(cell * sqrt(np.mean(squared)))
        )
    least = {"least": answers.least}
    if not answers.settled and hidden:
        yield _("Places outside the zones are reported once the version has closed.")
    elif few:
        yield _("Fewer than %(least)s people are outside the zones, or nobody; they are left out.") % least
    elif hidden:
        yield _("What is blank is not reported: fewer than %(least)s people are there, or nobody.") % least


def _together(found: Found, hidden: np.ndarray) -> tuple[float, float] | None:
    """The share of all cells that are not told one by one, with its error."""
    if hidden.all() or not hidden.any():
        return None
    return float(found.shares[hidden].sum()), float(found.draws[:, hidden].sum(axis=1).std(ddof=1))


def _where(values: np.ndarray, seen: np.ndarray) -> tuple[tuple[float | None, ...], ...]:
    """Rows of values, None where they are not told."""
    return tuple(
        tuple(float(value) if tell else None for value, tell in zip(row, tells, strict=True))
        for row, tells in zip(values, seen, strict=True)
    )
