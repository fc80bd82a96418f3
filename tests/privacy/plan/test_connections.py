"""How likely connections are found, in closed form, against the algebra of one coin and against simulated surveys."""

import math

import numpy as np
import pytest
from scipy.stats import norm

import candor
from mining.engines.mine import mine
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.plan.connections import connections, expects_none, roughly


def design_of(items, **block):
    return Design.parse({"blocks": [block | {"items": [{"id": name, "theta": 0.5} for name in items]}]})


def test_open_answers_have_the_power_of_the_textbook():
    """With p = 1 the leverage of a pair has the error of a phi coefficient; 3 pairs make 3 tests.

    The influence of one respondent on the leverage is (x − a)(y − c), and the truth has correlation .3.
    """
    design = design_of("abc", keep=1.0)
    pair = connections(Design(design.blocks, direct=True), 200)[0]

    a = 0.3
    both = a * a + 0.3 * a * (1 - a)
    cells = {(1, 1): both, (1, 0): a - both, (0, 1): a - both, (0, 0): 1 - 2 * a + both}
    square = sum(share * ((x - a) * (y - a)) ** 2 for (x, y), share in cells.items())
    leverage = both - a * a
    ratio = leverage / math.sqrt(square - leverage**2)
    critical = norm.isf(0.05 / 3 / 2)
    assert pair.chance == pytest.approx(norm.cdf(math.sqrt(200) * ratio - critical), rel=1e-9)
    assert (pair.among_those, pair.among_all) == pytest.approx((both / a, a))
    assert pair.needed == math.ceil(((critical + norm.ppf(0.8)) / ratio) ** 2)


