"""A proposal: blocks for whole questions of every type under one promise, found within a moment.

The advisor (`privacy.plan.advice`) deals single items to blocks and takes seconds. A questionnaire has less freedom,
since the items of one question stay together, and its author waits for each change. So questions are grouped
by how many options their items have, and what is tried are one block over all of them, and flips over the yes/no items
beside a coin over the others, with the best split of ln γ between them. Numbers and places have a block each. What they
cost in ln γ is chosen so that the worst figure of all is as small as can be.

Every figure is n·Var, or its root, so that a proposal does not depend on how many people answer. Where nobody guesses
how common answers are, `privacy.plan.connections` does. A number and a place count by the share of people in one half
of the range or of the map, which records tell best: half_error.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import exp, floor, inf, log
from typing import Any

from privacy.design import Design, blocks
from privacy.design.block import Block
from privacy.design.brief import MOST_ITEMS, Brief, ExpectedItem, OptionGuess, Topic, check_expected
from privacy.design.fields import YES_NO
from privacy.design.notation import DECIMAL
from privacy.design.plans import Plan
from privacy.design.recipes import Recipe, Values
from privacy.errors import InputError
from privacy.guarantee import limit_in_words, outward, promise_as_json, round_up
from privacy.output import count_of, to_json_value
from privacy.plan.choice import best_of, lists_for
from privacy.plan.connections import YES
from privacy.plan.search import Wished, by_error, search_whole, worst_error
from privacy.plan.standard_errors import sketch_plan
from privacy.result import DataFrame, Result, TextColumns, data_frame

_HAIR = 1e-7  # of ln γ, left so that the decimals of settings never exceed a promise
_FINE = 0.01  # of ln γ, to which a split is worked out
_KNOTS = 8  # of ln γ to a factor of e, at which the error of a number or a place is worked out
_DROPS = 200  # in which ln γ is given to numbers and places
_MOST = 20.0  # ln γ of a number or a place; more is no disguise


@dataclass(frozen=True)
class Proposed:
    """A block: its questions by their places, the recipe that makes it, and its settings."""

    topics: tuple[int, ...]
    recipe: str
    settings: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Proposal:
    """`error` is the worst standard error with a single respondent; `asked` counts items with options."""

    blocks: tuple[Proposed, ...]
    error: float
    asked: int


@lru_cache(maxsize=4096)
def propose(
    topics: tuple[Topic, ...], gamma: float, length: int, asked: int | None = None, share: float = 0.0
) -> Proposal:
    """The blocks under γ with the least worst error for patterns up to a length.

    `asked`: of so many items with options everybody is asked, no more and no fewer; without it of the best number, by
    which each item is asked of at least the `share` of people.

    >>> proposal = propose((Topic(sizes=(2,)), Topic(sizes=(2,))), 9.0, 2)
    >>> proposal.asked, [block.topics for block in proposal.blocks]
    (2, [(0, 1)])
    """
    budget = log(gamma) * (1 - _HAIR)
    grids = [index for index, topic in enumerate(topics) if topic.recipe]
    others = [index for index, topic in enumerate(topics) if not topic.recipe]
    kinds = tuple(
        sorted((kind for place in others for kind in _kinds(topics[place])), key=lambda kind: (len(kind[0]), kind))
    )
    apart = tuple(topics[place] for place in grids)
    wished = Wished(asked, share)
    part = _part_for_options(kinds, apart, budget, length, wished)
    made: list[Proposed] = []
    error, count = 0.0, 0
    if kinds:
        best = _best_for_options(kinds, exp(budget * part), length, wished)
        made, error = list(_blocks_of_recipes(best, topics, others, exp(budget * part))), best.error
        count = sum(dict(block.settings).get("ask") or _count_items(topics, block.topics) for block in made)
    for place, grid in zip(grids, _share_among_grids(apart, budget * (1 - part)), strict=True):
        error = max(error, _half_error(topics[place], grid))
        recipe = topics[place].recipe
        settings = blocks.ADVISED[recipe].settings(int(grid * 1e6) / 1e6)
        made.append(Proposed((place,), recipe, tuple(settings.items())))
    return Proposal(tuple(made), error, count)


@lru_cache(maxsize=512)
def propose_lists(
    questions: tuple[ExpectedItem, ...], gamma: float, length: int, respondents: int
) -> tuple[Proposed, ...]:
    """The block over all items of every kind of list of words, the best for patterns up to a length.

    `questions` say how common each option is expected to be. None where no list fits, or where there are too many
    items for a brief.

    >>> from privacy.design.brief import yes_no
    >>> (made,) = propose_lists(yes_no(10, prevalence=0.05), 19.0, 1, 10_000)
    >>> made.recipe, dict(made.settings)["longest"]
    ('one-of', 1)
    """
    if len(questions) > MOST_ITEMS:
        return ()
    made = []
    for choice in lists_for(Brief(questions, respondents, Fraction(gamma), min(length, len(questions)))):
        recipe, settings = choice.plan[0].as_recipe(choice.design.blocks[0])
        made.append(Proposed(tuple(range(len(questions))), recipe, tuple(settings.items())))
    return tuple(made)


def _count_items(topics: Sequence[Topic], places: Sequence[int]) -> int:
    return sum(len(topics[place].sizes) for place in places)


# ---- numbers and places ---------------------------------------------------------------------------------------------


def _part_for_options(
    kinds: tuple[OptionGuess, ...], grids: tuple[Topic, ...], budget: float, length: int, wished: "Wished"
) -> float:
    """The part of ln γ for items with options that makes their worst error that of numbers and places."""
    if not grids or not kinds:
        return float(bool(kinds))
    part = 0.5
    for _round in range(2):  # the best plan hardly depends on the part
        best = _best_for_options(kinds, exp(budget * part), length, wished)
        brief = _brief(best.kinds, exp(budget), length)
        low, high = 0.0, 1.0
        while high - low > _FINE / 4 * min(part, 1 - part):
            part = (low + high) / 2
            options = worst_error(best.plan, brief, exp(budget * part))
            low, high = (part, high) if options > _worst_half_error(grids, budget * (1 - part)) else (low, part)
    return part


def _worst_half_error(grids: tuple[Topic, ...], budget: float) -> float:
    return max(_half_error(topic, part) for topic, part in zip(grids, _share_among_grids(grids, budget), strict=True))


def _share_among_grids(grids: tuple[Topic, ...], budget: float) -> list[float]:
    """Share ln γ among numbers and places in small steps, each to the one with the largest error."""
    if len(grids) < 2:
        return [budget for _topic in grids]
    parts = [budget / _DROPS / 10 for _topic in grids]
    drop = (budget - sum(parts)) / _DROPS
    known = [_half_error(topic, part) for topic, part in zip(grids, parts, strict=True)]
    for _drop in range(_DROPS):
        place = known.index(max(known))
        parts[place] += drop
        known[place] = _half_error(grids[place], parts[place])
    return parts


def _half_error(topic: Topic, part: float) -> float:
    """The error of a number or a place that takes `part` of ln γ, interpolated between two knots in logarithms."""
    at = _KNOTS * log(part)
    low = floor(at)
    first, second = _half_error_at_knot(topic, low), _half_error_at_knot(topic, low + 1)
    return first ** (1 - (at - low)) * second ** (at - low)


@lru_cache(maxsize=8192)
def _half_error_at_knot(topic: Topic, knot: int) -> float:
    settings = blocks.ADVISED[topic.recipe].settings(min(exp(knot / _KNOTS), _MOST))
    (entry,) = blocks.RECIPES[topic.recipe].write(settings, [{"id": "x", **json.loads(topic.grid)}])
    distribution = blocks.read(entry, "block", DECIMAL).distribution
    return inf if distribution is None else distribution(None).half_error


# ---- items with options ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Best:
    """A plan for items in ascending order of their options, with its error."""

    kinds: tuple[OptionGuess, ...]
    plan: Plan
    error: float


@lru_cache(maxsize=4096)
def _best_for_options(kinds: tuple[OptionGuess, ...], gamma: float, length: int, wished: Wished) -> _Best:
    """The best plan for items of these kinds. Of too many items for a brief, as many of each kind as fit."""
    short = kinds[:: -(-len(kinds) // MOST_ITEMS)]
    brief = _brief(short, gamma, length)
    wished = wished.scale_down(len(kinds), len(short))
    able = [
        one
        for one in sorted(search_whole(brief, gamma, wished), key=lambda one: by_error(one.error, one.plan))
        if one.error < inf
    ]
    while able:
        best = best_of(able, lambda one: one.errors.expected)
        if all(_blocks(best.plan, brief.questions, gamma)):
            return _Best(short, best.plan, best.error)
        able.remove(best)
    raise InputError(
        f"gamma: at {gamma:.10g} nothing could be estimated of {len(kinds)} answers; allow a larger gamma."
    )


def _blocks(plan: Plan, questions: Sequence[ExpectedItem], gamma: float) -> list[Block | None]:
    """The blocks of a plan over 2^32, each within its own part of γ; None for one that steps of 2^-32 cannot hold."""
    return [sketch.exact_block(questions, Fraction(sketch.odds)) for sketch in sketch_plan(plan, questions, gamma)]


def _blocks_of_recipes(best: _Best, topics: Sequence[Topic], places: Sequence[int], gamma: float) -> Iterator[Proposed]:
    """The blocks as recipes have them, over the questions themselves: all items of a kind are in one block."""
    within = {len(best.kinds[item][0]): number for number, block in enumerate(best.plan) for item in block.items}
    own = [
        [place for place in places if within[max(topics[place].sizes)] == number] for number in range(len(best.plan))
    ]
    kinds = tuple(kind for group in own for place in group for kind in _kinds(topics[place]))
    questions = tuple(map(_expected_item, range(len(kinds)), kinds))
    plan, first = [], 0
    for block, group in zip(best.plan, own, strict=True):
        count = _count_items(topics, group)
        ask = count if block.ask == len(block.items) else block.ask
        plan.append(replace(block, items=tuple(range(first, first + count)), ask=ask))
        first += count
    for block, made, group in zip(plan, _blocks(tuple(plan), questions, gamma), own, strict=True):
        assert made is not None
        recipe, settings = block.as_recipe(made)
        yield Proposed(tuple(group), recipe, tuple(settings.items()))


def _brief(kinds: tuple[OptionGuess, ...], gamma: float, length: int) -> Brief:
    return Brief(tuple(map(_expected_item, range(len(kinds)), kinds)), 1, Fraction(gamma), min(length, len(kinds)))


def _kinds(topic: Topic) -> tuple[OptionGuess, ...]:
    """The kinds of a topic's items; where nobody guesses, yes is as common as in forecasts, and options are alike."""
    usual = [
        ((1 - YES, YES), (1,)) if size == len(YES_NO) else ((1 / size,) * size, tuple(range(size)))
        for size in topic.sizes
    ]
    return topic.guesses or tuple(usual)


def _expected_item(place: int, kind: OptionGuess) -> ExpectedItem:
    shares, wanted = kind
    options = YES_NO if len(shares) == len(YES_NO) else tuple(map(str, range(len(shares))))
    return ExpectedItem(f"i{place}", options, shares, wanted=wanted)


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
        reached = float(round_up(self.design.odds, 6))
        yield f"{items}, {people}, {limit_in_words(self.gamma)}; the odds of the design are {reached:g}."
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
        for option in item.with_options:
            check_expected(option)
            if option.expected:
                raise InputError(f"{option.id}: 'expected' cannot be given if questions have numbers or places.")
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
