"""What one disguised answer can do to a belief: prior, posterior, breach, and the worst case of a channel.

The theory is Evfimievski, Gehrke and Srikant, "Limiting privacy breaches in privacy preserving data mining" (2003). A
channel is a matrix with P(output y | input x) at [x, y]; a prior is the distribution of the input; a property is a set
of inputs. Numbers may be floats or exact fractions (an array of `Fraction`), and stay what they are.

Background knowledge Z about a person only changes the prior, to P(X | Z = z): since the disguise does not depend on Z,
everything here holds for that prior as it does for any other.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.errors import InputError

Numbers = NDArray[Any]


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
        if self.after == self.before:
            return 1
        if self.after == 1 or self.before == 0:
            return math.inf
        return self.after * (1 - self.before) / (self.before * (1 - self.after))


def posterior(prior: ArrayLike, channel: ArrayLike, output: int) -> Numbers:
    """Compute P(X = x | Y = output) for every x, by Bayes.

    >>> posterior([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]], output=1).tolist()
    [0.25, 0.75]
    """
    before, matrix = _checked(prior, channel)
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
    _check_levels(rho1, rho2)
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
    before, matrix = _checked(prior, channel)
    possible = np.flatnonzero(before > 0)
    best = Breach((), 0, before[:0].sum(), before[:0].sum())
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
        cut = int(sure[0]) if len(sure) else int(np.argmax(s * outside_p / (p * outside_s)))
        chosen = tuple(sorted(map(int, possible[order[: cut + 1]])))
        breach = Breach(chosen, output, p[cut], 1 if len(sure) else s[cut] / total)
        if breach.amplification > best.amplification:
            best = breach
    return best


def worst_posterior(prior: ArrayLike, channel: ArrayLike, rho1: Any) -> Breach:
    """Find the property of prior at most ρ₁ that some output makes most likely.

    It answers whether there is any ρ₁→ρ₂ breach, and for which ρ₂. For the worst negative breach from ρ₂ take 1 − ρ₂
    here, and the complement of the property. One output is a knapsack problem: inputs are taken in order of likelihood,
    and only those pairs (prior, posterior) are kept that no other pair dominates (Nemhauser and Ullmann 1969) and that
    can still beat the best property known.

    >>> worst = worst_posterior([0.05, 0.95], [[0.75, 0.25], [0.25, 0.75]], rho1=0.05)
    >>> worst.inputs, worst.output, round(float(worst.after), 4)
    ((0,), 0, 0.1364)
    """
    before, matrix = _checked(prior, channel)
    best = Breach((), 0, before[:0].sum(), before[:0].sum())
    totals = before @ matrix
    outputs = [y for y in range(matrix.shape[1]) if totals[y] > 0]
    columns = {y: _knapsack_order(before, before * matrix[:, y] / totals[y]) for y in outputs}
    bounds = {y: _relaxed(before[order], values, rho1) for y, (order, values) in columns.items()}
    for output in sorted(outputs, key=lambda y: bounds[y], reverse=True):
        if bounds[output] <= best.after:
            break
        order, values = columns[output]
        chosen, after = _heaviest(before[order], values, rho1, best.after)
        if after > best.after:
            members = tuple(sorted(int(order[place]) for place in chosen))
            best = Breach(members, output, before[list(members)].sum(), after)
    return best


def _knapsack_order(before: Numbers, after: Numbers) -> tuple[Numbers, Numbers]:
    useful = np.flatnonzero(after > 0)
    order = useful[np.argsort(-(after[useful] / before[useful]), kind="stable")]
    return order, after[order]


def _relaxed(weights: Numbers, values: Numbers, capacity: Any) -> Any:
    """The value reached if the last input taken could be taken in part: an upper bound."""
    filled = np.cumsum(weights)
    whole = int(np.searchsorted(filled, capacity, side="right"))
    value = values[:whole].sum()
    if whole < len(weights):
        room = capacity - (filled[whole - 1] if whole else 0)
        value = value + values[whole] * (room / weights[whole])
    return value


def _heaviest(weights: Numbers, values: Numbers, capacity: Any, to_beat: Any) -> tuple[list[int], Any]:
    """Members and value of the subset of largest value, over `to_beat`, whose weight is at most the capacity."""
    load, worth = weights[:0].sum() * np.ones(1, weights.dtype), values[:0].sum() * np.ones(1, values.dtype)
    members: list[int] = [0]  # one bit per input, for each subset kept
    bundles = _bundles(weights, values)
    for (weight, value, inside), following in zip_longest(bundles, bundles[1:]):
        fits = np.flatnonzero(load + weight <= capacity)
        load = np.concatenate([load, load[fits] + weight])
        worth = np.concatenate([worth, worth[fits] + value])
        members += [members[old] | inside for old in fits]
        best = max(to_beat, worth.max())
        ratio = following[1] / following[0] if following else 0
        hopeful = (worth + (capacity - load) * ratio > best) | (worth == worth.max())
        order = np.lexsort((-worth, load))
        order = order[hopeful[order]]
        leading = np.maximum.accumulate(worth[order])
        order = order[np.concatenate([[True], leading[1:] > leading[:-1]])]
        load, worth, members = load[order], worth[order], [members[kept] for kept in order]
    top = int(np.argmax(worth))
    return [place for place in range(len(weights)) if members[top] >> place & 1], worth[top]


def _bundles(weights: Numbers, values: Numbers) -> list[tuple[Any, Any, int]]:
    """Inputs that are all alike, tied up by 1, 2, 4, … so that any number of them can be taken."""
    alike: dict[tuple[Any, Any], list[int]] = {}
    for place, kind in enumerate(zip(weights, values, strict=True)):
        alike.setdefault(kind, []).append(place)
    bundles = []
    for (weight, value), places in alike.items():
        left, count = places, 1
        while left:
            tied, left, count = left[:count], left[count:], 2 * count
            bundles.append((len(tied) * weight, len(tied) * value, sum(1 << place for place in tied)))
    return bundles


def _checked(prior: ArrayLike, channel: ArrayLike) -> tuple[Numbers, Numbers]:
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


def _check_levels(rho1: Any, rho2: Any) -> None:
    if not 0 < rho1 < rho2 < 1:
        raise InputError(f"rho1 = {rho1} and rho2 = {rho2} must satisfy 0 < rho1 < rho2 < 1")
