"""Long lists of words: one word a record, beside a seed and a bucket of a hash, for the pairs of 50 items.

    python -m benchmarks long_lists, or python -m benchmarks.bench_long_lists [--respondents 10000] [--simulated 100000]

With few words at the cap and many in the list, nearly all chance goes to words that are not true. Instead each record
may have a public seed, which hashes every word into one of B buckets, and name a bucket. Of a person's own words let h
be the buckets, q the base chance, c the cap, all in buckets; B·q + γ·c·q = 1, and

    P(bucket) = q·(1 + (γ−1)·f) for own buckets, q for others,   f = (1 − c/B)/(1 − h/B) up to c of them, c/h above

A word that is not true is in a bucket of its own draw, so that records support it with the chance P(some bucket)/B,
whatever else is true; f makes P(own bucket) less that the same for all people up to the cap:

    π̂_y = (share of records whose bucket y is in − share with a bucket / B)/(q·(γ−1)·(1 − c/B))

Both forms are judged as by the advisor: the root mean square error of pairs, exactly, with the bias of people above the
cap, at the worst of its three populations, with the best cap and number of buckets that bias clustered people's figures
by at most half a standard error. At .02 and below a pair is rarer than its error. The last line is a hash ax + b modulo
a prime, simulated: how many standard errors its estimates are from their means. γ is checked in whole numerators.
"""

import argparse
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.design.blocks.one_of.advise import Listed, lists_of
from privacy.design.blocks.one_of.expected import expect
from privacy.design.blocks.one_of.populations import CLUSTERED, COINCIDING, populations
from privacy.design.brief import yes_no
from privacy.design.rationals import ONE
from privacy.output import as_table

ITEMS = 50
WORDS = ITEMS * (ITEMS + 1) // 2
PRIME = 1277  # the least from WORDS on
PREVALENCES = (0.02, 0.05, 0.1)
GAMMAS = (9, 19)
CAPS = (1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 45, 65, 90, 120)
BUCKETS = (20, 40, 60, 80, 120, 180, 270, 400, 600)
MEANT = 0.3  # of the variance of one word
SEED = 56


