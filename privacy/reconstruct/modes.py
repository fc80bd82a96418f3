"""Answers of people who came in two modes, by web and on paper; those on paper were entered by others, with errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.estimate.intervals import standard_errors, two_sided, wilson
from privacy.estimate.weights import line_of
from privacy.estimate.wrong_chances import WrongChances
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.group_difference import LEVEL, comparable, holm
from privacy.records.records import Records


@dataclass(frozen=True)
class AnswerOfTwo:
    """One answer of two groups: its share in each, and of both together; p is corrected for all answers (Holm)."""

    answer: str
    first: float
    second: float
    difference: float
    se: float
    ci: tuple[float, float]
    p: float
    share: float
    share_se: float


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
        off += [chance.shift(share) for chance, share in zip(chances, shares.tolist(), strict=True)]
    return compare_each(design, patterns, modes[0], modes[1], None if pooled else (people[0], people[1]), off)


def well_asked(design: Design, patterns: Sequence[Pattern], codes: Sequence[np.ndarray], least: int) -> list[Pattern]:
    """The answers that so many of each group were asked."""
    return [
        pattern
        for pattern in patterns
        if all((code[:, pattern.columns[0]] != design.not_asked).sum() >= max(least, 2) for code in codes)
    ]


def shares_of(design: Design, codes: np.ndarray, patterns: Sequence[Pattern]) -> tuple[Floats, Floats, Floats]:
    """Of each answer in one group how many were asked, its share, and the covariance of shares."""
    asked, matches = np.zeros((2, len(codes), len(patterns)))
    for index, pattern in enumerate(patterns):
        ((column, options),) = pattern.literals
        asked[:, index] = codes[:, column] != design.not_asked
        matches[:, index] = np.isin(codes[:, column], sorted(options))
    c, d = np.array([line_of(design, pattern) for pattern in patterns]).T
    n, both = asked.sum(axis=0), asked.T @ asked
    seen = matches.sum(axis=0) / n
    means = np.divide(matches.T @ matches, both, out=np.outer(seen, seen), where=both > 0)
    covariance = both / np.outer(n, n) * (means - np.outer(seen, seen))
    smooth = (n * seen + 0.5) / (n + 1)  # an answer that all records say, or none, is not known without error
    np.fill_diagonal(covariance, smooth * (1 - smooth) / n)
    return n, (seen - c) / d, covariance / np.outer(d, d)


def compare_each(
    design: Design,
    patterns: Sequence[Pattern],
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    people: tuple[Floats, Floats] | None = None,
    off: Floats | float = 0.0,
) -> tuple[AnswerOfTwo, ...]:
    """Compare two groups answer by answer, the first less the second; each is given as shares and their variances.

    Both together tell a share by inverse variance, which is right where both are alike; or as strata of so many
    `people`, which is right whether or not they are. A difference may be `off` by so much, over which its interval
    and its p reach.
    """
    (one, v), (two, w) = first, second
    apart, se, part, between = one - two, np.sqrt(v + w), w / (v + w), np.zeros_like(v)
    if people is not None:
        part = people[0] / sum(people)
        between = part * (1 - part) * apart**2 / sum(people)
    corrected, half = holm(two_sided(np.maximum(abs(apart) - off, 0) / se)), standard_errors(1 - LEVEL) * se + off
    share_se = np.sqrt(part**2 * v + (1 - part) ** 2 * w + between)
    share = part * one + (1 - part) * two
    rows = np.array([one, two, apart, se, apart - half, apart + half, corrected, share, share_se]).T.tolist()
    return tuple(
        AnswerOfTwo(pattern.text(design), a, b, difference, error, (low, high), p, mean, mean_error)
        for pattern, (a, b, difference, error, low, high, p, mean, mean_error) in zip(patterns, rows, strict=True)
    )


def interval_of_error(entered: EntryErrors) -> tuple[float, float]:
    """The 95 % interval of the error of entry: Wilson's for the share that differs, mapped.

    >>> [round(end, 4) for end in interval_of_error(EntryErrors(100, 0))]
    [0.0, 0.0189]
    """
    ends = wilson(np.array([entered.differing / entered.compared]), np.array([float(entered.compared)]), 1 - LEVEL)
    low, high = ((1 - math.sqrt(max(1 - 2 * float(end[0]), 0.0))) / 2 for end in ends)
    return low, high
