"""Posterior shares under a prior that the user names, by the exact likelihood of the channel.

The prior of a pattern is a Dirichlet distribution over the table of its literals, each of which holds or does not: so
the share of the pattern itself has a Beta distribution, and what is left is spread evenly over all other combinations
of options. Records count through the channel of the literals that they were asked, direct ones as they are.

With g_x ~ Gamma(α_x) the shares g_x/Σg have the prior. As normal scores the g have no edges, the prior is a standard
normal distribution and the likelihood is bounded, so that a t distribution can be fitted to the posterior by its own
weighted points, the likelihood counting a little more in each round (Cappé and others 2008). The points are Sobol's,
so that nothing is random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import ceil, inf, log10, prod, sqrt
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.design import Design, arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import entries, shown
from privacy.errors import InputError
from privacy.reconstruct.bit_columns import DIRECT, DISGUISED
from privacy.reconstruct.joint import disguised_shares, table_channels, table_shape, view_counts
from privacy.records.records import Records

Prior = tuple[float, float]
"""The numbers of a Beta distribution: as if so many people who match the pattern, and who do not, were known before."""
Named = float | Sequence[float] | Mapping[str, float | Sequence[float]]

MOST_LITERALS = 3
_FEW, _MANY = 12, 14  # 2^… points of each round, and of the last one
_ROUNDS = 60
_SHARED = 0.1  # of the points must count before the likelihood counts more
_FREEDOM = 7.0
_LEAST = 400  # points' worth of weight, below which a figure would be rough
_HAIR, _TINY = 1e-9, 1e-280
_SCORES = np.linspace(-9, 9, 3601)


@dataclass(frozen=True)
class Posterior:
    """What records and a prior say of a share: its mean, its standard deviation and an interval of equal tails."""

    prior: Prior
    mean: float
    sd: float
    ci: tuple[float, float]

    @property
    def named(self) -> str:
        """The prior as it is printed.

        >>> Posterior((1.0, 9.0), 0.1, 0.02, (0.06, 0.14)).named
        'Beta(1, 9)'
        """
        return f"Beta({self.prior[0]:.6g}, {self.prior[1]:.6g})"

    @property
    def figures(self) -> list[Any]:
        """The prior, the mean, the standard deviation and the two ends, as tables have them."""
        return [self.named, self.mean, self.sd, *self.ci]

    @property
    def settled(self) -> list[Any]:
        """The same to the digits that the points settle, about a tenth of the standard deviation."""
        places = ceil(1 - log10(max(self.sd, _HAIR)))
        return [self.named, *(round(one, places) for one in self.figures[1:])]

    def to_json(self) -> dict[str, Any]:
        return {"prior": self.named, "mean": self.mean, "sd": self.sd, "ci": list(self.ci)}


def read_priors(named: Named, patterns: Sequence[Pattern], design: Design) -> list[Prior | None]:
    """The prior of each pattern; None where only those of others are named.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
    >>> read_priors(0.5, [parse_pattern("drugs,!cheating", design)], design)
    [(0.5, 1.5)]
    """
    if not isinstance(named, Mapping):
        return [_read(named, "prior", pattern, design) for pattern in patterns]
    given = {
        parse_pattern(arguments.text(key, "prior"), design): (value, f"prior of {key!r}")
        for key, value in arguments.named(named, "prior").items()
    }
    if unasked := next((key for key in given if key not in patterns), None):
        raise InputError(f"prior: {unasked.text(design)!r} is not among the patterns.")
    return [_read(*given[one], one, design) if one in given else None for one in patterns]


def _read(value: Any, name: str, pattern: Pattern, design: Design) -> Prior:
    several = entries(value)
    numbers = [arguments.number(one, name) for one in ([value] if several is None else several)]
    if not 1 <= len(numbers) <= 2 or not all(0 < one < inf for one in numbers):
        raise InputError(f"{name}: {shown(value)} is not a number above 0, or two of them: a Beta distribution's.")
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    every = prod(design.fields[column].size for column in pattern.columns)
    matching = prod(len(options) for _, options in pattern.literals)
    return numbers[0] * matching, numbers[0] * (every - matching)


def posterior(records: Records, pattern: Pattern, prior: Prior, estimator: str, level: float) -> Posterior:
    """Compute the posterior of the share of a pattern.

    Stratified: each group has this prior and shares of its own, which are joined by how large the groups are.
    Otherwise both groups have the same shares.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.repeat([[1], [0]], [30, 70], axis=0).astype(np.uint8), np.zeros(100, bool))
    >>> round(posterior(records, parse_pattern("drugs", design), (1.0, 1.0), "stratified", 0.95).mean, 3)
    0.127
    """
    design, name = records.design, pattern.text(records.design)
    if len(pattern.literals) > MOST_LITERALS:
        raise InputError(f"prior: {name!r} has more than {MOST_LITERALS} answers, too many for a posterior.")
    if any(design.blocks[design.place(column)[0]].patterns.ordered for column in pattern.columns):
        raise InputError(f"prior: {name!r} has answers in a public order, which no posterior is computed of.")
    inside = [
        np.isin(np.arange(size), sorted(options))
        for size, (_, options) in zip(table_shape(design, pattern.columns), pattern.literals, strict=True)
    ]
    views: dict[int, list[tuple[Floats, Floats]]] = {DISGUISED: [], DIRECT: []}
    for (group, axes), counts in view_counts(records, pattern.columns).items():
        seen = _lumped(counts.astype(float), [inside[axis] for axis in axes]).ravel()
        views[group].append((_channel(design, pattern, inside, group, axes), seen))
    even = np.array([prod(sizes) for sizes in product(*((int((~own).sum()), int(own.sum())) for own in inside))], float)
    known = np.append(prior[1] * even[:-1] / even[:-1].sum(), prior[0])
    direct = int(records.direct.sum())
    sizes = (len(records) - direct, direct)
    if estimator == "stratified" and min(sizes) > 0:
        curves = [_points(known, views[group], name) for group in (DISGUISED, DIRECT)]
    else:
        curves = [_points(known, views[DISGUISED] + views[DIRECT], name)]
    values, weights = curves[0] if len(curves) == 1 else _joined(curves, sizes)
    mean = float(weights @ values)
    sd = sqrt(max(float(weights @ (values - mean) ** 2), 0.0))
    low, high = np.interp([(1 - level) / 2, (1 + level) / 2], _quantiles(weights), values)
    return Posterior(prior, mean, sd, (float(low), float(high)))


def _channel(design: Design, pattern: Pattern, inside: Sequence[Bools], group: int, axes: tuple[int, ...]) -> Floats:
    """P(what a record shows of these literals | which literals hold), the first one the highest bit of either."""
    own = [inside[axis] for axis in axes]
    pieces = table_channels(design, [pattern.columns[axis] for axis in axes])
    rows = []
    for holds in product((False, True), repeat=len(inside)):
        truth = np.zeros([len(one) for one in own])
        truth[tuple(int(np.argmax(one == holds[axis])) for one, axis in zip(own, axes, strict=True))] = 1.0
        rows.append(_lumped(truth if group == DIRECT else disguised_shares(pieces, truth), own).ravel())
    return np.array(rows)


def _lumped(table: Floats, inside: Sequence[Bools]) -> Floats:
    """The table by whether each literal holds."""
    for axis, own in enumerate(inside):
        table = np.stack([np.compress(one, table, axis).sum(axis) for one in (~own, own)], axis)
    return table


def _points(known: Floats, views: Sequence[tuple[Floats, Floats]], name: str) -> tuple[Floats, Floats]:
    """Values of the share of the last cell in rising order, and their weights."""
    from scipy.special import chdtri, ndtri  # slow to import; who names no prior does without

    channel = np.concatenate([np.zeros((len(known), 0)), *(own for own, _ in views)], axis=1)
    counts = np.concatenate([np.zeros(0), *(own for _, own in views)])
    channel, counts = channel[:, counts > 0], counts[counts > 0]

    def drawn(power: int) -> tuple[Floats, Floats, Floats]:
        """Points of the t distribution: their shares, the prior's density over their own, and the likelihood."""
        places = _sobol(power, len(known) + 1)
        steps = ndtri(places[:, :-1]) * np.sqrt(_FREEDOM / chdtri(_FREEDOM, places[:, -1:]))
        scores = centre + steps @ np.linalg.cholesky(spread).T
        ahead = (_FREEDOM + len(known)) / 2 * np.log1p((steps**2).sum(axis=1) / _FREEDOM)
        with np.errstate(divide="ignore"):
            likelihood = np.log(_shares(_logs(scores, known)) @ channel) @ counts
        return scores, ahead - (scores**2).sum(axis=1) / 2, likelihood

    centre, spread, part = np.zeros(len(known)), np.eye(len(known)), 0.0
    for _ in range(_ROUNDS):
        scores, ahead, likelihood = drawn(_FEW)
        begun, part = part, _tempered(ahead, likelihood, part)
        weights = _weights(ahead + part * likelihood)
        away = scores - weights @ scores
        centre = weights @ scores
        spread = (weights[:, np.newaxis] * away).T @ away + _HAIR * np.eye(len(known))
        if begun == 1.0:
            break
    scores, ahead, likelihood = drawn(_MANY)
    weights = _weights(ahead + likelihood)
    if part < 1.0 or 1 / (weights**2).sum() < _LEAST:
        raise InputError(f"prior: the posterior of {name!r} cannot be computed with it; take a less extreme one.")
    values = _shares(_logs(scores, known))[:, -1]
    order = np.argsort(values)
    return values[order], weights[order]


