"""A counter that asks several others, each of which holds some of the records, and adds up what they answer.

The others are asked all at once, and may count at the same time, each in a process of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

import numpy as np

from mining.engines.literals import Literals
from privacy.reconstruct.joint import View


class PartCounter(Protocol):
    """Whoever holds some of the records, and knows how to count them."""

    @property
    def sizes(self) -> np.ndarray:
        """As `mining.engines.counter.Counter` has it."""

    def ask(self, question: str, arguments: tuple[Any, ...], disguised: bool) -> Callable[[], Any]:
        """Begin to answer what a method of the counter answers, of the disguised group alone where it says so.

        What it returns waits for the answer.
        """


@dataclass(frozen=True)
class SpreadCounter:
    """A `mining.engines.counter.Counter` over parts; without the direct group if it is `disguised_only`."""

    literals: Literals
    parts: Sequence[PartCounter]
    disguised_only: bool = False

    @property
    def sizes(self) -> np.ndarray:
        total: np.ndarray = np.sum([part.sizes for part in self.parts], axis=0)
        return total * [1, 0] if self.disguised_only else total

    def disguised(self) -> "SpreadCounter":
        return SpreadCounter(self.literals, self.parts, True)

    def singles(self) -> np.ndarray:
        return self._sum("singles")

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        rows = slice(first[0], second.max() + 1)  # a level is asked about bit by bit, and only these travel
        return self._sum("differences", itemsets[rows], first - rows.start, second - rows.start)

    def mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        return self._sum("mixed", prefixes, bounds, tails)

    def parities(self, sets: Sequence[Sequence[int]]) -> np.ndarray:
        return self._sum("parities", sets)

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        return self._sum("cells", itemsets)

    def views(self, columns: Sequence[int]) -> dict[View, np.ndarray]:
        return sum_of_answers(self._asked("views", columns))

    def _sum(self, question: str, *arguments: Any) -> np.ndarray:
        return sum_of_answers(self._asked(question, *arguments))

    def _asked(self, question: str, *arguments: Any) -> list[Any]:
        return [answer() for answer in [part.ask(question, arguments, self.disguised_only) for part in self.parts]]


def sum_of_answers(answers: Iterable[Any]) -> Any:
    """Add up what several parts answered, each about its own records: arrays, or arrays under the same keys.

    Each is freed once it is added: all of them together would take several times the memory of their sum.

    >>> sum_of_answers([np.array([1, 2]), np.array([10, 20])]).tolist()
    [11, 22]
    """
    return reduce(_sum_of_two, answers)


def _sum_of_two(one: Any, other: Any) -> Any:
    if not isinstance(one, dict):
        return np.add(one, other)
    total: dict[Any, np.ndarray] = dict(one)
    for key, counts in other.items():
        total[key] = total[key] + counts if key in total else counts
    return total
