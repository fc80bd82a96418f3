"""The lines of a table: from the shares of all cells together, or each by itself where records are read whole."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from privacy.arrays import Bools
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import errors_near_zero, quotient, standard_errors
from privacy.estimate.linearised import LinearisedFigure, combine, covariance_of
from privacy.estimate.nearest import can_be_fitted
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.association import JointShares, OpenAnswer, marks_of
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from surveys.percent import BiasedShare, Share, fit_difference
from surveys.shares import LEVEL, ROUNDING, Axes, RawTable, Tables, fit_jointly, fit_options, fit_share

MOST_PATTERNS = 100  # each takes some passes over all records


@dataclass(frozen=True)
class TableLine:
    """An answer to the first question, in one group by the others.

    `share` is that among the group, `of_all` that of answer and group among everybody, `difference` how the group
    differs from all the others together: those that gave the same answers but for the last question. `truth` is the
    share among simulated people of the group.
    """

    group: tuple[str, ...]
    answer: str
    share: Share | None
    of_all: Share | None
    difference: Share | None
    truth: float | None = None


Compared = Iterator[tuple[Share | None, Share | None, Share | None]]
"""Of each answer its share in a group and in all the others together, and how far these are apart."""


def _lines(
    labels: Sequence[Sequence[str]],
    truth: np.ndarray | None,
    of_all: Mapping[Axes, Share],
    compare: Callable[[tuple[int, ...]], Compared],
) -> list[TableLine]:
    lines = []
    for group in product(*(range(len(axis)) for axis in labels[1:])):
        names = tuple(axis[place] for axis, place in zip(labels[1:], group, strict=True))
        true = None if truth is None else np.moveaxis(truth, 0, -1)[group]
        for answer, (this, that, apart) in enumerate(compare(group)):
            difference = fit_difference(apart, this, that) if apart and this and that else None
            part = None if true is None else float(true[answer] / max(true.sum(), 1))
            lines.append(TableLine(names, labels[0][answer], this, of_all.get((answer, *group)), difference, part))
    return lines


def lines_of_cells(table: JointShares, labels: Sequence[Sequence[str]], truth: np.ndarray | None) -> list[TableLine]:
    shape = table.support.shape

    def compare(group: tuple[int, ...]) -> Compared:
        inside = marks_of(shape, (None, *group))
        others = marks_of(shape, (None, *group[:-1], None)) - inside
        own, rest = _shares_of_group(table, inside), _shares_of_group(table, others)
        for answer in range(shape[0]):
            here = marks_of(shape, (answer, *group))
            same = marks_of(shape, (answer, *group[:-1], None)) - here
            yield own[answer], rest[answer], _difference(table, (here, inside), (same, others))

    return _lines(labels, truth, _shares_of_cells(table), compare)


def lines_of_patterns(
    records: Records,
    items: Sequence[str],
    beside: Sequence[OpenAnswer],
    labels: Sequence[Sequence[str]],
    truth: np.ndarray | None,
    sampling: Sampling | None,
) -> list[TableLine]:
    """The lines where records are read whole: each share is that of a pattern or a rule.

    What people above the cap of a list may do is part of each interval, and that of one figure is not that of another.
    """
    of_cells = _Patterns(records, tuple(items), beside, sampling or Sampling.simple(len(records)))
    shape = tuple(map(len, labels))
    if prod(shape) > MOST_PATTERNS:
        raise InputError(
            f"The table has {prod(shape)} cells, more than {MOST_PATTERNS}; take fewer or smaller questions."
        )

    def compare(group: tuple[int, ...]) -> Compared:
        inside = [{place} for place in group]
        others = [*inside[:-1], {*range(shape[-1])} - inside[-1]]
        own, rest = ([of_cells.among(answer, where) for answer in range(shape[0])] for where in (inside, others))
        fitted = (_fit_patterns(each, sampling, of_cells.sampling) for each in (own, rest))
        for first, second, this, that in zip(own, rest, *fitted, strict=True):
            apart = _apart(first, second, of_cells.sampling) if first and second else None
            yield this, that, _as_share(apart, sampling)

    return _lines(labels, truth, of_cells.of_everybody(shape, sampling), compare)


@dataclass(frozen=True)
class _Patterns:
    """The shares that a table of these items has, and then of the groups `beside`; each None where it has no figure."""

    records: Records
    items: tuple[str, ...]
    beside: Sequence[OpenAnswer]
    sampling: Sampling

    def among(self, answer: int, group: Sequence[set[int]]) -> LinearisedFigure | None:
        """The share with an answer to the first item in a group: of those with one of these values on each axis."""
        given, said = self._text(self.items[1:], group), self._text(self.items[:1], [{answer}])
        return self._figure(f"{given} => {said}" if given else said, self._rows(group))

    def of_everybody(self, shape: Sequence[int], given: Sampling | None) -> dict[Axes, Share]:
        """The share with each answer, and in each group, of everybody, fitted as those of a table are."""
        figures = {place: self._of_all(place[0], [{value} for value in place[1:]]) for place in np.ndindex(*shape)}
        found = {place: share for place, one in figures.items() if (share := _as_share(one, given))}
        options = [self._options(axis, size, given) for axis, size in enumerate(shape)]

        def raw(axes: Axes) -> RawTable | None:
            parts = [figure for figure in figures.values() if figure]
            if len(found) < len(figures) or not can_be_fitted(len(parts), len(self.records)):
                return None
            marks = _marks_along(shape, axes).reshape(-1, len(parts))
            values = marks @ [part.value for part in parts]
            return (
                values.reshape([shape[axis] for axis in axes]),
                lambda: marks @ covariance_of(parts, self.sampling) @ marks.T,
            )

        singles = [[share for share in option if share] for option in options]
        return found if any(None in option for option in options) else _fit_cells(found, singles, raw)

    def _options(self, axis: int, size: int, given: Sampling | None) -> Sequence[Share | None]:
        """The shares of the options of a question among those who are in a group, or of the groups."""
        rows = self._rows([{*range(each.size)} for each in self.beside])
        if axis < len(self.items):
            items = self.items[axis : axis + 1]
            own = [self._figure(self._text(items, [{index}]), rows) for index in range(size)]
            return _fit_patterns(own, given, self.sampling)
        assert rows is not None
        weights = np.bincount(self.beside[0].codes[rows], self.sampling.weights[rows], size)
        return [Share(one, 0.0, one, one) for one in (weights / weights.sum()).tolist()]

    def _of_all(self, answer: int, group: Sequence[set[int]]) -> LinearisedFigure | None:
        """The share with an answer, and in a group, of everybody."""
        rows, given = self._rows(group), self._rows([{*range(each.size)} for each in self.beside])
        one = self._figure(self._text(self.items, [{answer}, *group]), rows)
        if one is None or rows is None or given is None:
            return one
        total = float(self.sampling.weights @ given)
        part = float(self.sampling.weights @ rows) / total
        of_group = np.where(given, rows - part, 0.0) / total
        return combine(
            (part, one),
            (one.value, LinearisedFigure("group", one.n, part, of_group, spread=False)),
            constant=-part * one.value,
        )

    def _text(self, items: Sequence[str], group: Sequence[set[int]]) -> str:
        design, sets = self.records.design, zip(items, group, strict=False)
        return Pattern.from_literals([(design.column(item), frozenset(own)) for item, own in sets], design).text(design)

    def _rows(self, group: Sequence[set[int]]) -> Bools | None:
        return np.isin(self.beside[0].codes, sorted(group[-1])) if self.beside else None

    def _figure(self, text: str, rows: Bools | None) -> LinearisedFigure | None:
        with suppress(InputError):
            return figure(self.records, text, self.sampling, among=rows)
        return None


def _apart(own: LinearisedFigure, rest: LinearisedFigure, sampling: Sampling) -> LinearisedFigure | None:
    """How far the share in one group is from that in another; None where either group may be empty."""
    for below in (one.fraction[1] for one in (own, rest) if one.fraction):
        freedom = min(sampling.freedom, max(below.effective - 1, 1))
        if not below.value > errors_near_zero(freedom) * replace(below, above=None, below=None).estimate(sampling).se:
            return None
    return own.minus(rest)


def _fit_patterns(
    own: Sequence[LinearisedFigure | None], given: Sampling | None, sampling: Sampling
) -> Sequence[Share | None]:
    """The shares of all answers in a group, fitted as one where some cannot be."""
    shares = [_as_share(one, given) for one in own]
    return fit_answers(shares, lambda _known: covariance_of([one for one in own if one], sampling))


def fit_answers(
    shares: Sequence[Share | None], covariance: Callable[[Sequence[Share]], np.ndarray]
) -> Sequence[Share | None]:
    """The shares of all answers in a group, fitted as one; raw ones where some has no figure or may be anything."""
    known = [share for share in shares if share and np.isfinite((share.low, share.high)).all()]
    return shares if len(known) < len(shares) else fit_options(known, lambda: covariance(known))


def _as_share(one: LinearisedFigure | None, sampling: Sampling | None) -> Share | None:
    """The printed share; None where it has no figure, or its records say too much the same to show an error."""
    if one is None:
        return None
    estimate = one.simple_estimate(LEVEL) if sampling is None else one.estimate(sampling, LEVEL)
    if not np.isfinite((estimate.estimate, estimate.se)).all():
        return None
    biased = one.above is not None or one.below is not None
    return (BiasedShare if biased else Share)(estimate.estimate, estimate.se, *estimate.ci)


def _shares_of_cells(table: JointShares) -> dict[Axes, Share]:
    """The share of each cell among all, where some cannot be as in the nearest table that can.

    It goes with the shares of each question, and of some of them: so do those that are asked for alone.
    """
    shape = table.support.shape
    options = [_fit_sums(table, _marks_along(shape, [axis])) for axis in range(len(shape))]

    def raw(axes: Axes) -> RawTable:
        values, covariance = table.linear(_marks_along(shape, axes))
        return values.reshape([shape[axis] for axis in axes]), lambda: covariance

    return _fit_cells({place: _sum(table, marks_of(shape, place)) for place in np.ndindex(shape)}, options, raw)


def _fit_cells(
    shares: dict[Axes, Share], options: Sequence[Sequence[Share]], raw: Callable[[Axes], RawTable | None]
) -> dict[Axes, Share]:
    """Fit the shares of cells to those of each question; where some cell has none, cut them there (Fréchet 1935).

    Where the shares of two questions each contradict each other, no cell has one.
    """
    singles = [np.array([one.value for one in option]) for option in options]
    known: Tables = {(axis,): single for axis, single in enumerate(singles)}
    made: dict[Axes, Share] = {}
    fitted = fit_jointly(tuple(range(len(singles))), raw, known)
    if fitted is not None and np.isnan(fitted).any():
        return made
    for place, share in shares.items():
        of = [float(single[at]) for single, at in zip(singles, place, strict=True)]
        cut = min(max(share.value, 0.0, sum(of) - len(of) + 1), *of)
        value = cut if fitted is None else float(fitted[place])
        made[place] = share if abs(share.value - value) < ROUNDING else fit_share(share, value)
    return made


def _marks_along(shape: Sequence[int], axes: Sequence[int]) -> np.ndarray:
    """The cells with each combination of values on some axes: a table of 1 and 0 for each."""
    places = np.ndindex(*(shape[axis] for axis in axes))
    of = [dict(zip(axes, place, strict=True)) for place in places]
    return np.stack([marks_of(shape, [own.get(axis) for axis in range(len(shape))]) for own in of])


def _fit_sums(table: JointShares, marks: np.ndarray) -> Sequence[Share]:
    """The shares of the cells that each table of `marks` has, where these are all of them, fitted as one."""
    return fit_options([_sum(table, mark) for mark in marks], lambda: table.linear(marks)[1])


def _sum(table: JointShares, marks: np.ndarray) -> Share:
    values, covariance = table.linear(marks[np.newaxis])
    value, se = float(values[0]), float(np.sqrt(max(covariance[0, 0], 0.0)))
    return _with_interval(value, se, table.freedom)


def _with_interval(value: float, se: float, freedom: float) -> Share:
    half = standard_errors(LEVEL, freedom) * se
    return Share(value, se, value - half, value + half)


def _shares_of_group(table: JointShares, group: np.ndarray) -> Sequence[Share | None]:
    """The shares of all answers among the cells of a group, fitted as one; raw ones where the group may be empty."""
    answers = [group * marks_of(group.shape, (answer, *[None] * (group.ndim - 1))) for answer in range(len(group))]
    shares = [_ratio(table, answer, group) for answer in answers]
    mass = float(table.linear(group[np.newaxis])[0][0])

    def covariance(known: Sequence[Share]) -> np.ndarray:
        slopes = [(answer - share.value * group) / mass for answer, share in zip(answers, known, strict=True)]
        covariance: np.ndarray = table.linear(np.stack(slopes))[1]
        return covariance

    return fit_answers(shares, covariance)


def _ratio(table: JointShares, above: np.ndarray, below: np.ndarray) -> Share | None:
    """The share of the cells `above` among the cells `below`: by the delta method, or Fieller's set near 0."""
    values, covariance = table.linear(np.stack([above, below]))
    if values[1] <= 0:
        return None
    share = values[0] / values[1]
    variance = (covariance[0, 0] - 2 * share * covariance[0, 1] + share**2 * covariance[1, 1]) / values[1] ** 2
    apart = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    low, high = quotient(
        values[:1],
        values[1:],
        np.array([max(variance, 0.0)]),
        np.array([covariance[1, 1]]),
        lambda _places: (np.array([covariance[0, 0]]), np.array([apart])),
        LEVEL,
        table.freedom,
    )
    return Share(float(share), float(np.sqrt(max(variance, 0.0))), float(low[0]), float(high[0]))


def _difference(
    table: JointShares, here: tuple[np.ndarray, np.ndarray], there: tuple[np.ndarray, np.ndarray]
) -> Share | None:
    """The share `here` (above, below) less that `there`, with its error; None where either group may be empty."""
    values, covariance = table.linear(np.stack([*here, *there]))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    if (values <= errors_near_zero(table.freedom) * errors)[[1, 3]].any():
        return None
    first, second = values[0] / values[1], values[2] / values[3]
    slope = np.array([1 / values[1], -first / values[1], -1 / values[3], second / values[3]])
    se = float(np.sqrt(max(slope @ covariance @ slope, 0.0)))
    return _with_interval(float(first - second), se, table.freedom)