def main() -> list[tuple[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--respondents", type=int, default=10_000)
    parser.add_argument("--simulated", type=int, default=100_000)
    given = parser.parse_args()
    rows: list[list[object]] = []
    ratios = []
    for gamma in GAMMAS:
        for share in PREVALENCES:
            one, cap = _one_word(share, gamma, given.respondents)
            hashed, best = min(
                (_hashed(share, gamma, cap, size, given.respondents), (cap, size))
                for size in BUCKETS
                for cap in CAPS
                if 2 * cap < size
            )
            assert _exact_gamma(*best, gamma) <= gamma
            rows.append([gamma, share, one, f"{cap:g} answers", hashed, *best, (hashed / one) ** 2])
            ratios.append(
                (
                    f"γ {gamma}, p {share}: mean square of a hash / {MEANT} of that of one word",
                    (hashed / one) ** 2 / MEANT,
                )
            )
    print(as_table(["gamma", "p", "one word", "cap", "hash", "cap", "buckets", "of its mean square"], rows))
    one, hashed = (WORDS + 19 * 6) / 18**2, _small(6, 80, 19)
    print(f"\nn·Var of a rare pair, cap of six words: {one:.3g}, hashed {hashed:.3g} ({hashed / one:.2f}).")
    print("Simulated:", ", ".join(f"{z:.2f}" for z in _simulate(given.simulated)), "standard errors from the mean.")
    return ratios


def _one_word(share: float, gamma: int, respondents: int) -> tuple[float, float]:
    """The least error of pairs by a list, and its cap in answers."""
    expected = expect(yes_no(ITEMS, share), (0,) * ITEMS, 2)
    listed = [
        Listed(Fraction(cap, 4), (Fraction(1), Fraction(weight, 10)), Fraction(0))
        for cap in range(4, 80, 2)
        for weight in (3, 6, 10)
    ]
    errors, tolerable = expected.errors(lists_of([ITEMS, WORDS - ITEMS], gamma, listed), respondents)
    best = int(np.argmin(np.where(tolerable, errors[1], np.inf)))
    return float(errors[1, best]), float(listed[best].cap)


@lru_cache(maxsize=16)
def _occupied(buckets: int) -> Floats:
    """P(so many buckets, columns, have one of so many words, rows)."""
    made = np.zeros((WORDS + 1, buckets + 1))
    made[0, 0] = 1
    taken = np.arange(buckets + 1) / buckets
    for words in range(WORDS):
        made[words + 1] = made[words] * taken
        made[words + 1, 1:] += made[words, :-1] * (1 - taken[:-1])
    return made


@lru_cache(maxsize=16)
def _counted(share: float) -> list[tuple[Any, ...]]:
    """Of each population its name, P(so many answers), and P(a pair is true and so many are) of some pairs."""
    pairs = [((first, 1), (second, 1)) for first in range(5) for second in range(first + 1, 6)]
    made = populations((((1, share),),) * ITEMS)
    return [(one.name, *one.count_answers([(), *pairs], ITEMS)) for one in made]


def _hashed(share: float, gamma: float, cap: int, buckets: int, respondents: int) -> float:
    """The error of pairs in the worst of the populations; where items coincide, of the mean of all pairs."""
    q = 1 / (buckets + gamma * cap)
    h = np.arange(buckets + 1)
    f = np.where(h <= cap, (1 - cap / buckets) / np.maximum(1 - h / buckets, 1 / buckets), cap / np.maximum(h, 1))
    words = np.arange(ITEMS + 1) * np.arange(1, ITEMS + 2) // 2
    of_count = _occupied(buckets)[words]
    own, any_bucket = of_count @ (q + q * (gamma - 1) * f), of_count @ (buckets * q + q * (gamma - 1) * f * h)
    kept = of_count @ (f * (1 - h / buckets) / (1 - cap / buckets))
    worst = 0.0
    for name, every, *counted in _counted(share):
        squares = []
        for true in counted:
            supports = true @ own + (every - true) @ any_bucket / buckets
            shown = every @ any_bucket
            square = supports * (1 - 1 / buckets) ** 2 + (shown - supports) / buckets**2
            unit = q * (gamma - 1) * (1 - cap / buckets)
            bias = true @ kept - true.sum()
            mean = (true @ kept) * unit
            variance = (square - mean**2) / unit**2 / respondents
            if name == CLUSTERED and bias**2 > variance / 4:
                return inf
            squares.append(variance + bias**2)
        some = [squares[0], squares[1], squares[3], squares[-1]]  # two that coincide; of two such; one of them; neither
        times = [2, 4, 184, WORDS - ITEMS - 190] if name == COINCIDING else [1, 0, 0, 0]
        worst = max(worst, float(np.dot(some, times) / sum(times)) ** 0.5)
    return worst


def _small(cap: int, buckets: int, gamma: float) -> float:
    """n·Var of a word that hardly anybody has, of people of whom half the cap is true."""
    q = 1 / (buckets + gamma * cap)
    shown = buckets * q + (gamma - 1) * q * cap / 2
    return shown / buckets * (1 - 1 / buckets) / (q * (gamma - 1) * (1 - cap / buckets)) ** 2


def _numerators(cap: int, buckets: int, gamma: int, own: int) -> tuple[int, int, int]:
    """Of a person with so many own buckets: the chance of another bucket, of an own one, and of none."""
    base = ONE // (buckets + gamma * cap)
    part = Fraction(buckets - cap, buckets - own) if own <= cap else Fraction(cap, own)
    chance = base + int(base * (gamma - 1) * part)
    return base, chance, ONE - (buckets - own) * base - own * chance


def _exact_gamma(cap: int, buckets: int, gamma: int) -> Fraction:
    """The largest quotient of one record's chances, over all numbers of own buckets."""
    every = [_numerators(cap, buckets, gamma, own) for own in range(buckets + 1)]
    blanks = [blank for _, _, blank in every]
    assert min(blanks) > 0
    return max(*(Fraction(own, base) for base, own, _ in every[1:]), Fraction(max(blanks), min(blanks)))


def _simulate(people: int, cap: int = 6, buckets: int = 80, gamma: int = 19, share: float = 0.02) -> list[float]:
    """z of a single, a pair true of .05 of people, and a pair true of nobody; of people up to the cap."""
    random = np.random.default_rng(SEED)
    answers = random.random((people, ITEMS)) < share
    answers[:, 0] = answers[:, 1] = random.random(people) < 0.05
    answers[:, 2] &= ~answers[:, 3]
    number = {pair: ITEMS + place for place, pair in enumerate(combinations(range(ITEMS), 2))}
    slope, start = random.integers(1, PRIME, people), random.integers(0, PRIME, people)
    sent = np.full(people, -1)
    below = answers.sum(axis=1) <= 3
    for person in np.flatnonzero(below):
        items = np.flatnonzero(answers[person]).tolist()
        own = [*items, *(number[pair] for pair in combinations(items, 2))]
        mine = np.unique((slope[person] * np.array(own, int) + start[person]) % PRIME % buckets)
        base, chance, _ = _numerators(cap, buckets, gamma, len(mine))
        chances = np.full(buckets, base)
        chances[mine] = chance
        ends = np.cumsum(chances)
        draw = random.integers(ONE)
        sent[person] = np.searchsorted(ends, draw, side="right") if draw < ends[-1] else -1
    slope, start, sent, answers = slope[below], start[below], sent[below], answers[below]
    q = ONE // (buckets + gamma * cap) / ONE
    made = []
    for word, truth in (
        (5, answers[:, 5]),
        (number[0, 1], answers[:, 0]),
        (number[2, 3], answers[:, 2] & answers[:, 3]),
    ):
        bucket = (slope * word + start) % PRIME % buckets
        weights = ((sent == bucket) - (sent >= 0) / buckets) / (q * (gamma - 1) * (1 - cap / buckets))
        made.append(float((weights.mean() - truth.mean()) / (weights.std() / len(sent) ** 0.5)))
    return made


if __name__ == "__main__":
    main()
