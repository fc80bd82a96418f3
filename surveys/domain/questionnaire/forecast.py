"""What a design will be able to tell, before anyone is asked: by the errors and the power that reports use, too.

Figures hold for the people of `surveys.domain.questionnaire.expected`, as on every page before publishing. A half width
is that of an interval that holds the truth in 19 of 20 surveys.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from privacy.design import Design
from privacy.design.block import Block
from privacy.design.brief import WIDE, Brief
from privacy.design.items import Item
from privacy.design.patterns import parse_pattern
from privacy.design.sentences import Said
from privacy.errors import InputError
from privacy.plan.connections import Connection, expects_none
from privacy.plan.power import independent, support_se
from privacy.reconstruct.words_sent import foresee_half_widths
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.directly import WILLING, counts_alone, share_of_draft
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.expected import (
    NO_GUESS,
    OUT_OF_REACH,
    are_counted_together,
    expect_connections,
    make_brief,
)
from surveys.domain.questionnaire.guess import Guess, guess_of
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft

ROUGH = 0.1  # a larger standard error leaves an interval wider than a third of the range of a share
_CROWD = 10**12  # people, of whom only the bias is left


@dataclass(frozen=True)
class Forecast:
    """Half widths are shares, infinite where nothing can be estimated.

    least, most: of the answers with options that the survey is made for (`Guess.target_codes`), the best and the worst
    known one; null without such answers.
    common: how many are thought to give the answer that is known worst.
    apart: of the difference between two halves of the respondents.
    lasting: the half width of one answer that more people do not reduce, because figures are biased.
    direct: the share that answers directly. counts_direct, links_count_direct: whether figures of
    single answers, and links, likely count them.
    each: how many people are asked the question that fewest are asked. shown: of how many something is reported.
    """

    respondents: int
    least: float | None
    most: float | None
    apart: float | None
    connections: tuple[Connection, ...]
    on_grid: tuple[tuple[str, tuple[Said, ...]], ...]
    each: int
    shown: Minimum
    lasting: float = 0.0
    common: float = 0.0
    direct: float = 0.0
    counts_direct: bool = False
    links_count_direct: bool = False

    def most_of(self, people: float) -> float:
        """Return `most` with another number of people: four times as many halve all of it that is not lasting."""
        return self._with_people(self.most, people)

    def least_of(self, people: float) -> float:
        return self._with_people(self.least, people)

    def _with_people(self, width: float | None, people: float) -> float:
        assert width is not None
        return self.lasting + (width - self.lasting) * math.sqrt(self.respondents / people)

    @property
    def withheld(self) -> bool:
        """Whether some question is asked of so few that a report says nothing of it."""
        return self.each < self.shown.disguised

    @property
    def tells_shares(self) -> bool:
        """Whether the shares of answers will be precise enough to be of use."""
        return self.most is None or self.most <= WIDE * ROUGH

    @property
    def tells_pairs(self) -> bool:
        return bool(self.connections) and not expects_none(self.connections)

    @property
    def tells_groups(self) -> bool:
        """Whether differences between two halves of the people will be precise enough to be of use."""
        return self.apart is None or self.apart <= WIDE * ROUGH

    def chance(self, length: int) -> float:
        return next((one.chance for one in self.connections if one.length == length), 0.0)

    @property
    def people_for_links(self) -> int | None:
        """How many respondents make it likely that connections of two answers are found."""
        return next((one.needed for one in self.connections if one.length == 2), None)

    @property
    def people_in_reach(self) -> int | None:
        """The same, but for numbers that no survey has."""
        return self.people_for_links if (self.people_for_links or 0) <= OUT_OF_REACH else None


@lru_cache(maxsize=2048)
def forecast(
    design: Design,
    respondents: int,
    shown: Minimum = Minimum(),  # noqa: B008  frozen
    direct_share: float | None = None,
    guess: Guess = NO_GUESS,
) -> Forecast:
    """Forecast the precision with this many respondents, in the report of the closed survey; of fewer than `shown` says
    nothing is reported.

    They answer disguised, but for the share that answers directly, where they may: as many as are usual, if none is
    given. What these say counts where reports count it.
    """
    share = WILLING * design.direct if direct_share is None else direct_share
    few = respondents < shown.everything
    alone = not few and all(
        counts_alone(block, respondents * share, shown.everything, guess) for block in design.blocks
    )
    disguised = respondents if alone else max(round(respondents * (1 - share)), 1)
    counted = share if alone else 0.0
    with_options = tuple(block for block in design.blocks if block.distribution is None)
    of_blocks = [(block, _widths(block, disguised, shown.disguised, counted, guess)) for block in with_options]
    widths = [
        (width, max(guess.shares(item)[place] for place in guess.target_codes(item)))
        for block, own in of_blocks
        for item, width in zip(block.items, own.values(), strict=True)
    ]
    single = [width for width, _ in widths]
    return Forecast(
        respondents,
        min(single, default=None),
        max(single, default=None),
        max((_apart(block, respondents, share, shown, guess) for block in with_options), default=None),
        expect_connections(design, respondents, shown, share, guess),
        tuple(
            (block.items[0].id, tuple(block.distribution(None).accuracy(disguised)))
            for block in design.blocks
            if block.distribution is not None
        ),
        int(min((_people_per_item(block, disguised) for block in design.blocks), default=disguised)),
        shown,
        max((_lasting_width(block, guess) for block in with_options), default=0.0),
        max(widths, default=(0.0, 0.0))[1],
        share,
        alone,
        share > 0 and are_counted_together(design, respondents * share, shown.everything, guess),
    )


def forecast_draft(draft: Draft) -> Forecast:
    """The forecast of a draft; InputError while it has no design."""
    design, expected = compose_design(draft), draft.document["expected"]
    return forecast(design, expected, minimum_of_draft(draft), share_of_draft(draft), guess_of(draft))


def largest_bias(design: Design, respondents: int, guess: Guess, times: float) -> float | None:
    """How far shares may be off on average, in the worst stated population; None where no figure is biased.

    `times`: how many times as common as guessed rare answers are.
    """
    briefs = [
        (block.sketch(tuple(range(len(block.items)))), make_brief([block], respondents, 1, guess, times))
        for block in design.blocks
        if block.distribution is None
    ]
    biased = [made for sketch, brief in briefs if (made := sketch.bias_in_populations(brief)) is not None]
    return max((abs(one.biases[0]) for made in biased for one in made.populations), default=None)


def widths_of_items(design: Design, respondents: int, least: int, guess: Guess) -> dict[str, float]:
    """The half width of the worst known answer to each item with options, by the item's name."""
    blocks = (block for block in design.blocks if block.distribution is None)
    return {name: width for block in blocks for name, width in _widths(block, respondents, least, 0.0, guess).items()}


