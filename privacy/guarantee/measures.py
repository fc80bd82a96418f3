"""Measures of privacy and of loss on finite distributions and channels.

A joint distribution has P(x, y) at [x, y]; a channel has P(output y | input x) at [x, y], so that `joint(prior,
channel)` is their joint distribution. Entropies are in bits. The measures are those of information theory (Shannon
1948), of differential privacy (Dwork and Roth 2014; for δ the hockey-stick divergence) and of utility-optimised local
differential privacy (Murakami and Kawamoto 2019). Tables of people have measures of their own (`privacy.release`).
"""

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import rel_entr
from scipy.stats import entropy as _entropy

from privacy.errors import InputError
from privacy.guarantee.bounds import epsilon as logarithm, gamma

Floats = NDArray[np.float64]
TINY = 1e-12  # below it two floats are taken as equal


def joint(prior: ArrayLike, channel: ArrayLike) -> Floats:
    """Compute P(x, y) of an input and the output of a channel.

    >>> joint([0.5, 0.5], [[0.75, 0.25], [0.25, 0.75]]).tolist()
    [[0.375, 0.125], [0.125, 0.375]]
    """
    before, matrix = _check_distribution(prior, "prior"), _check_channel(channel)
    if len(before) != len(matrix):
        raise InputError(f"channel: {len(matrix)} rows do not fit a prior of {len(before)} inputs.")
    return before[:, None] * matrix


def entropy(distribution: ArrayLike) -> float:
    """Compute H(X) in bits; of a joint distribution, that of the pair.

    >>> entropy([0.25, 0.25, 0.5])
    1.5
    """
    return float(_entropy(_check_distribution(distribution, "distribution").ravel(), base=2))


def conditional_entropy(both: ArrayLike) -> float:
    """Compute H(X | Y) = H(X, Y) − H(Y) in bits: what remains unknown of X to somebody who sees Y.

    >>> conditional_entropy([[0.25, 0.25], [0.25, 0.25]])
    1.0
    """
    both = _check_distribution(both, "joint")
    return entropy(both) - entropy(both.sum(axis=0))


def mutual_information(both: ArrayLike) -> float:
    """Compute I(X; Y) = H(X) − H(X | Y), the leakage of Y about X, from their joint distribution.

    >>> mutual_information([[0.5, 0], [0, 0.5]])
    1.0
    """
    both = _check_distribution(both, "joint")
    return max(0.0, entropy(both.sum(axis=1)) - conditional_entropy(both))


def privacy_loss(*joints: ArrayLike) -> float:
    """Compute the maximum of H(V | S) − H(V | S, E) in bits: (5) of the notes on anonymity of 2019.

    V is a secret, S what its seeker knows from outside, E the evidence that is given out. `joints`: P(v, s, e) at
    [v, s, e], one for each choice of secret and outside knowledge.

    >>> privacy_loss([[[0.5, 0]], [[0, 0.5]]])
    1.0
    """
    losses = [0.0]
    for table in map(_check_three_axes, joints):
        losses.append(conditional_entropy(table.sum(axis=2)) - conditional_entropy(table.reshape(len(table), -1)))
    return max(losses)


def is_perfectly_private(joint_of_three: ArrayLike) -> bool:
    """Say whether V and E are independent given S: 1.6.2 of the same notes; exact for fractions.

    `joint_of_three`: P(v, s, e) at [v, s, e].

    >>> is_perfectly_private([[[0.25, 0.25]], [[0.25, 0.25]]])
    True
    """
    table = _check_three_axes(joint_of_three)
    exact = np.asarray(joint_of_three)  # what is given as fractions is compared as fractions
    exact = exact if exact.dtype == object else table
    known, sensitive = exact.sum(axis=2, keepdims=True), exact.sum(axis=0, keepdims=True)
    apart = abs(exact * exact.sum(axis=(0, 2), keepdims=True) - known * sensitive)
    return bool((apart <= (0 if exact.dtype == object else TINY)).all())


def kullback_leibler(p: ArrayLike, q: ArrayLike) -> float:
    """Compute D(p ‖ q) in bits: infinite where q gives no chance to what p does.

    >>> kullback_leibler([1, 0], [0.5, 0.5])
    1.0
    """
    first, second = _check_distribution(p, "p"), _check_distribution(q, "q")
    if first.shape != second.shape:
        raise InputError(f"q: a distribution of shape {second.shape} does not fit p of shape {first.shape}.")
    return float(rel_entr(first, second).sum() / math.log(2))


