"""The verdict: what so many people will tell of each aim of a survey, how many are enough, and whether to run it.

It is worked out here alone, by the interval that a report prints (`privacy.plan.printed`) and the chance that a true
link is found (`privacy.plan.connections`). Every page, command and file says these sentences.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.output import format_count, tenths, two_digits
from privacy.plan.connections import GOAL, Connection, roughly

SHARES, PAIRS, GROUPS = AIMS = ("shares", "pairs", "groups")
WITHIN = 0.05  # a share to within so much of it is wanted, if nobody says otherwise
HOPELESS = 0.15  # a share of 5 % with such an interval may be 20 %
MOST_PEOPLE = 10**6  # more than a survey asks
_TWO_DIGITS = [*range(1, 100), *(one * 10**power for power in range(1, 5) for one in range(10, 100)), MOST_PEOPLE]
_ROUNDS = 3  # in which the number of people and the design that is planned for it settle

_YES, _NO = to_translate("yes"), to_translate("no")
_HEADLINES = {
    (SHARES,): to_translate("{n} people are planned: shares {shares}."),
    (PAIRS,): to_translate("{n} people are planned: pairs {pairs}."),
    (GROUPS,): to_translate("{n} people are planned: groups {groups}."),
    (SHARES, PAIRS): to_translate("{n} people are planned: shares {shares}, pairs {pairs}."),
    (SHARES, GROUPS): to_translate("{n} people are planned: shares {shares}, groups {groups}."),
    (PAIRS, GROUPS): to_translate("{n} people are planned: pairs {pairs}, groups {groups}."),
    (SHARES, PAIRS, GROUPS): to_translate("{n} people are planned: shares {shares}, pairs {pairs}, groups {groups}."),
}
_ONE_AIM = to_translate("{n} people are planned. {enough} are enough.")
_STOP = to_translate("Do not run this as it is.")
_SHARES = to_translate("Shares: to within {points} points.")
_SHARES_TOO_WIDE = to_translate("Shares: to within {points} points, not {within}.")
_NO_SHARES = to_translate("Shares: nothing is known with {n} people.")
_GOOD_FOR = to_translate("Good for “is it {few} % or {far} %?”, not for “is it {few} % or {near} %?”")
_HIDDEN = to_translate("If all who prefer not to say would have said it, a share may lie {hidden} points higher.")
_AT_ENDS = to_translate("If it is {few} %, figures are {less}; if it is {many} %, {more}.")
_IF_WRONG = to_translate("If your guess is wrong by three times: {less} at {few} %, {more} at {many} %.")
_UNKNOWN = to_translate("not known")
_PAIRS = (
    to_translate("What goes together: nearly all links of medium strength are found with {n} people."),
    to_translate("What goes together: about {found} of 10 links of medium strength are found with {n} people."),
)
_PAIRS_MISSED = (
    to_translate(
        "What goes together: with {n} people hardly any link of medium strength ({many} % instead of {few} %) would be "
        "found; stronger ones may be."
    ),
    to_translate(
        "What goes together: with {n} people about {found} of 10 links of medium strength ({many} % instead of {few} "
        "%) would be found; of stronger ones more."
    ),
)
_LINK = to_translate(
    "A link of medium strength: of those who give one answer, another is given by {many} %; of all, by {few} %."
)
_GROUPS = to_translate("Groups: two halves of the people must differ by {points} points before you see it.")
_NO_GROUPS = to_translate("Groups: nothing is known of how they differ with {n} people.")
_ENOUGH = to_translate("{enough} people are enough.")
_ENOUGH_PUBLISHED = to_translate("{enough} people are enough for this version as it is published.")
_NEVER = to_translate("No number of people that a survey can have is enough.")


@dataclass(frozen=True)
class Aim:
    """One aim: `figure` is what the planned people give, the longer side of an interval or the chance of a link.

    `met` is whether that is what is wanted. `needed`: the fewest people who are enough if the survey is planned for so
    many, None where no survey has so many.
    `means`: what a link is.
    """

    what: str
    figure: float
    met: bool
    needed: int | None
    said: tuple[Said, ...]
    means: tuple[Said, ...] = ()

    def as_published(self) -> "Aim":
        """The same of a version whose disguise stays, while a new one may have another for other people."""
        said = [replace(one, sentence=_ENOUGH_PUBLISHED) if one.sentence == _ENOUGH else one for one in self.said]
        return replace(self, said=tuple(said))

    def to_json(self) -> dict[str, Any]:
        figure = self.figure if math.isfinite(self.figure) else None
        return {"aim": self.what, "figure": figure, "met": self.met, "needed": self.needed}


@dataclass(frozen=True)
class Plain:
    """When a plain question is the better one.

    hide: of 100 of those concerned, how many must hide the truth from it before it errs as much; None where it errs
    less however many do. is_better: whether it errs less if as many hide as one should reckon with.
    """

    hide: int | None
    is_better: bool
    said: tuple[Said, ...]


@dataclass(frozen=True)
class Verdict:
    """What a survey of so many people will tell. `stop` is whether nobody should run it as it is.

    plain: when a plain question is better. guess: what figures are if the guess is wrong. promises: what other promises
    change. limits: below how many people a plain question errs less.
    """

    respondents: int
    stop: bool
    headline: Said
    aims: tuple[Aim, ...]
    plain: Plain | None = None
    guess: tuple[Said, ...] = ()
    promises: tuple[Said, ...] = ()
    limits: tuple[Said, ...] = ()

    def sentences(self) -> Iterator[Said]:
        yield self.headline
        for aim in self.aims:
            yield from (*aim.said, *aim.means)
        yield from (*self.say_plain(), *self.guess, *self.promises, *self.limits)

    def say_plain(self) -> tuple[Said, ...]:
        return self.plain.said if self.plain else ()

    def is_good(self, aim: Aim) -> bool:
        """Whether an aim is met, and no plain question would meet it better."""
        return aim.met and not (self.plain and self.plain.is_better)

    def aim(self, what: str) -> Aim | None:
        return next((aim for aim in self.aims if aim.what == what), None)

    def as_published(self) -> "Verdict":
        return replace(self, aims=tuple(aim.as_published() for aim in self.aims))

    def to_json(self) -> dict[str, Any]:
        aims = [aim.to_json() for aim in self.aims]
        said = [str(one) for one in self.sentences()]
        return {"respondents": self.respondents, "stop": self.stop, "aims": aims, "said": said}


Figure = Callable[[int], float]
"""A figure by the number of people; infinite where nothing is known."""
Planned = Callable[[str, int], tuple[float, int | None]]
"""The figure of an aim by the number of people, each number with the design that is planned for it.

