"""What the stored answer to one question tells: against sums over everything that a block can send."""

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from privacy.design import Block, Design
from privacy.guarantee.answers import answer_measures
from tests.cases import every

ASK = list("abc")
BLOCKS: dict[str, dict[str, Any]] = {
    "one coin": {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.2}]},
    "options": {
        "keep": 0.4,
        "items": [{"id": "a", "options": ["x", "y", "z"], "noise": [0.2, 0.3, 0.5]}, {"id": "b", "theta": 0.5}],
    },
    "a coin each, sampled": {"keep": 0.4, "coin": "each", "ask": 2, "items": [{"id": n, "theta": 0.3} for n in ASK]},
    "flips, sampled": {"flips": [0.6, 0.3, 0.1], "ask": 2, "items": [{"id": n} for n in ASK]},
    "one-sided": {"one-sided": 0.25, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]},
    "grouped": {"model": "grouped", "p": 0.4, "theta": 0.6, "items": ["a", "b"]},
}


def chances(block: Block, place: int, here: tuple[int, ...]) -> list[list[Fraction]]:
    """P(stored | true) of one item where these are asked: all else that may be sent is summed."""
    at, sizes = here.index(place), [len(block.items[one].options) for one in here]
    rows = []
    for true in range(sizes[at]):
        truth = [0] * len(here)
        truth[at] = true
        row = [Fraction(0)] * sizes[at]
        for sent in product(*map(range, sizes)):
            row[sent[at]] += block.chance(here, tuple(truth), sent)
        rows.append(row)
    return rows


def bits(shares: list[float]) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0)


def by_definition(channel: list[list[Fraction]], option: int, prior: float) -> tuple[float, float, float, float]:
    """Unknown bits, bits told, how often it is true, and the greatest difference of any set of answers."""
    size = len(channel)
    before = [prior if one == option else (1 - prior) / (size - 1) for one in range(size)]
    stored = [sum(before[x] * float(channel[x][y]) for x in range(size)) for y in range(size)]
    noise = sum(before[x] * bits([float(chance) for chance in channel[x]]) for x in range(size))
    events = [event for count in range(size + 1) for event in combinations(range(size), count)]
    apart = max(float(sum(p[y] - q[y] for y in event)) for event in events for p in channel for q in channel)
    return bits(before), bits(stored) - noise, sum(before[x] * float(channel[x][x]) for x in range(size)), apart


@pytest.mark.parametrize(("prior", "kind"), every(3, product([0.05, 0.5], BLOCKS)))
def test_the_measures_of_an_answer_are_those_of_its_definition(kind: str, prior: float) -> None:
    """Whatever the kind: of yes or of all options and, in a public order, of all sets that may be asked, those of which
    most is given."""
    design = Design.parse({"direct": True, "blocks": [BLOCKS[kind]]})
    (block,) = design.blocks

    for place, measures in enumerate(answer_measures(design, prior)):
        sets = [here for here in combinations(range(len(block.items)), block.items_per_person) if place in here]
        every = [
            (option, by_definition(chances(block, place, here), option, prior))
            for here in sets
            for option in ([1] if block.items[place].boolean else range(len(block.items[place].options)))
        ]
        option = block.items[place].options.index(measures.answer)
        own = (measures.entropy, measures.information, measures.true, measures.variation)
        assert measures.id == block.items[place].id
        assert any(option == other and own == pytest.approx(figures, abs=1e-9) for other, figures in every)
        assert measures.information == pytest.approx(max(figures[1] for _, figures in every), abs=1e-9)


def test_numbers_and_places_are_left_out() -> None:
    """They have too many answers."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "age", "min": 0, "max": 9, "step": 1}]}
    design = Design.parse({"blocks": [number, {"model": "warner", "theta": 0.7, "items": ["drugs"]}]})

    assert [measures.id for measures in answer_measures(design, 0.05)] == ["drugs"]


@pytest.mark.parametrize(("prior", "measures"), [(0, (0.0, 0.0, 0.75)), (1, (0.0, 0.0, 0.75))])
def test_of_what_is_known_nothing_more_is_told(prior: float, measures: tuple[float, ...]) -> None:
    """A prior of 0 or 1 leaves no bits unknown."""
    (answer,) = answer_measures(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}), prior)

    assert (answer.entropy, answer.information, answer.true) == measures