def _tempered(ahead: Floats, likelihood: Floats, part: float) -> float:
    """How much of the likelihood the points can take without resting on few of them; never less than before."""

    def enough(power: float) -> bool:
        return 1 / (_weights(ahead + power * likelihood) ** 2).sum() >= _SHARED * len(ahead)

    if enough(1.0):
        return 1.0
    low, high = part, 1.0
    for _ in range(30):
        middle = sqrt(max(low, _HAIR) * high) if high > 2 * low else (low + high) / 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


def _weights(logs: Floats) -> Floats:
    weights: Floats = np.exp(logs - logs.max())
    return weights / weights.sum()


def _logs(scores: Floats, known: Floats) -> Floats:
    """The logarithms of gamma variables of these sizes at normal scores."""
    sizes = [np.interp(own, _SCORES, _log_gamma(float(size))) for own, size in zip(scores.T, known, strict=True)]
    return np.stack(sizes, axis=1)


@lru_cache(maxsize=64)
def _log_gamma(size: float) -> Floats:
    """The same of one size at all `_SCORES`; far below, by the first term of the series."""
    from scipy.special import gammainccinv, gammaincinv, gammaln, log_ndtr, ndtr

    below, above = gammaincinv(size, ndtr(_SCORES)), gammainccinv(size, ndtr(-_SCORES))
    sizes = np.where(_SCORES < 0, below, above)
    tail = (log_ndtr(_SCORES) + gammaln(size + 1)) / size
    return np.where(sizes > _TINY, np.log(np.maximum(sizes, _TINY)), tail)


def _joined(curves: Sequence[tuple[Floats, Floats]], sizes: tuple[int, int]) -> tuple[Floats, Floats]:
    """The share in both groups together; the part of the direct one is as uncertain as so many people make it."""
    from scipy.special import betaincinv

    places = _sobol(_MANY, 3)
    disguised, direct = (
        np.interp(places[:, group], _quantiles(weights), values) for group, (values, weights) in enumerate(curves)
    )
    part = betaincinv(float(sizes[DIRECT]), float(sizes[DISGUISED]), places[:, 2])
    values = np.sort((1 - part) * disguised + part * direct)
    return values, np.full(len(values), 1 / len(values))


def _quantiles(weights: Floats) -> Floats:
    return np.cumsum(weights) - weights / 2


def _shares(logs: Floats) -> Floats:
    sizes = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return sizes / sizes.sum(axis=-1, keepdims=True)


def _sobol(power: int, dimensions: int) -> Floats:
    """2^power points, none of them on an edge."""
    from scipy.stats.qmc import Sobol

    return Sobol(dimensions, scramble=False).random_base2(power) + 0.5 ** (power + 1)
