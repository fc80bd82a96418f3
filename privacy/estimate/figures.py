"""Every sub-pattern of a pattern from how much weight is in each cell of records, with the part that a cell has in it.

The cell of a respondent is the group and all that a record says of the pattern's literals: whether it matches them, was
not asked, or more, such as which word it is. A figure is then a weighted sum over cells, and its
error that of the sum (`privacy.estimate.linearised` has the same by respondents).

>>> from privacy.design import Design
>>> from privacy.design.patterns import parse_pattern
>>> design = Design.parse({"model": "one-of", "gamma": 9, "cap": 1, "items": ["drugs"]})
>>> own = PatternCells(design, parse_pattern("drugs", design))
>>> counts = np.array([[66, 0, 0, 34, 0], [0, 0, 0, 0, 0]])  # no word, the word, and last whom nobody asked
>>> made = figures_of_counts(own, counts, "stratified", "available")
>>> made.support.round(6).tolist()  # of nothing asked for, and of the pattern: (0.34 − 0.1) / 0.8
[1.0, 0.3]
>>> estimate_counts(own, counts, made, 0.95).support.round(3).tolist()
[0.3]
>>> figures(own, CellSums.alike(counts.ravel(), 100), "stratified", "available").support.round(6).tolist()
[1.0, 0.3]
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import CapLoss, Floats
from privacy.estimate.available import expand, products
from privacy.estimate.cells import Counts, PatternCells
from privacy.estimate.estimators import Estimates
from privacy.estimate.intervals import ShareOfGroup, line_of_weights, wilson_through_line
from privacy.estimate.linearised import ALIKE, BiasBound, LinearisedFigure
from privacy.estimate.sampling import CellSums
from privacy.estimate.weights import DIRECT, DISGUISED

Reaches = tuple[BiasBound | None, BiasBound | None]
"""How far a figure may lie above and below its estimate, because of a disguise; None: no further than chance."""

_LEAST_KNOWN = 1e-9  # of the weight of a sub-pattern: less is rounding, and there is no estimate of it


@dataclass(frozen=True)
class CellVariation:
    """How figures vary whose parts are those of cells; squares count `less` where respondents are drawn alike."""

    sums: CellSums
    freedom: float = np.inf
    less: float = 1.0

    def covariance(self, parts: Floats) -> Floats:
        return self.less * self.sums.covariance(parts.T)


@dataclass(frozen=True)
class CellFigures:
    """The supports of all sub-patterns, the part of each cell in them, and the weight that is in the cells."""

    support: Floats
    parts: Floats  # 2^L × cells of both groups
    sums: CellSums
    observed: float
    steepest: float
    effective: float  # how many asked the whole pattern tell as much of its error (`CellSums.effective`)
    doubts: Floats  # beside the sampling's error: standard deviations by independent causes, 2^L × causes
    reaches: tuple[Reaches, ...]  # of each sub-pattern
    groups: tuple[ShareOfGroup, ...] = ()  # in the share of the whole pattern, where P(record shows it) is a line in it

    def figure(self, mask: int = -1, *, effective: float | None = None, less: float = 1.0) -> LinearisedFigure:
        """A sub-pattern with the part of each cell, or the whole; it has no error where all of a group say the same.

        `effective`: how many tell of its error, if not those who were asked the whole pattern.
        """
        there, parts = self.sums.totals.reshape(2, -1) > 0, self.parts[mask].reshape(2, -1)
        spreads = [np.ptp(part[some]) for part, some in zip(parts, there, strict=True) if some.any()]
        in_doubt = bool(self.doubts[mask, : -len(self.support)].any())
        above, below = self.reaches[mask]
        return LinearisedFigure(
            "",
            sys.maxsize,  # of the error `effective` tells
            float(self.support[mask]),
            self.parts[mask],
            spread=bool(max(spreads, default=0.0) * self.sums.totals.sum() > ALIKE) or in_doubt,
            effective=self.effective if effective is None else effective,
            above=above,
            below=below,
            doubts={index: by * less**0.5 for index, by in enumerate(self.doubts[mask].tolist()) if by},
            groups=self.groups if mask in (-1, len(self.support) - 1) else (),
        )

    def reach_ends(self, variation: CellVariation, level: float) -> Floats:
        """How far each sub-pattern may lie above and below its estimate, at the upper end of its bias: (2, 2^L)."""
        ends = [[reach.end(variation, level) if reach else 0.0 for reach in reaches] for reaches in self.reaches]
        return np.array(ends).T

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of the supports of all sub-patterns."""
        return self.sums.covariance(self.parts) + self.doubts @ self.doubts.T

    @property
    def variance(self) -> float:
        """The variance of the whole pattern's support."""
        return float(self.sums.covariance(self.parts[-1:])[0, 0]) + self.doubt

    @property
    def doubt(self) -> float:
        """The part of the whole pattern's variance that does not come from sampling, and is known."""
        return float(self.doubts[-1] @ self.doubts[-1])