def questions_by_lot(design: Design) -> tuple[int, int] | None:
    """How many of the questions that a device draws from each person is asked, and how many these are; or None."""
    drawn = [block for block in design.blocks if block.items_per_person < len(block.items)]
    return (sum(block.items_per_person for block in drawn), sum(len(block.items) for block in drawn)) if drawn else None


def _people_per_item(block: Block, respondents: float) -> float:
    return respondents * block.items_per_person / len(block.items)


def _widths_by_word(block: Block, respondents: int, guess: Guess) -> dict[str, float] | None:
    """The half width of the worst known answer to each item of a list that gives back what loss words measure.

    None of any other block. An answer without a word of its own is known as well as the others.
    """
    words = block.patterns.word_list
    if words is None or not words.corrects:
        return None
    widths = foresee_half_widths(words, list(map(guess.shares, block.items)), respondents).tolist()
    alone = [
        (*literals[0], width) for (_, literals), width in zip(words.words, widths, strict=True) if len(literals) == 1
    ]
    made = {}
    for place, item in enumerate(block.items):
        own = [(codes, width) for at, codes, width in alone if at == place]
        wanted = [width for codes, width in own if not codes.isdisjoint(guess.target_codes(item))]
        made[item.id] = max(wanted or [width for _, width in own], default=math.inf)
    return made


