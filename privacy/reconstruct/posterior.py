"""Posterior shares under a prior that the user names, by the exact likelihood of the channel.

The prior of a pattern is a Dirichlet distribution over the table of its literals, each of which holds or does not: so
the share of the pattern itself has a Beta distribution, and what is left is spread evenly over all other combinations
of options. Records count through the channel of the literals that they were asked, direct ones as they are.

Many tables of shares are drawn from the prior, or from one less extreme. They follow prior and likelihood as both come
to count: those that these speak for are drawn again, and each is moved many times by what others differ in (Del Moral,
Doucet and Jasra 2006). This is done twice, from a fixed seed: the same records have the same figures, and where the two
disagree, none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, inf, log10, prod, sqrt
from typing import Any

import numpy as np
from numpy.random import Generator

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
_BEGUN = (0.1, 1.0)  # the prior that tables are drawn from, within these; firm ones may be far from the records
_POSSIBLE = (1e-4, 1e10)  # the least and most of a cell that is computed with
_TABLES = 512  # for each cell, in each of the two runs; half of them are moved by the differences of the others
_STAGES = 1000
_KEPT = 0.9  # of the tables must count where the likelihood does more
_MOVES = 6  # of each kind, in each stage
_LAST, _BETWEEN = 20, 5  # draws of all tables at the end, and the moves before each
_APART = 0.1  # the most by which the chance to be below a share may differ between both runs
_HAIR = 1e-12


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
        places = ceil(1 - log10(max(self.sd, 1e-9)))
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
    draw = np.random.default_rng(0)
    if estimator == "stratified" and min(sizes) > 0:
        shares = [_shares(known, views[group], name, draw) for group in (DISGUISED, DIRECT)]
        part = draw.beta(sizes[DIRECT], sizes[DISGUISED], len(shares[DIRECT]))  # as uncertain as so many people make it
        values = (1 - part) * shares[DISGUISED] + part * shares[DIRECT]
    else:
        values = _shares(known, views[DISGUISED] + views[DIRECT], name, draw)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Posterior(prior, float(values.mean()), float(values.std()), (float(low), float(high)))


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


def _shares(known: Floats, views: Sequence[tuple[Floats, Floats]], name: str, draw: Generator) -> Floats:
    """Draws of the share of the last cell, in no order."""
    channel = np.concatenate([np.zeros((len(known), 0)), *(own for own, _ in views)], axis=1)
    counts = np.concatenate([np.zeros(0), *(own for _, own in views)])
    channel, counts = channel[:, counts > 0], counts[counts > 0]
    told = np.count_nonzero(channel, axis=0) == 1  # who gave these is in this cell, as if known before
    known = known + (channel[:, told] > 0) @ counts[told]
    refusal = InputError(f"prior: the posterior of {name!r} cannot be computed with it; take a less extreme one.")
    if known.min() < _POSSIBLE[0] or known.max() > _POSSIBLE[1]:
        raise refusal
    runs = [_followed(known, channel[:, ~told], counts[~told], run) for run in draw.spawn(2)]
    if not all(map(len, runs)):
        raise refusal
    shares = np.concatenate(runs)
    places = np.sort(shares)
    first, second = (np.searchsorted(np.sort(run), places) / len(run) for run in runs)
    if np.abs(first - second).max() > _APART:
        raise refusal
    return draw.permutation(shares)


def _followed(known: Floats, channel: Floats, counts: Floats, draw: Generator) -> Floats:
    """The same of one run; none where the likelihood cannot be followed to its end, or the prior cannot."""
    begun = known.clip(*_BEGUN)

    def fit(logs: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            fits: Floats = np.log(np.exp(logs) @ channel) @ counts + logs @ (known - begun)
        return fits

    def moved(times: int) -> Floats:
        """The share of the last cell in each table, after so many moves of each kind."""
        for own, others in times * [(slice(half), slice(half, None)), (slice(half, None), slice(half))]:
            for move in (_split, _shifted, _stretched):
                new, gain = move(logs[own], logs[others], begun, draw)
                found = fit(new)
                with np.errstate(invalid="ignore"):  # where neither table can have these records
                    taken = np.log(draw.random(half)) < gain + part * (found - fits[own])
                logs[own][taken], fits[own][taken] = new[taken], found[taken]
        return np.exp(logs[:, -1])

    half = _TABLES * len(known) // 2
    size = (2 * half, len(known))
    near = -draw.standard_exponential(size) / begun
    logs = _scaled(np.log(draw.standard_gamma(begun + 1, size)) + near)  # of Gamma(α), also where it is hardly above 0
    fits, part = fit(logs), 0.0
    for _ in range(_STAGES):
        if not np.isfinite(fits.max()):
            break
        before, part = part, _tempered(fits, part)
        chances = np.cumsum(_weights((part - before) * fits))
        again = draw.permutation(np.searchsorted(chances[:-1], (np.arange(2 * half) + draw.random()) / (2 * half)))
        logs, fits = logs[again], fits[again]
        if part == 1.0:
            return np.concatenate([moved(_BETWEEN) for _ in range(_LAST)])
        moved(_MOVES)
    return np.zeros(0)


def _split(logs: Floats, _others: Floats, begun: Floats, draw: Generator) -> tuple[Floats, Floats]:
    """Two cells divide what they have by other parts: new tables, and how much more likely at first."""
    every = np.arange(len(logs))
    one = draw.integers(len(begun), size=len(logs))
    two = (one + draw.integers(1, len(begun), size=len(logs))) % len(begun)
    before = logs[every, one], logs[every, two]
    gap = before[0] - before[1] + draw.standard_normal(len(logs)) * 10 ** draw.uniform(-4, 2, len(logs))
    both, new = np.logaddexp(*before), logs.copy()
    new[every, one], new[every, two] = both - np.logaddexp(0, -gap), both - np.logaddexp(0, gap)
    return new, begun[one] * (new[every, one] - before[0]) + begun[two] * (new[every, two] - before[1])


def _shifted(logs: Floats, others: Floats, begun: Floats, draw: Generator) -> tuple[Floats, Floats]:
    """Shares move by how far two other tables are apart."""
    one, two, far = _pairs(logs, others, draw)
    shares = np.exp(logs) + far * (np.exp(one) - np.exp(two))
    inside = (shares > 0).all(axis=1)
    new = np.log(shares, where=inside[:, np.newaxis], out=logs.copy())
    return new, np.where(inside, (new - logs) @ (begun - 1), -inf)


def _stretched(logs: Floats, others: Floats, begun: Floats, draw: Generator) -> tuple[Floats, Floats]:
    """The same of the logarithms, as is fit for cells with nearly nothing."""
    one, two, far = _pairs(logs, others, draw)
    new = _scaled(logs + far * (one - two))
    return new, (new - logs) @ begun


def _pairs(logs: Floats, others: Floats, draw: Generator) -> tuple[Floats, Floats, Floats]:
    """Two tables for each, and how much of their difference: mostly what is best for normal ones, sometimes all of it
    (ter Braak 2006)."""
    one, two = draw.integers(len(others), size=(2, len(logs)))
    best = 2.38 / sqrt(2 * (logs.shape[1] - 1)) * 10 ** draw.uniform(-1, 0.2, len(logs))
    return others[one], others[two], np.where(draw.random(len(logs)) < 0.1, 1.0, best)[:, np.newaxis]


def _scaled(logs: Floats) -> Floats:
    """Logarithms of shares that come to 1."""
    logs = logs - logs.max(axis=1, keepdims=True)
    scaled: Floats = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
    return scaled


def _tempered(fits: Floats, part: float) -> float:
    """How much of the likelihood can count before all rests on few tables."""

    def enough(power: float) -> bool:
        return 1 / (_weights((power - part) * fits) ** 2).sum() >= _KEPT * len(fits)

    if enough(1.0):
        return 1.0
    low, high = part, 1.0
    for _ in range(50):
        middle = sqrt(max(low, _HAIR) * high) if high > 2 * low else (low + high) / 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return high


def _weights(logs: Floats) -> Floats:
    weights: Floats = np.exp(logs - logs.max())
    return weights / weights.sum()
