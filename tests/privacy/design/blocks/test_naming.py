"""A coin by γ that names several: a device sends a set of answers, in which the person's own are more often."""

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import ONE, Design
from privacy.design.blocks import RECIPES
from privacy.design.blocks.by_gamma import advise
from privacy.design.blocks.by_gamma.naming import NamingBlock, coin_like, points_for, points_of, signal_of
from privacy.design.brief import ExpectedItem
from privacy.design.gammas import of_matrix
from privacy.design.recipes import EnteredItem
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.guarantee.forged import effects_of_forgery
from privacy.guarantee.sentences import explain
from privacy.plan import Brief, best_designs, errors_of_design, search
from privacy.plan.choice import DesignChoice
from privacy.records import Records
from privacy.records.packing import pack, unpack
from privacy.regress import regression_of
from tests.codes import NOT_ASKED
from tests.privacy.regress.people import disguised
from tests.refusals import refusal_of

TEN = [f"o{place}" for place in range(10)]
PARTY: dict[str, Any] = {"id": "party", "options": TEN}
AGE: dict[str, Any] = {"id": "age", "options": list("uvwxyz")}
TOWN: dict[str, Any] = {"id": "town", "options": list("abcdef")}


def naming(names: int, *items: dict[str, Any], gamma: float = 9, **own: Any) -> dict[str, Any]:
    return {"blocks": [{"names": names, "by-gamma": gamma, **own, "items": list(items)}]}


ONE_QUESTION = Design.parse(naming(3, PARTY, gamma=2.718281828))
PAIR = Design.parse(naming(4, AGE, TOWN))
SAMPLED = Design.parse(naming(3, {"id": "theft"}, AGE, TOWN, ask=2))
DESIGNS = {"one question": ONE_QUESTION, "a pair": PAIR, "two of three": SAMPLED}
SHARES = {
    "party": (0.28, *[0.08] * 9),
    "age": (0.4, *[0.12] * 5),
    "town": (0.25, *[0.15] * 5),
    "theft": (0.7, 0.3),
}
each = pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)


