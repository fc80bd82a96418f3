"""What a channel can be asked, such as noise in place of answers (`replacing`).

A block says which kind disguises each of its parts; everything else works with these three views.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from privacy.design.items import Item
from privacy.design.sentences import Said

Floats = NDArray[np.float64]
Literal = tuple[int, frozenset[int]]
"""A column, and the option indexes that match there."""
Squares = tuple[Floats, Floats, Floats]
"""E[w²] of sub-patterns: for independent items, where the truth matches, and at worst where it does not."""


@dataclass(frozen=True)
class CapLoss:
    """How far the true figure may lie above its estimate, because a cap shortens what some people send.

    The figure is at most the estimate + `most_lost` · (the estimate, or what it lacks of the whole) + the mean of
    `lost` over disguised records: of a figure that lies `below` its estimate it is the other way round.
    """

    most_lost: float
    lost: Floats  # of each cell
    below: bool


class ByRecord(Protocol):
    """How a block is inverted whose records are read whole, whatever literals a pattern has.

    All answers of a record are at one *place*, a number below `most_places`: what the record shows. What a reader
    leaves out is None.
    """

    @property
    def most_places(self) -> int:
        """How many places there are."""

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The place of each answer (rows × items); `here` says which items were asked, and others have the place 0."""

    def merged(self, literals: Sequence[Literal]) -> NDArray[np.intp] | None:
        """A shorter numbering of places (literals × places), where many say the same about a literal; else None.

        `products` and `reach` are then asked of these numbers in place of places.
        """
        return None

    def lacks(self, literals: Sequence[Literal]) -> str | None:
        """Why records tell nothing of these literals of the block, as the end of a sentence; None where they do."""
        return None

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        """Two tables, sets of the literals × cells: the weights of centred products, and their coefficients.

        The sum of weights over that of coefficients estimates a product. `matches` and `places` (literals × cells) say
        what a cell shows; the place −1 says that an item was not asked.
        """

    def line(self, literals: Sequence[Literal]) -> tuple[float, float] | None:
        """c and d of P(record matches) = c + d·π, π the true share of the literals; None where it is no line."""
        return None

    def reach(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> CapLoss | None:
        """How far the true share of these literals may lie above its estimate; None where the estimate has no bias."""
        return None

    def doubt(self, literals: Sequence[Literal], places: NDArray[np.intp], shares: Floats) -> Floats | None:
        """The square of how far the estimate of each set of the literals may be off, apart from its sampling error.

        `shares` is that of the records in each cell. None where nothing can be off.
        """
        return None

    def least(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.bool_]] | None:
        """The least chance of each cell, whatever is true, and whether its records speak of an item: literals × cells.

        A cell with few records, or none, shows too little of how much it varies. None where no cell is rare.
        """
        return None


@dataclass(frozen=True)
class Sent:
    """What a record may show: a word, a loss word or nothing, as the codes of the record, with its chances.

    base, own: of somebody for whom it is false, and for whom it is true; the blank word has no `own`.
    answer: the literal that it is, of a word of one answer.
    most_lost: where people above the cap lose some of their words, single answers lose at most this part of themselves,
    and what this measures; null of all other rows.
    common: of a group of words, which part of the records that name any group counts for every answer.
    word: its answers as patterns are written.
    loss: of a loss word of a list that corrects for losses, the length of words whose loss it measures.
    """

    record: NDArray[Any]
    base: float
    own: float | None
    answer: tuple[int, int] | None = None
    most_lost: float | None = None
    common: float | None = None
    word: tuple[str, ...] = ()
    loss: int | None = None


@dataclass(frozen=True)
class WordCells:
    """What records tell of each word of a list: a row for each word, a column for records that tell the same of it.

    The mean of `weights` over the records, `sizes` in each cell, is the share of a word. It may be above that by at
    most `most_lost` times itself and the mean of `lost` over the records that are not `direct`. `doubt`: how far,
    squared, it may be off beside its sampling. `lines`: c and d of the chance c + d·share that a record names the word,
    where it is a line; where it is none of some words, both are not numbers.
    """

    sizes: Floats
    weights: Floats
    lost: Floats
    direct: NDArray[np.bool_]  # of each column
    most_lost: Floats
    doubt: Floats
    lines: tuple[Floats, Floats] | None


