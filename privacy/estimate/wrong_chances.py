"""How far wrong chances of people's own draws may move a figure: every interval reaches over them.

A draw says by how much the chance of any set of its outcomes may be off, δ. Records of people whose chances differ by
that tell a share that lies beside the true one, by a bound that depends on the true share: for crosswise
δ(1 − 2π)/(1 − 2p). So an end of an interval moves to the share whose bound just reaches it. Of a pattern with answers
of several blocks the bounds of the blocks add up, each for those who match the rest of it.

>>> from privacy.design import Design
>>> from privacy.design.patterns import parse_pattern
>>> outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
>>> draw = {"way": "crosswise", "source": "die", "outcomes": outcomes, "delta": 0.01}
>>> design = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "drugs"}]}]})
>>> chances = WrongChances.from_pattern(design, parse_pattern("drugs", design))
>>> round(chances.far_end(0.05, 1), 4)  # the truth may be this far above: its bound is 0.01(1 − 2π)/(2/3)
0.0631
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import hypot

from privacy.design import Design
from privacy.design.block import Block
from privacy.design.patterns import Pattern
from privacy.estimate.intervals import standard_errors

_STEPS = 1000  # each leaves at most 2δ/keep of what was missing
_STILL = 1e-9
_ALL = 1.0


@dataclass(frozen=True)
class _DrawnPart:
    """What a pattern asks of one block that people draw, and the rest of the pattern."""

    block: Block
    place: int
    places: tuple[int, ...]
    yes: tuple[bool, ...]
    rest: Pattern

    @cached_property
    def keep(self) -> float:
        assert self.block.draw is not None
        return float(self.block.draw.numbers(len(self.block.items)).keep)

    @cached_property
    def may_turn(self) -> bool:
        assert self.block.draw is not None
        return self.block.draw.may_turn(len(self.block.items))

    @cached_property
    def most(self) -> float:
        """The shift at the worst share."""
        return max(self.shift(one, _ALL) for one in (0.0, _ALL))

    def shift(self, share: float, rest: float) -> float:
        assert self.block.draw is not None
        return self.block.draw.shift(len(self.block.items), self.places, self.yes, share, rest) / self.keep

    def doubt(self, share: float, rest: float) -> float:
        return self.block.doubt(self.yes, share, rest)


@dataclass(frozen=True)
class WrongChances:
    """The blocks of a pattern whose chances may be wrong, with the share of the rest of the pattern beside each."""

    parts: tuple[_DrawnPart, ...]
    rests: tuple[float, ...]

    @classmethod
    def from_pattern(
        cls, design: Design, pattern: Pattern, share_of: Callable[[Pattern, int], float] | None = None
    ) -> "WrongChances":
        """The blocks of a pattern; `share_of` gives the share of the pattern without the answers of a block.

        Without it all people may match the rest, which is safe.
        """
        parts = tuple(_parts_by_person(design, pattern))
        rests = (share_of(part.rest, part.place) if part.rest.literals and share_of else _ALL for part in parts)
        return cls(parts, tuple(min(max(rest, 0.0), _ALL) if rest == rest else _ALL for rest in rests))

    def __bool__(self) -> bool:
        return bool(self.parts)

    def shift(self, share: float) -> float:
        """How far the estimate may lie from this true share."""
        pairs = zip(self.parts, self.rests, strict=True)
        moved = sum(part.shift(min(max(share, 0.0), rest), rest) for part, rest in pairs)
        return moved + sum(one.most * other.most for one, other in combinations(self.parts, 2))

    def doubts(self, share: float) -> dict[int, float]:
        """How far each block's estimated chances, such as an error of entry, may move it: a standard error, signed."""
        pairs = zip(self.parts, self.rests, strict=True)
        return {part.place: part.doubt(min(max(share, 0.0), rest), rest) for part, rest in pairs}

    def far_end(self, end: float, sign: int, part: float = 1.0) -> float:
        """The true share farthest above (1) or below (−1) from which an estimate may lie at `end`.

        `part` is how much of the figure comes from disguised records. Where chances may turn answers round, the truth
        may be anything. Where the steps do not come to rest, because 2δ is hardly below what is kept, the bound is that
        of the worst share.
        """
        if any(part.may_turn for part in self.parts):
            return max(end, _ALL) if sign > 0 else min(end, 0.0)
        share = end
        for _ in range(_STEPS):
            before, share = share, end + sign * part * self.shift(share)
            if abs(share - before) < _STILL:
                return share
        return end + sign * part * max(self.shift(0.0), self.shift(_ALL))

    def widen(
        self, figure: float, interval: tuple[float, float], level: float, part: float = 1.0
    ) -> tuple[float, float]:
        """The interval around a figure over all that the chances may be, and over what was estimated of them."""
        doubt = part * standard_errors(level) * hypot(*self.doubts(figure).values())
        low, high = (hypot(end - figure, doubt) for end in interval)
        return self.far_end(figure - low, -1, part), self.far_end(figure + high, 1, part)


def has_wrong_chances(design: Design) -> bool:
    """Whether some block is drawn by people with chances that may be wrong.

    >>> has_wrong_chances(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}))
    False
    """
    return not all(block.is_exact for block in design.blocks)


def _parts_by_person(design: Design, pattern: Pattern) -> Sequence[_DrawnPart]:
    made = []
    for index, (block, first) in enumerate(zip(design.blocks, design.first_columns, strict=True)):
        if block.is_exact:
            continue
        own = [literal for literal in pattern.literals if first <= literal[0] < first + len(block.items)]
        rest = Pattern(tuple(literal for literal in pattern.literals if literal not in own))
        if own:
            places, yes = zip(*((column - first, 1 in options) for column, options in own), strict=True)
            made.append(_DrawnPart(block, index, places, yes, rest))
    return made
