"""Answers of people who came in two modes, by web and on paper; those on paper were entered by others, with errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from privacy.compliance.modes import ShareOfMode, join_as_strata, mode_difference, pool
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.draws.typed import EntryErrors
from privacy.estimate.intervals import standard_errors, two_sided, wilson
from privacy.estimate.weights import channel_of, factors
from privacy.reconstruct.group_difference import LEVEL, comparable, holm
from privacy.records.records import Records


@dataclass(frozen=True)
class AnswerByMode:
    """One answer: its share in either mode, the second less the first, and of all; p is corrected (Holm)."""

    answer: str
    first: float
    second: float
    ci: tuple[float, float]
    p: float
    share: float
    se: float

    @property
    def difference(self) -> float:
        return self.second - self.first


def compare_modes(
    records: Records, in_second: np.ndarray, entered: EntryErrors | None, *, least: int, pooled: bool = False
) -> tuple[AnswerByMode, ...]:
    """Of each disguised answer the share in both modes, those of the second corrected for errors of entry.

    `in_second` marks its records; their design is that of both modes, without errors. Answers that fewer than `least`
    of either mode were asked are left out. The modes are joined as strata, or `pooled`, which is right only if the same
    people would have answered alike.

    >>> from privacy.design import Design
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    >>> codes = np.array([[1], [0]] * 400, np.uint8)
    >>> records = Records(design, codes, np.zeros(800, bool))
    >>> (found,) = compare_modes(records, np.arange(800) < 400, EntryErrors(1000, 20), least=100)
    >>> found.answer, round(found.first, 3), round(found.second, 3), round(found.share, 3)
    ('drugs', 0.5, 0.5, 0.5)
    """
    design, disguised = records.design, ~records.direct
    codes = [records.codes[disguised & rows] for rows in (~in_second, in_second)]
    patterns = [
        pattern
        for pattern in comparable(design)
        if all((own[:, pattern.columns[0]] != design.not_asked).sum() >= max(least, 2) for own in codes)
    ]
    if not patterns:
        return ()
    designs = design, design.with_errors(replace(entered, share=Fraction(1))) if entered else design
    web, paper = (_shares(one, own, patterns) for one, own in zip(designs, codes, strict=True))
    pairs = list(zip(web, paper, strict=True))
    apart, se = (np.array(part) for part in zip(*(mode_difference(one, other) for one, other in pairs), strict=True))
    corrected, half = holm(two_sided(abs(apart) / se)), standard_errors(1 - LEVEL) * se
    join = pool if pooled else join_as_strata
    return tuple(
        AnswerByMode(
            pattern.text(design),
            one.share,
            other.share,
            (float(apart[at] - half[at]), float(apart[at] + half[at])),
            float(corrected[at]),
            *join((one, other)),
        )
        for at, (pattern, (one, other)) in enumerate(zip(patterns, pairs, strict=True))
    )


def _shares(design: Design, codes: np.ndarray, patterns: Sequence[Pattern]) -> list[ShareOfMode]:
    """The shares of answers in one mode, with their errors, in which that of entry is counted, too."""
    found = []
    for pattern in patterns:
        ((column, options),) = pattern.literals
        asked = codes[:, column] != design.not_asked
        n = int(asked.sum())
        seen = float(np.isin(codes[asked, column], sorted(options)).mean())
        smooth = (n * seen + 0.5) / (n + 1)  # an answer that all records say, or none, is not known without error
        c, d = (float(part[0]) for part in channel_of([factors(design, pattern)]).line())
        share = (seen - c) / d
        doubt = design.blocks[design.place(column)[0]].doubt([1 in options], share, 1.0)
        found.append(ShareOfMode(n, share, math.hypot(math.sqrt(smooth * (1 - smooth) / n) / d, doubt)))
    return found


def interval_of_error(entered: EntryErrors) -> tuple[float, float]:
    """The 95 % interval of the error of entry: Wilson's for the share that differs, mapped.

    >>> [round(end, 4) for end in interval_of_error(EntryErrors(100, 0))]
    [0.0, 0.0189]
    """
    ends = wilson(np.array([entered.differing / entered.compared]), np.array([float(entered.compared)]), 1 - LEVEL)
    low, high = ((1 - math.sqrt(max(1 - 2 * float(end[0]), 0.0))) / 2 for end in ends)
    return low, high