@np.errstate(divide="ignore", invalid="ignore")
def figures(cells: PatternCells, sums: CellSums, estimator: str, cases: str) -> CellFigures:
    """Estimate all sub-patterns from `sums`, the weight in both groups' cells, the disguised one first."""
    seen = cells.telling_cells(cases)
    masks = np.arange(len(seen))
    centres, totals = cells.centres, sums.totals.reshape(2, -1)
    known = np.stack([np.where(seen, cells.coefficients(), 0.0), seen.astype(float)])
    size, asked = totals.sum(axis=1), np.einsum("gc,gmc->gm", totals, known)
    there = asked > _LEAST_KNOWN * size[:, np.newaxis]

    if estimator == "pooled":
        every = asked.sum(axis=0)
        shares = asked[DIRECT] / every
        values, place = np.unique(shares, return_inverse=True)  # one, where everybody was asked the same
        pooled = np.stack([cells.weights(values[[at]]) for at in range(len(values))])
        own = np.where(seen, pooled[place, masks], 0.0)
        tables, share = np.stack([own, own]), asked / every
    else:
        true = products(cells.true[..., np.newaxis], centres)[..., 0]
        tables = np.where(seen, np.stack([cells.weights(), true]), 0.0)  # disguised before direct
        share = np.broadcast_to((size / size.sum())[:, np.newaxis], asked.shape)
    by_group = np.where(there, np.einsum("gmc,gc->gm", tables, totals) / asked, 0.0)
    inside = np.where(
        there[..., np.newaxis] & seen, (tables - known * by_group[..., np.newaxis]) / asked[..., np.newaxis], 0.0
    )
    of_direct = np.zeros(len(masks))
    if estimator == "combined":
        each = expand(by_group.T, centres), expand(np.swapaxes(inside, 0, 1), centres)
        weights_of_groups, of_direct = _weigh_groups(*each, sums, seen[-1])
        of_direct = np.where(cells.true.all(axis=1), 0.0, of_direct)  # nothing asked for is certain
        share = np.broadcast_to(weights_of_groups[:, np.newaxis], asked.shape)
    means = np.where((share > 0) & ~there, np.nan, share * by_group).sum(axis=0)
    parts = np.swapaxes(share[..., np.newaxis] * inside, 0, 1)
    if estimator == "stratified":  # who is direct is chance, too
        parts = parts + ((by_group.T - means[:, np.newaxis]) * (size > 0) / size.sum())[..., np.newaxis]
    matching = seen[-1] & np.stack([cells.matching_cells(), cells.true[-1] > 0])
    is_shown = not any(cells.design.items[column].numbers for column, _ in cells.literals)
    support = expand(means[:, np.newaxis], centres)[:, 0]
    parts = expand(parts.reshape(len(masks), -1, 1), centres)[..., 0]
    frequencies = np.zeros((2, len(seen[-1])))
    if there[DISGUISED, -1]:
        frequencies[DISGUISED] = np.where(seen[-1], totals[DISGUISED] / asked[DISGUISED, -1], 0.0)
    weights, squares = totals[DISGUISED], sums.sum_of_squares.reshape(2, -1)[DISGUISED].sum()
    worth = float(weights.sum() ** 2 / squares) if squares > 0 else 0.0
    disguised = share[DISGUISED, -1], asked[DISGUISED, -1]
    reaches = [
        _reaches(cells.reaches(mask), support[mask], parts[mask], frequencies, *disguised) for mask in masks.tolist()
    ]
    groups = _groups(cells, sums, share, by_group, inside, seen) if estimator != "pooled" else ()
    return CellFigures(
        support,
        parts,
        sums,
        float((totals * matching).sum() / (totals @ seen[-1]).sum()) if is_shown else np.nan,
        float(np.nanmax(np.abs(tables), initial=1.0)),
        sums.effective(np.tile(seen[-1], 2)),
        np.hstack([share[DISGUISED, -1] * cells.doubts(support, weights, worth), np.diag(of_direct)]),
        tuple(reaches),
        groups if estimator == "stratified" or len(groups) == 1 else (),
    )


