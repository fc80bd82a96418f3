"""SVIM and SVSM: itemsets under local differential privacy by padding and sampling (Wang, Li and Jha 2018).

Written from the paper, to be compared with. A *frequency oracle* asks each person for one value at ε: by GRR, which
sends the own value more often than each other one, or by OLH, which does the same with a hash of it. Padding and
sampling, PSFO(ℓ, oracle, ε): a person fills the own values up to ℓ with dummies and draws one, and what the oracle
counts is multiplied by ℓ. GRR of a sample may use ε' = ln(ℓ(e^ε − 1) + 1), and is chosen where its variance is less,
which is for d < ℓ(4ℓ − 1)e^ε + 1 values.

Five groups of people: three find the k commonest items (SVIM: candidates, how many of them people have, shares), two
the k likeliest itemsets of these (SVSM: how many of 2k people have, shares). ℓ is the 90 % quantile of how many people
have. What those with more lose is added by equation (10), with the factor ℓ that the errata of its authors put into
two of its three terms. Half of the people are in the first three groups, .4, .1 and .5 of them; the other two have .2
and .8. Numbers of values count above the threshold of significance that the same authors state for oracles (Wang,
Blocki, Li and Jha 2017).
"""

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, log
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats

GROUPS = (0.2, 0.05, 0.25, 0.1, 0.4)
LEVEL = 0.05  # of the threshold of sizes
QUANTILE, GUESS = 0.9, 0.9
Truth = NDArray[np.bool_]
"""What is true of whom: people × items, or people × itemsets."""
Itemset = tuple[int, ...]


@dataclass(frozen=True)
class PaddedShares:
    """Estimated shares of people with each value, and the error of a share near 0, as the paper states it."""

    share: Floats
    error: float


def uses_grr(values: int, padded: int, epsilon: float) -> bool:
    """Whether GRR has the smaller variance for this number of values; else OLH has."""
    return values < padded * (4 * padded - 1) * exp(epsilon) + 1


def grr(values: NDArray[np.intp], domain: int, epsilon: float, random: np.random.Generator) -> PaddedShares:
    """GRR: each person sends the own of `domain` values, or any other; n·Var = (domain − 2 + e^ε)/(e^ε − 1)² near 0."""
    people, e = len(values), exp(epsilon)
    p, q = e / (e + domain - 1), 1 / (e + domain - 1)
    others = random.integers(0, domain - 1, people)
    sent = np.where(random.random(people) < p, values, others + (others >= values))
    share = (np.bincount(sent, minlength=domain) / people - q) / (p - q)
    return PaddedShares(share, ((domain - 2 + e) / people) ** 0.5 / (e - 1))


def olh(values: NDArray[np.intp], domain: int, epsilon: float, random: np.random.Generator) -> PaddedShares:
    """OLH: the same on random hashes into g = e^ε + 1 values, one for each person; n·Var = 4e^ε/(e^ε − 1)² near 0."""
    people, e = len(values), exp(epsilon)
    g = round(e) + 1
    p = e / (e + g - 1)
    hashes = random.integers(0, g, (people, domain))
    own = hashes[np.arange(people), values]
    others = random.integers(0, g - 1, people)
    sent = np.where(random.random(people) < p, own, others + (others >= own))
    share = ((hashes == sent[:, np.newaxis]).mean(axis=0) - 1 / g) / (p - 1 / g)
    return PaddedShares(share, (4 * e / people) ** 0.5 / (e - 1))


def pad_and_sample(
    truth: Truth, padded: int, epsilon: float, random: np.random.Generator, by_grr: bool | None = None
) -> PaddedShares:
    """PSFO: the share of people with each value, but for what those with more than `padded` of them lose."""
    values = truth.shape[1]
    has = truth.sum(axis=1)
    place = random.integers(0, np.maximum(has, padded))
    drawn = (truth.cumsum(axis=1) <= place[:, np.newaxis]).sum(axis=1)
    dummy = place >= has
    drawn[dummy] = values + (place - has)[dummy]
    if uses_grr(values, padded, epsilon) if by_grr is None else by_grr:
        counted = grr(drawn, values + padded, log(padded * (exp(epsilon) - 1) + 1), random)
    else:
        counted = olh(drawn, values + padded, epsilon, random)
    return PaddedShares(counted.share[:values] * padded, counted.error * padded)


