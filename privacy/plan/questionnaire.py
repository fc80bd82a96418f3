"""The plan for a questionnaire that also has numbers and places: the proposal of the studio, as a design.

The advisor deals items with options to blocks. Numbers and places have a block each, and ln γ is given to all blocks so
that the worst figure is as small as can be (`privacy.plan.proposal`, which the studio asks as well).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any

from privacy.design import Design, blocks
from privacy.design.brief import ExpectedItem, Topic, check_expected
from privacy.design.notation import DECIMAL
from privacy.design.recipes import Recipe, Values
from privacy.errors import InputError
from privacy.guarantee import outward, promise_as_json, round_up
from privacy.output import count_of, to_json_value
from privacy.plan.proposal import propose
from privacy.result import DataFrame, Result, TextColumns, data_frame


@dataclass(frozen=True)
class GridItem:
    """A number or a place of the future design: the recipe of the block that takes it, and its item there as JSON."""

    id: str
    recipe: str
    item: str

    @property
    def with_options(self) -> tuple[ExpectedItem, ...]:
        """Return nothing: a number or a place has no options."""
        return ()

    @property
    def topic(self) -> Topic:
        """What a proposal needs to know about it."""
        return Topic(recipe=self.recipe, grid=self.item)

    def entry(self, recipe: Recipe, settings: Values) -> dict[str, Any]:
        """The item in the JSON of a design, in a block of its recipe."""
        return {"id": self.id, **json.loads(self.item)}


@dataclass(frozen=True, repr=False)
class Questionnaire(Result):
    """A design for all questions, with the worst standard error of its figures; `candor.advise` makes it.

    Those are shares of patterns up to `length`, and of a number or a place the share of people in one half of it.
    """

    design: Design
    gamma: Fraction
    respondents: int
    length: int
    error: float
    asked: int

    def contents(self) -> Iterator[str | TextColumns]:
        items, people = count_of(len(self.design.items), "item"), count_of(self.respondents, "respondent")
        limit, reached = (float(round_up(value, 6)) for value in (self.gamma, self.design.odds))
        yield f"{items}, {people}, gamma at most {limit:g}; the odds of the design are {reached:g}."
        yield TextColumns(["items", "asked", "disguise"], self._rows())
        yield (
            f"Worst standard error {self.error:.4g}: of patterns up to {self.length}, and of the share of people in "
            "one half of a number or a place."
        )

    def _rows(self) -> list[list[object]]:
        rows: list[list[object]] = []
        for block in self.design.blocks:
            names = ", ".join(item.id for item in block.items)
            settings = {key: value for key, value in block.entry(DECIMAL).items() if key != "items"}
            rows.append([names, block.items_per_person, ", ".join(f"{key} {value}" for key, value in settings.items())])
        return rows

    def to_frame(self) -> DataFrame:
        """Return a row for each block."""
        return data_frame(self._rows(), columns=["items", "asked", "disguise"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor advise` for such a questionnaire."""
        own = {"items": len(self.design.items), "respondents": self.respondents, "gamma": outward(self.gamma)}
        promise = promise_as_json(self.design.gamma, self.design.odds)
        recommended = {"asked": self.asked, **promise, "error": self.error, "design": self.design.to_json()}
        return to_json_value({**own, "length": self.length, "recommended": recommended})


def plan_questionnaire(
    items: Sequence[ExpectedItem | GridItem], respondents: int, gamma: Fraction, length: int, direct_share: float = 0.0
) -> Questionnaire:
    """The design that is proposed for these items under γ; `respondents` counts those who answer directly, too.

    >>> plan = plan_questionnaire([ExpectedItem("drugs"), ExpectedItem("cheating")], 1000, Fraction(9), 2)
    >>> plan.asked, plan.design.gamma <= 9
    (2, True)
    """
    if not 1 < gamma <= 2**32:
        raise InputError(f"gamma: {float(gamma):.10g} is not above 1 and at most 4294967296.")
    if respondents < 1:
        raise InputError(f"respondents: {respondents} is not 1 or more.")
    if not 0 <= direct_share < 1:
        raise InputError(f"direct_share: {direct_share} is not from 0 to below 1.")
    if not 1 <= length <= len(items):
        raise InputError(f"length: {length} is outside 1 to the {len(items)} items.")
    names = [item.id for item in items]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{twice}: two questions have this name.")
    for item in items:
        for one in item.with_options:
            _check_item(one)
    proposal = propose(tuple(item.topic for item in items), float(gamma), length)
    entries = []
    for block in proposal.blocks:
        recipe, settings = blocks.RECIPES[block.recipe], dict(block.settings)
        entries += recipe.write(settings, [items[place].entry(recipe, settings) for place in block.topics])
    design = Design.parse({"direct": direct_share > 0, "blocks": entries})
    assert log(design.odds) <= log(gamma)
    # Of both groups as the stratified estimator joins them; a direct answer has at most the variance of a half.
    variance = direct_share / 4 + (1 - direct_share) * proposal.error**2
    error = (variance / respondents) ** 0.5
    return Questionnaire(design, gamma, respondents, length, error, proposal.asked)


def _check_item(item: ExpectedItem) -> None:
    check_expected(item)
    for word in (*(["expected"] if item.expected else []), *dict(item.marks)):
        raise InputError(f"{item.id}: {word!r} cannot be given if questions have numbers or places.")
