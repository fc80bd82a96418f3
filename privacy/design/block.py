"""What a block of a design is, whatever its kind; and what its kind can do with it, in parts with one asker each.

A kind fills a row of the table in `privacy.design.blocks`: how it disguises (asked by `privacy.disguise`), how patterns
or a distribution are inverted (`privacy.reconstruct`, `privacy.regress`, the engines of mining), what people read about
it (`privacy.guarantee`), what the advisor may vary (`privacy.plan`), and how settings describe it (its recipes).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import numpy as np

from privacy.design.blankets import Blanket
from privacy.design.channels import ByRecord, Factor, Literal, PatternChannel, TableChannel, WordList
from privacy.design.draws import Take
from privacy.design.gammas import Gamma
from privacy.design.grid.distributions import GridDistribution
from privacy.design.grid.in_bins import Cut
from privacy.design.items import Item
from privacy.design.notation import DECIMAL, Notation
from privacy.design.plans import Advisor, Sketched
from privacy.design.recipes import Recipe
from privacy.design.sentences import Said
from privacy.errors import InputError
from privacy.own_draw.person_draw import PersonDraw
from privacy.own_draw.typed import EntryErrors
from privacy.own_draw.ways import Numbers


@dataclass(frozen=True)
class Block(ABC):
    """How a block is written, and what it promises. It holds exact numerators over 2^32."""

    items: tuple[Item, ...]

    mark: ClassVar[str]  # the key that only this kind has in a design
    kind: ClassVar["BlockKind"]  # its row says so

    @property
    def ask(self) -> int | None:
        """How many items are drawn for each respondent; None where all are asked."""
        return None

    @property
    def draw(self) -> PersonDraw | None:
        """How the person draws, with what is at hand; None where the device draws."""
        return None

    @property
    def ends(self) -> "Sequence[Block]":
        """The block at each corner of what a person's chances may be; none where they are exact."""
        draw = self.draw
        return [self.with_numbers(end) for end in draw.ends(len(self.items))] if draw else ()

    def spreads(self, reach: float) -> "Sequence[tuple[Block, Sequence[Block]]]":
        """What may be wrong: a block, and what it may be in its place; what several say adds up.

        What was estimated of the chances may be off by `reach` standard errors.
        """
        del reach
        return [(self, self.ends)]

    def doubt(self, yes: Sequence[bool], share: float, rest: float) -> float:
        """The standard error of a pattern's share that comes from estimated chances, with the sign it moves by.

        `yes` are its literals on this block, `share` the true one, `rest` that of the pattern without them.
        """
        del yes, share, rest
        return 0.0

    @property
    def entry_errors(self) -> EntryErrors | None:
        """How records were typed that people drew on paper; None where none was."""
        return None

    @property
    def is_exact(self) -> bool:
        """Whether figures reckon with its chances as they are."""
        return self.draw is None or self.draw.is_exact

    def with_numbers(self, numbers: Numbers) -> "Block":
        """The same block with another channel, which devices draw."""
        raise NotImplementedError(f"Nobody draws for blocks of {type(self).__name__}.")

    @classmethod
    @abstractmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "Block":
        """The block of an entry in either notation; `check` tests the rules that hold for every block."""

    @abstractmethod
    def entry(self, notation: Notation) -> dict[str, Any]:
        """The block's JSON: in decimals, as people write it, or in exact numerators, which are hashed and sent."""

    @abstractmethod
    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        """P(sent | truth), exactly, where the items at the places `here` are asked."""

    @property
    @abstractmethod
    def gamma(self) -> Gamma:
        """The largest factor by which a record changes the odds of any fact; `odds`: of a protected fact only."""

    def check(self, where: str, direct: bool) -> None:
        """Refuse what cannot work; `direct`: some respondents answer undisguised."""
        del where, direct  # most kinds take all that they can read

    @property
    def symbols(self) -> Mapping[str, str]:
        """The symbols that formulas use for keys of the JSON; other keys keep their names."""
        return {}

    def describe(self) -> dict[str, Any]:
        """The entry as captions of figures have it: shares as decimals, and of a draw its way and its source."""
        entry = self.entry(DECIMAL)
        if self.draw is None:
            return entry
        own = {"draw": f"{self.draw.way.name} by {self.draw.drawn.source}"}
        return own | {key: value for key, value in entry.items() if key not in ("by", "draw")}

    @property
    def items_per_person(self) -> int:
        """The number of its items that each respondent is asked."""
        return self.ask or len(self.items)

    @property
    def alone(self) -> Collection[tuple[int, int]]:
        """The answers of which nothing is known beside others, each by the place of its item and its code."""
        return ()

    # What it promises.

    @property
    def odds(self) -> Gamma:
        """γ; where a kind protects one answer only, the largest factor by which the odds of that answer can grow."""
        return self.gamma

    def item_odds(self, place: int) -> Gamma:
        """By how much the disguised answer at `place` alone can change odds; the rest of the record may reveal more."""
        return self.odds

    def item_gamma(self, place: int) -> Gamma:
        """γ of the answer at `place`: its odds where the block protects every answer, else γ of the block."""
        return self.item_odds(place) if self.odds == self.gamma else self.gamma

    @property
    def leaks(self) -> bool:
        """Whether it gives away answers that it should protect; such a block is only for study."""
        return False

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Say for each row of disguised answers whether it must be true, because only one truth can give it."""
        return np.zeros(len(codes), dtype=bool)

    def can_send(self, codes: Sequence[int]) -> bool:
        """Whether a device can send these disguised answers to its items, where each is one of its options."""
        del codes
        return True

    @property
    def blanket(self) -> Blanket | None:
        """The noise that hides one person in a crowd; None where there is none, or no formula for it."""
        return None

    @property
    def figures(self) -> Mapping[str, Any]:
        """Return what this block adds to the JSON of a guarantee."""
        return {}

    @property
    def whole(self) -> "Block":
        """Return the block as one disguise, for figures of all modes together."""
        return self

    # What its kind can do with it.

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """Disguise rows of codes; `here` tells which items a row was asked. The number of words taken never changes."""
        assert self.whole.kind.disguise is not None
        return self.whole.kind.disguise(self.whole, truth, here, take)

    @property
    def patterns(self) -> "Patterns":
        """How patterns of its items are inverted; refused where its items have no options."""
        return (self.whole.kind.patterns or Patterns)(self.whole)

    @property
    def reads_whole(self) -> bool:
        """Whether what a record says of one answer depends on all others, so that only whole records tell of it."""
        return self.distribution is None and self.patterns.by_record is not None

    @property
    def distribution(self) -> Callable[..., GridDistribution] | None:
        """Return how to reconstruct its answers: takes the bins (None: a suitable number) and the heaps.

        None where items have options.
        """
        return partial(self.kind.distribution, self) if self.kind.distribution else None

    @property
    def cut(self) -> Callable[[Sequence[str]], Cut] | None:
        """Return how to cut its answers into a few bins, by edges or other words; None where items have options."""
        return partial(self.kind.cut, self) if self.kind.cut else None

    def sketch(self, items: tuple[int, ...]) -> Sketched:
        """The block in floats, for the advisor; `items` are places of its items in the brief, or else in the block."""
        if self.whole.kind.sketch is None:
            raise InputError(f"There is no advice for the block of {self.items[0].id!r}.")
        return self.whole.kind.sketch(self.whole, items)


@dataclass(frozen=True)
class Patterns:
    """How a block is inverted where patterns match the options of its items; as it is, nothing can be."""

    block: Any

    def keep(self, *places: int) -> float | None:
        """The chance that one coin keeps the true answers to these items; None where no coin decides."""
        del places
        return None

    def loudest(self, *places: int) -> float:
        """How many times the weight of `keep` one record may have in a figure of these items: 1 if all count alike."""
        del places
        return 1.0

    def without(self, places: Sequence[int]) -> "Patterns":
        """The same for records that were not asked the items at these places."""
        del places
        return self

    @property
    def apart(self) -> bool:
        """Whether each of its items is disguised separately; else all together."""
        return False

    @property
    def by_record(self) -> ByRecord | None:
        """Return how the block is inverted where each record is read whole; None where its literals are enough."""
        return None

    @property
    def word_list(self) -> WordList | None:
        """Return the list of which each record shows one word; None where there is none."""
        return None

    @property
    def of_many(self) -> Callable[[np.ndarray], PatternChannel] | None:
        """Return the channel of many patterns at once, one per row; the argument says which of their literals are yes.

        None where a coin decides, and noise matches several literals with the product of what `noise` tells.
        """
        return None

    def ends_of_weights(self, length: int) -> Sequence[tuple[float, float]] | None:
        """Return pairs (least, largest weight of a record) for patterns of `length` answers; None: factors say them."""
        del length
        return None

    def factors(self, first: int, literals: Sequence[Literal]) -> Sequence[Factor]:
        """Return the factors of a pattern's literals on this block, whose first column is `first`."""
        item: Item = self.block.items[0]
        item.check_options()
        raise InputError(f"{item.id!r} is known by bins; no pattern of it is inverted by itself.")

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> Sequence[TableChannel]:
        """Return the channels of a table of this shape, in which the items at `places` are the `axes`."""
        self.factors(0, ())
        return ()

    def noise(self, place: int, options: frozenset[int]) -> float:
        """The chance that noise gives one of the options; NaN where there is no noise."""
        if self.keep(place) is None:
            return np.nan
        factors: Any = self.factors(0, [(place, options)])
        return float(factors[0].noise)


