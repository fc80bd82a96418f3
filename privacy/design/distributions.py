"""What a kind of block whose item lies on a grid tells of the distribution of its true answers.

Its reconstruction goes by this alone (`privacy.reconstruct.distribution`), so it is the same for numbers and places.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from privacy.design.channels import Floats
from privacy.design.sentences import Said

__all__ = ["Bins", "Distribution"]

Bins = tuple[int, ...]
"""How many bins: (20,) of a number, (16, 8) columns and rows of a map."""


class Distribution(Protocol):
    """The true answers in pieces, and the channel from pieces to records. Inside a piece all are equally likely.

    A piece is a bin, or the part of a bin in which the channel is one. Arrays of shares have the `shape` of the pieces,
    with any number of axes before it: `forward` and `back` take many distributions at once.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    def binned(self, shares: Floats) -> Floats:
        """The shares of the bins; what is shown is of them."""

    @property
    def smooth(self) -> bool:
        """Whether neighbouring bins of its one scale are expected to be alike."""

    @property
    def edges(self) -> Any:
        """Where the bins begin and end, in units of the item, as the JSON has it."""

    def seen(self, codes: np.ndarray) -> Floats:
        """Disguised records as a table of counts: the cells that `forward` tells the chances of."""

    def placed(self, codes: np.ndarray) -> Floats:
        """True answers as counts of the pieces."""

    def forward(self, shares: Floats) -> Floats:
        """The chance of each cell of records under these shares of pieces."""

    def back(self, ratios: Floats) -> Floats:
        """The transpose: for each piece, the mean over its records of what stands at their cells."""

    def accuracy(self, respondents: int) -> Sequence[Said]:
        """How precise results of so many disguised respondents will be, if all true answers are equally common."""

    def exposed(self, seen: Floats, placed: Floats) -> Floats:
        """How many people are known to be in each bin, because what is sent from there is true; infinite where none is.

        Of few such people a figure of the bin tells as their records do.
        """

    def figures(self, seen: Floats, placed: Floats, shares: Floats, draws: Floats, level: float) -> dict[str, Any]:
        """What the JSON adds to edges, shares of bins and their error; `draws`: shares of repeated surveys, one a row.

        `seen` and `placed` are the counts of disguised records and of true answers that the shares come from.
        """

    def told(self, shares: Floats, se: Floats) -> tuple[Sequence[str], list[Sequence[object]]]:
        """The headings and the rows of a table for people."""

    def summary(self, figures: dict[str, Any]) -> Sequence[str]:
        """What the figures say beside the table, in lines."""
