"""Measures of privacy and of loss on finite distributions, channels and tables.

A joint distribution has P(x, y) at [x, y]; a channel has P(output y | input x) at [x, y], so that `joint(prior,
channel)` is their joint distribution. Entropies are in bits. The measures are those of information theory (Shannon
1948), of differential privacy (Dwork and Roth 2014; for δ the hockey-stick divergence), of utility-optimised local
differential privacy (Murakami and Kawamoto 2019) and of unicity (de Montjoye and others 2013).
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import rel_entr
from scipy.stats import entropy as _entropy
from scipy.stats.contingency import crosstab

from privacy.errors import InputError
from privacy.guarantee.promise import epsilon as logarithm
from privacy.guarantee.promise import gamma

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
_TINY = 1e-12  # below it two floats are taken as equal


def joint(prior: ArrayLike, channel: ArrayLike) -> Floats:
    """P(x, y) of an input and the output of a channel."""
    before, matrix = _distribution(prior, "prior"), _channel(channel)
    if len(before) != len(matrix):
        raise InputError(f"channel: {len(matrix)} rows do not fit a prior of {len(before)} inputs.")
    return before[:, None] * matrix


def joint_of_columns(first: ArrayLike, second: ArrayLike) -> Floats:
    """The empirical joint distribution of two columns of equal length, such as a truth and its estimate."""
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape or left.ndim != 1 or not len(left):
        raise InputError(f"columns: lengths {left.shape} and {right.shape} do not make pairs.")
    counts = np.asarray(crosstab(left, right).count, dtype=float)
    return counts / counts.sum()


def entropy(distribution: ArrayLike) -> float:
    """H(X) in bits; of a joint distribution, that of the pair."""
    return float(_entropy(_distribution(distribution, "distribution").ravel(), base=2))


def conditional_entropy(of_both: ArrayLike) -> float:
    """H(X | Y) = H(X, Y) − H(Y): what remains unknown of X to who sees Y."""
    both = _distribution(of_both, "joint")
    return entropy(both) - entropy(both.sum(axis=0))


def mutual_information(of_both: ArrayLike) -> float:
    """I(X; Y) = H(X) − H(X | Y), the leakage of Y about X."""
    both = _distribution(of_both, "joint")
    return max(0.0, entropy(both.sum(axis=1)) - conditional_entropy(both))


def privacy_loss(*joints: ArrayLike) -> float:
    """max of H(V | S) − H(V | S, E) over joint distributions with P(v, s, e) at [v, s, e].

    V is a secret, S what its seeker knows already, E the evidence given out; each distribution stands for one choice of
    secret and side knowledge.
    """
    losses = []
    for given in joints:
        table = _distribution(given, "joint")
        if table.ndim != 3:
            raise InputError(f"joint: {table.ndim} axes are not the three of secret, side knowledge and evidence.")
        before = conditional_entropy(table.sum(axis=2))
        losses.append(before - conditional_entropy(table.reshape(table.shape[0], -1)))
    return max(0.0, *losses)


def is_perfectly_private(of_both: ArrayLike) -> bool:
    """Whether Y tells nothing of X: P(x, y) = P(x)·P(y), exactly for fractions."""
    _distribution(of_both, "joint")
    both = np.asarray(of_both)  # what is given as fractions is compared as fractions
    apart = both.sum(axis=1, keepdims=True) * both.sum(axis=0, keepdims=True)
    if both.dtype == object:
        return bool((both == apart).all())
    return bool((abs(both - apart) < _TINY).all())


def kullback_leibler(p: ArrayLike, q: ArrayLike) -> float:
    """D(p ‖ q) in bits: infinite where q gives no chance to what p does."""
    first, second = _distribution(p, "p"), _distribution(q, "q")
    if first.shape != second.shape:
        raise InputError(f"q: a distribution of shape {second.shape} does not fit p of shape {first.shape}.")
    return float(rel_entr(first, second).sum() / math.log(2))


def distortion(of_both: ArrayLike, cost: str | ArrayLike = "differs", values: Sequence[float] | None = None) -> float:
    """The mean cost of taking X̂ for X: "differs" (0 or 1), "square", "absolute", or a matrix with d(x, x̂) at [x, x̂].

    `values` are the numbers that the options stand for (0, 1, 2, … if not given).
    """
    both = _distribution(of_both, "joint")
    numbers = np.arange(max(both.shape), dtype=float) if values is None else np.asarray(values, dtype=float)
    if len(numbers) < max(both.shape):
        raise InputError(f"values: {len(numbers)} do not fit {max(both.shape)} options.")
    apart = numbers[: both.shape[0], None] - numbers[None, : both.shape[1]]
    costs = {"differs": (apart != 0).astype(float), "square": apart**2, "absolute": abs(apart)}
    if isinstance(cost, str) and cost not in costs:
        raise InputError(f"cost: {cost!r} is none of {', '.join(costs)}.")
    matrix = costs[cost] if isinstance(cost, str) else np.asarray(cost, dtype=float)
    if matrix.shape != both.shape:
        raise InputError(f"cost: a matrix of shape {matrix.shape} does not fit a joint of shape {both.shape}.")
    return float((both * matrix).sum())


def delta(channel: ArrayLike, epsilon: float) -> float:
    """The least δ for which a channel is (ε, δ)-private: max over inputs of Σ_y max(0, P(y|x) − e^ε P(y|x'))."""
    if not epsilon >= 0:
        raise InputError(f"epsilon: {epsilon} is not 0 or more.")
    matrix = _channel(channel)
    scaled = math.exp(min(epsilon, 700.0)) * matrix
    return max(float(np.maximum(row - scaled, 0).sum(axis=1).max()) for row in matrix)


def epsilon(channel: ArrayLike, delta_allowed: float = 0.0) -> float:
    """The least ε for which a channel is (ε, δ)-private, rounded up."""
    if not 0 <= delta_allowed <= 1:
        raise InputError(f"delta: {delta_allowed} is outside 0 to 1.")
    _channel(channel)
    if delta_allowed == 0:
        return logarithm(gamma(np.asarray(channel).tolist()))
    low, high = 0.0, 700.0
    if delta(channel, low) <= delta_allowed:
        return low
    if delta(channel, high) > delta_allowed:
        return math.inf
    while math.nextafter(low, high) < high:
        middle = (low + high) / 2
        low, high = (low, middle) if delta(channel, middle) <= delta_allowed else (middle, high)
    return high


def uldp_epsilon(channel: ArrayLike, sensitive: Collection[int]) -> float:
    """ε of utility-optimised local differential privacy: the least for which the sensitive inputs are protected.

    An output that only one plain input can give says openly that it was this input, which is allowed; every other
    output must be nearly as likely from any input, sensitive or plain.
    """
    _channel(channel)
    matrix = np.asarray(channel)
    if not set(sensitive) <= set(range(len(matrix))):
        raise InputError(f"sensitive: {sorted(sensitive)} are not all among the {len(matrix)} inputs.")
    possible = matrix > 0
    sources = possible.sum(axis=0)
    openly = [sources[y] == 1 and int(np.argmax(possible[:, y])) not in set(sensitive) for y in range(matrix.shape[1])]
    protected = matrix[:, ~np.array(openly)]
    return logarithm(gamma(protected.tolist())) if protected.shape[1] else 0.0


@dataclass(frozen=True)
class Unicity:
    """The share of rows that are unique given some attributes: the mean over sets of attributes, and the worst set."""

    share: float
    worst: float
    worst_columns: tuple[Any, ...]
    sets: int


def unicity(table: "pd.DataFrame", known: int, most: int = 1_000, seed: int = 0) -> Unicity:
    """How many people are alone with their values of `known` attributes.

    Every set of attributes is tried where there are at most `most`, otherwise so many drawn at random.
    """
    columns = list(table.columns)
    if not 1 <= known <= len(columns):
        raise InputError(f"known: {known} is outside 1 to the {len(columns)} columns.")
    if not len(table):
        raise InputError("The table has no rows.")
    if math.comb(len(columns), known) <= most:
        chosen = list(combinations(columns, known))
    else:
        random = np.random.default_rng(seed)
        drawn = (np.sort(random.permutation(len(columns))[:known]) for _ in range(most))
        chosen = [tuple(columns[place] for place in places) for places in drawn]
    shares = [float((~table.duplicated(subset=list(some), keep=False)).mean()) for some in chosen]
    worst = int(np.argmax(shares))
    return Unicity(float(np.mean(shares)), shares[worst], chosen[worst], len(chosen))


def _channel(values: ArrayLike) -> Floats:
    matrix = np.asarray(values, dtype=float)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError("channel: it has a row for every input and a column for every output.")
    if not (matrix >= 0).all() or (abs(matrix.sum(axis=1) - 1) > 1e-9).any():
        raise InputError("channel: every row must be a distribution, not negative and with sum 1.")
    return matrix


def _distribution(values: ArrayLike, name: str) -> Floats:
    shares = np.asarray(values, dtype=float)
    if not shares.size or not np.isfinite(shares).all() or shares.min() < 0 or abs(shares.sum() - 1) > 1e-9:
        raise InputError(f"{name}: these numbers are not a distribution, not negative and with sum 1.")
    return shares
