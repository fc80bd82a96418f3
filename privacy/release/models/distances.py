"""The distances of t-closeness: how far the sensitive values of each class are from those of the whole table.

Earth mover's distances after Li, Li and Venkatasubramanian (2007).
"""

from collections.abc import Callable

import numpy as np

from privacy.arrays import Floats
from privacy.errors import to_translate
from privacy.release.classes import Classes
from privacy.release.hierarchies import Hierarchy
from privacy.release.models.row import ConditionKind

CELLS = 1 << 22  # of the table of classes and sensitive values that is in memory at a time


def _equal(classes: Classes, _tree: Hierarchy | None) -> Floats:
    """Any two values are 1 apart: half of Σ|p − q|.

    Both p and q sum to 1, so it is Σ max(p − q, 0): over the values that the class has, and 0 where both are the same.
    """
    share = classes.count / classes.sizes[classes.owner]
    return classes.sums(np.maximum(share - classes.overall[classes.value], 0))


def _along_order(classes: Classes, _tree: Hierarchy | None) -> Floats:
    """Neighbours of m values in order are 1/(m−1) apart: Σ|running sum of p − q| / (m−1)."""
    occurring = classes.overall > 0  # a value that nobody has is no step between two others

    def distance(surplus: Floats) -> Floats:
        steps = np.abs(np.cumsum(surplus[:, occurring], axis=1)[:, :-1])
        return np.asarray(steps.sum(axis=1) / max(steps.shape[1], 1))

    return _in_blocks(classes, distance)


def _in_blocks(classes: Classes, distance: Callable[[Floats], Floats]) -> Floats:
    """Compute a distance from p − q, some classes at a time: a table of all classes and values may fill the memory."""
    values = len(classes.overall)
    rows = max(CELLS // values, 1)
    distances = np.empty(len(classes.sizes))
    for first in range(0, len(distances), rows):
        low, high = np.searchsorted(classes.owner, [first, first + rows])
        owner = classes.owner[low:high]
        surplus = np.tile(-classes.overall, (min(rows, len(distances) - first), 1))
        surplus[owner - first, classes.value[low:high]] += classes.count[low:high] / classes.sizes[owner]
        distances[first : first + rows] = distance(surplus)
    return distances


def _hierarchical(classes: Classes, tree: Hierarchy | None) -> Floats:
    """Two values are as far apart as the height of their closest ancestor, of the whole height.

    Below each node the surplus of some children fills the lack of others: what is moved through it is the smaller of
    both sums, over height/H.
    """
    assert tree is not None
    return _in_blocks(classes, lambda surplus: _along(tree, surplus))


def _along(tree: Hierarchy, surplus: Floats) -> Floats:
    """The cost of moving each row's surplus along the tree until nothing is left over."""
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


DISTANCES = {
    "equal": ConditionKind(
        _equal, to_translate("all equally far (equal)"), to_translate("Any two answers are equally far apart.")
    ),
    "ordered": ConditionKind(
        _along_order,
        to_translate("in their order (ordered)"),
        to_translate("Answers have an order, and neighbours are close."),
    ),
    "hierarchical": ConditionKind(
        _hierarchical,
        to_translate("along a hierarchy (hierarchical)"),
        to_translate("Answers under the same label of their hierarchy are closer than others."),
    ),
}
