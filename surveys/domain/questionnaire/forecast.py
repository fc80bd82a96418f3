"""What a design will be able to tell, before anyone is asked: by the errors and the power that reports use, too.

Figures hold for the people of `surveys.domain.questionnaire.expected`, as on every page before publishing. A width is
the longer side of the interval that a report prints, which holds the truth in 19 of 20 surveys.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from privacy.design import Design
from privacy.design.block import Block
from privacy.design.brief import MOST_ITEMS, WIDE, Brief
from privacy.design.items import Item
from privacy.design.sentences import Said
from privacy.plan.connections import Connection
from privacy.plan.forecast import difference_side, longer_sides, pair_side, side_with_silent
from privacy.plan.verdict import PAIRS, WITHIN, Aim, Verdict, judge, judge_pairs
from surveys.domain.questionnaire.compose import compose_design
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.expected import (
    LONGEST,
    NO_GUESS,
    WILLING,
    are_counted_together,
    count_disguising,
    counts_alone,
    expect_connections,
    make_brief,
    share_of,
    share_of_draft,
)
from surveys.domain.questionnaire.guess import Guess, guess_of, guess_of_version, guesses_of
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft, minimum_of_version
from surveys.models import SurveyVersion
from surveys.questions.make_displays import skip_place

MOST_GAMMA = 2**32  # above which nothing is promised
_CROWD = 10**12  # people, of whom only the bias is left


@dataclass(frozen=True)
class Forecast:
    """Widths are shares, infinite where nothing can be estimated. A figure is worked out once, when it is asked for.

    direct: the share that answers directly. shown: of how many something is reported.
    """

    design: Design
    respondents: int
    shown: Minimum
    direct: float
    guess: Guess

    @property
    def least(self) -> float | None:
        """The width of the best known of the answers that the survey is made for (`Guess.target_codes`), if any."""
        return min((width for width, _common in self.widths), default=None)

    @property
    def most(self) -> float | None:
        """The width of the worst known one."""
        return max((width for width, _common in self.widths), default=None)

    @property
    def common(self) -> float:
        """How many are thought to give the answer that is known worst."""
        return max(self.widths, default=(0.0, 0.0))[1]

    @property
    def pairs(self) -> float:
        """The width of the worst known pair of answers, of those that a list of words names; infinite without one."""
        sides = []
        for block in _telling_blocks(self.design, self.guess):
            shares, wanted = zip(
                *((self.guess.shares(item), self.guess.target_codes(item)) for item in block.items), strict=True
            )
            sides.append(pair_side(block, shares, wanted, self._people_in_figures[1]))
        return max(sides, default=math.inf)

    @cached_property
    def apart(self) -> float | None:
        """The width of the difference between two halves of the respondents."""
        sides = (
            _apart(block, self.respondents, self.direct, self.shown, self.guess)
            for block in _telling_blocks(self.design, self.guess)
        )
        return max(sides, default=None)

    @cached_property
    def lasting(self) -> float:
        """The width of one answer that more people do not reduce, because figures are biased."""
        lists = (own for own in self.design.blocks if own.distribution is None and own.patterns.word_list is not None)
        sides = (side for own in lists for side in _widths(own, _CROWD, 1, 0.0, self.guess).values())
        return max((width for width, _common in sides), default=0.0)

    @property
    def connections(self) -> tuple[Connection, ...]:
        return tuple(connection for length in range(2, LONGEST + 1) for connection in self._connections(length))

    @property
    def on_grid(self) -> tuple[tuple[str, tuple[Said, ...]], ...]:
        """How exactly numbers and places are known, by their names."""
        return tuple(
            (block.items[0].id, tuple(block.distribution(None).accuracy(self._people_in_figures[1])))
            for block in self.design.blocks
            if block.distribution is not None
        )

    @property
    def each(self) -> int:
        """How many people are asked the question that fewest are asked."""
        people = self._people_in_figures[1]
        return int(min((_people_per_item(block, people) for block in self.design.blocks), default=people))

    @property
    def counts_direct(self) -> bool:
        """Whether figures of single answers likely count direct people."""
        return self._people_in_figures[0] > 0

    @property
    def links_count_direct(self) -> bool:
        """Whether links likely count them."""
        people = self.respondents * self.direct
        return self.direct > 0 and are_counted_together(self.design, people, self.shown.everything, self.guess)

    @cached_property
    def widths(self) -> tuple[tuple[float, float], ...]:
        """Of each item with options its width, and how common the answer is that is known worst."""
        direct, people = self._people_in_figures
        apart = dict(self.guess.anchors)
        sides = (
            _widths(block, people, self.shown.disguised, direct, self.guess)
            for block in _telling_blocks(self.design, self.guess)
        )
        shown_sides = [(name in apart, side) for own in sides for name, side in own.items()]
        return tuple(side for is_apart, side in shown_sides if not is_apart) or tuple(
            side for _is_apart, side in shown_sides
        )

    @cached_property
    def others(self) -> float | None:
        """The width of the worst known answer of those that the survey is not made for, such as a no."""
        direct, people = self._people_in_figures
        sides = (
            _widths(block, people, self.shown.disguised, direct, self.guess, _other_codes)
            for block in _telling_blocks(self.design, self.guess)
        )
        return max((width for side in sides for width, _common in side.values()), default=None)

    @cached_property
    def second_end(self) -> float | None:
        """From the figure of an answer to the end of its bar: so far it lies if all who prefer not to say would have
        given it. None where nobody can prefer that.
        """
        direct, people = self._people_in_figures
        sides = (
            side_with_silent(
                block,
                tuple(map(self.guess.shares, block.items)),
                [self.guess.target_codes(item) for item in block.items],
                [skip_place(item.options) for item in block.items],
                people * (1 - direct),
                people * direct,
            )
            for block in _telling_blocks(self.design, self.guess)
            if _people_per_item(block, people) >= self.shown.disguised
            and any(skip_place(item.options) is not None for item in block.items)
        )
        return max(sides, default=None)

    @cached_property
    def _people_in_figures(self) -> tuple[float, int]:
        """The share of direct people where figures of single answers count them, else 0; and how many they count."""
        least, direct = self.shown.everything, self.respondents * self.direct
        alone = self.respondents >= least and all(
            counts_alone(block, direct, least, self.guess) for block in self.design.blocks
        )
        if alone:
            return self.direct, self.respondents
        return 0.0, count_disguising(self.respondents, self.direct)

    def _connections(self, length: int) -> tuple[Connection, ...]:
        return expect_connections(self.design, self.respondents, self.shown, self.direct, self.guess, length)

    def with_people(self, people: int) -> "Forecast":
        """The same design with another number of people."""
        return forecast(self.design, people, self.shown, self.direct, self.guess)

    @property
    def together(self) -> int:
        """How many people figures of several answers count."""
        return self.respondents if self.links_count_direct else count_disguising(self.respondents, self.direct)

    @property
    def withheld(self) -> bool:
        """Whether some question is asked of so few that a report says nothing of it."""
        return self.each < self.shown.disguised

    def chance(self, length: int) -> float:
        return next((connection.chance for connection in self._connections(length)), 0.0)

    @property
    def pair(self) -> Connection | None:
        """What is expected of links of two answers."""
        return next(iter(self._connections(2)), None)


@lru_cache(maxsize=1 << 13)
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
    return Forecast(design, respondents, shown, share, guess)


def forecast_draft(draft: Draft, end: int = 0) -> Forecast:
    """The forecast of a draft; InputError while it has no design. `end`: as `guess_of` has it."""
    design, expected = compose_design(draft), draft.document["expected"]
    return forecast(design, expected, minimum_of_draft(draft), share_of_draft(draft), guess_of(draft, end))


def forecasts_in_range(draft: Draft) -> list[Forecast]:
    """The forecast of a draft by its guesses, and those at both ends of their ranges where they have some."""
    return [forecast_draft(draft, end) for end, _guess in enumerate(guesses_of(draft))]


def judge_forecast(
    now: Forecast,
    guesses: Sequence[Guess],
    tell: Collection[str],
    within: float = WITHIN,
    planned: Callable[[int], Forecast] | None = None,
) -> Verdict:
    """The verdict on the design of a forecast: of all that pages, papers and files say of a number of people.

    guesses: that of the forecast, and perhaps those at both ends of its range. planned: the forecast of the draft as it
    is planned for another number of people, where its design follows from that.
    """

    def at(guess: Guess) -> tuple[float, float]:
        """How common the answer is that is known worst, as people guess it, and its width."""
        widths = forecast(now.design, now.respondents, now.shown, now.direct, guess).widths
        return max(((width, guess.as_said(now.design, share)) for width, share in widths), default=(0.0, 0.0))[::-1]

    return judge(
        now,
        tell,
        common=at(now.guess)[0],
        within=within,
        planned=planned,
        ends=[at(guess) for guess in guesses[1:]],
        hidden=now.second_end,
        wrong=[at(replace(now.guess, times=times)) for times in (1 / 3, 3)],
        disguise=_to_hold_beside_plain(now, tell),
    )


def judge_pairs_of_version(version: SurveyVersion, people: int) -> Aim | None:
    """What so many people tell of links in a published version; None where it has no two answers to link."""
    shown, share = minimum_of_version(version), share_of(version.parsed)
    pair = forecast(version.design, people, shown, share, guess_of_version(version)).pair
    if pair is None:
        return None
    aim = judge_pairs(people, pair)
    return aim if version.survey.rehearses_id else aim.as_published()


def _to_hold_beside_plain(now: Forecast, tell: Collection[str]) -> tuple[Design, Brief, float] | None:
    """The disguise that a plain question is held beside, as `judge` has it; none of numbers or places."""
    design = now.design
    known = all(item.has_options for item in design.items) and len(design.items) <= MOST_ITEMS
    if not known or not 1 < design.gamma < MOST_GAMMA:
        return None
    telling, gamma = replace(design, blocks=_telling_blocks(design, now.guess)), Fraction(design.gamma)
    brief = make_brief(telling.blocks, now.respondents, 2 if PAIRS in tell else 1, now.guess)
    brief = replace(brief, gamma=gamma, direct_share=now.direct, by_interval=False)
    return telling, brief, now.common


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
    return max((abs(population.biases[0]) for made in biased for population in made.populations), default=None)


def widths_of_items(design: Design, respondents: int, least: int, guess: Guess) -> dict[str, float]:
    """The width of the worst known answer to each item with options, by the item's name."""
    blocks = (block for block in design.blocks if block.distribution is None)
    sides = (side for block in blocks for side in _widths(block, respondents, least, 0.0, guess).items())
    return {name: width for name, (width, _common) in sides}


