"""How often 95 % intervals hold what is true, where people draw themselves and some do not follow the draw.

    python benchmarks/coverage_own_draws.py [surveys]

Crosswise with p = 1/4 and 1/6, shares of .02, .05 and .2, of 300, 1 000 and 5 000 people, of nine kinds: all follow;
.1, .2 and .4 press at random; .1 press 1 seven times in ten, always, or never; and a tenth or three tenths of those
concerned press the no side, which nothing shows. Of each cell so many surveys (4 000 unless said otherwise), drawn from
`numpy.random.default_rng` with the cell as its seed, are corrected by two anchors, by two looks and a never-true
question, and by two controls, as `candor.careless` does; by controls also as reports do, which tell of nobody how many
failed both. It prints for each number of people the lowest and the mean
coverage over its cells: of shares, of the share of careless people, of lower ends where people hide, and the width as a
multiple of that of an oracle, who knows how many are careless and what they press. Where people hide, shares are of
what is then identified, π(1 − h·u/(u − v)). Also pairs and confidences of a group of two by one draw (truth with .5,
else a coin each), where the rate of careless people is known.
"""

import sys
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from privacy.estimate.intervals import fieller, standard_errors, wilson
from privacy.estimate.linearised import LinearisedFigure
from privacy.estimate.sampling import Sampling
from privacy.output import as_table
from privacy.reconstruct.carelessness import (
    HALF,
    Nuisance,
    Press,
    Seen,
    by_controls,
    by_rate,
    by_two_anchors,
    interval,
    of_followers,
)

SIZES, CHANCES, SHARES = (300, 1000, 5000), (1 / 4, 1 / 6), (0.02, 0.05, 0.2)
KINDS = [(0.0, 0.5, 0.0), (0.1, 0.5, 0.0), (0.2, 0.5, 0.0), (0.4, 0.5, 0.0), (0.1, 0.7, 0.0), (0.1, 1.0, 0.0)]
KINDS += [(0.1, 0.0, 0.0), (0.0, 0.5, 0.1), (0.0, 0.5, 0.3)]
"""The share of careless people, their rate of record 1, and the share of those concerned who press the no side."""

BITS = np.array([*product((0, 1), repeat=3)])
LEVEL, REACH = 0.95, 1.959964
ANSWERS = np.array([0.7, 0.1, 0.15, 0.05])  # 00, 01, 10, 11 of a group of two
KEEP = 0.5  # of its draw


def share(counts: np.ndarray, says: np.ndarray, among: np.ndarray | None = None) -> LinearisedFigure:
    """The share of records that say so, among some: of many surveys at once, with a part for each of eight records."""
    here = np.ones(8) if among is None else among
    people = counts @ here
    value: Any = (counts @ (says * here) / people)[:, np.newaxis]
    return LinearisedFigure("", int(people.min()), value, (says - value) * here / people[:, np.newaxis])


def answers(seen: LinearisedFigure, p: float) -> Seen:
    """The share of yes of which this is that of records, as careless people press it."""
    line = Press(-p / (1 - 2 * p), 1 / (1 - 2 * p))
    return Seen(replace(seen, value=(seen.value - p) / (1 - 2 * p), parts=seen.parts / (1 - 2 * p)), (line,))


def corrected(
    nuisance: Nuisance, seen: LinearisedFigure, p: float, counts: np.ndarray, joint: np.ndarray | float = 0.0
) -> np.ndarray:
    """The intervals of the share, and of how many do not follow, of each survey.

    `joint`: how much more the shares of both wrong answers vary together than the records say.
    """
    n = counts.sum(axis=1)
    reach = standard_errors(LEVEL, float(n[0]) - 1)

    def spread(one: LinearisedFigure, other: LinearisedFigure) -> np.ndarray:
        return np.asarray((counts * one.parts * other.parts).sum(axis=1) * n / (n - 1))

    fraction: Any = of_followers(nuisance, answers(seen, p)).fraction
    above, below = fraction
    at, by = -p / (1 - 2 * p), 1 / (1 - 2 * p)
    spreads = (
        spread(above, above) + 2 * at * (at + by) * joint,
        spread(above, below) + (2 * at + by) * joint,
        spread(below, below) + 2 * joint,
    )
    ends = fieller(above.value[:, 0], below.value[:, 0], spreads, reach)
    share_of_careless: Any = nuisance.share.value
    careless, half = share_of_careless[:, 0], reach * (spread(nuisance.share, nuisance.share) + 2 * joint) ** 0.5
    none = wilson(np.zeros(len(n)), n, LEVEL)[1]  # where nobody is wrong
    return np.stack([*ends, careless - half, np.where((careless == 0) & (half == 0), none, careless + half)], axis=1)