class WordList(Protocol):
    """A public list of words, one of which each record of the block shows, or none."""

    @property
    def sent(self) -> Sequence[Sent]:
        """All that records may show, where this gives shares of all single answers or of all words; else nothing."""

    @property
    def words(self) -> Sequence[tuple[tuple[str, ...], tuple[Literal, ...]]]:
        """Each word: its answers as patterns are written, and its literals."""

    def count(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        """How many of these disguised records show each word, and after the words each other thing that can be sent."""

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """The least and the largest chance, whatever is true, of each entry of `count`."""

    def describe(self, number: int) -> tuple[str, ...] | Said:
        """What the entry `number` of `count` counts: a word by its answers, as patterns are written, or a sentence."""

    def cells(self, codes: NDArray[Any], direct: NDArray[np.bool_]) -> WordCells:
        """What records tell of each word: disguised ones, and the answers of those who are direct."""

    def cells_of_counts(self, counts: NDArray[Any], *, scatter: Floats | None = None) -> WordCells:
        """What disguised records tell of each word, from the counts of `count`.

        With `scatter`, rows of normal deviates, each word has as many rows, of counts that chance moves so.
        """

    @property
    def corrects(self) -> bool:
        """Whether loss words measure what words of each length lose, so that `figures` can give it back."""

    def figures(self, counts: NDArray[Any], together: Sequence[Sequence[int]] = ()) -> tuple[Floats, Floats, Floats]:
        """The share of each word with its loss given back, its error, and the part of that error that is not by chance.

        This part lies to the same side in two samples of the same people. After the words come sets of single answers
        `together`, each by the places of its words, of which nobody gives two.
        """

    def foresee(self, shares: Sequence[Sequence[float]], respondents: int) -> Floats:
        """The counts of `count` that are expected of so many people, where options are so common; no whole numbers."""

    def showing(self, codes: NDArray[Any], places: Sequence[int]) -> NDArray[Any]:
        """The records; those that show other than a word of the items at these places become ones that show nothing."""

    def disguise(self, table: Floats, axes: Sequence[int], places: Sequence[int]) -> Floats:
        """Shares of what `showing` returns, from a table of true shares in which the items at `places` are the `axes`.

        InputError where it depends on other answers, too.
        """

    def shrink(self, counts: NDArray[np.intp], first: Any, earlier: NDArray[np.intp]) -> Floats:
        """The shares of words that both waves give together; `first` is the list of the first wave, with its counts."""

    def likely(self, counts: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """The likely share of each word and its error, by rules of thumb where no loss word measures what is lost."""

    def precisions(self) -> Floats:
        """How much one record says about the share of each word that hardly anybody has: one over its variance."""

    def next_list(
        self, figures: tuple[Floats, Floats], respondents: int, wanted: int, fixed: Sequence[int] = ()
    ) -> Any:
        """The block of a second wave, for itemsets that these shares of single answers, with errors, make likely.

        The words of this list at `fixed` places are in it, too.
        """


class Factor(Protocol):
    """What a pattern asks of answers that are disguised together.

    It is seen through *atoms*, events that a record matches or not. `shape` is the same for factors that can be
    computed together, and `together` does so: one row for each of them.
    """

    @property
    def items(self) -> tuple[Item, ...]:
        """All items of the block."""

    @property
    def atoms(self) -> tuple[tuple[Literal, ...], ...]: ...

    @property
    def shape(self) -> int: ...

    def why_no_estimate(self) -> str | None:
        """Why disguised records say nothing about the pattern, as the end of a sentence; None where they do."""

    @staticmethod
    def together(factors: Sequence[Any]) -> "PatternChannel": ...


class PatternChannel(Protocol):
    """One part of many patterns: what disguises its atoms, a row for each pattern.

    Its weight is a sum of terms φ/λ; `strengths` holds the λ, a row for each pattern.
    """

    @property
    def strengths(self) -> Floats: ...

    @property
    def atoms(self) -> int:
        """How many atoms each pattern has here."""

    @property
    def one_atom(self) -> bool:
        """Say whether all literals form one atom; otherwise each is an atom of its own."""

    def states(self, terms: Floats) -> Floats:
        """Σ terms·φ over the last axis of `terms`, as a table over the states of the atoms: which of them match."""

    def disguise(self, table: Floats, axis: int, *, back: bool = False) -> Floats:
        """Disguise tables, one for each pattern, whose axes from `axis` on are atoms; `back` applies the transpose."""

    def line(self) -> tuple[Floats, Floats]:
        """c and d of P(record matches) = c + d·π, π the true share, for a single atom."""

    def select(self, places: NDArray[np.intp]) -> "PatternChannel": ...


class TableChannel(Protocol):
    """What disguises some axes of a table of shares. Axes that are not its own may hold anything."""

    @property
    def axes(self) -> tuple[int, ...]: ...

    @property
    def atoms(self) -> int: ...

    def disguise(self, table: Floats, *, back: bool = False) -> Floats:
        """Disguise a table of true shares; `back` applies the transpose."""

    def inverse(self, table: Floats) -> Floats:
        """Undo the disguise of a table of records: the mean weight of every cell, which estimates its true share."""

    def stays(self) -> Floats:
        """P(record = y | truth = y), to be broadcast over the table."""
