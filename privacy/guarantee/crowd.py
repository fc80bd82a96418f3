"""What a crowd adds: the (ε, δ) of a release in which nothing tells whose record is whose.

Sealed records have no order. So beside γ, which holds for a record that somebody could pick out, stands what all
records together tell about one person, if nothing but the record could be used to pick it out.

With n people who answer disguised, and the blanket of `privacy.design.blankets` with its share β, Balle, Bell, Gascón
and Nissim (2019) show that for two truths x and x'

    δ(ε) ≤ E[(L_1 + … + L_M)₊] / (β n),   L = (R(W|x) − e^ε R(W|x'))/ω(W),   M binomial (n, β).

The expectation is computed on a grid. Each L is split between its two neighbours there so that its mean stays: what
is convex in it can only grow by that, so the figure is an upper bound. Sums are taken by a Fourier transform. The
truths are those of the worst pair that the blocks name, and ε is bisected.

One yes/no item alone has an exact figure (`_by_count`). What its records tell is how many of them say yes: of n − 1
others of whom k would truly say so a sum of two binomials, and the person's own answer beside. Others whose answer is
left out can only have hidden, so what holds of a few noes and few yeses holds of more: whole ranges of k are settled at
once, and halved where they are not. Where a coin hides more than two answers, the others may truly give a third one;
then the blanket is 3 % above what is exact for 100 people, and .3 % for 400.

Where a block names no blanket, or where there are too many pairs, the closed form of Feldman, McMillan and Talwar
(Hiding among the clones, 2021, theorem 3.1) takes its place. It needs γ alone, and a crowd large enough for it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from privacy.design import Block, Design
from privacy.design.blankets import Atoms, Blanket, join_atoms
from privacy.design.channels import Floats
from privacy.errors import InputError
from privacy.guarantee.bounds import epsilon as epsilon_of

LEAST_DELTA = 1e-9  # below it the transform's own errors would count
_MOST_PAIRS = 300
_STEPS = 40  # of the grid to one standard deviation of L
_LONGEST_GRID = 1 << 20
_OUTSIDE = math.log(1e18)  # the sum lies outside the grid with a chance of e^−this at most
_PRECISION = 1e-4  # of ε
_BEYOND = 700.0  # an ε of which e^ε is nearly no float: no crowd hides anything of such a record


@dataclass(frozen=True)
class Crowd:
    """What the unordered records of so many people tell about one of them. `epsilon` is infinite where γ is."""

    epsilon: float
    delta: float
    n: int


def promise_of_crowd(design: Design, respondents: int, delta: float = 1e-6) -> Crowd:
    """Compute the ε of the shuffled records of a crowd, for this δ.

    `respondents` answer disguised and share everything that can be seen beside it: the smallest such crowd. `delta` is
    the chance with which more may be revealed. ε is never less than what is true, and at most ln γ.

    >>> warner = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs"]})
    >>> round(promise_of_crowd(warner, 1000).epsilon, 2)
    0.38
    """
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not at least 1.")
    if not LEAST_DELTA <= delta < 1:
        raise InputError(f"delta: {delta} is outside {LEAST_DELTA:g} to 1.")
    alone = epsilon_of(design.gamma)
    if not 0 < alone < _BEYOND:
        return Crowd(alone, delta, respondents)
    best = min(alone, _by_clones(alone, respondents, delta))
    if len(design.items) == 1 and design.items[0].has_options and len(design.items[0].options) == 2:
        return Crowd(min(best, _by_count(design.blocks[0], respondents, delta, best)), delta, respondents)
    blanket = _by_blanket(design, respondents, delta, best)
    return Crowd(min(best, blanket), delta, respondents)


def _by_clones(alone: float, n: int, delta: float) -> float:
    """The ε of the closed form, from γ = e^`alone`; infinite where the crowd is too small for it."""
    gamma = math.exp(alone)
    if gamma > n / (16 * math.log(2 / delta)):
        return math.inf
    many = 8 * math.sqrt(gamma * math.log(4 / delta) / n) + 8 * gamma / n
    return math.log1p((gamma - 1) / (gamma + 1) * many)


def _by_count(block: Block, n: int, delta: float, known: float) -> float:
    """The least ε, to a thousandth, for one yes/no answer and any answers of the others, if it is below `known`."""
    no, yes = (float(block.chance([0], [truth], [1])) for truth in (0, 1))

    @cache
    def others(noes: int, yeses: int) -> Floats:
        """The chances of each number of stored yeses, of others of whom so many would truly say no and yes."""
        one, other = _binomial(noes, no), _binomial(yeses, yes)
        size = 1 << (len(one) + len(other)).bit_length()
        return np.maximum(np.fft.irfft(np.fft.rfft(one, size) * np.fft.rfft(other, size), size), 0.0)

    def hides(noes: int, yeses: int, epsilon: float) -> bool:
        """Whether (ε, δ) holds of the person's answer among these others."""
        rest = np.append(others(noes, yeses), 0.0)
        said, unsaid = ((1 - p) * rest + p * np.roll(rest, 1) for p in (yes, no))
        excess = (
            np.maximum(one - math.exp(epsilon) * other, 0).sum() for one, other in ((said, unsaid), (unsaid, said))
        )
        return max(excess) + 1e-13 <= delta

    def holds(epsilon: float) -> bool:
        """Whether (ε, δ) holds of the person's answer, whatever the others would truly say."""
        ranges = [(0, n - 1)]  # of how many others would truly say yes
        while ranges:
            least, most = ranges.pop()
            if not hides(n - 1 - most, least, epsilon):
                if least == most:
                    return False
                middle = (least + most) // 2
                ranges += [(least, middle), (middle + 1, most)]
        return True

    low, high = 0.0, known
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        low, high = (low, middle) if hides(n - 1, 0, middle) and hides(0, n - 1, middle) else (middle, high)
    while high < known and not holds(high := high * 1.001):
        pass
    return high