def anchored(p: float, pi: float, kind: tuple[float, float, float]) -> np.ndarray:
    """The chances of the eight records of question, never and always."""
    c, r, hide = kind
    followed = np.zeros(8)
    for yes, weight in ((1, pi), (0, 1 - pi)):
        one = np.array([(1 - hide) * (1 - p) if yes else p, p, 1 - p])
        followed += weight * np.where(BITS, one, 1 - one).prod(axis=1)
    return (1 - c) * followed + c * np.where(BITS, r, 1 - r).prod(axis=1)


def by_anchors(counts: np.ndarray, p: float) -> np.ndarray:
    seen, never, always = (share(counts, BITS[:, at]) for at in range(3))
    return corrected(by_two_anchors(never, always, (p, 1 - p)), seen, p, counts)


def looked(p: float, pi: float, kind: tuple[float, float, float]) -> np.ndarray:
    """The chances of (look, question, never), turned over in the second look, where a rate is the opposite."""
    c, r, hide = kind
    made = np.zeros(8)
    for place, (look, said, never) in enumerate(BITS):
        rate = 1 - r if look else r
        yes, of_never = (1 - hide) * (1 - p), (p if never else 1 - p)
        one = pi * (yes if said else 1 - yes) + (1 - pi) * (p if said else 1 - p)
        press = (rate if said else 1 - rate) * (rate if never else 1 - rate)
        made[place] = ((1 - c) * one * of_never + c * press) / 2
    return made


def by_looks(counts: np.ndarray, p: float) -> np.ndarray:
    looks = [BITS[:, 0] == 0, BITS[:, 0] == 1]

    def both(at: int) -> LinearisedFigure:
        one, other = (share(counts, BITS[:, at], look.astype(float)) for look in looks)
        return replace(one, n=one.n + other.n, value=(one.value + other.value) / 2, parts=(one.parts + other.parts) / 2)

    return corrected(by_rate(both(2), p, HALF), both(1), p, counts)


def controlled(p: float, pi: float, kind: tuple[float, float, float]) -> np.ndarray:
    """The chances of (question, the first control wrong, the second one wrong)."""
    c, r, hide = kind
    yes = (1 - hide) * (1 - p)
    one = pi * yes + (1 - pi) * p
    followed = np.where(BITS[:, 0], one, 1 - one) * (BITS[:, 1:] == 0).all(axis=1)
    rates = np.array([r, 1 - r, r])
    return (1 - c) * followed + c * np.where(BITS, rates, 1 - rates).prod(axis=1)


def by_two_controls(counts: np.ndarray, p: float) -> np.ndarray:
    seen, one, two = (share(counts, BITS[:, at]) for at in range(3))
    return corrected(by_controls(one, two), seen, p, counts)


def by_controls_apart(counts: np.ndarray, p: float) -> np.ndarray:
    """The intervals that hold those of any number who fail both, from how many fail each."""
    seen, one, two = (share(counts, BITS[:, at]) for at in range(3))
    n, a, b = counts.sum(axis=1), np.ravel(one.value), np.ravel(two.value)
    both = counts @ BITS[:, 1:].prod(axis=1) / n
    ends = [
        corrected(by_controls(one, two), seen, p, counts, (most - both) / (n - 1))
        for most in (np.maximum(0, a + b - 1), np.minimum(a, b))
    ]
    return np.where([True, False] * 2, np.minimum(*ends), np.maximum(*ends))


WAYS = {
    "anchors": (anchored, by_anchors),
    "looks": (looked, by_looks),
    "controls": (controlled, by_two_controls),
    "controls, in a report": (controlled, by_controls_apart),
}


def survey_counts(name: str, n: int, chances: np.ndarray, surveys: int, *cell: float) -> np.ndarray:
    random = np.random.default_rng([n, *name.encode(), *(int(1000 * one) for one in cell)])
    return random.multinomial(n, chances / chances.sum(), surveys)


