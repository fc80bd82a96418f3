"""What a block can be asked, whatever its kind, with its sketch in floats and its plan for the advisor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from privacy.design.blankets import Blanket
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import ByOrder, Factor, Floats, Literal, PatternChannel, Squares, TableChannel
from privacy.design.draws import Take
from privacy.design.forms import Form
from privacy.design.gammas import Gamma
from privacy.design.grid.distributions import Bins, Distribution
from privacy.design.grid.in_bins import Cut
from privacy.design.items import Item
from privacy.design.notation import Notation
from privacy.design.sentences import Said

__all__ = [
    "ARM",
    "ARMS",
    "Block",
    "Judge",
    "Plan",
    "Planned",
    "Sketched",
    "Unadvised",
    "Unproposed",
    "asked",
    "asks_nearby",
    "dealt",
]


ARM, ARMS = "arm", ("weaker", "stronger")  # the open column that says which arm a device drew, and what stands there


class Sketched(Protocol):
    """A block in floats, light enough to try thousands; `items` are places in the brief."""

    @property
    def items(self) -> tuple[int, ...]: ...

    @property
    def ask(self) -> int: ...

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        """For each item, how likely each option is as noise; 0 where there is none."""

    @property
    def odds(self) -> float:
        """By how much the odds of a protected fact can grow; γ where both answers are protected."""

    @property
    def channel(self) -> "Sketched":
        """The same block without its items."""

    def __hash__(self) -> int: ...

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        """E[w²] of sub-patterns (rows; items are columns), from the shares of their literals in truth and in noise."""

    def chances(self, noise: Floats) -> Floats:
        """P(which literals a record matches | which the truth does) of sub-patterns (rows): rows × 2^L × 2^L."""

    def shared(self, size: int) -> Floats | float:
        """By how much E[W_S W_T] of sets of so many literals differs from what `chances` say; 1 where it does not."""

    def rounded(self, questions: Sequence[ExpectedItem], limit: Fraction) -> "Block | None":
        """The block over 2^32 whose exact odds are at most the limit; None where steps of 2^−32 are too coarse."""


class Planned(Protocol):
    """One block of a plan; `weight` is its part of ln γ, relative to the other blocks."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def items(self) -> tuple[int, ...]: ...

    @property
    def ask(self) -> int: ...

    @property
    def weight(self) -> float: ...

    @property
    def stepped(self) -> str | None:
        """The family of a plan of this block alone that small steps led to; None where that has no name of its own."""

    def under(self, questions: Sequence[ExpectedItem], odds: float) -> Sketched:
        """The most accurate block within these odds."""

    def asking(self, ask: int) -> Self:
        """The block with another number asked."""

    def changes(self, brief: Brief) -> Iterator["Planned"]:
        """Blocks of the same items that differ a little."""

    def takes(self, question: ExpectedItem) -> bool:
        """Whether the item could be disguised in this block, too."""

    def merged(self, other: Any) -> Iterator["Planned"]:
        """Blocks that could take the place of both."""

    def entered(self, made: Any) -> tuple[str, Mapping[str, Any]]:
        """The form that asks for the block that was made of it, and what is entered there."""


Plan = tuple[Planned, ...]


class Judge(Protocol):
    """The worst error of each length up to `longest` (columns) of many channels (rows) over the same items.

    It is given the items, how many of them are asked, how many channels there are, and a function that gives E[w²]
    under each channel for the shares of sub-patterns, and for the shares of respondents who are asked none, one … all
    of one.
    """

    def __call__(
        self,
        items: Sequence[int],
        ask: int,
        count: int,
        squares: Callable[[Floats, Floats], Squares],
        longest: int | None = None,
    ) -> Floats: ...


