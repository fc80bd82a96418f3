"""Privacy models: for every class of a table whether it is safe to publish, and the value that the table reaches.

k-anonymity after Samarati and Sweeney (1998); distinct, entropy and recursive (c, l)-diversity and their form for
several sensitive attributes after Machanavajjhala and others (2007); t-closeness after Li, Li and Venkatasubramanian
(2007); (α, k)-anonymity after Wong, Li, Fu and Wang (2006).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from privacy.errors import InputError
from privacy.release.classes import Classes, numbered, tally
from privacy.release.hierarchies import Hierarchy

__all__ = ["DISTANCES", "DIVERSITIES", "Closeness", "Diversity", "Model", "closeness", "diverse", "safe"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
NEAR = 1e-9  # a bound that is met exactly is met, whatever the last digit of a logarithm


@dataclass(frozen=True)
class Diversity:
    """l-diversity of one kind; `c` belongs to the recursive one."""

    kind: str
    l: float  # noqa: E741 — its name in the literature
    c: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in DIVERSITIES:
            raise InputError(f"model.l.kind: {self.kind!r} is none of {', '.join(DIVERSITIES)}.")
        if not self.l >= 1:
            raise InputError(f"model.l.l: {self.l:g} is below 1, the diversity of any class.")
        if self.kind != "entropy" and self.l != int(self.l):
            raise InputError(f"model.l.l: {self.l:g} is not a whole number of values.")
        if (self.kind == "recursive") != (self.c is not None):
            raise InputError("model.l.c: recursive diversity has a c, and no other kind has one.")
        if self.c is not None and not self.c > 0:
            raise InputError(f"model.l.c: {self.c:g} is not above 0.")


@dataclass(frozen=True, eq=False)
class Closeness:
    """t-closeness by a distance between distributions; the hierarchical one needs the tree of the sensitive values."""

    distance: str
    t: float
    hierarchy: Hierarchy | None = None

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            raise InputError(f"model.t.distance: {self.distance!r} is none of {', '.join(DISTANCES)}.")
        if not 0 <= self.t <= 1:
            raise InputError(f"model.t.t: {self.t:g} is outside 0 to 1.")


@dataclass(frozen=True, eq=False)
class Model:
    """What every published class must fulfil."""

    k: int = 1
    diversity: Diversity | None = None
    closeness: Closeness | None = None
    alpha: float | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise InputError(f"model.k: {self.k} is below 1.")
        if self.alpha is not None and not 0 < self.alpha <= 1:
            raise InputError(f"model.alpha: {self.alpha:g} is not above 0 and up to 1.")

    @property
    def about_sensitive(self) -> bool:
        """Whether the model looks at sensitive values at all."""
        return self.diversity is not None or self.closeness is not None or self.alpha is not None

    @property
    def of_values(self) -> "Model":
        """The same without its demand on sizes."""
        return replace(self, k=1)

    def always_grows(self, suppression: bool) -> bool:
        """Whether a table that fulfils the model still does after any further generalisation.

        Merging two classes that fulfil a model gives one that does, for all models here (for entropy by concavity, for
        the distances by convexity). With suppression a class that fails may be merged with one that holds and spoil
        it; only sizes and distinct values cannot be spoiled.
        """
        spoilt = self.closeness is not None or self.alpha is not None
        spoilt = spoilt or (self.diversity is not None and self.diversity.kind != "distinct")
        return not (suppression and spoilt)

    def holds(self, classes: Classes) -> Bools:
        """Say of each class whether it fulfils the model.

        Parameters
        ----------
        classes : Classes
            The table, divided into classes.

        Returns
        -------
        array of bool
        """
        kept: Bools = classes.sizes >= self.k
        if self.diversity is not None:
            kept = kept & diverse(classes, self.diversity)
        if self.closeness is not None:
            kept = kept & (closeness(classes, self.closeness) <= self.closeness.t + NEAR)
        if self.alpha is not None:
            most = classes.count[classes.rank == 0]
            kept = kept & (most <= self.alpha * classes.sizes + NEAR)
        return kept


def safe(member: Ints, sensitive: Sequence[Ints], model: Model) -> Bools:
    """Say of every class whether it fulfils the model for every sensitive attribute.

    With several of them each is looked at within classes that are alike in the others, too: multi-attribute
    l-diversity (Machanavajjhala and others 2007, section 4.4).
    """
    sizes = np.bincount(member)
    good: Bools = sizes >= model.k
    if not model.about_sensitive:
        return good
    for place, secret in enumerate(sensitive):
        others = (*sensitive[:place], *sensitive[place + 1 :])
        finer = numbered([member, *others]) if others else member
        owner = np.empty(int(finer.max()) + 1, np.int64)
        owner[finer] = member
        failing = owner[~model.of_values.holds(tally(finer, secret))]
        good[failing] = False
    return good


def diverse(classes: Classes, diversity: Diversity) -> Bools:
    """Say of each class whether it is l-diverse."""
    return DIVERSITIES[diversity.kind](classes, diversity)


def _distinct(classes: Classes, diversity: Diversity) -> Bools:
    return np.asarray(classes.distinct >= diversity.l)


def _entropy(classes: Classes, diversity: Diversity) -> Bools:
    share = classes.count / classes.sizes[classes.owner]
    return np.asarray(classes.sums(-share * np.log(share)) >= np.log(diversity.l) - NEAR)


def _recursive(classes: Classes, diversity: Diversity) -> Bools:
    """r₁ < c·(r_l + … + r_m), with the counts of a class r₁ ≥ r₂ ≥ … ≥ r_m."""
    tail = classes.sums(np.where(classes.rank >= diversity.l - 1, classes.count, 0))
    assert diversity.c is not None
    return np.asarray(classes.count[classes.rank == 0] < diversity.c * tail)


DIVERSITIES: dict[str, Callable[[Classes, Diversity], Bools]] = {
    "distinct": _distinct,
    "entropy": _entropy,
    "recursive": _recursive,
}


def closeness(classes: Classes, asked: Closeness) -> Floats:
    """Compute how far the sensitive values of each class are from those of the whole table: the earth mover's distance.

    Parameters
    ----------
    classes : Classes
        The table, divided into classes.
    asked : Closeness
        Which distance there is between two values.

    Returns
    -------
    array of float
        One distance from 0 to 1 for each class.
    """
    shares = np.zeros((len(classes.sizes), len(classes.overall)))
    shares[classes.owner, classes.value] = classes.count / classes.sizes[classes.owner]
    return DISTANCES[asked.distance](shares - classes.overall, asked)


def _equal(surplus: Floats, asked: Closeness) -> Floats:
    """Any two values are 1 apart: half of Σ|p − q|."""
    del asked
    return np.asarray(np.abs(surplus).sum(axis=1) / 2)


def _ordered(surplus: Floats, asked: Closeness) -> Floats:
    """Neighbours of m values in order are 1/(m−1) apart: Σ|running sum of p − q| / (m−1)."""
    del asked
    steps = surplus.shape[1] - 1
    return np.abs(np.cumsum(surplus, axis=1)[:, :-1]).sum(axis=1) / max(steps, 1)


def _hierarchical(surplus: Floats, asked: Closeness) -> Floats:
    """Two values are as far apart as the height of their closest ancestor, of the whole height.

    Below each node the surplus of some children fills the lack of others: what is moved through it is the smaller of
    both sums, over height/H.
    """
    tree = asked.hierarchy
    assert tree is not None
    cost = np.zeros(len(surplus))
    below = np.zeros((len(surplus), len(tree.labels[0])))
    below[:, : surplus.shape[1]] = surplus  # values that do not occur may stand in the tree
    for level in range(1, tree.height + 1):
        parent = np.empty(len(tree.labels[level - 1]), np.int64)
        parent[tree.places[level - 1]] = tree.places[level]
        shape = (len(surplus), len(tree.labels[level]))
        more, lack, here = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        np.add.at(more.T, parent, np.maximum(below, 0).T)
        np.add.at(lack.T, parent, np.maximum(-below, 0).T)
        np.add.at(here.T, parent, below.T)
        cost += np.minimum(more, lack).sum(axis=1) * level / tree.height
        below = here
    return cost


DISTANCES: dict[str, Callable[[Floats, Closeness], Floats]] = {
    "equal": _equal,
    "ordered": _ordered,
    "hierarchical": _hierarchical,
}
