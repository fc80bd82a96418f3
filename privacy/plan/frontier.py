"""The frontier: the smallest standard error that each γ allows, as data and as a chart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from privacy.design.blocks import SIMPLE
from privacy.design.brief import Brief
from privacy.design.plans import Plan
from privacy.draw.chart import Axis, Line, Mark, chart
from privacy.guarantee import outward, round_up
from privacy.output import to_json_value
from privacy.plan.search import KNOWN, best, search
from privacy.result import DataFrame, Result, TextColumns, data_frame

GAMMAS = (1.5, 2.0, 3.0, 5.0, 9.0, 19.0, 40.0, 100.0, 300.0, 1000.0)


@dataclass(frozen=True)
class FrontierPoint:
    """Under one γ: the least error up to each length, what wins for the longest, and what simple designs cost."""

    gamma: float
    errors: tuple[float, ...]
    family: str
    asked: int
    simple: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        own = {"gamma": self.gamma, "errors": list(self.errors), "family": self.family, "asked": self.asked}
        return {**own, **self.simple}


@dataclass(frozen=True, repr=False)
class Frontier(Result):
    """γ against the smallest standard error it allows; `Advice.frontier` makes it."""

    brief: Brief
    points: tuple[FrontierPoint, ...]

    @property
    def _lengths(self) -> range:
        return range(1, self.brief.length + 1)

    def contents(self) -> Iterator[str | TextColumns]:
        rows = [
            [float(round_up(point.gamma, 6)), *point.errors, point.family, point.asked, *point.simple.values()]
            for point in self.points
        ]
        yield "Gamma against standard error"
        columns = ["gamma", *(f"se, up to {length}" for length in self._lengths), "design", "asked"]
        yield TextColumns([*columns, *(key.replace("_", " ") for key in SIMPLE)], rows)

    def picture(self) -> str:
        """γ against standard error, both on logarithmic axes."""
        brief, points = self.brief, self.points
        gammas = [point.gamma for point in points]
        lines = [
            Line(_name_of_length(length), gammas, [point.errors[length - 1] for point in points], markers=True)
            for length in self._lengths
        ]
        longest = f" ({_name_of_length(brief.length)})" if brief.length > 1 else ""
        lines += [
            Line(f"{family}{longest}", gammas, [point.simple[key] for point in points])
            for key, family in SIMPLE.items()
        ]
        judged = "as expected" if brief.has_expectations else "whatever the truth"
        said = "; ".join(
            f"γ {float(round_up(point.gamma, 3)):g}: {point.errors[-1]:.3g} with {point.family}" for point in points
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

    def to_frame(self) -> DataFrame:
        """Return a row for each γ."""
        rows = [point.to_json() for point in self.points]
        errors = {f"se_{length}": [row["errors"][length - 1] for row in rows] for length in self._lengths}
        return data_frame(rows).drop(columns="errors").assign(**errors)

    def to_json(self) -> list[dict[str, Any]]:
        return to_json_value([point.to_json() for point in self.points])


def frontier(brief: Brief, known: Mapping[Plan, str], gammas: Sequence[float] = GAMMAS) -> Frontier:
    """The smallest errors under each of these γ and under that of the brief, in rising order.

    `known`: plans that are tried under every γ, with the family of each.
    """
    every = sorted({*gammas, outward(brief.gamma)})
    return Frontier(brief, tuple(_point(brief, known, gamma) for gamma in every))


def _point(brief: Brief, known: Mapping[Plan, str], gamma: float) -> FrontierPoint:
    """Search for the best plans under one γ, and for the errors of simple designs under it."""
    candidates = search(brief, gamma, thorough=False, known=known)
    errors = tuple(
        best(candidates, brief, length).errors.up_to(length, brief.has_expectations)
        for length in range(1, brief.length + 1)
    )
    winner = best(candidates, brief, brief.length)
    named = dict(known) | {one.plan: one.family for one in candidates if one.family != KNOWN}

    def best_error(family: str) -> float:
        return min(
            (one.errors.up_to(brief.length, brief.has_expectations) for one in candidates if one.family == family),
            default=float("inf"),
        )

    simple = {key: best_error(family) for key, family in SIMPLE.items()}
    return FrontierPoint(gamma, errors, named[winner.plan], winner.questions_per_person, simple)


def _name_of_length(length: int) -> str:
    return {1: "one item", 2: "pairs", 3: "triples"}.get(length, f"patterns of {length}")
