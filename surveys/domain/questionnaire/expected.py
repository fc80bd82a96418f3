"""What is taken for granted of answers before anybody is asked: plans compute with it, and simulated people answer so.

Answers are as common as the draft guesses (`surveys.domain.questionnaire.guess`), and one in twenty prefers not to say,
where they may. Questions with options go together two by two in their order: the first with the second, the third with
the fourth. Nobody can know beforehand what real people will say; a link that stands alone is the hardest to find, so
what is forecast is found in most surveys.

Reports leave direct answers out where few people could be singled out by them (`surveys.domain.responses.gate`). The
rules of that gate are applied to the people who are expected, so that no plan counts what no report does.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from privacy.choices import USUAL_CONFIDENCE, USUAL_SUPPORT
from privacy.design import Block, Design
from privacy.design.brief import Brief, ExpectedItem, with_rare_times
from privacy.design.items import options_without_skip
from privacy.estimate.power import fewest
from privacy.plan.connections import Connection, connections, pairs_looked_at, together
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.guess import Guess
from surveys.domain.questionnaire.minimum import Minimum
from surveys.features import asked_directly

LONGEST = 3  # answers in a rule
_MANY = 2**30  # people
WILLING = 0.2  # of people who answer directly where they may, as in the paper's experiment
SURELY = 0.95  # a chance from which on direct answers are taken to be counted
_MOST_ROWS = 2**14  # different direct records; of more kinds than these no survey has enough people of each
NO_GUESS = Guess()

Link = tuple[int, int]
"""Two items of a design by their places, the first one before the second one."""


def make_brief(blocks: Sequence[Block], respondents: int, length: int, guess: Guess, times: float = 1.0) -> Brief:
    """The question to the advisor how precise these blocks are, for patterns up to `length`.

    `times`: how many times as common as guessed rare answers are.
    """
    items = [item for block in blocks for item in block.items]
    expected = tuple(
        ExpectedItem(item.id, item.options, with_rare_times(guess.shares(item), times), wanted=guess.target_codes(item))
        for item in items
    )
    return Brief(expected, respondents, Fraction(2), length=min(length, len(expected)), by_interval=True)


def pair_items(design: Design, guess: Guess = NO_GUESS) -> list[Link]:
    """The pairs of items that are taken to go together; those of questions that a feature adds are in none."""
    apart = {name for name, _share in guess.anchors}
    places = [index for index, item in enumerate(design.items) if item.has_options and item.id not in apart]
    return list(zip(places[::2], places[1::2], strict=False))


def usual_thresholds(design: Design, guess: Guess) -> tuple[float, float]:
    """The support and the confidence that mining begins with: lower than usual where that would hide rare links."""
    supports, confidences = [1.0], [1.0]
    for link in pair_items(design, guess):
        items = [design.items[place] for place in link]
        shares = [guess.shares(item)[guess.answer_to_link(item)] for item in items]
        _, among_those = together(shares)
        supports.append(shares[0] * among_those)
        confidences.append(among_those)
    support, confidence = float(f"{0.7 * min(supports):.1g}"), float(f"{0.8 * min(confidences):.2g}")
    return min(USUAL_SUPPORT, support), min(USUAL_CONFIDENCE, confidence)


@lru_cache(maxsize=2048)
def expect_connections(
    design: Design,
    respondents: int,
    shown: Minimum = Minimum(),  # noqa: B008  frozen
    direct_share: float | None = None,
    guess: Guess = NO_GUESS,
    length: int | None = None,
) -> tuple[Connection, ...]:
    """The chance that a true link is found, for links of two and of three answers, or of one `length` alone.

    This is the measure of what goes together on every page: of a true link, the chance that the report has it.
    `direct_share`: of people who answer directly; without it as many as are usual. Where reports leave them out, the
    others alone tell links.
    """
    share = WILLING * design.direct if direct_share is None else direct_share
    apart = _find(design, count_disguising(respondents, share), shown, 0.0, guess, length)
    if not share or not apart:
        return apart
    both = _find(design, respondents, shown, share, guess, length)
    chance = _chance_together(design, shown.everything, guess)
    counted = chance(respondents * share)

    def needed(one: Connection, other: Connection) -> int | None:
        """The least number with which direct answers are counted, or which is enough without them."""
        alone = None if other.needed is None else round(other.needed / (1 - share))
        if one.needed is None or chance((alone or _MANY) * share) < SURELY:
            return alone
        return max(one.needed, fewest(lambda n: chance(n * share), SURELY))

    return tuple(
        replace(one, chance=counted * one.chance + (1 - counted) * other.chance, needed=needed(one, other))
        for one, other in zip(both, apart, strict=True)
    )


def are_counted_together(design: Design, direct: float, least: int, guess: Guess) -> bool:
    """Whether figures of several answers likely count so many direct people."""
    return _chance_together(design, least, guess)(direct) >= 1 / 2


def _chance_together(design: Design, least: int, guess: Guess) -> Callable[[float], float]:
    return chance_together(design, pair_items(design, guess), guess, least)


def _find(
    design: Design, respondents: int, shown: Minimum, direct_share: float, guess: Guess, length: int | None
) -> tuple[Connection, ...]:
    least = shown.of_sets(respondents)
    found = _connections(design, respondents, least, direct_share, guess, length)
    if least == shown.everything:
        return found
    # As many as links need are not few.
    more = _connections(design, respondents, shown.everything, direct_share, guess, length)
    return tuple(replace(one, needed=other.needed) for one, other in zip(found, more, strict=True))


def _connections(
    design: Design, respondents: int, least: int, direct_share: float, guess: Guess, length: int | None
) -> tuple[Connection, ...]:
    items = [item for item in design.items if item.has_options]
    apart = tuple(name for name, _share in guess.anchors)
    if len(items) < 2 or any(_has_chosen_sets(block) for block in design.blocks):
        return ()
    return connections(
        Design(tuple(block for block in design.blocks if block.distribution is None), design.direct),
        respondents,
        shares={item.id: guess.shares(item) for item in items},
        answers={item.id: guess.answer_to_link(item) for item in items if not item.boolean},
        apart=apart,
        longest=LONGEST,
        length=length,
        direct_share=direct_share,
        least=least,
        looked_at=pairs_looked_at([len(options_without_skip(item)) for item in items if item.id not in apart]),
        # For yes/no questions only yes is mined, for others each option.
        links=sum(2 - all(design.items[one].boolean for one in pair) for pair in pair_items(design, guess)),
    )


def _has_chosen_sets(block: Block) -> bool:
    """Whether the block is a list of words that lacks some pair of its answers, because somebody chose its sets.

    What is likely of links in general says nothing of it.
    """
    words = block.patterns.word_list if block.distribution is None else None
    sets = [literals for _, literals in words.words if len(literals) > 1] if words else []
    together = Counter(place for place, _ in {literal for literals in sets for literal in literals})
    pairs = (together.total() ** 2 - sum(count**2 for count in together.values())) // 2
    return sum(len(literals) == 2 for literals in sets) < pairs


def percent_of_guess(share: float) -> str:
    """A guessed share in percent, as every sentence prints it.

    >>> percent_of_guess(0.095), percent_of_guess(0.1)
    ('9.5', '10')
    """
    return f"{round(100 * share, 1):g}"


def share_of(definition: Definition) -> float:
    """The share of people who are thought to answer directly: those whom a feature asks to, or as many as usual."""
    return _willing(asked_directly(definition.source)) if definition.design.direct else 0.0


def share_of_draft(draft: Draft) -> float:
    drawn = draft.document["lot"]
    return _willing(None if drawn is None else drawn / 100) if draft.document["direct"] else 0.0


def _willing(drawn: float | None) -> float:
    return WILLING if drawn is None else drawn


def count_disguising(people: float, direct_share: float) -> int:
    """How many of these people are thought to send disguised answers, at least one."""
    return max(round(people * (1 - direct_share)), 1)


def counts_alone(block: Block, people: float, least: int, guess: Guess) -> bool:
    """Whether figures of one answer count so many direct people: `least` of them are thought to give each answer.

    Where numbers and places have so many in each bin that is shown, nobody can foresee; hardly any do.
    """
    asked = people * block.items_per_person / len(block.items)
    return all(item.has_options and asked * min(guess.shares(item)) >= least for item in block.items)


def chance_together(design: Design, links: Sequence[Link], guess: Guess, least: int) -> Callable[[float], float]:
    """A function of the number of direct people: how likely figures of several answers count them.

    They do if `least` give each combination of answers (`gate.fills`), which nobody gives all of where not everybody is
    asked all. Combinations are taken to be independent.
    """
    cells = _cells(design, tuple(links), guess)

    def chance(people: float) -> float:
        if cells is None or people < least:
            return 0.0
        from scipy.stats import binom  # slow to import, and respondents' pages forecast nothing

        return float(np.prod(binom.sf(least - 1, round(people), cells)))

    return chance


@lru_cache(maxsize=256)
def _cells(design: Design, links: tuple[Link, ...], guess: Guess) -> np.ndarray | None:
    """How likely each combination of answers is; None where no number of people fills all of them."""
    is_sampled = any(block.items_per_person < len(block.items) for block in design.blocks)
    if is_sampled or not all(item.has_options for item in design.items):
        return None
    if prod(len(item.options) for item in design.items) > _MOST_ROWS:
        return None
    every = np.array(list(product(*(range(len(item.options)) for item in design.items))), np.int64)
    shares = [np.array(guess.shares(item)) for item in design.items]
    chances = np.prod([share[codes] for share, codes in zip(shares, every.T, strict=True)], axis=0)
    for first, second in links:
        answers = [guess.answer_to_link(design.items[place]) for place in (first, second)]
        apart = [float(shares[place][answer]) for place, answer in zip((first, second), answers, strict=True)]
        cells, _ = together(apart)  # bit 0 for the first, bit 1 for the second
        given = [
            (every[:, place] == answer).astype(int) for place, answer in zip((first, second), answers, strict=True)
        ]
        usual = np.outer([1 - apart[1], apart[1]], [1 - apart[0], apart[0]]).ravel()
        chances *= (cells / usual)[given[0] + 2 * given[1]]
    return np.asarray(chances)