class Block(Protocol):
    """All that can be asked of a block, whatever its kind. It holds exact numerators over 2^32."""

    # How it is written. `mark` is the key that only this kind has in a design.
    mark: ClassVar[str]

    @property
    def items(self) -> tuple[Item, ...]: ...

    @classmethod
    def read(cls, entry: Mapping[str, Any], where: str, notation: Notation) -> "Block":
        """The block of an entry in either notation; `check` tests the rules that hold for every block."""

    def check(self, where: str, direct: bool) -> None:
        """Refuse what cannot work; `direct`: some respondents answer undisguised."""

    def friendly_entry(self) -> dict[str, Any]:
        """As people write it."""

    def exact_entry(self) -> dict[str, Any]:
        """In exact numerators, as it is hashed and as the browser reads it."""

    @property
    def symbols(self) -> Mapping[str, str]:
        """What formulas call the keys of what people write; a key that is not here goes by its own name."""

    # What it does.

    @property
    def asked(self) -> int:
        """How many of its items one respondent is asked."""

    def disguise(self, truth: np.ndarray, here: np.ndarray, take: Take) -> np.ndarray:
        """Disguise rows of codes; `here` tells which items a row was asked. The number of words taken never changes."""

    @property
    def arms(self) -> "tuple[Block, Block] | None":
        """The weaker and the stronger of two arms, of which each device draws one; None where there is one disguise."""

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        """P(sent | truth), exactly, where the items at the places `here` are asked."""

    # What it promises. The odds are those of a fact that the promise protects; γ is that of any fact.

    @property
    def leaks(self) -> bool:
        """Whether it gives answers away that it should protect, so that it is for study alone."""

    @property
    def gamma(self) -> Gamma: ...

    @property
    def odds(self) -> Gamma:
        """γ; for a kind that protects one answer only, by how much the odds of that answer can grow at most."""

    def item_gamma(self, place: int) -> Gamma:
        """γ of the disguised answer to one item alone; the rest of the record may tell more."""

    def item_odds(self, place: int) -> Gamma: ...

    def certain(self, codes: np.ndarray) -> np.ndarray:
        """Which rows of disguised answers can only be the truth, whatever the numbers of the block."""

    @property
    def blanket(self) -> Blanket | None:
        """What hides one person in a crowd; None where nothing does, or where it is not worked out for the kind."""

    @property
    def figures(self) -> Mapping[str, Any]:
        """What the JSON of a guarantee adds for it."""

    # What people are told of it. Sentences are English and marked for translation.

    @classmethod
    def explain(cls, blocks: Sequence[Any]) -> list[tuple[Sequence[Any], list[Said]]]:
        """What becomes of one answer, in frequencies: of the answer that these blocks of the kind hide least.

        Blocks of which it cannot be said in the same sentences have their own.
        """

    @property
    def together(self) -> str:
        """Of all answers together: of {of} people with one record up to {most} are like this, at least {some} not."""

    @property
    def believed(self) -> str:
        """The same in chances: who gave it {prior} % cannot become more than {posterior} % sure."""

    note: ClassVar[str]
    """What a table of γ and odds says of it; empty where the two are the same."""

    advice: ClassVar[str]
    """What a researcher can do where the odds are above the {limit} of the site."""

    # How it is inverted.

    @property
    def coin(self) -> float | None:
        """The chance that a coin keeps the truth; None where no coin decides."""

    @property
    def apart(self) -> bool:
        """Whether its items are disguised apart from each other; else together."""

    def factors(self, first: int, literals: Sequence[Literal]) -> Sequence[Factor]:
        """What disguises a pattern's literals on this block, which begins at the column `first`."""

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> Sequence[TableChannel]:
        """What disguises a table of this shape, where its items at `places` lie along `axes`."""

    def literal_noise(self, place: int, option: int, positive: bool) -> float:
        """How likely noise has the option (not `positive`: any other); not a number where there is no noise."""

    @property
    def of_patterns(self) -> Callable[[np.ndarray], PatternChannel] | None:
        """What disguises many patterns at once, by which of their literals say yes (a pattern a row).

        None where a coin decides, and noise matches several literals with the product of what `literal_noise` tells.
        """

    @property
    def ordered(self) -> ByOrder | None:
        """What it leaves of answers by their places in a public order; None where places make no difference."""

    @property
    def distribution(self) -> Callable[[Bins | None], Distribution] | None:
        """Its true answers in so many bins (None: as many as suit it), where its item lies on a grid.

        None where its items have options, which patterns match.
        """

    @property
    def cut(self) -> Callable[[Sequence[str]], Cut] | None:
        """Its answers as a few bins, by edges or other words; None where its items have options."""

    # The block in floats, which every kind of items with options has, also one that the advisor leaves out: whether
    # records follow their design, and which rules can be found at all, is worked out by it.

    def sketch(self, items: tuple[int, ...]) -> Sketched:
        """The block in floats, with these places in the brief of an advisor, or its own places where there is none."""

    # What the advisor may vary, and how a form asks for it.

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        """Plans of these items worth trying under these odds, by family; none where the kind does not fit."""

    @staticmethod
    def proposals(
        brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
    ) -> Iterator[Sequence[Plan]]:
        """Single blocks of all items of a brief for a questionnaire; its writer waits. Like ones in a list, best first.

        `asked`: of how many items everybody may be asked. `error` is what a plan is judged by.
        """

    forms: ClassVar[tuple[Form, ...]]


class Unproposed:
    """A kind of block that is in no proposal of the studio."""

    @staticmethod
    def proposals(
        brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
    ) -> Iterator[Sequence[Plan]]:
        del brief, odds, asked, judge, error
        return iter(())


class Unadvised(Unproposed):
    """A kind of block that the advisor leaves to whoever knows why. It has its sketch all the same."""

    @staticmethod
    def plans(
        items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge
    ) -> Iterator[tuple[str, Plan]]:
        del items, brief, odds, thorough, judge
        return iter(())


def asked(plan: Plan) -> int:
    """How many questions one person answers under a plan.

    Parameters
    ----------
    plan : Plan
        The blocks that are planned.

    Returns
    -------
    int

    Examples
    --------
    >>> from privacy.design.blocks import alone, apart
    >>> asked((alone(0, 0.5), apart([1, 2])))
    3
    """
    return sum(block.ask for block in plan)


def asks_nearby(block: Planned) -> Iterator[Planned]:
    """The planned block with one question fewer, and with one more."""
    for ask in (block.ask - 1, block.ask + 1):
        if 1 <= ask <= len(block.items):
            yield block.asking(ask)


def dealt(items: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """`count` groups as equal as can be, the larger first; like items are dealt to different groups."""
    return [tuple(items[start::count]) for start in range(count)]