def _groups(
    cells: PatternCells, sums: CellSums, share: Floats, by_group: Floats, inside: Floats, seen: NDArray[np.bool_]
) -> tuple[ShareOfGroup, ...]:
    """Each group's share of the whole pattern, from those of the products; none where no line says how it varies.

    Squares tell it only where the same respondents show each product: not those of available cases.
    """
    disguised = cells.line
    slope = cells.slope_of_squares if disguised is None and (seen == seen[-1]).all() else None
    if disguised is None and slope is None:
        return ()
    made = []
    for group, line in ((DISGUISED, disguised), (DIRECT, (0.0, 1.0))):
        if not share[group, -1] > 0:
            continue
        value = float(expand(by_group[group][:, np.newaxis], cells.centres)[-1, 0])
        parts = np.zeros(inside.shape[::2])
        parts[group] = expand(inside[group][..., np.newaxis], cells.centres)[-1, :, 0]
        weight, squares = (float(own.reshape(2, -1)[group] @ seen[-1]) for own in (sums.totals, sums.sum_of_squares))
        worth = weight**2 / squares if squares else 0.0
        if line is None:
            assert slope is not None
            spread = float(sums.totals.reshape(2, -1)[group] @ parts[group] ** 2) * weight
            c, d = line_of_weights(value, spread, slope)
            line = float(c), float(d)
        made.append(ShareOfGroup(float(share[group, -1]), value, parts.ravel(), line, worth))
    return tuple(made)


def _reaches(
    losses: Sequence[CapLoss], support: float, parts: Floats, frequencies: Floats, share: float, asked: float
) -> Reaches:
    """How far the disguised group's part of a figure may lie above and below its estimate, block after block.

    Blocks that make a figure too high and those that make it too low do not add up: the truth is no higher than what
    the second alone have lost, and no lower than what the first alone have added. `frequencies` are those of the cells,
    of disguised records alone, which make this `share` of the figure.
    """
    made: dict[bool, BiasBound] = {}
    for loss in losses if asked > 0 else ():
        value, of_figure = (1 - support, -parts) if loss.below else (support, parts)
        before = made.get(loss.below, BiasBound(0.0, np.zeros_like(parts)))
        lost = np.zeros_like(frequencies)
        lost[DISGUISED] = loss.lost
        mean = float((frequencies * lost).sum())
        lost = np.where(frequencies > 0, share * (lost - mean) / asked, 0.0)
        most = before.most + (loss.most_lost * (value + before.most) + share * mean)
        own = before.parts + loss.most_lost * (of_figure + before.parts) + lost.ravel()
        made[loss.below] = BiasBound(most, own)
    return made.get(False), made.get(True)