def distortion(both: ArrayLike, cost: str | ArrayLike = "differs", values: Sequence[float] | None = None) -> float:
    """Compute the mean cost of taking X̂ for X, from their joint distribution.

    `cost`: "differs" (0 or 1), "square", "absolute", or d(x, x̂) at [x, x̂]. `values`: the numbers that the options
    stand for; 0, 1, 2, … if not given.

    >>> distortion([[0.5, 0.25], [0, 0.25]])
    0.25
    """
    both = _check_distribution(both, "joint")
    numbers = np.arange(max(both.shape), dtype=float) if values is None else np.asarray(values, dtype=float)
    if len(numbers) < max(both.shape):
        raise InputError(f"values: {len(numbers)} do not fit {max(both.shape)} options.")
    apart = numbers[: both.shape[0], None] - numbers[None, : both.shape[1]]
    costs = {"differs": (apart != 0).astype(float), "square": apart**2, "absolute": abs(apart)}
    if isinstance(cost, str) and cost not in costs:
        raise InputError(f"cost: {cost!r} is not one of {', '.join(costs)}.")
    matrix = costs[cost] if isinstance(cost, str) else np.asarray(cost, dtype=float)
    if matrix.shape != both.shape:
        raise InputError(f"cost: a matrix of shape {matrix.shape} does not fit a joint of shape {both.shape}.")
    return float((both * matrix).sum())


def delta(channel: ArrayLike, epsilon: float) -> float:
    """Compute the least δ for which a channel is (ε, δ)-private.

    It is the maximum over pairs of inputs of Σ_y max(0, P(y|x) − e^ε P(y|x')).

    >>> delta([[0.75, 0.25], [0.25, 0.75]], epsilon=0)
    0.5
    """
    if not epsilon >= 0:
        raise InputError(f"epsilon: {epsilon} is not 0 or more.")
    matrix = _check_channel(channel)
    scaled = math.exp(min(epsilon, 700.0)) * matrix
    return max(float(np.maximum(row - scaled, 0).sum(axis=1).max()) for row in matrix)


def epsilon(channel: ArrayLike, delta_allowed: float = 0.0) -> float:
    """Compute the least ε for which a channel is (ε, δ)-private, rounded up.

    >>> round(epsilon([[0.75, 0.25], [0.25, 0.75]]), 4)  # ln 3
    1.0986
    """
    if not 0 <= delta_allowed <= 1:
        raise InputError(f"delta: {delta_allowed} is outside 0 to 1.")
    _check_channel(channel)
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
    """Compute ε of utility-optimised local differential privacy, definition 2 of Feng and Zhu (2023), rounded up.

    An output that only one plain input can give says that it was this input, which is allowed. Every other output must
    be nearly as likely from any input. `sensitive`: the inputs that must be protected.

    >>> round(uldp_epsilon([[0.75, 0.25, 0], [0.25, 0.25, 0.5]], sensitive=[0]), 4)  # ln 3
    1.0986
    """
    _check_channel(channel)
    matrix = np.asarray(channel)
    if not set(sensitive) <= set(range(len(matrix))):
        raise InputError(f"sensitive: {sorted(sensitive)} are not all among the {len(matrix)} inputs.")
    possible = matrix > 0
    is_plain = ~np.isin(np.arange(len(matrix)), list(sensitive))
    tells = (possible.sum(axis=0) == 1) & (possible & is_plain[:, None]).any(axis=0)
    protected = matrix[:, ~tells]
    return logarithm(gamma(protected.tolist())) if protected.shape[1] else 0.0


def _check_three_axes(values: ArrayLike) -> Floats:
    table = _check_distribution(values, "joint")
    if table.ndim != 3:
        raise InputError(f"joint: {table.ndim} axes are not the three of secret, outside knowledge and evidence.")
    return table


def _check_channel(values: ArrayLike) -> Floats:
    matrix = np.asarray(values, dtype=float)
    if matrix.ndim != 2 or not matrix.size:
        raise InputError("channel: it has a row for every input and a column for every output.")
    if not (matrix >= 0).all() or (abs(matrix.sum(axis=1) - 1) > 1e-9).any():
        raise InputError("channel: every row must be a distribution, not negative and with sum 1.")
    return matrix


def _check_distribution(values: ArrayLike, name: str) -> Floats:
    shares = np.asarray(values, dtype=float)
    if not shares.size or not np.isfinite(shares).all() or shares.min() < 0 or abs(shares.sum() - 1) > 1e-9:
        raise InputError(f"{name}: these numbers are not a distribution, not negative and with sum 1.")
    return shares
