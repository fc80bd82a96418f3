"""What a kind of block whose item lies on a grid tells of the distribution of its true answers.

Its reconstruction goes by this alone (`privacy.reconstruct.distribution`), so it is the same for numbers and places.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats
from privacy.design.sentences import Said

Counted = tuple[Floats, Floats]
"""Disguised records in their cells (`count_records`), and true answers in their pieces (`count_direct`)."""

Bins = tuple[int, ...]
"""How many bins: (20,) of a number, (16, 8) columns and rows of a map."""


class GridDistribution(Protocol):
    """The true answers in pieces, and the channel from pieces to records. Inside a piece all are equally likely.

    A piece is a bin, or the part of a bin in which the channel is one. Arrays of shares have the `shape` of the pieces,
    with any number of axes before it: `forward` and `back` take many distributions at once.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    def bin_shares(self, shares: Floats) -> Floats:
        """The shares of the bins, which are what pages show."""

    @property
    def sets_in_report(self) -> Sequence[Floats]:
        """Which pieces are in each set of people that pages show, sets × pieces: in bins, and in zones."""

    @property
    def rows(self) -> Floats | None:
        """Shares of evenly spread people by piece and cell; None unless neighbours on the scale should be alike."""

    @property
    def free(self) -> Sequence[int]:
        """The cells whose shares may be far from those of their neighbours (`smoothest`)."""

    @property
    def edges(self) -> Any:
        """Where the bins begin and end, in units of the item, as the JSON has it."""

    def count_records(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        """Disguised records as a table of counts or weights, with the same cells as `forward`."""

    def count_direct(self, codes: np.ndarray, weights: Floats | None = None) -> Floats:
        """True answers as counts of the pieces, or as their weights."""

    def forward(self, shares: Floats) -> Floats:
        """The chance of each cell of records under these shares of pieces."""

    def back(self, ratios: Floats) -> Floats:
        """The transpose: for each piece, the mean over its records of what stands at their cells."""

    def accuracy(self, respondents: int) -> Sequence[Said]:
        """How precise results of so many disguised respondents will be, if all true answers are equally common."""

    @property
    def half_error(self) -> float:
        """The standard error, from one respondent, of the share of people in one half of all places.

        Each half is taken to be filled evenly. Without a disguise it is ½, as of a yes/no answer that half of people
        say yes to: so a promise can be divided between answers of every type.
        """

    def people_in_sight(self, counted: Counted) -> Floats:
        """The number of people known to be in each bin, because records from there are true; infinite where none are.

        With few such people a figure of the bin says nearly what their records do.
        """

    @property
    def unseen(self) -> NDArray[np.bool_]:
        """Which bins records tell no share of: however people lie between these, records come out alike."""

    def figures(
        self, counted: Counted, pieces: Floats, level: float, redrawn: Sequence[Counted] = ()
    ) -> dict[str, Any]:
        """Further figures for the JSON; `pieces` has the shares in its first row and draws in the others.

        The shares come from what was `counted`. `redrawn` is what the repeated surveys count, where respondents were
        not drawn alike and each alone, so that counts do not tell how much they vary.
        """

    def table(self, shares: Floats, se: Floats) -> tuple[Sequence[str], list[Sequence[object]]]:
        """The headings and the rows of a table for people."""

    def summary(self, figures: dict[str, Any]) -> Sequence[str]:
        """What the figures say beside the table, in lines."""


def ends(value: Floats, draws: Floats, level: float, *, outward: bool = False) -> Floats:
    """The low and the high end of the interval of each value: quantiles of its draws, one a row, and the value.

    `outward`: ends are draws themselves, where nothing lies between two values.
    """
    below, above = ("lower", "higher") if outward else ("linear", "linear")
    low = np.quantile(draws, (1 - level) / 2, axis=0, method=below)  # type: ignore[call-overload]
    high = np.quantile(draws, (1 + level) / 2, axis=0, method=above)  # type: ignore[call-overload]
    return np.stack([np.minimum(low, value), np.maximum(high, value)])


def ends_of_shares(shares: Floats, draws: Floats, level: float) -> Floats:
    """Return `ends`, each at least as far from the value as the other: draws of a share near 0 or 1 are not.

    >>> ends_of_shares(np.array([0.2]), np.array([[0.15], [0.2], [0.3]]), 0.999).round(2).tolist()
    [[0.1], [0.3]]
    """
    low, high = ends(shares, draws, level)
    return np.stack(
        [np.clip(np.minimum(low, 2 * shares - high), 0, 1), np.clip(np.maximum(high, 2 * shares - low), 0, 1)]
    )


def error_of_mixture(one: Floats, other: Floats) -> float:
    """1/√I for the share π of people whose records have the shares `one`, others `other`; I: Fisher's at π = ½."""
    both = (one + other) / 2
    known = both > 0
    information = float(((one - other)[known] ** 2 / both[known]).sum())
    return information**-0.5 if information else np.inf
