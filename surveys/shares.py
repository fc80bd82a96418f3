"""Shares of people, with their error: counted where answers are open, reconstructed where they are disguised.

Nothing is reported about fewer people than the survey reports on. Undisguised answers and those of the direct group are
true answers, so there this limit applies to each option: a rare option is shown as empty, like one that nobody chose.
A second option may be suppressed, so that subtraction cannot recover the first.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

import numpy as np

from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.grid.distributions import Bins
from privacy.design.patterns import Pattern
from privacy.estimate.intervals import beyond_error, interval_of_shares, wilson
from privacy.estimate.linearised import Estimate, covariance_of
from privacy.estimate.nearest import can_be_fitted, nearest_shares, nearest_table
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import DIRECT, DISGUISED, obstacle
from privacy.reconstruct import Figures, PatternCounts, PatternQuery, count_patterns, make_report
from privacy.reconstruct.shares_and_rules import support
from privacy.reconstruct.words_sent import word_figures
from privacy.records import Records
from surveys.percent import BiasedShare, FittedShare, Share

Axes = tuple[int, ...]
RawTable = tuple[np.ndarray, Callable[[], np.ndarray]]
Tables = dict[Axes, np.ndarray | None]
LEVEL = 0.95
MOST_CELLS = 256  # of a table that is fitted: more take seconds
MAP_CELLS = 8  # columns and rows of a map, so that shares have an error that tells something
ROUNDING = 1e-9
OTHERWISE = 3  # so many, or more, answered otherwise than most


def bins_of_report(scales: Sequence[Sequence[str]]) -> Bins | None:
    """In how many bins reports show a number, or a place on its two scales; None: as many as suit it."""
    return None if len(scales) == 1 else tuple(min(len(steps), MAP_CELLS) for steps in scales)


def many_enough(counts: Sequence[float] | np.ndarray, least: float, others: float = 0) -> np.ndarray:
    """Which of some counts of people may be reported: those of `least` people or more.

    All others together, with `others` beside them, are `least` people or more too, or else the smallest of the rest
    goes with them.
    """
    counts = np.asarray(counts)
    shown = counts >= least
    while shown.any() and not shown.all() and counts[~shown].sum() + others < least:
        shown[np.flatnonzero(shown)[np.argmin(counts[shown])]] = False
    return shown


def differ(counts: np.ndarray, least: int) -> bool:
    """Whether people whose answers have these counts are `least` or more, and did not all answer alike.

    >>> [differ(np.array(counts), 20) for counts in ([30, 5], [30, 2], [15, 3])]
    [True, False, False]
    """
    return bool(counts.sum() >= least and counts.sum() - counts.max(initial=0) >= OTHERWISE)


def merge_counts(counts: Sequence[int] | np.ndarray, least: int) -> list[tuple[int, int]]:
    """Ranges of neighbours, from the first to before the last, each with `least` people; none if all are fewer."""
    ranges: list[tuple[int, int]] = []
    start, here = 0, 0
    for place, count in enumerate(counts):
        here += int(count)
        if here >= least:
            ranges.append((start, place + 1))
            start, here = place + 1, 0
    if ranges and start < len(counts):
        ranges[-1] = (ranges[-1][0], len(counts))
    return ranges


def share_of_count(count: int, n: int) -> Share:
    """The share of undisguised answers, with Wilson's interval."""
    share = count / n
    low, high = wilson(np.array(share), np.array(float(n)), LEVEL)
    return Share(share, float(np.sqrt(share * (1 - share) / n)), float(low), float(high))


@dataclass(frozen=True)
class DisguisedShare:
    """The share of one disguised answer; None where it cannot be reported."""

    n: int
    all: Share | None
    direct: Share | None = None
    disguised: Share | None = None

    @property
    def difference(self) -> Share | None:
        """Return the direct group's share less the disguised group's, by MOVER (Zou and Donner 2008)."""
        if self.direct is None or self.disguised is None:
            return None
        return difference(self.direct, self.disguised)


def difference(first: Share, second: Share) -> Share:
    """Return the difference of two independent shares, with its interval by MOVER.

    What their intervals reach beyond their errors is no chance: it may lie to the same side in both, and adds up.
    """
    value = first.value - second.value
    (down, below), (up, above) = (_split(first, sign) for sign in (-1, 1))
    (other_down, other_below), (other_up, other_above) = (_split(second, sign) for sign in (-1, 1))
    low = value - float(np.hypot(down, other_up)) - below - other_above
    high = value + float(np.hypot(up, other_down)) + above + other_below
    kind = BiasedShare if isinstance(first, BiasedShare) or isinstance(second, BiasedShare) else Share
    return kind(value, float(np.hypot(first.se, second.se)), low, high)


