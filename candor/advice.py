"""Which design to take: the smallest error under a promise, before anyone is asked."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, overload

from privacy import plan as core
from privacy.design import Design, arguments
from privacy.design.blocks import SIMPLE
from privacy.errors import InputError
from privacy.guarantee import outward, posterior_bound, rounded_up
from privacy.guarantee.forged import Forged, forged
from privacy.output import counted, strict
from privacy.plan.connections import Connection, connections, expects_none, roughly
from privacy.plan.questionnaire import Questionnaire, plan_questionnaire
from privacy.plan.questions import question
from privacy.result import Result, TextColumns

if TYPE_CHECKING:
    from fractions import Fraction

    import pandas as pd


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """The designs with the smallest standard error under a γ; `candor.advise` makes it."""

    advice: core.Advice

    @property
    def design(self) -> Design:
        """The design that is recommended."""
        return self.advice.recommended.design

    @property
    def connections(self) -> tuple[Connection, ...]:
        """How likely rules of two answers and of three are found with the recommended design."""
        brief = self.advice.brief
        shares = {one.id: one.expected for one in brief.questions if one.expected is not None}
        return connections(
            self.advice.recommended.design, brief.respondents, shares=shares, direct_share=brief.direct_share
        )

    @property
    def forged(self) -> tuple[Forged, ...]:
        """How far one forged response moves a figure of one answer, two and three, with the recommended design."""
        return tuple(forged(self.advice.recommended.design, self.advice.brief.respondents))

    def reach(self, target: float) -> "Reach":
        """Find what a wished standard error needs.

        Parameters
        ----------
        target : float
            The standard error, between 0 and 1.

        Returns
        -------
        Reach
            How many respondents, or which γ, would do.

        Examples
        --------
        >>> import candor
        >>> reach = candor.advise(3, 1_000, 19).reach(0.02)
        >>> reach.reached, reach.respondents
        (False, 1305)
        """
        return Reach(core.reach(self.advice, arguments.number(target, "target")), self.advice)

    def frontier(self) -> "Frontier":
        """Find the smallest standard error under each of several γ.

        Returns
        -------
        Frontier
        """
        return Frontier(core.frontier(self.advice), self.advice)

    def contents(self) -> Iterator[str | TextColumns]:
        advice, brief = self.advice, self.advice.brief
        lengths = range(1, brief.length + 1)
        limit = float(rounded_up(brief.gamma, 6))
        bound = float(rounded_up(100 * posterior_bound(0.05, brief.gamma), 6))
        promise = "odds" if brief.promise else "gamma"
        headings = ["design", "blocks", "asked", promise, *(f"se, up to {length}" for length in lengths)]
        if brief.guessed:
            headings.append("at worst")
        judged = "for the prevalences given, items independent" if brief.guessed else "at worst, whatever is true"
        yield (
            f"{counted(len(brief.questions), 'item')}, {counted(brief.respondents, 'respondent')}, "
            f"{promise} at most {limit:g}: what was thought 5 % likely"
        )
        yield f"becomes at most {bound:g} % likely. Standard errors of supports {judged}."
        yield ""
        yield "Best for patterns up to each length"
        best = [[length, *self._row(won)] for length, won in zip(lengths, advice.winners, strict=True)]
        yield TextColumns(["length", *headings], best)
        yield ""
        yield f"Best of every kind, for patterns up to {brief.length}"
        yield TextColumns(headings, [self._row(choice) for choice in advice.choices])
        yield ""
        if advice.fewer:
            yield "Asking fewer questions"
            yield TextColumns(headings, [self._row(choice) for choice in advice.fewer])
            yield ""
        chosen, winner = advice.recommended, advice.winners[-1]
        asked = f"{chosen.asked} of {len(brief.questions)} questions asked"
        beside = "" if chosen == winner else f" ({advice.error(winner):.4g} with {winner.asked})"
        yield f"Recommended: {chosen.family}, {asked}, standard error {advice.error(chosen):.4g}{beside}."
        yield from text_of(self.connections, brief.respondents)
        yield ""
        yield "What one forged response moves a figure by, at most"
        rows = [[one.length, one.shift, one.needed(0.05) if 0 < one.shift < math.inf else None] for one in self.forged]
        yield TextColumns(["answers", "moved by", "forged for 5 points"], rows)

    def picture(self) -> str:
        """γ against standard error."""
        return self.frontier().picture()

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for the best design of every kind, the best first."""
        import pandas as pd

        lengths = range(1, self.advice.brief.length + 1)
        rows = [
            [choice.family, len(choice.design.blocks), choice.asked, outward(choice.gamma)]
            + [self.advice.error(choice, length) for length in lengths]
            for choice in self.advice.choices
        ]
        headings = ["family", "blocks", "asked", "gamma", *(f"se_{length}" for length in lengths)]
        return pd.DataFrame(rows, columns=headings)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor advise`."""
        connections = [one.to_json() for one in self.connections]
        band = [{"length": one.length, "shift": one.shift} for one in self.forged]
        return strict(self.advice.to_json() | {"connections": connections, "forged": band})

    def _row(self, choice: core.Choice) -> list[object]:
        brief = self.advice.brief
        figures = [self.advice.error(choice, length) for length in range(1, brief.length + 1)]
        if brief.guessed:
            figures.append(choice.errors.up_to(brief.length, guessed=False))
        cells = [float(f"{figure:.4g}") for figure in figures]
        return [
            choice.family,
            len(choice.design.blocks),
            choice.asked,
            float(rounded_up(choice.design.odds, 6)),
            *cells,
        ]


def text_of(connections: Sequence[Connection], respondents: int) -> Iterator[str | TextColumns]:
    """Whether rules are to be expected, and how many respondents they take."""
    if not connections:
        return
    yield ""
    if expects_none(connections):
        enough = [one.needed for one in connections if one.needed is not None]
        needed = f"; about {roughly(min(enough))} respondents would be needed" if enough else ""
        yield f"Expect no rules from {respondents} respondents{needed}."
        yield ""
    yield "How likely a rule of medium strength is found (correlation .3 of its sides, q at most .05)"
    columns = ["answers", "share among those", "among all", "found", "respondents for 80 %"]
    rows = [[one.length, one.among_those, one.among_all, one.chance, one.needed] for one in connections]
    yield TextColumns(
        columns, [[cell if not isinstance(cell, float) else float(f"{cell:.3g}") for cell in row] for row in rows]
    )


@dataclass(frozen=True, repr=False)
class Reach(Result):
    """Whether a wished standard error is within reach, and what would reach it."""

    reach: core.Reach
    advice: core.Advice

    @property
    def reached(self) -> bool:
        return self.reach.reached

    @property
    def respondents(self) -> int:
        """How many respondents would reach it under this γ."""
        return self.reach.respondents

    @property
    def gamma(self) -> float | None:
        """The γ that would reach it with these respondents; None where none would."""
        return self.reach.gamma

    def contents(self) -> Iterator[str | TextColumns]:
        n, wished = self.advice.brief.respondents, f"A standard error of {self.reach.target:g}"
        if self.reached:
            yield f"{wished} is within reach; {self.respondents} respondents would do."
            return
        gamma = "no gamma would" if self.gamma is None else f"so would gamma {float(rounded_up(self.gamma, 4)):g}"
        yield (
            f"{wished} is out of reach of {n} respondents under this gamma: "
            f"{self.respondents} respondents would do; {gamma} with {n}."
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return the one row of figures."""
        import pandas as pd

        return pd.DataFrame([self.to_json()])

    def to_json(self) -> dict[str, Any]:
        return self.reach.to_json()


@dataclass(frozen=True, repr=False)
class Frontier(Result):
    """γ against the smallest standard error it allows."""

    points: tuple[core.Point, ...]
    advice: core.Advice

    def contents(self) -> Iterator[str | TextColumns]:
        lengths = range(1, self.advice.brief.length + 1)
        rows = [
            [
                float(rounded_up(point.gamma, 6)),
                *point.errors,
                point.family,
                point.asked,
                *point.simple.values(),
            ]
            for point in self.points
        ]
        yield "Gamma against standard error"
        columns = ["gamma", *(f"se, up to {length}" for length in lengths), "design", "asked"]
        yield TextColumns([*columns, *(key.replace("_", " ") for key in SIMPLE)], rows)

    def picture(self) -> str:
        """γ against standard error, both on logarithmic axes."""
        return core.frontier_chart(self.advice, self.points)

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each γ."""
        import pandas as pd

        rows = [point.to_json() for point in self.points]
        errors = {f"se_{length}": [row["errors"][length - 1] for row in rows] for length in self._lengths()}
        frame = pd.DataFrame(rows).drop(columns="errors")
        return frame.assign(**errors)

    def to_json(self) -> list[dict[str, Any]]:
        return strict([point.to_json() for point in self.points])

    def _lengths(self) -> range:
        return range(1, self.advice.brief.length + 1)


@overload
def advise(
    items: "int | Sequence[str] | Mapping[str, Sequence[str]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    prevalence: float | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    one_sided: bool = False,
) -> Advice: ...


@overload
def advise(
    items: "Mapping[str, Sequence[str] | Mapping[str, Any]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    direct_share: float = 0.0,
) -> Advice | Questionnaire: ...


def advise(
    items: "int | Sequence[str] | Mapping[str, Sequence[str]] | Mapping[str, Sequence[str] | Mapping[str, Any]]",
    respondents: int,
    gamma: "float | Fraction",
    *,
    length: int | None = None,
    prevalence: float | None = None,
    direct_share: float = 0.0,
    most_asked: int | None = None,
    one_sided: bool = False,
) -> Advice | Questionnaire:
    """Find the design with the smallest standard error under a γ, before anyone is asked.

    Parameters
    ----------
    items : int, sequence of str, or mapping of str to sequence of str or to mapping
        How many yes/no items, their names, or names with the options of each. A number has `{"min": 0, "max": 99}`
        in place of options, and perhaps `step`; a place `width`, `height`, `cell` and perhaps `zones`.
    respondents : int
        How many are expected to answer.
    gamma : float or Fraction
        The largest γ of a whole record; 19 lets a belief go from 5 % to 50 % at most.
    length : int, optional
        The longest pattern wanted; 2, or 1 where there is one item.
    prevalence : float, optional
        A guess of the share of yes, for yes/no items. Without it designs are judged by their worst error.
    direct_share : float
        The share that will answer directly.
    most_asked : int, optional
        The most questions that one person may be asked.
    one_sided : bool
        Whether to protect only the yes of yes/no items: a no is harmless and is not hidden, and `gamma` is then the
        most that the odds of the yes can grow.

    Returns
    -------
    Advice or Questionnaire
        A questionnaire where there are numbers or places: the proposal of the studio.

    Raises
    ------
    InputError
        Where no design fits the promise, or the promise is none.

    Examples
    --------
    >>> import candor
    >>> advice = candor.advise(items=10, respondents=10_000, gamma=19)
    >>> advice.to_frame().head(2).round(4)
                         family  blocks  asked  gamma    se_1    se_2
    0         sampled, one coin       1      4   19.0  0.0149  0.0181
    1  flips by radius, sampled       1      4   19.0  0.0149  0.0181
    >>> advice.design.guarantee().gamma <= 19
    True
    >>> advice.reach(0.02).respondents
    8234
    >>> candor.advise(items=2, respondents=10_000, gamma=19, one_sided=True).design.guarantee().odds <= 19
    True
    >>> candor.advise({"drugs": ["no", "yes"], "age": {"min": 0, "max": 99}}, 10_000, 19).to_frame()
       items  asked                              disguise
    0  drugs      1                     keep 0.4939709315
    1    age      1  number square-wave, epsilon 1.861839
    """
    one_sided = arguments.flag(one_sided, "one_sided")
    if isinstance(items, Mapping) and any(isinstance(entry, Mapping) for entry in items.values()):
        beside = {"prevalence": prevalence, "most_asked": most_asked, "one_sided": one_sided}
        return make_plan(items, respondents, gamma, length, direct_share, beside)
    promise = "one_sided" if one_sided else ""
    questions = core.marked(questions_of(items, prevalence), promise)
    brief = core.Brief(
        questions,
        arguments.whole(respondents, "respondents"),
        arguments.exact_number(gamma, "gamma"),
        min(2, len(questions)) if length is None else arguments.whole(length, "length"),
        arguments.number(direct_share, "direct_share"),
        None if most_asked is None else arguments.whole(most_asked, "most_asked"),
        promise,
    )
    return Advice(core.advise(brief))


def questions_of(
    items: int | Sequence[str] | Mapping[str, Any], prevalence: float | None
) -> tuple[core.ExpectedItem, ...]:
    """What a design is looked for, of so many yes/no items, of their names, or of names with options."""
    if isinstance(items, Mapping):
        return tuple(
            core.ExpectedItem(arguments.text(name, "items"), tuple(arguments.texts(options, f"items[{name!r}]")))
            for name, options in items.items()
        )
    guess = None if prevalence is None else arguments.number(prevalence, "prevalence")
    if isinstance(items, Integral):
        return core.yes_no(arguments.whole(items, "items"), guess)
    names = arguments.texts(items, "items")
    like = core.yes_no(len(names), guess)
    return tuple(core.ExpectedItem(name, one.options, one.expected) for name, one in zip(names, like, strict=True))


def make_plan(
    items: Mapping[str, Any],
    respondents: int,
    gamma: "float | Fraction",
    length: int | None,
    direct_share: float,
    beside: Mapping[str, Any],
) -> Questionnaire:
    """The plan for these items; what is asked `beside` is not worked out where there are numbers or places."""
    if given := next((name for name, value in beside.items() if value), None):
        raise InputError(f"{given} is not worked out where questions have numbers or places.")
    questions = [
        question({"id": arguments.text(name, "items"), **_entry(name, entry)}, f"items[{name!r}]")
        for name, entry in items.items()
    ]
    return plan_questionnaire(
        questions,
        arguments.whole(respondents, "respondents"),
        arguments.exact_number(gamma, "gamma"),
        min(2, len(questions)) if length is None else arguments.whole(length, "length"),
        arguments.number(direct_share, "direct_share"),
    )


def _entry(name: str, entry: Any) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"options": list(arguments.texts(entry, f"items[{name!r}]"))}
