"""A coin by γ: some questions are asked of each respondent, and their coin keeps as much as γ lets it."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import candor
from privacy.design import ONE, Design, blocks
from privacy.design.blocks import RECIPES, matrix
from privacy.design.blocks.by_gamma import KIND, GammaBlock, advise
from privacy.design.blocks.by_gamma.design import write_gamma
from privacy.design.brief import ExpectedItem
from privacy.design.gammas import of_matrix
from privacy.design.notation import DECIMAL, EXACT
from privacy.design.recipes import EnteredItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.guarantee.forged import effects_of_forgery
from privacy.plan import Brief, best_designs, errors_of_design, search
from privacy.records import Records
from privacy.regress import regression_of
from tests.privacy.regress.people import disguised
from tests.refusals import refusal_of

TEN = [f"o{place}" for place in range(10)]
ITEMS: list[dict[str, Any]] = [{"id": "drugs"}, {"id": "party", "options": TEN}]
BLOCK = {"by-gamma": 9, "ask": 1, "items": ITEMS}
HALVES, TENTHS = [ONE // 2] * 2, [ONE // 10 + 1] * 6 + [ONE // 10] * 4
EXACT_BLOCK = {
    "by-gamma": 9 * ONE,
    "ask": 1,
    "items": [{"id": "drugs", "options": ["0", "1"], "noise": HALVES}, ITEMS[1] | {"noise": TENTHS}],
}
DESIGN = Design.parse({"blocks": [BLOCK]})
SEVERAL = Design.parse(
    {
        "blocks": [
            {"by-gamma": 9, "ask": 2, "items": [{"id": "theft"}, ITEMS[0], {"id": "age", "options": list("vwxyz")}]}
        ]
    }
)
QUESTIONS = (
    ExpectedItem("drugs", ("0", "1"), (0.9, 0.1)),
    ExpectedItem("party", tuple(TEN), (0.28, *[0.08] * 9)),
)


def by_gamma(**own: Any) -> dict[str, Any]:
    return {"blocks": [BLOCK | own]}


def test_both_notations_state_the_gamma() -> None:
    """People write γ and the questions; what the browser reads has its numerator and the even noise as well."""
    assert DESIGN.to_json()["blocks"] == [BLOCK]
    assert DESIGN.document["blocks"] == [EXACT_BLOCK]
    assert Design.parse(DESIGN.document) == DESIGN


@pytest.mark.parametrize("gamma", [1.0001, 2.718281828, 9.4, 19, 65536])
def test_a_gamma_is_written_as_it_was_read(gamma: float) -> None:
    """The numerator is rounded down, so that no limit is passed, and leads back to what was written."""
    (block,) = Design.parse(by_gamma(**{"by-gamma": gamma})).blocks

    assert block.entry(DECIMAL)["by-gamma"] == gamma
    assert write_gamma(block.entry(EXACT)["by-gamma"]) == gamma
    assert block.gamma <= Fraction(repr(float(gamma)))


def test_each_question_keeps_what_gamma_lets_it() -> None:
    """8·½ over 1 + 8·½ is four fifths; the least of ten shares is .1, a little less, and keeps 4/9, a little less."""
    drugs, party = DESIGN.blocks[0].coins.values()

    assert drugs.keep == 4 * ONE // 5
    assert 0 <= Fraction(4, 9) - Fraction(party.keep, ONE) < Fraction(2, ONE)


def test_each_set_of_questions_keeps_what_gamma_lets_it() -> None:
    """Noise gives two yes/no answers with a quarter, and such an answer with one of five options with a tenth."""
    coins = SEVERAL.blocks[0].coins

    assert [*coins] == [(2, 2), (2, 5)]
    assert coins[2, 2].keep == 2 * ONE // 3
    assert 0 <= Fraction(4, 9) - Fraction(coins[2, 5].keep, ONE) < Fraction(2, ONE)


@pytest.mark.parametrize("design", [DESIGN, SEVERAL], ids=["one asked", "two asked"])
def test_all_that_may_be_asked_has_the_stated_gamma_by_its_matrix(design: Design) -> None:
    """In exact fractions over all answers: at most 9, and below it by no more than steps of 2^-32 leave."""
    gammas = [of_matrix(matrix(coin)) for coin in design.blocks[0].coins.values()]

    assert all(0 <= 9 - gamma < Fraction(1, 10**7) for gamma in gammas)
    assert max(gammas) == design.gamma


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (by_gamma(**{"by-gamma": 1}), "blocks[0].by-gamma: 1 is not above 1; at 1 nothing can be learned."),
        (by_gamma(**{"by-gamma": 65537}), "blocks[0].by-gamma: 65537 is above 65536."),
        (by_gamma(**{"by-gamma": "x"}), "blocks[0].by-gamma: 'x' is not a number."),
        (by_gamma(**{"by-gamma": 1.000000001}), "blocks[0].by-gamma: with this γ nothing would be kept of 'party'."),
        (by_gamma(ask=3), "blocks[0].ask: 3 is not from 1 to the 2 items of the block."),
        (
            by_gamma(
                ask=7, items=[{"id": f"q{size}", "options": [str(o) for o in range(size)]} for size in range(2, 22)]
            ),
            "blocks[0].ask: these questions make too many kinds of sets; ask fewer of them.",
        ),
        (
            by_gamma(
                ask=20, items=[{"id": f"q{size}", "options": [str(o) for o in range(size)]} for size in range(2, 42)]
            ),  # 10¹¹ of them, which nobody counts one by one
            "blocks[0].ask: these questions make too many kinds of sets; ask fewer of them.",
        ),
        (
            by_gamma(items=[{"id": "a", "theta": 0.5}]),
            "blocks[0].items[0]: the key 'theta' is unknown here; known keys are id, options.",
        ),
        (
            {
                "candor": 1,
                "direct": False,
                "of": ONE,
                "blocks": [EXACT_BLOCK | {"items": [EXACT_BLOCK["items"][0] | {"noise": [1, ONE - 1]}]}],
            },
            "blocks[0].items[0].noise: that of 'drugs' is not even.",
        ),
    ],
)
def test_what_a_coin_by_gamma_cannot_be_is_refused_in_one_sentence(source: dict[str, Any], said: str) -> None:
    """The sentence names the field, the value and the rule."""
    assert refusal_of(lambda: Design.parse(source)) == said


ANSWERS = {
    "drugs": (0.9, 0.1),
    "party": (0.28, *[0.08] * 9),
    "theft": (0.7, 0.3),
    "age": (0.4, *[0.15] * 4),
}


def people(design: Design, n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shares = [ANSWERS[item.id] for item in design.items]
    return np.stack([rng.choice(len(own), n, p=own) for own in shares], axis=1).astype(np.uint8)


SHARES = {"drugs": 0.1, "party=o0": 0.28, "party=o5": 0.08}
PAIRS = {"drugs": 0.1, "age=v": 0.4, "age=w": 0.15, "theft,drugs": 0.03, "drugs,age=v": 0.04, "theft,age=w": 0.045}


@pytest.mark.parametrize("surveys", [40, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize(("design", "shares"), [(DESIGN, SHARES), (SEVERAL, PAIRS)], ids=["one asked", "two asked"])
def test_estimates_meet_the_truth_with_the_error_that_is_promised(
    design: Design, shares: dict[str, float], surveys: int
) -> None:
    """Surveys of 2 000 (seeds from 7 on): means within 4.5 standard errors of the truth, errors within 4.5 of theirs.

    What is printed as the error, what the forecast promised and how the estimates spread are one figure.
    """
    n, found, printed = 2000, [], []
    for seed in range(7, 7 + surveys):
        records = disguise(design, people(design, n, seed), take=words_from_seed(seed))
        report = candor.reconstruct(records, list(shares))
        found.append([one.support for one in report.patterns])
        printed.append([one.se for one in report.patterns])
    means, spread, said = np.mean(found, axis=0), np.std(found, axis=0, ddof=1), np.mean(printed, axis=0)

    assert np.all(abs(means - list(shares.values())) < 4.5 * spread / surveys**0.5)
    assert np.all(abs(spread / said - 1) < 4.5 / (2 * surveys) ** 0.5)
    questions = tuple(ExpectedItem(item.id, item.options, ANSWERS[item.id]) for item in design.items)
    length = 1 + ("," in [*shares][-1])
    expected = errors_of_design(design, Brief(questions, n, Fraction(9), length)).expected
    # Of an option that is not the commonest, which is what all others leave.
    assert said[2] == pytest.approx(expected[0], rel=0.02)
    assert said[-1] == pytest.approx(expected[-1], rel=0.03)


def test_records_of_coins_that_keep_more_count_more() -> None:
    """By hand, of three people each asked theft, with the other yes/no question or with the age.

    Their coins keep a = 2/3 and b = 4/9. Yes, no and yes less ½ each: (½a − ½a + ½b)/(a² + a² + b²) above ½.
    """
    asked = [[1, 1, 255], [0, 1, 255], [1, 255, 3]]
    (theft,) = candor.reconstruct(Records(SEVERAL, np.array(asked, np.uint8), np.zeros(3, bool)), ["theft"]).patterns

    assert theft.support == pytest.approx(0.5 + (2 / 9) / (2 * (2 / 3) ** 2 + (4 / 9) ** 2), abs=1e-8)


@pytest.mark.parametrize(("design", "shares"), [(DESIGN, SHARES), (SEVERAL, PAIRS)], ids=["one asked", "two asked"])
def test_mining_finds_the_shares_of_the_report(design: Design, shares: dict[str, float]) -> None:
    """Itemsets have the support that the report of the same records prints, and its error by n − 1 in place of n."""
    records = disguise(design, people(design, 8000, 2), take=words_from_seed(2))
    mined = candor.mine(records, min_support=0.01).itemsets
    report = candor.reconstruct(records, list(shares)).patterns
    found = {one.itemset: (one.support, one.se) for one in mined.itertuples()}

    assert {name: found[name] for name in shares} == {
        one.pattern: (pytest.approx(one.support, rel=1e-9), pytest.approx(one.se, rel=1e-4)) for one in report
    }


def test_a_forged_record_moves_a_share_by_the_largest_weight() -> None:
    """By hand: a yes with the coin a = 2/3, where a² and b², b = 4/9, are as likely: ½a by their mean, asked of 2/3.

    A true no moves as far to the other side.
    """
    a, b = 2 / 3, 4 / 9
    weight = 0.5 * a / ((a**2 + b**2) / 2) / (2 / 3)
    (single, _pair) = effects_of_forgery(SEVERAL, 1000)

    assert single.shift >= (weight + 0.5 / (2 / 3)) / 1000 * (1 - 1e-6)


def test_a_regression_takes_the_coin_of_each_question() -> None:
    """Party o0 is .2 more common where a column says so, and drugs .3: both within 4.5 standard errors (seed 3)."""
    rng, n = np.random.default_rng(3), 20_000
    town = (rng.random(n) < 0.5).astype(float)
    truth = {"drugs": rng.random(n) < 0.1 + 0.3 * town, "party": 9 * (rng.random(n) > 0.2 + 0.2 * town)}
    respondents = disguised(DESIGN, truth, {"town": town}, 3)

    for outcome, slope in (("drugs", 0.3), ("party=o0", 0.2)):
        found = regression_of(respondents, outcome, ["town"], "linear").coefficients[1]
        assert abs(found.estimate - slope) < 4.5 * found.se


@pytest.mark.parametrize(("family", "slope"), [("linear", 0.3), ("logistic", np.log(0.5 / 0.5 / (0.2 / 0.8)))])
def test_a_regression_takes_the_coin_of_what_was_asked(family: str, slope: float) -> None:
    """Of people who steal half are of the first age, of others a fifth: within 4.5 standard errors (seed 5).

    The mean of both coins, where one was kept, would be wrong by half.
    """
    rng, n = np.random.default_rng(5), 30_000
    theft = rng.random(n) < 0.3
    first = rng.random(n) < np.where(theft, 0.5, 0.2)
    truth = {"theft": theft, "drugs": rng.random(n) < 0.1, "age": np.where(first, 0, rng.integers(1, 5, n))}
    respondents = disguised(SEVERAL, truth, {}, 5)

    found = regression_of(respondents, "age=v", ["theft"], family).coefficients[1]
    assert abs(found.estimate - slope) < 4.5 * found.se
    assert found.se < abs(slope) / 4


@pytest.mark.parametrize(
    ("sizes", "length", "gamma", "part"),
    [
        ((2, 10), 1, 9, 0.54),
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in [
                ((4, 10), 1, 9, 0.48),
                ((2, 10), 1, 19, 0.71),
                ((4, 10), 1, 19, 0.62),
                ((2, 2, 2, 10), 1, 9, 0.59),
                ((2, 2, 2, 10), 1, 19, 0.59),
                ((2,) * 9 + (10,), 1, 9, 0.70),
                ((2,) * 9 + (10,), 1, 19, 0.59),
                ((2, 2, 2, 2, 6), 1, 9, 0.65),
                ((2, 2, 2, 2, 6), 1, 19, 0.61),
                ((2, 2, 6), 2, 9, 0.56),
                ((2, 2, 6), 2, 19, 0.70),
                ((2, 2, 2, 2, 6), 2, 9, 0.47),
                ((2, 2, 2, 2, 6), 2, 19, 0.56),
                ((2, 2, 4, 4, 10), 2, 9, 0.19),
            ]
        ),
    ],
)
def test_the_advisor_takes_it_for_unlike_questions(
    sizes: tuple[int, ...], length: int, gamma: int, part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs this part of the people of what is advised without it, where options are alike."""
    questions = tuple(
        ExpectedItem(f"q{place}", tuple(f"o{code}" for code in range(size)), (1 / size,) * size)
        for place, size in enumerate(sizes)
    )
    brief = Brief(questions, 10_000, Fraction(gamma), length)
    monkeypatch.setattr(advise, "most_sets", lambda *_: 0)  # a coin that names several may be better
    search._leading.cache_clear()
    advice = best_designs(brief)
    winner = min(advice.winners, key=advice.error)
    (block,) = winner.design.blocks
    search._leading.cache_clear()
    monkeypatch.setattr(blocks, "ADVISORS", [one for one in blocks.ADVISORS if one is not KIND.advisor])
    before = best_designs(brief)
    least = min(map(before.error, before.winners))

    assert isinstance(block, GammaBlock)
    assert block.gamma <= gamma
    assert (advice.error(winner) / least) ** 2 == pytest.approx(part, abs=0.01)


def test_what_is_entered_for_it_makes_its_block() -> None:
    """The recipe writes the block that the advisor made."""
    (winner,) = best_designs(Brief(QUESTIONS, 10_000, Fraction("9.4"), 1)).winners
    (planned,) = winner.plan
    name, settings = planned.as_recipe(winner.design.blocks[0])
    recipe = RECIPES[name]
    items = [
        recipe.write_item(settings, EnteredItem(one.id, None if one.boolean else one.options, {}))
        for one in winner.design.items
    ]

    assert settings == {"stated": 9.4, "ask": 1}
    assert Design.parse({"candor": 1, "blocks": recipe.write(settings, items)}).blocks == winner.design.blocks
