"""What a channel of a disguised column says: how it is written, what becomes of values, and what its rows tell."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from privacy.arrays import Floats, Ints
from privacy.design.block import Block
from privacy.design.sentences import Said


@dataclass(frozen=True)
class Fact:
    """Something that is true of a share of people, as far as rows show it.

    `sorts` is what each row shows, `own` and `others` the chance of each sort from people of whom the fact is true
    and from everybody else.
    """

    value: str
    share: float
    sorts: Ints
    own: Floats
    others: Floats


@dataclass(frozen=True)
class Accuracy:
    """How much of a column stays: of each value with the chance `keep`, or a number `within` so much of it.

    `error` is the standard error of what is reconstructed, at most: `of` a share, or the mean. `members` are the
    channel's own in the JSON of a report.
    """

    values: int
    keep: float
    noise: str
    error: float
    of: str
    members: Mapping[str, Any]


@dataclass(frozen=True)
class ReleaseChannel(ABC):
    """How a column is disguised; `where` is its place in the spec, `name` and `keys` how it is written there."""

    where: str

    name: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, entry: Mapping[str, Any], where: str) -> "ReleaseChannel":
        """Read the members of a column."""

    @abstractmethod
    def block(self, name: str, column: Sequence[str]) -> Block:
        """The block that a column goes through; a column with a value that has no place in it is refused."""

    @abstractmethod
    def encode(self, block: Block, column: Sequence[Any]) -> Ints:
        """The codes of the values of a column as the block disguises them."""

    @abstractmethod
    def accuracy(self, block: Block, rows: int) -> Accuracy: ...

    @abstractmethod
    def facts(self, block: Block, codes: Ints) -> Iterator[Fact]:
        """What rows of a class may tell of its people, by the published codes of all rows."""

    @abstractmethod
    def notes(self, name: str) -> list[Said]:
        """What is to be said of the design."""
