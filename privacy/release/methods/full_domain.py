"""Full-domain generalisation: all values of an attribute on one level, records of classes that stay unsafe suppressed.

Which node is taken: the one with the least loss among all that may leave. A node holds where no more records than are
allowed are in classes that miss the model, each class looked at alone. It may leave where the suppressed ones, which
are a class of the release, keep the model, too (`suppression` says how). Discernibility and entropy loss are those of
the generalised table before suppression, as ARX has them. Average class and penalty are those of the published table.
Before suppression each can only grow with the levels, so nodes are looked at from the minimal ones upwards.
Nothing but the limit depends on the limit, so a larger one loses no more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design import arguments
from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.release.attacks import audit
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, Classes, number_classes, shares
from privacy.release.measures import TableMeasures
from privacy.release.measures.bounds import Point, front, meets_bounds, value_of
from privacy.release.measures.everybody import Everybody
from privacy.release.measures.sample import SampleFigures
from privacy.release.methods.lattice import (
    LEAST,
    MODEL,
    WHOLE,
    GeneralisationLattice,
    Levels,
    Node,
    NodeClasses,
    find_all_nodes,
    raise_level,
    search,
)
from privacy.release.methods.suppression import ClassesOfNode, Suppression
from privacy.release.models import AnonymityModel, safe, unmet_conditions
from privacy.release.reasons import Progress, ReleaseError, nobody, part_of_work

FURTHER = to_translate(
    "{some} further rows are suppressed, so that all suppressed rows together keep the model; fewer would not do."
)
GREEDY = to_translate(
    "{some} further rows are suppressed, group by group, until all suppressed rows together keep the model; fewer "
    "might do."
)


@dataclass(frozen=True, eq=False)
class Generalisation:
    """The node that was taken, all that hold, and which records are published.

    `further` suppressed records are in classes that keep the model by themselves; `exact` says that fewer of them would
    not do.
    """

    node: Node
    lattice: GeneralisationLattice
    kept: Bools
    loss: float
    table: "CodedTable"  # that was given
    front: tuple[Point, ...] = ()  # where it was asked for: its nodes are tables that hold and that no other one beats
    further: int = 0
    exact: bool = True

    @property
    def suppressed(self) -> int:
        return int((~self.kept).sum())

    @property
    def costs_of_rule(self) -> list[Said]:
        """What it costs that suppressed rows keep the model: further rows, if there are any."""
        return [Said(FURTHER if self.exact else GREEDY, {"some": self.further})] if self.further else []


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The quasi-identifiers and the sensitive values of a table, in codes."""

    quasis: Sequence[Quasi]
    sensitive: Sequence[Ints] = ()

    @cached_property
    def levels(self) -> Levels:
        return Levels([quasi.levels for quasi in self.quasis], self.sensitive)

    @cached_property
    def _memory(self) -> dict[tuple[Node, int], tuple[int, int]]:
        return {}

    def sums(self, node: Node, k: int) -> tuple[int, int]:
        """How many records of a node are in classes of fewer than k, and Σ|E|² over the sizes |E| of its classes."""
        if (node, k) not in self._memory:
            sizes = self.levels.sizes(node)
            self._memory[node, k] = int(sizes[sizes < k].sum()), int((sizes**2).sum())
        return self._memory[node, k]

    def of_size(self, k: int, allowed: int, progress: Progress = nobody, asked: str = MODEL) -> GeneralisationLattice:
        """Which nodes have at most so many records in classes of fewer than k."""
        if (k, allowed) not in self._of_size:
            holds = lambda node: self.sums(node, k)[0] <= allowed  # noqa: E731
            self._of_size[k, allowed] = search(self.levels.heights, holds, progress, asked, within=self.inside)
        return self._of_size[k, allowed]

    @cached_property
    def inside(self) -> GeneralisationLattice:
        """The nodes on which every attribute is between its least and its greatest level."""
        nodes = np.zeros([height + 1 for height in self.levels.heights], bool)
        nodes[tuple(slice(quasi.least, quasi.top + 1) for quasi in self.quasis)] = True
        return GeneralisationLattice(nodes, ())

    @property
    def top(self) -> Node:
        """The node with the largest classes."""
        return tuple(quasi.top for quasi in self.quasis)

    @cached_property
    def _of_size(self) -> dict[tuple[int, int], GeneralisationLattice]:
        return {}

    @property
    def records(self) -> int:
        return len(self.quasis[0].codes)

    @cached_property
    def several(self) -> bool:
        """Whether merging can make a safe class unsafe: with several sensitive attributes or missing values."""
        return len(self.sensitive) > 1 or any(secret.min(initial=0) < 0 for secret in self.sensitive)

    @cached_property
    def overall(self) -> list[Floats]:
        return [shares(codes) for codes in self.sensitive]


