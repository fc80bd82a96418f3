"""Shares and rules of true answers, with what each respondent has in them (`privacy.estimate.linearised`)."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import lru_cache, partial, reduce

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools, Floats
from privacy.choices import AVAILABLE, COMPLETE
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError, NoFigureError
from privacy.estimate.cells import PatternCells, WholeRecords, is_read_whole
from privacy.estimate.figures import figures
from privacy.estimate.linearised import BiasBound, LinearisedFigure, combine, join_reaches
from privacy.estimate.sampled import pattern_of_sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import DISGUISED, factors, require_possible
from privacy.estimate.wrong_chances import WrongChances, has_wrong_chances
from privacy.reconstruct import metrics
from privacy.records import Records

_NEXT = 1e-4  # a share next to another one, to see how fast a bound grows


def figure(
    records: Records,
    text: str,
    sampling: Sampling,
    estimator: str = "stratified",
    measure: str = "confidence",
    among: Bools | None = None,
    cases: str = AVAILABLE,
) -> LinearisedFigure:
    """A share or a rule, as its text says: "drugs,!cheating", or "drugs => cheating" by a metric that has an error.

    `among` says which respondents it is about.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.repeat([[1], [0]], [40, 60], axis=0).astype(np.uint8), np.zeros(100, bool))
    >>> drawn_alike = Sampling.simple(100)
    >>> round(figure(records, "drugs", drawn_alike).estimate(drawn_alike, 0.95).estimate, 6)  # (0.4 − 0.25) / 0.5
    0.3
    """
    metric = metrics.measure_of(measure)  # of a share it is refused, too
    share = partial(support, records, sampling=sampling, estimator=estimator, among=among, cases=cases)
    if "=>" not in text:
        return share(parse_pattern(text, records.design))
    return _rule(records.design, text, share, metric)


def rules_of(records: Records, sampling: Sampling) -> Callable[[str, str], LinearisedFigure]:
    """A function that gives what `figure` gives of a rule by a measure; many rules share the shares of their sides.

    >>> from privacy.design.models import warner
    >>> design = warner(["drugs", "theft"], theta=1)
    >>> codes = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], design.code_type)
    >>> sampling = Sampling.simple(4)
    >>> made = rules_of(Records(design, codes, np.zeros(4, bool)), sampling)("drugs => theft", "confidence")
    >>> round(made.value, 2)
    0.5
    """
    design = records.design

    @lru_cache(maxsize=256)
    def share(pattern: Pattern, within: Pattern | None) -> LinearisedFigure:
        return support(records, pattern, sampling, within=within)

    def of_side(pattern: Pattern, within: Pattern) -> LinearisedFigure:
        return share(pattern, within if is_read_whole(design, within) else None)

    return lambda text, measure: _rule(design, text, of_side, metrics.measure_of(measure))


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
) -> LinearisedFigure:
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
    needed = (within if within and cases == COMPLETE else pattern).columns
    if is_read_whole(design, within or pattern):
        own = PatternCells(design, within or pattern)
    else:
        sampled = pattern_of_sample(design, pattern, cases)
        own = PatternCells(design, pattern, sampled.literals) if sampled else PatternCells(design, pattern, (), needed)
    seen = here & (records.codes[:, list(needed)] != design.not_asked).all(axis=1)
    if not float(sampling.weights @ seen) > 0:
        raise NoFigureError(f"Nobody was asked all of {name!r}.")
    cell = own.cell_of(WholeRecords(design, records.codes, records.direct))
    made = figures(own, sampling.select(here).in_cells(cell[here], 2 * own.count), estimator, cases)
    mask = sum(1 << index for index, literal in enumerate(own.literals) if literal in pattern.literals)
    value = float(made.support[mask])
    if not np.isfinite(value):
        if estimator == "stratified":
            raise NoFigureError(f"One of the two groups was asked nothing of {name!r}.")
        value = np.nan

    def of_respondents(of_cells: Floats) -> Floats:
        parts = np.zeros(len(records))
        parts[here] = of_cells[cell[here]]
        return parts

    group = int(here.argmax())  # those of other respondents have doubts of their own
    causes = own.causes(made.sums.totals.reshape(2, -1)[DISGUISED])
    doubts: dict[Hashable, float] = {
        (group, name): by / len(names) ** 0.5
        for names, by in zip([*causes, *[(name,)] * len(made.support)], made.doubts[mask].tolist(), strict=True)
        for name in names
        if by
    }
    figure = made.figure(mask, effective=sampling.effective(seen)).map_parts(of_respondents)
    figure = replace(figure, name=name, n=sampling.people(seen), value=value, doubts=doubts)
    if not has_wrong_chances(design):
        return figure
    disguised = float(sampling.weights @ (seen & ~records.direct) / (sampling.weights @ seen))
    part = disguised if estimator == "stratified" else 1.0
    chances = WrongChances.from_pattern(
        design, pattern, lambda rest, _: support(records, rest, sampling, estimator, among, cases=cases).value
    )
    estimated = {("chances", place): part * by for place, by in chances.doubts(value).items() if by}
    return _reach_over_chances(replace(figure, doubts=doubts | estimated), chances, part)


def _reach_over_chances(figure: LinearisedFigure, chances: WrongChances, part: float) -> LinearisedFigure:
    """The figure with how far wrong chances of people's own draws may move it; `part` of it are disguised records."""
    if not chances or not np.isfinite(figure.value):
        return figure

    def reach(sign: int, before: BiasBound | None) -> BiasBound | None:
        most, next_to = (sign * (chances.far_end(at, sign, part) - at) for at in (figure.value, figure.value + _NEXT))
        return join_reaches((1.0, BiasBound(most, (next_to - most) / _NEXT * figure.parts)), (1.0, before))

    return replace(figure, above=reach(1, figure.above), below=reach(-1, figure.below))


