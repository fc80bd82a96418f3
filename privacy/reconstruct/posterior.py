"""Posterior shares under a prior that the user names or the answers show, by the exact likelihood of the channel.

The prior of a pattern is a Dirichlet distribution over the table of its literals, each of which holds or does not: so
the share of the pattern itself has a Beta distribution, and what is left is spread evenly over all other combinations
of options. Records count through the channel of the literals that they were asked, direct ones as they are.

The integrals are computed twice, by two sets of points. Where these disagree there are no figures, and digits are
printed only where they agree.

Stratified, with Dirichlet numbers α and a part w of direct people, the groups have wα and (1 − w)α, and the direct
share a Beta of both sizes. So the share of all has the prior that is printed, exactly, and groups may differ as
independent ones do. Where they are alike, intervals are longer than need be: to normal approximation the variance of
the error is v((Σ wB)² + Σ wB − Σ wB²) ≤ v Σ wB, the posterior's, with B what each group keeps of the prior and v the
variance of that. So they hold the share of all at least as often as they say, on average over the prior, whether the
groups are alike, differ so, or anything between. In tables of two or three answers a small group's prior is scaled up
until its least cell has .01, which takes up to .0025/α of the variance of the whole, α that cell's number.

A learnt prior is one Beta distribution of the shares of several answers, over which it is integrated, too: few answers,
of which little can be learnt, are hardly pulled. Each answer has its own likelihood: where answers go together the
prior is learnt as if they did not. Both groups are taken to answer alike.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import ceil, floor, inf, log10, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.arrays import Bools, Floats
from privacy.choices import LEARNT
from privacy.design import Design, arguments
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import entries, quote
from privacy.errors import InputError
from privacy.estimate.bit_columns import DIRECT, DISGUISED
from privacy.estimate.joint import disguise_shares, table_channels, table_shape, view_counts
from privacy.records.records import Records

if TYPE_CHECKING:
    from privacy.reconstruct.integral import Distribution

Prior = tuple[float, float]
"""The numbers of a Beta distribution: as if so many people who match the pattern, and who do not, were known before."""
Named = float | str | Sequence[float] | Mapping[str, float | Sequence[float]]

MOST_LITERALS = 3
_POSSIBLE = (1e-4, 1e10)  # the least and most of a cell that is computed with
_LEAST_OF_GROUP = 0.01  # of a cell, where one group is hardly any of the respondents: less cannot be computed with
_APART = 0.03  # standard deviations that both runs may differ by
_FINER = (1, 2, 3)  # grids of a learnt prior: many items say much of it, so that few points are near enough


@dataclass(frozen=True)
class Posterior:
    """What records and a prior say of a share: its mean, its standard deviation and an interval of equal tails."""

    prior: str  # as it is printed, such as Beta(1, 9)
    mean: float
    sd: float
    ci: tuple[float, float]
    apart: float  # how far two sets of points disagree, at most

    @property
    def figures(self) -> list[Any]:
        """The prior, the mean, the standard deviation and the two ends, as tables have them."""
        return [self.prior, self.mean, self.sd, *self.ci]

    @property
    def stable_figures(self) -> list[Any]:
        """The figures to a tenth of the deviation, if both sets of points agree to a fifth of the last digit."""
        places = min(ceil(1 - log10(max(self.sd, 1e-9))), floor(log10(0.2 / max(self.apart, 1e-12))))
        return [self.prior, *(round(one, places) for one in self.figures[1:])]

    def to_json(self) -> dict[str, Any]:
        return {"prior": self.prior, "mean": self.mean, "sd": self.sd, "ci": list(self.ci)}


def read_priors(named: Named, patterns: Sequence[Pattern], design: Design) -> list[Prior | None]:
    """The prior of each pattern; None for patterns without one, where `named` has priors by pattern.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
    >>> read_priors(0.5, [parse_pattern("drugs,!cheating", design)], design)
    [(0.5, 1.5)]
    """
    if not isinstance(named, Mapping):
        return [_read_prior(named, "prior", pattern, design) for pattern in patterns]
    asked = arguments.by_name(named, "prior").items()
    given = {parse_pattern(arguments.text(key, "prior"), design): (value, f"prior of {key!r}") for key, value in asked}
    if unasked := next((key for key in given if key not in patterns), None):
        raise InputError(f"prior: {unasked.text(design)!r} is not among the patterns.")
    return [_read_prior(*given[one], one, design) if one in given else None for one in patterns]


def _read_prior(value: Any, name: str, pattern: Pattern, design: Design) -> Prior:
    """Read one prior: two numbers are of the Beta distribution, one is of each combination of options."""
    several = entries(value)
    numbers = [arguments.number(one, name) for one in ([value] if several is None else several)]
    if not 1 <= len(numbers) <= 2 or not all(0 < one < inf for one in numbers):
        raise InputError(f"{name}: {quote(value)} is not a number above 0, or two of them: a Beta distribution's.")
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    every = prod(design.fields[column].size for column in pattern.columns)
    matching = prod(len(options) for _, options in pattern.literals)
    return numbers[0] * matching, numbers[0] * (every - matching)


def posteriors(
    records: Records, named: Named, patterns: Sequence[Pattern], estimator: str, level: float
) -> list[Posterior | None]:
    """Compute the posterior of each pattern's share; None where only the priors of others are named.

    Stratified: the people of the prior are divided between the groups as the respondents are. So the share of all has
    this prior, and each group has shares of its own. Otherwise both groups have the same shares.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.repeat([[1], [0]], [30, 70], axis=0).astype(np.uint8), np.zeros(100, bool))
    >>> [own] = posteriors(records, (1.0, 1.0), [parse_pattern("drugs", design)], "stratified", 0.95)
    >>> own.prior, round(own.mean, 3)
    ('Beta(1, 1)', 0.127)
    """
    if named == LEARNT:
        return _under_learnt_prior(records, patterns, estimator, level)
    priors = read_priors(named, patterns, records.design)
    suspected = zip(patterns, priors, strict=True)
    return [own and _under_named_prior(records, pattern, own, estimator, level) for pattern, own in suspected]


def _under_named_prior(records: Records, pattern: Pattern, prior: Prior, estimator: str, level: float) -> Posterior:
    from privacy.reconstruct.integral import figures, mix_shares, share_of_last  # slow to import

    inside, views = _views(records, pattern)
    even = np.array([prod(sizes) for sizes in product(*((int((~own).sum()), int(own.sum())) for own in inside))], float)
    known = np.append(prior[1] * even[:-1] / even[:-1].sum(), prior[0])
    direct = int(records.direct.sum())
    sizes = np.array([len(records) - direct, direct], float)

    def share(run: int) -> "Distribution":
        if estimator != "stratified" or not sizes.all():
            return share_of_last(known, *_join_views(known, views[DISGUISED] + views[DIRECT]), run)
        parts = sizes / sizes.sum()
        scales = parts if len(known) == 2 else parts.clip(min(1.0, _LEAST_OF_GROUP / known.min()), 1.0)
        disguised, own = (
            share_of_last(known * scales[one], *_join_views(known, views[one]), run) for one in (DISGUISED, DIRECT)
        )
        part = share_of_last(known.sum() * parts, *_join_views(sizes, [(np.eye(2), sizes)]), run)
        return mix_shares(disguised, own, part, run)

    runs = np.full((2, 4), np.nan)
    if _POSSIBLE[0] <= known.min() and known.max() <= _POSSIBLE[1]:
        with suppress(np.linalg.LinAlgError):  # of points that nothing can be fitted to
            runs = np.array([figures(share(run), level) for run in range(2)])
    return _settle(f"Beta({prior[0]:.6g}, {prior[1]:.6g})", runs, pattern.text(records.design))


def _under_learnt_prior(
    records: Records, patterns: Sequence[Pattern], estimator: str, level: float
) -> list[Posterior | None]:
    """Compute the posterior of each answer's share under one Beta prior that is learnt from all of them."""
    from privacy.reconstruct.integral import figures, shares_alike  # slow to import

    names = [pattern.text(records.design) for pattern in patterns]
    if several := [name for name, pattern in zip(names, patterns, strict=True) if len(pattern.literals) > 1]:
        raise InputError(f"prior: a learnt one is of single answers, and {several[0]!r} has more than one.")
    if len(patterns) < 2 or len({pattern.columns for pattern in patterns}) < len(patterns):
        raise InputError("prior: a learnt one needs one answer of each of several items; name them as patterns.")
    if estimator == "stratified" and 0 < records.direct.sum() < len(records):
        raise InputError("prior: a learnt one takes direct and disguised people to answer alike; say combined.")
    views = [_views(records, pattern)[1] for pattern in patterns]
    seen = [_join_views(np.ones(2), own[DISGUISED] + own[DIRECT]) for own in views]
    for finer in _FINER:
        pair = [shares_alike(seen, run, finer) for run in range(2)]
        runs = np.array([[figures(one, level) for one in shares] for shares, _ in pair])
        if (np.abs(runs[1] - runs[0]).max(axis=1) <= _APART * runs[:, :, 1].mean(axis=0)).all():
            break
    learnt = (pair[0][1] + pair[1][1]) / 2
    prior = "Beta({1:g}, {0:g}), learnt".format(*(float(f"{one:.2g}") for one in learnt))
    return [_settle(prior, runs[:, row], name, "name one") for row, name in enumerate(names)]


