"""Of few respondents nothing is told, in whatever place of a report."""

import numpy as np
import pytest

from mining.domain.outcome import outcome
from mining.domain.warnings import words
from mining.engines.mine import Request
from privacy.design import Design
from tests.mining.designs import design_of, records_of


def of(design, codes, direct, **asked):
    request = Request(**{"min_support": 0.1, "min_confidence": 0.5, "least": 100, **asked})
    return outcome(lambda: [(codes, direct)], design, request)


@pytest.mark.parametrize(("few", "told"), [(99, False), (100, True)])
def test_true_answers_of_a_small_direct_group_are_not_shown(few, told):
    """Shares of the direct group are the truth of its members: 99 are too few of them, 100 are enough."""
    design = design_of("one block")
    codes, _ = records_of(design, n=2000)
    direct = np.arange(2000) < few
    codes[direct] = 1
    summary = of(design, codes, direct).summary
    assert [answer["direct"] for answer in summary["groups"]["answers"]] == [1.0] * 5 * told
    said = [sentence for sentence in words(summary["warnings"], 2000) if "compare the two groups" in sentence]
    assert said == [] if told else len(said) == 1
    assert told or summary["groups"]["alike"] is None


def test_groups_of_a_sampled_block_are_those_asked():
    """300 answered directly, but each was asked three of four items, and one was asked of 90: that one is left out."""
    design = design_of("sampled coin")
    codes, direct = records_of(design, n=3000)
    chosen = np.flatnonzero(direct & (codes[:, 3] != 255))
    asked = np.zeros(3000, dtype=bool)
    asked[chosen[:90]] = True
    keep = ~direct | asked | (codes[:, 3] == 255)
    answers = of(design, codes[keep], direct[keep]).summary["groups"]["answers"]
    assert [answer["answer"] for answer in answers] == ["a", "b", "c"]


def test_without_two_groups_nothing_is_missed():
    """Where nobody may answer directly there is nothing to compare, and no word about it."""
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.4}]}]})
    codes, direct = records_of(design, n=500)
    assert of(design, codes, direct).summary["warnings"] == []
