"""What the disguise changes, where a lot decided who was asked to answer without it.

Each device draws with the published share r who is asked to answer directly. Groups that a lot made are alike, so a
difference between them comes from the way of asking. Only which way was taken is stored, and a person who is drawn may
take the disguise after all, or leave: then the direct group is a part of those drawn, and chose itself out of them.

Of those who would answer directly if drawn, let D₁ be the share that says so directly, and D₀ the share that would say
so disguised. The disguised group, of share D, holds them beside those who declined, of share u: with k the share of
direct responses

    D₀ = D + h (D − u),   h = (r − k) / (k (1 − r)),

whether people decline by taking the disguise or by leaving. Nothing tells u, so the effect D₁ − D₀ lies between
(D₁ − D) − hD and (D₁ − D) + h(1 − D). k is known from a sample alone: h is taken at a confidence limit, and p is the
largest over all h below it and all u, with the chance β that the limit is wrong added (Berger and Boos 1994). Where
nobody declined h is 0, and the effect is the difference of the groups.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.bit_columns import BitColumns, count_states
from privacy.estimate.intervals import standard_errors, two_sided
from privacy.estimate.weights import DISGUISED, line_of
from privacy.options import check_arguments, tables
from privacy.output import to_json_value
from privacy.reconstruct.group_difference import LEVEL, Difference, check_least, comparable, compare, holm
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns

BETA = 0.005  # the chance that fewer kept to the lot than the limit says
POWER = 0.8


@dataclass(frozen=True)
class Effect:
    """What the disguise changes in one answer.

    `kept` compares the groups as if everyone who was drawn had answered directly: direct less disguised. `ci` is where
    the effect lies, no matter who declined, and `p` tests it against none, corrected for all answers (Holm).
    """

    kept: Difference
    ci: tuple[float, float]
    p: float

    def to_json(self) -> dict[str, Any]:
        kept = self.kept
        shares = {"answer": kept.answer, "direct": kept.direct, "disguised": kept.disguised}
        own = {"difference": kept.direct - kept.disguised, "se": kept.se, "ci": list(kept.ci), "p": kept.corrected}
        return shares | {"kept": own, "whoever_declined": {"ci": list(self.ci), "p": self.p}}


@dataclass(frozen=True, repr=False)
class Lot(Result):
    """The groups that a lot made, of n respondents; `candor.lot` makes it.

    `p` is how likely the lot gives so many direct responses or more: people may decline, and nobody may choose.
    `declined` is the share of those drawn who may have, at most, so far as the number of direct responses tells.
    """

    share: float
    n: int
    direct: int
    p: float
    declined: float
    effects: tuple[Effect, ...]

    @property
    def changed(self) -> tuple[str, ...]:
        """The answers that the disguise changes, no matter who declined."""
        return tuple(effect.kept.answer for effect in self.effects if effect.p < LEVEL)

    @property
    def differing(self) -> tuple[str, ...]:
        """List the answers in which the groups differ."""
        return tuple(effect.kept.answer for effect in self.effects if effect.kept.corrected < LEVEL)

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{self.direct} of {self.n} answered directly; the draw gives {self.share * self.n:.4g} on average"
        if not self.effects:
            yield "There are not two groups to compare."
            return
        yield f"Of the people drawn, up to {math.ceil(100 * self.declined)} % may have declined."
        if self.p < LEVEL:
            yield f"The draw gives this many direct answers in few surveys (p = {self.p:.2g})."
        rows = [
            [kept.answer, kept.direct, kept.disguised, *kept.ci, kept.corrected, *effect.ci, effect.p]
            for effect in self.effects
            for kept in [effect.kept]
        ]
        ends = ["from", "to", "p, nobody declined", "from", "to", "p, anybody declined"]
        yield TextColumns(["answer", "direct", "disguised", *ends], rows)
        yield ""
        if self.changed:
            yield f"The disguise changes what people say of {', '.join(self.changed)}."
        elif self.differing:
            yield "The groups differ; people who declined could explain this as well as the disguise."
        else:
            yield "No difference is found, which does not show that there is none."

    def picture(self) -> str:
        """The difference of the groups in each answer, with its interval for any who declined."""
        from privacy.draw import named_rows

        effects = self.effects[: named_rows.MOST_ROWS]
        return named_rows.differences(
            "Direct minus disguised, with the interval that allows for declining",
            [effect.kept.answer for effect in effects],
            [effect.kept.direct - effect.kept.disguised for effect in effects],
            [effect.ci for effect in effects],
        )

    def to_frame(self) -> DataFrame:
        """Return a row for each answer."""
        import pandas as pd

        return pd.json_normalize(self.to_json()["effects"])

    def to_json(self) -> dict[str, Any]:
        figures = {name: getattr(self, name) for name in ("share", "n", "direct", "p", "declined")}
        return to_json_value(figures | {"effects": [effect.to_json() for effect in self.effects]})


@check_arguments(tables.LOT)
def lot(records: Records, share: float, *, least: int = 1) -> Lot:
    """Say whether the disguise changes what people say, where a lot drew who was asked to answer directly.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave, with direct and disguised respondents.
    share : float
        The chance of being drawn, as the questionnaire has published it (``lot`` in the codebook).
    least : int
        Answers that fewer of either group were asked are left out.

    Returns
    -------
    Lot
        For each answer the difference of the groups, direct less disguised, as if everybody who was drawn had answered
        directly; and the interval of what the disguise changes, no matter who declined.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> design = candor.models.warner(["drugs"], theta=0.8)
    >>> answers = pd.DataFrame({"drugs": [0, 0, 0, 1] * 500})
    >>> records = candor.disguise(answers, design, direct=0.5, seed=1)
    >>> candor.lot(records, 0.5).changed
    ()
    """
    from scipy.special import bdtrc, betaincinv

    require_records(records)
    if not 0 < share < 1:
        raise InputError(f"share: {share!r} is not between 0 and 1.")
    check_least(least)
    n, direct = len(records), int(records.direct.sum())
    if not direct or direct == n:
        return Lot(share, n, direct, 1.0 if not direct else share**n, 1.0 if not direct else 0.0, ())
    lowest = float(betaincinv(direct, n - direct + 1, BETA))  # Clopper and Pearson 1934
    among = max((share - lowest) / (lowest * (1 - share)), 0.0)
    declined = max((share - lowest) / (share * (1 - lowest)), 0.0)  # if all who did have left, which is the most
    patterns = comparable(records.design)
    counts = _counts(records, patterns)
    differences = compare(records.design, patterns, counts, least).answers
    texts = [pattern.text(records.design) for pattern in patterns]
    intervals = [
        _test_any_declined(
            difference, among, _variance_of_disguised(records.design, patterns[at], counts[at, DISGUISED])
        )
        for difference in differences
        for at in [texts.index(difference.answer)]
    ]
    corrected = holm(np.array([p for _ci, p in intervals])).tolist()
    effects = tuple(
        Effect(difference, ci, min(p, 1.0))
        for difference, (ci, _alone), p in zip(differences, intervals, corrected, strict=True)
    )
    return Lot(share, n, direct, float(bdtrc(direct - 1, n, share)), declined, effects)


def _counts(records: Records, patterns: Sequence[Pattern]) -> NDArray[np.int64]:
    """Count, for each answer and group, who was asked and does not match, and who matches."""
    bits = BitColumns(records)
    counts = [count_states(bits, [pattern.literals], pattern.columns) for pattern in patterns]
    return np.array(counts, np.int64).reshape(-1, 2, 2)


def _variance_of_disguised(design: Design, pattern: Pattern, counts: NDArray[np.int64]) -> float:
    _c, d = line_of(design, pattern)
    n = int(counts.sum())
    seen = counts[1] / n
    return float(seen * (1 - seen) / (n * d**2))


def _test_any_declined(kept: Difference, among: float, disguised: float) -> tuple[tuple[float, float], float]:
    """The interval of the effect, and p against none, where h is at most `among`; `disguised` is the variance of D."""
    share = min(max(kept.disguised, 0.0), 1.0)
    apart = kept.direct - kept.disguised
    lowest, highest = apart - among * share, apart + among * (1 - share)
    se = math.sqrt(kept.se**2 + (2 * among + among**2) * disguised)
    half = standard_errors(1 - LEVEL + BETA) * se
    near = 0.0 if lowest <= 0 <= highest else min(abs(lowest), abs(highest))
    alone = float(two_sided(np.array([near / se]))[0]) + BETA if se else 1.0
    return (max(lowest - half, -1.0), min(highest + half, 1.0)), min(alone, 1.0)


def detectable(design: Design, respondents: int, share: float, support: float = 0.3) -> float | None:
    """The least difference of the groups that is found in four surveys of five, in the answer that is known worst.

    `respondents` are those of both groups together; all answers share the level. None where no answer can be compared,
    or where there is no such difference below 1.

    >>> design = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}]}]})
    >>> round(detectable(design, 1000, 0.5), 3)
    0.136
    """
    worst, patterns = 0.0, comparable(design)
    for pattern in patterns:
        ((column, _options),) = pattern.literals
        block = design.blocks[design.place(column)[0]]
        asked = respondents * block.items_per_person / len(block.items)
        c, d = line_of(design, pattern)
        seen = c + d * support
        variance = support * (1 - support) / share + seen * (1 - seen) / ((1 - share) * d**2)
        worst = max(worst, math.sqrt(variance / asked))
    reach = (standard_errors(1 - LEVEL / max(len(patterns), 1)) + NormalDist().inv_cdf(POWER)) * worst
    return reach if 0 < reach < 1 else None
