"""Local recoding: records are gathered into classes one by one, and each class is published as what covers it.

`bottom_up` and `at_random` are printed by Zhu, Zhao and Wang (2010, sections 4 and 5; after Xu and others
2006, and Li and others 2008). Where the text is ambiguous: a round pairs the classes that are smaller than k with
each other, in their order, and the one that is left over joins the best class of any size, by the same rule; of equal
partners the first is taken. `grow_classes` is an improved form, greedy, whose last classes take what is left.

`refine` makes it better: records change their class, two of them change places, large classes split. Each step is best
for some record, and is taken only where the penalty falls, so that the search ends. A step looks at all records, which
is for small tables. In very small ones a few records are then exchanged by lot and the search goes on from there: an
iterated local search (Lourenço, Martin and Stützle 2003), whose lots are drawn from a fixed seed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import EntryError, to_translate
from privacy.release.attributes import Covers, Space
from privacy.release.classes import number_classes
from privacy.release.reasons import Progress, nobody, part_of_work

BLOCK = 1 << 15  # records that are compared with each other; the time grows with its square
TOO_FEW = to_translate("even the largest classes there can be do not satisfy it; ask for less.")


def grow_classes(space: Space, k: int, records: Ints, progress: Progress = nobody) -> Ints:
    """Gather records into classes of k: identical ones first, then every small class with the partner that costs least.

    The largest of the small classes is grown first, by the partner of any size that raises the penalty of both least.
    Large first wastes least: a class that lacks one record takes a single one instead of a class of its own size.
    """
    require_enough(len(records), k)
    covers, tuples = space.tuples(records)
    links = np.arange(len(covers))  # the class that each class has joined, itself while it stands
    names = np.arange(len(covers))  # which of them the classes still compared are
    waiting = [(-int(covers.size[place]), place) for place in np.flatnonzero(covers.size < k).tolist()]
    heapify(waiting)
    standing = np.ones(len(covers), bool)
    merges, most = 0, len(waiting)
    while waiting:
        minus_size, place = heappop(waiting)
        if not standing[place] or covers.size[place] != -minus_size:
            continue
        progress(merges / most)  # each merge ends one of the small classes
        merges += 1
        partner = _best(space.rise(covers, place), standing, place)
        space.join(covers, np.array([partner]), np.array([place]))
        standing[place], links[names[place]] = False, names[partner]
        if covers.size[partner] < k:
            heappush(waiting, (-int(covers.size[partner]), partner))
        if standing.sum() < 0.9 * len(standing):
            kept = np.flatnonzero(standing)
            moved = np.full(len(standing), -1)
            moved[kept] = np.arange(len(kept))
            waiting = [(minus_size, int(moved[place])) for minus_size, place in waiting if moved[place] >= 0]
            heapify(waiting)
            covers, names, standing = covers.select(kept), names[kept], np.ones(len(kept), bool)
    return number_classes([_follow(links)[tuples]])


def blocks(space: Space, k: int, records: Ints, most: int = BLOCK) -> Iterator[Ints]:
    """Cut a large table into blocks of records that are alike, each to be recoded by itself.

    A block is cut where its records differ most, near the middle and between two values (LeFevre and others 2006).
    """
    if len(records) <= max(most, 2 * k):
        yield records
        return
    weighed = zip(space.attributes, space.weights.tolist(), strict=True)
    parts = [weight * attribute.part(records) for attribute, weight in weighed]
    line = space.attributes[parts.index(max(parts))].line[records]
    order = np.argsort(line, kind="stable")
    between = np.flatnonzero(np.diff(line[order])) + 1
    middle = len(records) // 2
    cut = int(between[np.abs(between - middle).argmin()]) if len(between) else middle
    if not k <= cut <= len(records) - k:
        cut = middle
    for half in (records[order[:cut]], records[order[cut:]]):
        yield from blocks(space, k, half, most)


def join_until_safe(space: Space, member: Ints, safe: Callable[[Ints], Bools], progress: Progress = nobody) -> Ints:
    """Join each unsafe class with the partner that raises the penalty least, until all are safe; return the classes."""
    covers = space.covers(member)
    while not (good := safe(member)).all():
        if len(covers) == 1:
            raise EntryError(TOO_FEW, at="model")
        progress(float(good.mean()))
        links, standing = np.arange(len(covers)), np.ones(len(covers), bool)
        for place in np.flatnonzero(~good).tolist():
            if standing.sum() == 1:
                break
            if not standing[place]:
                continue
            partner = _best(space.rise(covers, place), standing, place)
            space.join(covers, np.array([partner]), np.array([place]))
            links[place], standing[place] = partner, False
        covers, member = _keep_unmerged(covers, member, links)
    return member


def bottom_up(space: Space, k: int, records: Ints, *, literal: bool, progress: Progress = nobody) -> Ints:
    """Gather records into classes of k or more in rounds, which pair the classes that are still smaller than k.

    `literal` is as printed: it begins with single records and pairs by the least penalty of the union. Otherwise
    identical records begin together, and the rise of the penalty decides.
    """
    require_enough(len(records), k)
    if literal:
        covers, member = space.singles(records), np.arange(len(records))
    else:
        covers, member = space.tuples(records)
    while (covers.size < k).any():
        small = np.flatnonzero(covers.size < k)
        # half of those that are too small are gone after each round
        done = part_of_work(progress, 1 - len(small) / len(records), 1 - len(small) / len(records) / 2)
        one, other, left = _pairs(space, covers.select(small), literal, done)
        covers, member = _merge(space, covers, member, small[one], small[other], small[left], literal)
    return number_classes([member])


def at_random(space: Space, k: int, records: Ints, random: np.random.Generator) -> Ints:
    """Gather records into classes of k or more in rounds that pair classes by lot (Li and others 2008).

    A class that is left over in a round joins the class with which the penalty of the union is least.
    """
    require_enough(len(records), k)
    covers, member = space.singles(records), np.arange(len(records))
    while (covers.size < k).any():
        small = random.permutation(np.flatnonzero(covers.size < k))
        half = len(small) // 2
        one, other, left = small[:half], small[half : 2 * half], small[2 * half :]
        covers, member = _merge(space, covers, member, one, other, left, literal=True)
    return number_classes([member])


def _pairs(space: Space, covers: Covers, literal: bool, progress: Progress) -> tuple[Ints, Ints, Ints]:
    """Pair classes in order, each with its best free partner: return the first ones, partners, and one left over."""
    names, free, first = np.arange(len(covers)), np.ones(len(covers), bool), 0
    pairs: list[tuple[int, int]] = []
    left = len(covers)
    while left > 1:
        progress(1 - left / len(covers))
        first += int(free[first:].argmax())
        free[first] = False
        partner = _best(_loss(space, covers, first, literal), free, first)
        free[partner] = False
        pairs.append((names[first], names[partner]))
        left -= 2
        if left < 0.9 * len(free):
            kept = np.flatnonzero(free)
            names, covers, free, first = names[kept], covers.select(kept), free[kept], 0
    one, other = np.array(pairs, np.int64).reshape(-1, 2).T
    return one, other, names[free]


def _merge(
    space: Space, covers: Covers, member: Ints, one: Ints, other: Ints, left: Ints, literal: bool
) -> tuple[Covers, Ints]:
    """Join the pairs (one, other), then each class of `left` with its best partner; return classes and members."""
    links = np.arange(len(covers))
    space.join(covers, one, other)
    links[other] = one
    standing = links == np.arange(len(covers))
    for place in left.tolist():
        partner = _best(_loss(space, covers, place, literal), standing, place)
        space.join(covers, np.array([partner]), np.array([place]))
        links[place], standing[place] = partner, False
    return _keep_unmerged(covers, member, links)


def _keep_unmerged(covers: Covers, member: Ints, links: Ints) -> tuple[Covers, Ints]:
    """Return the classes that were not merged into another, and the class of each record among them."""
    kept = np.flatnonzero(links == np.arange(len(links)))
    numbers = np.empty(len(links), np.int64)
    numbers[kept] = np.arange(len(kept))
    return covers.select(kept), numbers[_follow(links)][member]


def _loss(space: Space, covers: Covers, place: int, literal: bool) -> Floats:
    """The cost of joining a class with each of the others: the penalty of the union, or the rise of the penalty."""
    if literal:
        return space.costs_of_joining(covers, place) * (covers.size + covers.size[place])
    return space.rise(covers, place)


def _best(loss: Floats, allowed: Bools, place: int) -> int:
    """The first allowed class with the least loss, other than the class at `place` itself."""
    loss[~allowed] = np.inf
    loss[place] = np.inf
    return int(loss.argmin())


def _follow(links: Ints) -> Ints:
    """Follow the links from each class to the class that it ended up in."""
    while (links[links] != links).any():
        links = links[links]
    return links


def require_enough(records: int, k: int) -> None:
    if records < k:
        raise EntryError("{k} is more than the {records} records there are.", at="model.k", k=k, records=records)


REFINED = 1_000  # records of a table that is refined; the time grows with their square
KICKED, KICKS, EXCHANGED = 100, 20, 6  # records at most in a table that is searched by lot; how often; how many of them
SWEEPS = 20
GAIN = 1e-9


def refine(space: Space, k: int, records: Ints, member: Ints) -> Ints:
    """Improve classes until no change of one or two records lowers the penalty; large tables stay as they are."""
    if not 1 < k <= len(records) <= REFINED:
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
    return np.unique(search.member, return_inverse=True)[1].astype(np.int64), search.covers.select(classes).total


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
        best, gain = -1, GAIN
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
