"""Answers of people who came in two modes, by web and on paper; those on paper were entered by others, with errors."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from privacy.draws.typed import EntryErrors
from privacy.estimate.intervals import wilson
from privacy.estimate.wrong_chances import WrongChances
from privacy.reconstruct.arms import AnswerOfTwo, compare_each, shares_of, well_asked
from privacy.reconstruct.group_difference import LEVEL, comparable
from privacy.records.records import Records


def compare_modes(
    records: Records, in_second: np.ndarray, entered: EntryErrors | None, *, least: int, pooled: bool = False
) -> tuple[AnswerOfTwo, ...]:
    """Of each disguised answer the share in both modes, the second first and corrected for errors of entry.

    `in_second` marks its records; their design is that of both modes, without errors. Answers that fewer than `least`
    of either mode were asked are left out. The modes are joined as strata, or `pooled`, which is right only if the same
    people would have answered alike. Intervals of differences reach over the wrong chances that draws may have in
    either mode.

    >>> from privacy.design import Design
    >>> design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    >>> codes = np.array([[1], [0]] * 400, np.uint8)
    >>> records = Records(design, codes, np.zeros(800, bool))
    >>> (found,) = compare_modes(records, np.arange(800) < 400, EntryErrors(1000, 20), least=100)
    >>> found.answer, round(found.first, 3), round(found.second, 3), round(found.share, 3)
    ('drugs', 0.5, 0.5, 0.5)
    """
    design, disguised = records.design, ~records.direct
    codes = [records.codes[disguised & rows] for rows in (in_second, ~in_second)]
    patterns = well_asked(design, comparable(design), codes, least)
    if not patterns:
        return ()
    with_errors = design.with_errors(replace(entered, share=Fraction(1))) if entered else design
    chances = [WrongChances.from_pattern(design, pattern) for pattern in patterns]
    modes, people, off = [], [], np.zeros(len(patterns))
    for one, own in zip((with_errors, design), codes, strict=True):
        n, shares, covariance = shares_of(one, own, patterns)
        blocks = [one.blocks[one.place(pattern.columns[0])[0]] for pattern in patterns]
        doubt = [  # in which the error of entry is counted, too
            block.doubt([1 in pattern.literals[0][1]], share, 1.0)
            for block, pattern, share in zip(blocks, patterns, shares.tolist(), strict=True)
        ]
        modes.append((shares, np.diag(covariance) + np.square(doubt)))
        people.append(n)
        off += [own.shift(share) for own, share in zip(chances, shares.tolist(), strict=True)]
    return compare_each(design, patterns, modes[0], modes[1], None if pooled else (people[0], people[1]), off)


def interval_of_error(entered: EntryErrors) -> tuple[float, float]:
    """The 95 % interval of the error of entry: Wilson's for the share that differs, mapped.

    >>> [round(end, 4) for end in interval_of_error(EntryErrors(100, 0))]
    [0.0, 0.0189]
    """
    ends = wilson(np.array([entered.differing / entered.compared]), np.array([float(entered.compared)]), 1 - LEVEL)
    low, high = ((1 - math.sqrt(max(1 - 2 * float(end[0]), 0.0))) / 2 for end in ends)
    return low, high
