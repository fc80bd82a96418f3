"""Shares and rules of true answers, with what each respondent has in them (`privacy.estimate.linearised`)."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce, wraps
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools, Floats
from privacy.choices import AVAILABLE, COMPLETE
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.estimate.available import products
from privacy.estimate.bit_columns import DIRECT, DISGUISED
from privacy.estimate.cells import RecordPattern, WholeRecords, record_pattern
from privacy.estimate.figures import doubt_of_direct, part_of_direct
from privacy.estimate.linearised import ALIKE, Linearised, Reach, join_doubts, join_reaches
from privacy.estimate.sampled import pattern_of_sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import channel_of, factors, require_possible
from privacy.reconstruct import metrics
from privacy.records import Records


def by_replicates(compute: Callable[..., Linearised]) -> Callable[..., Linearised]:
    """Decorate a function that computes a figure: where the sample has replicates, compute it by each, too."""

    @wraps(compute)
    def with_replicates(records: Records, what: Any, sampling: Sampling, *args: Any, **kwargs: Any) -> Linearised:
        one = compute(records, what, replace(sampling, replicates=None), *args, **kwargs)
        if sampling.replicates is None:
            return one
        each = []
        for number, own in enumerate(sampling.replicated(), 1):
            try:
                each.append(compute(records, what, own, *args, **kwargs))
            except InputError as error:
                raise InputError(f"By the weights of replicate {number} alone: {error}") from None
        return one.with_replicates(each)

    return with_replicates


@by_replicates
def figure(
    records: Records,
    text: str,
    sampling: Sampling,
    estimator: str = "stratified",
    measure: str = "confidence",
    among: Bools | None = None,
    cases: str = AVAILABLE,
) -> Linearised:
    """A share or a rule, as its text says: "drugs,!cheating", or "drugs => cheating" by a metric that has an error.

    `among` says which respondents it is about.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.repeat([[1], [0]], [40, 60], axis=0).astype(np.uint8), np.zeros(100, bool))
    >>> drawn_alike = Sampling.from_columns({}, 100)
    >>> round(figure(records, "drugs", drawn_alike).estimate(drawn_alike, 0.95).estimate, 6)  # (0.4 − 0.25) / 0.5
    0.3
    """
    metric = metrics.measure_of(measure)  # of a share it is refused, too
    share = partial(support, records, sampling=sampling, estimator=estimator, among=among, cases=cases)
    if "=>" not in text:
        return share(parse_pattern(text, records.design))
    return _rule(records.design, text, share, metric)


@by_replicates
@np.errstate(divide="ignore", invalid="ignore")  # pooled, where a group without direct answers tells nothing: NaN
def support(
    records: Records,
    pattern: Pattern,
    sampling: Sampling,
    estimator: str = "stratified",
    among: Bools | None = None,
    within: Pattern | None = None,
    *,
    cases: str = AVAILABLE,
) -> Linearised:
    """The estimated share of true answers that match the pattern, for the respondents `among`.

    By complete cases it comes from those who were asked all of the pattern, or all of `within`, which it is a part of.
    By available cases each part of a pattern on sampled blocks comes from everyone who was asked it.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> records = Records(design, np.repeat([[1], [0]], [60, 65], axis=0).astype(np.uint8), np.zeros(125, bool))
    >>> share = figure(records, "drugs", Sampling.simple(125)).estimate(Sampling.simple(125))
    >>> round(share.estimate, 4), round(share.se, 6)  # the figures that RRTCS prints for these counts
    (0.45, 0.112163)
    """
    design = records.design
    require_possible(design, pattern, estimator)
    name = pattern.text(design)
    here = np.ones(len(records), bool) if among is None else among
    columns = list((within if within and cases == COMPLETE else pattern).columns)
    seen = here & (records.codes[:, columns] != design.not_asked).all(axis=1)
    weight = sampling.weights
    total = float(weight @ here)
    direct, disguised = here & records.direct, here & ~records.direct
    if not float(weight @ seen) > 0:
        raise InputError(f"Nobody was asked all of {name!r}.")
    n, effective = int(seen.sum()), sampling.effective(seen)
    by_record = record_pattern(design, within or pattern)
    if by_record is not None:
        return _support_by_cells(by_record, pattern, records, sampling, estimator, here, n, effective, cases)
    share = float(weight @ direct) / total
    pieces = _pieces(records, pattern, here, seen, cases)
    if estimator == "pooled":
        value, parts = 0.0, np.zeros(len(records))
        for piece in pieces:
            share = float(weight @ (piece.seen & records.direct)) / float(weight @ piece.seen)
            mean, own = _mean(piece.weights(share), weight, piece.seen)
            for group in (direct, disguised):  # k is taken as given, as the estimator does without weights
                inside = piece.seen & group
                if inside.any():
                    own[inside] -= float(weight[inside] @ own[inside]) / float(weight[inside].sum())
            value, parts = value + piece.factor * mean, parts + piece.factor * own
        value = value if np.isfinite(value) else np.nan
        return Linearised(name, n, value, parts, spread=_differ(parts, weight), effective=effective)
    groups = [
        (group, *_mean_of(pieces, share_direct, weight, group))
        for group, share_direct in ((direct, 1.0), (disguised, 0.0))
        if float(weight @ (seen & group)) > 0
    ]
    if len(groups) == 1:
        lacking = float(weight @ (direct if groups[0][0] is disguised else disguised)) > 0
        if lacking and estimator == "stratified":
            raise InputError(f"One of the two groups was asked nothing of {name!r}.")
        return Linearised(name, n, *groups[0][1:], spread=_differ(groups[0][2], weight), effective=effective)
    (_, first, own), (_, second, other) = groups
    spread = _differ(own, weight) or _differ(other, weight)
    if estimator == "stratified":
        value = share * first + (1 - share) * second
        parts = share * own + (1 - share) * other
        parts[direct] += (first - value) / total
        parts[disguised] += (second - value) / total
        return Linearised(name, n, value, parts, spread=spread, effective=effective)
    of_groups = [weight[group & seen] for group in (disguised, direct)]
    sizes = np.array([own_weight.sum() ** 2 / (own_weight @ own_weight) for own_weight in of_groups])
    lean = part_of_direct(first, sizes, float(sampling.covariance(other[:, np.newaxis])[0, 0]))
    value, parts = lean * first + (1 - lean) * second, lean * own + (1 - lean) * other
    varies = float(sampling.covariance(own[:, np.newaxis])[0, 0])
    doubts: dict[Hashable, float] = {name: lean * doubt_of_direct(first, float(sizes[DIRECT]), varies)}
    return Linearised(name, n, value, parts, spread=spread, effective=effective, doubts=doubts)


def _support_by_cells(
    own: RecordPattern,
    pattern: Pattern,
    records: Records,
    sampling: Sampling,
    estimator: str,
    inside: Bools,
    n: int,
    effective: float,
    cases: str,
) -> Linearised:
    """What `support` returns where records are read whole; `own` is the pattern, or one that `pattern` is a part of."""
    cell = own.cell_of(WholeRecords(own.design, records.codes, records.direct))
    within = sampling.select(inside)
    made = own.figures(within.in_cells(cell[inside], 2 * own.count), estimator, cases)
    name = pattern.text(own.design)
    mask = sum(1 << place for place, literal in enumerate(own.pattern.literals) if literal in pattern.literals)
    if not np.isfinite(made.support[mask]):
        raise InputError(f"One of the two groups was asked nothing of {name!r}.")

    def of_respondents(of_cells: Floats) -> Floats:
        parts = np.zeros(len(records))
        parts[inside] = of_cells[cell[inside]]
        return parts

    group = int(inside.argmax())  # those of other respondents have doubts of their own
    causes = own.causes(made.sums.totals.reshape(2, -1)[DISGUISED])
    doubts: dict[Hashable, float] = {
        (group, name): by / len(names) ** 0.5
        for names, by in zip([*causes, *[(name,)] * len(made.support)], made.doubts[mask].tolist(), strict=True)
        for name in names
        if by
    }
    parts = of_respondents(made.parts[mask])
    line = made.line if own.pattern == pattern else None
    figure = Linearised(name, n, float(made.support[mask]), parts, effective=effective, doubts=doubts, line=line)
    for one in made.biases[mask] if made.biases else ():
        reach = Reach(max(one.most, 0.0), of_respondents(one.parts))
        figure = replace(figure, below=reach) if one.below else replace(figure, above=reach)
    return figure


@np.errstate(divide="ignore", invalid="ignore")  # as `support`: what has no estimate stays NaN
def _rule(design: Design, text: str, share: Callable[..., Linearised], metric: metrics.Metric) -> Linearised:
    """A metric of a rule, from the supports of both sides together, of its antecedent and its consequent."""
    antecedent, _, consequent = (side.strip() for side in text.partition("=>"))
    left, right = parse_pattern(antecedent, design), parse_pattern(consequent, design)
    if set(left.columns) & set(right.columns):
        raise InputError(f"Rule {antecedent!r} => {consequent!r}: an item is on both sides.")
    whole = Pattern.from_literals((*left.literals, *right.literals), design)
    both, a, c = (share(pattern, within=whole) for pattern in (whole, left, right))
    name = f"{antecedent} => {consequent}"
    if metric.slopes is None:
        return replace(both, name=name)
    spread = both.spread or a.spread or c.spread
    supports = metrics.Sides(*(np.array([one.value]) for one in (a, c, both)))
    slopes = list(zip((float(np.ravel(one)[0]) for one in metric.slopes(supports)), (both, a, c), strict=True))
    above, below = (_reach(slopes, end) for end in ("above", "below"))
    ends = [(one.above.most if one.above else 0.0, one.below.most if one.below else 0.0) for one in (both, a, c)]
    if above is not None and below is not None:
        furthest = [float(end[0]) for end in metrics.reach_at_corners(metric, supports, ends)]
        above, below = (
            replace(end, most=max(end.most, most)) for end, most in zip((above, below), furthest, strict=True)
        )
    if metric.divisor is None:
        value = float(metrics.metrics(supports)[metric.key][0])
        parts = np.sum([slope * one.parts for slope, one in slopes], axis=0)
        doubts = join_doubts(*slopes)
        return Linearised(
            name, both.n, value, parts, spread=spread, effective=both.effective, above=above, below=below, doubts=doubts
        )
    divisor, by_a, by_c = metric.divisor(supports)
    if not divisor > 0:
        raise InputError(f"Rule {name!r}: its sides are not estimated to be above 0, so it has no {metric.key}.")
    doubts = join_doubts((float(np.ravel(by_a)[0]), a), (float(np.ravel(by_c)[0]), c))
    by = replace(a, value=float(divisor[0]), parts=by_a * a.parts + by_c * c.parts, doubts=doubts)
    value = both.value / by.value
    parts = (both.parts - value * by.parts) / by.value
    doubts = join_doubts((1 / by.value, both), (-value / by.value, by))
    fraction, effective = (both, by), both.effective
    return Linearised(name, both.n, value, parts, fraction, spread, effective, above, below, doubts=doubts)


def _reach(slopes: Sequence[tuple[float, Linearised]], end: str) -> Reach | None:
    """How far Σ slope·figure may lie above or below (`end`) its estimate; negative slopes take the other end."""
    other = {"above": "below", "below": "above"}[end]
    return join_reaches(*((abs(slope), getattr(one, end if slope > 0 else other)) for slope, one in slopes))


def matching(records: Records, pattern: Pattern) -> Bools:
    """Which records match all of the pattern, as they are stored."""
    atoms = sum(len(part.atoms) for part in factors(records.design, pattern))
    return _states(records, pattern) == 2**atoms - 1


@dataclass(frozen=True)
class _Piece:
    """A part of an estimate: its factor, who was asked it, and what each record weighs, by the share that is direct."""

    factor: float
    seen: Bools
    weights: Callable[[float], Floats]


def _pieces(records: Records, pattern: Pattern, here: Bools, seen: Bools, cases: str) -> list[_Piece]:
    """The parts of a pattern's estimate: the whole pattern of those `seen`, or its centred products (`available`)."""
    design = records.design
    own = pattern_of_sample(design, pattern) if cases == AVAILABLE else None
    if own is None:
        channel, state = channel_of([factors(design, pattern)]), _states(records, pattern)
        return [_Piece(1.0, seen, lambda share: channel.weights(share)[0][state])]
    columns = [column for column, _ in own.literals]
    asked = records.codes[:, columns] != design.not_asked
    events = [*((literal,) for literal in own.literals), *reversed(own.rest)]  # the lowest bit of a cell first
    cell = np.zeros(len(records), np.intp)
    for bit, event in enumerate(events):
        cell |= _matches_event(records, event).astype(np.intp) << bit

    @cache
    def tables(share: float) -> Floats:
        return products(own.weights(np.array([share])), own.centres[:, np.newaxis])[..., 0]

    def piece(mask: int, share: float) -> Floats:
        return tables(share)[mask][cell & ~(2 ** len(columns) - 1 - mask)]

    pieces = []
    for mask in range(2 ** len(columns)):
        inside = np.array([bool(mask >> bit & 1) for bit in range(len(columns))])
        factor = float(prod(own.centres[~inside]))
        pieces.append(_Piece(factor, here & asked[:, inside].all(axis=1), partial(piece, mask)))
    return pieces


