"""Of few respondents nothing is told, in whatever place of a report."""

import numpy as np
import pytest

from mining.domain.outcome import outcome
from mining.domain.warnings import words
from mining.engines.mine import Request
from privacy.design import NOT_ASKED, Design
from tests.mining.designs import KINDS, design_of, records_of


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


def test_itemsets_that_few_were_asked_are_left_out():
    """Three of twelve questions each: of 1 000 about 45 were asked a pair. No itemset and no rule of them is told."""
    block = {"keep": 0.5, "ask": 3, "items": [{"id": f"q{place}", "theta": 0.5} for place in range(12)]}
    design = Design.parse({"direct": True, "blocks": [block]})
    codes, direct = records_of(design, n=1000)
    made = of(design, codes, direct)
    assert made.columns.itemsets["n"].min() >= 100
    assert len(made.columns.items) == 12
    assert len(made.columns.itemset) == 0
    (said,) = [text for text in words(made.summary["warnings"], 1000) if "fewer than 100 respondents" in text]
    assert said.startswith("66 itemsets are left out, with every longer one")


def test_what_nobody_of_a_group_was_asked_is_said_to_be_so():
    """One direct respondent, asked a and b: the stratified estimator has no value for what holds c, and says why."""
    design = Design.parse({"direct": True, "blocks": [KINDS["sampled coin"][0] | {"ask": 2}]})
    codes, _ = records_of(design, n=3000)
    direct = np.zeros(3000, dtype=bool)
    direct[np.flatnonzero((codes[:, 0] != NOT_ASKED) & (codes[:, 1] != NOT_ASKED))[0]] = True
    lattice = of(design, codes, direct, min_support=0.01).done.lattice
    assert (lattice.unasked, lattice.unidentified) == (2, 0)
    lattice = of(design, codes, direct, min_support=0.01, estimator="pooled").done.lattice
    assert (lattice.unasked, lattice.unidentified) == (0, 0)


def test_what_the_disguise_has_destroyed_is_counted_apart():
    """Flips that turn over one of two answers half of the time: each is known, but not whether they go together."""
    design = Design.parse({"blocks": [{"flips": [0.35, 0.5, 0.15], "items": [{"id": "a"}, {"id": "b"}]}]})
    codes, direct = records_of(design, n=500)
    lattice = of(design, codes, direct).done.lattice
    assert (lattice.unasked, lattice.unidentified) == (0, 1)


def test_an_error_that_is_not_known_makes_an_itemset_weak():
    """Of three direct respondents one was asked all of a pair, which tells no spread: no error, p or q, a warning."""
    design = Design.parse({"direct": True, "blocks": [KINDS["sampled coin"][0] | {"ask": 2}]})
    codes, _ = records_of(design, n=3000)
    asked = codes != NOT_ASKED
    direct = np.zeros(3000, dtype=bool)
    for first, second in ((0, 1), (0, 2), (0, 3)):
        direct[np.flatnonzero(asked[:, first] & asked[:, second])[0]] = True
    made = of(design, codes, direct, min_confidence=0)
    unknown = np.flatnonzero(np.isnan(made.columns.itemsets["se"]))
    assert [",".join(made.columns.names(place)) for place in unknown] == ["b", "c", "d", "a,b", "a,c", "a,d"]
    assert np.isnan(made.columns.rules["p"]).all()
    assert np.isnan(made.columns.rules["q"]).all()
    (weak,) = [warning for warning in made.summary["warnings"] if warning["code"] == "weak"]
    assert (weak["count"], weak["of"], "needed" in weak) == (6, 7, False)
    assert words([weak], 3000)[0].endswith("below two standard errors.")
