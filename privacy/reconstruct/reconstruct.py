"""The shares of true answers, recovered from disguised records or from counts of them, with their error."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import Cases, Estimator
from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.design.patterns import Pattern, every_answer, parse_pattern
from privacy.design.reading import LARGEST, entries, quote
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.estimate.weights import factors, states_from_supports
from privacy.options import check_arguments, tables
from privacy.reconstruct.group_difference import GroupComparison
from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery, count_parts
from privacy.reconstruct.report import Figures, Reconstruction, make_report
from privacy.reconstruct.shares_and_rules import matching, support
from privacy.records import Records, read_records, record_parts
from privacy.records.records import design_of, require_records

Counts = NDArray[np.int64]


@check_arguments(tables.RECONSTRUCT)
def reconstruct(
    records: Any,
    patterns: str | Iterable[str] | None = None,
    *,
    estimator: Estimator = "stratified",
    level: float = 0.95,
    cases: Cases = "available",
    sample: Sample | Sampling | None = None,
    design: Design | None = None,
    counts: bool = False,
) -> Reconstruction:
    """Estimate the share of true answers that match each pattern.

    Parameters
    ----------
    records : Records, or a path or a table with `design`
        As in `candor.mine`; with weights, clusters or strata a file is held as a whole.
    patterns : str or iterable of str, optional
        Comma-separated literals, which must all hold: ``drugs``, ``!cheating``, ``age=30-49``. Without them every item
        is estimated: the yes of a yes/no item, each option of any other.
    estimator : {'stratified', 'combined', 'pooled'}
        Stratified is right also where direct and disguised respondents differ.
    level : float
        Of the confidence intervals.
    cases : {'available', 'complete'}
        Of a pattern on a block that asks each respondent only some of its items: whether it is estimated from everyone
        who was asked a part of it, or from those who were asked all of it, which has a larger error.
    sample : Sample, optional
        How respondents were drawn. Supports are then those of the population and errors those of such a sample; the
        comparison of the groups is about the respondents, and left out.
    design : Design, optional
        The design of records that are still to be read.
    counts : bool
        Whether they are counts, as in `candor.read_records`, or counts of tables (`candor sql --length`).

    Raises
    ------
    InputError
        Where a pattern names what the design does not have, or the disguise leaves nothing of it.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> candor.reconstruct(records, ["drugs", "drugs,!cheating"])  # doctest: +ELLIPSIS, +NORMALIZE_WHITESPACE
    10000 records, 1963 of them direct; stratified estimator
    pattern              n  observed   support         se       low      high
    drugs            10000    0.4464  0.253153  0.0150606  0.223659  0.282681
    drugs,!cheating  10000    0.1314         0  0.0110514         0  0.0131045
    Estimates outside 0 to 1 are printed as the nearest share, with what of their intervals shares can be:
    drugs,!cheating.
    No answer differs significantly between the groups, ... combined and pooled assume that the groups agree.
    """
    design = design_of(records, design)
    asked = every_answer(design) if patterns is None else arguments.texts(patterns, "patterns")
    if sample is not None:
        records, sampling = read_sample(records, sample, design, counts)
        cells = [parse_pattern(text, design) for text in asked]
        figures = figures_of_sample(records, cells, sampling, estimator, level, cases)
        direct = int(records.direct.sum())
        return Reconstruction(len(records), direct, estimator, cases, level, tuple(figures), GroupComparison(()))
    query = PatternQuery.parse(design, asked, estimator, cases)
    return make_report(query, count_parts(record_parts(records, design, counts=counts), query), level)


def read_sample(records: Any, sample: Sample | Sampling, design: Design, counts: bool) -> tuple[Records, Sampling]:
    """Records with their undisguised columns, and how their respondents were drawn."""
    if not isinstance(records, Records):
        records = require_records(read_records(records, design, open_columns=True, counts=counts))
    sampling = Sampling.of(sample, records.open_columns, len(records))
    assert sampling is not None
    return records, sampling


def figures_of_sample(
    records: Records, patterns: Sequence[Pattern], sampling: Sampling, estimator: str, level: float, cases: str
) -> list[Figures]:
    """Estimate the shares of the population; the comparison of the groups is about the respondents alone."""
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    figures = []
    for pattern in patterns:
        share = support(records, pattern, sampling, estimator, cases=cases)
        seen = (records.codes[:, list(pattern.columns)] != records.design.not_asked).all(axis=1)
        observed = float(sampling.weights @ (matching(records, pattern) & seen) / (sampling.weights @ seen))
        one = share.estimate(sampling, level)
        se, ci = (one.se, one.ci) if np.isfinite(one.se) else (None, None)
        bias = share.most_biased(sampling, level) if records.design.by_record else None
        figures.append(Figures(share.name, share.n, observed, one.estimate, se, None, ci, bias=bias))
    return figures


@check_arguments(tables.RECONSTRUCT_COUNTS)
def reconstruct_counts(
    design: Design,
    patterns: str | Iterable[str],
    counts: Mapping[str, tuple[int, int]],
    *,
    estimator: Estimator = "stratified",
    level: float = 0.95,
) -> Reconstruction:
    """Estimate from counts alone, as published studies give them.

    Parameters
    ----------
    design : Design
        What the answers were disguised by.
    patterns : str or iterable of str
        The patterns to estimate.
    counts : mapping of str to pair of int
        How many disguised and how many direct records match each pattern; ``""`` stands for all of them. A pattern
        that spreads over several coins or flipped answers needs its parts as well; one that is missing is named.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    level : float
        Of the confidence intervals.

    Raises
    ------
    InputError
        Where a count is missing, two spellings of a pattern have different counts, or the counts contradict each other.

    Examples
    --------
    >>> import candor
    >>> warner = candor.models.warner(["drugs"], theta=0.7)
    >>> candor.reconstruct_counts(warner, "drugs", {"": (1000, 0), "drugs": (420, 0)})
    1000 records, 0 of them direct; stratified estimator
    pattern     n  observed  support         se       low      high
    drugs    1000      0.42      0.3  0.0390192  0.224432  0.377099
    """
    require_design(design)
    asked = arguments.texts(patterns, "patterns")
    if design.sampled:
        raise InputError("Counts do not show who was asked what in a sampled block; count records instead.")
    known = _by_pattern(design, _read_counts(counts))
    wanted = PatternQuery.parse(design, asked, estimator)
    query = replace(wanted, compared=tuple(pattern for pattern in wanted.compared if pattern in known))

    def states(pattern: Pattern) -> Counts:
        """Disguised and direct records (rows) in each state of a pattern (columns), from counts of conjunctions.

        A state says of each atom, the answers under one coin, whether the record matches it.
        """
        atoms = [atom for factor in factors(design, pattern) for atom in factor.atoms]
        conjunctions = []
        for chosen in product((False, True), repeat=len(atoms)):
            part = Pattern.from_literals(
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
    given = PatternCounts(sizes, tuple(map(states, query.patterns)), tuple(map(states, query.compared)))
    return make_report(query, given, level)


def _read_counts(counts: Mapping[str, tuple[int, int]]) -> Mapping[str, tuple[int, int]]:
    pairs = arguments.pairs(counts, "counts")
    for pattern, _ in pairs:
        arguments.text(pattern, "counts")
    counts = arguments.by_name(pairs, "counts")
    for text, pair in counts.items():
        two = entries(pair) or []
        if len(two) != 2 or any(not isinstance(value, int | np.integer) or value < 0 for value in two):
            raise InputError(f"counts: {quote(pair)} of {text!r} is not two counts, disguised and direct records.")
        if max(two) > LARGEST:
            raise InputError(f"counts: {quote(pair)} of {text!r} holds too large a number.")
    return counts


def _by_pattern(design: Design, counts: Mapping[str, tuple[int, int]]) -> dict[Pattern, tuple[int, int]]:
    """The counts by parsed pattern; 'a,b' and 'b,a' are one pattern, and refused if their counts differ."""
    spelled: dict[Pattern, str] = {}
    for text, pair in counts.items():
        first = spelled.setdefault(parse_pattern(text, design) if text else Pattern(()), text)
        if list(counts[first]) != list(pair):
            raise InputError(f"counts: {first!r} and {text!r} are the same pattern, but their counts differ.")
    return {pattern: counts[text] for pattern, text in spelled.items()}
