"""What forged responses can do: how far one of them moves a figure.

A figure is a mean of weights over respondents, so one record moves it by at most the largest weight of any record over
their number. Disguise makes weights large: a forger need not tell the coin the truth. In a sampled block a
forger may also choose what to have been asked, and few were asked all of a long pattern.

With c_j, v_S and W_S as in `privacy.estimate.available`, and π_S the share of respondents who are asked S, a record
y that was asked the answers R moves the figure of a pattern E by the n-th part of the mean of A(y) − B(t) over all true
answers t,

    A(y) = Σ_{S⊆R} Π_{j∈E∖S} c_j · W_S(y)/π_S,    B(t) = Σ_{S⊆R} Π_{j∈E∖S} c_j · v_S(t)/π_S.

So it raises the figure by at most the largest A less the least B, and lowers it by the largest B less the least A.

B may be below 0: where nearly all say yes to one answer and nearly nobody to the other, a record of two yeses moves the
pair furthest. On several blocks A and B are products.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from privacy.arrays import Ints, unique_rows
from privacy.design import Block, Design
from privacy.design.channels import ByRecord, Floats, Literal
from privacy.design.draws import share_asked
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.available import expand, matching, products
from privacy.estimate.sampled import SampledPattern

LONGEST = 3


@dataclass(frozen=True)
class Forged:
    """How far one forged response moves a figure of this length; infinite where the disguise tells nothing of it."""

    length: int
    shift: float

    def needed(self, move: float) -> int:
        """The number of forged responses that move such a figure by this much."""
        return math.ceil(move / self.shift)


Ends = Floats
"""A row for each pattern and what was asked of it: the least and the largest A of records, and B of truths."""

_NOTHING = np.ones((1, 4))
_UNBOUNDED = np.array([[-math.inf, math.inf, 0.0, math.inf]])


def effects_of_forgery(design: Design, respondents: int) -> list[Forged]:
    """Compute how far one forged response moves figures of one, two and three answers, at worst.

    One for each length, as far as anybody is asked so much.

    >>> design = Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]})
    >>> [(one.length, round(one.shift, 6)) for one in effects_of_forgery(design, 10_000)]
    [(1, 0.00024)]
    """
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not at least 1.")
    ends = [_NOTHING]  # of patterns of each length on the blocks so far
    for block in design.blocks:
        if not all(item.has_options for item in block.items):
            continue  # no pattern matches a number
        own = [
            _NOTHING,
            *(_ranges_of_block(block, length) for length in range(1, min(block.items_per_person, LONGEST) + 1)),
        ]
        joined: dict[int, list[Ends]] = {}
        for before, ends_before in enumerate(ends):
            for here, ends_here in enumerate(own[: LONGEST - before + 1]):
                joined.setdefault(before + here, []).append(_multiply_ranges(ends_before, ends_here))
        ends = [_outermost(np.concatenate(joined[length])) for length in sorted(joined)]
    forged = []
    for length, (least, largest, rarest, commonest) in enumerate((end.T for end in ends[1:]), start=1):
        shift = float(np.maximum(largest - rarest, commonest - least).max())
        forged.append(Forged(length, shift / respondents))
    return forged


def _ranges_of_block(block: Block, length: int) -> Ends:
    """Return the ranges of what one record adds to any pattern of this length, compared with the truth."""
    if known := block.patterns.ends_of_weights(length):
        return _outermost(np.array([[least, largest, 0.0, 1.0] for least, largest in known]))
    reader = block.patterns.by_record
    sets = np.arange(2**length)
    sizes = np.bitwise_count(sets).tolist()
    shares = np.array([[share_asked(len(block.items), block.items_per_person, size)] for size in sizes])
    ends: list[list[float]] = []
    for literals in _extreme_patterns(block, length):
        own = SampledPattern(Design((block,), direct=True), Pattern(literals), literals)
        centres = own.centres[:, np.newaxis]
        if reader and (merged := reader.merged(literals)) is not None:
            ends += _ranges_of_places(reader, literals, centres, merged, shares)
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = products(own.weights(None), centres)[..., 0]
        if not np.isfinite(weights).all():
            return _UNBOUNDED
        columns = [[column for bit, (column, _) in enumerate(literals) if one >> bit & 1] for one in sets.tolist()]
        weights *= np.array([block.patterns.loudest(*own) for own in columns])[:, np.newaxis]
        truths = products(matching(len(sets)), centres)[..., 0]
        for asked in sets[1:]:
            inside = ((sets & asked) == sets)[:, np.newaxis] / shares
            added, taken = (
                expand(table * inside, np.broadcast_to(centres, (length, len(sets))))[-1] for table in (weights, truths)
            )
            added = added[(sets & ~asked) == 0]
            ends.append([added.min(), added.max(), taken.min(), taken.max()])
    return _outermost(np.array(ends))


def _ranges_of_places(
    reader: ByRecord, literals: Sequence[Literal], centres: Floats, merged: Ints, shares: Floats
) -> Iterator[list[float]]:
    """The ranges, by what was asked, of records that are read whole; each product as if all showed the least of it."""
    places = np.unique(np.where(merged > 0, merged.astype(np.intp), -1), axis=1)
    weights, known = reader.products(literals, centres, np.zeros(places.shape, bool), places)
    weights = weights / np.where(known > 0, known, np.inf).min(axis=1, keepdims=True) / shares
    truths = products(matching(len(shares)), centres[..., np.newaxis])[..., 0] / shares
    for asked in np.unique(known > 0, axis=1).T:
        alike = (asked == (known > 0).T).all(axis=1)
        records, states = (expand(one * asked[:, np.newaxis], centres)[-1] for one in (weights[:, alike], truths))
        yield [records.min(), records.max(), states.min(), states.max()]


def _extreme_patterns(block: Block, length: int) -> Iterator[tuple[Literal, ...]]:
    """Patterns of which one has the largest weight, which is linear in what noise says of each literal.

    So of the items with as many options those literals that noise says least and most are enough, in every mixture.
    """
    ends: list[tuple[int, frozenset[int], float]] = []
    for size in {len(item.options) for item in block.items}:
        said = [
            (index, options := frozenset((option,)), block.patterns.noise(index, options))
            for index, item in enumerate(block.items)
            for option in range(size)
            if len(item.options) == size
        ]
        said = [(place, options, noise if math.isfinite(noise) else 0.0) for place, options, noise in said]
        said.sort(key=lambda one: one[2])
        for ordered in (said, said[::-1]):
            of_items: dict[int, tuple[int, frozenset[int], float]] = {}
            for one in ordered:
                of_items.setdefault(one[0], one)
            ends += list(of_items.values())[:length]
    known = set()
    for chosen in combinations(dict.fromkeys(ends), length):
        alike = tuple(sorted((noise, len(block.items[place].options)) for place, _, noise in chosen))
        if alike not in known and len({place for place, *_ in chosen}) == length:
            known.add(alike)
            yield tuple((place, options) for place, options, _ in chosen)


def _multiply_ranges(one: Ends, other: Ends) -> Ends:
    """Multiply the ranges of two blocks; an infinite end stays infinite even beside a 0."""
    one, other = one[:, np.newaxis], other[np.newaxis]
    made = []
    for ends in (slice(0, 2), slice(2, 4)):
        with np.errstate(invalid="ignore"):
            ways = one[..., ends, np.newaxis] * other[..., np.newaxis, ends]
        made += [np.nanmin(ways, axis=(2, 3)), np.nanmax(ways, axis=(2, 3))]
    return np.stack(made, axis=-1).reshape(-1, 4)


def _outermost(ends: Ends) -> Ends:
    """Keep only the ranges that lie inside no other range."""
    outwards = unique_rows(np.round(ends * [-1, 1, -1, 1], 12))[::-1]
    kept: list[int] = []
    for index, row in enumerate(outwards):
        if not (outwards[kept] >= row).all(axis=1).any():
            kept.append(index)
    return outwards[kept] * [-1, 1, -1, 1]
