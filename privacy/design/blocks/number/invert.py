"""How a number is inverted: as a distribution over its bins, or cut into a few of them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from privacy.design.blocks.number.design import NumberBlock
from privacy.design.blocks.number.shares import NumberShares
from privacy.design.channels import Floats
from privacy.design.fields import Steps
from privacy.design.grid.distributions import Bins
from privacy.design.grid.in_bins import Cut
from privacy.design.rationals import parse_number
from privacy.errors import EntryError, InputError

PIECES = 50  # of all bins together, or a few more
CELLS = 200  # of all pieces together, at most; each of one number where there are fewer
MOST_CLASSES = 24  # of records
MOST_BINS = 200
USUAL_BINS = 20
REACH = 0.3  # of all numbers: what people of two answer elsewhere is alike by 1/e where these lie so far apart


def distribution(block: NumberBlock, bins: Bins | None, heaps: Sequence[Fraction] = ()) -> NumberShares:
    """The distribution of the number in `bins` (None: 20 at most); `heaps` are numbers that many people round to."""
    name, steps = block.items[0].id, len(block.answers)
    most = min(steps, MOST_BINS)
    if bins and len(bins) > 1:
        raise InputError(f"bins: {name!r} is a number, so give one count of bins, without edges or a grid.")
    count = bins[0] if bins else min(steps, USUAL_BINS)
    if not 2 <= count <= most:
        raise InputError(f"bins: {count} of {name!r} are outside 2 to {most}.")
    starts = tuple(index * steps // count for index in range(count + 1))
    return _shares(block, starts, [-(-PIECES // count)] * count, heaps)


def _shares(
    block: NumberBlock, starts: tuple[int, ...], pieces: Sequence[int], heaps: Sequence[Fraction] = ()
) -> NumberShares:
    """The distribution in bins that begin at the steps `starts`, each fitted in so many `pieces`."""
    steps, parts = starts[-1], _divide(starts, pieces)
    own = sorted({_step_of(block, value) for value in heaps})
    cells = {0, 1, steps - 1, steps, *own, *(step + 1 for step in own)}
    fine = tuple(sorted({*_divide(parts, [CELLS // (len(parts) - 1)] * (len(parts) - 1)), *cells}))
    free = tuple(sorted({0, len(fine) - 2, *map(fine.index, own)}))
    channel = np.array([_records(block, *ends) for ends in pairwise(fine)])
    return NumberShares(block.answers, starts, parts, fine, free, block.reach, channel)


def _divide(cuts: Sequence[int], most: Sequence[int]) -> tuple[int, ...]:
    """Cut what lies between every two `cuts` into at most so many parts (`most`), or into single steps."""
    fine = [0]
    for (start, stop), own in zip(pairwise(cuts), most, strict=True):
        parts = min(stop - start, own)
        fine += [start + (part + 1) * (stop - start) // parts for part in range(parts)]
    return tuple(fine)


def _step_of(block: NumberBlock, value: Fraction) -> int:
    """How many steps above the least number an answer lies; a value that is no answer is refused."""
    step = _steps_above_least(block, value)
    if step.denominator != 1 or not 0 <= step < len(block.answers):
        name, low, high = block.items[0].id, block.answers[0], block.answers[-1]
        raise InputError(f"heaps: {float(value):g} is no answer to {name!r}, from {low} to {high}.")
    return int(step)


def _steps_above_least(block: NumberBlock, value: Fraction) -> Fraction:
    """How many steps above the least number a value lies; no whole number where it is between two answers."""
    return (value - Fraction(block.low)) / Fraction(block.answers.step)


def _records(block: NumberBlock, start: int, stop: int) -> Floats:
    """The chance of each record if all steps from `start` up to but without `stop` are equally likely."""
    places = np.arange(block.size)
    first, last = (np.clip(places - step + 1, 0, 2 * block.reach + 1) for step in (start, stop))
    near = first - last  # how many of the steps a place is near to
    chances: Floats = (block.near / block.total * near + block.far / block.total * (stop - start - near)) / (
        stop - start
    )
    return chances


def cut(block: NumberBlock, texts: Sequence[str]) -> Cut:
    """Cut the numbers into bins; each holds the numbers from one edge up to but without the next."""
    name, steps = block.items[0].id, len(block.answers)
    edges = [_edge_step(block, text) for text in texts]
    if sorted(set(edges)) != edges:
        raise EntryError("the edges {edges} of {name!r} do not rise.", at="bins", edges=", ".join(texts), name=name)
    starts = (0, *edges, steps)
    shares = _shares(block, starts, [-(-PIECES * (stop - start) // steps) for start, stop in pairwise(starts)])
    ends = np.unique(np.linspace(0, block.size, min(MOST_CLASSES, block.size) + 1).astype(np.int64))
    middles = np.clip((ends[:-1] + ends[1:]) // 2 - block.reach, 0, steps - 1)
    places = np.array(shares.fine[:-1]) / steps
    alike = np.exp(-np.abs(places[:, np.newaxis] - places) / REACH)
    alike[shares.free, shares.free] += 1  # what many people share may mean something else
    return Cut(
        tuple(_range(block.answers, *each) for each in pairwise(starts)),
        tuple(map(shares.fine.index, starts)),
        np.add.reduceat(shares.channel, ends[:-1], axis=1),
        np.searchsorted(starts, middles, side="right") - 1,
        lambda codes: np.searchsorted(ends, codes, side="right") - 1,
        lambda codes: np.searchsorted(shares.fine, codes.astype(np.int64) - block.reach, side="right") - 1,
        alike,
        shares.rows,
        shares.free,
    )


def _edge_step(block: NumberBlock, word: str) -> int:
    """How many steps an edge lies above the least number."""
    name = block.items[0].id
    try:
        number = Fraction(word) if "/" in word else parse_number(word)
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None:
        raise EntryError(
            "{word!r} is not a number; {name!r} has edges such as 18,30,50.", at="bins", word=word, name=name
        )
    step = _steps_above_least(block, Fraction(number))
    if step.denominator != 1 or not 0 < step < len(block.answers):
        raise EntryError(
            "{word} is no step of {name!r} above {low} and up to {high}.",
            at="bins",
            word=word,
            name=name,
            low=block.answers[0],
            high=block.answers[-1],
        )
    return int(step)


def _range(answers: Steps, start: int, stop: int) -> str:
    """The label of a bin: its least and greatest number."""
    return answers[start] if stop - start == 1 else f"{answers[start]}…{answers[stop - 1]}"