def share_cell(name: str, n: int, p: float, pi: float, kind: tuple[float, float, float], surveys: int) -> list[float]:
    """Coverage of the share, of how many are careless, of the lower end; the width as a multiple of the oracle's."""
    chances, correct = WAYS[name]
    c, r, hide = kind
    counts = survey_counts(name, n, chances(p, pi, kind), surveys, p, pi, *kind)
    found = correct(counts, p)
    identified = pi * (1 - hide * (1 - p) / (1 - 2 * p))
    seen = (1 - c) * (pi * (1 - hide) * (1 - p) + (1 - pi) * p) + c * (r if name != "looks" else 0.5)
    oracle = 2 * REACH * (seen * (1 - seen) / n) ** 0.5 / ((1 - c) * (1 - 2 * p))
    finite = np.isfinite(found[:, :2]).all(axis=1)
    return [
        float(np.mean((found[:, 0] <= identified) & (identified <= found[:, 1]))),
        float(np.mean((found[:, 2] <= c) & (c <= found[:, 3]))),
        float(np.mean(found[:, 0] <= pi)),
        float(np.median((found[:, 1] - found[:, 0])[finite]) / oracle),
    ]


@dataclass(frozen=True)
class Counted(Sampling):
    """People drawn alike, by how many there are of each of a few records: a part stands for all with its record."""

    def covariance_of(self, figures, count):  # type: ignore[no-untyped-def]
        parts, people = np.array(list(figures)), self.weights.sum()
        return (parts * self.weights) @ parts.T * people / (people - 1)

    @cached_property
    def freedom(self) -> float:
        return float(self.weights.sum()) - 1


def one_share(counts: np.ndarray, says: np.ndarray) -> LinearisedFigure:
    many = share(counts[np.newaxis], says)
    return replace(many, value=float(np.ravel(many.value)[0]), parts=many.parts[0])


def pair_cell(n: int, kind: tuple[float, float, float], surveys: int, p: float = 1 / 4) -> list[float]:
    """Coverage of a pair and of the confidence of a rule under one draw, by a never-true question and a given rate."""
    c, r, _ = kind
    group = KEEP * ANSWERS + (1 - KEEP) / 4
    pairs = 2 * BITS[:, 0] + BITS[:, 1]
    followed = group[pairs] * np.where(BITS[:, 2], p, 1 - p)
    chances = (1 - c) * followed + c * np.where(BITS, r, 1 - r).prod(axis=1)
    held = np.zeros(3)
    for counts in survey_counts("pair", n, chances, surveys, *kind):
        sampling = Counted(counts.astype(float), np.arange(8), np.zeros(8, np.intp))
        sides = []
        for says, answered in ((BITS[:, 0] * BITS[:, 1], 2), (BITS[:, 0], 1)):
            seen, noise = one_share(counts, says), (1 - KEEP) / 2**answered
            value, parts = (seen.value - noise) / KEEP, seen.parts / KEEP
            sides.append(Seen(replace(seen, value=value, parts=parts), (Press(-noise / KEEP, 1 / KEEP, answered),)))
        nuisance = by_rate(one_share(counts, BITS[:, 2]), p, r)
        low, high = interval(nuisance, sides[0], None, sampling, LEVEL)
        held[0] += low <= ANSWERS[3] <= high
        if sides[1].share.value - nuisance.share.value * sides[1].careless(np.array([r]))[0] > 0:
            low, high = interval(nuisance, sides[0], sides[1], sampling, LEVEL)
            held[1:] += low <= ANSWERS[3] / (ANSWERS[2] + ANSWERS[3]) <= high, 1
    return [held[0] / surveys, held[1] / held[2]]


def main(surveys: int = 4000) -> None:
    rows = []
    for name, n in product(WAYS, SIZES):
        cells = {
            (p, pi, kind): share_cell(name, n, p, pi, kind, surveys)
            for p, pi, kind in product(CHANCES, SHARES, KINDS)
            if "controls" not in name or not kind[2]
        }
        held, careless, below, width = np.array([*cells.values()]).T
        hidden = np.array([kind[2] > 0 for _, _, kind in cells])
        least = f"{below[hidden].min():.3f}" if hidden.any() else ""
        rows.append([name, n, len(cells), *(f"{one:.3f}" for one in (held.min(), held.mean(), careless.min(),
                     careless.mean())), least, f"{width.min():.2f} to {width.max():.2f}"])  # fmt: skip
        print(*rows[-1], file=sys.stderr, flush=True)
    heads = ["by", "people", "cells", "share: lowest", "mean", "careless: lowest", "mean", "low end below", "width"]
    print(as_table(heads, rows))
    rows = []
    for n in SIZES:
        followed = [kind for kind in KINDS if not kind[2] and kind[1] != 0.0]
        pairs = np.array([pair_cell(n, kind, surveys) for kind in followed])
        rows.append([n, *(f"{of(pairs[:, at]):.3f}" for at in (0, 1) for of in (np.min, np.mean))])
        print(*rows[-1], file=sys.stderr, flush=True)
    print(as_table(["people", "pair: lowest", "mean", "rule: lowest", "mean"], rows))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