def _split(share: Share, sign: int) -> tuple[float, float]:
    """How far a share's interval reaches above (sign 1) or below it: by chance, and by a bias."""
    end = share.high if sign > 0 else share.low
    bias = beyond_error(share.value, share.se, end) if isinstance(share, BiasedShare) else 0.0
    return abs(end - share.value) - bias, bias


def answers_to_tell(design: Design, counts: Sequence[np.ndarray], least: int) -> set[str]:
    """The answers of which the share among direct people may be reported: what they say is true.

    `counts`: of each item how many of them gave each of its options.

    >>> age = {"id": "age", "options": [*"abc"], "noise": [0.3, 0.3, 0.4]}
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": [age]}]})
    >>> sorted(answers_to_tell(design, [np.array([150, 149, 130])], 100))
    ['age=a', 'age=b', 'age=c']
    >>> sorted(answers_to_tell(design, [np.array([150, 149, 1])], 100))
    ['age=a']
    """
    return {
        Pattern(((column, frozenset({option})),)).text(design)
        for column, own in enumerate(counts)
        for option in np.flatnonzero(many_enough(own, least)).tolist()
    }


def count_direct_answers(records: Records) -> list[np.ndarray]:
    """Of each item how many people gave each of its options directly; none of a number or a place."""
    codes, design = records.codes[records.direct], records.design
    return [
        np.bincount(own[own != design.not_asked], minlength=len(item.options)) if item.has_options else np.zeros(0)
        for own, item in zip(codes.T, design.items, strict=True)
    ]


def estimate_shares(
    records: Records, patterns: Sequence[Pattern], least: int, alone: int | None = None
) -> list[DisguisedShare]:
    """The share of each pattern by the stratified estimator, and of each group where the direct one may be reported.

    A direct group of which fewer than `least` were asked a pattern enters none of its figures. `alone`: the fewest
    people of a figure that rests on disguised people alone; else `least`.
    """
    design = records.design
    possible = [pattern for pattern in patterns if obstacle(design, pattern, "stratified") is None]
    if not possible or not len(records):
        return [DisguisedShare(0, None) for _ in patterns]
    listed = word_figures(records, LEVEL, possible)
    query = PatternQuery(design, tuple(possible), "stratified", ())
    counts = count_patterns(records, query)
    figures = {
        group: make_report(query, _only(counts, groups), LEVEL).patterns
        for group, groups in (("all", (0, 1)), ("direct", (DIRECT,)), ("disguised", (DISGUISED,)))
    }
    reportable = answers_to_tell(design, count_direct_answers(records), least)
    estimates = {}
    for place, pattern in enumerate(possible):
        asked, matches = query.asked_and_matching(place, counts)
        mixed = asked[DIRECT] >= least and asked[DISGUISED] > 0
        only_direct = asked[DISGUISED] == 0
        whole = figures["all" if mixed or only_direct else "disguised"][place]
        if whole.n < (least if mixed or only_direct or alone is None else alone):
            estimates[pattern] = DisguisedShare(0, None)
            continue
        if pattern in listed:
            estimates[pattern] = DisguisedShare(whole.n, _reaching_as_far(BiasedShare(*listed[pattern]), whole))
            continue
        both = mixed and asked[DISGUISED] >= least
        apart = both and min(matches[DIRECT], asked[DIRECT] - matches[DIRECT]) >= least
        apart &= all(Pattern((literal,)).text(design) in reportable for literal in pattern.literals)
        estimates[pattern] = DisguisedShare(
            whole.n,
            _share(whole),
            _share(figures["direct"][place]) if apart else None,
            _share(figures["disguised"][place]) if apart else None,
        )
    return [estimates.get(pattern, DisguisedShare(0, None)) for pattern in patterns]


def fit_options(shares: Sequence[Share], covariance: Callable[[], np.ndarray]) -> Sequence[Share]:
    """The nearest shares that the options of a question can have, where raw estimates are none of these.

    None is negative, and they sum to 1: everybody gives one of the answers. Distances are by the errors of the
    estimates, whose `covariance` is asked for where it is needed. Intervals are those of the raw estimates as far as a
    share can lie there, and hold the share.
    """
    values = np.array([one.value for one in shares])
    if not np.isfinite(values).all() or ((values >= 0).all() and abs(values.sum() - 1) < ROUNDING):
        return shares
    fitted = nearest_shares(values, covariance())
    if fitted is None:  # of numbers with errors that are alike there always is one
        fitted = nearest_shares(values, np.eye(len(values)))
    assert fitted is not None
    return [fit_share(one, value) for one, value in zip(shares, fitted.tolist(), strict=True)]


