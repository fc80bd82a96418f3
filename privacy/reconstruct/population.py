"""Supports and tables of the population that respondents were drawn from."""

from collections.abc import Sequence
from math import prod

import numpy as np

from privacy.choices import AVAILABLE
from privacy.design.patterns import Pattern, parse_pattern
from privacy.errors import InputError
from privacy.reconstruct.available import check_cases
from privacy.reconstruct.group_difference import GroupComparison
from privacy.reconstruct.joint import table_shape
from privacy.reconstruct.report import Figures, Reconstruction
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import matching, support
from privacy.reconstruct.tables import JointTable, labels_of
from privacy.records import Records

__all__ = ["reconstruct_sample", "table_of_sample"]

_MOST_OF_SAMPLE = 4096  # cells of a table: each is estimated by itself


def reconstruct_sample(
    records: Records,
    patterns: Sequence[str],
    sampling: Sampling,
    estimator: str = "stratified",
    level: float = 0.95,
    cases: str = AVAILABLE,
) -> Reconstruction:
    """Estimate the share of true answers that match each pattern, in the population that respondents were drawn from.

    `sampling`: their weights, clusters and strata. There are no feasible supports and no comparison of the
    groups, which are about the respondents alone.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.repeat([[1], [0], [1], [0]], [40, 60, 60, 40], axis=0).astype(np.uint8)
    >>> sampling = Sampling.of({"w": np.repeat([1.0, 3.0], 100)}, 200, weights="w")
    >>> records = Records(design, codes, np.zeros(200, bool))
    >>> report = reconstruct_sample(records, ["drugs"], sampling)
    >>> round(report.patterns[0].support, 6)
    0.6
    """
    check_cases(cases)
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    figures = []
    for text in patterns:
        pattern = parse_pattern(text, records.design)
        share = support(records, pattern, sampling, estimator, cases=cases)
        seen = (records.codes[:, list(pattern.columns)] != records.design.not_asked).all(axis=1)
        observed = float(sampling.weights @ (matching(records, pattern) & seen) / (sampling.weights @ seen))
        one = share.estimate(sampling, level)
        se, ci = (one.se, one.ci) if np.isfinite(one.se) else (None, None)
        figures.append(Figures(share.name, share.n, observed, one.estimate, se, None, ci, None))
    direct = int(records.direct.sum())
    return Reconstruction(len(records), direct, estimator, cases, level, tuple(figures), GroupComparison(()))


def table_of_sample(
    records: Records,
    items: Sequence[str],
    sampling: Sampling,
    estimator: str = "stratified",
    cases: str = AVAILABLE,
) -> JointTable:
    """Estimate the share of every combination of answers to some items, in the population of a sample.

    `items`: the items of the table, each once. `sampling`: the weights, clusters and strata of the respondents.

    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.repeat([[1], [0], [1], [0]], [40, 60, 60, 40], axis=0).astype(np.uint8)
    >>> sampling = Sampling.of({"w": np.repeat([1.0, 3.0], 100)}, 200, weights="w")
    >>> records = Records(design, codes, np.zeros(200, bool))
    >>> table_of_sample(records, ["drugs"], sampling).support.round(6).tolist()  # (.3 + 3·.7)/4 say yes
    [0.4, 0.6]
    """
    check_cases(cases)
    design = records.design
    shape = table_shape(design, [design.column(item) for item in items])
    if len(set(items)) < len(items):
        raise InputError("items: an item is named twice.")
    if prod(shape) > _MOST_OF_SAMPLE:
        raise InputError(
            f"The table has {prod(shape)} cells; with weights, clusters or strata {_MOST_OF_SAMPLE} can be."
        )
    figures, errors = np.empty(shape), np.empty(shape)
    n = 0
    for place in np.ndindex(*shape):
        literals = [(design.column(item), frozenset({option})) for item, option in zip(items, place, strict=True)]
        one = support(records, Pattern.of(literals, design), sampling, estimator, cases=cases)
        estimate = one.estimate(sampling)
        n, figures[place], errors[place] = one.n, estimate.estimate, estimate.se
    return JointTable(tuple(items), labels_of(design, items), n, estimator, figures, errors, None, cases)
