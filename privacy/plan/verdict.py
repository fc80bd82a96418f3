"""The verdict: what so many people will tell of each aim of a survey, how many are enough, and whether to run it.

It is worked out here alone, from a forecast (`privacy.plan.forecast`) and the chance that a true link is found
(`privacy.plan.connections`). Every page, command and file says these sentences. Beside it is said what another way or
promise tells, and when a plain question is better: one from which h of those concerned hide gives π(1 − h), with the
mean square error (πh)² + π(1 − h)(1 − π(1 − h))/n; people are taken to be honest under a disguise. Why: decision 92.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

from privacy.design import Design
from privacy.design.brief import MOST_RESPONDENTS, Brief
from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.output import format_count, tenths, two_digits
from privacy.plan.choice import bias_of
from privacy.plan.connections import GOAL, Connection, roughly
from privacy.plan.forecast import MOST_PEOPLE, AnyForecast, enough_people, least_planned
from privacy.plan.standard_errors import errors_of_design

SHARES, PAIRS, GROUPS = AIMS = ("shares", "pairs", "groups")
WITHIN = 0.05  # a share to within so much of it is wanted, if nobody says otherwise
PRIOR = Fraction(1, 20)  # the belief that promises are said of
PROMISES = (10, 20, 33, 50, 67, 80)  # percent, to which it may grow
APART = 1.1  # times γ, below which two promises are the same to people
HIDE = 0.25  # of those concerned, as many as the number of people is said for
HOPELESS = 0.15  # a share of 5 % with such an interval may be 20 %

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
_ENOUGH_FOR_ALL = to_translate("{n} people are planned. {enough} are enough.")
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
_BOTH = to_translate("{first}; {then}")
_NOTHING = to_translate("nothing that you want to tell changes")
_FOUND_CHANGED = to_translate("{there} of 10 links are found instead of {here}")
_LINKS_CHANGED = to_translate("links need {there} people instead of {here}")
_LINKS_ALIKE = to_translate("links need {there} people either way")
_NO_LINKS = to_translate("links are out of reach")
_NO_LINKS_ALIKE = to_translate("links are out of reach either way")
_LINKS_ALONE = to_translate("links need {there} people; now they are out of reach")
_CHANGES = {  # where both are known, where both are alike, where the other is not known, where it alone is
    SHARES: (
        to_translate("shares {there} points instead of {here}"),
        to_translate("shares {there} points either way"),
        to_translate("no share is known"),
        to_translate("shares {there} points; now none is known"),
    ),
    GROUPS: (
        to_translate("two halves must differ by {there} points instead of {here}"),
        to_translate("two halves must differ by {there} points either way"),
        to_translate("nothing is known of how groups differ"),
        to_translate("two halves must differ by {there} points; now nothing is known of them"),
    ),
}
_ALIKE = (_LINKS_ALIKE, _NO_LINKS_ALIKE, *(alike for _differ, alike, *_others in _CHANGES.values()))
_PROMISE = to_translate("If a stored answer could move a suspicion from 5 % to at most {sure} %: {change}.")
_PLAIN = to_translate(
    "With {n} people a plain question errs less, unless {hide} of 100 of those concerned or more hide the truth from "
    "it."
)
_PLAIN_ANYWAY = to_translate("With {n} people a plain question errs less, however many hide the truth from it.")
_PLAIN_BELOW = to_translate("If a quarter of them hide it, the plain question errs less below {fewer} people.")
_HARMLESS = to_translate("Where an answer can harm nobody, ask plainly.")


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

    @property
    def enough(self) -> int | None:
        """How many people are enough for all that is wanted; None where nothing is, or no survey has so many."""
        needed = [aim.needed for aim in self.aims if aim.needed]
        return max(needed) if needed and len(needed) == len(self.aims) else None

    def as_published(self) -> "Verdict":
        return replace(self, aims=tuple(aim.as_published() for aim in self.aims))

    def to_json(self) -> dict[str, Any]:
        aims = [aim.to_json() for aim in self.aims]
        said = [str(sentence) for sentence in self.sentences()]
        return {"respondents": self.respondents, "stop": self.stop, "aims": aims, "said": said}


def judge(
    now: AnyForecast,
    wanted: Collection[str],
    *,
    common: float,
    within: float = WITHIN,
    planned: Callable[[int], AnyForecast] | None = None,
    hidden: float | None = None,
    ends: Sequence[tuple[float, float]] = (),
    wrong: Sequence[tuple[float, float]] = (),
    disguise: tuple[Design, Brief, float] | None = None,
) -> Verdict:
    """The verdict on a design by its forecast; all that the library, commands and pages say of one is made of it.

    wanted: the aims. common: how common an answer is thought to be. planned: the forecast for another number of people,
    where the design depends on it. hidden: how far above its figure a share may lie if all who prefer not to say would
    have given the answer; None if nobody can. ends: the shares at both ends of what is guessed, each with its side.
    wrong: the same of a third of it, and of three times. disguise: what a plain question is held beside, with how
    common an answer is thought to be; the brief has its items in the order of the design.

    >>> from privacy.design.brief import Brief, yes_no
    >>> from privacy.design.models import warner
    >>> from privacy.plan.forecast import DesignForecast
    >>> forecast = DesignForecast(warner(["item1"], theta=0.95), Brief(yes_no(1, 0.05), 800, Fraction(19), 1))
    >>> [str(one) for one in judge(forecast, [SHARES], common=0.05).sentences()]  # doctest: +NORMALIZE_WHITESPACE
    ['800 people are planned. 230 are enough.', 'Shares: to within 2.5 points.',
     'Good for “is it 5 % or 10 %?”, not for “is it 5 % or 6 %?”']
    """
    n, made = now.respondents, []
    if SHARES in wanted and now.most is not None:
        made.append(_judge_shares(n, now.most, _enough(SHARES, now, within, planned), common, within, hidden))
    if PAIRS in wanted and now.pair is not None:
        made.append(judge_pairs(n, now.pair, planned))
    if GROUPS in wanted and now.apart is not None:
        made.append(_judge_groups(n, now.apart, _enough(GROUPS, now, 2 * within, planned), within))
    shares = next((aim for aim in made if aim.what == SHARES), None)
    stop = not any(aim.met for aim in made) and (shares is None or shares.figure >= HOPELESS)
    figures: dict[str, int | str] = {"n": format_count(n)}
    figures |= {aim.what: _YES if aim.met else _NO for aim in made}
    key = tuple(what for what in AIMS if any(aim.what == what for aim in made))
    headline = Said(_STOP, {}) if stop or not key else Said(_HEADLINES[key], figures)
    guess = [
        _say_at(sentence, at) for sentence, at in ((_AT_ENDS, ends), (_IF_WRONG, wrong)) if shares and _is_known(at)
    ]
    verdict = Verdict(n, stop, headline, tuple(made), guess=tuple(guess))
    if verdict.enough and not stop:
        enough = Said(_ENOUGH_FOR_ALL, {"n": format_count(n), "enough": format_count(verdict.enough)})
        verdict = replace(verdict, headline=enough)
    return _beside_plain(verdict, *disguise) if disguise else verdict


def _enough(what: str, now: AnyForecast, target: float, planned: Callable[[int], AnyForecast] | None) -> int | None:
    """How many people make a width reach the target, each number with the design that is planned for it."""

    def width(forecast: AnyForecast) -> float:
        return (forecast.most if what == SHARES else forecast.apart) or 0.0

    met, enough = width(now) <= target, enough_people(lambda n: width(now.with_people(n)), target)
    if planned is None:
        return _fewest(now.respondents, met, enough)

    def there(people: int) -> tuple[bool, int | None]:
        wide = width(planned(people))  # four times as many people about halve a width
        about = math.ceil(people * (wide / target) ** 2 if wide < 1 else 4 * people)
        return wide <= target * (1 + 1e-9), about

    return _fewest(now.respondents, met, least_planned(now.respondents, met, enough, there))


def points(width: float) -> str:
    """A width in percentage points, as people read it.

    >>> points(0.0537)
    '±5.4'
    """
    return f"±{two_digits(100 * width)}"


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


def judge_pairs(n: int, pair: Connection, planned: Callable[[int], AnyForecast] | None = None) -> Aim:
    """What so many people tell of links, by what is expected of links of two answers; `planned`: as `judge` has it.

    >>> aim = judge_pairs(800, Connection(2, among_those=0.3, among_all=0.1, chance=0.41, needed=1_910))
    >>> print(str(aim.said[0])[:101])
    What goes together: with 800 people about 4 of 10 links of medium strength (30 % instead of 10 %) wou
    """
    met = pair.chance >= GOAL
    enough = None if pair.needed is None or pair.needed > MOST_PEOPLE else roughly(pair.needed)
    if planned is not None:

        def there(people: int) -> tuple[bool, int | None]:
            found = planned(people).pair
            return found is not None and found.chance >= GOAL, found.needed if found else None

        enough = least_planned(n, met, enough, there)
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


def gamma_of(sure: float) -> Fraction:
    """The γ under which a belief of 5 % grows to at most `sure` percent."""
    after = Fraction(str(sure)) / 100
    return after / (1 - after) * (1 - PRIOR) / PRIOR


def next_promises(gamma: float) -> list[int]:
    """The next stronger promise and the next weaker one, in percent, as far as there are such."""
    stronger = [sure for sure in PROMISES if gamma_of(sure) * APART < gamma]
    weaker = [sure for sure in PROMISES if gamma_of(sure) > APART * gamma]
    return [*stronger[-1:], *weaker[:1]]


def say_promise(sure: int, here: Verdict, there: Verdict) -> Said:
    """What a survey would tell under another promise."""
    return Said(_PROMISE, {"sure": sure, "change": say_change(here, there)})


def say_change(here: Verdict, there: Verdict) -> Said:
    """What one way tells in place of another, of each aim of both.

    >>> shares = [Aim(SHARES, width, False, None, ()) for width in (0.1, 0.2)]
    >>> ways = [Verdict(100, False, Said("", {}), (aim,)) for aim in shares]
    >>> str(say_change(*ways))
    'shares ±20 points instead of ±10'
    """
    changes = [_change(aim, other) for aim in here.aims if (other := there.aim(aim.what))]
    return reduce(lambda first, then: Said(_BOTH, {"first": first, "then": then}), changes or [Said(_NOTHING, {})])


def say_gains(here: Verdict, there: Verdict, but: Collection[str] = ()) -> tuple[list[Said], list[Said]]:
    """What one way tells better than another, and what worse, of each aim of both `but` these.

    >>> shares = [Aim(SHARES, width, False, None, ()) for width in (0.1, 0.2)]
    >>> ways = [Verdict(100, False, Said("", {}), (aim,)) for aim in shares]
    >>> [list(map(str, said)) for said in say_gains(*ways)]
    [[], ['shares ±20 points instead of ±10']]
    """
    better, worse = list[Said](), list[Said]()
    for one in (aim for aim in here.aims if aim.what not in but):
        other = there.aim(one.what)
        if other is None or (said := _change(one, other)).sentence in _ALIKE:
            continue
        (better if _tells_more(other, one) else worse).append(said)
    return better, worse


def _tells_more(one: Aim, other: Aim) -> bool:
    """Whether one of two that differ is the better: by its width, or by the links found and the people they take."""
    if one.what != PAIRS:
        return one.figure < other.figure
    found = [round(10 * aim.figure) for aim in (one, other)]
    return found[0] > found[1] or (found[0] == found[1] and (one.needed or math.inf) < (other.needed or math.inf))


def _change(here: Aim, there: Aim) -> Said:
    if here.what == PAIRS:
        return _change_of_links(here, there)
    differ, alike, unknown, alone = _CHANGES[here.what]
    if not there.figure < 1:
        return Said(alike if not here.figure < 1 else unknown, {"there": _UNKNOWN})
    figures: dict[str, int | str | Said] = {"there": points(there.figure), "here": points(here.figure)}
    if not here.figure < 1:
        return Said(alone, figures)
    return Said(alike if figures["there"] == figures["here"] else differ, figures)


def _change_of_links(here: Aim, there: Aim) -> Said:
    """How many of ten are found, or where hardly any is, how many people it takes."""
    found = [round(10 * one.figure) for one in (here, there)]
    if any(found) and found[0] != found[1]:
        return Said(_FOUND_CHANGED, {"here": found[0], "there": found[1]})
    if there.needed is None:
        return Said(_NO_LINKS if here.needed else _NO_LINKS_ALIKE, {})
    needed: dict[str, int | str | Said] = {"there": format_count(there.needed)}
    if here.needed is None:
        return Said(_LINKS_ALONE, needed)
    needed["here"] = format_count(here.needed)
    return Said(_LINKS_ALIKE if needed["there"] == needed["here"] else _LINKS_CHANGED, needed)


def _beside_plain(verdict: Verdict, design: Design, brief: Brief, share: float) -> Verdict:
    """The verdict on a design with when a plain question is better."""
    errors = errors_of_design(design, brief, worst=False).expected
    if brief.direct_share or not math.isfinite(errors[0]):
        return verdict
    lasting, biased = 0.0, bias_of(design, brief)
    if biased:
        crowd = replace(brief, respondents=MOST_RESPONDENTS)
        lasting = errors_of_design(design, crowd, worst=False).expected[0]
    fewer = fewest_people(brief.respondents, share, errors[0], lasting)
    limits = () if fewer is None else (Said(_PLAIN_BELOW, {"fewer": format_count(roughly(fewer))}),)
    return replace(verdict, plain=compare_plain(brief.respondents, share, errors[0]), limits=limits)


def compare_plain(respondents: int, share: float, error: float) -> Plain:
    """When a plain question is the better one, beside a disguise that errs by so much.

    It is where it errs less although `HIDE` of those concerned hide the truth from it.

    >>> str(compare_plain(800, 0.05, 0.028).said[0])
    'With 800 people a plain question errs less, unless 56 of 100 of those concerned or more hide the truth from it.'
    """
    hide = most_hiding(respondents, share, error)
    figures: dict[str, int | str | Said] = {"n": format_count(respondents)}
    if hide is None:
        return Plain(None, True, (Said(_PLAIN_ANYWAY, figures), Said(_HARMLESS, {})))
    of_100 = max(math.ceil(100 * hide - 1e-9), 1)
    return Plain(of_100, hide > HIDE, (Said(_PLAIN, {**figures, "hide": of_100}), Said(_HARMLESS, {})))


def most_hiding(n: int, share: float, error: float) -> float | None:
    """How many may hide before a plain question errs as much; None where it errs less even if all do.

    With q = π(1 − h): q²(1 − 1/n) + q(1/n − 2π) + π² − error² = 0.

    >>> round(most_hiding(800, 0.05, 0.028), 3), most_hiding(800, 0.05, 0.06)
    (0.55, None)
    """
    if error >= share:  # who says that nobody does it errs by π
        return None
    square, line, rest = 1 - 1 / n, 1 / n - 2 * share, share**2 - error**2
    root = max(line**2 - 4 * square * rest, 0.0)
    affirm = (-line - math.sqrt(root)) / (2 * square) if square else rest / -line
    return 1 - affirm / share


def fewest_people(n: int, share: float, error: float, lasting: float) -> int | None:
    """The people from whom on this disguise errs less where `HIDE` of those concerned would hide; None where none is.

    What is not bias falls as 1/n in both.
    """
    affirm = share * (1 - HIDE)
    gained = (share * HIDE) ** 2 - lasting**2
    lost = (error**2 - lasting**2) * n - affirm * (1 - affirm)
    return max(math.ceil(lost / gained), 1) if gained > 0 else None
