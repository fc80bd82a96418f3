"""q is what it says: of independent answers hardly a survey shows an association, whatever the threshold lets in."""

import numpy as np
import pytest

from mining.engines.literals import literals_of
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.reconstruct.discoveries import q_values
from tests.cases import first

SURVEYS = 200


def design_of(items, **block):
    return Design.parse({"direct": True, "blocks": [block | {"items": [{"id": i, "theta": 0.6} for i in items]}]})


def mined_surveys(design, shares, request, n, surveys=SURVEYS):
    """One mined survey after the other: answers independent, or of two latent groups with shares of their own."""
    for seed in range(surveys):
        chance = np.random.default_rng(seed)
        group = (chance.random(n) < 0.5).astype(int)
        answers = (chance.random((n, len(design.items))) < np.array(shares)[group][:, None]).astype(np.uint8)
        direct = chance.random(n) < 0.2
        yield mine([(disguise(design, answers, direct, words_from_seed(seed)).codes, direct)], design, request)


@pytest.mark.parametrize(("support", "surveys"), first(1, [(0.1, 60), (0.1, SURVEYS), (0.15, SURVEYS)]))
def test_what_noise_lifts_over_the_threshold_is_no_discovery(support, surveys):
    """p = .3, θ = .6, k = .2, prevalence .3 and a threshold above the true support of a pair, .09.

    Only pairs that noise has lifted are reported, and p is small too often; all the same a q up to .05 comes up in no
    more surveys than promised (seeds 0 … 199; the margin is three standard errors).
    """
    design = design_of("abcdefgh", keep=0.3)
    low = tested = false = 0
    for mined in mined_surveys(design, (0.3, 0.3), MiningRequest(support, 0, 3, engine="bitset"), 2000, surveys):
        low += int((mined.rules.values["p"] < 0.05).sum())
        tested += len(mined.rules)
        false += bool((mined.rules.values["q"] < 0.05).any())
    assert low / tested > 0.055  # it is .1, give or take .01, where it ought to be .05
    assert false / surveys <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / surveys)


@pytest.mark.long
def test_small_groups_of_a_sampled_block_are_no_discovery():
    """Three of twelve questions each, 5 000 respondents: some 230 are asked the same pair, some 20 the same three."""
    design = design_of("abcdefghijkl", keep=0.5, ask=3)
    false = 0
    for mined in mined_surveys(design, (0.3, 0.3), MiningRequest(0.1, 0, 3, engine="bitset", least=100), 5000, 60):
        assert len(mined.rules) > 0
        false += bool((mined.rules.values["q"] < 0.05).any())
    assert false <= 6


def test_true_associations_are_still_found():
    """Answers that hang together: more than half of the pairs, and of the triples, have a q up to .05."""
    design = design_of("abcdefgh", keep=0.3)
    for mined in mined_surveys(design, (0.1, 0.6), MiningRequest(0.1, 0, 3, engine="bitset"), 5000, 5):
        assert (mined.rules.values["q"] < 0.05).mean() > 0.5


def test_the_hypotheses_are_every_split_that_could_have_been_reported():
    """Four yes/no items and one of three options: 4·3/2 pairs of the former, and 4·3 with an option, one split each."""
    items = [{"id": i, "theta": 0.6} for i in "abcd"] + [
        {"id": "age", "options": ["x", "y", "z"], "noise": [0.4, 0.4, 0.2]}
    ]
    assert literals_of(Design.parse({"blocks": [{"keep": 0.5, "items": items}]})).possible(2) == [1, 7, 18]


def test_what_has_no_p_takes_no_part():
    """Benjamini and Hochberg's step-up over those with a p; times the hypotheses, never above 1."""
    scaled = np.array([0.02, np.nan, 0.03, 5.0])
    assert q_values(scaled) == pytest.approx([0.015, np.nan, 0.015, 1.0], nan_ok=True)
