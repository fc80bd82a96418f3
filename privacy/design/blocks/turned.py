"""What blocks that turn yes/no answers over have in common, exact and in floats."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from privacy.design import reading
from privacy.design.block import Block
from privacy.design.channels import Floats, Squares, turning
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, read_ask, read_bare_items, write_ask, write_item
from privacy.design.plans import Sketched


@dataclass(frozen=True)
class TurnedBlock(Block):
    """Which answers are turned over is drawn from the chances of a `table`, which its mark names in a design."""

    items: tuple[Item, ...]
    table: tuple[int, ...]
    ask: int | None = None

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> Self:
        reading.only_keys(entry, (cls.mark, "items", "ask"), where)
        items = read_bare_items(entry, where)
        return cls(items, notation.shares(entry[cls.mark], f"{where}.{cls.mark}"), read_ask(entry, where))

    def entry(self, notation: Notation) -> dict[str, Any]:
        items = [write_item(item, notation) for item in self.items]
        return {self.mark: notation.write_all(self.table)} | write_ask(self.ask) | {"items": items}


@dataclass(frozen=True)
class TurnedSketch(Sketched):
    """Its errors are those of flips by `table`, a row of their shares."""

    @property
    @abstractmethod
    def table(self) -> Floats: ...

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        square, hit, miss = turning.squares(self.table, shares)
        return square[0], hit[0], miss[0]

    def chances(self, noise: Floats) -> Floats:
        return np.tile(turning.chances(self.table, noise.shape[1]), (len(noise), 1, 1))
