"""Reconstruction: from disguised records, or from observed supports alone, to supports with their error."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.reconstruct.bit_columns import disjoint
from privacy.reconstruct.estimators import Estimates, estimate
from privacy.reconstruct.factors import channel_of, factors, shape
from privacy.reconstruct.feasible import Feasible, joint_fit, joint_supports, own_supports
from privacy.reconstruct.group_difference import Comparison, compare
from privacy.reconstruct.tally import Question, Tally, count
from privacy.records import Records

__all__ = ["Figures", "Question", "Report", "Tally", "count", "reconstruct", "reconstruct_supports", "report"]

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
        found = vars(self) | {"ci": list(self.ci) if self.ci else None}
        return found | (self.feasible.to_json() if self.feasible else {"feasible": None})


@dataclass(frozen=True)
class Report:
    n: int
    direct: int
    estimator: str
    level: float
    patterns: tuple[Figures, ...]
    groups: Comparison

    def to_json(self) -> dict[str, Any]:
        """The JSON of `candor reconstruct`."""
        return vars(self) | {
            "patterns": [figures.to_json() for figures in self.patterns],
            "groups": self.groups.to_json(),
        }


def reconstruct(
    records: Records,
    patterns: Iterable[str | Pattern],
    estimator: str = "stratified",
    level: float = 0.95,
    *,
    feasible: bool = True,
) -> Report:
    """Estimate the share of true answers that match each pattern; feasible estimates take longer."""
    question = Question.of(records.design, patterns, estimator, feasible)
    return report(question, count(records, question), level)


def reconstruct_supports(
    design: Design,
    patterns: Iterable[str | Pattern],
    supports: Mapping[str, tuple[int, int]],
    estimator: str = "stratified",
    level: float = 0.95,
) -> Report:
    """Estimate from observed supports alone: how many disguised and direct records match each sub-pattern.

    `supports` maps patterns to two counts, "" to the sizes of the two groups. A pattern needs itself and, where it
    spreads over several coins or flipped answers, its parts; a missing one is named.
    """
    if design.sampled:
        raise InputError("Supports alone do not say who was asked what in a sampled block; count records instead.")
    for text, pair in supports.items():
        if len(pair) != 2 or any(not isinstance(value, int | np.integer) or value < 0 for value in pair):
            raise InputError(f"supports: {pair!r} of {text!r} is not two counts, disguised and direct records.")
    known = {parse_pattern(text, design) if text else Pattern(()): pair for text, pair in supports.items()}
    asked = Question.of(design, patterns, estimator)
    compared = tuple(pattern for pattern in asked.compared if pattern in known)
    question = replace(asked, compared=compared)

    def counted(pattern: Pattern) -> Counts:
        atoms = [atom for part in factors(design, pattern) for atom in part.atoms]
        found = []
        for chosen in product((False, True), repeat=len(atoms)):
            part = Pattern.of(
                [literal for atom, take in zip(atoms, chosen, strict=True) if take for literal in atom], design
            )
            if part not in known:
                raise InputError(f"supports: {part.text(design)!r} is missing, {pattern.text(design)!r} needs it.")
            found.append(known[part])
        states = disjoint(np.array(found, dtype=np.int64).T)
        if (states < 0).any():
            raise InputError(
                f"supports: those of {pattern.text(design)!r} contradict each other; no records have them."
            )
        return states

    (sizes,) = counted(Pattern(())).T
    tally = Tally(sizes, tuple(map(counted, question.patterns)), tuple(map(counted, compared)), {})
    return report(question, tally, level)


def report(question: Question, tally: Tally, level: float = 0.95) -> Report:
    """Turn counts into estimates with their error."""
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    design, sizes, estimator = question.design, tally.sizes, question.estimator
    disguised, direct = map(int, sizes)
    feasible: dict[int, Feasible | None] = {}
    fit = joint_fit(design, question.union, tally.joint, sizes, estimator) if tally.joint else None
    if fit:
        feasible |= enumerate(joint_supports(design, question.union, question.patterns, fit))
    found: dict[int, Figures] = {}
    for places in _by_shape(question):
        counts = np.stack([tally.patterns[place] for place in places])
        disguise = channel_of([question.factors[place] for place in places])
        estimates = estimate(counts, sizes, disguise, estimator, level)
        if question.feasible and not tally.joint and disguised + direct:
            feasible |= zip(places, own_supports(counts, sizes, disguise, estimator), strict=True)
        for row, place in enumerate(places):
            name = question.patterns[place].text(design)
            found[place] = _figures(name, estimates, row, feasible.get(place))
    compared = np.stack(tally.compared) if tally.compared else np.empty((0, 2, 2), dtype=np.int64)
    groups = compare(design, question.compared, compared)
    figures = tuple(found[place] for place in range(len(question.patterns)))
    return Report(disguised + direct, direct, estimator, level, figures, groups)


def _by_shape(question: Question) -> list[list[int]]:
    """The places of patterns that can be computed together."""
    found: dict[tuple[int, ...], list[int]] = {}
    for place, parts in enumerate(question.factors):
        found.setdefault(shape(parts), []).append(place)
    return list(found.values())


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
