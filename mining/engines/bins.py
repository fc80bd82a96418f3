"""Numbers and places as bins, so that they can stand in itemsets beside other answers.

Asked for as `age=18,30,50;home=zones`: a number by the edges between its bins, a place by its zones. The item then has
the bins as options; what its records tell of them are weights for classes of records (`privacy.design.grid.in_bins`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.design.channels import Floats
from privacy.design.grid.in_bins import Cut, InBins, Ints, weights_of
from privacy.design.items import Item
from privacy.errors import EntryError
from privacy.reconstruct.smoothing import smoothest

__all__ = ["Binned", "check_bins", "in_bins", "read_bins"]


@dataclass(frozen=True)
class Binned:
    """A binned item: the class of each record, of direct ones the bin, and the weight of each class for each bin."""

    digits: Ints
    weights: Floats  # bins × classes
    shown: Ints  # the bin that each class lies in

    @cached_property
    def base(self) -> int:
        return max(self.weights.shape)

    def at(self, rows: np.ndarray) -> "Binned":
        return replace(self, digits=self.digits[rows])

    def padded(self, option: int) -> tuple[Floats, np.ndarray]:
        """The weights of all digits for a bin, and which digits lie in it."""
        weights, shown = np.zeros(self.base), np.full(self.base, -1)
        weights[: self.weights.shape[1]] = self.weights[option]
        shown[: len(self.shown)] = self.shown
        return weights, shown == option


def read_bins(text: str) -> dict[str, tuple[str, ...]]:
    """The edges of each item, as texts.

    >>> read_bins("age=18,30,50;home=zones")
    {'age': ('18', '30', '50'), 'home': ('zones',)}
    """
    asked: dict[str, tuple[str, ...]] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, named, edges = (one.strip() for one in part.partition("="))
        words = tuple(edge.strip() for edge in edges.split(","))
        if not name or not named or not all(words):
            raise EntryError("{part!r} is not written as age=18,30,50 or home=zones.", "bins", part=part)
        if name in asked:
            raise EntryError("{name!r} is given twice.", "bins", name=name)
        asked[name] = words
    return asked


def in_bins(
    codes: np.ndarray, direct: np.ndarray, design: Design, text: str
) -> tuple[np.ndarray, Design, Mapping[int, Binned]]:
    """Records with these items in bins: their codes, their design, and by column what tells of the bins."""
    cuts = {design.column(name): _cut(design, name, words) for name, words in read_bins(text).items()}
    binned = {column: _binned(design.items[column].id, cut, codes[:, column], direct) for column, cut in cuts.items()}
    blocks: list[Any] = list(design.blocks)  # what stands in for a block answers what mining asks of it
    for column, cut in cuts.items():
        blocks[design.place(column)[0]] = InBins((Item(design.items[column].id, cut.labels),))
    made = Design(tuple(blocks), design.direct)
    table = np.where(codes == design.not_asked, made.not_asked, codes)
    for column, one in binned.items():
        table[:, column] = np.where(direct, one.digits, one.shown[one.digits])
    return table.astype(made.code_type), made, binned


def _cut(design: Design, name: str, words: tuple[str, ...]) -> Cut:
    cut = design.blocks[design.place(design.column(name))[0]].cut
    if cut is None:
        raise EntryError("{name!r} has options already; bins are of numbers and places.", at="bins", name=name)
    return cut(words)


def check_bins(design: Design, text: str) -> None:
    """Refuse bins that the items of a design cannot have, before anything is mined."""
    in_bins(np.empty((0, len(design.items)), design.code_type), np.empty(0, bool), design, text)


def _binned(name: str, cut: Cut, codes: np.ndarray, direct: np.ndarray) -> Binned:
    classes, true = cut.classes(codes), cut.places(codes)
    bins = np.searchsorted(cut.firsts, true, side="right") - 1
    shares = np.full(len(cut.channel), 1 / len(cut.channel))
    if len(cut.channel) > len(cut.labels) and not direct.all():
        shares = smoothest(
            cut.channel, np.bincount(classes[~direct], minlength=cut.channel.shape[1]).astype(float)
        ).shares
    return Binned(np.where(direct, bins, classes), weights_of(name, cut.within(shares)), cut.shown)
