"""Which own draw to take: among chances that people can really draw, by what they cost in people and in seconds.

A row of the table below makes blocks that people draw: a way, a source, and each split of its outcomes. What fits the
promise at its worst chances is judged as every design is: by the errors of patterns, and by the interval that a report
will print. There is a usual design for each number of questions, which asks for things that people have at hand; it is
recommended where it fits, and beside it is what needs the fewest people.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from privacy.design import Design
from privacy.design.brief import Brief
from privacy.errors import InputError
from privacy.guarantee import limit_in_words, outward, promise_as_json, round_up
from privacy.output import count_of, format_count, to_json_value
from privacy.own_draw.ready import draw_of, ready_draws
from privacy.plan.advice import best_designs, verdict_of
from privacy.plan.choice import DesignChoice
from privacy.plan.verdict import SHARES, Verdict, most_hiding
from privacy.result import DataFrame, Result, TextColumns, data_frame

MOST_TOGETHER = 4  # questions that people answer by one draw
_SHARE = 0.05  # of those concerned, where nobody guesses
_FACT, _FACTS = "mother", {"digit": "note"}  # examples, which the author replaces
_Row = tuple[str, str, int, int]
"""A way, a source, how many of its outcomes say the truth or are the fact, and of how many questions."""


@dataclass(frozen=True)
class OwnChoice(DesignChoice):
    """A block that people draw, with what it promises and costs; its family is its way, and it has no plan."""

    usual: bool = False

    @property
    def seconds(self) -> float:
        """How long the answers of a person take, which is an assumption."""
        draw = self.design.blocks[0].draw
        assert draw
        return draw.way.seconds(self.questions_per_person)

    @property
    def names(self) -> tuple[str, str, str]:
        """Its way, its source, and of how many outcomes the truth is said, or the fact holds."""
        draw = self.design.blocks[0].draw
        assert draw
        own = next(outcome for outcome in draw.drawn.outcomes if outcome.says in ("truth", "fact"))
        return draw.way.name, draw.drawn.source, f"{own.says}: {len(own.labels)} of {len(draw.drawn.labels)}"

    @property
    def hiding(self) -> float | None:
        """The share of those concerned who must hide from a plain question before this draw errs less; None: never."""
        (block,) = self.design.blocks
        assert block.draw
        numbers = block.draw.numbers(len(block.items))
        keep = float(numbers.keep)
        share = min((asked.expected[1] for asked in self.brief.questions if asked.expected), default=_SHARE)  # of yes
        seen = share * keep + float((1 - numbers.keep) * numbers.noise[0])
        people = round(self.brief.respondents * self.questions_per_person / len(block.items))
        return most_hiding(people, share, sqrt(seen * (1 - seen) / people) / keep)

    def to_json(self) -> dict[str, Any]:
        return {
            "usual": self.usual,
            "asked": self.questions_per_person,
            "seconds": self.seconds,
            **promise_as_json(self.design.gamma, self.design.odds),
            "expected": list(self.errors.expected),
            "worst": list(self.errors.worst),
            "design": self.design.to_json(),
        }


@dataclass(frozen=True, repr=False)
class OwnAdvice(Result):
    """Own draws under a γ, the best of each kind first; `candor.advise(..., by="person")` makes it."""

    brief: Brief
    choices: tuple[OwnChoice, ...]

    @property
    def choice(self) -> OwnChoice:
        """The usual design where it fits the promise, else the one with the least error."""
        return next((choice for choice in self.choices if choice.usual), self.choices[0])

    @property
    def design(self) -> Design:
        return self.choice.design

    @cached_property
    def verdict(self) -> Verdict:
        """What so many people will tell with the recommended design, and how many are enough."""
        return verdict_of(self.design, self.brief)

    @property
    def hiding(self) -> float | None:
        """How many of those concerned must hide from a plain question before the own draw errs less; None: never."""
        return self.choice.hiding

    def error(self, choice: OwnChoice) -> float:
        """The error of a choice for patterns up to the length wanted, as guessed or else at worst."""
        return choice.error(self.brief.length)

    def people(self, choice: OwnChoice) -> int | None:
        """How many people are enough for shares; None where no survey has so many."""
        aim = verdict_of(choice.design, self.brief).aim(SHARES)
        return aim.needed if aim else None

    @cached_property
    def people_by_device(self) -> int | None:
        """How many people are enough for shares where devices draw."""
        aim = best_designs(self.brief).verdict.aim(SHARES)
        return aim.needed if aim else None

    def contents(self) -> Iterator[str | TextColumns]:
        brief, chosen = self.brief, self.choice
        yield (
            f"{count_of(len(brief.questions), 'item')}, {count_of(brief.respondents, 'respondent')}, drawn by people:"
        )
        yield f"{limit_in_words(brief.gamma)} at the worst chances."
        yield ""
        headings = ["way", "source", "outcomes", "asked", "gamma", "seconds", "se", "people for shares"]
        yield TextColumns(headings, [self._row(choice) for choice in self.choices])
        yield ""
        yield from map(str, self.verdict.sentences())
        way, source, outcomes = chosen.names
        yield f"Recommended: {way} by {source} ({outcomes}), standard error {self.error(chosen):.4g}."
        if (here := self.people(chosen)) and self.people_by_device:
            yield f"Shares need {format_count(here)} people; {format_count(self.people_by_device)} where devices draw."
        yield "That people follow their draw is an assumption: ask a never-true question beside it, with its own draw."
        yield "Seconds are an assumption, five for each step. So is how far chances are off; intervals reach over it."

    def to_frame(self) -> DataFrame:
        """Return a row for each choice, the best first."""
        rows = [
            [
                *choice.names,
                choice.questions_per_person,
                outward(choice.design.odds),
                choice.seconds,
                self.error(choice),
                choice.usual,
            ]
            for choice in self.choices
        ]
        headings = ["way", "source", "outcomes", "asked", "gamma", "seconds", "se", "usual"]
        return data_frame(rows, columns=headings)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor advise --by person`."""
        brief = self.brief
        document = {
            "by": "person",
            "items": len(brief.questions),
            "respondents": brief.respondents,
            "gamma": outward(brief.gamma),
            "length": brief.length,
            "recommended": self.choice.to_json(),
            "choices": [{"error": self.error(choice), **choice.to_json()} for choice in self.choices],
            "verdict": self.verdict.to_json(),
            "hiding": self.hiding,
        }
        return to_json_value(document)

    def _row(self, choice: OwnChoice) -> list[object]:
        gamma = float(round_up(choice.design.odds, 4))
        error = float(f"{self.error(choice):.4g}")
        return [*choice.names, choice.questions_per_person, gamma, choice.seconds, error, self.people(choice)]


