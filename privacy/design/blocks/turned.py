"""Blocks in floats that turn answers over, drawn from a table of flips."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privacy.design.channels import Floats, Squares, turning
from privacy.design.plans import Sketched


@dataclass(frozen=True)
class TurnedSketch(Sketched):
    """Its errors are those of flips by `table`, a row of their shares."""

    if TYPE_CHECKING:

        @property
        def table(self) -> Floats: ...

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        square, hit, miss = turning.squares(self.table, shares)
        return square[0], hit[0], miss[0]

    def chances(self, noise: Floats) -> Floats:
        return np.tile(turning.chances(self.table, noise.shape[1]), (len(noise), 1, 1))
