"""What is said beside a verdict: that on another way or promise, and the plain question.

A plain question from which h of those concerned hide gives π(1 − h). Its mean square error is
(πh)² + π(1 − h)(1 − π(1 − h))/n; people are taken to be honest under a disguise. Why: decision 92.
"""

import math
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from privacy.design import Design
from privacy.design.brief import MOST_RESPONDENTS, Brief
from privacy.design.sentences import Said
from privacy.errors import to_translate
from privacy.output import format_count
from privacy.plan.choice import bias_of
from privacy.plan.connections import roughly
from privacy.plan.standard_errors import errors_of_design
from privacy.plan.verdict import PAIRS, SHARES, Aim, Plain, Verdict, points

PRIOR = Fraction(1, 20)  # the belief that promises are said of
PROMISES = (10, 20, 33, 50, 67, 80)  # percent, to which it may grow
APART = 1.1  # times γ, below which two promises are the same to people
HIDE = 0.25  # of those concerned, as many as the number of people is said for

_BOTH = to_translate("{first}; {then}")
_NOTHING = to_translate("nothing that you want to tell changes")
_UNKNOWN = to_translate("not known")
_SHARES = to_translate("shares {there} points instead of {here}")
_SHARES_ALIKE = to_translate("shares {there} points either way")
_NO_SHARES = to_translate("no share is known")
_SHARES_ALONE = to_translate("shares {there} points; now none is known")
_FOUND = to_translate("{there} of 10 links are found instead of {here}")
_LINKS = to_translate("links need {there} people instead of {here}")
_LINKS_ALIKE = to_translate("links need {there} people either way")
_NO_LINKS = to_translate("links are out of reach")
_NO_LINKS_ALIKE = to_translate("links are out of reach either way")
_LINKS_ALONE = to_translate("links need {there} people; now they are out of reach")
_GROUPS = to_translate("two halves must differ by {there} points instead of {here}")
_GROUPS_ALIKE = to_translate("two halves must differ by {there} points either way")
_NO_GROUPS = to_translate("nothing is known of how groups differ")
_GROUPS_ALONE = to_translate("two halves must differ by {there} points; now nothing is known of them")
_ALIKE = (_SHARES_ALIKE, _LINKS_ALIKE, _NO_LINKS_ALIKE, _GROUPS_ALIKE)
_PROMISE = to_translate("If a stored answer could move a suspicion from 5 % to at most {sure} %: {change}.")
_PLAIN = to_translate(
    "With {n} people a plain question errs less, unless {hide} of 100 of those concerned or more hide the truth from "
    "it."
)
_PLAIN_ANYWAY = to_translate("With {n} people a plain question errs less, however many hide the truth from it.")
_PLAIN_BELOW = to_translate("If a quarter of them hide it, the plain question errs less below {fewer} people.")
_HARMLESS = to_translate("Where an answer can harm nobody, ask plainly.")


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

    >>> from privacy.plan.verdict import judge
    >>> ways = [
    ...     judge(100, [SHARES], side=lambda n: width, apart=lambda n: 1, pair=None, common=0.1)
    ...     for width in (0.1, 0.2)
    ... ]
    >>> str(say_change(*ways))
    'shares ±20 points instead of ±10'
    """
    changes = [_change(one, other) for one in here.aims if (other := there.aim(one.what))]
    return reduce(_join, changes) if changes else Said(_NOTHING, {})


def _join(first: Said, then: Said) -> Said:
    return Said(_BOTH, {"first": first, "then": then})


def say_gains(here: Verdict, there: Verdict, but: Collection[str] = ()) -> tuple[list[Said], list[Said]]:
    """What one way tells better than another, and what worse, of each aim of both `but` these.

    >>> from privacy.plan.verdict import judge
    >>> ways = [
    ...     judge(100, [SHARES], side=lambda n: width, apart=lambda n: 1, pair=None, common=0.1)
    ...     for width in (0.1, 0.2)
    ... ]
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
    says, alike, unknown, alone = (
        (_SHARES, _SHARES_ALIKE, _NO_SHARES, _SHARES_ALONE)
        if here.what == SHARES
        else (_GROUPS, _GROUPS_ALIKE, _NO_GROUPS, _GROUPS_ALONE)
    )
    if not there.figure < 1:
        return Said(alike if not here.figure < 1 else unknown, {"there": _UNKNOWN})
    figures: dict[str, int | str | Said] = {"there": points(there.figure), "here": points(here.figure)}
    if not here.figure < 1:
        return Said(alone, figures)
    return Said(alike if figures["there"] == figures["here"] else says, figures)


