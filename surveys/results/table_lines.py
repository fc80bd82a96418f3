"""The lines of a table: from the shares of all cells together, or each by itself where records are read whole."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from privacy.arrays import Bools
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.intervals import errors_near_zero
from privacy.estimate.linearised import Estimate, LinearisedFigure, Variation, combine, covariance_of
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


def _lines(cells: "_Cells", labels: Sequence[Sequence[str]], truth: np.ndarray | None) -> list[TableLine]:
    of_all, lines = _of_everybody(cells), []
    for group in product(*(range(len(axis)) for axis in labels[1:])):
        names = tuple(axis[place] for axis, place in zip(labels[1:], group, strict=True))
        true = None if truth is None else np.moveaxis(truth, 0, -1)[group]
        inside = [{place} for place in group]
        others = [*inside[:-1], {*range(cells.shape[-1])} - inside[-1]]
        own, rest = ([cells.among(answer, where) for answer in range(cells.shape[0])] for where in (inside, others))
        fitted = (_fit(each, cells) for each in (own, rest))
        for answer, (first, second, this, that) in enumerate(zip(own, rest, *fitted, strict=True)):
            apart = _as_share(_apart(first, second, cells.sampling), cells) if first and second else None
            difference = fit_difference(apart, this, that) if apart and this and that else None
            part = None if true is None else float(true[answer] / max(true.sum(), 1))
            lines.append(TableLine(names, labels[0][answer], this, of_all.get((answer, *group)), difference, part))
    return lines


def lines_of_cells(table: JointShares, labels: Sequence[Sequence[str]], truth: np.ndarray | None) -> list[TableLine]:
    return _lines(_Joint(table), labels, truth)


@dataclass(frozen=True)
class _Joint:
    """Shares of a table whose cells have a covariance: in a figure each cell has the part that counts it."""

    sampling: JointShares
    can_be_fitted = True

    @property
    def shape(self) -> tuple[int, ...]:
        return self.sampling.support.shape

    def among(self, answer: int, group: Sequence[set[int]]) -> LinearisedFigure | None:
        """The share with an answer to the first item in a group: of those with one of these values on each axis."""
        above, below = (self._sum(marks_of(self.shape, (own, *group))) for own in (answer, None))
        if below.value <= 0:
            return None
        share = above.value / below.value
        slopes = (1 / below.value, above), (-share / below.value, below)
        return replace(combine(*slopes), value=share, fraction=(above, below))

    def of_all(self, place: tuple[int, ...]) -> LinearisedFigure:
        """The share of one cell, of everybody."""
        return self._sum(marks_of(self.shape, place))

    def options(self, axis: int) -> Sequence[Share | None]:
        """The shares of the options of a question among those who are in a group, or of the groups."""
        return _fit([self._sum(marks) for marks in _marks_along(self.shape, [axis])], self)

    def estimate(self, one: LinearisedFigure) -> Estimate:
        return one.estimate(self.sampling, LEVEL)

    def _sum(self, marks: np.ndarray) -> LinearisedFigure:
        return LinearisedFigure("", self.sampling.n, float((marks * self.sampling.support).sum()), marks.ravel())


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
    shape = tuple(map(len, labels))
    if prod(shape) > MOST_PATTERNS:
        raise InputError(
            f"The table has {prod(shape)} cells, more than {MOST_PATTERNS}; take fewer or smaller questions."
        )
    drawn = sampling or Sampling.simple(len(records))
    return _lines(_Patterns(records, tuple(items), beside, shape, drawn, sampling is None), labels, truth)


@dataclass(frozen=True)
class _Patterns:
    """The shares that a table of these items has, and then of the groups `beside`."""

    records: Records
    items: tuple[str, ...]
    beside: Sequence[OpenAnswer]
    shape: tuple[int, ...]
    sampling: Sampling
    alike: bool  # whether everybody was drawn so

    def among(self, answer: int, group: Sequence[set[int]]) -> LinearisedFigure | None:
        given, said = self._text(self.items[1:], group), self._text(self.items[:1], [{answer}])
        return self._figure(f"{given} => {said}" if given else said, self._rows(group))

    def options(self, axis: int) -> Sequence[Share | None]:
        size, rows = self.shape[axis], self._rows([{*range(each.size)} for each in self.beside])
        if axis < len(self.items):
            items = self.items[axis : axis + 1]
            return _fit([self._figure(self._text(items, [{index}]), rows) for index in range(size)], self)
        assert rows is not None
        weights = np.bincount(self.beside[0].codes[rows], self.sampling.weights[rows], size)
        return [Share(one, 0.0, one, one) for one in (weights / weights.sum()).tolist()]

    def estimate(self, one: LinearisedFigure) -> Estimate:
        return one.simple_estimate(LEVEL) if self.alike else one.estimate(self.sampling, LEVEL)

    @property
    def can_be_fitted(self) -> bool:
        return can_be_fitted(prod(self.shape), len(self.records))

    def of_all(self, place: tuple[int, ...]) -> LinearisedFigure | None:
        sets = [{value} for value in place]
        rows, given = self._rows(sets), self._rows([{*range(each.size)} for each in self.beside])
        one = self._figure(self._text(self.items, sets), rows)
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


_Cells = _Joint | _Patterns


def _apart(own: LinearisedFigure, rest: LinearisedFigure, sampling: Variation) -> LinearisedFigure | None:
    """How far the share in one group is from that in another; None where either group may be empty."""
    for below in (one.fraction[1] for one in (own, rest) if one.fraction):
        freedom = min(sampling.freedom, max(below.effective - 1, 1))
        if below.value <= errors_near_zero(freedom) * np.sqrt(max(covariance_of([below], sampling)[0, 0], 0.0)):
            return None
    return own.minus(rest)


def _fit(own: Sequence[LinearisedFigure | None], cells: _Cells) -> Sequence[Share | None]:
    """The shares of all answers in a group, fitted as one where some cannot be."""
    shares = [_as_share(one, cells) for one in own]
    return fit_answers(shares, lambda _known: covariance_of([one for one in own if one], cells.sampling))


def fit_answers(
    shares: Sequence[Share | None], covariance: Callable[[Sequence[Share]], np.ndarray]
) -> Sequence[Share | None]:
    """The shares of all answers in a group, fitted as one; raw ones where some has no figure or may be anything."""
    known = [share for share in shares if share and np.isfinite((share.low, share.high)).all()]
    return shares if len(known) < len(shares) else fit_options(known, lambda: covariance(known))


def _as_share(one: LinearisedFigure | None, cells: _Cells) -> Share | None:
    """The printed share; None where it has no figure, or its records say too much the same to show an error."""
    if one is None:
        return None
    estimate = cells.estimate(one)
    if not np.isfinite((estimate.estimate, estimate.se)).all():
        return None
    biased = one.above is not None or one.below is not None
    return (BiasedShare if biased else Share)(estimate.estimate, estimate.se, *estimate.ci)


def _of_everybody(cells: _Cells) -> dict[Axes, Share]:
    """The share of each cell among all, where some cannot be as in the nearest table that can.

    It goes with the shares of each question, and of some of them: so do those that are asked for alone.
    """
    figures = {place: cells.of_all(place) for place in np.ndindex(*cells.shape)}
    found = {place: share for place, one in figures.items() if (share := _as_share(one, cells))}
    parts = [figure for figure in figures.values() if figure]
    options = [cells.options(axis) for axis in range(len(cells.shape))]

    def raw(axes: Axes) -> RawTable | None:
        if len(found) < len(figures) or not cells.can_be_fitted:
            return None
        marks = _marks_along(cells.shape, axes).reshape(-1, len(parts))
        values = marks @ [part.value for part in parts]
        return (
            values.reshape([cells.shape[axis] for axis in axes]),
            lambda: marks @ covariance_of(parts, cells.sampling) @ marks.T,
        )

    singles = [[share for share in option if share] for option in options]
    return found if any(None in option for option in options) else _fit_cells(found, singles, raw)


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