def count_sizes(truth: Truth, epsilon: float, random: np.random.Generator) -> Floats:
    """The estimated share of people with each number of values, from none to all; 0 where it may be noise.

    Without a threshold, noise at the many large numbers that nobody has would decide what ℓ is and what is added.
    """
    sizes = truth.shape[1] + 1
    oracle = grr if uses_grr(sizes, 1, epsilon) else olh
    counted = oracle(truth.sum(axis=1), sizes, epsilon, random)
    least = NormalDist().inv_cdf(1 - LEVEL / sizes) * counted.error
    shares = np.where(counted.share > least, counted.share, 0.0)
    if not shares[1:].any():
        shares[1 + np.argmax(counted.share[1:])] = 1.0
    return shares


def padding_of(sizes: Floats) -> int:
    """The least ℓ that is enough for 90 % of those who have any value."""
    reached = np.cumsum(sizes[1:])
    return int(np.argmax(reached >= QUANTILE * reached[-1])) + 1


def lost_factor(sizes: Floats, padded: int) -> float:
    """Equation (10): by how much shares are too low, where people with more than ℓ values draw one of them."""
    numbers = np.arange(len(sizes))
    kept = float((sizes * np.minimum(numbers, padded)).sum())
    return float((sizes * numbers).sum()) / kept if kept > 0 else 1.0


def svsm(
    items: Truth, wanted: int, longest: int, epsilon: float, random: np.random.Generator
) -> dict[Itemset, tuple[float, float]]:
    """The k itemsets with the largest estimated shares, each with its estimate and the error by the stated variance."""
    ends = np.rint(np.cumsum((0.0, *GROUPS)) * len(items)).astype(int)
    order = random.permutation(len(items))
    groups = [order[begin:end] for begin, end in pairwise(ends.tolist())]
    first = pad_and_sample(items[groups[0]], 1, epsilon, random)
    candidates = np.sort(np.argsort(-first.share, kind="stable")[: 2 * wanted])
    found = _measure(items[:, candidates], groups[1], groups[2], epsilon, random)
    best = np.argsort(-found.share, kind="stable")[:wanted]
    single = {int(candidates[one]): float(found.share[one]) for one in best}
    made: dict[Itemset, tuple[float, float]] = {(item,): (share, found.error) for item, share in single.items()}
    sets = _likely_itemsets(single, 2 * wanted, longest)
    truth = np.stack([items[:, list(one)].all(axis=1) for one in sets], axis=1)
    more = _measure(truth, groups[3], groups[4], epsilon, random)
    made |= {one: (float(share), more.error) for one, share in zip(sets, more.share, strict=True)}
    return dict(sorted(made.items(), key=lambda one: -one[1][0])[:wanted])


def _measure(
    truth: Truth, some: NDArray[np.intp], others: NDArray[np.intp], epsilon: float, random: np.random.Generator
) -> PaddedShares:
    """The shares of values: some people tell how many each has, from which ℓ follows, the others what they have."""
    sizes = count_sizes(truth[some], epsilon, random)
    padded = padding_of(sizes)
    counted, factor = pad_and_sample(truth[others], padded, epsilon, random), lost_factor(sizes, padded)
    return PaddedShares(counted.share * factor, counted.error * factor)


def _likely_itemsets(single: dict[int, float], most: int, longest: int) -> list[Itemset]:
    """Sets of two items and more by the product of their shares, each as a part of .9 of the largest."""
    largest = max(single.values())
    guess = {item: GUESS * max(share, 0.0) / largest for item, share in single.items()}
    sets = [one for length in range(2, longest + 1) for one in combinations(sorted(guess), length)]
    guesses = np.array([np.prod([guess[item] for item in one]) for one in sets])
    return [sets[one] for one in np.argsort(-guesses, kind="stable")[:most]]
