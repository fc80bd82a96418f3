"""What a kind of block whose item lies on a grid tells of the distribution of its true answers.

Its reconstruction goes by this alone (`privacy.reconstruct.distribution`), so it is the same for numbers and places.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from privacy.design.channels import Floats

__all__ = ["Bins", "Distribution"]

Bins = tuple[int, ...]
"""How many bins: (20,) of a number, (16, 8) columns and rows of a map."""


class Distribution(Protocol):
    """The true answers in bins, and the channel from bins to records. Inside a bin all answers count as equally likely.

    Arrays of shares have the `shape` of the bins, with any number of axes before it: `forward` and `back` take many
    distributions at once.
    """

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def edges(self) -> Any:
        """Where the bins begin and end, in units of the item, as the JSON has it."""

    def seen(self, codes: np.ndarray) -> Floats:
        """Disguised records as a table of counts: the cells that `forward` tells the chances of."""

    def placed(self, codes: np.ndarray) -> Floats:
        """True answers as counts of the bins."""

    def forward(self, shares: Floats) -> Floats:
        """The chance of each cell of records under these shares of bins."""

    def back(self, ratios: Floats) -> Floats:
        """The transpose: for each bin, the mean over its records of what stands at their cells."""

    def figures(self, shares: Floats, draws: Floats, level: float) -> dict[str, Any]:
        """What the JSON adds to edges, shares and their error; `draws`: shares of repeated surveys, one a row."""

    def told(self, shares: Floats, se: Floats) -> tuple[Sequence[str], list[Sequence[object]]]:
        """The headings and the rows of a table for people."""

    def summary(self, figures: dict[str, Any]) -> Sequence[str]:
        """What the figures say beside the table, in lines."""
