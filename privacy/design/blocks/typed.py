"""A block that people draw on paper, some of whose records were typed with errors: its channel, then that of entry.

An error turns each answer of a record over by itself. Its chance is the mean over all records, typed and not, so one
channel serves all of them. Where a share differs by D between web and paper it is off by less than e·D/2 for that. What
the block promises stays: an error of entry hides more, and nobody relies on it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import Any, ClassVar

from privacy.design import reading
from privacy.design.block import Block, BlockKind
from privacy.design.blocks.coin import KIND as COIN
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation
from privacy.design.rationals import ONE, apportion, numerator
from privacy.errors import InputError
from privacy.own_draw.person_draw import PersonDraw
from privacy.own_draw.typed import EntryErrors


@dataclass(frozen=True)
class TypedBlock(Block):
    """The block `inside`, whose entry has one more key, the mark: all but the channel is that of the block inside."""

    items: tuple[Item, ...] = field(init=False, repr=False, compare=False)
    inside: Block
    errors: EntryErrors

    mark: ClassVar[str] = "typed"

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", self.inside.items)

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation, inside: Block | None = None) -> "TypedBlock":
        """The block inside, with what the key says of errors of entry."""
        del notation  # its numbers are written alike in both
        where = f"{where}.{cls.mark}"
        if inside is None or inside.draw is None:
            raise InputError(f"{where}: only what people draw themselves is typed from paper.")
        own = reading.mapping(entry[cls.mark], where)
        reading.only_keys(own, ("compared", "differing", "share"), where)
        compared, differing = (reading.whole_number(own, key, where) for key in ("compared", "differing"))
        share = own.get("share")
        if not isinstance(share, list | tuple) or [type(one) for one in share] != [int, int] or not share[1]:
            raise InputError(f"{where}.share: {reading.quote(share)} is no fraction of two whole numbers.")
        return cls(inside, EntryErrors(compared, differing, Fraction(*share)))

    def entry(self, notation: Notation) -> dict[str, Any]:
        share = self.errors.share
        typed = {"compared": self.errors.compared, "differing": self.errors.differing}
        return self.inside.entry(notation) | {self.mark: typed | {"share": [share.numerator, share.denominator]}}

    def describe(self) -> dict[str, Any]:
        return {"entry errors": self.errors.mean} | self.inside.describe()

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        error = Fraction(self.errors.mean)
        pressed = product((0, 1), repeat=len(here))
        return sum(
            (
                self.inside.chance(here, truth, own)
                * prod((1 - error if a == b else error for a, b in zip(own, sent, strict=True)), start=Fraction(1))
                for own in pressed
            ),
            start=Fraction(0),
        )

    @property
    def ask(self) -> int | None:
        return self.inside.ask

    @property
    def draw(self) -> PersonDraw | None:
        return self.inside.draw

    def check(self, where: str, direct: bool) -> None:
        self.inside.check(where, direct)

    @property
    def symbols(self) -> Mapping[str, str]:
        return self.inside.symbols

    @property
    def gamma(self) -> Gamma:
        return self.inside.gamma

    @property
    def odds(self) -> Gamma:
        return self.inside.odds

    def item_odds(self, place: int) -> Gamma:
        return self.inside.item_odds(place)

    @property
    def entry_errors(self) -> EntryErrors:
        return self.errors

    @property
    def is_exact(self) -> bool:
        return False

    @cached_property
    def whole(self) -> Block:
        """The coin or the flips with the same channel, by which it is inverted."""
        return _after_entry(self.inside, self.errors.mean)

    def spreads(self, reach: float) -> Sequence[tuple[Block, Sequence[Block]]]:
        """What its chances may be, and what the error of entry may be."""
        far = [max(self.errors.mean + sign * reach * self.errors.doubt, 0.0) for sign in (-1, 1)]
        return [(self.inside, self.inside.ends), (self, [_after_entry(self.inside, error) for error in far])]

    def doubt(self, yes: Sequence[bool], share: float, rest: float) -> float:
        """By the error of entry.

        Of the records before entry let Y match the pattern, and R match it without one literal. Then the share moves by
        (2Y − R)/((1 − 2e)a) for each literal. Of several R lies between the share and `rest`; the farthest counts.
        """
        if len(yes) == 1:
            u, v = _ones(self.inside, 0)
            said = float(v if yes[0] else 1 - u)
            moved = (2 * (float(u - v) * share + said * rest) - rest) / float(u - v)
        else:
            moved = len(yes) * (share if share > abs(2 * share - rest) else 2 * share - rest)
        return self.errors.doubt * moved / (1 - 2 * self.errors.mean)


def type_in(drawn: Block, errors: EntryErrors) -> Block:
    """The block with errors of entry, where people draw it; as it is where they do not.

    >>> from privacy.design import Design
    >>> outcomes = [{"of": ["6"], "says": "fact"}, {"of": ["1", "2", "3", "4", "5"], "says": "not"}]
    >>> draw = {"way": "crosswise", "source": "die", "outcomes": outcomes}
    >>> (block,) = Design.parse({"blocks": [{"by": "person", "draw": draw, "items": [{"id": "drugs"}]}]}).blocks
    >>> round(float(type_in(block, EntryErrors(400, 8)).chance([0], [1], [1])), 6)  # 5/6 before
    0.826599
    """
    return TypedBlock(drawn, errors) if drawn.draw else drawn


def _ones(block: Block, place: int) -> tuple[Fraction, Fraction]:
    """The chances of a record 1 of one item where the answer is yes, and where it is no."""
    here, blank = range(block.items_per_person), [0] * (block.items_per_person - 1)
    asked = [place, *(other for other in range(len(block.items)) if other != place)][: len(here)]
    records = [[1, *rest] for rest in product((0, 1), repeat=len(blank))]
    u, v = (
        sum((block.chance(asked, [yes, *blank], record) for record in records), start=Fraction(0)) for yes in (1, 0)
    )
    return u, v


def _after_entry(block: Block, error: float) -> Block:
    """The block whose records are those of this one, each answer turned over with this chance.

    In a group whose noise leans to one side neither a coin nor flips have this channel. It becomes the coin that has it
    for each answer by itself, and pairs have half of the correction.
    """
    e = Fraction(error)
    size, ones = block.items_per_person, [_ones(block, index) for index in range(len(block.items))]
    if size == 1 or any(u + v != 1 for u, v in ones):
        chances = [[(1 - 2 * e) * one + e for one in pair] for pair in ones]
        keep = chances[0][0] - chances[0][1]
        noise = [numerator(v / (1 - keep)) for _u, v in chances]
        items = tuple(replace(item, noise=(ONE - yes, yes)) for item, yes in zip(block.items, noise, strict=True))
        return CoinBlock(items, numerator(keep), block.ask)
    here, no = range(size), [0] * size
    other = block.chance(here, no, [1, *no[1:]])
    keep = block.chance(here, no, no) - other
    flips = [comb(size, d) * (keep * e**d * (1 - e) ** (size - d) + (1 - keep) / 2**size) for d in range(size + 1)]
    return FlipBlock(tuple(replace(item, noise=None) for item in block.items), apportion(flips), block.ask)


KIND = BlockKind(TypedBlock, COIN.words)