@dataclass(frozen=True)
class Partly:
    """What people read where an answer is not hidden. Sentences are English and marked for translation."""

    together: str
    """Of all answers together: of {of} people with one record up to {most} are like this, at least {some} not."""

    believed: str
    """The same in chances: who gave it {prior} % cannot become more than {posterior} % sure."""

    note: str
    """What a table of γ and odds says of it."""


@dataclass(frozen=True)
class RowWords:
    """What people read of a kind of which a row of records is not one answer in each column."""

    about: str
    """How to read a row, for codebooks."""

    sent: str
    """What each device sends, in a few words."""

    limit: str
    """What no row of a file says, for the researcher who chooses the kind."""

    names_answers: bool
    """Whether a row names answers of the person, so that an example of the file can be shown."""


Explained = list[tuple[Sequence[Any], list[Said]]]


@dataclass(frozen=True)
class Words:
    """What people read about blocks of a kind."""

    advice: str
    """What a researcher can do where the odds are above the {limit} of the site."""

    explain: Callable[[Sequence[Any]], Explained] = lambda _blocks: []
    """What becomes of one answer, in frequencies: of the answer that these blocks hide least.

    Blocks of which it cannot be said in the same sentences have their own.
    """

    partly: Partly | None = None

    row: RowWords | None = None
    """None: a row of records shows one answer in each column."""

    changes: bool = True
    """Whether answers are sent that may be changed; else the first sentence of `explain` says what is sent."""


@dataclass(frozen=True)
class BlockKind:
    """A row of the table: what can be done with the blocks of a class, and None for what cannot."""

    block: type[Block]
    words: Words
    disguise: Callable[[Any, np.ndarray, np.ndarray, Take], np.ndarray] | None = None
    patterns: Callable[[Any], Patterns] | None = None
    distribution: Callable[..., GridDistribution] | None = None
    cut: Callable[[Any, Sequence[str]], Cut] | None = None
    sketch: Callable[[Any, tuple[int, ...]], Sketched] | None = None
    advisor: Advisor | None = None
    recipes: tuple[Recipe, ...] = ()

    def __post_init__(self) -> None:
        if lacking := sorted(self.block.__abstractmethods__):
            raise TypeError(f"{self.block.__name__} lacks {', '.join(lacking)}.")
        self.block.kind = self
