"""Published algorithms of releases written plainly, row by row, beside which the benchmark puts ours."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.attributes import Quasi


def plain_search(quasis: Sequence[Quasi], k: int, most: int) -> tuple[float, tuple[int, ...]]:
    """The node with the least discernibility where at most so many rows are in classes of fewer than k.

    Nodes breadth first from the bottom, each by grouping all rows; those above a node that holds are known to hold, as
    in Incognito (LeFevre, DeWitt and Ramakrishnan 2005). Discernibility grows with the levels: minimal nodes suffice.
    """
    minimal: list[tuple[float, int, tuple[int, ...]]] = []
    for node in sorted(product(*(range(len(quasi.levels)) for quasi in quasis)), key=sum):
        if any(all(map(int.__ge__, node, own)) for *_, own in minimal):
            continue
        keys = np.zeros(len(quasis[0].codes), np.int64)
        for quasi, level in zip(quasis, node, strict=True):
            keys = keys * len(quasi.hierarchy.labels[level]) + quasi.levels[level]
        sizes = np.unique(keys, return_counts=True)[1]
        if sizes[sizes < k].sum() <= most:
            minimal.append((float((sizes**2).sum()), sum(node), node))
    loss, _, node = min(minimal)
    return loss, node


def plain_mdav(points: Floats, k: int) -> Ints:
    """MDAV (Domingo-Ferrer and Torra 2005): every distance worked out, and all points sorted by it, for each group."""
    left, member, group = np.lexsort(points.T[::-1]), np.empty(len(points), np.int64), 0

    def apart(origin: Floats) -> Floats:
        return np.asarray(((points[left] - origin) ** 2).sum(axis=1))

    while len(left) >= 2 * k:
        first = points[left[apart(points[left].sum(axis=0) / len(left)).argmax()]]
        second = points[left[apart(first).argmax()]]
        for origin in (first, second):
            if len(left) >= 2 * k:
                nearest = np.sort(np.argsort(apart(origin), kind="stable")[:k])
                member[left[nearest]], group = group, group + 1
                left = np.delete(left, nearest)
    member[left] = group
    return member
