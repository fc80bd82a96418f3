"""Full joint tables: the reconstructed share of every combination of answers, with its error.

Each cell is the estimate of its pattern, with the error and the interval that `reconstruct` gives.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from textwrap import fill
from typing import Any

import numpy as np

from privacy.choices import COMPLETE, Cases, Estimator
from privacy.design import Design, arguments
from privacy.design.channels import Floats
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.cells import is_read_whole
from privacy.estimate.intervals import NO_FIGURE
from privacy.estimate.sample import Sample
from privacy.estimate.sampled import pattern_of_sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import table_channels, table_shape, why_no_estimate
from privacy.estimate.wrong_chances import has_wrong_chances
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.reconstruct.pattern_counts import PatternQuery, count_parts
from privacy.reconstruct.reconstruct import figures_of_sample, read_sample
from privacy.reconstruct.report import BIASED, Figures, make_report
from privacy.records import Records, record_parts
from privacy.records.count_tables import CountTables
from privacy.records.records import design_of
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

MOST_STATES = 2**18  # of all cells, where each is estimated by itself
MOST_CELLS = 4096  # each is estimated by itself
MOST_SUB_PATTERNS = 2**12  # of all cells: available cases of more would take seconds


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
        The items of the table, in one text between commas or one by one; it may have 4096 cells.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.
    sample : Sample, optional
        As in `candor.reconstruct`.
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
    items = arguments.names(items, "items")
    columns = [design.column(item) for item in items]
    shape = table_shape(design, columns)
    if not columns or len(set(columns)) < len(columns):
        raise InputError(f"items: {', '.join(items) or 'an empty list'} does not name each item of a table once.")
    if prod(shape) > MOST_CELLS:
        raise InputError(f"The joint table of {len(columns)} items has {prod(shape)} cells, more than {MOST_CELLS}.")
    cell = Pattern(tuple((column, frozenset([1])) for column in sorted(columns)))
    if refusal := why_no_estimate(design, cell, estimator):
        raise InputError(refusal)
    whole, sampled = is_read_whole(design, cell), pattern_of_sample(design, cell, cases)
    if sampled and sample is None and prod(shape) * 2 ** len(columns) > MOST_SUB_PATTERNS:
        sampled = None
    taken = cases if whole or sampled or sample is not None or not design.sampled else COMPLETE
    if sample is not None:
        seen, sampling = read_sample(records, sample, design, counts)
        figures = figures_of_sample(seen, [*_cells(columns, shape)], sampling, estimator, 0.95, cases)
    else:
        if not whole:
            _check_states(design, columns, shape, estimator)
        parts = record_parts(records, design, counts=counts)
        held = parts if isinstance(parts, CountTables) else [*parts]
        figures = _figures_by_cell(held, design, columns, shape, estimator, taken)
    support, se, low, high = np.array(
        [[one.support, one.se, *(one.ci or (None, None))] for one in figures], float
    ).T.reshape(4, *shape)
    bias = max((one.bias for one in figures if one.bias is not None), default=None)
    lack = next(filter(None, (why_no_estimate(design, cell, estimator) for cell in _cells(columns, shape))), None)
    ends = (low, high) if bias is not None or has_wrong_chances(design) else None
    n = max(one.n for one in figures)
    return JointTable(tuple(items), labels_of(design, items), n, estimator, support, se, taken, bias, lack, ends)


def _cells(columns: Sequence[int], shape: Sequence[int]) -> Iterator[Pattern]:
    """Yield each cell of the table as a pattern."""
    for options in product(*map(range, shape)):
        cell = sorted(zip(columns, options, strict=True))
        yield Pattern(tuple((column, frozenset([option])) for column, option in cell))


def _check_states(design: Design, columns: Sequence[int], shape: tuple[int, ...], estimator: str) -> None:
    """Refuse cells that are too many to count every state of each."""
    states = 2 ** sum(piece.atoms for piece in table_channels(design, columns))
    if prod(shape) * states > MOST_STATES:
        raise InputError(
            f"The {estimator} estimator would need {states} states in each of the {prod(shape)} cells, too many; use "
            "fewer items."
        )


def _figures_by_cell(
    parts: Sequence[Records] | CountTables,
    design: Design,
    columns: Sequence[int],
    shape: tuple[int, ...],
    estimator: str,
    cases: str,
) -> list[Figures]:
    """What `reconstruct` gives of each cell, without a figure where the disguise leaves none.

    Where records are read whole the counts of all cells together would take more than the records.
    """
    cells = [*_cells(columns, shape)]
    possible = [cell for cell in cells if why_no_estimate(design, cell, estimator) is None]
    together = [[cell] for cell in possible] if is_read_whole(design, cells[-1]) else [possible]
    queries = [PatternQuery(design, tuple(some), estimator, cases=cases) for some in together]
    made = [row for query in queries for row in make_report(query, count_parts(parts, query)).patterns]
    found = dict(zip(possible, made, strict=True))
    return [found.get(cell) or Figures(cell.text(design), 0, *[None] * 5) for cell in cells]
