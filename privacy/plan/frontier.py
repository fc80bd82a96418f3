"""The frontier: the smallest standard error that each γ allows, as data and as a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.design.blocks import SIMPLE
from privacy.draw.chart import Axis, Line, Mark, chart
from privacy.guarantee import outward, rounded_up
from privacy.plan.advice import Advice
from privacy.plan.search import KNOWN, best, search

GAMMAS = (1.5, 2.0, 3.0, 5.0, 9.0, 19.0, 40.0, 100.0, 300.0, 1000.0)


@dataclass(frozen=True)
class Point:
    """Under one γ: the least error up to each length, what wins for the longest, and what simple designs cost."""

    gamma: float
    errors: tuple[float, ...]
    family: str
    asked: int
    simple: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {
            "gamma": self.gamma,
            "errors": list(self.errors),
            "family": self.family,
            "asked": self.asked,
            **self.simple,
        }


def frontier(advice: Advice, gammas: Sequence[float] = GAMMAS) -> tuple[Point, ...]:
    """The points for these γ and for the γ of the advice.

    `gammas`: other γ to look at. Returns one for each γ, in rising order: the smallest errors, and the kind of design
    that has them.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import Brief
    >>> from privacy.plan.advice import advise
    >>> from privacy.design.brief import yes_no
    >>> brief = Brief(yes_no(3, prevalence=0.3), respondents=1_000, gamma=Fraction(9), length=1)
    >>> [(point.gamma, point.asked) for point in frontier(advise(brief), [19.0])]
    [(9.0, 2), (19.0, 3)]
    """
    brief = advice.brief
    asked = outward(brief.gamma)
    return tuple(_point(advice, gamma) for gamma in sorted({*gammas, asked}))


def frontier_chart(advice: Advice, points: Sequence[Point]) -> str:
    """γ against standard error, both on logarithmic axes.

    `points`: what `frontier` returned.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import Brief
    >>> from privacy.plan.advice import advise
    >>> from privacy.design.brief import yes_no
    >>> brief = Brief(yes_no(3, prevalence=0.3), respondents=1_000, gamma=Fraction(9), length=1)
    >>> advice = advise(brief)
    >>> frontier_chart(advice, frontier(advice, [19.0]))[:4]
    '<svg'
    """
    brief = advice.brief
    gammas = [point.gamma for point in points]
    lengths = range(1, brief.length + 1)
    lines = [
        Line(_named(length), gammas, [point.errors[length - 1] for point in points], markers=True) for length in lengths
    ]
    longest = f" ({_named(brief.length)})" if brief.length > 1 else ""
    lines += [
        Line(f"{family}{longest}", gammas, [point.simple[key] for point in points]) for key, family in SIMPLE.items()
    ]
    judged = "as expected" if brief.guessed else "whatever the truth"
    said = "; ".join(
        f"γ {float(rounded_up(point.gamma, 3)):g}: {point.errors[-1]:.3g} with {point.family}" for point in points
    )
    return chart(
        f"Privacy against accuracy: {len(brief.questions)} items, {brief.respondents} respondents",
        lines,
        Axis("γ of the whole record", log=True),
        Axis(f"standard error of a support, {judged}", log=True),
        description=f"The smallest standard error under each γ. {said}.",
        marks=[Mark("asked", x=outward(brief.gamma))],
        height=420,
    )


def _point(advice: Advice, gamma: float) -> Point:
    brief = advice.brief
    candidates = search(brief, gamma, thorough=False, known=[choice.plan for choice in advice.winners])
    errors = tuple(
        best(candidates, brief, length).errors.up_to(length, brief.guessed) for length in range(1, brief.length + 1)
    )
    winner = best(candidates, brief, brief.length)
    named = {choice.plan: choice.family for choice in advice.winners}
    named |= {one.plan: one.family for one in candidates if one.family != KNOWN}

    def of(family: str) -> float:
        return min(
            (one.errors.up_to(brief.length, brief.guessed) for one in candidates if one.family == family),
            default=float("inf"),
        )

    simple = {key: of(family) for key, family in SIMPLE.items()}
    return Point(gamma, errors, named[winner.plan], winner.asked, simple)


def _named(length: int) -> str:
    return {1: "one item", 2: "pairs", 3: "triples"}.get(length, f"patterns of {length}")