def people(design: Design, n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng([1, seed])  # no words of the disguise
    shares = [SHARES[item.id] for item in design.items]
    return np.stack([rng.choice(len(own), n, p=own) for own in shares], axis=1).astype(np.uint8)


def surveyed(design: Design, n: int, seed: int) -> Records:
    return disguise(design, people(design, n, seed), take=words_from_seed(seed))


@pytest.mark.parametrize(("cells", "named"), [(4, 2), (10, 3), (20, 2), (20, 3), (34, 4), (36, 4), (100, 10)])
def test_any_two_points_are_together_in_as_many_sets(cells: int, named: int) -> None:
    """Of d points of Q, prime or not, each is in d·(Q − 1)/2 sets, each pair in d·(d − 1)/2; no set has one twice."""
    coin = next(iter(Design.parse(naming(named, {"id": "a", "options": [*map(str, range(cells))]})).blocks))
    assert isinstance(coin, NamingBlock)
    (own,) = coin.coins.values()
    sets = points_of(np.arange(own.sets), own.points, named)
    inside = (sets[:, :, np.newaxis] == np.arange(own.points)).sum(axis=1)
    together = inside.T @ inside

    assert {*np.diag(together).tolist()} == {named * (own.points - 1) // 2}
    assert {*together[~np.eye(own.points, dtype=bool)].tolist()} == {named * (named - 1) // 2}
    assert inside.max() == 1


@pytest.mark.parametrize(("cells", "named"), [(8, 3), (10, 3), (20, 2)])
def test_every_set_is_drawn_as_often(cells: int, named: int) -> None:
    """Of all words: each set with the true answer comes once, and each without it; also on 9 and 21 points."""
    design = Design.parse(naming(named, {"id": "a", "options": [*map(str, range(cells))]}))
    (coin,) = design.blocks[0].coins.values()
    steps = range((coin.points - 1) // 2)
    inside = [(0, near, 0, step) for near in range(named) for step in steps]
    outside = [(ONE - 1, 0, far, step) for far in range(coin.points - named) for step in steps]
    words = np.array(inside + outside, np.uint64).T
    truth = np.full((len(inside + outside), 1), cells - 2, np.uint8)
    drawn = iter(words)
    numbers = disguise(design, truth, take=lambda _count: next(drawn)).codes[:, 0].astype(int)
    holds = (points_of(np.arange(coin.sets), coin.points, named) == cells - 2).any(axis=1)

    assert sorted(numbers[: len(inside)]) == np.flatnonzero(holds).tolist()
    assert sorted(numbers[len(inside) :]) == np.flatnonzero(~holds).tolist()


def test_a_set_is_its_number() -> None:
    """By hand: number 0 has step 1 and begins at 0; 12, of 11 points, has step 2 and begins at 1."""
    assert points_of(np.array([0, 12]), 11, 3).tolist() == [[0, 1, 2], [1, 3, 5]]
    assert [points_for(cells, 4) for cells in (8, 9, 34, 36, 100)] == [11, 11, 35, 37, 101]
    assert [points_for(20, named) for named in (2, 3, 4, 6)] == [21, 21, 23, 23]


@pytest.mark.parametrize("cells", [2, 4, 10])
def test_a_coin_names_one(cells: int) -> None:
    """What a record of one named cell tells is what a coin a tells: a², a³ and a²(1 − a)."""
    a = 8 / (8 + cells)

    assert signal_of(9.0, cells, 1) == pytest.approx((a**2, a**3, a**2 * (1 - a)))
    assert coin_like(signal_of(9.0, cells, 1), 0.2) == pytest.approx((a, 0.2))


@each
def test_gamma_is_exact_over_all_truths(design: Design) -> None:
    """In exact fractions, over all answers and all sets: at most what is stated, and above it less steps of 2^-32."""
    (block,) = design.blocks
    assert isinstance(block, NamingBlock)
    gammas = []
    for _, here, _ in block.asked:
        truths = product(*(range(block.kinds[place]) for place in here))
        records = list(product(range(block.items[0].numbers), repeat=len(here)))
        matrix = [[block.chance(here, truth, sent) for sent in records] for truth in truths]
        assert {sum(row) for row in matrix} == {1}
        gammas.append(of_matrix(matrix))

    stated = Fraction(block.stated, ONE)
    assert max(gammas) == design.gamma == max(block.item_odds(place) for place in range(len(block.items)))
    assert all(0 <= stated - gamma < Fraction(1, 10**7) for gamma in gammas)


def test_records_hold_the_number_of_a_set() -> None:
    """Of 36 pairs 4 are named, of 37 points: 666 sets, in two digits below 26; of 10 answers one number below 55."""
    assert [field.size for field in PAIR.fields] == [26, 26]
    assert [field.size for field in ONE_QUESTION.fields] == [55]
    assert ONE_QUESTION.answer_fields[0].scales == (tuple(TEN),)


def test_both_notations_say_how_many_are_named() -> None:
    """People write d and γ beside the questions; without `names` a design is what it was."""
    assert PAIR.to_json()["blocks"] == naming(4, AGE, TOWN)["blocks"]
    assert PAIR.document["blocks"][0]["names"] == 4
    assert Design.parse(PAIR.document) == PAIR
    assert type(Design.parse({"blocks": [{"by-gamma": 9, "items": [AGE]}]}).blocks[0]) is not NamingBlock


TOO_MANY = "blocks[0].names: {} is not from 2 to half of what one may answer together, at most 256 answers."


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (naming(1, PARTY), TOO_MANY.format(1)),
        (naming(6, PARTY), TOO_MANY.format(6)),
        (naming(3, {"id": "theft"}, PARTY, ask=1), TOO_MANY.format(3)),
        (naming(9, *({"id": name, "options": TEN} for name in "abc")), TOO_MANY.format(9)),
        (naming(2, *({"id": f"q{place}", "options": TEN} for place in range(12)), ask=2), TOO_MANY.format(2)),
        (naming(2.5, PARTY), "blocks[0].names: 2.5 is not a whole number."),  # type: ignore[arg-type]
        (naming(3, PARTY, ask=2), "blocks[0].ask: 2 is not from 1 to the 1 items of the block."),
        (naming(3, PARTY, ask=-1), "blocks[0].ask: -1 is not from 1 to the 1 items of the block."),
        (naming(3, PARTY, ask=10**18), f"blocks[0].ask: {10**18} is not from 1 to the 1 items of the block."),
        (naming(3, PARTY, gamma=1), "blocks[0].by-gamma: 1 is not above 1; at 1 nothing can be learned."),
        (naming(3, PARTY, keep=1), "blocks[0]: the key 'keep' is unknown here; known keys are by-gamma, ask, items."),
    ],
)
def test_what_cannot_be_named_is_refused_in_one_sentence(source: dict[str, Any], said: str) -> None:
    """The sentence names the field, the value and the rule."""
    assert refusal_of(lambda: Design.parse(source)) == said


PATTERNS = {
    "one question": {"party=o0": 0.28, "party=o1": 0.08},
    "a pair": {"age=u": 0.4, "town=b": 0.15, "age=u,town=a": 0.1, "age=v,town=c": 0.018},
    "two of three": {"age=u": 0.4, "theft": 0.3, "town=b": 0.15, "theft,age=v": 0.036, "age=v,town=c": 0.018},
}


@pytest.mark.parametrize("surveys", [40, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", DESIGNS)
def test_estimates_meet_the_truth_with_the_error_that_is_promised(name: str, surveys: int) -> None:
    """Surveys of 2 000 (seeds from 7 on): means within 4.5 standard errors of the truth, errors within 4.5 of theirs.

    What is printed as the error, what the forecast promised and how the estimates spread are one figure.
    """
    design, shares, n = DESIGNS[name], PATTERNS[name], 2000
    found, printed = [], []
    for seed in range(7, 7 + surveys):
        report = candor.reconstruct(surveyed(design, n, seed), list(shares))
        found.append([one.support for one in report.patterns])
        printed.append([one.se for one in report.patterns])
    means, spread, said = np.mean(found, axis=0), np.std(found, axis=0, ddof=1), np.mean(printed, axis=0)

    assert np.all(abs(means - list(shares.values())) < 4.5 * spread / surveys**0.5)
    assert np.all(abs(spread / said - 1) < 4.5 / (2 * surveys) ** 0.5)
    questions = tuple(ExpectedItem(item.id, item.options, SHARES[item.id]) for item in design.items)
    length = min(2, len(questions))
    expected = errors_of_design(design, Brief(questions, n, Fraction(9), length)).expected
    # Of options that are not the commonest, which are what all others leave.
    errors = dict(zip(shares, said, strict=True))
    alone = max(errors[one] for one in errors if one in ("party=o1", "town=b", "theft"))
    assert alone == pytest.approx(expected[0], rel=0.03)
    assert max(errors.get(one, 0.0) for one in ("party=o1", "theft,age=v", "age=v,town=c")) == pytest.approx(
        expected[-1], rel=0.05
    )


def test_an_answer_is_named_as_often_as_its_share_says() -> None:
    """By hand: with all 7 options of a question on 7 points a share is (the records that name it − q) / (p − q)."""
    design = Design.parse(naming(2, {"id": "day", "options": list("abcdefg")}, gamma=3))
    (coin,) = design.blocks[0].coins.values()
    records = disguise(
        design, np.arange(7)[:, np.newaxis].repeat(300, axis=0).astype(np.uint8), take=words_from_seed(1)
    )
    named = (points_of(records.codes[:, 0].astype(int), 7, 2) == 3).any(axis=1).mean()
    (day,) = candor.reconstruct(records, ["day=d"]).patterns
    p, q = Fraction(6, 11), (2 - Fraction(6, 11)) / 6

    assert 0 <= p - Fraction(coin.inside, ONE) < Fraction(1, ONE)
    assert coin.other - q < Fraction(1, ONE)
    assert (day.support, day.observed) == (pytest.approx((named - float(q)) / float(p - q), abs=1e-7), None)
    assert day.se == pytest.approx((named * (1 - named) / 2100) ** 0.5 / float(p - q), rel=1e-6)


@each
def test_mining_and_tables_have_the_figures_of_the_report(design: Design) -> None:
    """Itemsets have the support that the report of the same records prints, and its error by n − 1 in place of n."""
    records = surveyed(design, 6000, 2)
    columns = [item.id for item in design.items][-2:]
    names = [f"{column}={option}" for column in columns for option in design.items[design.column(column)].options]
    pairs = [",".join(pair) for pair in combinations(names, 2) if pair[0].split("=")[0] != pair[1].split("=")[0]]
    mined = candor.mine(records, min_support=0.05).itemsets
    found = {one.itemset: (one.support, one.se) for one in mined.itertuples()}
    report = {one.pattern: (one.support, one.se) for one in candor.reconstruct(records, names + pairs).patterns}
    table = candor.table(records, columns)

    assert {name for name in report if report[name][0] > 0.06} <= found.keys()
    for name in found.keys() & report.keys():
        assert found[name] == (pytest.approx(report[name][0], rel=1e-9), pytest.approx(report[name][1], rel=1e-3))
    assert table.support.sum() == pytest.approx(1)
    for name, cell in zip(pairs or names, np.ndindex(table.support.shape), strict=True):
        assert (table.support[cell], table.se[cell]) == pytest.approx(report[name], rel=1e-9)


def test_direct_answers_are_read_as_they_are() -> None:
    """Where some answer directly their records hold the place of the option, and count for themselves."""
    design = Design.parse({"direct": True, **naming(3, PARTY)})
    truth, direct = people(design, 4000, 5), np.arange(4000) < 1000
    report = candor.reconstruct(disguise(design, truth, direct, words_from_seed(5)), ["party=o0"])
    alone = candor.reconstruct(disguise(design, truth[:1000], direct[:1000], words_from_seed(5)), ["party=o0"])

    assert alone.patterns[0].support == pytest.approx((truth[:1000] == 0).mean())
    assert abs(report.patterns[0].support - 0.28) < 4.5 * report.patterns[0].se


def test_answers_and_records_go_through_files(tmp_path: Any) -> None:
    """Answers are written as options, also where some are not asked; records of all three files are the same."""
    truth = people(SAMPLED, 300, 3)
    frame = pd.DataFrame(
        {item.id: np.array(item.options)[column] for item, column in zip(SAMPLED.items, truth.T, strict=True)}
    )
    frame.loc[:99, "theft"] = frame.loc[100:199, "age"] = frame.loc[200:, "town"] = None
    frame.to_csv(tmp_path / "answers.csv", index=False)
    answers = candor.read_answers(tmp_path / "answers.csv", SAMPLED)
    records = candor.disguise(answers, SAMPLED, seed=4)

    assert pd.isna(answers).sum().tolist() == [100, 100, 100]
    for ending in ("csv", "jsonl", "parquet"):
        records.write(tmp_path / f"records.{ending}")
        assert (candor.read_records(tmp_path / f"records.{ending}", SAMPLED).codes == records.codes).all()
    assert (unpack(SAMPLED, pack(records)).codes == records.codes).all()


def test_no_device_sends_a_number_beyond_the_sets() -> None:
    """The site refuses two digits that write a number above 665."""
    (block,) = PAIR.blocks
    assert block.can_send([665 % 26, 665 // 26])
    assert not block.can_send([666 % 26, 666 // 26])
    (block,) = SAMPLED.blocks
    assert block.can_send([NOT_ASKED, 25, 24])
    assert not block.can_send([NOT_ASKED, 17, 25])


def test_a_forged_record_moves_a_share_by_the_largest_weight() -> None:
    """By hand: a record that names four of the six pairs with one answer, or one that names none of them.

    Of both by (4·5/6)/(p − q) + 1/6, with 9·4/(9·4 + 33) as p; a pair by (35/36 − 3/36)/(p − q) + 1/36.
    """
    p = 36 / 69
    known = p - (4 - p) / 36
    single, pair = effects_of_forgery(PAIR, 1)

    assert single.shift == pytest.approx(4 * 5 / 6 / known + 1 / 6, rel=1e-6)
    assert pair.shift == pytest.approx(max((35 - 2) / 36, (35 - 3) / 36) / known + 1 / 36, rel=0.01)


def test_a_forger_who_is_not_asked_adds_nothing() -> None:
    """By hand: one question of two is asked; worst are three of six answers, on seven points, but that of the share."""
    p = 27 / 31
    known = p - (3 - p) / 6
    (single,) = effects_of_forgery(Design.parse(naming(3, AGE, TOWN, ask=1)), 1)

    assert single.shift == pytest.approx((5 / 6 + 3 / 6 / known) / 0.5, rel=1e-6)


def test_people_read_how_often_their_answers_are_named() -> None:
    """Both directions out of one number of people, rounded so that nothing is promised that is not so."""
    said = [str(one) for one in explain(Design.parse(naming(10, PARTY, PARTY | {"id": "second"})))]

    assert said[0] == (
        "Your device names up to 10 of the 100 pairs of answers. Yours is among them for 50 of 100 people; any other "
        "for 9 of 100."
    )


def test_regressions_are_refused_in_one_sentence() -> None:
    """A record shows no answer by itself."""
    respondents = disguised(PAIR, {"age": np.zeros(50), "town": np.zeros(50)}, {"old": np.arange(50.0)}, 3)
    with pytest.raises(InputError, match=r"A record names several answers to 'age' and shows none by itself; ask for"):
        regression_of(respondents, "age=u", ["old"], "linear")


def test_all_pairs_of_answers_have_a_word_of_their_own_in_sets() -> None:
    """What a record tells of a pair is what the sets with both cells say: by brute force over all 36 cells."""
    records = surveyed(PAIR, 500, 9)
    (block,) = PAIR.blocks
    (coin,) = block.coins.values()
    numbers = block.numbers_of(records.codes)
    inside = (points_of(numbers, 37, 4)[:, :, np.newaxis] == np.arange(36)).any(axis=1)
    centred = (inside - inside.mean(axis=1, keepdims=True)).mean(axis=0) * ONE / coin.keep + 1 / 36
    report = candor.reconstruct(records, [f"age={a},town={b}" for a, b in product("uvwxyz", "abcdef")])

    assert [one.support for one in report.patterns] == pytest.approx(centred.tolist())


def advised(sizes: tuple[int, ...], length: int, gamma: float) -> tuple[DesignChoice, DesignChoice]:
    """What is recommended, with coins that name several among the rivals and without."""
    options = [tuple(f"o{code}" for code in range(size)) for size in sizes]
    questions = [ExpectedItem(f"q{place}", own, (1 / len(own),) * len(own)) for place, own in enumerate(options)]
    brief = Brief(tuple(questions), 10_000, Fraction(gamma), length)
    search._leading.cache_clear()
    with patch.object(advise, "most_sets", return_value=0):
        before = best_designs(brief).recommended
    search._leading.cache_clear()
    return best_designs(brief).recommended, before


@pytest.mark.parametrize(
    ("sizes", "length", "gamma", "names", "part"),
    [
        ((10,), 1, math.e, 3, 0.724),
        ((6, 6), 2, 9, 4, 0.654),
        *(
            pytest.param(*one, marks=pytest.mark.long)
            for one in [
                ((20,), 1, math.e, 6, 0.443),
                ((20,), 1, 9, 2, 0.884),
                ((50,), 1, math.e, 14, 0.2),
                ((50,), 1, 9, 5, 0.528),
                ((50,), 1, 19, 3, 0.814),
                ((6, 6), 2, math.e, 10, 0.268),
                ((10, 10), 2, math.e, 27, 0.104),
                ((10, 10), 2, 9, 10, 0.306),
                ((4, 4, 4), 2, math.e, 5, 0.525),
                ((20, 30), 1, math.e, 7, 0.318),
                ((2,) * 10, 3, math.e, 2, 0.842),
            ]
        ),
    ],
)
def test_the_advisor_names_several_where_that_saves_people(
    sizes: tuple[int, ...], length: int, gamma: float, names: int, part: float
) -> None:
    """By the worst answer or pair it needs this part of the people of what is advised without such coins."""
    now, before = advised(sizes, length, gamma)
    (block,) = now.design.blocks

    assert isinstance(block, NamingBlock)
    assert (block.names, block.gamma <= Fraction(gamma)) == (names, True)
    assert (now.error(length) / before.error(length)) ** 2 == pytest.approx(part, abs=0.005)


@pytest.mark.parametrize(
    ("sizes", "length", "gamma"),
    [
        ((10,), 1, 9),
        ((6, 6), 1, 9),
        ((10, 10), 1, 9),
        ((6, 6), 2, 19),
        ((2,) * 10, 2, 19),
        *(
            pytest.param((size, size), length, gamma, marks=pytest.mark.long)
            for size in (3, 4, 6, 8, 10, 12)
            for length in (1, 2)
            for gamma in (math.e, 4, 9, 19, 50)
        ),
    ],
)
def test_the_advisor_never_loses_more_for_single_answers_than_it_gains(
    sizes: tuple[int, ...], length: int, gamma: float
) -> None:
    """What it recommends has the least product of errors, and names several only for a tenth of the people."""
    now, before = advised(sizes, length, gamma)
    product_now, product_before = (np.prod(one.errors.expected) for one in (now, before))

    if any(isinstance(block, NamingBlock) for block in now.design.blocks):
        assert product_now < product_before * 0.95**length
    else:
        assert product_now <= product_before * (1 + 1e-9)


def test_what_is_entered_for_it_makes_its_block() -> None:
    """The recipe writes the block that the advisor made."""
    now, _ = advised((6, 6), 2, 9)
    name, settings = now.plan[0].as_recipe(now.design.blocks[0])
    recipe = RECIPES[name]
    items = [recipe.write_item(settings, EnteredItem(one.id, one.options, {})) for one in now.design.items]

    assert settings == {"stated": 9.0, "names": 4}
    assert Design.parse({"candor": 1, "blocks": recipe.write(settings, items)}).blocks == now.design.blocks
    assert recipe.write({"stated": 9.0, "names": None}, items)[0].keys() == {"by-gamma", "items"}
