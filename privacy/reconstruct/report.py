"""Reconstruction: from disguised records, or from observed supports alone, to supports with their error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE
from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.design.reading import LARGEST, entries, shown
from privacy.errors import InputError
from privacy.reconstruct.bit_columns import states_from_supports
from privacy.reconstruct.by_order import estimate_ordered
from privacy.reconstruct.estimators import Estimates, estimate
from privacy.reconstruct.feasible import Feasible, joint_fit, joint_supports, own_supports
from privacy.reconstruct.group_difference import GroupComparison, compare
from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery, count_patterns
from privacy.reconstruct.sampled import estimate_sampled
from privacy.reconstruct.weights import channel_of, factors, shape
from privacy.records import Records

__all__ = ["Figures", "Report", "make_report", "reconstruct", "reconstruct_supports"]

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Figures:
    """One pattern's figures; None where there is none, as a standard error from one respondent."""

    pattern: str
    n: int  # respondents asked all of the pattern
    observed: float | None
    support: float | None
    se: float | None  # about the population
    se_respondents: float | None  # about the same respondents' own truth
    ci: tuple[float, float] | None
    feasible: Feasible | None

    def to_json(self) -> dict[str, Any]:
        figures = vars(self) | {"ci": list(self.ci) if self.ci else None}
        return figures | (self.feasible.to_json() if self.feasible else {"feasible": None})


@dataclass(frozen=True)
class Report:
    """The figures of all patterns of a query, with the comparison of the direct and the disguised group."""

    n: int
    direct: int
    estimator: str
    cases: str
    level: float
    patterns: tuple[Figures, ...]
    groups: GroupComparison

    def to_json(self) -> dict[str, Any]:
        """The JSON of `candor reconstruct`; the sentence in it stays for programs that were written for it."""
        groups = self.groups
        beside = {"finding": groups.finding, "widest": groups.widest and groups.widest.answer, "advice": groups.advice}
        return vars(self) | {
            "patterns": [figures.to_json() for figures in self.patterns],
            "groups": groups.to_json() | beside,
        }


def reconstruct(
    records: Records,
    patterns: Iterable[str | Pattern],
    estimator: str = "stratified",
    level: float = 0.95,
    *,
    feasible: bool = True,
    cases: str = AVAILABLE,
) -> Report:
    """Estimate the share of true answers that match each pattern.

    Parameters
    ----------
    records : Records
        Disguised records with the design they were disguised by.
    patterns : iterable of str or Pattern
        For example "drugs,!cheating", "age=30-49".
    estimator : {"stratified", "combined", "pooled"}
        Stratified is right also where direct and disguised respondents answer differently; the others are not.
    level : float
        The confidence level of the intervals.
    feasible : bool
        Whether supports that true answers could have are computed, too, which takes longer.
    cases : {"available", "complete", "least-squares"}
        Whether a pattern on sampled blocks is estimated from everyone who was asked a part of it, or only from those
        who were asked all of it; elsewhere the two are the same.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        Where a pattern cannot be reconstructed; the sentence says which and why.

    Examples
    --------
    >>> import numpy as np
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> records = Records(design, np.array([[1], [1], [0], [0], [0]], np.uint8), np.zeros(5, bool))
    >>> figures = reconstruct(records, ["drugs"]).patterns[0]
    >>> round(figures.observed, 3), round(figures.support, 3)  # (.4 − .25) / .5
    (0.4, 0.3)
    """
    query = PatternQuery.of(records.design, patterns, estimator, feasible, cases)
    return make_report(query, count_patterns(records, query), level)


def reconstruct_supports(
    design: Design,
    patterns: Iterable[str | Pattern],
    counts: Mapping[str, tuple[int, int]],
    estimator: str = "stratified",
    level: float = 0.95,
) -> Report:
    """Estimate the share of true answers that match each pattern from counts alone, without the records.

    Parameters
    ----------
    design : Design
        What the records were disguised by; no block of it is sampled.
    patterns : iterable of str or Pattern
        The patterns to reconstruct.
    counts : mapping
        From a pattern to how many disguised and how many direct records match it; from "" to the sizes of the two
        groups. A pattern needs itself and, where it spreads over several coins or flipped answers, its parts.
    estimator : {"stratified", "combined", "pooled"}
        As in `reconstruct`.
    level : float
        The confidence level of the intervals.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        Where a count is missing, which the sentence names, or the counts contradict each other.

    Examples
    --------
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> report = reconstruct_supports(design, ["drugs"], {"": (1000, 0), "drugs": (400, 0)})
    >>> round(report.patterns[0].support, 3)
    0.3
    """
    if design.sampled:
        raise InputError("Counts alone do not say who was asked what in a sampled block; count records instead.")
    for text, pair in counts.items():
        two = entries(pair) or []
        if len(two) != 2 or any(not isinstance(value, int | np.integer) or value < 0 for value in two):
            raise InputError(f"counts: {shown(pair)} of {text!r} is not two counts, disguised and direct records.")
        if max(two) > LARGEST:
            raise InputError(f"counts: {shown(pair)} of {text!r} holds too large a number.")
    known = _by_pattern(design, counts)
    wanted = PatternQuery.of(design, patterns, estimator)
    query = replace(wanted, compared=tuple(pattern for pattern in wanted.compared if pattern in known))

    def states(pattern: Pattern) -> Counts:
        atoms = [atom for factor in factors(design, pattern) for atom in factor.atoms]
        conjunctions = []
        for chosen in product((False, True), repeat=len(atoms)):
            part = Pattern.of(
                [literal for atom, take in zip(atoms, chosen, strict=True) if take for literal in atom], design
            )
            if part not in known and not part.literals:
                raise InputError("counts: the number of all records, under '', is missing.")
            if part not in known:
                raise InputError(f"counts: {part.text(design)!r} is missing, {pattern.text(design)!r} needs it.")
            conjunctions.append(known[part])
        seen = states_from_supports(np.array(conjunctions, dtype=np.int64).T)
        if (seen < 0).any():
            raise InputError(f"counts: those of {pattern.text(design)!r} contradict each other; no records have them.")
        return seen

    (sizes,) = states(Pattern(())).T
    given = PatternCounts(sizes, tuple(map(states, query.patterns)), tuple(map(states, query.compared)), {})
    return make_report(query, given, level)


