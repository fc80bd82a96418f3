"""How many are thought to answer directly where they may, and which figures of a report count what they say.

Reports leave direct answers out where few people could be singled out by them (`surveys.domain.responses.gate`). Here
the rules of that gate are applied to the people who are expected, so that no plan counts what no report does.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from privacy.design import Block, Design
from privacy.plan.connections import together
from surveys.definition import Definition
from surveys.domain.questionnaire.document import Draft
from surveys.domain.questionnaire.guess import Guess
from surveys.features import asked_directly

WILLING = 0.2  # of people who answer directly where they may, as in the paper's experiment
SURELY = 0.95  # a chance from which on direct answers are taken to be counted
_MOST_ROWS = 2**14  # different direct records; of more kinds than these no survey has enough people of each

Link = tuple[int, int]


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
    chances = np.prod([own[codes] for own, codes in zip(shares, every.T, strict=True)], axis=0)
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