def _lasting_width(block: Block, guess: Guess) -> float:
    if (by_word := _widths_by_word(block, _CROWD, guess)) is not None:
        return max(by_word.values())
    own = block.sketch(tuple(range(len(block.items)))).errors(make_brief([block], _CROWD, 1, guess))
    return WIDE * own[0][0] if own is not None else 0.0


def _widths(block: Block, respondents: int, least: int, direct_share: float, guess: Guess) -> dict[str, float]:
    if _people_per_item(block, respondents) < least:
        return dict.fromkeys((item.id for item in block.items), math.inf)
    if (by_word := _widths_by_word(block, respondents, guess)) is not None:
        return by_word
    errors = _errors_of_items(block, respondents, direct_share, guess)
    return {name: WIDE * error / math.sqrt(respondents) for name, error in errors.items()}


def _apart(block: Block, respondents: int, direct_share: float, shown: Minimum, guess: Guess) -> float:
    """The widest half width of a difference between two halves of the people; without bias twice that of one answer.

    Undisguised answers make the groups, so there are none of few people, and in a group only disguised people count.
    """
    if respondents < shown.everything:
        return math.inf
    people = max(round(respondents * (1 - direct_share)), 1)
    widths, words = _widths(block, people, shown.disguised, 0.0, guess), block.patterns.word_list
    alone = max(widths.values()) < math.inf and not (words and words.corrects)
    brief = replace(make_brief([block], people, 1, guess), halves=True)
    errors = _errors_by_item(block, brief).values() if alone else ()
    return max((WIDE * error for error in errors), default=2 * max(widths.values()))


def _errors_of_items(block: Block, respondents: int, direct_share: float, guess: Guess) -> dict[str, float]:
    """The standard error of the worst answer to each item, by its name, for one respondent.

    Of biased figures: that for so many respondents, times the square root of their number.
    """
    if biased := _errors_by_item(block, make_brief([block], respondents, 1, guess)):
        return {name: error * math.sqrt(respondents * (1 - direct_share)) for name, error in biased.items()}
    try:
        design = Design((block,), False)
    except InputError:  # it keeps no answer: the direct group alone tells of it
        return dict.fromkeys((item.id for item in block.items), math.inf)
    of_kind: dict[tuple[Any, ...], float] = {}
    errors = {}
    for item in block.items:
        kind = (item.options, item.noise, guess.shares(item))
        if kind not in of_kind:
            of_kind[kind] = max(_single(design, item, option, direct_share, guess) for option in _options(item, guess))
        errors[item.id] = of_kind[kind]
    return errors


def _errors_by_item(block: Block, brief: Brief) -> dict[str, float]:
    """Errors of biased figures by item, computed once for items with the same guess; empty if no figure is biased."""
    sketch, kinds = block.sketch(tuple(range(len(block.items)))), [replace(one, id="") for one in brief.questions]
    of_kind = {}
    for kind in kinds:
        if kind not in of_kind:
            asked = (
                question if own == kind else replace(question, wanted=())
                for question, own in zip(brief.questions, kinds, strict=True)
            )
            if (errors := sketch.errors(replace(brief, questions=tuple(asked)))) is None:
                return {}
            of_kind[kind] = errors[0][0]
    return {question.id: of_kind[kind] for question, kind in zip(brief.questions, kinds, strict=True)}


def _options(item: Item, guess: Guess) -> Sequence[int]:
    """The codes of the answers that the survey is made for, one for each noise and share."""
    noise, shares = item.noise or (0,) * len(item.options), guess.shares(item)
    return tuple({(noise[place], shares[place]): place for place in guess.target_codes(item)}.values())


def _single(design: Design, item: Item, option: int, direct_share: float, guess: Guess) -> float:
    literal = item.id if item.boolean else f"{item.id}={item.options[option]}"
    pattern = parse_pattern(literal, design)
    states = independent(design, pattern, {item.id: guess.shares(item)})
    disguised = support_se(design, pattern, states, 1)
    true = states[-1] * (1 - states[-1]) / _people_per_item(design.blocks[0], 1)
    return math.sqrt(direct_share * true + (1 - direct_share) * disguised**2)