def questions_by_lot(design: Design) -> tuple[int, int] | None:
    """How many of the questions that a device draws from each person is asked, and how many these are; or None."""
    drawn = [block for block in design.blocks if block.items_per_person < len(block.items)]
    return (sum(block.items_per_person for block in drawn), sum(len(block.items) for block in drawn)) if drawn else None


def _people_per_item(block: Block, respondents: float) -> float:
    return respondents * block.items_per_person / len(block.items)


def _telling_blocks(design: Design, guess: Guess) -> tuple[Block, ...]:
    """The blocks with answers whose shares a survey is made for; anchors alone only check how people answer."""
    blocks = tuple(block for block in design.blocks if block.distribution is None)
    apart = {name for name, _share in guess.anchors}
    return tuple(block for block in blocks if not apart.issuperset(item.id for item in block.items)) or blocks


def _other_codes(guess: Guess, item: Item) -> tuple[int, ...]:
    return tuple({*range(len(item.options))} - {*guess.target_codes(item)}) or guess.target_codes(item)


def _widths(
    block: Block,
    respondents: float,
    least: int,
    direct_share: float,
    guess: Guess,
    codes: Callable[[Guess, Item], tuple[int, ...]] = Guess.target_codes,
) -> dict[str, tuple[float, float]]:
    """Of each item, by its name, the longest longer side of the intervals of its answers, and how common that is."""
    wanted = [codes(guess, item) for item in block.items]
    shares = tuple(guess.shares(item) for item in block.items)
    if _people_per_item(block, respondents) < least:
        sides = [(math.inf, max(share[code] for code in codes)) for share, codes in zip(shares, wanted, strict=True)]
    else:
        sides = longer_sides(block, shares, wanted, respondents * (1 - direct_share), respondents * direct_share)
    return {item.id: side for item, side in zip(block.items, sides, strict=True)}


def _apart(block: Block, respondents: float, direct_share: float, shown: Minimum, guess: Guess) -> float:
    """The longest longer side of a difference between two halves of the people, by MOVER: both sides count alike.

    Undisguised answers make the groups, so there are none of few people, and in a group only disguised people count.
    """
    if respondents < shown.everything:
        return math.inf
    people = count_disguising(respondents, direct_share)
    words = block.patterns.word_list
    if words is not None and not words.corrects and _people_per_item(block, people) >= shown.disguised:
        sketch = block.sketch(tuple(range(len(block.items))))
        errors = sketch.errors(replace(make_brief([block], people, 1, guess), halves=True))
        return WIDE * errors[0][0] if errors else math.inf
    if _people_per_item(block, people / 2) < shown.disguised:
        return math.inf
    wanted = [guess.target_codes(item) for item in block.items]
    return difference_side(block, tuple(map(guess.shares, block.items)), wanted, people / 2)