@dataclass(frozen=True, eq=False)
class Search:
    """A table with its model, asked node by node.

    `together`: the suppressed records must keep the model as the one class that they are in the release.
    """

    table: CodedTable
    model: AnonymityModel
    allowed: int  # how many records may be suppressed
    together: bool = True
    everybody: Everybody | None = None  # of whom the rows are a sample

    def holds(self, own: NodeClasses, model: AnonymityModel, most: int) -> bool:
        """Whether at most so many records are in classes that miss a model, each class looked at alone."""
        return int(own.sizes[~self.good(own, model)].sum()) <= most

    def require_root(self) -> None:
        """Refuse a model that no node can fulfil.

        The top has the largest classes. At the root these are one, so that where nothing is spoiled by merging, classes
        that hold, the suppressed ones among them, make the root hold.
        """
        top = self.table.top
        small, own = self.table.sums(top, self.model.k)[0], self.table.levels.classes(top)
        whole = top == self.table.levels.heights and not self.table.several
        if small > self.allowed or (whole and not self.holds(own, self.model, 0)):
            raise self.refusal()

    def refusal(self) -> ReleaseError:
        """Say that no node fulfils the model."""
        return ReleaseError("root" if self.table.top == self.table.levels.heights else "top", at="model")

    def good(self, own: NodeClasses, model: AnonymityModel) -> Bools:
        """Which classes keep a model."""
        secrets = self.table.levels.secrets(own, self.table.sensitive)
        if len(secrets) == 1 and not self.table.several:  # entries are in the order of their values
            return model.holds(Classes(own.sizes, own.member, secrets[0], own.count, self.table.overall[0]))
        return safe(own.member, secrets, model, self.table.overall, own.count)

    def suppress(self, node: Node) -> Suppression | None:
        """Which classes of a node are suppressed; None if it cannot leave."""
        own = self.table.levels.classes(node)
        good = self.good(own, self.model)
        if not self.together or good.all():
            return Suppression(~good)
        starred = np.bincount(self.table.levels.members(node)[self.only_stars(node)], minlength=len(good)) > 0
        secrets = self.table.levels.secrets(own, self.table.sensitive)
        classes = ClassesOfNode(own.member, good, starred, secrets, self.model, self.table.overall, own.count)
        return classes.suppress(self.allowed)

    def only_stars(self, node: Node) -> Bools:
        """Which records have only labels ``*``, as suppressed ones have."""
        rows = np.ones(self.table.records, bool)
        for quasi, level in zip(self.table.quasis, node, strict=True):
            stars = np.array([label == SUPPRESSED for label in quasi.hierarchy.labels[level]])
            if not stars.any():
                return np.zeros_like(rows)
            rows &= stars[quasi.levels[level]]
        return rows

    def stays(self, node: Node, made: Suppression) -> Bools:
        """Which records a node publishes with their labels."""
        return made.stays(self.table.levels.members(node))

    def figures(self, node: Node, kept: Bools) -> TableMeasures:
        """The figures of the table that a node publishes; its suppressed records are a class."""
        member = number_classes([np.where(kept, self.table.levels.members(node), -1)])
        secrets = {str(place): codes for place, codes in enumerate(self.table.sensitive)}
        measures = audit(member, secrets, self.model.distances(len(secrets)))[0]
        if self.everybody is not None:
            measures = replace(measures, sample=SampleFigures(self.everybody.on_levels(self.table.quasis, node, kept)))
        return replace(measures, penalty=penalty_of(self.table.quasis, node, kept))

    def lattice(self, progress: Progress) -> GeneralisationLattice:
        """Find all nodes that hold: that fulfil the model with no more suppression than is allowed.

        Where suppression lets a merge spoil a class, every node must be looked at, but for two kinds: those that do
        not even fulfil what the model demands at least, or stand below one that does not, and those that need no
        suppression, or stand above one that needs none.
        """
        model, table, most = self.model, self.table, self.allowed
        if not model.about_sensitive:
            return table.of_size(model.k, most, progress)
        large = table.of_size(model.k, most, part_of_work(progress, 0, 0.2), LEAST)
        rest, least = part_of_work(progress, 0.2, 1), model.least(table.several)
        if model.always_grows(most > 0, table.several):
            holds = lambda node: self.holds(table.levels.classes(node), model, most)  # noqa: E731
            return search(large.heights, holds, rest, within=large)

        def needs_none(node: Node) -> bool:
            return not table.sums(node, model.k)[0] and self.holds(table.levels.classes(node), model, 0)

        def ask(node: Node) -> tuple[bool, bool]:
            own = table.levels.classes(node)
            holds = self.holds(own, model, most)
            return holds, holds or not least.about_sensitive or self.holds(own, least, most)

        return find_all_nodes(large, search(large.heights, needs_none, asked=WHOLE, within=table.inside), ask, rest)


