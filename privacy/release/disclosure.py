"""δ-disclosure privacy: no share of a class is far from that of the table, up or down (Brickell and Shmatikov 2008).

|log₂(q / p)| < δ for every sensitive value, of the share p in the table and q in the class. A value that a class lacks
is infinitely far, so every class has all values. ARX takes the same logarithm and passes over values that are lacking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Bools
from privacy.design.reading import number
from privacy.errors import InputError
from privacy.release.classes import NEAR, Classes
from privacy.release.condition import Condition


@dataclass(frozen=True)
class DisclosurePrivacy(Condition):
    """δ-disclosure privacy, in bits."""

    name: ClassVar[str] = "disclosure"
    delta: float

    def __post_init__(self) -> None:
        if not self.delta > 0:
            raise InputError(f"model.disclosure: {self.delta:g} is not above 0.")

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "DisclosurePrivacy":
        """Read the member `disclosure` of a model, a number."""
        return cls(float(number(model, "disclosure", where)))

    @property
    def symbols(self) -> str:
        return f"δ = {self.delta:g}"

    def holds(self, classes: Classes) -> Bools:
        share = classes.count / classes.sizes[classes.owner]
        near = np.abs(np.log2(share / classes.overall[classes.value])) < self.delta - NEAR
        values = np.count_nonzero(classes.overall)
        return np.asarray(classes.sums(near.astype(np.float64)) == values)
