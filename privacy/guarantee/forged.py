"""What forged responses can do: how far one of them moves a figure.

A figure is a mean of weights over respondents, so one record moves it by at most the largest weight of any record over
their number. Disguise makes weights large: whoever forges need not tell the truth to the coin. In a sampled block a
forger may also choose what to have been asked, and few were asked all of a long pattern.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from privacy.design import Block, Design
from privacy.design.channels import Literal
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.reconstruct.available import expanded, products
from privacy.reconstruct.sampled import SampledPattern, sampled
from privacy.reconstruct.weights import channel_of, factors

__all__ = ["LONGEST", "Forged", "forged"]

LONGEST = 3


@dataclass(frozen=True)
class Forged:
    """How far one forged response moves a figure of this length; infinite where the disguise tells nothing of it."""

    length: int
    shift: float

    def needed(self, move: float) -> int:
        """How many forged responses move such a figure so far."""
        return math.ceil(move / self.shift)


def forged(design: Design, respondents: int, cases: str = "available") -> list[Forged]:
    """Compute how far one forged response moves figures of one, two and three answers, at worst.

    Parameters
    ----------
    design : Design
        What disguises each record.
    respondents : int
        How many people answer disguised.
    cases : {"available", "complete"}
        Whether patterns on sampled blocks are estimated from everyone who was asked a part of them.

    Returns
    -------
    list of Forged
        One for each length, as far as anybody is asked so much.

    Examples
    --------
    >>> design = Design.parse({"blocks": [{"keep": 0.3, "items": [{"id": "drugs", "theta": 0.6}]}]})
    >>> [(one.length, round(one.shift, 6)) for one in forged(design, 10_000)]
    [(1, 0.000193)]
    """
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not at least 1.")
    largest = [1.0]  # the largest weight of a pattern of each length on the blocks so far; factors of blocks multiply
    for block in design.blocks:
        if any(item.grid is not None for item in block.items):
            continue  # no pattern matches a number
        own = [1.0, *(_largest(block, length, cases) for length in range(1, min(block.asked, LONGEST) + 1))]
        sums = range(min(len(largest) + len(own) - 2, LONGEST) + 1)
        largest = [
            max(largest[i] * own[size - i] for i in range(len(largest)) if 0 <= size - i < len(own)) for size in sums
        ]
    return [Forged(length, weight / respondents) for length, weight in enumerate(largest) if length]


def _largest(block: Block, length: int, cases: str) -> float:
    """The largest weight of any record, for any pattern of this length on the block."""
    alone = Design((block,), direct=True)
    weights = []
    for literals in _literals(block, length):
        pattern = Pattern(literals)
        own = sampled(alone, pattern) if cases == "available" else None
        if own is not None:
            weights.append(_of_available(own, block))
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            table = channel_of([factors(alone, pattern)]).weights(0.0)
        weights.append(float(np.abs(table).max()) / _asked(block, length))
    worst = max(weights)
    return worst if math.isfinite(worst) else math.inf


def _of_available(own: SampledPattern, block: Block) -> float:
    """The same by available cases: a record counts in the mean of every product of answers that it was asked."""
    tables = products(own.weights(None), own.centres[:, np.newaxis])[..., 0]
    sets = np.arange(len(tables))
    shares = np.array([_asked(block, int(size).bit_count()) for size in sets])
    largest = 0.0
    for asked in sets[1:]:
        inside = (sets & asked) == sets
        cells = np.array([cell for cell in range(own.cells) if not cell & ~asked])
        means = np.where(inside[:, np.newaxis], tables[:, cells] / shares[:, np.newaxis], 0.0)
        moved = expanded(means, np.broadcast_to(own.centres[:, np.newaxis], (len(own.centres), len(cells))))[-1]
        largest = max(largest, float(np.abs(moved).max()))
    return largest


def _asked(block: Block, length: int) -> float:
    """The chance of being asked given items of the block."""
    return math.comb(len(block.items) - length, block.asked - length) / math.comb(len(block.items), block.asked)


def _literals(block: Block, length: int) -> Iterator[tuple[Literal, ...]]:
    """Patterns of which one has the largest weight: it grows or falls with what noise says of each literal.

    So the literals that noise says least, and those that it says most, are enough. Without noise all are alike.
    """
    every = [
        (place, frozenset((option,)), block.literal_noise(place, option, True))
        for place, item in enumerate(block.items)
        for option in range(len(item.options))
        if option or not item.boolean  # figures of yes/no items are of yes
    ]
    every.sort(key=lambda one: one[2] if math.isfinite(one[2]) else 0.0)
    least = {place: (place, options) for place, options, _ in reversed(every)}  # of each item; the last entry stays
    most = {place: (place, options) for place, options, _ in every}
    ends = [list(dict.fromkeys(place for place, *_ in ordered))[:length] for ordered in (every, every[::-1])]
    places = sorted({*ends[0], *ends[1]})
    for own in (least, most):
        for chosen in combinations(places, length):
            yield tuple(own[place] for place in chosen)