def _by_pattern(design: Design, counts: Mapping[str, tuple[int, int]]) -> dict[Pattern, tuple[int, int]]:
    """The counts by their patterns; two spellings of one, as 'a,b' and 'b,a', may only say the same."""
    spelled: dict[Pattern, str] = {}
    for text, pair in counts.items():
        first = spelled.setdefault(parse_pattern(text, design) if text else Pattern(()), text)
        if list(counts[first]) != list(pair):
            raise InputError(f"counts: {first!r} and {text!r} are one pattern, and their counts differ.")
    return {pattern: counts[text] for pattern, text in spelled.items()}


def make_report(query: PatternQuery, counts: PatternCounts, level: float = 0.95) -> Report:
    """Turn counts into estimates with their error.

    Parameters
    ----------
    query : PatternQuery
        What was counted.
    counts : PatternCounts
        The sum of the counts over all parts of the respondents.
    level : float
        The confidence level of the intervals.

    Returns
    -------
    Report

    Examples
    --------
    Respondents who were counted in two parts give the figures of all of them together.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> query = PatternQuery.of(design, ["drugs"])
    >>> first = Records(design, np.array([[1], [0]], np.uint8), np.zeros(2, bool))
    >>> second = Records(design, np.array([[1], [0], [0]], np.uint8), np.zeros(3, bool))
    >>> report = make_report(query, count_patterns(first, query) + count_patterns(second, query))
    >>> report.n, round(report.patterns[0].support, 3)
    (5, 0.3)
    """
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    design, sizes, estimator = query.design, counts.sizes, query.estimator
    disguised, direct = map(int, sizes)
    feasible: dict[int, Feasible | None] = {}
    fit = joint_fit(design, query.joint_columns, counts.joint, sizes, estimator) if counts.joint else None
    if fit:
        feasible |= enumerate(joint_supports(design, query.joint_columns, query.patterns, fit))
    figures: dict[int, Figures] = {}
    for places in _by_shape(query):
        own, placed = query.sampled[places[0]], query.ordered[places[0]]
        if placed:
            ((place,), name) = places, placed.pattern.text(design)
            estimates = estimate_ordered(placed, counts.patterns[place], estimator, query.cases, level)
            figures[place] = _figures(name, estimates, 0, None)
            continue
        channel = channel_of([query.factors[place] for place in places])
        if own:
            states = own.whole(counts.patterns[places[0]])[np.newaxis]
            estimates = estimate_sampled(own, counts.patterns[places[0]], sizes, estimator, level, query.cases)
        else:
            states = np.stack([counts.patterns[place] for place in places])
            estimates = estimate(states, sizes, channel, estimator, level)
        if query.feasible and fit is None and disguised + direct:
            feasible |= zip(places, own_supports(states, sizes, channel, estimator), strict=True)
        for row, place in enumerate(places):
            name = query.patterns[place].text(design)
            figures[place] = _figures(name, estimates, row, feasible.get(place))
    compared = np.stack(counts.compared) if counts.compared else np.empty((0, 2, 2), dtype=np.int64)
    groups = compare(design, query.compared, compared)
    in_order = tuple(figures[place] for place in range(len(query.patterns)))
    return Report(disguised + direct, direct, estimator, query.cases, level, in_order, groups)


def _by_shape(query: PatternQuery) -> list[list[int]]:
    """The places of patterns that can be computed together; each of those that available cases estimate, or
    that stand in an order, is alone.
    """
    places: dict[tuple[int, ...], list[int]] = {}
    for place, parts in enumerate(query.factors):
        if not query.sampled[place] and not query.ordered[place]:
            places.setdefault(shape(parts), []).append(place)
    alone = [bool(pair[0] or pair[1]) for pair in zip(query.sampled, query.ordered, strict=True)]
    return [*places.values(), *([place] for place, own in enumerate(alone) if own)]


def _figures(name: str, estimates: Estimates, row: int, feasible: Feasible | None) -> Figures:
    def known(values: NDArray[np.float64]) -> float | None:
        return float(values[row]) if isfinite(values[row]) else None

    low, high = known(estimates.low), known(estimates.high)
    return Figures(
        name,
        int(estimates.asked[row]),
        known(estimates.observed),
        known(estimates.support),
        known(estimates.se),
        known(estimates.se_respondents),
        None if low is None or high is None else (low, high),
        feasible,
    )