def own_draws(brief: Brief) -> OwnAdvice:
    """The own draws that keep the promise of a brief: the best of each way and source, and the usual one.

    >>> from fractions import Fraction
    >>> from privacy.design.brief import yes_no
    >>> advice = own_draws(Brief(yes_no(4, prevalence=0.05), 1_000, Fraction(19), 2))
    >>> advice.choice.names, round(float(advice.design.gamma), 2)
    (('unrelated', 'die', 'truth: 4 of 6'), 17.87)
    """
    for question in brief.questions:
        if not question.boolean:
            raise InputError(f"{question.id!r} has options; people draw for yes/no answers alone.")
    best: dict[tuple[str, str, bool], OwnChoice] = {}
    for row in _draws(brief):
        way, source, part, asked = row
        draw = draw_of(way, source, part, asked, _FACTS.get(source, _FACT))
        design = Design.parse({"direct": brief.direct_share > 0, "blocks": [_block(draw, asked, brief)]})
        if design.odds > brief.gamma:
            continue
        choice = OwnChoice(way, (), design, brief, _is_usual(row, brief))
        key = (way, source, choice.usual)
        if key not in best or _price_of(choice) < _price_of(best[key]):
            best[key] = choice
    if not best:
        raise InputError(
            f"gamma: at {float(brief.gamma):.10g} there is no draw with what people have at hand; allow a larger gamma."
        )
    return OwnAdvice(brief, tuple(sorted(best.values(), key=_price_of)))


def _price_of(choice: OwnChoice) -> tuple[float, float]:
    return float(f"{choice.error(choice.brief.length):.9g}"), choice.seconds


def _block(draw: dict[str, Any], ask: int, brief: Brief) -> dict[str, Any]:
    items = [{"id": question.id} for question in brief.questions]
    return {"by": "person", "draw": draw, "items": items} | ({"ask": ask} if ask < len(items) else {})


def _draws(brief: Brief) -> Iterator[_Row]:
    """Draws that people can make, by how many questions each is for."""
    most = _most_together(brief)
    if most == 1 or brief.length == 1:
        yield from ((way, "day", days, 1) for way in ("crosswise", "extended") for days in range(3, 15))
        yield from (("crosswise", "die", throws, 1) for throws in (1, 2))
        yield "forced", "die", 4, 1
    for asked in range(max(2, brief.length), most + 1):
        yield from (("unrelated", "die", throws, asked) for throws in range(1, 6))
        yield from (("unrelated", "digit", digits, asked) for digits in range(1, 10))


def _most_together(brief: Brief) -> int:
    return min(len(brief.questions), MOST_TOGETHER, brief.most_questions)


def _is_usual(row: _Row, brief: Brief) -> bool:
    """Whether it is the draw that is usual for so many questions, as the site takes it."""
    items, most = len(brief.questions), _most_together(brief)
    usual = next(iter(ready_draws(1 if most == 1 else items).values()))
    return row == (usual["draw_way"], usual["source"], usual["part"], min(most, usual.get("ask", items)))
