"""A number with noise: uniform or normal noise is added to it, or a square wave sends a number near it or far from it.

Additive noise is that of Agrawal and Srikant (2000); with `mix` the noisy number is kept with that chance only, and any
number that a record may hold is sent otherwise (R3 of Evfimievski, Gehrke and Srikant 2003), so that γ is finite. The
square wave is that of Li et al. (2020).

Bounded noise without a mix has an infinite γ: age + uniform[−50, 50] = −45 can only come from somebody of 5 or less, so
a belief of any strength can become certainty. Such a block is for study; a live survey refuses it.

Beside its truth a number has a line of places (`privacy.design.blocks.number.noises`). The edge says what becomes of a
place outside the numbers that can be true: it stays (open), becomes the least or the greatest of them (clamp), or
enters again at the other end (wrap).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import inf
from typing import Any, ClassVar

import numpy as np

from privacy.design import reading
from privacy.design.blocks.number.form import FORMS
from privacy.design.blocks.number.noises import CLAMP, EDGES, NOISES, OPEN, WRAP, Noise, NumberLine
from privacy.design.blocks.number.shares import NumberShares
from privacy.design.channels import Floats
from privacy.design.draws import Take, below
from privacy.design.fields import MOST_STEPS, Steps, steps_between
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.grid.distributions import Bins
from privacy.design.grid.in_bins import Cut
from privacy.design.grid.on_grid import OnGrid
from privacy.design.items import Grid, Item
from privacy.design.notation import Notation
from privacy.design.rationals import ONE, decimal
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, InputError, to_translate

_MIXED = to_translate("For {some} of {of} people it sends any number from {low} to {high} instead, each as likely.")
_EDGE = {
    CLAMP: to_translate("What would lie below {low} or above {high} is sent as {low} or {high}."),
    WRAP: to_translate("What would lie above {high} is counted on from {low}, and what lies below {low} from {high}."),
}


@dataclass(frozen=True)
class NumberBlock(OnGrid):
    """`mix` is the numerator of the chance that the noisy number is kept; without a mix it is 2^32."""

    noise: Noise
    edge: str = OPEN
    mix: int = ONE

    mark: ClassVar[str] = "number"

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "NumberBlock":
        name = reading.text(entry, "number", where)
        if name not in NOISES:
            raise InputError(f"{where}.number: {name!r} is none of {', '.join(NOISES)}.")
        kind = NOISES[name]
        own = kind.exact_keys if notation.exact else kind.keys
        edged = ("edge",) if kind.edged else ()
        reading.only_keys(entry, ("number", *own, *edged, "mix", "items"), where)
        edge = reading.text(entry, "edge", where) if "edge" in entry else OPEN
        if edge not in EDGES:
            raise InputError(f"{where}.edge: {edge!r} is none of {', '.join(EDGES)}.")
        entries = reading.filled_list(entry, "items", where)
        if len(entries) > 1:
            raise InputError(f"{where}.items: {len(entries)} items are given; a number stands in a block of its own.")
        name, answers = _read_item(entries[0], f"{where}.items[0]")
        noise = kind.read(entry, where, notation, _line(answers))
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
        self.noise.check(where, self._line)
        if self.mix == 0:
            raise EntryError("0 keeps no number, so nothing could be recovered.", at=f"{where}.mix")
        if self.gamma == 1 and not direct:
            raise EntryError("every record is as likely whatever the truth, so nothing could be recovered.", at=where)

    def friendly_entry(self) -> dict[str, Any]:
        own, mix = self.noise.friendly_entry(self._line), {} if self.mix == ONE else {"mix": decimal(self.mix)}
        return {"number": self.noise.name} | own | self._edge | mix | {"items": [self._item]}

    def exact_entry(self) -> dict[str, Any]:
        own, mix = self.noise.exact_entry(self._line), {} if self.mix == ONE else {"mix": self.mix}
        return {"number": self.noise.name} | own | self._edge | mix | {"items": [self._item]}

    @property
    def _edge(self) -> dict[str, str]:
        return {"edge": self.edge} if self.noise.edged else {}

    @property
    def _item(self) -> dict[str, Any]:
        low, high, step = (reading.plain(Fraction(number)) for number in (self._low, self._high, self._answers.step))
        return {"id": self.items[0].id, "min": low, "max": high, "step": step}

    @property
    def _grid(self) -> Grid:
        grid = self.items[0].grid
        assert grid is not None
        return grid

    @property
    def _answers(self) -> Steps:
        return self._grid.answers[0]

    @property
    def _low(self) -> Decimal:
        return self._answers.first

    @property
    def _high(self) -> Decimal:
        return self._answers.first + (len(self._answers) - 1) * self._answers.step

    @property
    def _line(self) -> NumberLine:
        return _line(self._answers)

    # What it does.

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """With a mix a word that keeps or not; the noise; with a mix a number drawn from all that records hold."""
        del here  # a number is asked everybody
        steps = truth[:, 0].astype(np.int64) - self._first
        kept = take(len(steps)) < self.mix if self.mix < ONE else np.ones(len(steps), dtype=bool)
        codes = self._folded(self.noise.disguise(steps, self._line, take))
        if self.mix < ONE:
            codes = np.where(kept, codes, below(self._size, len(steps), take))
        return codes[:, np.newaxis].astype(truth.dtype)

    @property
    def _first(self) -> int:
        """The code of the least number that can be true."""
        return self._grid.firsts[0]

    @property
    def _size(self) -> int:
        return len(self._grid.records[0])

    def _folded(self, places: np.ndarray) -> np.ndarray:
        """The code of each place of the line."""
        if self.edge == OPEN:
            return places
        steps = places - self.noise.reach
        return np.clip(steps, 0, len(self._answers) - 1) if self.edge == CLAMP else steps % len(self._answers)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        del here
        return Fraction(self._chance(truth[0] - self._first, sent[0]), self._of)

    @cached_property
    def _of(self) -> int:
        return self.noise.of(self._line) * ONE * self._size

    def _chance(self, step: int, code: int) -> int:
        """P(record | truth) as a whole number over `_of`."""
        any_number = (ONE - self.mix) * self.noise.of(self._line)
        return self.mix * self._noisy(step, code) * self._size + any_number

    def _noisy(self, step: int, code: int) -> int:
        """P(record | truth) where the noisy number is kept, as a whole number over `noise.of`."""
        steps, reach = len(self._answers), self.noise.reach
        if self.edge == OPEN:
            return self._at(code - step)
        if self.edge == WRAP:
            return sum(self._near[(code - step + reach) % steps :: steps])
        if 0 < code < steps - 1:
            return self._at(code - step + reach)
        if code == 0:
            return self._up_to[max(reach - step + 1, 0)]
        return self.noise.of(self._line) - self._up_to[min(max(code - step + reach, 0), 2 * reach + 1)]

    def _at(self, place: int) -> int:
        return self._near[place] if 0 <= place < len(self._near) else self.noise.far(self._line)

    @cached_property
    def _near(self) -> tuple[int, ...]:
        return self.noise.near(self._line)

    @cached_property
    def _up_to(self) -> tuple[int, ...]:
        return tuple(accumulate(self._near, initial=0))

    # What it promises.

    @cached_property
    def gamma(self) -> Gamma:
        """The largest ratio in a column: the chance of a record falls with the distance, and the ends are farthest."""
        steps, worst = len(self._answers), Fraction(1)
        for code in range(1 if self.edge == WRAP else self._size):
            nearest = min(max(code - self._first, 0), steps - 1)
            truths = range(steps) if self.edge == WRAP else (0, nearest, steps - 1)
            chances = [self._chance(step, code) for step in truths]
            if min(chances) == 0:
                return inf
            if max(chances) * worst.denominator > worst.numerator * min(chances):
                worst = Fraction(max(chances), min(chances))
        return worst

    arms: ClassVar[None] = None

    @property
    def leaks(self) -> bool:  # type: ignore[override]
        return self.gamma == inf

    figures: ClassVar[Mapping[str, Any]] = {}

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Those that one number alone can give: the two ends of the line, where nothing is sent from afar."""
        alone = self.edge == OPEN and self.mix == ONE and self.noise.far(self._line) == 0
        return alone & ((codes[:, 0] == 0) | (codes[:, 0] == self._size - 1))

    # What people are told of it.

    @classmethod
    def explain(cls, blocks: Sequence["NumberBlock"]) -> list[tuple[Sequence["NumberBlock"], list[Said]]]:
        """The noise of each number, what becomes of the edges, and how often any number is sent."""
        return [([block], block._explanation()) for block in blocks]

    def _explanation(self) -> list[Said]:
        ends = {"low": _minus(str(self._answers[0])), "high": _minus(str(self._answers[-1]))}
        said = [self.noise.explain(self._line)]
        if self.edge in _EDGE:
            said.append(Said(_EDGE[self.edge], ends))
        if self.mix < ONE:
            records = self._grid.records[0]
            of, (some,) = of_people([Fraction(ONE - self.mix, ONE)])
            said.append(Said(_MIXED, {"of": of, "some": some, "low": _minus(records[0]), "high": _minus(records[-1])}))
        return said

    # How it is inverted.

    @property
    def distribution(self) -> Callable[[Bins | None], NumberShares]:
        return self._shares

    def _shares(self, bins: Bins | None) -> NumberShares:
        name, steps = self.items[0].id, len(self._answers)
        most = min(steps, MOST_BINS)
        if bins and len(bins) > 1:
            raise InputError(f"bins: {name!r} is a number, of which one count of bins is taken, and no edges or grid.")
        count = bins[0] if bins else min(steps, USUAL_BINS)
        if not 2 <= count <= most:
            raise InputError(f"bins: {count} of {name!r} are outside 2 to {most}.")
        starts = tuple(place * steps // count for place in range(count + 1))
        channel = np.array([self._records(*ends) for ends in pairwise(starts)])
        return NumberShares(self._answers, starts, self._first, channel)

    def _records(self, start: int, stop: int) -> Floats:
        """The chance of each record where all steps from `start` to before `stop` are as likely."""
        of, far = float(self.noise.of(self._line)), self.noise.far(self._line)
        up_to = np.array(self._up_to, dtype=float)
        places = np.arange(len(self._answers) + 2 * self.noise.reach)
        first, last = (np.clip(places - step + 1, 0, len(self._near)) for step in (start, stop))
        near = up_to[first] - up_to[last] + far * (stop - start - (first - last))
        noisy = np.bincount(self._folded(places), near / of / (stop - start), self._size).astype(float)
        mixed: Floats = self.mix / ONE * noisy + (1 - self.mix / ONE) / self._size
        return mixed

    @property
    def cut(self) -> Callable[[Sequence[str]], Cut]:
        return self._cut

    def _cut(self, texts: Sequence[str]) -> Cut:
        """Its bins by the edges between them: a bin holds the numbers from one edge to before the next."""
        name, steps = self.items[0].id, len(self._answers)
        edges = [self._edge_step(text) for text in texts]
        if sorted(set(edges)) != edges:
            raise EntryError("the edges {edges} of {name!r} do not rise.", at="bins", edges=", ".join(texts), name=name)
        starts = (0, *edges, steps)
        fine: list[int] = []
        firsts = []
        for start, stop in pairwise(starts):
            firsts.append(len(fine))
            parts = min(stop - start, max(MOST_FINE * (stop - start) // steps, 1))
            fine += [start + part * (stop - start) // parts for part in range(parts)]
        ends = np.unique(np.linspace(0, self._size, min(MOST_CLASSES, self._size) + 1).astype(np.int64))
        channel = np.array([self._records(*each) for each in pairwise((*fine, steps))])
        middles = np.clip((ends[:-1] + ends[1:]) // 2 - self._first, 0, steps - 1)
        return Cut(
            tuple(_range(self._answers, *each) for each in pairwise(starts)),
            (*firsts, len(fine)),
            np.add.reduceat(channel, ends[:-1], axis=1),
            np.searchsorted(starts, middles, side="right") - 1,
            lambda codes: np.searchsorted(ends, codes, side="right") - 1,
            lambda codes: np.searchsorted(fine, codes.astype(np.int64) - self._first, side="right") - 1,
        )

    def _edge_step(self, word: str) -> int:
        """How many steps an edge lies above the least number."""
        name = self.items[0].id
        try:
            step = (Fraction(word) - Fraction(self._low)) / Fraction(self._answers.step)
        except (ValueError, ZeroDivisionError):
            raise EntryError(
                "{word!r} is not a number; {name!r} has edges such as 18,30,50.", at="bins", word=word, name=name
            ) from None
        if step.denominator != 1 or not 0 < step < len(self._answers):
            raise EntryError(
                "{word} is no step of {name!r} above {low} and up to {high}.",
                at="bins",
                word=word,
                name=name,
                low=self._answers[0],
                high=self._answers[-1],
            )
        return int(step)

    forms: ClassVar[tuple[Form, ...]] = FORMS


MOST_FINE = 60  # parts of all bins together in which people count as evenly spread
MOST_CLASSES = 24  # of records
MOST_BINS = 200
USUAL_BINS = 20


def _minus(number: str) -> str:
    """As people write it in a sentence."""
    return number.replace("-", "\N{MINUS SIGN}")


def _line(answers: Steps) -> NumberLine:
    return NumberLine(len(answers), Fraction(answers.step))


def _range(answers: Steps, start: int, stop: int) -> str:
    """The numbers of a bin, from the least to the greatest."""
    return answers[start] if stop - start == 1 else f"{answers[start]}…{answers[stop - 1]}"


def _read_item(entry: Any, where: str) -> tuple[str, Steps]:
    entry = reading.mapping(entry, where)
    reading.only_keys(entry, ("id", "min", "max", "step"), where)
    low, high = (reading.number(entry, key, where) for key in ("min", "max"))
    step = reading.number(entry, "step", where) if "step" in entry else Fraction(1)
    return reading.text(entry, "id", where), steps_between(low, high, step, where)
