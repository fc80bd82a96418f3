"""How many are thought to answer directly where they may, and which figures of a report count what they say.

Reports leave direct answers out where few people could be singled out by them (`surveys.domain.responses.gate`). Here
the rules of that gate are applied to the people who are expected, so that no plan counts what no report does.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod

import numpy as np

from privacy.design import Block, Design
from privacy.plan.connections import together
from surveys.definition import Definition
from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.guess import Guess
from surveys.shares import OTHERWISE

WILLING = 0.2  # of people who answer directly where they may, as in the paper's experiment
SURELY = 0.95  # a chance from which on direct answers are taken to be counted
_MOST_ROWS = 2**14  # different direct records; of more kinds than these no survey has enough people of each

Link = tuple[int, int]


def share_of(definition: Definition) -> float:
    """The share of people who are thought to answer directly: those whom a lot asks to, or as many as usual."""
    return _willing(definition.lot) if definition.design.direct else 0.0


def share_of_draft(draft: Draft) -> float:
    lot = draft.document["lot"]
    return _willing(None if lot is None else lot / 100) if draft.document["direct"] else 0.0


def _willing(lot: float | None) -> float:
    return WILLING if lot is None else lot


def counts_alone(block: Block, people: float, least: int) -> bool:
    """Whether figures of one answer count so many direct people: `least` of them are asked each question."""
    return people * block.items_per_person >= least * len(block.items)


def chance_together(design: Design, links: Sequence[Link], guess: Guess, least: int) -> Callable[[float], float]:
    """A function of the number of direct people: how likely figures of several answers count them.

    They do if everybody who shares all answers but one with a direct person is in a group of `least` that differs in
    this one (`gate.together`). Groups are taken to be independent.
    """
    groups = _groups(design, tuple(links), guess)

    def chance(people: float) -> float:
        if groups is None or people < least:
            return 0.0
        from scipy.stats import binom  # slow to import, and respondents' pages forecast nothing

        sizes, others = groups
        count = round(people)
        nobody, enough = binom.pmf(0, count, sizes), binom.sf(least - 1, count, sizes)
        return float(np.prod(nobody + enough * binom.sf(OTHERWISE - 1, count, others)))

    return chance


@lru_cache(maxsize=256)
def _groups(design: Design, links: tuple[Link, ...], guess: Guess) -> tuple[np.ndarray, np.ndarray] | None:
    """The groups of direct people who share all answers but one: the share of each, and of those in it who do not
    answer as most; None where hardly two people answer alike.
    """
    kinds = prod(comb(len(block.items), block.items_per_person) for block in design.blocks)
    if not all(item.has_options for item in design.items):
        return None
    if kinds * prod(len(item.options) for item in design.items) > _MOST_ROWS:
        return None
    rows, chances = _records(design, links, guess)
    sizes, others = [], []
    for column in range(rows.shape[1]):
        asked = rows[:, column] >= 0
        _, place = np.unique(np.delete(rows, column, 1)[asked], axis=0, return_inverse=True)
        own = np.bincount(place.ravel(), chances[asked])
        most = np.zeros(len(own))
        np.maximum.at(most, place.ravel(), chances[asked])
        sizes.append(own)
        others.append(own - most)
    return np.concatenate(sizes), np.concatenate(others)


def _records(design: Design, links: Sequence[Link], guess: Guess) -> tuple[np.ndarray, np.ndarray]:
    """Every record that a direct person may send, −1 for what was not asked, and how likely it is."""
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
    asked = [list(combinations(range(len(block.items)), block.items_per_person)) for block in design.blocks]
    starts = np.cumsum([0, *(len(block.items) for block in design.blocks)])
    drawn = list(product(*asked))
    rows, likely = [], []
    for sets in drawn:
        seen = np.zeros(every.shape[1], bool)
        for start, places in zip(starts, sets, strict=False):
            seen[[start + place for place in places]] = True
        rows.append(np.where(seen, every, -1))
        likely.append(chances / len(drawn))
    different, place = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    return different, np.bincount(place.ravel(), np.concatenate(likely))