def generalise(
    table: CodedTable,
    model: AnonymityModel,
    suppression: float,
    minimise: str,
    progress: Progress = nobody,
    *,
    bounds: Mapping[str, float] | None = None,
    leakage: str = "",
    everybody: Everybody | None = None,
) -> Generalisation:
    """Find all minimal generalisations that fulfil a model, and take the one with the least loss that may leave.

    `suppression` is the largest share of records that may be suppressed. Of equal losses the node with the lower levels
    is taken. `bounds` are on figures of the published table: then it is the least loss within them. `leakage` is the
    figure of which the front is wanted. Raises `InputError` where not even the highest node holds, or none is within
    the bounds.

    >>> from privacy.release.hierarchies import by_rows
    >>> sizes = by_rows([["s", "small", "*"], ["m", "small", "*"], ["xl", "large", "*"]], "sizes")
    >>> size = Quasi("size", sizes, np.array([0, 1, 2, 2]))
    >>> generalise(CodedTable([size]), AnonymityModel(k=2), 0.0, "discernibility").node
    (1,)
    """
    arguments.choice(minimise, "minimise", LOSSES)
    asked = Search(table, model, int(suppression * table.records + 1e-9), everybody=everybody)
    asked.require_root()
    lattice = asked.lattice(part_of_work(progress, 0, 0.2 if bounds or leakage else 0.6))
    if not lattice.holding.any():
        raise asked.refusal()
    points = list(_points(asked, lattice, minimise, leakage, part_of_work(progress, 0.2, 0.6))) if leakage else []
    rest = part_of_work(progress, 0.6, 1)
    if (best := _first(asked, lattice, minimise, bounds, rest)) is not None:
        node, loss, made = best
        stays = asked.stays(node, made)
        return Generalisation(node, lattice, stays, loss, table, front(points), made.further, made.exact)
    alone = _first(replace(asked, together=False), lattice, minimise, bounds, rest)
    if bounds or alone is None:
        raise ReleaseError("bounds", at="bounds")
    hidden = ~asked.stays(alone[0], alone[2])
    missed = unmet_conditions(hidden, table.sensitive, model)
    raise ReleaseError("suppressed", at="spec.suppression", rows=int(hidden.sum()), missed=", ".join(missed))


def _first(
    asked: Search, lattice: GeneralisationLattice, minimise: str, bounds: Mapping[str, float] | None, progress: Progress
) -> tuple[Node, float, Suppression] | None:
    """The node with the least loss of those that may leave and are within the bounds, and what is suppressed there."""
    nodes = int(lattice.holding.sum())
    for looked, (loss, node) in enumerate(by_loss(asked, lattice, LOSSES[minimise])):
        progress(looked / nodes)  # each of them takes a while
        made = asked.suppress(node)
        if made is not None and (not bounds or meets_bounds(asked.figures(node, asked.stays(node, made)), bounds)):
            return node, loss, made
    return None


