"""A test of whether the direct and the disguised group answer alike, and the records that are surely true.

Respondents choose the group themselves. The pooled and the combined estimator are right only if both groups would
answer alike; the stratified estimator is right either way. The test gives advice, and never changes the estimator. That
it finds nothing does not show that there is nothing: so what it might have missed is said, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.design.reading import kind
from privacy.errors import InputError
from privacy.estimate.cells import is_read_whole, whole_records
from privacy.estimate.intervals import standard_errors, two_sided
from privacy.estimate.weights import DIRECT, DISGUISED, line_of, obstacle
from privacy.output import count_of, to_json_value
from privacy.records import Records
from privacy.result import MOST_ROWS, DataFrame, Result, TextColumns, data_frame

LEVEL = 0.05


@dataclass(frozen=True)
class Difference:
    """One answer in both groups: reconstructed shares, z of their difference, p alone and corrected for all (Holm).

    `ci` is where the difference, direct less disguised, lies with 95 %. The combined estimator takes the direct group
    for more of the respondents than it is, or for less; `bias` is how far that would lead it astray at the far end
    of the interval.
    """

    answer: str
    direct: float
    disguised: float
    z: float
    p: float
    corrected: float
    se: float
    _: KW_ONLY
    ci: tuple[float, float]
    bias: float


@dataclass(frozen=True)
class GroupComparison:
    """How the answers of the direct and of the disguised group differ; the items `left_out` are not compared."""

    answers: tuple[Difference, ...]
    left_out: tuple[str, ...] = ()

    @property
    def alike(self) -> bool | None:
        """Whether no answer differs significantly; None where there is nothing to compare."""
        return min(answer.corrected for answer in self.answers) > LEVEL if self.answers else None

    @property
    def widest(self) -> Difference | None:
        """The answer that could bias the combined estimator most; None where nothing can be compared."""
        return max(self.answers, key=lambda answer: answer.bias, default=None)

    @property
    def finding(self) -> str:
        """The finding as one word for programs; `advice` is the sentence for people."""
        return {None: "not-compared", False: "different", True: "not-different"}[self.alike]

    @property
    def advice(self) -> str:
        widest = self.widest
        if widest is None:
            return "There are not two groups to compare."
        names = ", ".join(self.left_out)
        rest = f" Not compared, because records are read whole for them: {names}." if names else ""
        if not self.alike:
            return (
                "The groups answer differently: trust the stratified estimator; pooled and combined are biased." + rest
            )
        low, high = widest.ci
        return (
            "No answer differs significantly between the groups, which does not show that they answer alike: for "
            f"{widest.answer} direct share minus disguised share may be {100 * low:+.1f} to {100 * high:+.1f} points, "
            f"and the combined figure may be off by up to {100 * widest.bias:.1f}. The stratified estimator is right "
            f"either way; combined and pooled assume that the groups agree.{rest}"
        )

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON, without the advice, which pages write in the reader's language."""
        return {"alike": self.alike, "answers": [{**vars(answer), "ci": list(answer.ci)} for answer in self.answers]}


def check_least(least: int) -> None:
    """Refuse a minimum that is no number of respondents."""
    if least < 1:
        raise InputError(f"least: {least} is below 1.")


def comparable(design: Design) -> list[Pattern]:
    """Return the answers to compare: yes for a yes/no item, else every option; only those that can be reconstructed.

    They come in the order of the items.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
    >>> [pattern.text(design) for pattern in comparable(design)]
    ['drugs', 'cheating']
    """
    patterns = []
    for column, item in enumerate(design.items):
        for option in [1] if len(item.options) == 2 else range(len(item.options)):
            pattern = Pattern(((column, frozenset([option])),))
            if not is_read_whole(design, pattern) and not obstacle(design, pattern, "stratified"):
                patterns.append(pattern)
    return patterns


