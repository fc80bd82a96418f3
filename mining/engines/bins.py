"""Numbers and places as bins, so that they can stand in itemsets beside other answers.

Asked for as `age=18,30,50;home=zones`: a number by the edges between its bins, a place by its zones. The item then has
the bins as options; what its records tell of them are weights for classes of records (`privacy.design.grid.in_bins`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from privacy.design import Design
from privacy.design.block import Block, BlockKind, Words
from privacy.design.channels import Floats
from privacy.design.grid.in_bins import Binned, Cut, Ints, invert
from privacy.design.items import Item
from privacy.errors import EntryError
from privacy.reconstruct.smoothing import smoothest

DRAWS = 200


@dataclass(frozen=True)
class Bins:
    """A design whose items named in `text` are in bins; in `design` these items have the bins as options."""

    before: Design
    text: str

    def __reduce__(self) -> tuple[type["Bins"], tuple[Design, str]]:
        """Cuts cannot be pickled; the receiver rebuilds them."""
        return Bins, (self.before, self.text)

    @cached_property
    def cuts(self) -> dict[int, Cut]:
        before = self.before
        return {before.column(name): _cut(before, name, edges) for name, edges in read_bins(self.text).items()}

    @cached_property
    def classes(self) -> dict[int, int]:
        """How many classes records have, by column, or bins, whichever are more."""
        return {column: max(cut.channel.shape[1], len(cut.labels)) for column, cut in self.cuts.items()}

    @cached_property
    def design(self) -> Design:
        blocks: list[Any] = list(self.before.blocks)  # what stands in for a block answers what mining asks of it
        for column, cut in self.cuts.items():
            blocks[self.before.place(column)[0]] = InBins((Item(self.before.items[column].id, cut.labels),))
        return Design(tuple(blocks), self.before.direct) if self.cuts else self.before

    def apply(self, codes: np.ndarray, direct: np.ndarray) -> tuple[np.ndarray, dict[int, Ints]]:
        """The codes of records in `design`, and by column the class of each record, or a direct record’s bin."""
        if not self.cuts:
            return codes, {}
        table = np.where(codes == self.before.not_asked, self.design.not_asked, codes)
        classes = {}
        for column, cut in self.cuts.items():
            own = codes[:, column]
            bins = np.searchsorted(cut.firsts, cut.places(own), side="right") - 1
            classes[column] = np.where(direct, bins, cut.classes(own))
            table[:, column] = np.where(direct, bins, cut.shown[cut.classes(own)])
        return table.astype(self.design.code_type), classes

    def invert(self, column: int, disguised: Floats) -> Binned:
        """What disguised records tell of an item in bins, from how many are in each class."""
        cut = self.cuts[column]
        cells, seen = len(cut.channel), disguised[: cut.channel.shape[1]]
        shares = draws = np.full((1, cells), 1 / cells)
        if cells > len(cut.labels) and seen.any():
            fitted = smoothest(cut.channel, seen, cut.rows, cut.free)
            shares, draws = fitted.shares[np.newaxis], fitted.draws(DRAWS, np.random.default_rng(0))
        inverse = invert(self.before.items[column].id, cut, shares[0], max(float(seen.sum()), 1.0))
        drift = ((draws @ inverse.surplus.T) ** 2).mean(axis=0)
        return Binned(inverse.weights, cut.shown, inverse.doubt, drift)


def read_bins(text: str) -> dict[str, tuple[str, ...]]:
    """The edges of each item, as texts.

    >>> read_bins("age=18,30,50;home=zones")
    {'age': ('18', '30', '50'), 'home': ('zones',)}
    """
    asked: dict[str, tuple[str, ...]] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, named, listed = (one.strip() for one in part.partition("="))
        edges = tuple(edge.strip() for edge in listed.split(","))
        if not name or not named or not all(edges):
            raise EntryError("{part!r} is not written like age=18,30,50 or home=zones.", "bins", part=part)
        if name in asked:
            raise EntryError("{name!r} is given twice.", "bins", name=name)
        asked[name] = edges
    return asked


def _cut(design: Design, name: str, edges: tuple[str, ...]) -> Cut:
    cut = design.blocks[design.place(design.column(name))[0]].cut
    if cut is None:
        raise EntryError("{name!r} has options; only numbers and places can have bins.", at="bins", name=name)
    return cut(edges)


def check_bins(bins: Bins) -> None:
    """Refuse bins that the items of a design cannot have, before anything is mined.

    >>> from privacy.errors import InputError
    >>> item = {"id": "age", "min": 0, "max": 100}
    >>> design = Design.parse({"blocks": [{"number": "square-wave", "epsilon": 2, "items": [item]}]})
    >>> try:
    ...     check_bins(Bins(design, "height=150,180"))
    ... except InputError as error:
    ...     print(error)
    There is no item 'height' in this design; its items are age.
    """
    for column in bins.cuts:
        bins.invert(column, np.zeros(0))


def _refuse_use(*_given: Any, **_named: Any) -> NoReturn:
    raise TypeError("Items in bins exist only while records are mined: they are not written, and promise nothing.")


@dataclass(frozen=True)
class InBins(Block):
    """A block whose items are bins. It exists only while records are mined, and is never written."""

    read = classmethod(_refuse_use)
    entry = _refuse_use
    chance = _refuse_use
    gamma = property(_refuse_use)


BlockKind(InBins, Words(""))