def fit_table(
    raw: np.ndarray, covariance: Callable[[], np.ndarray], margins: Sequence[np.ndarray]
) -> np.ndarray | None:
    """The shares of all cells of a table nearest to the raw ones that none is negative and that sum to these margins.

    A margin has one place along each axis that it sums over. Those of three questions may be of no table: no cell has a
    share then, only NaN. None where some cell has no figure.

    >>> raw, margins = np.array([[0.14, -0.04], [0.06, 0.84]]), [np.array([[0.1], [0.9]]), np.array([[0.2, 0.8]])]
    >>> fit_table(raw, lambda: np.eye(4), margins).tolist()
    [[0.1, 0.0], [0.1, 0.8]]
    """
    if not np.isfinite(raw).all():
        return None
    values, shares = raw.ravel(), np.concatenate([own.ravel() for own in margins])
    if not np.isfinite(shares).all():
        return np.full(raw.shape, np.nan)
    places = [np.broadcast_to(np.arange(own.size).reshape(own.shape), raw.shape).ravel() for own in margins]
    sums = np.vstack([at == np.arange(own.size)[:, np.newaxis] for own, at in zip(margins, places, strict=True)])
    if (values >= 0).all() and np.abs(sums @ values - shares).max() <= ROUNDING:
        return raw
    fitted = nearest_table(values, covariance(), sums.astype(float), shares)
    return np.full(raw.shape, np.nan) if fitted is None else fitted.reshape(raw.shape)


def fit_jointly(axes: Axes, raw: Callable[[Axes], RawTable | None], known: Tables) -> np.ndarray | None:
    """The fitted table of some questions, whose sums are the tables of all but one of them: so it says what they say.

    `raw` gives the shares of all cells of some questions, with their covariance; `known` has the shares of each
    question by itself, and takes up the tables. None where some cell has no figure.
    """
    if axes not in known:
        parts = [fit_jointly(axes[:place] + axes[place + 1 :], raw, known) for place in range(len(axes))]
        margins = [np.expand_dims(part, place) for place, part in enumerate(parts) if part is not None]
        found = raw(axes) if len(margins) == len(axes) else None
        known[axes] = found and fit_table(*found, margins)
    return known[axes]


def fit_share(raw: Share, value: float) -> FittedShare:
    """The share with the value that it was fitted to, in the interval of the raw one as far as it can be true."""
    return FittedShare(value, raw.se, *interval_of_shares(raw.value, (raw.low, raw.high), value), raw)


def estimate_options(
    records: Records, patterns: Sequence[Pattern], least: int, alone: int | None = None
) -> list[DisguisedShare]:
    """The shares of `patterns`, which are all options of an item, fitted as one; parameters as in `estimate_shares`."""
    estimates = estimate_shares(records, patterns, least, alone)
    known = [one.all for one in estimates if one.all]
    if len(known) < len(estimates):
        return estimates
    counting = _who_counts(records, patterns[0].columns[0], least)
    fitted = fit_options(known, lambda: covariance_of_options(counting, patterns, known))
    return [replace(one, all=share) for one, share in zip(estimates, fitted, strict=True)]


def _who_counts(records: Records, column: int, least: int) -> Records:
    """The people in figures of an item: the disguised alone where fewer than `least` direct ones were asked it."""
    direct = records.direct
    if not direct.any() or (records.codes[direct, column] != records.design.not_asked).sum() >= least:
        return records
    return Records(records.design, records.codes[~direct], direct[~direct])


def estimate_share(records: Records, pattern: Pattern, least: int, alone: int | None = None) -> DisguisedShare:
    """The share of a pattern; of one item it is that of its options, fitted as one, and else the raw estimate."""
    (own,) = estimate_shares(records, [pattern], least, alone)
    (column, options), *others = pattern.literals
    item = records.design.items[column]
    if others or own.all is None or not item.has_options:
        return own
    known = [one.all for one in estimate_options(records, patterns_of_options(records.design, column), least, alone)]
    parts = [known[place] for place in options]
    value = sum(part.value for part in parts if part)
    if not any(isinstance(part, FittedShare) for part in parts):
        return own
    return replace(own, all=fit_share(own.all, value))


