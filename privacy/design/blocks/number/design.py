"""A number with noise: uniform noise is added to it, or a square wave sends a number near it or far from it.

Uniform noise is that of Agrawal and Srikant (2000); with `mix` the noisy number is kept with that chance only, and any
number that a record may hold is sent otherwise (R3 of Evfimievski, Gehrke and Srikant 2003), so that γ is finite. The
square wave is that of Li et al. (2020).

Bounded noise without a mix has an infinite γ: age + uniform[−50, 50] = −45 can only come from somebody of 5 or less, so
a belief of any strength can become certainty. Surveys have the square wave alone; uniform noise is for study.

Beside its truth a number has a line of places (`privacy.design.blocks.number.noises`). The edge says what becomes of a
place outside the numbers that can be true: it stays (open), or enters again at the other end (wrap).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import arguments, reading, recipes
from privacy.design.block import Block, Explained, Words
from privacy.design.blocks.number.noises import EDGES, NOISES, OPEN, WRAP, Noise, NumberLine, SquareWave
from privacy.design.draws import Take, draw_below
from privacy.design.fields import MOST_STEPS, Steps, steps_between
from privacy.design.gammas import Gamma
from privacy.design.items import Grid, Item
from privacy.design.notation import Notation
from privacy.design.rationals import ONE
from privacy.design.recipes import Advised, EnteredItem, Recipe, Values
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, InputError, to_translate


@dataclass(frozen=True)
class NumberBlock(Block):
    """`mix` is the numerator of the chance that the noisy number is kept; without a mix it is 2^32."""

    items: tuple[Item, ...]
    noise: Noise
    edge: str = OPEN
    mix: int = ONE

    mark: ClassVar[str] = "number"
    symbols: ClassVar[Mapping[str, str]] = {"epsilon": "ε"}

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "NumberBlock":
        name = reading.text(entry, "number", where)
        arguments.choice(name, f"{where}.number", NOISES)
        kind = NOISES[name]
        own = kind.exact_keys if notation.exact else kind.keys
        added = ("edge", "mix") if kind.added else ()
        reading.only_keys(entry, ("number", *own, *added, "items"), where)
        edge = reading.text(entry, "edge", where) if "edge" in entry else OPEN
        arguments.choice(edge, f"{where}.edge", EDGES)
        entries = reading.read_filled_list(entry, "items", where)
        if len(entries) > 1:
            raise InputError(f"{where}.items: {len(entries)} items are given; a number needs its own block.")
        name, answers = _read_item(entries[0], f"{where}.items[0]")
        noise = kind.read(entry, where, notation, NumberLine(len(answers), Fraction(answers.step)))
        mix = notation.share(entry, "mix", where) if "mix" in entry else ONE
        reach = noise.reach if edge == OPEN else 0
        records = Steps(len(answers) + 2 * reach, answers.first - reach * answers.step, answers.step)
        if len(records) > MOST_STEPS:
            raise EntryError(
                "records would have {count} steps, more than {most}; take a larger step or less noise.",
                at=f"{where}.items[0].step",
                count=len(records),
                most=MOST_STEPS,
            )
        return cls((Item(name, (), grid=Grid((answers,), (records,))),), noise, edge, mix)

    def check(self, where: str, direct: bool) -> None:
        self.noise.check(where)
        if self.mix == 0:
            raise EntryError("0 keeps no number, so nothing could be recovered.", at=f"{where}.mix")
        if self.gamma == 1 and not direct:
            raise EntryError("every record is equally likely for every truth, so nothing could be recovered.", at=where)

    def entry(self, notation: Notation) -> dict[str, Any]:
        edge = {"edge": self.edge} if self.noise.added else {}
        mix = {} if self.mix == ONE else {"mix": notation.write(self.mix)}
        return {"number": self.noise.name} | self.noise.entry(notation) | edge | mix | {"items": [self._item]}

    @property
    def _item(self) -> dict[str, Any]:
        low, high, step = (reading.json_number(Fraction(number)) for number in (self.low, self.high, self.answers.step))
        return {"id": self.items[0].id, "min": low, "max": high, "step": step}

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
    def first(self) -> int:
        """The code of the least number that can be true."""
        return self.grid.firsts[0]

    @property
    def size(self) -> int:
        """How many numbers a record may hold."""
        return len(self.grid.records[0])

    def fold(self, places: np.ndarray) -> np.ndarray:
        """The code of a record for each place of the line, by what the edge does with places outside the range."""
        if self.edge == OPEN:
            return places
        return (places - self.noise.reach) % len(self.answers)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        return Fraction(self._chance(truth[0] - self.first, sent[0]), self._total)

    @cached_property
    def _total(self) -> int:
        """The denominator of the chances that `_chance` gives."""
        return self.noise.total * ONE * self.size

    def _chance(self, step: int, code: int) -> int:
        """P(record `code` | truth `step`) as a whole number over `_total`."""
        any_number = (ONE - self.mix) * self.noise.total
        return self.mix * self._noisy(step, code) * self.size + any_number

    def _noisy(self, step: int, code: int) -> int:
        """P(record `code` | truth `step`) where the noisy number is kept, as a whole number over `noise.total`."""
        steps, reach = len(self.answers), self.noise.reach
        if self.edge == OPEN:
            place = code - step
            return self.near_weights[place] if 0 <= place < len(self.near_weights) else self.noise.far
        return sum(self.near_weights[(code - step + reach) % steps :: steps])

    @cached_property
    def near_weights(self) -> tuple[int, ...]:
        return self.noise.near_weights

    @cached_property
    def up_to(self) -> tuple[int, ...]:
        """The sums of the first 0, 1, … near weights."""
        return tuple(accumulate(self.near_weights, initial=0))

    # What it promises.

    @cached_property
    def gamma(self) -> Gamma:
        """γ, the largest ratio in a column; the chance of a record falls with the distance, and is least at an end."""
        steps, worst = len(self.answers), Fraction(1)
        for code in range(1 if self.edge == WRAP else self.size):
            nearest = min(max(code - self.first, 0), steps - 1)
            truths = range(steps) if self.edge == WRAP else (0, nearest, steps - 1)
            chances = [self._chance(step, code) for step in truths]
            if min(chances) == 0:
                return inf
            if max(chances) * worst.denominator > worst.numerator * min(chances):
                worst = Fraction(max(chances), min(chances))
        return worst

    @property
    def leaks(self) -> bool:
        return self.gamma == inf

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Say which records only one number can give: the ends of the line, if nothing is sent from far away."""
        alone = self.edge == OPEN and self.mix == ONE and self.noise.far == 0
        return alone & ((codes[:, 0] == 0) | (codes[:, 0] == self.size - 1))