def _settle(prior: str, runs: Floats, name: str, advice: str = "take a less extreme one") -> Posterior:
    """Join the figures of two sets of points (2 × mean, sd, low, high); refused where the two disagree."""
    mean, sd, low, high = map(float, runs.mean(axis=0))
    apart = float(np.abs(runs[1] - runs[0]).max())
    if not apart <= _APART * sd:
        raise InputError(f"prior: the posterior of {name!r} cannot be computed with it; {advice}.")
    places = ceil(3 - log10(max(sd, 1e-9)))  # further digits depend on how a machine rounds
    mean, sd, low, high = (round(one, places) for one in (mean, sd, low, high))
    return Posterior(prior, mean, sd, (low, high), apart)


def _views(records: Records, pattern: Pattern) -> tuple[list[Bools], dict[int, list[tuple[Floats, Floats]]]]:
    """Which options each literal names; and for each group channels and counts of what its records show of them."""
    design, name = records.design, pattern.text(records.design)
    if len(pattern.literals) > MOST_LITERALS:
        raise InputError(f"prior: {name!r} has more than {MOST_LITERALS} answers, too many for a posterior.")
    if any(design.blocks[design.place(column)[0]].patterns.by_record for column in pattern.columns):
        raise InputError(
            f"prior: {name!r} has answers of which each record is read whole; it has no posterior; leave the prior out."
        )
    sides = zip(table_shape(design, pattern.columns), pattern.literals, strict=True)
    inside = [np.isin(np.arange(size), sorted(options)) for size, (_, options) in sides]
    views: dict[int, list[tuple[Floats, Floats]]] = {DISGUISED: [], DIRECT: []}
    for (group, axes), counts in view_counts(records, pattern.columns).items():
        seen = _lump(counts.astype(float), [inside[axis] for axis in axes]).ravel()
        views[group].append((_channel(design, pattern, inside, group, axes), seen))
    return inside, views


