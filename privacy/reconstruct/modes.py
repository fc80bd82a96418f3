"""Answers of people who came in two modes, by web and on paper; those on paper were entered by others, with errors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privacy.compliance.entry import entry_error, share_without_errors
from privacy.compliance.modes import ShareOfMode, join_as_strata, mode_difference, pool
from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.estimate.intervals import standard_errors, two_sided, wilson
from privacy.estimate.weights import channel_of, factors
from privacy.reconstruct.group_difference import LEVEL, comparable, holm
from privacy.records.records import Records


@dataclass(frozen=True)
class EntryErrors:
    """How many answers were entered twice, and how many of them not alike."""

    compared: int
    differing: int

    @property
    def error(self) -> float:
        """The share of entered answers that are wrong.

        >>> round(EntryErrors(1000, 18).error, 4)
        0.0091
        """
        return entry_error(self.differing, self.compared)

    @property
    def ci(self) -> tuple[float, float]:
        """Its 95 % interval: Wilson's for the share that differs, mapped."""
        share = np.array([self.differing / self.compared])
        ends = wilson(share, np.array([float(self.compared)]), 1 - LEVEL)
        low, high = ((1 - math.sqrt(max(1 - 2 * float(end[0]), 0.0))) / 2 for end in ends)
        return low, high

    @property
    def variance(self) -> float:
        """That of the error, by the delta method: of the share that differs, over 4(1 − 2d)."""
        share = (self.differing + 0.5) / (self.compared + 1)
        return share * (1 - share) / self.compared / (4 * (1 - 2 * self.differing / self.compared))


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

    `in_second` marks its records. Answers that fewer than `least` of either mode were asked are left out. The modes are
    joined as strata, or `pooled`, which is right only if the same people would have answered alike.

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
    web, paper = (_shares(design, own, patterns, errors) for own, errors in zip(codes, (None, entered), strict=True))
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


def _shares(
    design: Design, codes: np.ndarray, patterns: Sequence[Pattern], entered: EntryErrors | None
) -> list[ShareOfMode]:
    """The shares of answers in one mode, with their errors, in which that of entry is counted, too."""
    error, of_error = (entered.error, entered.variance) if entered else (0.0, 0.0)
    found = []
    for pattern in patterns:
        ((column, options),) = pattern.literals
        asked = codes[:, column] != design.not_asked
        n = int(asked.sum())
        seen = float(np.isin(codes[asked, column], sorted(options)).mean())
        smooth = (n * seen + 0.5) / (n + 1)  # an answer that all records say, or none, is not known without error
        c, d = (float(part[0]) for part in channel_of([factors(design, pattern)]).line())
        variance = smooth * (1 - smooth) / n + of_error * ((2 * seen - 1) / (1 - 2 * error)) ** 2
        share = (share_without_errors(seen, error) - c) / d
        found.append(ShareOfMode(n, share, math.sqrt(variance) / abs((1 - 2 * error) * d)))
    return found
