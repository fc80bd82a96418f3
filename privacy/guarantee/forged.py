"""What forged responses can do: how far one of them moves a figure.

A figure is a mean of weights over respondents, so one record moves it by at most the largest weight of any record over
their number. Disguise makes weights large: whoever forges need not tell the truth to the coin. In a sampled block a
forger may also choose what to have been asked, and few were asked all of a long pattern.

With c_j, v_S and W_S as in `privacy.reconstruct.available`, and π_S the share of respondents who are asked S, a record
y that was asked the answers R moves the figure of a pattern E by the n-th part of the mean of A(y) − B(t) over all true
answers t,

    A(y) = Σ_{S⊆R} Π_{j∈E∖S} c_j · W_S(y)/π_S,    B(t) = Σ_{S⊆R} Π_{j∈E∖S} c_j · v_S(t)/π_S.

By complete cases everything has π_E, and R holds E: then A is the weight of the record over π_E, and B no more than
whether E is true. By available cases B may be below 0: where nearly all say yes to one answer and nearly nobody to the
other, a record of two yeses moves the pair furthest. On several blocks A and B are products. In a public order W_S is
λχ/mean λ², and λ that of the places where the record has its answers; v_S has λ²/mean λ².
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from privacy.choices import AVAILABLE, CASES
from privacy.design import Block, Design, arguments
from privacy.design.channels import Floats, Literal
from privacy.design.draws import seen_share
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.reconstruct.available import expanded, matching, products
from privacy.reconstruct.sampled import SampledPattern

LONGEST = 3


@dataclass(frozen=True)
class Forged:
    """How far one forged response moves a figure of this length; infinite where the disguise tells nothing of it."""

    length: int
    shift: float

    def needed(self, move: float) -> int:
        """How many forged responses move such a figure so far."""
        return math.ceil(move / self.shift)


@dataclass(frozen=True)
class _Ends:
    """The least and the largest that records add, A, and that truths take off, B."""

    added: tuple[float, float]
    taken: tuple[float, float]

    def __mul__(self, other: "_Ends") -> "_Ends":
        return _Ends(_times(self.added, other.added), _times(self.taken, other.taken))

    def __or__(self, other: "_Ends") -> "_Ends":
        return _Ends(_hull(*self.added, *other.added), _hull(*self.taken, *other.taken))

    @property
    def most(self) -> float:
        """How far a record raises a figure, whatever is true; or its weight, where one below 0 is larger."""
        (least, largest), (taken, _) = self.added, self.taken
        worst = max(largest - taken, -least)
        return worst if math.isfinite(worst) else math.inf


_NOTHING = _Ends((1.0, 1.0), (1.0, 1.0))


def forged(design: Design, respondents: int, cases: str = AVAILABLE) -> list[Forged]:
    """Compute how far one forged response moves figures of one, two and three answers, at worst.

    One for each length, as far as anybody is asked so much. `cases`: whether patterns on sampled blocks are estimated
    from everyone who was asked a part of them.

    >>> design = Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]})
    >>> [(one.length, round(one.shift, 6)) for one in forged(design, 10_000)]
    [(1, 0.000193)]
    """
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not at least 1.")
    arguments.choice(cases, "cases", CASES)
    ends = [_NOTHING]  # of patterns of each length on the blocks so far
    for block in design.blocks:
        if not all(item.has_options for item in block.items):
            continue  # no pattern matches a number
        own = [_NOTHING, *(_of_block(block, length, cases) for length in range(1, min(block.asked, LONGEST) + 1))]
        joined: dict[int, _Ends] = {}
        for before, ends_before in enumerate(ends):
            for here, ends_here in enumerate(own[: LONGEST - before + 1]):
                made = ends_before * ends_here
                joined[before + here] = joined.get(before + here, made) | made
        ends = [joined[length] for length in sorted(joined)]
    return [Forged(length, one.most / respondents) for length, one in enumerate(ends) if length]


def _of_block(block: Block, length: int, cases: str) -> _Ends:
    """What records add and truths take off, over all patterns of this length on the block."""
    alone = Design((block,), direct=True)
    sets = np.arange(2**length)
    sizes = np.bitwise_count(sets) if cases == AVAILABLE else np.full(len(sets), length)
    shares = np.array([seen_share(len(block.items), block.asked, size) for size in sizes.tolist()])[:, np.newaxis]
    ends = None
    for literals in _literals(block, length):
        own = SampledPattern(alone, Pattern(literals), literals)
        centres = own.centres[:, np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            weights = products(own.weights(None), centres)[..., 0]
        if not np.isfinite(weights).all():
            return _Ends((-math.inf, math.inf), (0.0, math.inf))
        truths = products(matching(len(sets)), centres)[..., 0]
        for left in _left(block, length):
            for asked in sets[1:] if cases == AVAILABLE else sets[-1:]:
                inside = ((sets & asked) == sets)[:, np.newaxis] / shares
                added, taken = (
                    expanded(table * inside, np.broadcast_to(centres, (length, len(sets))))[-1]
                    for table in (weights * left, truths * left**2)
                )
                made = _Ends(_hull(*added[(sets & ~asked) == 0]), _hull(*taken))
                ends = made if ends is None else ends | made
    assert ends is not None
    return ends


def _left(block: Block, length: int) -> Iterator[Floats]:
    """For each way in which so many answers stand in the order, λ over its root mean square, by their sets; else 1."""
    order = block.patterns.ordered
    if order is None:
        yield np.ones((2**length, 1))
        return
    for places in permutations(range(order.asked), length):
        at = np.zeros(1, np.intp)
        for place in places:
            at = np.concatenate([at, at | 1 << place])
        yield (order.strengths[at] / order.typical[np.bitwise_count(at)])[:, np.newaxis]


def _literals(block: Block, length: int) -> Iterator[tuple[Literal, ...]]:
    """Patterns of which one has the largest weight: it grows or falls with what noise says of each literal.

    So the literals that noise says least, and those that it says most, are enough. Without noise all are alike.
    """
    every = [
        (place, frozenset((option,)), block.patterns.noise(place, frozenset((option,))))
        for place, item in enumerate(block.items)
        for option in range(len(item.options))
        if option or not item.boolean  # figures of yes/no items are of yes
    ]
    every = [(place, options, noise if math.isfinite(noise) else 0.0) for place, options, noise in every]
    every.sort(key=lambda one: one[2])
    least = {one[0]: one for one in reversed(every)}  # of each item; the last entry stays
    most = {one[0]: one for one in every}
    ends = [list(dict.fromkeys(place for place, *_ in ordered))[:length] for ordered in (every, every[::-1])]
    places = sorted({*ends[0], *ends[1]})
    known = set()
    for own in (least, most):
        for chosen in combinations(places, length):
            alike = tuple(sorted((own[place][2], len(block.items[place].options)) for place in chosen))
            if alike not in known:
                known.add(alike)
                yield tuple(own[place][:2] for place in chosen)


def _times(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return _hull(*(a * b for a in one for b in other))


def _hull(*values: float) -> tuple[float, float]:
    return float(np.min(values)), float(np.max(values))
