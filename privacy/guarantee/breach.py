"""What one disguised answer can do to a belief: prior, posterior, breach, and the worst case of a channel.

The theory is Evfimievski, Gehrke and Srikant, "Limiting privacy breaches in privacy preserving data mining" (2003). A
channel is a matrix with P(output y | input x) at [x, y]; a prior is the distribution of the input; a property is a set
of inputs. Numbers may be floats or exact fractions (an array of `Fraction`), and stay what they are.

Background knowledge Z about a person only changes the prior, to P(X | Z = z): since the disguise does not depend on Z,
everything here holds for that prior as it does for any other.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import accumulate
from math import floor, lcm
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.errors import InputError

Numbers = NDArray[Any]
_Filling = tuple[int, "_Filling"] | None


@dataclass(frozen=True)
class Breach:
    """A property (its inputs), an output, and the belief in the property before and after seeing the output."""

    inputs: tuple[int, ...]
    output: int
    before: Any
    after: Any

    @property
    def amplification(self) -> Any:
        """How many times the odds of the property grew; never more than γ."""
        return odds_growth(self.before, self.after)


def odds_growth(before: Any, after: Any) -> Any:
    """Compute how many times the odds of a belief grew.

    >>> odds_growth(Fraction(1, 20), Fraction(1, 2))
    Fraction(19, 1)
    """
    if after == before:
        return 1
    if after == 1 or before == 0:
        return math.inf
    return after * (1 - before) / (before * (1 - after))


def posterior(prior: ArrayLike, channel: ArrayLike, output: int) -> Numbers:
    """Compute P(X = x | Y = output) for every x, by Bayes.

    >>> posterior([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], output=1).tolist()
    [0.25, 0.75]
    """
    before, matrix = _check_chances(prior, channel)
    joint = before * matrix[:, output]
    if joint.sum() == 0:
        raise InputError(f"output {output} cannot occur under this prior")
    return joint / joint.sum()


def belief(distribution: ArrayLike, inputs: Iterable[int]) -> Any:
    """Compute the probability of a property, the inputs that have it, under a prior or a posterior.

    >>> float(belief([0.2, 0.5, 0.3], {1, 2}))
    0.8
    """
    return _numbers(distribution)[sorted(set(inputs))].sum()


def breach_limit(rho1: Any, rho2: Any) -> Any:
    """Compute ρ₂(1−ρ₁) / (ρ₁(1−ρ₂)): where γ is below it, no ρ₁→ρ₂ breach is possible, either way.

    >>> from fractions import Fraction
    >>> breach_limit(Fraction(1, 20), Fraction(1, 2))
    Fraction(19, 1)
    """
    if not 0 < rho1 < rho2 < 1:
        raise InputError(f"rho1 = {rho1} and rho2 = {rho2} must satisfy 0 < rho1 < rho2 < 1")
    return rho2 * (1 - rho1) / (rho1 * (1 - rho2))


def worst_breach(prior: ArrayLike, channel: ArrayLike) -> Breach:
    """Find the property and the output with the largest amplification of odds, over all 2^|V| properties.

    For one output the amplification is s(1−p) / (p(S−s)), where p is the prior of the property, s its joint
    probability with the output and S that of the output. On (p, s) its level curves are concave above the diagonal and
    the properties lie in a polygon whose corners are the inputs taken in order of likelihood (Neyman and Pearson), so
    that no other property can do better than the best corner.

    >>> worst = worst_breach([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]])
    >>> worst.inputs, float(worst.amplification)
    ((0,), 3.0)
    """
    return worst_of_whole(*map(without_fractions, _check_chances(prior, channel)))


def worst_of_whole(before: Numbers, matrix: Numbers) -> Breach:
    """Do `worst_breach` for a checked prior and channel that are scaled by `without_fractions`.

    >>> worst_of_whole(np.array([1, 1], object), np.array([[3, 1], [1, 3]], object)).amplification
    Fraction(3, 1)
    """
    possible = np.flatnonzero(before > 0)
    best = Breach((), 0, 0, 0)
    for output in range(matrix.shape[1]):
        likelihood = matrix[possible, output]
        order = np.argsort(-likelihood, kind="stable")
        inside, mass = before[possible][order], (before[possible] * likelihood)[order]
        total = mass.sum()
        if total == 0 or len(possible) == 1:
            continue
        # Sums from the far end keep an exact zero where nothing is left outside.
        p, outside_p = np.cumsum(inside)[:-1], np.cumsum(inside[::-1])[::-1][1:]
        s, outside_s = np.cumsum(mass)[:-1], np.cumsum(mass[::-1])[::-1][1:]
        sure = np.flatnonzero(outside_s == 0)
        cut = int(sure[0]) if len(sure) else _largest(s * outside_p, p * outside_s)
        chosen = tuple(sorted(map(int, possible[order[: cut + 1]])))
        after = 1 if len(sure) else _share(s[cut], total)
        breach = Breach(chosen, output, _share(p[cut], before.sum()), after)
        if breach.amplification > best.amplification:
            best = breach
    return best


def _largest(above: Numbers, below: Numbers) -> int:
    """The place of the largest ratio; floats first narrow down the candidates."""
    ratios = (above / below).astype(float)
    near = np.flatnonzero(ratios >= ratios.max() * (1 - 1e-9)).tolist()
    return max(near, key=lambda place: _share(above[place], below[place]))


def _share(part: Any, whole: Any) -> Any:
    return Fraction(part, whole) if isinstance(part, int) else part / whole


def without_fractions(numbers: Numbers) -> Numbers:
    """Turn exact fractions into whole numbers of the same proportions, which are faster to compute with; floats stay.

    >>> without_fractions(np.array([Fraction(1, 2), Fraction(1, 3)], object)).tolist()
    [3, 2]
    """
    if numbers.dtype != object:
        return numbers
    exact = [Fraction(number) for number in numbers.ravel()]
    common = lcm(*{number.denominator for number in exact})
    whole = [number.numerator * (common // number.denominator) for number in exact]
    return np.array(whole, object).reshape(numbers.shape)


def surest(prior: ArrayLike, channel: ArrayLike, most: Any) -> Breach | None:
    """Find the property of a prior of `most` or less that an output makes surest; None where every input is more likely
    than that.

    For one output that is a knapsack: each input weighs its prior and is worth its joint probability with the output.
    Inputs in order of likelihood, the last one taken in part, bound it (Dantzig), and those of them that fit are a
    first answer. So few outputs are looked at, and few fillings of each.

    >>> found = surest([0.5, 0.3, 0.2], [[0.5, 0.5], [0.75, 0.25], [0.75, 0.25]], 0.5)
    >>> found.inputs, found.output, round(float(found.after), 4)
    ((0,), 1, 0.6667)
    """
    before, matrix = (without_fractions(numbers.astype(object)) for numbers in _check_chances(prior, channel))
    return surest_of_whole(before, matrix, most)


def surest_of_whole(before: Numbers, matrix: Numbers, most: Any) -> Breach | None:
    """Do `surest` for a checked prior and channel that are scaled by `without_fractions`.

    >>> found = surest_of_whole(np.array([5, 3, 2], object), np.array([[2, 2], [3, 1], [3, 1]], object), 0.5)
    >>> found.inputs, found.output, found.after
    ((0,), 1, Fraction(2, 3))
    """
    everybody, totals = before.sum(), before @ matrix
    room = floor(everybody * Fraction(most))
    inputs = [place for place in np.flatnonzero(before > 0).tolist() if before[place] <= room]
    weight_of = before.tolist()
    tasks: dict[tuple[Any, ...], tuple[Fraction, int, list[int], _Knapsack]] = {}
    for output in np.flatnonzero(totals > 0).tolist():
        likelihood = matrix[:, output].tolist()
        order = sorted(inputs, key=lambda place: (-likelihood[place], weight_of[place]))
        knapsack = _Knapsack([weight_of[x] for x in order], [weight_of[x] * likelihood[x] for x in order])
        bound = Fraction(knapsack.bound(0, room), totals[output])
        tasks.setdefault((totals[output], *knapsack.weights, *knapsack.worths), (bound, output, order, knapsack))
    best: Breach | None = None

    def better(output: int, order: list[int], filled: tuple[int, list[int]]) -> Breach | None:
        worth, places = filled
        after = Fraction(worth, totals[output])
        if not places or (best is not None and after <= best.after):
            return best
        chosen = tuple(sorted(order[place] for place in places))
        return Breach(chosen, output, Fraction(before[list(chosen)].sum(), everybody), after)

    for _bound, output, order, knapsack in tasks.values():
        best = better(output, order, knapsack.greedy(room))
    for bound, output, order, knapsack in sorted(tasks.values(), key=lambda task: (-task[0], task[1])):
        if best is None or bound <= best.after:
            break
        best = better(output, order, knapsack.fill(room, floor(best.after * totals[output])))
    return best


class _Knapsack:
    """Things with whole weights and worths, in the order of their worth per weight.

    Fillings are kept only where none is lighter and worth as much, and where what still fits could make them the best
    (Nemhauser and Ullmann 1969).
    """

    def __init__(self, weights: Sequence[int], worths: Sequence[int]) -> None:
        self.weights, self.worths = weights, worths
        self._weight, self._worth = [0, *accumulate(weights)], [0, *accumulate(worths)]

    def bound(self, first: int, room: int) -> int:
        """The largest worth of the things from `first` on, if one of them may be cut."""
        last = bisect_right(self._weight, self._weight[first] + room) - 1
        worth = self._worth[last] - self._worth[first]
        if last == len(self.weights):
            return worth
        return worth + self.worths[last] * (room - self._weight[last] + self._weight[first]) // self.weights[last]

    def greedy(self, room: int) -> tuple[int, list[int]]:
        """Take things in order, each if it still fits; return their worth and the list of them."""
        places = []
        for index, weight in enumerate(self.weights):
            if weight <= room:
                room -= weight
                places.append(index)
        return sum(self.worths[place] for place in places), places

    def fill(self, room: int, least: int) -> tuple[int, list[int]]:
        """The largest worth that fits and is above `least`, with its things; nothing where there is none."""
        fillings: list[tuple[int, int, _Filling]] = [(0, 0, None)]
        best: tuple[int, int, _Filling] = (0, least, None)
        for index, (weight, worth) in enumerate(zip(self.weights, self.worths, strict=True)):
            more = [(w + weight, v + worth, (index, own)) for w, v, own in fillings if w + weight <= room]
            best = max(best, *more, key=itemgetter(1)) if more else best
            kept, most = [], -1
            for filling in merge(fillings, more, key=lambda one: (one[0], -one[1])):
                if filling[1] > most:
                    most = filling[1]
                    if most + self.bound(index + 1, room - filling[0]) > best[1]:
                        kept.append(filling)
            fillings = kept
        places, chain = [], best[2]
        while chain is not None:
            places.append(chain[0])
            chain = chain[1]
        return best[1], places


def _check_chances(prior: ArrayLike, channel: ArrayLike) -> tuple[Numbers, Numbers]:
    before, matrix = _numbers(prior), _numbers(channel)
    if before.ndim != 1 or matrix.ndim != 2 or len(before) != len(matrix):
        raise InputError(f"a prior of shape {before.shape} does not fit a channel of shape {matrix.shape}")
    for name, rows in (("prior", before[None]), ("channel", matrix)):
        sums = rows.sum(axis=1)
        if (rows < 0).any() or (abs(sums - 1) > 1e-9).any():
            raise InputError(f"{name}: every row must be a distribution, not negative and with sum 1")
    return before, matrix


def _numbers(values: ArrayLike) -> Numbers:
    array = np.asarray(values)
    return array if array.dtype == object else array.astype(float)
