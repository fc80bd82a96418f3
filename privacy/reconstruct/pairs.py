"""Which answers go together: every pair of answers of a survey, once, for all pages, files and commands.

A pair is tested by its leverage, sup(AB) − sup(A)·sup(B), whose error is often too small where it is estimated from few
people. So its p comes from tables of independent answers (`privacy.reconstruct.association`), where these can be drawn.
Holm's correction (1979) keeps the whole list at one error in 20 surveys. The family is all pairs, whatever is printed.

The strongest pairs of any survey are partly luck. So what is printed is shrunk over all pairs
(`privacy.estimate.selection`), with an interval of 95 %. Pairs with a list of words, with an own draw whose chances may
be wrong, or with an answer whose share may be 0 or 1 have the raw figure. Its interval has the level 1 − 0.05·R/m where
R of m pairs are said: of these, 1 in 20 misses (Benjamini and Yekutieli 2005).

Records count by what they say of two answers, so after one pass over them nothing depends on how many there are.

>>> design = Design.parse({"model": "warner", "theta": 0.9, "items": ["drugs", "theft"]})
>>> codes = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [600, 100, 100, 200], axis=0).astype(np.uint8)
>>> pairs = look_at_pairs(Records(design, codes, np.zeros(1000, bool)), answers_in_pairs(design), 100)
>>> said = pairs.say(pairs.sure[0])
>>> round(said.those.value, 2), round(said.those.raw, 2), round(said.others.value, 2)
(0.95, 0.94, 0.02)
>>> count_pairs(answers_in_pairs(design)), pairs.figures([pairs.sure[0].answers])["q"].round(4).tolist()
(1, [0.0])
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design
from privacy.design.channels import Literal
from privacy.design.items import is_yes_no, options_without_skip
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.available import variance
from privacy.estimate.cells import whole_records
from privacy.estimate.linearised import LinearisedFigure, combine, estimate_alike
from privacy.estimate.sampling import AlikeRows
from privacy.estimate.selection import KnownJoint, log_interval, shrink, within_bounds
from privacy.estimate.wrong_chances import has_wrong_chances
from privacy.reconstruct import metrics
from privacy.reconstruct.association import DRAWN, joint_table
from privacy.reconstruct.discoveries import BEYOND_CHANCE, MOST_LOOKED_AT
from privacy.reconstruct.group_difference import holm
from privacy.reconstruct.shares_and_rules import rules_of, support
from privacy.records import Records
from privacy.records.count_tables import CountTables

MOST_SAID = 5
LEVEL = 0.95
_FEW_COLUMNS = 2  # whose states can be counted in a table
_AT_ONCE = 4096  # records whose parts in all figures are held together
_MEASURES = tuple(metric.key for metric in metrics.SHRINKING)  # support, confidence, lift
_ENDS = ("", *(f" {end}" for end in metrics.ENDS))
OTHERS = tuple(f"others{end}" for end in _ENDS)  # of those without the first answers, how many gave the last ones
# The supports (AB, A, B) where A, B or both are negated, as a matrix of them and what is added.
_NEGATED_A = np.array([[-1.0, 0, 1], [0, -1, 0], [0, 0, 1]]), np.array([0.0, 1, 0])
_NEGATED_B = np.array([[-1.0, 1, 0], [0, 1, 0], [0, 0, -1]]), np.array([0.0, 0, 1])

Places = NDArray[np.intp]
Rule = tuple[Literal, Literal]  # of those who gave the first answer, how many gave the second


@dataclass(frozen=True)
class Pair:
    """Two answers, and how sure it is that they go together: `p`, and `corrected` for all pairs that were looked at.

    `n`: how many people were asked both.
    """

    answers: Rule
    p: float
    n: int
    corrected: float = 1.0

    @property
    def is_sure(self) -> bool:
        return self.corrected <= BEYOND_CHANCE


@dataclass(frozen=True)
class PairShare:
    """How common an answer is in a group, as it is printed; `raw` is the estimate before selection."""

    value: float
    se: float
    low: float
    high: float
    raw: float


@dataclass(frozen=True)
class SaidPair:
    """A pair as a sentence says it: how many of those who gave an answer also gave another, and of all others."""

    given: Literal
    said: Literal
    those: PairShare
    others: PairShare


@dataclass(frozen=True)
class Pairs:
    """All pairs that were looked at, the surest first; `level` is that of raw intervals.

    too_many: how many pairs there are, where none was looked at for their number.
    """

    tested: tuple[Pair, ...]
    level: float = LEVEL
    too_many: int = 0
    # In the order of `tested`: what records tell, and the supports (3, F) with covariances (3, 3, F) after selection,
    # of no pair where nobody knows how they vary together.
    counted: "tuple[_Counted, ...]" = field(default=(), repr=False, compare=False)
    shrunk: tuple[Floats, Floats] = field(default=(np.empty((3, 0)), np.empty((3, 3, 0))), repr=False, compare=False)

    @property
    def sure(self) -> list[Pair]:
        return [pair for pair in self.tested if pair.is_sure]

    def say(self, pair: Pair) -> SaidPair:
        """The pair in the way that has the larger share, so that the rarer answer makes the group."""
        first, second = pair.answers
        both_ways = ((first, second), (second, first))
        figures = self.figures(both_ways)

        def share(name: str, place: int) -> PairShare:
            return PairShare(*(float(figures[name + end][place]) for end in (*_ENDS, " raw")))

        ways = [SaidPair(*way, share("confidence", row), share("others", row)) for row, way in enumerate(both_ways)]
        return max(ways, key=lambda way: np.nan_to_num(way.those.value, nan=-1.0))

    def figures(self, rules: Sequence[Rule]) -> dict[str, Floats]:
        """What is printed of each rule between two answers: NaN where they are no pair of the survey.

        The keys are those of the measures, such as ``confidence``, ``confidence se``, ``confidence low`` and
        ``confidence high``; `others` is the share among those who did not give the first answer. `p` and `q` are the
        pair's own p and the corrected one. A negated answer has what follows of it.
        """
        found = [self._places.get(rule) for rule in rules]
        rows = np.array([row for row, place in enumerate(found) if place is not None], dtype=np.intp)
        places = [place for place in found if place is not None]
        keys = [name + end for name in _MEASURES for end in _ENDS]
        keys += [*OTHERS, "confidence raw", "others raw", "p", "q"]
        values = {key: np.full(len(rules), np.nan) for key in keys}
        if not places:
            return values
        of = np.array([place.pair for place in places])
        values["p"][rows] = [self.tested[pair].p for pair in of]
        values["q"][rows] = [self.tested[pair].corrected for pair in of]
        if not self.shrunk[0].size:
            return values
        for key, own in self._shrunk_figures(of, places).items():
            values[key][rows] = own
        for row, place in zip(rows.tolist(), places, strict=True):
            if not np.isfinite(values["confidence"][row]):
                for key, figure in self._raw_figures(place.pair, rules[row]).items():
                    values[key][row] = figure
        return values

    @cached_property
    def _places(self) -> "dict[Rule, _Place]":
        """Where each rule between two answers of a pair, or what is not said, is found."""
        made: dict[Rule, _Place] = {}
        for number, counted in enumerate(self.counted):
            for turned in ((False, False), (True, False), (False, True), (True, True)):
                first, second = (
                    negate(counted.records.design, answer) if turn else answer
                    for answer, turn in zip(counted.answers, turned, strict=True)
                )
                made[first, second] = _Place(number, False, turned)
                made[second, first] = _Place(number, True, (turned[1], turned[0]))
        return made

    def _shrunk_figures(self, of: Places, places: "Sequence[_Place]") -> dict[str, Floats]:
        raw = np.stack([self.counted[pair].supports for pair in of], axis=1)
        means, spreads = self.shrunk
        swapped = np.array([place.swapped for place in places])
        order = np.where(swapped, np.array([[0], [2], [1]]), np.array([[0], [1], [2]]))
        columns = np.arange(len(of))
        own, raw = means[:, of][order, columns], raw[order, columns]
        spread = spreads[:, :, of][order[:, None], order[None], columns]
        negated = np.array([place.negated for place in places])
        sides, spread = _negate(own, spread, negated)
        of_raw, _ = _negate(raw, np.zeros_like(spread), negated)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = {"confidence raw": of_raw[0] / of_raw[1], "others raw": (of_raw[2] - of_raw[0]) / (1 - of_raw[1])}
        sides_of = metrics.Sides(sides[1], sides[2], sides[0])
        return shrunk_rules(sides_of, spread) | shrunk_others(sides_of, spread) | shares

    def _raw_figures(self, pair: int, rule: Rule) -> dict[str, float]:
        """The raw figures of a rule, with intervals that allow for the choice among all pairs."""
        counted, (given, said) = self.counted[pair], rule
        design = counted.records.design
        figures: dict[str, float] = {}
        for name, antecedent in (*((measure, given) for measure in _MEASURES), ("others", negate(design, given))):
            measure = "confidence" if name == "others" else name
            with suppress(InputError):
                estimate = counted.estimate(antecedent, said, measure, self.level)
                if estimate is not None:
                    figures |= dict(zip((name + end for end in _ENDS), estimate, strict=True))
                    figures |= {f"{name} raw": estimate[0]} if measure == "confidence" else {}
        return figures if {"confidence", "others"} <= {*figures} else {}


@dataclass(frozen=True)
class _Place:
    """A pair by its number, whether a rule has its answers the other way round, and which sides of it are negated."""

    pair: int
    swapped: bool
    negated: tuple[bool, bool]


@dataclass(frozen=True)
class _Counted:
    """A pair of answers, and the records as far as they tell of both: equal ones are one row."""

    answers: Rule
    records: Records
    sampling: AlikeRows
    supports: Floats  # of both, the first and the second
    parts: Floats | None  # what each row has in the first of these; None of pairs that are not shrunk

    def estimate(self, given: Literal, said: Literal, measure: str, level: float) -> tuple[float, ...] | None:
        """The raw figure of a rule with its error and interval; None where a confidence has no ends."""
        design = self.records.design
        one = rules_of(self.records, self.sampling)(_text(design, given, said), measure)
        estimate = estimate_alike(one.estimate(self.sampling, level), self.sampling.number)
        values = (estimate.estimate, estimate.se, *estimate.ci)
        return values if np.isfinite(values[: None if measure == "confidence" else 2]).all() else None


def answers_in_pairs(design: Design) -> list[Literal]:
    """The answers of which pairs are looked at: of two that a question names one says it all, and of yes and no yes.

    Who prefers not to say makes no pair.
    """
    answers: list[Literal] = []
    for column, item in enumerate(design.items):
        if item.has_options:
            said = options_without_skip(item)
            named = ["1"] if is_yes_no(said) else said[len(said) == 2 :]
            answers += [(column, frozenset([item.options.index(option)])) for option in named]
    return answers


def count_pairs(answers: Sequence[Literal]) -> int:
    """How many pairs there are of answers to different questions."""
    of_each = Counter(column for column, _options in answers)
    return (len(answers) ** 2 - sum(count**2 for count in of_each.values())) // 2


def negate(design: Design, answer: Literal) -> Literal:
    column, options = answer
    return column, frozenset(range(len(design.items[column].options))) - options


def look_at_pairs(records: Records | CountTables, answers: Sequence[Literal], least: int) -> Pairs:
    """Look at each pair of these answers that `least` people were asked together and that the disguise tells of.

    Tables of counts do not say how pairs vary together, so these have nothing after selection.
    """
    both = [pair for pair in combinations(answers, 2) if pair[0][0] != pair[1][0]]
    collapse = _collapser(records)
    asked = {columns: _count_asked(collapse(*columns), columns) for columns in {_columns(pair) for pair in both}}
    both = [pair for pair in both if asked[_columns(pair)] >= least]
    if len(both) > MOST_LOOKED_AT:
        return Pairs((), too_many=len(both))
    single = cache(lambda answer: _single(*collapse(answer[0]), answer))
    looked: list[tuple[Pair, _Counted]] = []
    for pair in both:
        with suppress(InputError):  # the disguise tells nothing of these two, or one of them seems never to be given
            columns = _columns(pair)
            counted, of_leverage = _count(*collapse(*columns), pair, single)
            if np.isfinite(of_leverage):
                p = of_leverage if of_leverage > BEYOND_CHANCE else _p_by_table(*collapse(*columns), pair, of_leverage)
                looked.append((Pair(pair, p, asked[columns]), counted))
    corrected = holm(np.array([pair.p for pair, _ in looked])).tolist()
    looked = [(replace(pair, corrected=one), counted) for (pair, counted), one in zip(looked, corrected, strict=True)]
    looked.sort(key=lambda one: one[0].p)
    tested, every = tuple(pair for pair, _ in looked), tuple(counted for _, counted in looked)
    sure = sum(pair.is_sure for pair in tested)
    level = 1 - (1 - LEVEL) * min(max(sure, 1), MOST_SAID) / max(len(tested), 1)
    pairs = Pairs(tested, level, counted=every)
    return replace(pairs, shrunk=_shrink(records, every, single)) if isinstance(records, Records) else pairs


def shrunk_rules(sides: metrics.Sides, spread: Floats) -> dict[str, Floats]:
    """The figures of rules from supports after selection and their covariance (3, 3, F), of both, A and B."""
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = [
            variance(spread, *(metric.slopes(sides) if metric.slopes else (1.0, 0.0, 0.0)))
            for metric in metrics.SHRINKING
        ]
        middle, *ends = within_bounds(sides.confidence, squares[1], LEVEL)
        lift = middle / sides.c
        of_support = sides.both, *within_bounds(sides.both, squares[0], LEVEL)[1:]
        figures = of_support, (middle, *ends), (lift, *log_interval(lift, squares[2], LEVEL))
        known = (sides.a > 0) & np.isfinite(squares[1])
        values: dict[str, Floats] = {}
        for metric, square, (value, low, high) in zip(metrics.SHRINKING, squares, figures, strict=True):
            own = (value, np.sqrt(square), low, high)
            values |= {key: np.where(known, one, np.nan) for key, one in zip(metric.keys, own, strict=True)}
    return values


def shrunk_others(sides: metrics.Sides, spread: Floats) -> dict[str, Floats]:
    """Of those who did not give A, how many gave B, by the keys `OTHERS`; from the same as `shrunk_rules`."""
    without_a = np.tile([True, False], (len(sides.a), 1))
    at, of = _negate(np.stack([sides.both, sides.a, sides.c]), spread, without_a)
    made = shrunk_rules(metrics.Sides(at[1], at[2], at[0]), of)
    return {key: made[key.replace("others", "confidence")] for key in OTHERS}


def _negate(support: Floats, spread: Floats, negated: NDArray[Any]) -> tuple[Floats, Floats]:
    """Supports (3, F) and covariances of rules, with the sides negated that these (F, 2) say."""
    for side, (matrix, added) in enumerate((_NEGATED_A, _NEGATED_B)):
        turned = negated[:, side]
        support = np.where(turned, matrix @ support + added[:, None], support)
        spread = np.where(turned, np.einsum("ij,jkf,lk->ilf", matrix, spread, matrix), spread)
    return support, spread


def _columns(pair: Rule) -> tuple[int, int]:
    return pair[0][0], pair[1][0]


Collapsed = tuple[Records, AlikeRows]


def _collapser(records: Records | CountTables) -> Callable[..., Collapsed]:
    """A function that gives the records as far as they tell of some columns, equal ones as one row."""
    design, made = records.design, {}

    def collapse(*columns: int) -> Collapsed:
        whole = whole_records(design, columns)
        needed = tuple(sorted({*columns, *(other for one in whole for other in _block_of(design, one))}))
        if needed not in made:
            table = records if isinstance(records, Records) else records.holding(needed)
            rows, times = (table, None) if isinstance(table, Records) else (table.records, table.counts)
            first, counts = _different(rows, needed, times)
            codes = np.zeros((len(first), rows.codes.shape[1]), rows.codes.dtype)
            codes[:, [*needed]] = rows.codes[first][:, [*needed]]
            made[needed] = Records(design, codes, rows.direct[first]), AlikeRows.of_counts(counts)
        return made[needed]

    return collapse


def _different(records: Records, columns: Sequence[int], times: Places | None) -> tuple[Places, Places]:
    """The first records of which each says something else of some columns, and how many say so.

    `times`: how many people each record is of; one without it.
    """
    if len(columns) > _FEW_COLUMNS:  # of a list of words
        return _alike(records, columns, times)
    states = _states(records, columns)
    counts = np.bincount(states, times).astype(np.intp)
    last = np.zeros(len(counts), np.intp)
    last[states] = np.arange(len(states))
    there = np.flatnonzero(counts)
    return last[there], counts[there]


def _alike(records: Records, columns: Sequence[int], times: Places | None = None) -> tuple[Places, Places]:
    """The same of any number of columns, in an order that does not depend on that of the records."""
    said = np.column_stack([records.codes[:, [*columns]], records.direct])
    _, first, inverse = np.unique(said, axis=0, return_index=True, return_inverse=True)
    return first, np.bincount(inverse.ravel(), times).astype(np.intp)


def _block_of(design: Design, column: int) -> range:
    block = design.place(column)[0]
    first = design.first_columns[block]
    return range(first, first + len(design.blocks[block].items))


def _count_asked(collapsed: Collapsed, columns: tuple[int, int]) -> int:
    records, sampling = collapsed
    return sampling.people((records.codes[:, [*columns]] != records.design.not_asked).all(axis=1))


def _count(records: Records, sampling: AlikeRows, pair: Rule, single: "Singles") -> tuple[_Counted, float]:
    """What the records tell of a pair, and the p of its leverage."""
    design = records.design
    if whole_records(design, _columns(pair)) or has_wrong_chances(design):
        rule = rules_of(records, sampling)
        apart = rule(_text(design, *pair), "leverage")
        supports = np.array([np.nan, np.nan, np.nan])
        return _Counted(pair, records, sampling, supports, None), apart.estimate(sampling, LEVEL).p
    both = support(records, Pattern.from_literals(pair, design), sampling)
    a, c = (replace(single(one), parts=single(one).parts[_states(records, one[:1])]) for one in pair)
    apart = combine((1.0, both), (-c.value, a), (-a.value, c), constant=a.value * c.value)
    apart = replace(apart, spread=both.spread, effective=both.effective)
    supports = np.array([both.value, a.value, c.value])
    return _Counted(pair, records, sampling, supports, both.parts), apart.estimate(sampling, LEVEL).p


def _p_by_table(records: Records, sampling: AlikeRows, pair: Rule, of_leverage: float) -> float:
    """The p of a pair by the test of its table, where that can be made."""
    columns = _columns(pair)
    if whole_records(records.design, columns):
        return of_leverage
    table = joint_table(records, [records.design.items[column].id for column in columns], sampling=sampling)
    p = table.independence([options for _column, options in pair]).p
    return min(p, of_leverage) if p <= 1 / (DRAWN + 1) else p  # the leverage says how small, where the draws cannot


def _shrink(records: Records, every: Sequence[_Counted], single: "Singles") -> tuple[Floats, Floats]:
    """The supports of both, the first and the second answer of each pair after selection, with their covariances."""
    supports, covariances = np.full((3, len(every)), np.nan), np.full((3, 3, len(every)), np.nan)
    chosen = [index for index, counted in enumerate(every) if counted.parts is not None]
    if not chosen:
        return supports, covariances
    pairs = [every[place].answers for place in chosen]
    answers = sorted({answer for pair in pairs for answer in pair}, key=lambda one: (one[0], sorted(one[1])))
    number = {answer: index for index, answer in enumerate(answers)}
    tables = [single(answer).parts for answer in answers]
    for place in chosen:
        own = every[place]
        assert own.parts is not None
        tables.append(_table(own.records, _columns(own.answers), own.parts))
    of_columns = [answer[:1] for answer in answers] + [_columns(pair) for pair in pairs]
    covariance = _covariance(records, of_columns, tables)
    values = [*(single(answer).value for answer in answers), *(every[place].supports[0] for place in chosen)]
    itemsets = [(index,) for index in range(len(answers))]
    ordered = [tuple(number[answer] for answer in pair) for pair in pairs]
    joint = KnownJoint([*itemsets, *ordered], np.array(values), covariance)
    support, spread = shrink(joint).parts(joint.places[1])
    both_and_each = np.array([3, 1, 2])
    supports[:, chosen] = support[both_and_each]
    covariances[:, :, chosen] = spread[both_and_each[:, None], both_and_each]
    return supports, covariances


Singles = Callable[[Literal], LinearisedFigure]
"""The share of an answer, with the part of a record in it by what it says (`_states`)."""


def _single(records: Records, sampling: AlikeRows, answer: Literal) -> LinearisedFigure:
    share = support(records, Pattern.from_literals([answer], records.design), sampling)
    return share.map_parts(lambda parts: _table(records, answer[:1], parts))


def _table(records: Records, columns: Sequence[int], parts: Floats) -> Floats:
    """The part of each record by what it says (`_states`)."""
    table = np.zeros(2 * prod(records.design.fields[column].size + 1 for column in columns))
    table[_states(records, columns)] = parts
    return table


def _states(records: Records, columns: Sequence[int]) -> Places:
    """What each record says of some columns, as a number."""
    state = records.direct.astype(np.intp)
    for column in columns:
        options, codes = records.design.fields[column].size, records.codes[:, column]
        state = state * (options + 1) + np.minimum(codes, options)  # the code of who was not asked is larger
    return state


def _covariance(records: Records, columns: Sequence[tuple[int, ...]], tables: Sequence[Floats]) -> Floats:
    """The covariance of figures from the part of each record in them.

    Equal records are one row, in an order of their own: a sum of floats depends on it, and figures must not.
    """
    first, counts = _alike(records, range(records.codes.shape[1]))
    made = np.zeros((len(tables), len(tables)))
    for start in range(0, len(first), _AT_ONCE):
        rows = first[start : start + _AT_ONCE]
        some = Records(records.design, records.codes[rows], records.direct[rows])
        states = {column: _states(some, column) for column in dict.fromkeys(columns)}
        parts = np.stack([table[states[column]] for column, table in zip(columns, tables, strict=True)])
        made += (parts * counts[start : start + _AT_ONCE]) @ parts.T
    return made


def _text(design: Design, given: Literal, said: Literal) -> str:
    return " => ".join(Pattern((one,)).text(design) for one in (given, said))