def _binomial(n: int, chance: float) -> Floats:
    """Return the chances of a binomial for the numbers of successes that matter."""
    reach = math.sqrt(2 * n * chance * (1 - chance) * _OUTSIDE) + _OUTSIDE
    first, last = max(math.floor(n * chance - reach), 0), min(math.ceil(n * chance + reach), n)
    places = np.arange(first, last)
    logs = np.append(0.0, np.cumsum(np.log((n - places) / (places + 1) * (chance / (1 - chance)))))
    chances: Floats = np.exp(logs - logs.max())
    return chances / chances.sum()


def _by_blanket(design: Design, n: int, delta: float, known: float) -> float:
    """The ε of the worst pair of truths, by the blankets; infinite where it is not below the `known` ε."""
    blankets = [block.blanket for block in design.blocks]
    named = [blanket for blanket in blankets if blanket is not None]
    pairs = list(_pairs(named)) if len(named) == len(blankets) else []
    if not pairs:
        return math.inf
    beta = math.prod(blanket.share for blanket in named)
    worst = 0.0
    for pair in pairs:
        if _delta(pair, beta, n, known) > delta:
            return math.inf  # nothing is gained over what is known
        if _delta(pair, beta, n, worst) <= delta:
            continue
        low, high = worst, known
        while high - low > _PRECISION * high:
            middle = (low + high) / 2
            low, high = (middle, high) if _delta(pair, beta, n, middle) > delta else (low, middle)
        worst = high
    return worst


def _pairs(blankets: list[Blanket]) -> Iterator[Atoms]:
    """Every pair of truths that may be the worst; equal blocks may come in any order. None if there are too many."""
    alike = [(blanket, blankets.count(blanket)) for blanket in dict.fromkeys(blankets)]
    if math.prod(math.comb(len(one.pairs) + count - 1, count) for one, count in alike) > _MOST_PAIRS:
        return
    for chosen in product(*(combinations_with_replacement(one.pairs, count) for one, count in alike)):
        yield join_atoms(atoms for group in chosen for atoms in group)


def _delta(pair: Atoms, beta: float, n: int, epsilon: float) -> float:
    """The bound on δ: E[(Σ Z)₊]/(βn) over n people, where Z is L with the chance β and else 0."""
    values = np.array(pair.one) - math.exp(epsilon) * np.array(pair.other)
    chances = beta * np.array(pair.chance)
    mean = float(chances @ values)
    deviation = math.sqrt(max(float(chances @ values**2) - mean**2, 0.0))
    largest = float(np.abs(values - mean).max())
    # Bernstein: beyond `reach` from its mean the sum has no chance that counts.
    reach = math.sqrt(2 * n * _OUTSIDE) * deviation + 2 / 3 * _OUTSIDE * largest
    if n * mean + reach <= 0:
        return 0.0
    step = max(deviation / math.sqrt(beta) / _STEPS, 2 * reach / _LONGEST_GRID)
    size = 1 << math.ceil(math.log2(2 * reach / step + 4))
    sums = _distribution_of_sum(values / step, chances, n, size)
    # Places on the circle of the transform, each read as the one nearest to the mean of the sum.
    first = math.floor(n * mean / step) - size // 2
    positions = first + np.arange(size)
    positive = positions > 0
    expected = float(sums[positions[positive] % size] @ (positions[positive] * step))
    return (expected + 1e-15 * reach) / (beta * n)


def _distribution_of_sum(places: Floats, chances: Floats, n: int, size: int) -> Floats:
    """The distribution of the sum of n draws, each split between two places of a circle so that its mean stays."""
    one = np.zeros(size)
    below = np.floor(places)
    above = places - below
    np.add.at(one, below.astype(np.int64) % size, chances * (1 - above))
    np.add.at(one, (below.astype(np.int64) + 1) % size, chances * above)
    one[0] += 1 - chances.sum()
    sums: Floats = np.fft.irfft(np.fft.rfft(one) ** n, size)
    return np.maximum(sums, 0.0)