@np.errstate(divide="ignore", invalid="ignore")  # as `support`: what has no estimate stays NaN
def _rule(
    design: Design, text: str, share: Callable[..., LinearisedFigure], metric: metrics.Metric
) -> LinearisedFigure:
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
    supports = metrics.Sides(*(np.array([one.value]) for one in (a, c, both)))
    slopes = [float(np.ravel(slope)[0]) for slope in metric.slopes(supports)]
    rule = combine(*zip(slopes, (both, a, c), strict=True))
    rule = replace(rule, name=name, n=both.n, effective=both.effective)
    if rule.above is not None and rule.below is not None:
        ends = [(one.above.most if one.above else 0.0, one.below.most if one.below else 0.0) for one in (both, a, c)]
        above, below = (float(end[0]) for end in metrics.reach_at_corners(metric, supports, ends))
        above, below = max(rule.above.most, above), max(rule.below.most, below)
        rule = replace(rule, above=replace(rule.above, most=above), below=replace(rule.below, most=below))
    if metric.divisor is None:
        return replace(rule, value=float(metrics.metrics(supports)[metric.key][0]))
    divisor, *by_sides = (float(np.ravel(of)[0]) for of in metric.divisor(supports))
    if not divisor > 0:
        raise NoFigureError(f"Rule {name!r}: its sides are not estimated to be above 0, so it has no {metric.key}.")
    sides = combine(*((slope, side) for slope, side in zip(by_sides, (a, c), strict=True) if slope))
    return replace(rule, value=both.value / divisor, fraction=(both, replace(sides, value=divisor)))


def matching(records: Records, pattern: Pattern) -> Bools:
    """Which records match all of the pattern, as they are stored."""
    atoms = sum(len(part.atoms) for part in factors(records.design, pattern))
    return _states(records, pattern) == 2**atoms - 1


def _states(records: Records, pattern: Pattern) -> NDArray[np.intp]:
    """The state of each record: a bit for each atom, the first one the highest."""
    state = np.zeros(len(records), np.intp)
    for part in factors(records.design, pattern):
        for atom in part.atoms:
            state = 2 * state + _matches_event(records, atom)
    return state


def _matches_event(records: Records, event: Sequence[Literal]) -> Bools:
    return reduce(np.logical_and, [np.isin(records.codes[:, column], sorted(options)) for column, options in event])
