"""Full-domain generalisation: all values of an attribute on one level, records of classes that stay unsafe suppressed.

Which node is taken: the one with the least loss among all that hold. Discernibility and entropy loss are those of the
generalised table before suppression, so that they can only grow with the levels and the best node is a minimal one;
average class and penalty are those of the published table, and all nodes that hold are compared.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.design import arguments
from privacy.errors import to_translate
from privacy.release.attributes import Quasi
from privacy.release.audit import audit
from privacy.release.bounds import Point, front, meets_bounds, value_of
from privacy.release.classes import number_classes
from privacy.release.lattice import LEAST, WHOLE, GeneralisationLattice, Levels, Node, find_all_nodes, search
from privacy.release.measures import TableMeasures
from privacy.release.models import AnonymityModel, safe
from privacy.release.progress import Progress, nobody, part_of_work
from privacy.release.reasons import ReleaseError


@dataclass(frozen=True, eq=False)
class Generalisation:
    """The node that was taken, all that hold, and which records are published."""

    node: Node
    lattice: GeneralisationLattice
    kept: Bools
    loss: float
    front: tuple[Point, ...] = ()  # where it was asked for: its nodes are tables that hold and that no other one beats

    @property
    def suppressed(self) -> int:
        return int((~self.kept).sum())


@dataclass(frozen=True, eq=False)
class Search:
    """A table with its model, asked node by node."""

    quasis: Sequence[Quasi]
    sensitive: Sequence[Ints]
    model: AnonymityModel
    allowed: int  # how many records may be suppressed

    @cached_property
    def levels(self) -> Levels:
        return Levels([quasi.levels for quasi in self.quasis])

    @property
    def records(self) -> int:
        return len(self.quasis[0].codes)

    @property
    def several(self) -> bool:
        """Whether merging can make a safe class unsafe: with several sensitive attributes or missing values."""
        return len(self.sensitive) > 1 or any(secret.min(initial=0) < 0 for secret in self.sensitive)

    def count_suppressed(self, node: Node, model: AnonymityModel) -> int:
        """How many records are in classes that do not hold: the minimal required suppression of the node."""
        if not model.about_sensitive:
            sizes = self.levels.sizes(node)
            return int(sizes[sizes < model.k].sum())
        return self.records - int(self.records_in_safe_classes(node, model).sum())

    def records_in_safe_classes(self, node: Node, model: AnonymityModel) -> Bools:
        """Whether each record is in a class that fulfils the model, and so is not suppressed."""
        member = self.levels.members(node)
        return safe(member, self.sensitive, model)[member]

    def figures(self, node: Node) -> TableMeasures:
        """The figures of the table that a node publishes; its suppressed records are a class."""
        kept = self.records_in_safe_classes(node, self.model)
        member = number_classes([np.where(kept, self.levels.members(node), -1)])
        secrets = {str(place): codes for place, codes in enumerate(self.sensitive)}
        return replace(audit(member, secrets, self.model.distance)[0], penalty=penalty_of(self.quasis, node, kept))

    def lattice(self, progress: Progress) -> GeneralisationLattice:
        """Find all nodes that hold: that fulfil the model with no more suppression than is allowed.

        Where suppression lets a merge spoil a class, every node must be looked at, but for two kinds: those that do
        not even fulfil what the model demands at least, and those that need no suppression, or stand above one that
        needs none. Both are found as quickly as where nothing is spoiled.
        """
        heights, model = self.levels.heights, self.model
        if model.always_grows(self.allowed > 0, self.several):
            return search(heights, lambda node: self.count_suppressed(node, model) <= self.allowed, progress)
        least = model.least(self.several)
        possible = search(
            heights,
            lambda node: self.count_suppressed(node, least) <= self.allowed,
            part_of_work(progress, 0, 0.2),
            LEAST,
        )
        sure = search(
            heights, lambda node: self.count_suppressed(node, model) == 0, part_of_work(progress, 0.2, 0.4), WHOLE
        )
        rest = part_of_work(progress, 0.4, 1)
        return find_all_nodes(possible, sure, lambda node: self.count_suppressed(node, model) <= self.allowed, rest)


def generalise(
    quasis: Sequence[Quasi],
    sensitive: Sequence[Ints],
    model: AnonymityModel,
    suppression: float,
    minimise: str,
    progress: Progress = nobody,
    *,
    bounds: Mapping[str, float] | None = None,
    leakage: str = "",
) -> Generalisation:
    """Find all minimal generalisations that fulfil a model, and take the one with the least loss.

    `suppression` is the largest share of records that may be suppressed. Of equal losses the node with the lower levels
    is taken. `bounds` are on figures of the published table: then all nodes that hold are compared, and the one with
    the least loss is taken of those within them. `leakage` is the figure of which the front is wanted. Raises
    `InputError` where not even the highest node holds, or none is within the bounds.

    >>> from privacy.release.hierarchies import by_rows
    >>> sizes = by_rows([["s", "small", "*"], ["m", "small", "*"], ["xl", "large", "*"]], "sizes")
    >>> size = Quasi("size", sizes, np.array([0, 1, 2, 2]))
    >>> generalise([size], [], AnonymityModel(k=2), 0.0, "discernibility").node
    (1,)
    """
    arguments.choice(minimise, "minimise", LOSSES)
    records = len(quasis[0].codes)
    asked = Search(quasis, sensitive, model, int(suppression * records + 1e-9))
    some = not bounds and not leakage
    lattice = asked.lattice(progress if some else part_of_work(progress, 0, 0.2))
    loss = LOSSES[minimise]
    losses = {
        node: loss.of(asked, node) for node in (lattice.minimal if some and loss.grows else list(lattice.nodes()))
    }
    if not losses:
        raise ReleaseError("root", at="model")
    measured: dict[Node, TableMeasures] = {}

    def figures(node: Node) -> TableMeasures:
        if node not in measured:
            progress(0.2 + 0.8 * len(measured) / len(losses))  # each of them takes a while
            measured[node] = asked.figures(node)
        return measured[node]

    points = [Point(node, losses[node], value_of(figures(node), leakage)) for node in losses] if leakage else []
    for node in sorted(losses, key=lambda one: (losses[one], sum(one), one)):
        if not bounds or meets_bounds(figures(node), bounds):
            return Generalisation(
                node, lattice, asked.records_in_safe_classes(node, model), losses[node], front(points)
            )
    raise ReleaseError("bounds", at="bounds")


def _discernibility(asked: Search, node: Node) -> float:
    """Σ|E|² over the sizes |E| of the classes of the generalised table (Bayardo and Agrawal 2005)."""
    return float((asked.levels.sizes(node) ** 2).sum())


def _entropy(asked: Search, node: Node) -> float:
    """Σ over cells of log₂ of how many records share the cell's label, divided by how many share its value."""
    total = 0.0
    for quasi, level in zip(asked.quasis, node, strict=True):
        values, labels = (np.bincount(codes) for codes in (quasi.levels[0], quasi.levels[level]))
        own = values[quasi.levels[0]]
        total += float(np.log2(labels[quasi.levels[level]] / own).sum())
    return total