Beside it how many are enough with that very design, where this is known at once.
"""


def judge(
    respondents: int,
    wanted: Collection[str],
    *,
    side: Figure,
    apart: Figure,
    pair: Connection | None,
    common: float,
    within: float = WITHIN,
    planned: Planned | None = None,
    hidden: float | None = None,
    ends: Sequence[tuple[float, float]] = (),
    wrong: Sequence[tuple[float, float]] = (),
) -> Verdict:
    """Judge a design.

    wanted: the aims. side: the longest longer side of the intervals of shares. apart: that of a difference between two
    halves of the people. pair: what is expected of links of two answers. common: how common an answer is thought to be.
    planned: where the design depends on the number of people. hidden: how far above its figure a share may lie if all
    who prefer not to say would have given the answer; None if nobody can. ends: the shares at both ends of what is
    guessed, each with its side. wrong: the same of a third of it, and of three times.

    >>> said = judge(800, [SHARES], side=lambda n: 1 / n**0.5, apart=lambda n: 2 / n**0.5, pair=None, common=0.05)
    >>> [str(one) for one in said.sentences()]  # doctest: +NORMALIZE_WHITESPACE
    ['800 people are planned. 400 are enough.', 'Shares: to within 3.5 points.',
     'Good for “is it 5 % or 13 %?”, not for “is it 5 % or 7 %?”']
    """
    made = []
    if SHARES in wanted:
        enough = _enough(SHARES, respondents, side, within, planned)
        made.append(_judge_shares(respondents, side(respondents), enough, common, within, hidden))
    if PAIRS in wanted and pair is not None:
        made.append(judge_pairs(respondents, pair, planned))
    if GROUPS in wanted:
        enough = _enough(GROUPS, respondents, apart, 2 * within, planned)
        made.append(_judge_groups(respondents, apart(respondents), enough, within))
    shares = next((aim for aim in made if aim.what == SHARES), None)
    stop = not any(aim.met for aim in made) and (shares is None or shares.figure >= HOPELESS)
    figures: dict[str, int | str] = {"n": format_count(respondents)}
    figures |= {aim.what: _YES if aim.met else _NO for aim in made}
    key = tuple(what for what in AIMS if any(aim.what == what for aim in made))
    headline = Said(_STOP, {}) if stop or not key else Said(_HEADLINES[key], figures)
    if not stop and len(made) == 1 and made[0].needed:
        headline = Said(_ONE_AIM, {"n": format_count(respondents), "enough": format_count(made[0].needed)})
    guess = [
        _say_at(sentence, at) for sentence, at in ((_AT_ENDS, ends), (_IF_WRONG, wrong)) if shares and _is_known(at)
    ]
    return Verdict(respondents, stop, headline, tuple(made), guess=tuple(guess))


def points(width: float) -> str:
    """A width in percentage points, as people read it.

    >>> points(0.0537)
    '±5.4'
    """
    return f"±{two_digits(100 * width)}"


def enough_people(figure: Figure, target: float) -> int | None:
    """How many people make a figure that falls with their number reach the target, rounded up to two digits."""
    if math.isinf(target):
        return 1
    place = bisect_left(_TWO_DIGITS, True, key=lambda n: figure(n) <= target * (1 + 1e-9))
    return _TWO_DIGITS[place] if place < len(_TWO_DIGITS) else None


def _enough(what: str, n: int, width: Figure, target: float, planned: Planned | None) -> int | None:
    """How many people make a width reach the target, each number with the design that is planned for it."""
    met, enough = width(n) <= target, enough_people(width, target)

    def there(people: int) -> tuple[float, int | None]:
        assert planned is not None
        wide, hint = planned(what, people)  # four times as many people about halve a width
        return wide, hint or math.ceil(people * (wide / target) ** 2 if wide < 1 else 4 * people)

    if planned is not None:
        enough = _least_planned(n, met, enough, there, lambda found: found <= target * (1 + 1e-9))
    return _fewest(n, met, enough)


def _least_planned(
    n: int,
    met: bool,
    about: int | None,
    planned: Callable[[int], tuple[float, int | None]],
    meets: Callable[[float], bool],
) -> int | None:
    """The least number of two digits that meets a wish if the survey is planned for it; more than `n` if these do not.

    `about`: from where on it is looked for. What tells more with more people is found however far that is.
    """

    @cache
    def there(place: int) -> tuple[float, int | None]:
        return planned(_TWO_DIGITS[place])

    def is_met(place: int) -> bool:
        return meets(there(place)[0])

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


def _fewest(n: int, met: bool, enough: int | None) -> int | None:
    """How many are enough, in two digits: no more than `n` where these are."""
    return min(enough or MOST_PEOPLE, roughly(n)) if met else enough


def _judge_shares(n: int, width: float, enough: int | None, common: float, within: float, hidden: float | None) -> Aim:
    met = width <= within
    figures = {"n": format_count(n), "points": two_digits(100 * width), "within": two_digits(100 * within)}
    if not width < 1:
        return Aim(SHARES, width, False, enough, (Said(_NO_SHARES, figures), _say_enough(enough)))
    said = [Said(_SHARES if met else _SHARES_TOO_WIDE, figures)]
    if common + 2 * width < 1:
        said.append(Said(_GOOD_FOR, _questions(common, width)))
    if hidden is not None and hidden < 1:
        said.append(Said(_HIDDEN, {"hidden": two_digits(100 * hidden)}))
    if not met:
        said.append(_say_enough(enough))
    return Aim(SHARES, width, met, enough, tuple(said))


def _questions(common: float, width: float) -> dict[str, int | str]:
    """A share that two widths tell from the common one, and another one that less than a width does not."""
    few, far, near = (100 * one for one in (common, common + 2 * width, common + 0.6 * width))
    said = f"{few:.2g}"
    closer = (f"{math.floor(near)}", *(f"{near:.{digits}g}" for digits in range(2, 6)))
    other = next((one for one in closer if float(one) > float(said)), closer[-1])
    return {"few": said, "far": f"{math.ceil(far - 1e-9)}", "near": other}


def _is_known(ends: Sequence[tuple[float, float]]) -> bool:
    return any(width < 1 for _share, width in ends) and ends[0] != ends[1]


def _say_at(sentence: str, ends: Sequence[tuple[float, float]]) -> Said:
    """A sentence on two shares and how exactly each would be known."""
    (few, many), (less, more) = zip(*ends, strict=True)
    figures = {name: points(width) if width < 1 else _UNKNOWN for name, width in (("less", less), ("more", more))}
    return Said(sentence, {**figures, "few": f"{100 * few:.2g}", "many": f"{100 * many:.2g}"})


def judge_pairs(n: int, pair: Connection, planned: Planned | None = None) -> Aim:
    """What so many people tell of links, by what is expected of links of two answers; `planned`: as `judge` has it.

    >>> aim = judge_pairs(800, Connection(2, among_those=0.3, among_all=0.1, chance=0.41, needed=1_910))
    >>> print(str(aim.said[0])[:101])
    What goes together: with 800 people about 4 of 10 links of medium strength (30 % instead of 10 %) wou
    """
    met = pair.chance >= GOAL
    enough = None if pair.needed is None or pair.needed > MOST_PEOPLE else roughly(pair.needed)
    if planned is not None:
        enough = _least_planned(n, met, enough, partial(planned, PAIRS), lambda found: found >= GOAL)
    enough = _fewest(n, met, enough)
    found = round(10 * pair.chance)
    few, many = (f"{float(tenths(100 * share)):g}" for share in (pair.among_all, pair.among_those))
    link: dict[str, int | str | Said] = {"few": few, "many": many}
    said = [Said((_PAIRS if met else _PAIRS_MISSED)[0 < found < 10], link | {"n": format_count(n), "found": found})]
    if not met:
        said.append(_say_enough(enough))
    return Aim(PAIRS, pair.chance, met, enough, tuple(said), (Said(_LINK, link),))


def _judge_groups(n: int, width: float, enough: int | None, within: float) -> Aim:
    met = width <= 2 * within
    figures = {"n": format_count(n), "points": two_digits(100 * width)}
    said = [Said(_GROUPS, figures) if width < 1 else Said(_NO_GROUPS, figures)]
    if not met:
        said.append(_say_enough(enough))
    return Aim(GROUPS, width, met, enough, tuple(said))


def _say_enough(enough: int | None) -> Said:
    return Said(_NEVER, {}) if enough is None else Said(_ENOUGH, {"enough": format_count(enough)})
