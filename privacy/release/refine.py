"""Classes of local recoding made better: records change their class, two of them change places, large classes split.

What `grow_classes` makes is greedy, and its last classes take what is left. Each step here is best for some record,
and is taken only where the penalty falls, so that the search ends. A step looks at all records, which is for small
tables. In very small ones a few records are then exchanged by lot and the search goes on from there: an iterated local
search (Lourenço, Martin and Stützle 2003), whose lots are drawn from a fixed seed.
"""

from dataclasses import dataclass

import numpy as np

from privacy.arrays import Ints
from privacy.release.covers import Covers, Space
from privacy.release.local import grow_classes

MOST = 1_000  # records of a table that is refined; the time grows with their square
KICKED, KICKS, EXCHANGED = 100, 20, 6  # records at most in a table that is searched by lot; how often; how many of them
SWEEPS = 20
NEAR = 1e-9


def refine(space: Space, k: int, records: Ints, member: Ints) -> Ints:
    """Improve classes until no change of one or two records lowers the penalty; large tables stay as they are."""
    if not 1 < k <= len(records) <= MOST:
        return member
    best, least = _settle(space, k, records, member)
    random = np.random.default_rng(0)
    for _ in range(KICKS if len(records) <= KICKED else 0):
        tried = best.copy()
        chosen = random.choice(len(records), min(EXCHANGED, len(records)), replace=False)
        tried[chosen] = tried[random.permutation(chosen)]
        tried, cost = _settle(space, k, records, tried)
        if cost <= least:
            best, least = tried, cost
    return best


def _settle(space: Space, k: int, records: Ints, member: Ints) -> tuple[Ints, float]:
    """Change one or two records at a time until that lowers the penalty no more; return the classes and the penalty."""
    search = _Search.from_classes(space, k, records, member)
    for _ in range(SWEEPS):
        improved = [search.improve(place) for place in range(len(records))]
        if not (search.split() or any(improved)):
            break
    classes = np.unique(search.member)
    cost = float(search.covers.penalty[classes] @ search.covers.size[classes])
    return np.unique(search.member, return_inverse=True)[1].astype(np.int64), cost


@dataclass(eq=False)
class _Search:
    """Records with their classes. `covers` holds for n records: n classes, n classes without one record, n records."""

    space: Space
    k: int
    records: Ints
    member: Ints
    covers: Covers

    @classmethod
    def from_classes(cls, space: Space, k: int, records: Ints, member: Ints) -> "_Search":
        count = len(records)
        singles = space.singles(records)
        search = cls(space, k, records, member.copy(), singles.select(np.tile(np.arange(count), 3)))
        for place in range(int(member.max()) + 1):
            search.renew(place)
        return search

    def renew(self, place: int) -> None:
        """Compute again what covers a class, and what covers it without each of its records."""
        count = len(self.records)
        own = np.flatnonzero(self.member == place)
        if not len(own):
            return
        places = [np.array([place])]
        runs = [own]
        if len(own) > 1:
            runs += [np.delete(own, at) for at in range(len(own))]
            places.append(count + own)
        starts = np.cumsum([0, *map(len, runs[:-1])])
        covers = self.space.covers_of(self.records[np.concatenate(runs)], starts)
        self.covers.put(np.concatenate(places), covers)

    def improve(self, record: int) -> bool:
        """Make the change of one record that lowers the penalty most; say whether there was one."""
        count, covers, member = len(self.records), self.covers, self.member
        here = int(member[record])
        cost = covers.penalty * covers.size
        with_it = self.space.costs_of_joining(covers, 2 * count + record)
        rest = covers.penalty[count + record]
        size = int(covers.size[here])
        best, gain = -1, NEAR
        classes = np.unique(member)
        if size > self.k:
            gains = cost[here] - rest * (size - 1) + cost[classes] - with_it[classes] * (covers.size[classes] + 1)
            gains[classes == here] = -np.inf
            at = int(gains.argmax())
            if gains[at] > gain:
                best, gain = int(classes[at]), float(gains[at])
        in_its_place = self.space.costs_of_joining(covers, count + record)[2 * count :]
        others = cost[member] - with_it[count : 2 * count] * covers.size[member]
        swaps = cost[here] - in_its_place * size + others
        swaps[member == here] = -np.inf
        other = int(swaps.argmax())
        if swaps[other] > gain:
            there = int(member[other])
            member[record], member[other] = there, here
        elif best >= 0:
            there = best
            member[record] = there
        else:
            return False
        self.renew(here)
        self.renew(there)
        return True

    def split(self) -> bool:
        """Split each class that is large enough for two, as `grow_classes` divides it; say whether any was."""
        done = False
        for place in np.flatnonzero(np.bincount(self.member) >= 2 * self.k).tolist():
            own = np.flatnonzero(self.member == place)
            parts = grow_classes(self.space, self.k, self.records[own])
            free = np.setdiff1d(np.arange(len(self.records)), self.member)
            for part in range(1, int(parts.max()) + 1):
                self.member[own[parts == part]] = free[part - 1]
                self.renew(int(free[part - 1]))
                done = True
            self.renew(place)
        return done