def compare(design: Design, patterns: Sequence[Pattern], counts: NDArray[np.int64], least: int = 1) -> GroupComparison:
    """Test single answers, as `comparable` lists them, for equality of the direct and the disguised group.

    The variances are those of a common support, as the null hypothesis has it, so that rare answers keep their level;
    that support is the mean of the two groups by inverse variance, as that of the combined estimator.
    `counts`: answers × 2 groups (disguised, direct) × (no match, match). `least`: answers that fewer of either group
    were asked are left out, because the shares of the direct group are true answers.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"], "direct": True})
    >>> comparison = compare(design, comparable(design), np.array([[[600, 400], [70, 30]]]))
    >>> comparison.alike, round(comparison.answers[0].disguised, 3)
    (True, 0.3)
    """
    asked = counts.sum(axis=-1)
    kept = (asked >= max(least, 1)).all(axis=1)
    if not kept.any():
        return GroupComparison(())
    chosen = [pattern for pattern, keep in zip(patterns, kept, strict=True) if keep]
    counts, asked = counts[kept], asked[kept]
    c, d = np.array([line_of(design, pattern) for pattern in chosen]).T
    direct = counts[:, DIRECT, 1] / asked[:, DIRECT]
    disguised = (counts[:, DISGUISED, 1] / asked[:, DISGUISED] - c) / d

    def variances(support: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        seen = c + d * support
        return support * (1 - support) / asked[:, DIRECT], seen * (1 - seen) / (asked[:, DISGUISED] * d**2)

    own, other = variances((counts[:, DIRECT, 1] + 2) / (asked[:, DIRECT] + 4))
    edge = 1 / (asked.sum(axis=1) + 2)
    common = np.clip((direct * other + disguised * own) / (own + other), edge, 1 - edge)
    z = (direct - disguised) / np.sqrt(sum(variances(common)))
    p = two_sided(z)
    seen = counts[:, DISGUISED, 1] / asked[:, DISGUISED]
    other = seen * (1 - seen) / (asked[:, DISGUISED] * d**2)
    se = np.sqrt(own + other)
    half = standard_errors(1 - LEVEL) * se
    low, high = direct - disguised - half, direct - disguised + half
    bias = np.abs(other / (own + other) - asked[:, DIRECT] / asked.sum(axis=1)) * np.maximum(np.abs(low), np.abs(high))
    rows = np.array([direct, disguised, z, p, holm(p), se, low, high, bias]).T.tolist()
    left_out = tuple(design.items[column].id for column in whole_records(design, range(len(design.items))))
    return GroupComparison(
        tuple(
            Difference(answer.text(design), *figures, ci=(low, high), bias=bias)
            for answer, (*figures, low, high, bias) in zip(chosen, rows, strict=True)
        ),
        left_out,
    )


def holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm's (1979) step-down correction, valid however the answers depend on each other.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    corrected = np.maximum.accumulate(np.minimum(p[order] * np.arange(len(p), 0, -1), 1.0))
    return corrected[np.argsort(order)]


@dataclass(frozen=True, repr=False, eq=False)
class Leak(Result):
    """Disguised records that can only be the truth in some block; `candor.leak` makes it.

    `rows` are their rows, from 0, and `share` is their share of the disguised records. Only the first rows are printed.
    """

    rows: NDArray[np.intp]
    share: float

    def contents(self) -> Iterator[str | TextColumns]:
        some = count_of(len(self.rows), "record")
        yield f"{some} can only be the truth: {self.share:.4g} of the disguised ones"
        if len(self.rows):
            yield TextColumns(["row"], [[row] for row in self.rows[:MOST_ROWS].tolist()])
        if len(self.rows) > MOST_ROWS:
            yield f"… and {count_of(len(self.rows) - MOST_ROWS, 'more row')}"

    def to_frame(self) -> DataFrame:
        """Return a row for each of these records."""
        return data_frame({"row": self.rows})

    def to_json(self) -> dict[str, Any]:
        return to_json_value({"rows": self.rows.tolist(), "share": self.share})


def leak(records: Records) -> Leak:
    """List the disguised records that surely tell the truth of a block, such as mixed ones of the grouped model.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.

    Raises
    ------
    InputError
        Where these are no records.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> design = candor.models.grouped(["drugs", "cheating"], p=0.5, theta=0.5)
    >>> frame = pd.DataFrame({"direct": [0, 0, 0, 0], "drugs": [1, 0, 0, 1], "cheating": [0, 0, 0, 1]})
    >>> candor.leak(candor.Records.from_frame(frame, design))
    1 record can only be the truth: 0.25 of the disguised ones
    row
      0
    """
    if not isinstance(records, Records):
        raise InputError(f"records: {kind(records)} is not records, such as read_records gives.")
    exposed = np.zeros(len(records), dtype=bool)
    for block, first in zip(records.design.blocks, records.design.first_columns, strict=True):
        exposed |= block.certain(records.codes[:, first : first + len(block.items)])
    exposed &= ~records.direct
    disguised = len(records) - int(records.direct.sum())
    return Leak(np.flatnonzero(exposed), float(exposed.sum() / disguised) if disguised else 0.0)
