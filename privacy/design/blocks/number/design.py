"""A number behind the square wave of Li et al. (2020), which sends a number near it, or one far from it.

A number has N steps 0 … N−1. The wave reaches r steps to each side: it turns the step x into one of the N + 2r places
of a line, of which x + r lies over x. The places x … x + 2r are near x, and each as likely; all others are far, and
each as likely. Chances are whole numbers over `NumberBlock.total`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from privacy.design import arguments, reading, recipes
from privacy.design.block import Block, Explained, Words
from privacy.design.draws import Take, draw_below
from privacy.design.fields import MOST_STEPS, Steps, steps_between
from privacy.design.gammas import Gamma
from privacy.design.items import Grid, Item
from privacy.design.notation import Notation
from privacy.design.rationals import LONGEST, ONE
from privacy.design.recipes import Advised, EnteredItem, Recipe, Values
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, InputError, to_translate

NAME = "square-wave"
LARGEST_EPSILON = 20  # beyond it 2^32 steps are too coarse for what is far

_WAVE = to_translate(
    "Of {of} people, {some} send a random number more than {reach} away from their own. The others send one that is at "
    "most {reach} away."
)


@dataclass(frozen=True)
class NumberBlock(Block):
    """A near place is sent with the chance `inside`/2^32, else a far one.

    What is near is e^ε times as likely as what is far, or a little less: `inside` is rounded so that ε holds.
    """

    items: tuple[Item, ...]
    reach: int
    inside: int

    mark: ClassVar[str] = "number"
    symbols: ClassVar[Mapping[str, str]] = {"epsilon": "ε"}

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "NumberBlock":
        arguments.choice(reading.text(entry, "number", where), f"{where}.number", (NAME,))
        keys = ("reach", "inside") if notation.exact else ("epsilon",)
        reading.only_keys(entry, ("number", *keys, "items"), where)
        entries = reading.read_filled_list(entry, "items", where)
        if len(entries) > 1:
            raise InputError(f"{where}.items: {len(entries)} items are given; a number needs its own block.")
        name, answers = _read_item(entries[0], f"{where}.items[0]")
        if notation.exact:
            reach, inside = reading.whole_number(entry, "reach", where), notation.share(entry, "inside", where)
        else:
            epsilon = reading.number(entry, "epsilon", where)
            if not 0 < epsilon <= LARGEST_EPSILON:
                raise EntryError(
                    "{epsilon:g} is not above 0 and at most {most}.",
                    at=f"{where}.epsilon",
                    epsilon=float(epsilon),
                    most=LARGEST_EPSILON,
                )
            reach, inside = _wave(float(epsilon), len(answers))
        records = Steps(len(answers) + 2 * reach, answers.first - reach * answers.step, answers.step)
        if len(records) > MOST_STEPS:
            raise EntryError(
                "records would have {count} steps, more than {most}; take a larger step or less noise.",
                at=f"{where}.items[0].step",
                count=len(records),
                most=MOST_STEPS,
            )
        return cls((Item(name, (), grid=Grid((answers,), (records,))),), reach, inside)

    def check(self, where: str, direct: bool) -> None:
        if self.reach < 1 or not 0 < self.inside < ONE:
            raise InputError(
                f"{where}: a square wave must reach at least one step, and near and far steps must both be possible."
            )
        if self.near <= self.far:
            raise InputError(f"{where}.inside: a near step must be more likely than a far one.")

    def entry(self, notation: Notation) -> dict[str, Any]:
        """The keys of the JSON; in decimals by the shortest ε that is read back as the same wave."""
        low, high, step = (reading.json_number(Fraction(number)) for number in (self.low, self.high, self.answers.step))
        items = [{"id": self.items[0].id, "min": low, "max": high, "step": step}]
        if notation.exact:
            return {"number": NAME, "reach": self.reach, "inside": self.inside, "items": items}
        return {"number": NAME, "epsilon": self._shortest_epsilon(), "items": items}

    def _shortest_epsilon(self) -> int | float:
        exact = math.log(Fraction(self.near, self.far))
        for digits in range(LONGEST):
            for epsilon in (round(exact, digits), round(exact, digits) + 10.0**-digits):
                if epsilon > 0 and (self.reach, self.inside) == _wave(round(epsilon, digits), len(self.answers)):
                    return reading.json_number(Fraction(repr(round(epsilon, digits))))
        return exact

    @property
    def grid(self) -> Grid:
        grid = self.items[0].grid
        assert grid is not None
        return grid

    @property
    def answers(self) -> Steps:
        return self.grid.answers[0]

    @property
    def low(self) -> Decimal:
        return self.answers.first

    @property
    def high(self) -> Decimal:
        return self.answers.first + (len(self.answers) - 1) * self.answers.step

    @property
    def size(self) -> int:
        """How many numbers a record may hold."""
        return len(self.grid.records[0])

    @property
    def near(self) -> int:
        """The chance of a near place, over `total`."""
        return self.inside * (len(self.answers) - 1)

    @property
    def far(self) -> int:
        """The chance of a far place, over `total`."""
        return (ONE - self.inside) * (2 * self.reach + 1)

    @property
    def total(self) -> int:
        return ONE * (2 * self.reach + 1) * (len(self.answers) - 1)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        is_near = abs(sent[0] - truth[0]) <= self.reach
        return Fraction(self.near if is_near else self.far, self.total)

    # What it promises.

    @cached_property
    def gamma(self) -> Gamma:
        """γ: the least record is near for one end, and far for the other."""
        return Fraction(self.near, self.far)


def _read_item(entry: Any, where: str) -> tuple[str, Steps]:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "min", "max", "step"), where)
    low, high = (reading.number(entry, key, where) for key in ("min", "max"))
    step = reading.number(entry, "step", where) if "step" in entry else Fraction(1)
    return reading.text(entry, "id", where), steps_between(low, high, step, where)


def _wave(epsilon: float, steps: int) -> tuple[int, int]:
    """The reach of the wave of ε on so many steps, and the numerator of the chance of what is near.

    The reach is b of Li et al. (2020), (6), at which records carry the most information: the share
    (εe^ε − e^ε + 1) / (2e^ε (e^ε − 1 − ε)) of the range, rounded to whole steps, at least one. The numerator is the
    largest under which a near place is at most e^ε times as likely as a far one.
    """
    exponential = math.exp(epsilon)
    vanishing = epsilon < 1e-3  # both differences are rounding errors then; the share goes to a half
    most_telling = (epsilon * exponential - exponential + 1) / (2 * exponential * (exponential - 1 - epsilon))
    reach = max(1, round((0.5 if vanishing else most_telling) * (steps - 1)))
    near, far = 2 * reach + 1, steps - 1
    grown = Fraction(exponential)  # rounded to the nearest float, and so perhaps up: one part in 2^52
    inside = math.floor(grown * near / (grown * near + far) * ONE)
    while inside and math.log(Fraction(inside * far, (ONE - inside) * near)) > epsilon:
        inside -= 1
    return reach, inside


def disguise(block: NumberBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise numbers: one word says near or far, and a place of either sort is drawn."""
    del here  # a number is asked everybody
    steps, width = truth[:, 0].astype(np.int64) - block.reach, 2 * block.reach + 1
    is_near = take(len(steps)) < block.inside
    near = steps + draw_below(width, len(steps), take)
    far = draw_below(len(block.answers) - 1, len(steps), take).astype(np.int64)
    codes = np.where(is_near, near, far + np.where(far >= steps, width, 0))
    return codes[:, np.newaxis].astype(truth.dtype)


def _explain(blocks: Sequence[NumberBlock]) -> Explained:
    return [([block], [_of_one(block)]) for block in blocks]


def _of_one(block: NumberBlock) -> Said:
    of, (some,) = of_people([Fraction(ONE - block.inside, ONE)])
    reach = str(reading.json_number(block.reach * Fraction(block.answers.step)))
    return Said(_WAVE, {"of": of, "some": some, "reach": reach})


WORDS = Words(to_translate("γ is above this site’s limit of {limit}. Disguise more."), _explain)


def _item_entry(_values: Values, item: EnteredItem) -> dict[str, Any]:
    """Return the item's JSON; while no scale is entered, a scale of two steps."""
    return {"id": item.id, **(item.scale or {"min": 0, "max": 1})}


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    epsilon = recipes.require_setting(values, "epsilon")
    return [{"number": NAME, "epsilon": epsilon, "items": [item]} for item in items]


_ADVISED = Advised(("min", "max", "step"), lambda entry: "min" in entry, recipes.of_epsilon)

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name=NAME,
        takes=lambda item: "min" in item.scale,
        write_item=_item_entry,
        write=_block_entries,
        advised=_ADVISED,
    ),
)