def by_loss(asked: Search, lattice: GeneralisationLattice, loss: "Loss") -> Iterator[tuple[float, Node]]:
    """The nodes that hold, those with less loss first, and of equal losses those with lower levels.

    What a node loses at least can only grow with the levels, so losses are worked out from the minimal nodes upwards,
    and only as far as is asked for. They are ordered without the last digits, which differ between processors.
    """

    def entry(loss: float, node: Node, is_loss: bool) -> tuple[float, int, Node, bool, float]:
        return float(f"{loss:.12g}"), sum(node), node, is_loss, loss

    queue = [entry(loss.least(asked, node), node, False) for node in lattice.minimal]
    heapify(queue)
    seen = set(lattice.minimal)
    while queue:
        *_, node, is_loss, cost = heappop(queue)
        if is_loss:
            yield cost, node
            continue
        if lattice.holding[node]:
            heappush(queue, entry(loss.of(asked, node), node, True))
        for axis, (level, most) in enumerate(zip(node, lattice.heights, strict=True)):
            if level < most and (above := raise_level(node, axis)) not in seen:
                seen.add(above)
                heappush(queue, entry(loss.least(asked, above), above, False))


def _points(
    asked: Search, lattice: GeneralisationLattice, minimise: str, leakage: str, progress: Progress
) -> Iterator[Point]:
    """Every table that may leave, by its loss and what it tells."""
    nodes = list(lattice.nodes())
    for place, node in enumerate(nodes):
        progress(place / len(nodes))
        made = asked.suppress(node)
        if made is not None:
            loss = LOSSES[minimise].of(asked, node)
            yield Point(node, loss, value_of(asked.figures(node, asked.stays(node, made)), leakage))


def _discernibility(asked: Search, node: Node) -> float:
    """Σ|E|² over the sizes |E| of the classes of the generalised table (Bayardo and Agrawal 2005)."""
    return float(asked.table.sums(node, asked.model.k)[1])


def _entropy(asked: Search, node: Node) -> float:
    """Σ over cells of log₂ of how many records share the cell's label, divided by how many share its value."""
    return sum(quasi.entropies[level] for quasi, level in zip(asked.table.quasis, node, strict=True))


def _average_class(asked: Search, node: Node) -> float:
    """Records per class of the published table; the suppressed ones are one class."""
    made = asked.suppress(node)
    if made is None:
        return np.inf
    return asked.table.records / (int((~made.classes).sum()) + bool(made.classes.any()))


def _least_average_class(asked: Search, node: Node) -> float:
    return asked.table.records / len(asked.table.levels.sizes(node))


def _least_penalty(asked: Search, node: Node) -> float:
    """The penalty if nothing is suppressed."""
    cells = [quasi.mean_penalties[level] for quasi, level in zip(asked.table.quasis, node, strict=True)]
    return float(np.average(cells, weights=[quasi.weight for quasi in asked.table.quasis]))


def _penalty(asked: Search, node: Node) -> float:
    made = asked.suppress(node)
    return np.inf if made is None else penalty_of(asked.table.quasis, node, asked.stays(node, made))


def penalty_of(quasis: Sequence[Quasi], node: Node, kept: Bools, twice: bool = False) -> float:
    """The mean penalty of a cell of the published table, weighted; a suppressed cell costs 1.

    `twice`: each weight counts twice, and a record may cost less than its cells do on average.
    """
    weights = np.array([quasi.weight for quasi in quasis])
    weights = weights / weights.sum()
    levels = zip(quasis, node, strict=True)
    cells = [np.where(kept, quasi.penalties[level][quasi.levels[level]], 1.0).mean() for quasi, level in levels]
    return float((weights**2 if twice else weights) @ cells)


@dataclass(frozen=True)
class Loss:
    """How a loss is computed, what it is at least and can only grow with the levels, its name, and what it is."""

    of: Callable[[Search, Node], float]
    least: Callable[[Search, Node], float]
    label: str
    about: str


LOSSES = {
    "penalty": Loss(
        _penalty,
        _least_penalty,
        to_translate("certainty penalty"),
        to_translate("Keeps labels narrow; weights set which attributes matter most."),
    ),
    "discernibility": Loss(
        _discernibility,
        _discernibility,
        to_translate("discernibility"),
        to_translate("Keeps groups of similar rows small: sums their squared sizes."),
    ),
    "entropy": Loss(
        _entropy,
        _entropy,
        to_translate("entropy"),
        to_translate("Keeps cells exact: sums how uncertain each value becomes."),
    ),
    "average-class": Loss(
        _average_class,
        _least_average_class,
        to_translate("average group"),
        to_translate("Makes as many groups of similar rows as possible."),
    ),
}
"""The first is taken where a spec names none."""
