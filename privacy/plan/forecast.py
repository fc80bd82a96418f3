"""What a design will be able to tell, before anybody is asked, and how many people are enough for it.

Who plans reads the unit that the report prints: the longer side of the 95 % interval of one share, from the figure to
its farther end, of counts as they are expected. Half of all surveys print a longer one, half a shorter one.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Protocol, Self

import numpy as np

from privacy.design import Design
from privacy.design.block import Block
from privacy.design.brief import Brief
from privacy.design.channels import Floats
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.estimators import estimate
from privacy.estimate.intervals import wilson
from privacy.estimate.power import chance_asked_all
from privacy.estimate.weights import channel_of, factors
from privacy.estimate.wrong_chances import WrongChances
from privacy.plan.connections import Connection, connections, pairs_looked_at
from privacy.reconstruct.words_sent import foresee_reaches

LEVEL = 0.95
MOST_PEOPLE = 10**6  # more than a survey asks
_TWO_DIGITS = [*range(1, 100), *(one * 10**power for power in range(1, 5) for one in range(10, 100)), MOST_PEOPLE]
_ROUNDS = 3  # in which the number of people and the design that is planned for it settle
Shares = tuple[tuple[float, ...], ...]
"""How common the options of each item of a block are."""
Reach = tuple[float, float]
"""How far an interval reaches below its figure, and above it."""
NOTHING: Reach = (math.inf, math.inf)


class AnyForecast(Protocol):
    """What a design will tell: widths are shares, infinite where nothing is known; None where nothing is to be known.

    most: the longest longer side of the intervals of shares. apart: that of a difference between two halves of the
    people. pair: what is expected of links of two answers.
    """

    @property
    def respondents(self) -> int: ...

    @property
    def most(self) -> float | None: ...

    @property
    def apart(self) -> float | None: ...

    @property
    def pair(self) -> Connection | None: ...

    def with_people(self, people: int) -> Self:
        """The same design with another number of people."""
        ...


@dataclass(frozen=True)
class DesignForecast:
    """The forecast of a design with items as a brief has them. Without a guess half say yes: that is widest."""

    design: Design
    brief: Brief
    apart: float = math.inf

    @property
    def respondents(self) -> int:
        return self.brief.respondents

    @property
    def most(self) -> float:
        return self.side[0]

    @cached_property
    def side(self) -> tuple[float, float]:
        """The longest longer side of a share that a report will print, and how common that answer is."""
        questions, direct = (
            {question.id: question for question in self.brief.questions},
            self.respondents * self.brief.direct_share,
        )
        return max(
            side
            for block in self.design.blocks
            for side in longer_sides(
                block,
                tuple(
                    questions[item.id].expected or (1 / len(item.options),) * len(item.options) for item in block.items
                ),
                [questions[item.id].literals for item in block.items],
                self.respondents - direct,
                direct,
            )
        )

    @cached_property
    def pair(self) -> Connection | None:
        return next((one for one in connections_of(self.design, self.brief) if one.length == 2), None)

    def with_people(self, people: int) -> "DesignForecast":
        return replace(self, brief=replace(self.brief, respondents=people))


def longer_side(share: float, reach: Reach) -> float:
    """From the figure to the farther end of its interval, which reports cut to shares from 0 to 1.

    Nothing is known where it covers all of them.

    >>> longer_side(0.1, (0.2, 0.05)), longer_side(0.5, (0.5, 0.6))
    (0.1, inf)
    """
    below, above = min(reach[0], share), min(reach[1], 1 - share)
    return math.inf if below + above >= 1 else max(below, above)


def difference_side(block: Block, shares: Shares, wanted: Sequence[Sequence[int]], each: float) -> float:
    """The longest side of the interval of a difference between two groups of so many disguised people, by MOVER.

    Of two groups that are alike both sides are the same.

    >>> from privacy.design.models import warner
    >>> (block,) = warner(["drugs"], theta=0.75).blocks
    >>> round(difference_side(block, ((0.9, 0.1),), [(1,)], 500), 3)
    0.113
    """
    places = {  # what looks alike is worked out once
        (item.options, item.noise, shares[index], code): (index, code)
        for index, (item, codes) in enumerate(zip(block.items, wanted, strict=True))
        for code in codes
    }
    side = max(math.hypot(*foresee_reach(block, place, code, shares, each)) for place, code in places.values())
    return side if side < 1 else math.inf


def longer_sides(
    block: Block, shares: Shares, wanted: Sequence[Sequence[int]], disguised: float, direct: float = 0.0
) -> list[tuple[float, float]]:
    """Of each item of a block the longest longer side of an answer that is `wanted`, and how common that answer is.

    >>> items = [{"id": "drugs", "theta": 0.5}, {"id": "theft", "theta": 0.5}]
    >>> (block,) = Design.parse({"blocks": [{"keep": 0.5, "items": items}]}).blocks
    >>> sides = longer_sides(block, ((0.9, 0.1), (0.5, 0.5)), [(1,), (1,)], 1000)
    >>> [(round(side, 3), share) for side, share in sides]
    [(0.058, 0.1), (0.062, 0.5)]
    """
    made, known = [], dict[tuple[object, ...], tuple[float, float]]()
    reaches, is_list = _reaches_of_answers(block, shares, disguised, direct), _is_list(block)
    for index, (item, codes) in enumerate(zip(block.items, wanted, strict=True)):
        # What looks alike is worked out once; of a list each answer has a word of its own, or none.
        kind = (item.options, item.noise, shares[index], tuple(codes), index if is_list else None)
        if kind not in known:
            known[kind] = max(
                (longer_side(shares[index][code], reaches(index, code)), shares[index][code]) for code in codes
            )
        made.append(known[kind])
    return made


def pair_side(block: Block, shares: Shares, wanted: Sequence[Sequence[int]], disguised: float) -> float:
    """The longest longer side of two `wanted` answers together that a list of words tells; infinite of another block.

    >>> from privacy.design.models import one_of
    >>> (block,) = one_of([*"abc"], gamma=19, cap=1, longest=2).blocks
    >>> round(pair_side(block, ((0.9, 0.1),) * 3, [(1,)] * 3, 1000), 3)
    0.054
    """
    words = block.patterns.word_list if block.distribution is None else None
    if words is None:
        return math.inf
    alike: dict[float, list[int]] = {}
    for number, (_, literals) in enumerate(words.words):
        if len(literals) == 2 and all(codes <= {*wanted[at]} for at, codes in literals):
            share = math.prod(sum(shares[at][code] for code in codes) for at, codes in literals)
            alike.setdefault(share, []).append(number)
    reaches = _foresee_words(block, shares, disguised)
    sides = (longer_side(share, reaches[numbers].mean(axis=0).tolist()) for share, numbers in alike.items())
    return max(sides, default=math.inf)


def _is_list(block: Block) -> bool:
    return block.distribution is None and block.patterns.word_list is not None


def foresee_reach(block: Block, place: int, option: int, shares: Shares, disguised: float) -> Reach:
    """How far the interval of an answer to the item at `place` of a block will reach, of so many people.

    Nothing is known where the block keeps nothing of the answer.
    """
    return _reaches_of_answers(block, shares, disguised, 0.0)(place, option)


def side_with_silent(
    block: Block,
    shares: Shares,
    wanted: Sequence[Sequence[int]],
    silent: Sequence[int | None],
    disguised: float,
    direct: float = 0.0,
) -> float:
    """From the figure of a `wanted` answer to where its interval ends if all who preferred not to say had given it.

    The longest of all. `silent` is the code of these people in each item, None where there are none.

    >>> items = [{"id": "drugs", "options": ["0", "1", "secret"], "noise": [0.4, 0.3, 0.3]}]
    >>> (block,) = Design.parse({"blocks": [{"keep": 0.5, "items": items}]}).blocks
    >>> round(side_with_silent(block, ((0.9, 0.05, 0.05),), [(1,)], [2], 1000), 3)
    0.11
    """
    reaches, is_list = _reaches_of_answers(block, shares, disguised, direct), _is_list(block)
    places = {  # what looks alike is worked out once
        (item.options, item.noise, shares[index], code, index if is_list else None): (index, code, hidden)
        for index, (item, codes, hidden) in enumerate(zip(block.items, wanted, silent, strict=True))
        if hidden is not None
        for code in codes
    }
    ends = [0.0]
    for place, code, hidden in places.values():
        share, known = shares[place][code], shares[place][hidden]
        if is_list:  # both by MOVER
            above = math.hypot(reaches(place, code)[1], reaches(place, hidden)[1])
        else:
            above = _foresee_coin(block, place, frozenset({code, hidden}), share + known, disguised, direct)[1]
        ends.append(min(known + above, 1 - share))
    return max(ends)


def _reaches_of_answers(block: Block, shares: Shares, disguised: float, direct: float) -> Callable[[int, int], Reach]:
    """The reach of an answer by the place of its item and its code; a list is looked up once for all of them."""
    if not _is_list(block):
        return lambda place, option: _foresee_coin(
            block, place, frozenset({option}), shares[place][option], disguised, direct
        )
    words = _reaches_of_words(block, shares, disguised)

    def reach(place: int, option: int) -> Reach:
        own = words.get((place, option), NOTHING)
        return _join(shares[place][option], own, disguised, direct) if direct else own

    return reach


@lru_cache(maxsize=1 << 14)
def _foresee_coin(
    block: Block, place: int, options: frozenset[int], share: float, disguised: float, direct: float
) -> Reach:
    """The reach of one of some answers that a coin or flips disguise; of a list `_reaches_of_words` has them."""
    try:
        design = Design((block,), direct > 0)
        pattern = Pattern(((place, options),))
        channel = channel_of([factors(design, pattern)])
    except InputError:
        return NOTHING
    c, d = (float(one[0]) for one in channel.line())
    if not d:
        return NOTHING
    seen, sizes = np.array([c + d * share, share]), np.array([disguised, direct], float)
    counts = (sizes * chance_asked_all(design, pattern))[:, np.newaxis] * np.stack([1 - seen, seen], axis=1)
    made = estimate(counts[np.newaxis], sizes[np.newaxis], channel, "stratified", LEVEL)
    chances, part = WrongChances.from_pattern(design, pattern), disguised / (disguised + direct)
    low, high = (chances.far_end(float(end[0]), sign, part) for end, sign in ((made.low, -1), (made.high, 1)))
    below, above = share - low, high - share
    return NOTHING if math.isnan(below + above) else (below, above)


def _join(share: float, own: Reach, disguised: float, direct: float) -> Reach:
    """The reach of both groups together, by MOVER, where the disguised people alone have their `own`."""
    part = direct / (disguised + direct)
    low, high = (float(end) for end in wilson(np.array(share), np.array(direct), LEVEL))
    below, above = own
    return math.hypot((1 - part) * below, part * (share - low)), math.hypot((1 - part) * above, part * (high - share))


@lru_cache(maxsize=1 << 12)
def _foresee_words(block: Block, shares: Shares, disguised: float) -> Floats:
    """How far the intervals of all words of a list reach: words × (below, above)."""
    assert block.patterns.word_list is not None
    return np.column_stack(foresee_reaches(block.patterns.word_list, shares, disguised))


@lru_cache(maxsize=1 << 12)
def _reaches_of_words(block: Block, shares: Shares, disguised: float) -> dict[tuple[int, int], Reach]:
    """The reach of each answer in a list of words: on average over those that are as common and are words themselves.

    Of an answer that is in words beside others alone nothing is known. An answer that is in no word is what the
    others of its item leave.
    """
    words = block.patterns.word_list
    assert words is not None
    reaches = _foresee_words(block, shares, disguised)
    own, beside = dict[tuple[int, int], int](), set[tuple[int, int]]()
    for number, (_, literals) in enumerate(words.words):
        answers = [(at, code) for at, codes in literals for code in codes]
        if len(literals) == 1:
            own |= dict.fromkeys(answers, number)
        beside.update(answers)
    alike: dict[float, list[int]] = {}
    for (at, code), number in own.items():
        alike.setdefault(shares[at][code], []).append(number)
    means = {share: tuple(reaches[numbers].mean(axis=0).tolist()) for share, numbers in alike.items()}
    known = {
        (at, code): means[share]
        for at, given in enumerate(shares)
        for code, share in enumerate(given)
        if share in means and ((at, code) in own or (at, code) not in beside)
    }
    for at, given in enumerate(shares):
        answers = [(at, code) for code in range(len(given))]
        rest = [answer for answer in answers if answer not in known]
        if len(rest) == 1 < len(answers) and rest[0] not in own and rest[0] not in beside:  # by MOVER
            below, above = (
                math.hypot(*ends)
                for ends in zip(*(known[answer] for answer in answers if answer in known), strict=True)
            )
            known[rest[0]] = (above, below)
    return known


def connections_of(design: Design, brief: Brief) -> tuple[Connection, ...]:
    """How likely rules of two answers and of three are found with a design.

    Of items with options they are of the rarest option: one that nearly everybody chooses goes with nothing.
    """
    shares = {question.id: question.expected for question in brief.questions if question.expected is not None}
    rarest = {
        question.id: min(question.literals, key=question.expected.__getitem__)
        for question in brief.questions
        if question.expected is not None and not question.boolean
    }
    return connections(
        design,
        brief.respondents,
        shares=shares,
        direct_share=brief.direct_share,
        answers=rarest,
        longest=3,
        looked_at=pairs_looked_at([len(item.options) for item in design.items]),
    )


def enough_people(figure: Callable[[int], float], target: float) -> int | None:
    """How many people make a figure that falls with their number reach the target, rounded up to two digits."""
    if math.isinf(target):
        return 1
    place = bisect_left(_TWO_DIGITS, True, key=lambda n: figure(n) <= target * (1 + 1e-9))
    return _TWO_DIGITS[place] if place < len(_TWO_DIGITS) else None


def least_planned(
    n: int, met: bool, about: int | None, planned: Callable[[int], tuple[bool, int | None]]
) -> int | None:
    """The least number of two digits that meets a wish if the survey is planned for it; more than `n` if these do not.

    `planned`: whether a number meets it, and about how many would. `about`: from where on it is looked for. What tells
    more with more people is found however far that is.
    """

    @cache
    def there(place: int) -> tuple[bool, int | None]:
        return planned(_TWO_DIGITS[place])

    def is_met(place: int) -> bool:
        return there(place)[0]

    def place_of(people: int | None) -> int:
        return max(min(bisect_left(_TWO_DIGITS, people or MOST_PEOPLE), most), below + 1)

    most, step = len(_TWO_DIGITS) - 1, 1
    below = -1 if met else bisect_left(_TWO_DIGITS, n + 1) - 1  # the last place that is known not to meet it
    if below == most:
        return None
    place = place_of(about)
    for _round in range(_ROUNDS):
        place = place_of(there(place)[1] or _TWO_DIGITS[place])
    while not is_met(place):
        if place == most:
            return None
        below, place, step = place, min(place + step, most), 2 * step
    step = 1
    while place - step > below and is_met(place - step):
        place, step = place - step, 2 * step
    below = max(below, place - step)
    return _TWO_DIGITS[bisect_left(range(place), True, below + 1, key=is_met)]
