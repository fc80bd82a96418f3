"""A number or a place as one of a few bins, for patterns: how answers are binned, and what records tell of the bins.

A bin of a number holds many numbers, and which of them decides how likely a record is. So inside a bin people are taken
to be spread as the number itself is among all of them. Records fall into classes, and a class k has for a bin j the
weight w_jk that makes Σ_k P(k | bin i)·w_jk = [i = j]: of all such weights those with the least variance where bins are
equally common. Of a place the bins are its zones and the rest of the map; there no assumption is needed.
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
    """How answers fall into bins. `fine` cuts are finer ones, from the first to before the last of each bin.

    `channel` has the chance of each class of records for each fine cut; `shown` is the bin that a class lies in.
    """

    labels: tuple[str, ...]
    firsts: tuple[int, ...]  # the first fine cut of each bin, and after them how many there are
    channel: Floats
    shown: Ints
    classes: Callable[[NDArray[Any]], Ints]  # of codes of records
    places: Callable[[NDArray[Any]], Ints]  # the fine cuts of codes of true answers

    def class_channel(self, shares: Floats) -> Floats:
        """The channel from bins to classes, people being spread over the fine cuts by these shares."""
        kept = np.maximum(shares, 1e-12)
        sums = np.add.reduceat(kept, self.firsts[:-1])
        mixed: Floats = np.add.reduceat(self.channel * kept[:, np.newaxis], self.firsts[:-1], axis=0)
        return mixed / sums[:, np.newaxis]


def weights_of(name: str, channel: Floats) -> Floats:
    """The weight of each class for each bin, from the channel between them.

    `channel` has a row for each bin and a column for each class; so have the weights.

    >>> weights_of("age", np.array([[0.8, 0.2], [0.2, 0.8]])).round(3).tolist()
    [[1.333, -0.333], [-0.333, 1.333]]
    """
    expected = channel.mean(axis=0)
    known = expected > 0
    scaled = np.divide(channel, expected, out=np.zeros_like(channel), where=known)
    information = scaled @ channel.T
    if np.linalg.cond(information) > WORST:
        raise EntryError(
            "the disguise of {name!r} shows too little for this many bins; use fewer or wider ones.",
            at="bins",
            name=name,
        )
    return np.linalg.solve(information, scaled)