def _mean_of(pieces: Sequence[_Piece], share: float, weight: Floats, group: Bools) -> tuple[float, Floats]:
    """The estimate from one group's records, and the part of each respondent in it."""
    value, parts = 0.0, np.zeros(len(weight))
    for piece in pieces:
        mean, own = _mean(piece.weights(share), weight, piece.seen & group)
        value, parts = value + piece.factor * mean, parts + piece.factor * own
    return value, parts


def _mean(values: Floats, weight: Floats, seen: Bools) -> tuple[float, Floats]:
    """The weighted mean of the values of those seen, and the part of each respondent in it."""
    total = float(weight @ seen)
    if not total > 0:
        return 0.0, np.zeros(len(weight))
    mean = float(weight @ np.where(seen, values, 0.0)) / total
    return mean, np.where(seen, (values - mean) / total, 0.0)


def _differ(parts: Floats, weight: Floats) -> bool:
    """Whether some respondent has a part that is not 0: if all answer alike, all parts are 0."""
    return float((weight * np.abs(parts)).max(initial=0.0)) * len(parts) > ALIKE


def _states(records: Records, pattern: Pattern) -> NDArray[np.intp]:
    """The state of each record: a bit for each atom, the first one the highest."""
    state = np.zeros(len(records), np.intp)
    for part in factors(records.design, pattern):
        for atom in part.atoms:
            state = 2 * state + _matches_event(records, atom)
    return state


def _matches_event(records: Records, event: Sequence[Literal]) -> Bools:
    return reduce(np.logical_and, [np.isin(records.codes[:, column], sorted(options)) for column, options in event])
