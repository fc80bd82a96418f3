"""The advice: which design to take under a promise, what others would cost, and what a wished error would need."""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from privacy.design import Design, arguments
from privacy.design.brief import Brief, check_count
from privacy.design.sentences import Said
from privacy.errors import InputError
from privacy.estimate.power import MOST
from privacy.guarantee import limit_in_words, outward, posterior_bound, round_up
from privacy.guarantee.forged import Forged, effects_of_forgery
from privacy.output import count_of, to_json_value
from privacy.plan.choice import (
    DesignChoice,
    ListFront,
    best_choice,
    best_of,
    by_effort,
    choices_with_bias,
    choose,
    choose_design,
    figures_of,
    front_of_lists,
    in_order,
)
from privacy.plan.connections import Connection, forecast
from privacy.plan.forecast import DesignForecast, connections_of
from privacy.plan.search import Candidate, best, search
from privacy.plan.verdict import PAIRS, SHARES, Verdict, gamma_of, judge, next_promises, say_promise
from privacy.result import DataFrame, Result, TextColumns, data_frame

FORESEEN = 20  # questions of which lists of other kinds are foreseen beside the advice
_MOST_GAMMA = 2.0**32


@dataclass(frozen=True, repr=False)
class TargetError(Result):
    """Whether a wished standard error is within reach, and what would reach it; `Advice.reach` makes it.

    `respondents` would do under this γ, `gamma` with the `expected` respondents; None: no γ would.
    """

    target: float
    error: float
    expected: int
    respondents: int
    gamma: float | None

    @property
    def reached(self) -> bool:
        return self.error <= self.target

    def contents(self) -> Iterator[str | TextColumns]:
        wished = f"A standard error of {self.target:g}"
        if self.reached:
            yield f"{wished} is within reach; {self.respondents} respondents would do."
            return
        gamma = "no gamma would" if self.gamma is None else f"so would gamma {float(round_up(self.gamma, 4)):g}"
        yield (
            f"{wished} is not possible with {self.expected} respondents under this gamma: "
            f"{self.respondents} respondents would do; {gamma} with {self.expected}."
        )

    def to_frame(self) -> DataFrame:
        """Return the one row of figures."""
        return data_frame([self.to_json()])

    def to_json(self) -> dict[str, Any]:
        names = ("target", "reached", "error", "respondents", "gamma")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """The designs with the smallest standard error under a γ; `candor.advise` makes it.

    `winners[l − 1]` is best for patterns up to length l; `choices` holds the best of every family, best first.

    `fewer` are the best designs that ask fewer questions than the winner, each worse than one that asks more;
    `recommended` is what `choose_design` takes of all; `unbiased` is the best without a bias.
    """

    brief: Brief
    winners: tuple[DesignChoice, ...]
    choices: tuple[DesignChoice, ...]
    fewer: tuple[DesignChoice, ...]
    recommended: DesignChoice
    unbiased: DesignChoice

    def error(self, choice: DesignChoice, length: int | None = None) -> float:
        """The error of a choice for patterns up to `length`, as guessed or else at worst: choices are judged by it."""
        return choice.error(length or self.brief.length)

    def figures(self, choice: DesignChoice) -> tuple[float, ...]:
        """What a choice is compared by, for patterns of each length: `privacy.plan.choice.figures_of`."""
        return figures_of(choice.design, (self.brief, *self.brief.ends))

    @property
    def design(self) -> Design:
        """The design that is recommended."""
        return self.recommended.design

    @property
    def connections(self) -> tuple[Connection, ...]:
        """How likely rules of two answers and of three are found with the recommended design."""
        return connections_of(self.design, self.brief)

    @cached_property
    def verdict(self) -> Verdict:
        """What so many people will tell with the recommended design, and how many are enough."""
        brief, chosen = self.brief, self.recommended

        @cache
        def plan_for(n: int) -> DesignForecast:
            there = replace(brief, respondents=n)
            return DesignForecast(choose_design(self.unbiased, there).design, there)

        made = verdict_of(chosen.design, brief, planned=plan_for if chosen.biased else None)
        return replace(made, promises=tuple(self._other_promises(made)))

    def _other_promises(self, here: Verdict) -> Iterator[Said]:
        """What the next stronger and the next weaker promise would change, with the best design for each."""
        for sure in next_promises(float(self.brief.gamma)):
            brief = replace(self.brief, gamma=gamma_of(sure))
            if here.stop and brief.gamma < self.brief.gamma:
                continue  # nobody wants less of nothing
            if self.recommended.biased:
                few = len(brief.questions) <= FORESEEN  # lists of groups of many take long to foresee
                choices = choices_with_bias(brief, brief.length, math.inf, None if few else self.recommended.family)
            else:
                found = by_effort(search(brief, float(brief.gamma), [self.recommended.plan]))
                best = choose(best_of(found, lambda one: one.errors.expected or one.errors.worst), brief)
                choices = [best] if best else []
            if choices:
                design = best_choice(choices, brief).design
                there = _judge(DesignForecast(design, brief), within=math.inf)  # nobody asks how many are enough
                yield say_promise(sure, here, there)

    @property
    def forged(self) -> tuple[Forged, ...]:
        """How far one forged response moves a figure of one answer, two and three, with the recommended design."""
        return tuple(effects_of_forgery(self.recommended.design, self.brief.respondents))

    @cached_property
    def front(self) -> ListFront:
        """Lists of words to choose from, where one is among the choices: single answers against pairs.

        Of each `settings` say what makes it, and `design` is the design with it.
        """
        usual = next((choice for choice in self.choices if choice.biased), None)
        if usual is None or self.brief.length != 2:
            return ListFront(())
        return front_of_lists(self.brief, usual.plan, (self.error(usual, 1), usual.errors.expected[1]))

    def reach(self, target: float) -> "TargetError":
        """Find the respondents, or the γ, for a wished standard error.

        Errors fall with the root of n, and with γ down to those of undisguised answers.

        Parameters
        ----------
        target : float
            The standard error, between 0 and 1.

        Returns
        -------
        TargetError
            How many respondents, or which γ, would do.

        Examples
        --------
        >>> import candor
        >>> reach = candor.advise(3, 1_000, 19).reach(0.02)
        >>> reach.reached, reach.respondents
        (False, 1305)
        """
        target = arguments.number(target, "target")
        if not 0 < target < 1:
            raise InputError(f"target: {target:g} is not a standard error between 0 and 1.")
        brief, error = self.brief, self.error(self.winners[-1])
        if error / target > math.sqrt(MOST / brief.respondents):
            raise InputError(f"target: {target:g} would need more than {MOST} respondents.")
        respondents = self._needed(target)
        if error <= target:
            return TargetError(target, error, brief.respondents, respondents, outward(brief.gamma))

        def reaches(limit: float) -> bool:
            plans = [choice.plan for choice in self.winners]
            winner = best(search(brief, limit, plans), brief, brief.length)
            return winner.errors.up_to(brief.length, brief.has_expectations) <= target

        low, high = float(brief.gamma), _MOST_GAMMA
        if not reaches(high):
            return TargetError(target, error, brief.respondents, respondents, None)
        while high > 1.01 * low:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return TargetError(target, error, brief.respondents, respondents, high)

    def _needed(self, target: float) -> int:
        """How many respondents reach the error `target`; bias stays, so a biased design is made for each number."""
        brief = self.brief
        unbiased = min(self.error(choice) for choice in (*self.winners, *self.choices) if not choice.biased)
        needed = math.ceil(brief.respondents * (unbiased / target) ** 2)
        if not self.winners[-1].biased:
            return needed

        def reaches(respondents: int) -> bool:
            best = unbiased * math.sqrt(brief.respondents / respondents)
            made = choices_with_bias(replace(brief, respondents=respondents), brief.length, best)
            return min(map(self.error, made), default=best) <= target

        low, high = 0, needed
        while high > low + 1 + low // 100:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return high

    def contents(self) -> Iterator[str | TextColumns]:
        brief = self.brief
        lengths = range(1, brief.length + 1)
        bound = float(round_up(100 * posterior_bound(0.05, brief.gamma), 6))
        headings = ["design", "blocks", "asked", "gamma", *(f"se, up to {length}" for length in lengths)]
        if brief.has_expectations:
            headings.append("at worst")
        compared = (
            [f"compared by, {length}" for length in lengths] if any(choice.biased for choice in self.choices) else []
        )
        judged = (
            "for the prevalences given, items independent" if brief.has_expectations else "at worst, whatever is true"
        )
        yield (
            f"{count_of(len(brief.questions), 'item')}, {count_of(brief.respondents, 'respondent')}, "
            f"{limit_in_words(brief.gamma)}: what was"
        )
        yield f"thought 5 % likely becomes at most {bound:g} % likely. Standard errors of supports {judged}."
        yield ""
        yield "Best for patterns up to each length"
        best = [[length, *self._row(won)] for length, won in zip(lengths, self.winners, strict=True)]
        yield TextColumns(["length", *headings], best)
        yield ""
        yield f"Best of every kind, for patterns up to {brief.length}"
        rows = [
            [*self._row(choice), *(float(f"{figure:.4g}") for figure in self.figures(choice)[: len(compared)])]
            for choice in self.choices
        ]
        yield TextColumns([*headings, *compared], rows)
        yield ""
        yield from (*self.front.contents(), *([""] if self.front.lists else []))
        if self.fewer:
            yield "Asking fewer questions"
            yield TextColumns(headings, [self._row(choice) for choice in self.fewer])
            yield ""
        chosen, winner = self.recommended, self.winners[-1]
        asked = f"{chosen.questions_per_person} of {len(brief.questions)} questions asked"
        beside = "" if chosen == winner else f" ({self.error(winner):.4g} with {winner.questions_per_person})"
        kind = "root mean square error" if chosen.biased else "standard error"
        yield from map(str, self.verdict.sentences())
        yield f"Recommended: {chosen.family}, {asked}, {kind} {self.error(chosen):.4g}{beside}."
        if chosen.biased:
            yield from chosen.biased.contents()
        yield from forecast(self.connections, brief.respondents)
        yield ""
        yield "What one forged response moves a figure by, at most"
        rows = [[one.length, one.shift, one.needed(0.05) if 0 < one.shift < math.inf else None] for one in self.forged]
        yield TextColumns(["answers", "moved by", "forged for 5 points"], rows)

    def to_frame(self) -> DataFrame:
        """Return a row for the best design of every kind, the best first."""
        lengths = range(1, self.brief.length + 1)
        rows = [
            [choice.family, len(choice.design.blocks), choice.questions_per_person, outward(choice.gamma)]
            + [self.error(choice, length) for length in lengths]
            for choice in self.choices
        ]
        headings = ["family", "blocks", "asked", "gamma", *(f"se_{length}" for length in lengths)]
        return data_frame(rows, columns=headings)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor advise`."""
        brief = self.brief
        document = {
            "items": len(brief.questions),
            "respondents": brief.respondents,
            "direct_share": brief.direct_share,
            "gamma": outward(brief.gamma),
            "length": brief.length,
            "judged_by": "expected" if brief.has_expectations else "worst",
            "recommended": self.recommended.to_json(),
            "winners": [
                {"length": length, "error": self.error(choice, length), **choice.to_json()}
                for length, choice in enumerate(self.winners, start=1)
            ],
            "choices": [
                {"error": self.error(choice), "figures": list(self.figures(choice)), **choice.to_json()}
                for choice in self.choices
            ],
            "fewer": [{"error": self.error(choice), **choice.to_json()} for choice in self.fewer],
            "verdict": self.verdict.to_json(),
            "connections": [connection.to_json() for connection in self.connections],
            "forged": [{"length": one.length, "shift": one.shift} for one in self.forged],
            **({"front": self.front.to_json()} if self.front.lists else {}),
        }
        return to_json_value(document)

    def _row(self, choice: DesignChoice) -> list[object]:
        brief = self.brief
        figures = [self.error(choice, length) for length in range(1, brief.length + 1)]
        if brief.has_expectations:
            figures.append(choice.errors.up_to(brief.length, guessed=False))
        cells = [float(f"{figure:.4g}") for figure in figures]
        gamma = float(round_up(choice.design.odds, 6))
        return [choice.family, len(choice.design.blocks), choice.questions_per_person, gamma, *cells]


def verdict_of(design: Design, brief: Brief, planned: Callable[[int], DesignForecast] | None = None) -> Verdict:
    """What the people of a brief will tell with a design, how many are enough, and what a wrong guess changes.

    Without a guess there is nothing to hold beside a plain question.
    """
    now = DesignForecast(design, brief)
    ends, wrong = ([DesignForecast(design, one).side[::-1] for one in some] for some in (brief.ends, brief.wrong))
    disguise = (design, in_order(brief, design), now.side[1]) if brief.has_expectations else None
    return _judge(now, ends=ends, wrong=wrong, planned=planned, disguise=disguise)


def _judge(now: DesignForecast, **more: Any) -> Verdict:
    """The same of the guess alone."""
    return judge(now, [SHARES, PAIRS] if now.brief.length > 1 else [SHARES], common=now.side[1], **more)


def best_designs(brief: Brief) -> Advice:
    """The designs with the smallest standard error under the γ of the brief, and the one that is recommended.

    `privacy.plan.choice.best_of` recommends it, of all that are best of their kind, for any number of questions asked,
    and at either end of the range of the guesses.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> brief = Brief(yes_no(3, prevalence=0.3), respondents=1_000, gamma=Fraction(9), length=1)
    >>> advice = best_designs(brief)
    >>> advice.recommended.questions_per_person, round(advice.error(advice.recommended), 4)
    (2, 0.028)
    """
    made = _best_designs(brief)
    unbiased = [made.unbiased]
    for end in brief.ends:
        with suppress(InputError):
            unbiased.append(_best_designs(end).unbiased)
    best = best_choice(by_effort(unbiased), brief)
    recommended = choose_design(best, brief)
    choices = made.choices
    if all(choice.family != recommended.family for choice in choices):
        choices = tuple(sorted((*choices, recommended), key=made.error))
    return replace(made, recommended=recommended, choices=choices, unbiased=best)


def _best_designs(brief: Brief) -> Advice:
    check_count(brief)
    candidates = search(brief, float(brief.gamma))
    lengths = range(1, brief.length + 1)
    kinds = [
        _choices((candidate for candidate in candidates if candidate.family == family), brief)
        for family in dict.fromkeys(candidate.family for candidate in candidates)
    ]
    counts = [
        _choices((candidate for candidate in candidates if candidate.questions_per_person == count), brief)
        for count in sorted({candidate.questions_per_person for candidate in candidates})
    ]
    # Candidates were compared by rough errors; from here on the exact ones decide.
    weighed = [choice for group in (*kinds, *counts) for choice in group]
    unbiased = best_choice(by_effort({one.design: one for one in weighed}.values()), brief)
    winners = tuple(_winner(weighed, brief, length) for length in lengths)
    biased = {at: choices_with_bias(brief, at, won.error(at))[:1] for at, won in enumerate(winners, 1)}
    weighed += [choice for group in biased.values() for choice in group]
    winners = tuple(_winner(weighed, brief, length) for length in lengths)
    kinds.append(biased[brief.length])

    def error(choice: DesignChoice) -> float:
        return choice.error(brief.length)

    choices = tuple(sorted((group[-1] for group in kinds if group), key=error))
    fewer: list[DesignChoice] = []
    for choice in (group[-1] for group in counts if group):
        if choice.questions_per_person < winners[-1].questions_per_person and error(choice) < min(
            map(error, fewer), default=math.inf
        ):
            fewer.append(choice)
    return Advice(brief, winners, choices, tuple(fewer), winners[-1], unbiased)


def _choices(candidates: Iterable[Candidate], brief: Brief) -> list[DesignChoice]:
    """The best candidate for patterns up to each length, the longest last, that can be written in steps of 2^-32."""
    some = list(candidates)
    choices = [choose(best(some, brief, length), brief) for length in range(1, brief.length + 1)]
    return [choice for choice in choices if choice is not None]


def _winner(choices: list[DesignChoice], brief: Brief, length: int) -> DesignChoice:
    """The choice with the least error for patterns up to `length`; refused where no choice estimates them."""

    def order(choice: DesignChoice) -> tuple[float, int, int]:
        return round(choice.error(length), 12), choice.questions_per_person, len(choice.design.blocks)

    winner = min(choices, key=order, default=None)
    if winner is None or not math.isfinite(winner.error(length)):
        raise InputError(
            f"gamma: at {float(brief.gamma):.10g} no design estimates patterns of {length} among "
            f"{len(brief.questions)} items; allow a larger gamma, or ask for fewer items."
        )
    return winner