def estimate_jointly(
    records: Records, pattern: Pattern, least: int, options: Sequence[Sequence[Share | None]], known: Tables
) -> DisguisedShare:
    """The share of a pattern of several items that goes with the shares of their `options`, which a page shows.

    It goes with the share that any part of the pattern has by itself, too. Where these contradict each other, it has
    none. `known` takes up the tables that were fitted, for the next pattern of these records.
    """
    (own,) = estimate_shares(records, [pattern], least)
    shares = [np.array([share.value for share in of if share]) for of in options]
    if own.all is None or any(not of or len(known) < len(of) for of, known in zip(options, shares, strict=True)):
        return own
    known.update({(column,): one for column, one in zip(pattern.columns, shares, strict=True)})
    value = _Jointly(records, least, known).share(pattern)
    if value is None or abs(value - own.all.value) < ROUNDING:
        return own
    return replace(own, all=None if np.isnan(value) else fit_share(own.all, value))


@dataclass(frozen=True)
class _Jointly:
    """Shares of patterns that go with each other; `known` as in `fit_jointly`, by column."""

    records: Records
    least: int
    known: Tables

    def share(self, pattern: Pattern) -> float | None:
        """The share in the fitted table of its items, NaN where no table has the shares of its parts.

        Where some cell cannot be estimated, it is what its parts leave of the raw one.
        """
        if (table := fit_jointly(pattern.columns, self._raw, self.known)) is not None:
            return float(table[np.ix_(*(sorted(said) for _, said in pattern.literals))].sum())
        (own,) = estimate_shares(self.records, [pattern], self.least)
        parts = {one: share for one in pattern.literals if (share := self._without(pattern, one)) is not None}
        if own.all is None or not np.isfinite([*parts.values()]).all():
            return None if own.all is None else np.nan
        # With A and B, without either: sup(AB) ≥ sup(A) + sup(B) − sup(neither) (Fréchet 1935).
        either = {(a, b): self._without(pattern, a, b) for a, b in combinations(parts, 2)}
        left = [parts[a] + parts[b] - (1.0 if share is None else share) for (a, b), share in either.items()]
        return min(max(own.all.value, 0.0, *left), *parts.values())

    def _without(self, pattern: Pattern, *less: Literal) -> float | None:
        literals = tuple(one for one in pattern.literals if one not in less)
        return self.share(Pattern(literals)) if literals else 1.0

    def _raw(self, columns: Axes) -> RawTable | None:
        shape = tuple(len(self.records.design.items[column].options) for column in columns)
        if prod(shape) > MOST_CELLS:
            return None
        cells = [
            Pattern(tuple((column, frozenset([place])) for column, place in zip(columns, row, strict=True)))
            for row in np.ndindex(shape)
        ]
        shares = [one.all for one in estimate_shares(self.records, cells, self.least) if one.all]
        if len(shares) < len(cells):
            return None
        values = np.array([one.value for one in shares]).reshape(shape)
        return values, lambda: covariance_of_options(self.records, cells, shares)


def patterns_of_options(design: Design, column: int) -> list[Pattern]:
    """Each option of an item as a pattern."""
    return [Pattern(((column, frozenset([place])),)) for place in range(len(design.items[column].options))]


def covariance_of_options(
    records: Records, patterns: Sequence[Pattern], shares: Sequence[Share], sampling: Sampling | None = None
) -> np.ndarray:
    """The covariance of the estimates of all options of an item; of very many options their variances alone.

    `sampling` says how respondents were drawn; None: alike.
    """
    if not can_be_fitted(len(patterns), len(records)):
        return np.diag([one.se**2 for one in shares])
    sampling = sampling or Sampling.simple(len(records))
    return covariance_of([support(records, pattern, sampling) for pattern in patterns], sampling)


def share_of_estimate(estimate: Estimate) -> Share:
    return Share(estimate.estimate, estimate.se, *estimate.ci)


def rest(share: Share) -> Share:
    """The share of everybody else."""
    return replace(share, value=1 - share.value, low=1 - share.high, high=1 - share.low)


def _only(counts: PatternCounts, groups: Sequence[int]) -> PatternCounts:
    """The counts of these groups, as if nobody were in the other."""
    kept = np.isin((DISGUISED, DIRECT), groups).astype(np.int64)
    return replace(
        counts, sizes=counts.sizes * kept, patterns=tuple(states * kept[:, np.newaxis] for states in counts.patterns)
    )


def _reaching_as_far(share: BiasedShare, raw: Figures) -> BiasedShare:
    """The share with an interval that holds that of the raw figure, too: how far people above a cap may move it."""
    low, high = raw.ci or (share.low, share.high)
    return replace(share, low=min(share.low, low), high=max(share.high, high))


def _share(figures: Figures) -> Share | None:
    if figures.support is None or figures.se is None or figures.ci is None:
        return None
    return (BiasedShare if figures.bias else Share)(figures.support, figures.se, *figures.ci)
