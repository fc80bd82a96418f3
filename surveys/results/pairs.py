"""Which answers go together: every pair of answers, and which of them are sure beside all that were looked at.

A pair is tested by its leverage, sup(AB) − sup(A)·sup(B), whose error is often too small where it is estimated from few
people. So its p comes from tables of independent answers (`privacy.reconstruct.association`), where these can be drawn.
Holm's correction (1979) keeps the whole list at one error in 20 surveys.
Chance made the sure ones look strong, so every interval has the level 1 − 0.05·R/m where R of m pairs are said: of
their intervals, 1 in 20 misses (Benjamini and Yekutieli 2005).
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.plan.connections import MOST_LOOKED_AT
from privacy.reconstruct.association import DRAWN, joint_table, whole_records
from privacy.reconstruct.group_difference import holm
from privacy.reconstruct.shares_and_rules import rules_of
from privacy.records import Records
from surveys.percent import Share
from surveys.shares import LEVEL

MOST_SAID = 5


@dataclass(frozen=True)
class Pair:
    """How common an answer is among those who gave another one, and among everybody else.

    `p` is corrected for all pairs that were looked at. A share is None where its group may be empty, and where it was
    not asked for. `n`: how many people were asked both.
    """

    given: Literal
    said: Literal
    p: float
    n: int
    those: Share | None = None
    others: Share | None = None

    @property
    def is_sure(self) -> bool:
        return bool(self.p <= 1 - LEVEL and self.those and self.others)


@dataclass(frozen=True)
class Pairs:
    """All pairs that were looked at, the surest first, these with their shares; `level` is that of intervals.

    too_many: how many pairs there are, where none was looked at for their number.
    """

    tested: tuple[Pair, ...]
    level: float = LEVEL
    too_many: int = 0

    @property
    def sure(self) -> list[Pair]:
        return [pair for pair in self.tested if pair.is_sure]


def look_at_pairs(records: Records, answers: Sequence[Literal], least: int) -> Pairs:
    """Look at each pair of these answers that `least` people were asked together and that the disguise tells of."""
    design, rule = records.design, rules_of(records, Sampling.simple(len(records)))
    asked = (records.codes != design.not_asked).astype(np.int64)
    together = asked.T @ asked
    both = [(one, other) for one, other in combinations(answers, 2) if one[0] != other[0]]
    both = [(one, other) for one, other in both if together[one[0], other[0]] >= least]
    if len(both) > MOST_LOOKED_AT:
        return Pairs((), too_many=len(both))
    tested: list[Pair] = []
    for first, second in both:
        with suppress(InputError):  # the disguise tells nothing of these two, or one of them seems never to be given
            apart = rule(_text(design, first, second), "leverage").simple_estimate(LEVEL)
            if np.isfinite(apart.p):
                p = apart.p if apart.p > 1 - LEVEL else _p_by_table(records, first, second, apart.p)
                tested.append(Pair(first, second, p, int(together[first[0], second[0]])))
    corrected = holm(np.array([pair.p for pair in tested])).tolist()
    tested = [replace(pair, p=p) for pair, p in zip(tested, corrected, strict=True)]
    tested.sort(key=lambda pair: pair.p)
    sure = sum(pair.p <= 1 - LEVEL for pair in tested)
    level = 1 - (1 - LEVEL) * min(max(sure, 1), MOST_SAID) / max(len(tested), 1)
    return Pairs((*with_shares(records, tested[:sure], level), *tested[sure:]), level)


def with_shares(records: Records, pairs: Sequence[Pair], level: float) -> list[Pair]:
    """The pairs with their shares, each said in the way that has the larger one: the rarer answer makes the group."""
    design, rule = records.design, rules_of(records, Sampling.simple(len(records)))

    def share(given: Literal, said: Literal) -> Share | None:
        with suppress(InputError):
            one = rule(_text(design, given, said), "confidence").simple_estimate(level)
            if np.isfinite((one.estimate, *one.ci)).all():
                return Share(one.estimate, one.se, *one.ci)
        return None

    def add_shares(pair: Pair) -> Pair:
        ways = [(given, said, share(given, said)) for given, said in permutations((pair.given, pair.said))]
        for given, said, those in sorted(ways, key=lambda way: -(way[2].value if way[2] else 0.0)):
            others = share(_others(design, given), said)
            if those and others:
                return replace(pair, given=given, said=said, those=those, others=others)
        return pair

    return [add_shares(pair) for pair in pairs]


def _p_by_table(records: Records, first: Literal, second: Literal, of_leverage: float) -> float:
    """The p of a pair by the test of its table, where that can be made."""
    if whole_records(records.design, [first[0], second[0]]):
        return of_leverage
    table = joint_table(
        records, [records.design.items[column].id for column, _options in (first, second)], feasible=False
    )
    p = table.independence([options for _column, options in (first, second)]).p
    return min(p, of_leverage) if p <= 1 / (DRAWN + 1) else p  # the leverage says how small, where the draws cannot


def _others(design: Design, answer: Literal) -> Literal:
    column, options = answer
    return column, frozenset(range(len(design.items[column].options))) - options


def _text(design: Design, given: Literal, said: Literal) -> str:
    return " => ".join(Pattern((one,)).text(design) for one in (given, said))
