"""Counts of people with noise: central differential privacy, for answers that nothing else disguises.

Neighbours are two tables of the same number of people in which one person is another one. So how many people there are
is public, and so are the values that a column may have: they are named, and never read from the table. One person more
or less in a cell is one less or more in another cell of the same table. All tables of a release share its ε.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import exp, prod, sqrt
from typing import Any

import numpy as np

from privacy.choices import GAUSSIAN, LAPLACE, LAWS
from privacy.design import arguments
from privacy.design.gammas import LEAST_EPSILON, MOST_EPSILON, round_up
from privacy.design.rationals import fraction
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors
from privacy.guarantee.bounds import posterior_bound
from privacy.release.classes import texts_of
from privacy.release.noise import LEVEL, Below, Laplace, Noise, noise_of
from privacy.result import DataFrame, Result, TextColumns, data_frame

USUAL_DELTA = Fraction(1, 10**6)  # of Gaussian noise that is only compared with
PRIORS = (0.01, 0.05, 0.1, 0.5)  # of a membership
CANDIDATES = (2, 10, 100)  # who the one person may be whom somebody does not know
MOST_CELLS = 2**16
_HEADINGS = ("count", "low", "high", "share", "share_low", "share_high")

Interval = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """How many people have these values, with noise; the intervals hold the count and the share with LEVEL.

    `share` is that of the population the people were drawn from: its interval counts their drawing and the noise.
    """

    values: tuple[str, ...]
    count: int
    within: tuple[int, int]
    share: Interval

    def figures(self, people: int) -> tuple[float, ...]:
        """The count and its interval, the share of the `people` and its interval, as six numbers."""
        return self.count, *self.within, self.count / people, *self.share


@dataclass(frozen=True)
class NoisyTable:
    columns: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Counts(Result):
    """Tables of counts with noise; `candor.counts` makes it. `delta` is None where the noise is discrete Laplace."""

    n: int
    epsilon: Fraction
    delta: Fraction | None
    noise: Noise
    tables: tuple[NoisyTable, ...]
    compared: Fraction = USUAL_DELTA  # the δ of the Gaussian noise beside which the noise is shown

    @property
    def membership(self) -> list[tuple[float, float]]:
        """How sure somebody can become that a person is in the table, for each of PRIORS (membership privacy)."""
        gamma = Fraction(exp(self.epsilon))
        return [(prior, float(posterior_bound(prior, gamma))) for prior in PRIORS]

    @property
    def identity(self) -> list[tuple[int, float]]:
        """How sure somebody who knows all others can become of the last one, by CANDIDATES (identifiability)."""
        gamma = Fraction(exp(self.epsilon))
        return [(many, float(posterior_bound(Fraction(1, many), gamma))) for many in CANDIDATES]

    def _compare(self) -> str:
        """Say how near counts would be with the other kind of noise, for the same ε; Gaussian noise for this δ."""
        sizes = [len(table.cells) for table in self.tables]
        law, name = (
            (GAUSSIAN, f"Gaussian, δ = {float(self.compared):g}") if self.delta is None else (LAPLACE, "Laplace")
        )
        other = noise_of(sizes, self.epsilon, self.compared, law).within(LEVEL)
        own = self.noise.within(LEVEL)
        nearer = "that would be nearer" if other < own else "this is nearer" if own < other else "both are as near"
        return f"with the other noise ({name}) within {other}: {nearer}"

    def contents(self) -> Iterator[str | TextColumns]:
        people = "1 person" if self.n == 1 else f"{self.n} people"
        bound = "" if self.delta is None else f", δ = {float(self.delta):g}"
        spread = (
            f"discrete Laplace of scale {float(self.noise.scale):.6g}"
            if isinstance(self.noise, Laplace)
            else f"discrete Gaussian of standard deviation {sqrt(self.noise.variance):.6g}"
        )
        yield f"{people}, ε = {float(self.epsilon):g}{bound} for all tables together. Noise: {spread}."
        yield f"95 % of counts are within {self.noise.within(LEVEL)} of the true ones; {self._compare()}."
        surer = ", ".join(f"{100 * before:g} % to {round_up(100 * after, 3)} %" for before, after in self.membership)
        yield f"That somebody is in the table may become as sure as: {surer}."
        known = ", ".join(f"{many}: {round_up(100 * most, 3)} %" for many, most in self.identity)
        yield f"Who knows all others, and that a person is one of so many, becomes at most so sure who it is: {known}."
        if self.delta is not None:
            yield f"All of that but for a chance of {float(self.delta):g}."
        for table in self.tables:
            yield ""
            rows = [[*cell.values, *cell.figures(self.n)] for cell in table.cells]
            yield TextColumns([*table.columns, *_HEADINGS], rows)
        if any(not 0 <= cell.count <= self.n for table in self.tables for cell in table.cells):
            yield "A count that noise moved out of what can be stays so, or sums would lean; its interval does not."

    def to_frame(self) -> DataFrame:
        """The cells of all tables; ``values`` has a value for each column of the table, separated by commas."""
        rows = [
            [", ".join(table.columns), ", ".join(cell.values), *cell.figures(self.n)]
            for table in self.tables
            for cell in table.cells
        ]
        return data_frame(rows, ["columns", "values", *_HEADINGS])

    def to_json(self) -> dict[str, Any]:
        """The keys are those that docs/command-line.md lists."""
        law = (
            {"law": "discrete Laplace", "scale": float(self.noise.scale)}
            if isinstance(self.noise, Laplace)
            else {"law": "discrete Gaussian", "variance": float(self.noise.variance)}
        )
        return {
            "n": self.n,
            "epsilon": float(self.epsilon),
            "delta": None if self.delta is None else float(self.delta),
            "noise": law | {"within": self.noise.within(LEVEL)},
            "membership": [{"prior": before, "posterior": after} for before, after in self.membership],
            "identity": [{"candidates": many, "posterior": most} for many, most in self.identity],
            "tables": [
                {
                    "columns": list(table.columns),
                    "cells": [
                        {"values": list(cell.values)} | dict(zip(_HEADINGS, cell.figures(self.n), strict=True))
                        for cell in table.cells
                    ],
                }
                for table in self.tables
            ],
        }


def counts(
    frame: DataFrame,
    values: Mapping[str, Sequence[str]],
    *,
    epsilon: float | str,
    delta: float | str | None = None,
    tables: Sequence[Sequence[str]] | None = None,
    noise: str | None = None,
) -> Counts:
    """Count people with noise, so that the result is about the same if any one of them were somebody else.

    Each call draws new noise, and what is published of two calls has the sum of both ε.

    Parameters
    ----------
    frame : DataFrame
        A row per person. How many there are is public.
    values : mapping
        The columns to count, and the values that each may have, as text. Name them all without looking at the table:
        a list that was read from it may tell of somebody whose value is rare. A row with another value is refused.
    epsilon : float or str
        The logarithm of how many times as likely one person may make any result, for all tables together: 0.5, or
        "1/3".
    delta : float or str, optional
        The noise is discrete Laplace if nothing is said. With a δ it may be discrete Gaussian, by which ε is exceeded
        with that chance; it is less noise where there are many tables.
    tables : sequence of sequences of str, optional
        The columns of each table; each column by itself if nothing is said.
    noise : {'laplace', 'gaussian'}, optional
        The noise to take where there is a δ; if nothing is said the one by which 95 % of these counts are nearer. With
        Laplace's, ε always holds, and the result has no δ.

    Returns
    -------
    Counts
        Counts may be negative, and do not sum up: they are shown as they are.

    Raises
    ------
    InputError
        Where a column is missing or has a value that was not named, and where ε or δ is none.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> people = pd.DataFrame({"town": ["Ulm"] * 30 + ["Rom"] * 70})
    >>> released = candor.counts(people, {"town": ["Ulm", "Rom"]}, epsilon=20)
    >>> released.to_frame()[["values", "low", "high"]]
      values  low  high
    0    Ulm   30    30
    1    Rom   70    70
    """
    named = {
        name: arguments.texts(listed, f"values, {name}") for name, listed in arguments.by_name(values, "values").items()
    }
    listed = None if tables is None else entries(tables)
    if tables is not None and listed is None:
        raise InputError(f"tables: {quote(tables)} is no list of tables.")
    return counts_of(
        texts_of(frame),
        named,
        arguments.read_number(epsilon, "epsilon"),
        None if delta is None else arguments.read_number(delta, "delta"),
        None if listed is None else [arguments.texts(one, "tables") for one in listed],
        law=noise,
    )


def counts_of(
    columns: Mapping[str, Sequence[str]],
    values: Mapping[str, Sequence[str]],
    epsilon: Fraction,
    delta: Fraction | None = None,
    tables: Sequence[Sequence[str]] | None = None,
    below: Below = secrets.randbelow,
    law: str | None = None,
) -> Counts:
    """Do what `counts` does, for a table given by columns of texts; `below` draws a whole number below its argument.

    >>> counts_of({"sex": ["f", "m", "f"]}, {"sex": ["f", "m"]}, Fraction(30)).tables[0].cells[0].count
    2
    """
    if not fraction(LEAST_EPSILON) <= epsilon <= MOST_EPSILON:
        raise InputError(f"epsilon: {float(epsilon):g} is not from {LEAST_EPSILON:.6f} to {MOST_EPSILON}.")
    if delta is not None and not 0 < delta <= Fraction(1, 1000):  # else somebody could be named
        raise InputError(f"delta: {float(delta):g} is not above 0 and at most 0.001.")
    if law is not None:
        arguments.choice(law, "noise", LAWS)
    if law == GAUSSIAN and delta is None:
        raise InputError("noise: Gaussian noise needs a delta.")
    asked = [tuple(dict.fromkeys(one)) for one in tables] if tables is not None else [(name,) for name in values]
    for name in {name for one in asked for name in one}:
        if name not in values:
            raise InputError(f"tables: the values of the column {quote(name)} are not named.")
        if name not in columns:
            raise InputError(f"values: the table has no column {quote(name)}.")
    if len(set(map(frozenset, asked))) < len(asked) or not all(asked):  # its columns in another order count the same
        raise InputError("tables: a table has no column, or is asked for twice.")
    places = {
        name: _places_of_values(name, columns[name], values[name]) for name in {name for one in asked for name in one}
    }
    shapes = [tuple(len(values[name]) for name in one) for one in asked]
    if any(prod(shape) > MOST_CELLS for shape in shapes):
        raise InputError(f"tables: a table has more than {MOST_CELLS} cells.")
    n = len(next(iter(places.values()), ()))
    if not n:
        raise InputError("A table to count has no rows.")
    cells: dict[tuple[str, ...], dict[tuple[str, ...], int]] = {}
    for one, shape in zip(asked, shapes, strict=True):
        flat = np.ravel_multi_index([places[name] for name in one], shape)
        counted = np.bincount(flat, minlength=prod(shape)).tolist()
        cells[one] = dict(zip(product(*(values[name] for name in one)), counted, strict=True))
    noise, noisy = add_noise([list(own.values()) for own in cells.values()], epsilon, delta, below, law)
    released = []
    for (names, exact), counted in zip(cells.items(), noisy, strict=True):
        own = zip(exact, counted, strict=True)
        released.append(NoisyTable(names, tuple(Cell(cell, *count_with_intervals(one, n, noise)) for cell, one in own)))
    kept = None if isinstance(noise, Laplace) else delta
    return Counts(n, epsilon, kept, noise, tuple(released), delta or USUAL_DELTA)


def add_noise(
    exact: Sequence[Sequence[int]],
    epsilon: Fraction,
    delta: Fraction | None = None,
    below: Below = secrets.randbelow,
    law: str | None = None,
) -> tuple[Noise, list[list[int]]]:
    """Add noise to the cells of several tables, each of which sums up to all people; ε and δ are those of all together.

    One cell is all people and gets none; two get one noise, and still sum up; more do not. Counts may be negative.
    """
    noise = noise_of(map(len, exact), epsilon, delta, law)

    def add_to(cells: Sequence[int]) -> list[int]:
        if len(cells) > 2:
            return [count + noise.draw(below) for count in cells]
        more = noise.draw(below) if len(cells) == 2 else 0
        return [count + sign * more for count, sign in zip(cells, (1, -1), strict=False)]

    return noise, [add_to(cells) for cells in exact]


def count_with_intervals(count: int, people: int, noise: Noise) -> tuple[int, tuple[int, int], Interval]:
    """Return the noisy count, the interval of the true count, and that of the share (Wilson, wider by noise).

    The two halves are added as squares: exact where one of them is nothing, a little too wide between. Both are around
    the nearest count that there can be, which is never further from the true one.
    """
    reach, nearest = noise.within(LEVEL), min(max(count, 0), people)
    within = tuple(min(max(end, 0), people) for end in (nearest - reach, nearest + reach))
    return count, (within[0], within[1]), interval_of_share(count / people, people, reach / people)


def interval_of_share(share: float, people: int, reach: float) -> Interval:
    """The interval of a share of the population, of a noisy share of so many people whose noise reaches so far.

    >>> [round(end, 3) for end in interval_of_share(-0.02, 100, 0.05)]
    [0.0, 0.071]
    """
    share, z2 = min(max(share, 0.0), 1.0), standard_errors(LEVEL) ** 2
    # |share − π|² ≤ z²·π(1−π)/n + reach²
    middle, square = share + z2 / (2 * people), 1 + z2 / people
    root = sqrt(max(middle**2 - square * (share**2 - reach**2), 0))
    low, high = (min(max(end / square, 0.0), 1.0) for end in (middle - root, middle + root))
    return low, high


def _places_of_values(name: str, column: Sequence[str], values: Sequence[str]) -> Any:
    place = {value: number for number, value in enumerate(values)}
    if len(place) < len(values) or not place:
        raise InputError(f"values: those of the column {quote(name)} are none, or one is named twice.")
    try:
        return np.array([place[value] for value in column], np.int64)
    except KeyError as error:
        raise InputError(f"values: {quote(error.args[0])} in the column {quote(name)} is not named.") from None