@pytest.mark.parametrize("pairs", [1, 3, 100])
def test_pairs_of_a_report_are_tested_with_the_error_of_independent_answers(pairs):
    """By Rao's score test z counts σ₀ = a(1 − a), the power divides by σ; where one pair is tested, z of σ decides."""
    a, leverage = 0.05, 0.3 * 0.05 * 0.95
    both = a * a + leverage
    cells = {(1, 1): both, (1, 0): a - both, (0, 1): a - both, (0, 0): 1 - 2 * a + both}
    error = math.sqrt(sum(p * ((x - a) * (y - a)) ** 2 for (x, y), p in cells.items()) - leverage**2)
    needed = max(norm.isf(0.05 / pairs / 2) * a * (1 - a), norm.isf(0.05 / 2) * error)

    shares = dict.fromkeys("abc", (1 - a, a))
    design = Design(design_of("abc", keep=1.0).blocks, direct=True)
    pair = connections(design, 300, shares=shares, looked_at=pairs)[0]

    assert pair.chance == pytest.approx(norm.cdf((math.sqrt(300) * leverage - needed) / error), rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(
    ("design", "n", "direct_share", "length", "surveys"),
    [
        (design_of("abc", keep=0.5), 900, 0.3, 3, 150),
        pytest.param(design_of("abc", keep=0.5), 900, 0.0, 2, 150, marks=pytest.mark.long),
        pytest.param(design_of("abcdef", keep=0.7, ask=3), 2500, 0.0, 2, 150, marks=pytest.mark.long),
    ],
)
def test_simulated_surveys_find_as_many_as_was_said(design, n, direct_share, length, surveys):
    """The planted rule passes its own test among all tests as often as computed, within 4.5 standard errors."""
    design = Design(design.blocks, direct=True)
    (one,) = (each for each in connections(design, n, direct_share=direct_share) if each.length == length)
    others = (0.3 - 0.3 ** (length - 1) * one.among_those) / (1 - 0.3 ** (length - 1))
    hits = 0
    for seed in range(surveys):
        lot = np.random.default_rng(seed)
        answers = (lot.random((n, len(design.items))) < 0.3).astype(np.uint8)
        given = answers[:, : length - 1].all(axis=1)
        answers[:, length - 1] = lot.random(n) < np.where(given, one.among_those, others)
        direct = lot.random(n) < direct_share
        request = MiningRequest(0.001, 0, 3, engine="bitset")
        mined = mine([(disguise(design, answers, direct, words_from_seed(seed)).codes, direct)], design, request)
        hits += _passes(mined, list(range(length)))
    assert hits / surveys == pytest.approx(one.chance, abs=4.5 * math.sqrt(one.chance * (1 - one.chance) / surveys))


@pytest.mark.long
def test_simulated_surveys_by_a_list_of_words_find_as_many_as_was_said():
    """Ten answers of .1 and a cap of three, which leave little of a leverage: .8 is said, within three errors of 60.

    Where nothing that people above the cap lose was counted, 21 000 people were said to be enough: .1 found it.
    """
    names = [f"q{number}" for number in range(10)]
    design = candor.models.one_of(names, gamma=19, cap=3, longest=2, direct=False)
    (pair,) = connections(design, 33_729, shares=dict.fromkeys(names, (0.9, 0.1)), longest=2, looked_at=45)
    others = (0.1 - 0.1 * pair.among_those) / 0.9
    lot, hits = np.random.default_rng(61), 0
    for seed in range(60):
        answers = (lot.random((33_729, 10)) < 0.1).astype(np.uint8)
        answers[:, 1] = lot.random(33_729) < np.where(answers[:, 0], pair.among_those, others)
        records = disguise(design, answers, np.zeros(33_729, bool), words_from_seed(seed))
        rules = candor.mine(records, 0.0005, 0.0005, max_length=2).rules
        both = rules.antecedent.isin(["q0", "q1"]) & rules.consequent.isin(["q0", "q1"])
        hits += bool((rules.q[both] < 0.05).any())
    assert pair.chance == pytest.approx(0.8, abs=0.001)
    assert hits / 60 == pytest.approx(pair.chance, abs=3 * math.sqrt(0.8 * 0.2 / 60))


def _passes(mined, rule):
    accepted = np.concatenate([level.accepted for level in mined.lattice.levels])
    itemsets = [row for level in mined.lattice.levels for row in level.items.tolist()]
    if rule not in itemsets or not accepted[itemsets.index(rule)]:
        return False
    rank = int(accepted[: itemsets.index(rule)].sum())
    (own,) = np.flatnonzero((mined.rules.itemset == rank) & (mined.rules.antecedent == 2 ** (len(rule) - 1) - 1))
    tests = (2 ** (len(rule) - 1) - 1) * mined.literals.possible(3)[len(rule)] * 2
    return mined.rules.values["p"][own] * tests <= 0.05


def test_items_apart_are_looked_through_and_go_with_none():
    """Two answers that nobody and everybody gives, with which nothing can go, make no link of the others harder."""
    names = [*"abcde", "never", "always"]
    shares = dict.fromkeys(names, (0.9, 0.1))
    anchors = {"never": (0.995, 0.005), "always": (0.005, 0.995)}

    alike = connections(design_of(names, keep=0.5, ask=4), 1000, shares=shares)
    beside = connections(design_of(names, keep=0.5, ask=4), 1000, shares=shares | anchors, apart=tuple(anchors))

    assert [(one.length, one.needed) for one in beside] == [(one.length, one.needed) for one in alike]


def test_too_few_who_are_asked_everything_are_told_nothing_of():
    """Of 900 some 30 are asked three of ten questions each; where 100 are the least, no number below 12 000 will do."""
    design = design_of("abcdefghij", keep=0.9, ask=3)
    (pair, triple) = connections(design, 900, least=100)
    assert (pair.chance, triple.chance) == (0.0, 0.0)
    assert triple.needed is not None
    assert triple.needed >= 12_000


def test_more_answers_than_anybody_is_asked_are_no_rule_to_wait_for():
    """Two of five questions are asked: there are rules of two answers alone."""
    flips = {"flips": [0.7, 0.2, 0.1], "ask": 2, "items": [{"id": name} for name in "abcde"]}
    for design in (design_of("abcde", keep=0.7, ask=2), Design.parse({"blocks": [flips]})):
        assert [one.length for one in connections(design, 1000)] == [2]


def test_answers_of_which_nothing_is_left_are_never_found():
    """These flips keep every answer, and turn its pairs to noise: no number of respondents helps."""
    flips = {"flips": [0.25, 0.5, 0.25], "items": [{"id": "a"}, {"id": "b"}]}
    design = Design.parse({"direct": True, "blocks": [flips]})
    (pair,) = connections(design, 1000)
    assert (pair.chance, pair.needed) == (0.0, None)
    assert expects_none([pair])


def test_a_number_of_respondents_is_told_in_two_digits():
    """7 554 is about 7 600; nobody knows it better."""
    assert [roughly(count) for count in (7, 99, 101, 7554)] == [7, 99, 110, 7600]


@pytest.mark.parametrize("strength", [0.0, 1.5, math.nan])
def test_a_strength_that_is_no_correlation_is_refused(strength):
    """Only what lies above 0 and up to 1 is one."""
    with pytest.raises(InputError, match="strength"):
        connections(design_of("ab", keep=0.5), 100, strength=strength)


def test_links_of_options_are_forecast_for_the_rarest() -> None:
    """Nobody looks for a link of the answer that nearly all give: of yes/no questions it is yes, too."""
    names = [f"q{place}" for place in range(10)]
    asked = {"respondents": 10_000, "gamma": 19, "prevalence": 0.05}
    of_items = candor.advise(names, **asked).connections
    of_choices = candor.advise({name: ["no", "yes"] for name in names}, **asked).connections

    links = [[(one.among_all, one.among_those) for one in made] for made in (of_items, of_choices)]
    assert links[0][0] == pytest.approx((0.05, 0.335))
    assert np.array(links[1]) == pytest.approx(np.array(links[0]))