def _change_of_links(here: Aim, there: Aim) -> Said:
    """How many of ten are found, or where hardly any is, how many people it takes."""
    found = [round(10 * one.figure) for one in (here, there)]
    if any(found) and found[0] != found[1]:
        return Said(_FOUND, {"here": found[0], "there": found[1]})
    if there.needed is None:
        return Said(_NO_LINKS if here.needed else _NO_LINKS_ALIKE, {})
    needed: dict[str, int | str | Said] = {"there": format_count(there.needed)}
    if here.needed is None:
        return Said(_LINKS_ALONE, needed)
    needed["here"] = format_count(here.needed)
    return Said(_LINKS_ALIKE if needed["there"] == needed["here"] else _LINKS, needed)


def with_rivals(verdict: Verdict, design: Design, brief: Brief, share: float) -> Verdict:
    """The verdict on a design with when a plain question is better.

    `share`: how common an answer is thought to be. The brief has its items in the order of the design.

    >>> from privacy.design.brief import yes_no
    >>> from privacy.design.models import warner
    >>> brief = Brief(yes_no(1, 0.05), 800, Fraction(19), 1)
    >>> verdict = with_rivals(Verdict(800, False, Said("", {}), ()), warner(["item1"], theta=0.95), brief, 0.05)
    >>> str(verdict.limits[0])
    'If a quarter of them hide it, the plain question errs less below 450 people.'
    >>> verdict.plain.hide
    19
    """
    errors = errors_of_design(design, brief, worst=False).expected
    if brief.direct_share or not math.isfinite(errors[0]):
        return verdict
    lasting, biased = 0.0, bias_of(design, brief)
    if biased:
        crowd = replace(brief, respondents=MOST_RESPONDENTS)
        lasting = errors_of_design(design, crowd, worst=False).expected[0]
    fewer = _fewest(brief.respondents, share, errors[0], lasting)
    limits = () if fewer is None else (Said(_PLAIN_BELOW, {"fewer": format_count(roughly(fewer))}),)
    return replace(verdict, plain=compare_plain(brief.respondents, share, errors[0]), limits=limits)


def compare_plain(respondents: int, share: float, error: float) -> Plain:
    """When a plain question is the better one, beside a disguise that errs by so much.

    It is where it errs less although `HIDE` of those concerned hide the truth from it.

    >>> str(compare_plain(800, 0.05, 0.028).said[0])
    'With 800 people a plain question errs less, unless 56 of 100 of those concerned or more hide the truth from it.'
    """
    hide = _most_hiding(respondents, share, error)
    figures: dict[str, int | str | Said] = {"n": format_count(respondents)}
    if hide is None:
        return Plain(None, True, (Said(_PLAIN_ANYWAY, figures), Said(_HARMLESS, {})))
    of_100 = max(math.ceil(100 * hide - 1e-9), 1)
    return Plain(of_100, hide > HIDE, (Said(_PLAIN, {**figures, "hide": of_100}), Said(_HARMLESS, {})))


def _most_hiding(n: int, share: float, error: float) -> float | None:
    """How many may hide before a plain question errs as much; None where it errs less even if all do.

    With q = π(1 − h): q²(1 − 1/n) + q(1/n − 2π) + π² − error² = 0.
    """
    if error >= share:  # who says that nobody does it errs by π
        return None
    square, line, rest = 1 - 1 / n, 1 / n - 2 * share, share**2 - error**2
    root = max(line**2 - 4 * square * rest, 0.0)
    affirm = (-line - math.sqrt(root)) / (2 * square) if square else rest / -line
    return 1 - affirm / share


def _fewest(n: int, share: float, error: float, lasting: float) -> int | None:
    """The people from whom on this disguise errs less where `HIDE` of those concerned would hide; None where none is.

    What is not bias falls as 1/n in both.
    """
    affirm = share * (1 - HIDE)
    gained = (share * HIDE) ** 2 - lasting**2
    lost = (error**2 - lasting**2) * n - affirm * (1 - affirm)
    return max(math.ceil(lost / gained), 1) if gained > 0 else None
