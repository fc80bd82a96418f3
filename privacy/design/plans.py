"""What the advisor varies: plans of blocks in floats, from which exact blocks are made."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, Self

from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Squares
from privacy.result import TextColumns


@dataclass(frozen=True)
class InPopulation:
    """What figures of each length err by in one of the stated populations, and the bias that is farthest from 0."""

    name: str
    about: str
    errors: tuple[float, ...]
    biases: tuple[float, ...]


@dataclass(frozen=True)
class Biased:
    """What a block of biased figures errs by in each of the stated populations, as root mean squares.

    `most`: how many rare answers do not bias anything. `wrong`: the worst errors where such answers are so many times
    as common as guessed.
    """

    most: int
    populations: tuple[InPopulation, ...]
    wrong: Mapping[float, tuple[float, ...]]

    def contents(self) -> Iterator[str | TextColumns]:
        """Yield the sentences and the table that people read about the errors."""
        lengths = range(1, len(self.populations[0].errors) + 1)
        if any(any(population.biases) for population in self.populations):
            yield f"People with more than {self.most} rare answers add less to each of its figures, which biases them."
        yield "Root mean square errors, which include the bias, and the bias, if prevalences are as guessed and"
        rows: list[list[str | float]] = []
        for population in self.populations:
            pairs = zip(population.errors, population.biases, strict=True)
            rows.append([population.about, *(float(f"{value:.3g}") for pair in pairs for value in pair)])
        yield TextColumns(["", *(f"{what}, {length}" for length in lengths for what in ("error", "bias"))], rows)
        for times, errors in self.wrong.items():
            said, common = " and ".join(f"{error:.3g}" for error in errors), _TIMES.get(times, f"{times:g} times")
            yield f"If rare answers are {common} as common as guessed, it errs by {said}."

    def to_json(self) -> dict[str, Any]:
        return {
            "populations": [
                {"population": population.name, "errors": list(population.errors), "bias": list(population.biases)}
                for population in self.populations
            ],
            "wrong": [{"times": times, "errors": list(errors)} for times, errors in self.wrong.items()],
        }


_TIMES = {0.5: "half", 2.0: "twice"}


@dataclass(frozen=True)
class Losses:
    """What is `kept` of patterns of 1, 2, … rare answers, and how far figures may lie above their estimates.

    At most `times` themselves, and beside that `mean`, whose error of one respondent is `error`.
    """

    kept: tuple[float, ...]
    times: float
    mean: float
    error: float


@dataclass(frozen=True)
class Sketched(ABC):
    """A block in floats, light enough to try thousands; `items` are places in the brief."""

    items: tuple[int, ...]
    ask: int

    @property
    @abstractmethod
    def noise(self) -> tuple[tuple[float, ...], ...]:
        """For each item, how likely each option is as noise; 0 where there is none."""

    @property
    @abstractmethod
    def odds(self) -> float:
        """By how much the odds of a protected fact can grow; γ where both answers are protected."""

    @abstractmethod
    def squares(self, shares: Floats, noise: Floats) -> Squares:
        """E[w²] of sub-patterns (rows; items are columns), from the shares of their literals in truth and noise."""

    @abstractmethod
    def chances(self, noise: Floats) -> Floats:
        """P(which literals a record matches | which the truth does) of sub-patterns (rows): rows × 2^L × 2^L."""

    def moments(self, noise: Floats) -> Floats | None:
        """E[a²], E[a³] and E[a²(1 − a)] of those who are asked each set of literals: 3 × rows × 2^L.

        Noise is even, and records count by a². None where the coin a does not depend on what is asked.
        """
        del noise
        return None

    @abstractmethod
    def line(self, noise: float) -> tuple[float, float]:
        """c and d of P(record matches) = c + d·(truth matches), for a literal that is so likely as noise."""

    @abstractmethod
    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> Any:
        """The block over 2^32 whose exact odds are at most the limit; None where its steps are too coarse."""

    @property
    def apart(self) -> bool:
        """Whether each item is disguised by randomness of its own."""
        return False

    @property
    def channel(self) -> Self:
        """The same block without its items."""
        return replace(self, items=())

    def errors(self, brief: Brief, *, worst: bool = True) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return expected and `worst` errors by length of a design of this block alone; None: `squares` give them."""
        return None

    def bias_in_populations(self, brief: Brief) -> Biased | None:
        """Return what its figures err by in each of the stated populations; None where they are not biased."""
        return None

    def losses(self, shares: Sequence[Sequence[float]]) -> "Losses | None":
        """What figures are expected to lose; None where they are not biased. `shares`: of each item's options."""
        del shares
        return None


@dataclass(frozen=True)
class PlannedBlock(ABC):
    """One block of a plan; `weight` is its part of ln γ, relative to the other blocks."""

    items: tuple[int, ...]
    ask: int
    weight: float = 1.0

    @abstractmethod
    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> Sketched:
        """The most accurate block within these odds."""

    @abstractmethod
    def as_recipe(self, made: Any) -> tuple[str, Mapping[str, Any]]:
        """The recipe of the block that was made of it, and its settings."""

    @property
    def list_settings(self) -> Mapping[str, Any]:
        """What makes a list of words, as settings of its recipe; empty for other blocks."""
        return {}


Plan = tuple[PlannedBlock, ...]


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


@dataclass(frozen=True)
class Advisor:
    """What the advisor may try of a kind.

    plans(items, brief, odds, asked, judge): single blocks of these items worth trying under these odds, by family; none
    where the kind does not fit. `asked`: of how many of them everybody may be asked.
    biased(brief, odds, length, best): plans for patterns up to a length whose figures are biased and that are worth it
    all the same, by family; the best of all other kinds errs by `best`.
    compared(brief, odds): plans of which some may be better for short patterns and others for long ones, each with the
    errors of its lengths.
    """

    plans: Callable[[Sequence[int], Brief, float, range, Judge], Iterator[tuple[str, Plan]]]
    biased: Callable[[Brief, float, int, float], Iterator[tuple[str, Plan]]] = lambda *_: iter(())
    compared: Callable[[Brief, float], Iterator[tuple[Plan, tuple[float, ...]]]] = lambda *_: iter(())


def count_asked(plan: Plan) -> int:
    """How many questions one person answers under a plan.

    >>> from privacy.design.blocks import alone, apart
    >>> count_asked((alone(0, 0.5), apart([1, 2])))
    3
    """
    return sum(block.ask for block in plan)