def _join_views(known: Floats, views: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """One channel and one list of counts for all views."""
    channels, counts = zip(*views, strict=True) if views else ((), ())
    return np.hstack([np.zeros((len(known), 0)), *channels]), np.concatenate([np.zeros(0), *counts])


def _channel(design: Design, pattern: Pattern, inside: Sequence[Bools], group: int, axes: tuple[int, ...]) -> Floats:
    """P(what a record shows of these literals | which literals hold), the first one the highest bit of either."""
    own = [inside[axis] for axis in axes]
    pieces = table_channels(design, [pattern.columns[axis] for axis in axes])
    rows = []
    for holds in product((False, True), repeat=len(inside)):
        truth = np.zeros([len(one) for one in own])
        truth[tuple(int(np.argmax(one == holds[axis])) for one, axis in zip(own, axes, strict=True))] = 1.0
        rows.append(_lump(truth if group == DIRECT else disguise_shares(pieces, truth), own).ravel())
    return np.array(rows)


def _lump(table: Floats, inside: Sequence[Bools]) -> Floats:
    """Add up the table's cells on each axis by whether they are `inside` the literal: no, yes."""
    for axis, own in enumerate(inside):
        table = np.stack([np.compress(one, table, axis).sum(axis) for one in (~own, own)], axis)
    return table