def _average_class(asked: Search, node: Node) -> float:
    """Records per class of the published table; the suppressed ones are one class."""
    member = asked.levels.members(node)
    good = safe(member, asked.sensitive, asked.model)
    return asked.records / (int(good.sum()) + (not good.all()))


def _penalty(asked: Search, node: Node) -> float:
    return penalty_of(asked.quasis, node, asked.records_in_safe_classes(node, asked.model))


def penalty_of(quasis: Sequence[Quasi], node: Node, kept: Bools, twice: bool = False) -> float:
    """The mean penalty of a cell of the published table, weighted; a suppressed cell costs 1.

    `twice`: each weight counts twice, and a record may cost less than its cells do on average.
    """
    weights = np.array([quasi.weight for quasi in quasis])
    weights = weights / weights.sum()
    cells = [
        np.where(kept, quasi.penalties[level][quasi.levels[level]], 1.0).mean()
        for quasi, level in zip(quasis, node, strict=True)
    ]
    return float((weights**2 if twice else weights) @ cells)


@dataclass(frozen=True)
class Loss:
    """How a loss is computed, whether it can only grow with the levels, its name, and what it is in one sentence."""

    of: Callable[[Search, Node], float]
    grows: bool
    label: str
    about: str


LOSSES = {
    "discernibility": Loss(
        _discernibility,
        True,
        to_translate("discernibility"),
        to_translate("Keeps groups of similar rows small: sums their squared sizes."),
    ),
    "entropy": Loss(
        _entropy,
        True,
        to_translate("entropy"),
        to_translate("Keeps cells exact: sums how uncertain each value becomes."),
    ),
    "average-class": Loss(
        _average_class,
        False,
        to_translate("average group"),
        to_translate("Makes as many groups of similar rows as possible."),
    ),
    "penalty": Loss(
        _penalty,
        False,
        to_translate("certainty penalty"),
        to_translate("Keeps labels narrow; weights set which attributes matter most."),
    ),
}
