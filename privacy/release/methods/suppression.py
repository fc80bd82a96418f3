"""Which classes of a node are suppressed: those that miss the model, and further ones until all of them keep it.

Suppressed records are one class of the release, together with those whose labels are all ``*`` anyway, because people
who fit no other class are among them. Where this class misses the model, whole classes that keep it are suppressed,
too: of few classes those with the fewest records, by trying every choice; of many by a greedy one. Both stop at the
limit and look at it nowhere else, so that a larger limit finds whatever a smaller one does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.release.classes import Classes, count_in_classes
from privacy.release.models import AnonymityModel, safe

FEW = 10  # classes that keep the model, of which every choice is tried


@dataclass(frozen=True, eq=False)
class Suppression:
    """Which classes are suppressed.

    `further` of their records are in classes that keep the model by themselves. `exact`: no choice of fewer further
    records keeps the model; else one might.
    """

    classes: Bools
    further: int = 0
    exact: bool = True

    def stays(self, member: Ints) -> Bools:
        """Which records, of which these are the classes, are published with their labels."""
        return np.asarray(~self.classes[member])


@dataclass(frozen=True, eq=False)
class ClassesOfNode:
    """The classes of a node: the class of each record, which of them keep the model, and which have only ``*``.

    `overall`: how common each sensitive value is in the whole table. `count`: for how many records each of these
    stands; without it, for itself.
    """

    member: Ints
    good: Bools
    starred: Bools
    sensitive: Sequence[Ints]
    model: AnonymityModel
    overall: Sequence[Floats]
    count: Ints | None = None

    def suppress(self, most: int) -> Suppression | None:
        """Choose what to suppress so that the suppressed records keep the model; None if `most` do not suffice.

        >>> member, nobody = np.array([0, 1, 1, 2, 2, 2]), np.zeros(3, bool)
        >>> node = ClassesOfNode(member, np.array([False, True, True]), nobody, [], AnonymityModel(k=2), [])
        >>> node.suppress(2) is None, node.suppress(4).classes.tolist(), node.suppress(4).further
        (True, [True, True, False], 2)
        """
        sizes = count_in_classes(self.member, self.count)
        unsafe = ~self.good
        left = most - int(sizes[unsafe].sum())
        if left < 0:
            return None
        if not unsafe.any() or self._keep_together(unsafe):
            return Suppression(unsafe)
        others = np.flatnonzero(self.good & ~self.starred)
        if not len(others) or sizes[others].min() > left:
            return None
        ways = [self._every_choice(others, sizes)] if len(others) <= FEW else self._greedy_choices(others, sizes, left)
        fewest, best = left + 1, None
        for way in ways:
            for some in way:
                further = int(sizes[some].sum())
                if further >= fewest:
                    break
                classes = unsafe.copy()
                classes[some] = True
                if self._keep_together(classes):
                    fewest, best = further, Suppression(classes, further, len(others) <= FEW)
                    break
        return best

    def _keep_together(self, classes: Bools) -> bool:
        """Whether these classes, and those that have only ``*``, keep the model as one."""
        if len(self.sensitive) == 1 and self.sensitive[0].min() >= 0:
            ((counts, overall),) = self._tables
            there = counts[classes | self.starred].sum(axis=0)
            value = np.flatnonzero(there)
            whole = Classes(there.sum(keepdims=True), np.zeros_like(value), value, there[value], overall)
            return bool(self.model.holds(whole)[0])
        rows = np.flatnonzero((classes | self.starred)[self.member])
        one, count = np.zeros(len(rows), np.int64), None if self.count is None else self.count[rows]
        return bool(safe(one, [codes[rows] for codes in self.sensitive], self.model, self.overall, count)[0])

    def _every_choice(self, others: Ints, sizes: Ints) -> Iterator[Ints]:
        """Every choice of these classes, those with fewer records first."""
        choices = _choices(len(others))
        for place in np.argsort(choices @ sizes[others], kind="stable").tolist():
            yield others[choices[place]]

    def _greedy_choices(self, others: Ints, sizes: Ints, left: int) -> Iterator[Iterator[Ints]]:
        """Greedy choices of classes up to a size, for sizes that double: a large class may exceed the limit at once."""
        cap = int(sizes[others].min())
        while True:
            yield self._greedy_choice(others[sizes[others] <= cap], sizes)
            if cap >= left:  # what larger classes add exceeds the limit
                return
            cap *= 2

    def _greedy_choice(self, others: Ints, sizes: Ints) -> Iterator[Ints]:
        """Add one class after the other: the one by which suppressed values, per record, get nearest to the table's."""
        together, size = ~self.good | self.starred, sizes[others]
        tables = [(counts[together].sum(axis=0), counts[others], own) for counts, own in self._tables]
        far = [_distance(there, own) for there, _, own in tables]
        taken: list[int] = []
        for _ in others:
            nearer = [_distance(there + counts, own) for there, counts, own in tables]
            gain = np.zeros(len(others))
            for before, after in zip(far, nearer, strict=True):
                gain += before - after
            gain[taken] = -np.inf
            taken.append(int(np.lexsort((size, -gain / size))[0]))
            far = [after[taken[-1]] for after in nearer]
            for there, counts, _ in tables:
                there += counts[taken[-1]]
            yield others[taken]

    @cached_property
    def _tables(self) -> list[tuple[Ints, Floats]]:
        """For each sensitive attribute how often each class has each value, and how common each is in the table."""
        tables = []
        for codes, overall in zip(self.sensitive, self.overall, strict=True):
            known, shape = codes >= 0, (len(self.good), len(overall))
            keys = self.member[known] * len(overall) + codes[known]
            count = None if self.count is None else self.count[known]
            tables.append((count_in_classes(keys, count, shape[0] * shape[1]).reshape(shape), overall))
        return tables


@cache
def _choices(count: int) -> Bools:
    """Every choice of one or more of so many things, a row each."""
    numbers = np.arange(1, 1 << count)
    return np.asarray(numbers[:, np.newaxis] >> np.arange(count) & 1, bool)


def _distance(counts: Ints, overall: Floats) -> Floats:
    """Half of Σ|p − q| between the shares of values and those of the whole table; as far as can be where none is."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray(np.where(total[..., 0] > 0, abs(counts / np.maximum(total, 1) - overall).sum(axis=-1) / 2, 1.0))
