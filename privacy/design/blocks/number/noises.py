"""The noises of a number, in whole steps: what is added to it, or in the square wave what is sent in its place.

A number has N steps 0 … N−1. A noise reaches r steps to each side: it turns the step x into one of the N + 2r places of
a line, of which x + r lies over x. The places x … x + 2r are near x, and how likely each is depends on its distance
alone; all others are far, and equally likely. Chances are whole numbers over `total`.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading
from privacy.design.draws import Take, draw, draw_below
from privacy.design.notation import Notation
from privacy.design.rationals import LONGEST, ONE
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, InputError, to_translate

# What becomes of a place outside the numbers that can be true: it stays, or enters again at the other end.
OPEN, WRAP = EDGES = ("open", "wrap")
LARGEST_EPSILON = 20  # beyond it 2^32 steps are too coarse for what is far

_UNIFORM = to_translate(
    "Your device adds a random number from −{reach} to {reach} to yours. Each is equally likely. It sends the sum."
)
_WAVE = to_translate(
    "Of {of} people, {some} send a random number more than {reach} away from their own. The others send one that is at "
    "most {reach} away."
)


@dataclass(frozen=True)
class NumberLine:
    """The line of a number: its steps, and how wide one is."""

    steps: int
    step: Fraction


@dataclass(frozen=True)
class Noise(ABC):
    """What is known of one noise on a line. `near_weights` are the chances of x … x + 2r, `far` that of any other.

    `keys` and `exact_keys` are its own in the two notations of a design; `added` tells that it is added to the number,
    so that it has an edge, and a mix.
    """

    line: NumberLine
    reach: int

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]] = ("spread",)
    exact_keys: ClassVar[tuple[str, ...]]
    added: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation, line: NumberLine) -> "Noise": ...

    @abstractmethod
    def check(self, where: str) -> None: ...

    @abstractmethod
    def entry(self, notation: Notation) -> dict[str, Any]: ...

    @property
    @abstractmethod
    def near_weights(self) -> tuple[int, ...]: ...

    @property
    def far(self) -> int:
        """The chance of any other place, over `total`."""
        return 0

    @property
    @abstractmethod
    def total(self) -> int: ...

    @abstractmethod
    def explain(self) -> Said: ...

    def disguise(self, steps: np.ndarray, take: Take) -> np.ndarray:
        """Draw a place for each step; the number of words taken depends on the noise alone."""
        return steps + draw(self.near_weights, take(len(steps)))


@dataclass(frozen=True)
class Uniform(Noise):
    """Every whole step from −reach to reach as likely."""

    reach: int

    name: ClassVar[str] = "uniform"
    exact_keys: ClassVar[tuple[str, ...]] = ("reach",)

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation, line: NumberLine) -> "Uniform":
        if notation.exact:
            return cls(line, reading.whole_number(entry, "reach", where))
        spread = reading.number(entry, "spread", where)
        if spread <= 0:
            raise EntryError("{spread:g} is not above 0.", at=f"{where}.spread", spread=float(spread))
        if spread < line.step:
            raise EntryError(
                "{spread} is less than one step of {step}, so nothing would be disguised.",
                at=f"{where}.spread",
                spread=float(spread),
                step=float(line.step),
            )
        return cls(line, int(spread // line.step))

    def check(self, where: str) -> None:
        if self.reach < 1:
            raise InputError(f"{where}.reach: {self.reach} is not a whole number from 1.")

    def entry(self, notation: Notation) -> dict[str, Any]:
        return {"reach": self.reach} if notation.exact else {"spread": reading.json_number(self.reach * self.line.step)}

    @property
    def near_weights(self) -> tuple[int, ...]:
        return (1,) * (2 * self.reach + 1)

    @property
    def total(self) -> int:
        return 2 * self.reach + 1

    def disguise(self, steps: np.ndarray, take: Take) -> np.ndarray:
        return steps + draw_below(2 * self.reach + 1, len(steps), take)

    def explain(self) -> Said:
        return Said(_UNIFORM, {"reach": _number_text(self.reach * self.line.step)})


@dataclass(frozen=True)
class SquareWave(Noise):
    """The square wave of Li et al. (2020): a near place with the chance `inside`/2^32, else a far one, each as likely.

    What is near is e^ε times as likely as what is far, or a little less: `inside` is rounded so that ε holds.
    """

    reach: int
    inside: int

    name: ClassVar[str] = "square-wave"
    keys: ClassVar[tuple[str, ...]] = ("epsilon",)
    exact_keys: ClassVar[tuple[str, ...]] = ("reach", "inside")
    added: ClassVar[bool] = False

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation, line: NumberLine) -> "SquareWave":
        if notation.exact:
            return cls(line, reading.whole_number(entry, "reach", where), notation.share(entry, "inside", where))
        epsilon = reading.number(entry, "epsilon", where)
        if not 0 < epsilon <= LARGEST_EPSILON:
            raise EntryError(
                "{epsilon:g} is not above 0 and at most {most}.",
                at=f"{where}.epsilon",
                epsilon=float(epsilon),
                most=LARGEST_EPSILON,
            )
        return cls._from_epsilon(float(epsilon), line)

    def check(self, where: str) -> None:
        if self.reach < 1 or not 0 < self.inside < ONE:
            raise InputError(
                f"{where}: a square wave must reach at least one step, and near and far steps must both be possible."
            )
        if self.near_weights[0] < self.far:
            raise InputError(f"{where}.inside: a near step must be more likely than a far one.")

    def entry(self, notation: Notation) -> dict[str, Any]:
        """The keys of the JSON; in decimals by the shortest ε that is read back as the same noise."""
        if notation.exact:
            return {"reach": self.reach, "inside": self.inside}
        exact = math.log(Fraction(self.near_weights[0], self.far))
        for digits in range(LONGEST):
            for epsilon in (round(exact, digits), round(exact, digits) + 10.0**-digits):
                if epsilon > 0 and self == self._from_epsilon(round(epsilon, digits), self.line):
                    return {"epsilon": reading.json_number(Fraction(repr(round(epsilon, digits))))}
        return {"epsilon": exact}

    @classmethod
    def _from_epsilon(cls, epsilon: float, line: NumberLine) -> "SquareWave":
        reach = wave_reach(epsilon, line.steps)
        return cls(line, reach, _inside(epsilon, reach, line.steps))

    @property
    def near_weights(self) -> tuple[int, ...]:
        return (self.inside * (self.line.steps - 1),) * (2 * self.reach + 1)

    @property
    def far(self) -> int:
        return (ONE - self.inside) * (2 * self.reach + 1)

    @property
    def total(self) -> int:
        return ONE * (2 * self.reach + 1) * (self.line.steps - 1)

    def disguise(self, steps: np.ndarray, take: Take) -> np.ndarray:
        """Draw a place for each step: one word says near or far, and a place of either sort is drawn."""
        is_near = take(len(steps)) < self.inside
        near = steps + draw_below(2 * self.reach + 1, len(steps), take)
        far = draw_below(self.line.steps - 1, len(steps), take).astype(np.int64)
        return np.where(is_near, near, far + np.where(far >= steps, 2 * self.reach + 1, 0))

    def explain(self) -> Said:
        of, (some,) = of_people([Fraction(ONE - self.inside, ONE)])
        return Said(_WAVE, {"of": of, "some": some, "reach": _number_text(self.reach * self.line.step)})


NOISES: dict[str, type[Noise]] = {noise.name: noise for noise in (Uniform, SquareWave)}


def wave_reach(epsilon: float, steps: int) -> int:
    """The reach of a square wave in steps: b of Li et al. (2020), (6), at which records carry the most information.

    b is the share (εe^ε − e^ε + 1) / (2e^ε (e^ε − 1 − ε)) of the range; it is rounded to whole steps, at least one.

    >>> wave_reach(2.0, 61)  # drinks a week from 0 to 60
    8
    """
    grown = math.exp(epsilon)
    vanishing = epsilon < 1e-3  # both differences are rounding errors then; the share goes to a half
    share = 0.5 if vanishing else (epsilon * grown - grown + 1) / (2 * grown * (grown - 1 - epsilon))
    return max(1, round(share * (steps - 1)))


def _inside(epsilon: float, reach: int, steps: int) -> int:
    """The largest numerator under which a near place is at most e^ε times as likely as a far one."""
    grown = Fraction(math.exp(epsilon))  # rounded to the nearest float, and so perhaps up: one part in 2^52
    near, far = 2 * reach + 1, steps - 1
    share = grown * near / (grown * near + far)
    inside = math.floor(share * ONE)
    while inside and math.log(Fraction(inside * far, (ONE - inside) * near)) > epsilon:
        inside -= 1
    return inside


def _number_text(number: Fraction) -> str:
    """A number as it stands in a sentence."""
    return str(reading.json_number(number))