def _weigh_groups(shares: Floats, inside: Floats, sums: CellSums, seen: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The weight of each group in the combined estimate of the whole pattern, which all sub-patterns share.

    Then the doubt of each that its direct answers leave (`doubt_of_direct`). `shares` of both groups and the part of
    each cell `inside` are by sub-pattern.
    """
    there = (sums.totals.reshape(2, -1) @ seen) > 0
    if not there.all():
        return there.astype(float), np.zeros(len(shares))
    weight, squares = (table.reshape(2, -1) @ seen for table in (sums.totals, sums.sum_of_squares))
    sizes = weight**2 / squares

    def variances(group: int, masks: slice) -> Floats:
        alone = inside[masks] * (np.arange(2) == group)[:, np.newaxis]
        return np.diag(sums.covariance(alone.reshape(len(alone), -1)))

    lean = part_of_direct(float(shares[-1, DIRECT]), sizes, float(variances(DISGUISED, slice(-1, None))[0]))
    measured = zip(shares[:, DIRECT], variances(DIRECT, slice(None)), strict=True)
    doubts = [lean * doubt_of_direct(float(one), float(sizes[DIRECT]), float(variance)) for one, variance in measured]
    return np.array([1 - lean, lean]), np.array(doubts)


def part_of_direct(share: float, sizes: Floats, rest: float) -> float:
    """The weight, by inverse variances, of a direct group beside a disguised one with the variance `rest`.

    Its own variance follows from its smoothed `share` and from the effective `sizes` of both groups (Kish 1965).
    Disguised records that are all alike show no variance; theirs is at least that of as many direct answers.

    >>> round(part_of_direct(0.3, np.array([8.0, 200.0]), 0.0), 2)
    0.96
    """
    n = float(sizes[DIRECT])
    smooth = (n * min(max(share, 0.0), 1.0) + 2) / (n + 4)
    disguised, own = (smooth * (1 - smooth) / sizes).tolist()
    rest = max(rest, disguised)
    return rest / (own + rest)


def doubt_of_direct(share: float, size: float, variance: float) -> float:
    """What the error of a direct group lacks where few gave an answer, as a standard deviation.

    Of the `variance` of its `share` that is what misses to that of a share smoothed by two more who give it and two who
    do not (Agresti and Coull 1998): who are all alike show none.

    >>> round(doubt_of_direct(0.0, 30.0, 0.0), 3), doubt_of_direct(0.3, 1000.0, 0.21 / 999)
    (0.04, 0.0)
    """
    smooth = (size * min(max(share, 0.0), 1.0) + 2) / (size + 4)
    return max(smooth * (1 - smooth) / (size + 4) - variance, 0.0) ** 0.5


def figures_of_counts(own: PatternCells, counts: Counts, estimator: str, cases: str) -> CellFigures:
    """All figures of one pattern from how many records are in its cells: 2 groups × cells."""
    return figures(own, CellSums.alike(counts.ravel(), int(counts.sum())), estimator, cases)


def estimate_counts(own: PatternCells, counts: Counts, made: CellFigures, level: float) -> Estimates:
    """What is printed of the figures that were made of one pattern from the records in its cells."""
    n, asked = int(counts.sum()), own.asked_and_matching(counts)[0].sum()
    support = float(made.support[-1])
    # As everywhere, the error of respondents drawn alike divides squares by their number.
    variance = made.variance * (n - 1) / n if n > 1 else 0.0
    variance = variance if variance > 0 and np.isfinite(support) else np.nan
    added = max(variance - support * (1 - support) / n, 0.0) if n else np.nan
    ends, freedom = None, np.inf
    if len(made.groups) == 1 and asked:
        share, size, c, d = (np.array([float(value)]) for value in (support, asked, *made.groups[0].line))
        low, high = wilson_through_line(share, size, c, d, level)
        ends = float(low[0]), float(high[0])
    elif not made.groups and np.isfinite(variance):
        # What is known of the variance takes no degree of freedom (Satterthwaite 1946).
        sampled = max(1 - made.doubt / made.variance, 1e-9)
        freedom = _freedom(made.sums.totals, made.parts[-1]) / sampled**2
    less = (n - 1) / n if n > 1 else np.nan
    figure = made.figure(effective=np.inf, less=less)
    ci = figure.estimate(CellVariation(made.sums, freedom, less), level, ends).ci
    columns = (np.array([float(value)]) for value in (asked, made.observed, support, sqrt(variance), sqrt(added)))
    n_asked, observed, share, se, se_respondents = columns
    return Estimates(n_asked, observed, share, se, se_respondents, *np.array(ci).reshape(2, 1))


def _freedom(weight: Floats, parts: Floats) -> float:
    """Degrees of freedom of a sum of squares: one less than the records of equal part that would vary as much.

    A product of three answers rests on the few who were asked all three, however many have answered (Kish 1965).
    """
    squares, fourths = (float(weight @ np.abs(parts) ** power) for power in (2, 4))
    return max(squares**2 / fourths - 1, 1.0) if fourths > 0 else 1.0
