"""β-likeness: no sensitive value becomes much more common in a class than it is in the table (Cao and Karras 2012).

The gain of a value with the share p in the table and q > p in a class is (q − p) / p. Basic β-likeness limits it by β,
the enhanced one by the smaller of β and −ln p, so that common values cannot fill a class.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design import arguments
from privacy.design.reading import mapping, number, only_keys
from privacy.errors import InputError, to_translate
from privacy.release.classes import NEAR, Classes
from privacy.release.condition import Condition


@dataclass(frozen=True)
class LikenessKind:
    """How much a value of each share may gain, at a β, and what that asks in one sentence."""

    most: Callable[[Floats, float], Floats]
    label: str
    about: str


LIKENESSES = {
    "basic": LikenessKind(
        lambda shares, beta: np.full_like(shares, beta),
        to_translate("the same for every answer (basic)"),
        to_translate("An answer of the share p among all has at most p · (1 + β) in each group."),
    ),
    "enhanced": LikenessKind(
        lambda shares, beta: np.minimum(beta, -np.log(shares)),
        to_translate("less for common answers (enhanced)"),
        to_translate("The same, and at most p · (1 − ln p), so that a common answer cannot fill a group."),
    ),
}


@dataclass(frozen=True)
class Likeness(Condition):
    """β-likeness of one kind."""

    name: ClassVar[str] = "beta"
    kind: str
    beta: float

    def __post_init__(self) -> None:
        arguments.choice(self.kind, "model.beta.kind", LIKENESSES)
        if not self.beta > 0:
            raise InputError(f"model.beta.beta: {self.beta:g} is not above 0.")

    @classmethod
    def read(cls, model: Mapping[str, Any], where: str) -> "Likeness":
        """Read the member `beta` of a model.

        >>> Likeness.read({"beta": {"kind": "enhanced", "beta": 2}}, "model")
        Likeness(kind='enhanced', beta=2.0)
        """
        entry, where = mapping(model["beta"], f"{where}.beta"), f"{where}.beta"
        only_keys(entry, ("kind", "beta"), where)
        return cls(str(entry.get("kind", "basic")), float(number(entry, "beta", where)))

    @property
    def symbols(self) -> str:
        return f"β = {self.beta:g} ({self.kind})"

    def holds(self, classes: Classes) -> Bools:
        among = classes.overall[classes.value]
        most = among * (1 + LIKENESSES[self.kind].most(among, self.beta))
        over = classes.count / classes.sizes[classes.owner] > most + NEAR
        return np.asarray(classes.sums(over.astype(np.float64)) == 0)
