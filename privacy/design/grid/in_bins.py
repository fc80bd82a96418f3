"""A number or a place as one of a few bins, for patterns: how answers are binned, and what records tell of the bins.

A bin of a number holds many numbers, and which of them decides how likely a record is. Records fall into classes, and a
class k has for a bin j the weight w_jk. People who are spread in a bin as the number is among all of them count in it
once on average: Σ_k P(k | bin i)·w_jk = [i = j]. Who matches other answers may be spread in another way. So of all such
weights those are taken that err least where the share of matching people changes within a bin, its changes at two
numbers as alike as `Cut.alike` says (linear Bayes; as minimax linear weights in Donoho 1994, with a variance in place
of a bound), and what is left of that error counts in the variances of patterns. Of a place the bins are its zones and
the rest of the map; there no assumption is needed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats
from privacy.errors import EntryError

WORST = 1e6  # of a condition: beyond it rounding errors stand beside what records tell
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Cut:
    """How answers fall into bins. `cells` are finer, from the first to before the last of each bin.

    `channel` has the chance of each class of records for each cell; `shown` is the bin that a class lies in. `rows` and
    `free` are what a smooth fit wants to know of the cells of a number (`privacy.reconstruct.smoothing`).
    """

    labels: tuple[str, ...]
    firsts: tuple[int, ...]  # the first cell of each bin, and after them how many there are
    channel: Floats
    shown: Ints
    classes: Callable[[NDArray[Any]], Ints]  # of codes of records
    places: Callable[[NDArray[Any]], Ints]  # the cells of codes of true answers
    alike: Floats  # the correlation of what the people of two cells answer elsewhere
    rows: Floats | None = None
    free: tuple[int, ...] = ()

    @property
    def bins(self) -> Floats:
        """Which cells are in each bin: bins × cells."""
        cells = np.arange(self.firsts[-1])
        return (np.searchsorted(self.firsts, cells, side="right") - 1 == np.arange(len(self.labels))[:, None]) * 1.0


@dataclass(frozen=True)
class Inverse:
    """What classes of records tell of bins.

    `weights` are bins × classes. `surplus` is how much more than once, or than not at all, people of each cell count in
    a bin, bins × cells. `doubt` is the variance of what that makes of the share in a bin, for answers of which any
    number may have all or none.
    """

    weights: Floats
    surplus: Floats
    doubt: Floats


@dataclass(frozen=True)
class Binned:
    """What records tell of a binned item: the weight of each class for each bin.

    `doubt` is that of `Inverse`; `drift` is the mean square of what counts in each bin too much, as far as it is not
    known how people are spread in it.
    """

    weights: Floats  # bins × classes
    shown: Ints  # the bin that each class lies in
    doubt: Floats
    drift: Floats

    @property
    def base(self) -> int:
        """How many digits `pad` makes room for: as many as there are classes or bins, whichever are more."""
        return max(self.weights.shape)

    def pad(self, option: int) -> tuple[Floats, NDArray[np.bool_]]:
        """For the bin `option`: the weight of each digit (a class of records), and whether the class is in the bin."""
        weights, shown = np.zeros(self.base), np.full(self.base, -1)
        weights[: self.weights.shape[1]] = self.weights[option]
        shown[: len(self.shown)] = self.shown
        return weights, shown == option


def invert(name: str, cut: Cut, shares: Floats, respondents: float) -> Inverse:
    """The weight of each class for each bin, where people are spread over the cells by these shares.

    >>> cells = np.array([0, 1])
    >>> channel = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> cut = Cut(("no", "yes"), (0, 1, 2), channel, cells, lambda codes: codes, lambda codes: codes, np.eye(2))
    >>> invert("age", cut, np.array([0.5, 0.5]), 100).weights.round(3).tolist()
    [[1.333, -0.333], [-0.333, 1.333]]
    """
    people = np.maximum(shares, 1e-12)
    people = people / people.sum()
    bins = cut.bins
    within = bins * people
    within = within / within.sum(axis=1, keepdims=True)
    expected = people @ cut.channel
    known = expected > 0
    of_bins, of_cells = within @ cut.channel[:, known], people[:, np.newaxis] * cut.channel[:, known]
    if np.linalg.cond(of_bins / expected[known] @ of_bins.T) > WORST:
        raise EntryError(
            "the disguise of {name!r} shows too little for this many bins; use fewer or wider ones.",
            at="bins",
            name=name,
        )
    about_bins = np.eye(len(people)) - bins.T @ within
    changes = about_bins @ cut.alike @ about_bins.T
    spread = np.diag(expected[known]) / respondents + of_cells.T @ changes @ of_cells
    scaled = np.linalg.solve(spread, of_bins.T).T
    weights = np.zeros((len(bins), len(expected)))
    weights[:, known] = np.linalg.solve(scaled @ of_bins.T, scaled)
    surplus = weights @ cut.channel.T - bins
    wrong = surplus * people
    return Inverse(weights, surplus, np.einsum("jx,xy,jy->j", wrong, changes, wrong))