def _read_item(entry: Any, where: str) -> tuple[str, Steps]:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "min", "max", "step"), where)
    low, high = (reading.number(entry, key, where) for key in ("min", "max"))
    step = reading.number(entry, "step", where) if "step" in entry else Fraction(1)
    return reading.text(entry, "id", where), steps_between(low, high, step, where)


def disguise(block: NumberBlock, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
    """Disguise numbers; takes words for the coin of a mix, for the noise, and for the mix's number among all."""
    del here  # a number is asked everybody
    steps = truth[:, 0].astype(np.int64) - block.first
    kept = take(len(steps)) < block.mix if block.mix < ONE else np.ones(len(steps), dtype=bool)
    codes = block.fold(block.noise.disguise(steps, take))
    if block.mix < ONE:
        codes = np.where(kept, codes, draw_below(block.size, len(steps), take))
    return codes[:, np.newaxis].astype(truth.dtype)


_MIXED = to_translate("For {some} of {of} people it sends any number from {low} to {high} instead. Each is as likely.")
_WRAPPED = to_translate("Counting past {high} continues at {low}, and counting below {low} continues at {high}.")


def _explain(blocks: Sequence[NumberBlock]) -> Explained:
    return [([block], _of_one(block)) for block in blocks]


def _of_one(block: NumberBlock) -> list[Said]:
    """The sentences about one number: its noise, what becomes of the edges, and how often any number is sent."""
    ends = {"low": _minus(str(block.answers[0])), "high": _minus(str(block.answers[-1]))}
    said = [block.noise.explain()]
    if block.edge == WRAP:
        said.append(Said(_WRAPPED, ends))
    if block.mix < ONE:
        records = block.grid.records[0]
        of, (some,) = of_people([Fraction(ONE - block.mix, ONE)])
        said.append(Said(_MIXED, {"of": of, "some": some, "low": _minus(records[0]), "high": _minus(records[-1])}))
    return said


def _minus(number: str) -> str:
    """Write a negative number with a minus sign in place of a hyphen."""
    return number.replace("-", "\N{MINUS SIGN}")


WORDS = Words(to_translate("γ is above this site’s limit of {limit}. Disguise more."), _explain)


def _item_entry(_values: Values, item: EnteredItem) -> dict[str, Any]:
    """Return the item's JSON; while no scale is entered, a scale of two steps."""
    return {"id": item.id, **(item.scale or {"min": 0, "max": 1})}


def _block_entries(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    epsilon = recipes.require_setting(values, "epsilon")
    return [{"number": SquareWave.name, "epsilon": epsilon, "items": [item]} for item in items]


_ADVISED = Advised(("min", "max", "step"), lambda entry: "min" in entry, recipes.of_epsilon)

RECIPES: tuple[Recipe, ...] = (
    Recipe(
        name=SquareWave.name,
        takes=lambda item: "min" in item.scale,
        write_item=_item_entry,
        write=_block_entries,
        advised=_ADVISED,
    ),
)
