"""Words that are true of people with at least so many of their answers: chances, promise, figures."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.design.blocks.one_of.at_least import ThresholdRecords, weights_of
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE
from privacy.errors import InputError

ITEMS = "abcdef"


def entry(**other: Any) -> dict[str, Any]:
    """Single answers, at least two of four, and a loss word that takes the cap: what a person with two answers adds."""
    words: list[dict[str, Any]] = [{"word": one, "base": 3 / 128, "own": 15 / 128} for one in ITEMS]
    words += [{"word": ",".join(own), "least": 2, "base": 3 / 256, "own": 15 / 256} for own in combinations(ITEMS, 4)]
    loss = {"length": 0, "base": 15 / 128, "own": 75 / 128, "full": 1}
    return {"one-of": 60 / 128, "items": [*ITEMS], "words": words, "losses": [loss]} | other


def read(**other: Any) -> OneOfBlock:
    (block,) = Design.parse({"blocks": [entry(**other)]}).blocks
    assert isinstance(block, OneOfBlock)
    return block


def test_the_promise_is_kept_by_every_true_answer() -> None:
    """γ is no less than the largest quotient of chances, over all truths and all that is sent."""
    block = read()
    truths = np.array([*product((0, 1), repeat=len(ITEMS))])
    sent = block.numerators(truths)
    every = np.column_stack([sent, ONE - sent.sum(axis=1)])
    assert every.min() > 0
    most = max(Fraction(int(high), int(low)) for high, low in zip(every.max(axis=0), every.min(axis=0), strict=True))
    assert most <= block.gamma <= most * Fraction(10**6 + 1, 10**6)


def test_a_word_is_true_from_its_threshold_on() -> None:
    """Two of four answers are enough, one is not."""
    block = read()
    true = block.is_true(np.array([[1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]]))
    assert true.sum(axis=1).tolist() == [1, 2 + 6]


@pytest.mark.parametrize("pattern", [(0,), (2, 5)])
def test_figures_are_exact_up_to_two_answers(pattern: tuple[int, ...]) -> None:
    """By fractions, the mean of a record's weight is 1 where the pattern is true, else 0."""
    block = read()
    weights = weights_of(block, len(pattern))
    assert weights is not None
    of_words = [weights[len(word.parts), len({place for place, _ in word.parts} & {*pattern})] for word in block.words]
    for truth in product((0, 1), repeat=len(ITEMS)):
        if sum(truth) > 2:
            continue
        chances = block.numerators(np.array([truth]))[0].tolist()
        mean = sum(
            weight * Fraction(chance - word.base, ONE)
            for weight, chance, word in zip(of_words, chances, block.words, strict=False)
        )
        assert mean == all(truth[place] for place in pattern)


def test_a_threshold_stands_in_a_design_only_where_there_is_one() -> None:
    """Words of today are written as before, so designs keep their hashes."""
    written = Design.parse({"blocks": [entry()]}).to_json()["blocks"][0]["words"]
    assert [word.get("least") for word in written] == [None] * 6 + [2] * 15


@pytest.mark.parametrize("least", [0, 4, 5])
def test_a_threshold_is_below_the_number_of_answers(least: int) -> None:
    """All answers are the word of today, and more than all are never true."""
    words = entry()["words"]
    words[-1]["least"] = least
    with pytest.raises(InputError, match=rf"least is {least}: say how many of the 4 answers are enough"):
        read(words=words)


@pytest.mark.parametrize("pattern", [(0,), (2, 5)])
@pytest.mark.parametrize("code", [0, 1])
def test_the_truth_lies_between_a_figure_and_its_reach(pattern: tuple[int, ...], code: int) -> None:
    """For every true answer, and so for every population: intervals of a report rest on it."""
    block = read()
    literals = [(place, frozenset({code})) for place in pattern]
    records = ThresholdRecords(block)
    matches = np.array([block.records[:, place] == code for place in pattern])
    places = records.places_of(block.records, matches.T)[:, list(pattern)].T
    (figure,) = records.sub_patterns(literals, matches, places)[-1:]
    reach = records.reach(literals, matches, places)
    assert reach is not None
    assert reach.below == (code == 0)
    truths = np.array([*product((0, 1), repeat=len(ITEMS))])
    sent = block.numerators(truths) / ONE
    sent = np.column_stack([sent, 1 - sent.sum(axis=1)])
    mean, lost, true = sent @ figure, sent @ reach.lost, (truths[:, pattern] == code).all(axis=1)
    if code:
        assert (mean <= true + 1e-6).all()
        assert (true <= mean * (1 + reach.most_lost) + lost + 1e-6).all()
    elif len(pattern) == 1:
        assert (mean >= true - 1e-6).all()
        assert (true >= mean - (1 - mean) * reach.most_lost - lost - 1e-6).all()
