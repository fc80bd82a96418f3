"""Full joint tables: the reconstructed share of every combination of answers, with its error.

Each cell is the estimate of its pattern, computed for all cells at once. Under the stratified estimator the inverse
of the disguise and the mean square of the weights are applied block by block along the axes, which is fast for 2^20
cells. The other two estimators weigh whole patterns and need the counts of every state of each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE, COMPLETE, Cases, Estimator
from privacy.design import Design, arguments
from privacy.design.channels import Floats, TableChannel
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.bit_columns import DIRECT, DISGUISED
from privacy.estimate.cells import PatternCells, WholeRecords, estimate_counts, figures_of_counts, is_read_whole
from privacy.estimate.estimators import Estimates, GroupEstimate, estimate, stratify
from privacy.estimate.intervals import NO_FIGURE, standard_errors
from privacy.estimate.sample import Sample
from privacy.estimate.sampled import estimate_sampled, pattern_of_sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import MOST_TABLE_CELLS, Channel, table_channels, table_shape, why_no_estimate
from privacy.estimate.wrong_chances import WrongChances, has_wrong_chances
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery, count_parts
from privacy.reconstruct.report import BIASED
from privacy.reconstruct.shares_and_rules import support
from privacy.records import Records, read_records, record_parts
from privacy.records.records import NO_RECORDS, design_of, require_records
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

MOST_STATES = 2**24
_MOST_OF_SAMPLE = 4096  # cells of the table of a sample: each is estimated by itself
MOST_SUB_PATTERNS = 2**12  # of all cells: available cases of more would take seconds
_NO_SPREAD = 1e-12  # what rounding leaves of the spread of a group in which all answer alike


@dataclass(frozen=True, repr=False, eq=False)
class JointTable(Result):
    """The share of every combination of answers to some items; `candor.table` makes it.

    `support` is the unbiased estimate of each share and `se` its standard error about the population: arrays with an
    axis for each item, and an entry for each of its options; NaN where there is no figure.
    """

    items: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]  # the options of each item
    n: int  # respondents asked all the items
    estimator: str
    support: Floats
    se: Floats
    cases: str
    bias: float | None = None  # the largest that a cell may have, at the upper end, where a disguise is biased
    lack: str | None = None  # why the first cell without a figure has none, where its pattern says so
    ends: tuple[Floats, Floats] | None = None  # of 95 % intervals, where a bias or wrong chances make them longer

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n, 'respondent')} asked all of {', '.join(self.items)}; {self.estimator} estimator"
        rows = [[*labels, *figures] for labels, figures in self._cells()]
        yield TextColumns([*self.items, "support", "se", *self._names_of_ends], rows)
        if self.bias is not None:
            yield fill(f"{BIASED} {self.bias:.4g}, chance included; errors leave it out, intervals hold it.", WIDTH)
        if self.n and np.isnan(self.support).any():
            yield fill(self.lack or NO_FIGURE.format(", ".join(self.items)), WIDTH)

    def picture(self) -> str:
        """The shares, each with two standard errors to either side, or with the ends there are."""
        from privacy.draw import named_rows

        cells = list(islice(self._cells(), named_rows.MOST_ROWS))
        reach = "two standard errors" if self.ends is None else "95 % intervals"
        return named_rows.supports(
            f"Shares of {' × '.join(self.items)}, with {reach}",
            [", ".join(labels) for labels, _ in cells],
            [figures[0] for _, figures in cells],
            [(ends[0], ends[1]) if ends else (support - 2 * se, support + 2 * se) for _, (support, se, *ends) in cells],
        )

    def to_frame(self) -> DataFrame:
        """Return a row per combination of answers."""
        rows = [[*labels, *figures] for labels, figures in self._cells()]
        return data_frame(rows, columns=[*self.items, "support", "se", *self._names_of_ends])

    def to_json(self) -> dict[str, Any]:
        return to_json_value(
            ({} if self.bias is None else {"bias": self.bias})
            | {
                "n": self.n,
                "estimator": self.estimator,
                "items": list(self.items),
                "cells": [
                    {"labels": list(labels), "support": support, "se": se} | ({"ci": ends} if ends else {})
                    for labels, (support, se, *ends) in self._cells()
                ],
            }
        )

    @property
    def _names_of_ends(self) -> list[str]:
        return [] if self.ends is None else ["low", "high"]

    def _cells(self) -> Iterator[tuple[list[str], list[float]]]:
        """The labels of each cell; its share and error; the ends of its interval where it has one."""
        for place in np.ndindex(self.support.shape):
            labels = [names[option] for names, option in zip(self.labels, place, strict=True)]
            figures = (self.support, self.se, *(self.ends or ()))
            yield labels, [float(figure[place]) for figure in figures]


def labels_of(design: Design, items: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(design.items[design.column(item)].options) for item in items)


@check_arguments(tables.TABLE)
def table(
    records: Any,
    items: Sequence[str],
    *,
    estimator: Estimator = "stratified",
    cases: Cases = "available",
    sample: Sample | Sampling | None = None,
    design: Design | None = None,
    counts: bool = False,
) -> JointTable:
    """Estimate the share of every combination of answers to some items.

    Parameters
    ----------
    records : Records, or a path or a table with `design`
        As in `candor.reconstruct`.
    items : str or sequence of str
        The items of the table, in one text between commas or one by one; it may have 2^20 cells.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.
    sample : Sample, optional
        As in `candor.reconstruct`; such a table has up to 4096 cells.
    design, counts
        As in `candor.reconstruct`.

    Raises
    ------
    InputError
        Where an item is unknown or named twice, the table is too large, or the disguise leaves nothing of it.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> candor.table(records, ["drugs", "cheating"])
    10000 respondents asked all of drugs, cheating; stratified estimator
    drugs  cheating    support         se
    0      0          0.502585  0.0133402
    0      1          0.244261  0.0129124
    1      0         -0.012072  0.0110514
    1      1          0.265225  0.0142152
    """
    design = design_of(records, design)
    if sample is not None and not isinstance(records, Records):
        records = require_records(read_records(records, design, open_columns=True, counts=counts))
    items = arguments.names(items, "items")
    columns = [design.column(item) for item in items]
    shape = table_shape(design, columns)
    if not columns or len(set(columns)) < len(columns):
        raise InputError(f"items: {', '.join(items) or 'an empty list'} does not name each item of a table once.")
    if sample is not None:
        sampling = Sampling.of(sample, records.open_columns, len(records))
        assert sampling is not None
        return _of_sample(records, items, columns, shape, sampling, estimator, cases)
    if prod(shape) > MOST_TABLE_CELLS:
        raise InputError(
            f"The joint table of {len(columns)} items has {prod(shape)} cells, more than {MOST_TABLE_CELLS}."
        )
    cell = Pattern(tuple((column, frozenset([1])) for column in sorted(columns)))
    if refusal := why_no_estimate(design, cell, estimator):
        raise InputError(refusal)
    parts = record_parts(records, design, counts=counts)
    if is_read_whole(design, cell):
        return _by_whole_records(list(parts), design, items, columns, shape, estimator, cases)
    patterns = _available(design, columns, shape) if cases == AVAILABLE else []
    query = PatternQuery(design, tuple(patterns), estimator, cases=cases, table=tuple(columns))
    seen = count_parts(parts, query)
    if not seen.sizes.any():
        raise InputError(NO_RECORDS)
    everything = tuple(range(len(columns)))
    whole = [seen.joint.get((group, everything), np.zeros(shape, np.int64)) for group in (DISGUISED, DIRECT)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if patterns:
            shares, se = _by_available_cases(query, seen, shape)
        elif estimator == "stratified":
            shares, se = _stratify(whole, seen.sizes, table_channels(design, columns))
        else:
            shares, se = _by_states(whole, seen.sizes, table_channels(design, columns), estimator)
    n = sum(int(part.sum()) for part in whole)
    taken = cases if patterns or not design.sampled else COMPLETE
    part = float(seen.sizes[0] / seen.sizes.sum()) if estimator == "stratified" else 1.0
    ends = _ends_over_chances(design, columns, shares, se, part) if has_wrong_chances(design) else None
    return JointTable(tuple(items), labels_of(design, items), n, estimator, shares, se, taken, ends=ends)


def _ends_over_chances(
    design: Design, columns: Sequence[int], shares: Floats, se: Floats, part: float
) -> tuple[Floats, Floats]:
    """The ends of each cell's interval over all chances that people's own draws may have."""
    low, high = shares - standard_errors(0.95) * se, shares + standard_errors(0.95) * se
    for place, cell in zip(np.ndindex(*shares.shape), _cells(columns, shares.shape), strict=True):

        def share_of(rest: Pattern, _block: int, place: tuple[int, ...] = place) -> float:
            at = tuple(
                one if column in rest.columns else slice(None) for column, one in zip(columns, place, strict=True)
            )
            return float(np.sum(shares[at]))

        chances = WrongChances.from_pattern(design, cell, share_of)
        own = float(low[place]), float(high[place])
        low[place], high[place] = chances.widen(float(shares[place]), own, 0.95, part)
    return low, high


def _cells(columns: Sequence[int], shape: Sequence[int]) -> Iterator[Pattern]:
    """Yield each cell of the table as a pattern."""
    for options in product(*map(range, shape)):
        cell = sorted(zip(columns, options, strict=True))
        yield Pattern(tuple((column, frozenset([option])) for column, option in cell))


def _available(design: Design, columns: Sequence[int], shape: Sequence[int]) -> list[Pattern]:
    """The cells as patterns for available cases; none where complete cases are the same, or cells are too many."""
    if prod(shape) * 2 ** len(columns) > MOST_SUB_PATTERNS:
        return []
    return [cell for cell in _cells(columns, shape) if pattern_of_sample(design, cell)]


def _by_whole_records(
    parts: Sequence[Records],
    design: Design,
    items: Sequence[str],
    columns: Sequence[int],
    shape: tuple[int, ...],
    estimator: str,
    cases: str,
) -> JointTable:
    """Estimate the table cell by cell, where records are read whole.

    The counts of all cells together would take more than the records.
    """
    if not any(map(len, parts)):
        raise InputError(NO_RECORDS)
    made, biases = [], []
    read = [WholeRecords(design, part.codes, part.direct) for part in parts]
    for own in (PatternCells(design, cell) for cell in _cells(columns, shape)):
        counts = sum((own.counts(part) for part in read), np.zeros((2, own.count), np.int64))
        figures = figures_of_counts(own, counts, estimator, cases)
        made.append(estimate_counts(own, counts, figures, 0.95))
        biases.append(figures.most_biased(0.95))
    shares, se = _join_cells(made, shape)
    n = int(made[0].asked[0])
    lack, bias = _first_lack(design, columns, shape, estimator), _largest_bias(biases)
    low, high = (np.concatenate([getattr(one, name) for one in made]).reshape(shape) for name in ("low", "high"))
    ends = None if bias is None else (low, high)
    return JointTable(tuple(items), labels_of(design, items), n, estimator, shares, se, cases, bias, lack, ends)


def _of_sample(
    records: Records,
    items: Sequence[str],
    columns: Sequence[int],
    shape: tuple[int, ...],
    sampling: Sampling,
    estimator: str,
    cases: str,
) -> JointTable:
    """Estimate the table of a sample cell by cell, as `support` does."""
    if prod(shape) > _MOST_OF_SAMPLE:
        raise InputError(
            f"The table has {prod(shape)} cells; with weights, clusters or strata {_MOST_OF_SAMPLE} can be."
        )
    figures, errors, low, high = (np.empty(shape) for _ in range(4))
    n, biases = 0, []
    for place, cell in zip(np.ndindex(*shape), _cells(columns, shape), strict=True):
        one = support(records, cell, sampling, estimator, cases=cases)
        estimate = one.estimate(sampling)
        n, figures[place], errors[place] = one.n, estimate.estimate, estimate.se
        low[place], high[place] = estimate.ci
        biases.append(one.most_biased(sampling))
    labels, bias = labels_of(records.design, items), _largest_bias(biases) if records.design.by_record else None
    lack = _first_lack(records.design, columns, shape, estimator)
    ends = (low, high) if bias is not None or has_wrong_chances(records.design) else None
    return JointTable(tuple(items), labels, n, estimator, figures, errors, cases, bias, lack, ends)


def _first_lack(design: Design, columns: Sequence[int], shape: Sequence[int], estimator: str) -> str | None:
    return next(filter(None, (why_no_estimate(design, cell, estimator) for cell in _cells(columns, shape))), None)


def _largest_bias(biases: Sequence[float | None]) -> float | None:
    return max((bias for bias in biases if bias is not None), default=None)


def _by_available_cases(query: PatternQuery, counts: PatternCounts, shape: Sequence[int]) -> tuple[Floats, Floats]:
    """The share of each cell and its standard error, each from all who were asked some of the items."""
    sampled = zip(query.sampled_patterns, counts.patterns, strict=True)
    estimates = [estimate_sampled(own, seen, counts.sizes, query.estimator, 0.95) for own, seen in sampled if own]
    return _join_cells(estimates, shape)


def _join_cells(cells: Sequence[Estimates], shape: Sequence[int]) -> tuple[Floats, Floats]:
    """Shares and errors of cells that were estimated one by one, as a table."""
    shares, se = (np.concatenate([getattr(cell, name) for cell in cells]).reshape(shape) for name in ("support", "se"))
    return shares, se


def _stratify(
    counts: Sequence[NDArray[np.int64]], sizes: NDArray[np.int64], channel: Sequence[TableChannel]
) -> tuple[Floats, Floats]:
    """The stratified estimate of all cells at once, and its errors; `sizes`: the records of both groups."""
    groups = []
    for place in (DIRECT, DISGUISED):
        asked = np.array(float(counts[place].sum()))
        seen = counts[place] / asked
        share, square = seen, seen  # the mean of the weights of every cell, and of their squares
        for piece in channel if place == DISGUISED else ():
            share, square = piece.inverse(share), piece.mean_squares(square)
        groups.append(GroupEstimate(np.array(float(sizes[place])), asked, share, square - share**2))
    support, variance, _between = stratify(*groups)
    known = np.any([group.spread > _NO_SPREAD * (1 + group.share**2) for group in groups], axis=0)
    if not any(part.any() for part in counts):
        support = np.full_like(support, np.nan)
    return support, np.where(known, np.sqrt(np.maximum(variance, 0.0)), np.nan)


def _by_states(
    counts: Sequence[NDArray[np.int64]], sizes: NDArray[np.int64], channel: Sequence[TableChannel], estimator: str
) -> tuple[Floats, Floats]:
    """The pooled or combined estimate of all cells, and its errors, from counts of every state of each cell."""
    shape = counts[0].shape
    states = 2 ** sum(piece.atoms for piece in channel)
    if counts[0].size * states > MOST_STATES:
        raise InputError(
            f"The {estimator} estimator would need {states} states in each of the {counts[0].size} cells, too many; "
            "use fewer items or the stratified estimator."
        )
    seen = np.stack([_states(channel, table).reshape(-1, states) for table in counts], axis=1)
    estimates = estimate(seen, sizes, Channel(tuple(piece.of_cells(shape) for piece in channel)), estimator)
    return estimates.support.reshape(shape), estimates.se.reshape(shape)


def _states(channel: Sequence[TableChannel], table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count, for every cell as a pattern, the records in each state of its atoms: a last axis of states."""
    states = table[..., np.newaxis]
    for piece in channel:
        states = piece.count_states(states)
    return states
