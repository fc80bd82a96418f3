"""Regressions on disguised answers against known truth, and against the same regression on undisguised answers."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import t as student

import candor
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.sample import Sample
from privacy.records import Records
from privacy.regress import Regression, Respondents, regression_of
from tests.cases import first
from tests.privacy.regress.people import disguised
from tests.refusals import refusal_of

ITEMS = [{"id": "drugs", "theta": 0.5}, {"id": "cheating", "theta": 0.4}, {"id": "other", "theta": 0.5}]
NAMES = [item["id"] for item in ITEMS]
BLOCKS: dict[str, Any] = {
    "one coin": {"keep": 0.6, "items": ITEMS},
    "flips": {"flips": [0.7, 0.2, 0.07, 0.03], "items": [{"id": item["id"]} for item in ITEMS]},
    "sampled": {"keep": 0.7, "ask": 2, "items": ITEMS},
    "a coin each": {"keep": 0.6, "ask": 2, "coin": "each", "items": ITEMS},
    "one word, no cap": Design.parse({"model": "one-of", "gamma": 19, "cap": 3, "longest": 2, "items": NAMES}),
}
N = 20_000


def far(regression: Regression, truth: list[float]) -> float:
    """The largest distance from the truth, in standard errors."""
    return max(abs(one.estimate - true) / one.se for one, true in zip(regression.coefficients, truth, strict=True))


def society(seed: int, linear: bool = False) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Cheating depends on age, drugs on both, and a grade on both."""
    random = np.random.default_rng(seed)
    age, town = random.normal(size=N), random.integers(0, 2, N).astype(float)
    cheating = random.random(N) < expit(-0.5 + 0.6 * age)
    chance = 0.3 + 0.25 * cheating + 0.15 * town if linear else expit(-0.6 + 0.8 * cheating + 0.5 * age)
    drugs = random.random(N) < chance
    grade = 1 + 0.8 * cheating + 0.5 * age + random.normal(size=N)
    truth = {"drugs": drugs, "cheating": cheating, "other": random.random(N) < 0.3}
    return truth, {"age": age, "town": town, "grade": grade, "cheated": cheating.astype(float)}


@pytest.mark.parametrize("kind", first(2, BLOCKS))
def test_known_coefficients_are_recovered(kind: str) -> None:
    """A disguised outcome, a disguised predictor that depends on an undisguised one, and both: within 4.5 standard
    errors.
    """
    truth, columns = society(1)
    people = disguised(BLOCKS[kind], truth, columns, 1)

    assert far(regression_of(people, "drugs", ["cheated", "age"]), [-0.6, 0.8, 0.5]) < 4.5
    assert far(regression_of(people, "drugs", ["cheating", "age"]), [-0.6, 0.8, 0.5]) < 4.5
    assert far(regression_of(people, "grade", ["cheating", "age"], "linear"), [1, 0.8, 0.5]) < 4.5

    truth, columns = society(2, linear=True)
    people = disguised(BLOCKS[kind], truth, columns, 2)
    assert far(regression_of(people, "drugs", ["cheated", "town"], "linear"), [0.3, 0.25, 0.15]) < 4.5
    assert far(regression_of(people, "drugs", ["cheating", "town"], "linear"), [0.3, 0.25, 0.15]) < 4.5


def test_products_and_negations_are_the_same_line_seen_from_elsewhere() -> None:
    """With !cheating the coefficient turns its sign, and a product with it is the rest of the open slope."""
    truth, columns = society(3)
    people = disguised(BLOCKS["one coin"], truth, columns, 3)
    plain = {
        one.name: one.estimate
        for one in regression_of(people, "drugs", ["cheating", "age", "cheating:age"]).coefficients
    }
    turned = {
        one.name: one.estimate
        for one in regression_of(people, "!drugs", ["!cheating", "age", "!cheating:age"]).coefficients
    }

    assert turned["!cheating"] == pytest.approx(plain["cheating"], abs=1e-6)
    assert turned["!cheating:age"] == pytest.approx(plain["cheating:age"], abs=1e-6)
    assert turned["age"] == pytest.approx(-plain["age"] - plain["cheating:age"], abs=1e-6)


def test_the_mean_share_errs_as_the_share_that_is_reconstructed_does() -> None:
    """Where one undisguised answer is the only predictor both are the same figure: also the people were drawn."""
    random = np.random.default_rng(1)
    town = np.sort(random.integers(0, 2, 2_000)).astype(float)
    truth = pd.DataFrame({"drugs": (random.random(2_000) < np.where(town, 0.9, 0.1)).astype(int)})
    records = candor.disguise(truth, candor.models.improved_grouped(["drugs"], p=0.9, theta=0.5, direct=False), seed=3)
    records = replace(records, open_columns={"town": town, "street": np.arange(2_000) // 20})
    for drawn in (None, candor.Sample(cluster="street")):
        share = candor.regress(records, "drugs", "town", sample=drawn).share
        (known,) = candor.reconstruct(records, "drugs", sample=drawn).patterns
        assert share is not None
        assert (share.estimate, share.se) == (pytest.approx(known.support), pytest.approx(known.se, rel=2e-3))


def test_few_who_answer_the_outcome_tell_little() -> None:
    """Three of 3 000: Student's t of two degrees of freedom."""
    records = Records(
        Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}),
        np.zeros((3_000, 1), np.uint8),
        np.zeros(3_000, bool),
        {"grade": np.where(np.arange(3_000) < 3, np.arange(3_000.0), np.nan)},
    )
    (mean,) = candor.regress(records, "grade", [], family="linear", robust=True).coefficients
    assert mean.ci[1] - mean.estimate == pytest.approx(student.ppf(0.975, 2) * mean.se)


def test_direct_and_disguised_respondents_are_one_regression_with_a_term_between_them() -> None:
    """Those who answer directly have other odds: `direct` tells it, and without it the output says what is assumed."""
    truth, columns = society(5)
    direct = np.random.default_rng(5).random(N) < 0.3
    truth["drugs"] = truth["drugs"] & ~(direct & (np.random.default_rng(6).random(N) < 0.4))
    design = Design.parse({"direct": True, "blocks": [BLOCKS["one coin"]]})
    people = disguised(design, truth, columns, 5, direct)

    apart = regression_of(people, "drugs", ["cheating", "age", "direct"])
    alike = regression_of(people, "drugs", ["cheating", "age"])

    assert (apart.n, apart.direct, apart.notes) == (N, int(direct.sum()), ())
    assert apart.coefficients[3].ci[1] < 0
    assert [note[:59] for note in alike.notes] == ["This assumes that direct and disguised respondents answer a"]


def test_weights_say_how_often_a_respondent_counts() -> None:
    """Whole weights give the coefficients of the rows written out, and other errors."""
    truth, columns = society(6)
    few = {name: values[:600] for name, values in truth.items()}
    weights = np.random.default_rng(6).integers(1, 4, 600)
    people = disguised(BLOCKS["one coin"], few, {"age": columns["age"][:600], "w": weights.astype(float)}, 6)
    again = people.select(np.repeat(np.arange(600), weights))  # type: ignore[arg-type]

    weighted, written_out = (
        regression_of(people, "drugs", ["cheating", "age"], sample=Sample(weights="w")),
        regression_of(again, "drugs", ["cheating", "age"]),
    )

    assert [one.estimate for one in weighted.coefficients] == pytest.approx(
        [one.estimate for one in written_out.coefficients], abs=1e-6
    )
    assert (weighted.n, weighted.errors, written_out.errors) == (600, "robust", "model")


def test_respondents_of_no_weight_are_left_out_and_counted() -> None:
    """They change no figure, so they are none of those that the figures are about."""
    truth, columns = society(6)
    weights = np.ones(len(columns["age"]))
    weights[600:] = 0
    people = disguised(BLOCKS["one coin"], truth, {"age": columns["age"], "w": weights}, 6)
    few = people.select(weights > 0)

    weighted, alone = (regression_of(one, "drugs", ["age"], sample=Sample(weights="w")) for one in (people, few))

    assert (weighted.n, weighted.left_out) == (600, len(weights) - 600)
    assert [one.estimate for one in weighted.coefficients] == pytest.approx(
        [one.estimate for one in alone.coefficients]
    )
    with pytest.raises(InputError, match="nothing is reported about fewer than 601"):
        regression_of(people, "drugs", ["age"], sample=Sample(weights="w"), least=601)


def test_rows_without_an_open_value_are_left_out_and_counted() -> None:
    """An empty cell of a predictor leaves the row out; of a column that is not named it does not matter."""
    truth, columns = society(8)
    age = columns["age"].copy()
    age[:25] = np.nan
    people = disguised(BLOCKS["one coin"], truth, {"age": age, "town": columns["town"]}, 8)

    assert (
        regression_of(people, "drugs", ["age"]).left_out,
        regression_of(people, "drugs", ["town"]).left_out,
    ) == (25, 0)


HALF = {"model": "warner", "theta": 0.75, "items": ["drugs"]}


def people_of(design: dict[str, object], codes: list[int], **columns: object) -> Respondents:
    parsed = Design.parse(design)
    records = Records(parsed, np.array(codes, np.uint8)[:, np.newaxis], np.zeros(len(codes), bool))
    given = {name: np.array(values) for name, values in columns.items()}
    return Respondents.of_records(Records(parsed, records.codes, records.direct, given))


@pytest.mark.parametrize("product", ["drugs:town=a:b", "town=a:b:drugs", "town=a:b : drugs"])
def test_a_product_may_begin_with_a_value_and_a_value_may_hold_a_colon(product: str) -> None:
    """Of `town=a:b:drugs` the longest value that somebody gave is the value; the rest is the other factor."""
    towns = np.array(["a:b", "a", "c"] * 200, object)
    answers = np.random.default_rng(1).integers(0, 2, 600).tolist()
    people = people_of(HALF, answers, y=np.random.default_rng(2).normal(size=600), town=towns)

    regression = regression_of(people, "y", ["drugs", "town=a:b", product], "linear")

    assert [one.name for one in regression.coefficients] == ["(intercept)", "drugs", "town=a:b", product]
    assert np.isfinite([one.se for one in regression.coefficients]).all()


REFUSED = {
    "separation": (
        people_of(HALF, [0, 1] * 30, y=[0.0] * 30 + [1.0] * 30, x=[*range(60)]),
        ("y", ["x"]),
        "'x' separates the outcome 'y': no finite coefficient fits best. Leave it out, or join its values.",
    ),
    "no variance of a predictor": (
        people_of(HALF, [0, 1] * 30, x=[2.5] * 60),
        ("drugs", ["x"]),
        "on: 'x' is the same for all 60 respondents.",
    ),
    "no variance of the outcome": (
        people_of(HALF, [0, 1] * 30, y=[1.0] * 60, x=[*range(60)]),
        ("y", ["x"]),
        "outcome: 'y' is 1 for everybody, so there is nothing to explain.",
    ),
    "the outcome as predictor": (
        people_of(HALF, [0, 1] * 30),
        ("drugs", ["!drugs"]),
        "on: '!drugs' is the outcome 'drugs' itself, or another answer to its question; leave it out.",
    ),
    "an open copy of the outcome": (
        people_of(HALF, [0, 1] * 30, y=[0.0, 1.0] * 30, copy=[0.0, 1.0] * 30),
        ("y", ["copy"]),
        "on: 'copy' is the outcome 'y' itself, or another answer to its question; leave it out.",
    ),
    "more coefficients than people": (
        people_of(HALF, [0, 1], a=[1.0, 2.0], b=[0.0, 1.0]),
        ("drugs", ["a", "b"]),
        "2 respondents answered all of this, too few for 3 coefficients; many more are needed.",
    ),
    "predictors that repeat each other": (
        people_of(HALF, [0, 1] * 30, a=[*range(60)], b=[2 * value + 1 for value in range(60)]),
        ("drugs", ["a", "b"]),
        "on: 'b' follows from the predictors before it, so their effects cannot be separated; leave one of them out.",
    ),
    "a disguise that keeps nothing": (
        people_of({"direct": True, "model": "unrelated-question", "p": 0, "theta": 0.5, "items": ["drugs"]},
                  [0, 1] * 30, x=[*range(60)]),
        ("drugs", ["x"]),
        "The disguise leaves nothing of 'drugs': the records do not depend on the truth.",
    ),
    "a hopeless disguise": (
        people_of({"model": "warner", "theta": 0.51, "items": ["drugs"]}, [0, 1, 1] * 20, x=[*range(60)]),
        ("drugs", ["x"]),
        "60 respondents answered all of this, too few to estimate 'x' under this disguise: nearly any coefficient fits "
        "the records. More respondents, fewer predictors or less disguise are needed.",
    ),
    "an unknown name": (
        people_of(HALF, [0, 1] * 30, x=[*range(60)]),
        ("drugs", ["age"]),
        "on: 'age' names neither a disguised item nor an undisguised column; there are drugs, x, direct.",
    ),
    "words where numbers are needed": (
        people_of(HALF, [0, 1] * 30, sex=["f", "m"] * 30),
        ("drugs", ["sex"]),
        "on: 'sex' holds words, not numbers; name one of its values: sex=f, sex=m.",
    ),
    "a value that nobody has": (
        people_of(HALF, [0, 1] * 30, sex=["f", "m"] * 30),
        ("drugs", ["sex=x"]),
        "No row of 'sex' holds 'x'; its values are f, m.",
    ),
    "an outcome that is not 0 or 1": (
        people_of(HALF, [0, 1] * 30, y=[0.0, 1.0, 2.0] * 20),
        ("y", ["drugs"]),
        "outcome: 'y' holds 2; a logistic regression explains 0 and 1, or a literal such as y=2.",
    ),
    "a product of one": (
        people_of(HALF, [0, 1] * 30, x=[*range(60)]),
        ("drugs", ["x:"]),
        "on: 'x:' lacks a name; a product is written as age:drugs.",
    ),
    "a name twice": (
        people_of(HALF, [0, 1] * 30, x=[*range(60)]),
        ("drugs", ["x", "x"]),
        "on: 'x' appears twice.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_records_cannot_tell_is_refused_with_the_reason(case: str) -> None:
    """Separation, no variance, a predictor that is the outcome, too few, a hopeless disguise: a sentence each."""
    people, (outcome, on), said = REFUSED[case]

    assert refusal_of(lambda: regression_of(people, outcome, on)) == said


def test_answers_that_nobody_was_asked_together_are_refused() -> None:
    """A block that asks one of its items of each respondent says nothing of how two of them go together."""
    truth, columns = society(9)
    people = disguised({"keep": 0.7, "ask": 1, "items": ITEMS}, truth, columns, 9)

    for family in ("logistic", "linear"):
        with pytest.raises(InputError, match=r"^Nobody was asked both 'drugs' and 'cheating', so their relation"):
            regression_of(people, "drugs", ["cheating"], family)


def test_a_refusal_counts_those_who_were_asked_all_of_it() -> None:
    """Where each is asked two of the questions, others help to estimate, but none of them answered both."""
    truth, columns = society(9)
    people = disguised({"keep": 0.02, "ask": 2, "items": ITEMS}, truth, columns, 9)
    both = int((np.stack([people.codes[item] for item in ("drugs", "cheating")]) >= 0).all(axis=0).sum())

    with pytest.raises(InputError) as refusal:
        regression_of(people, "drugs", ["cheating"])
    assert both < len(people) / 2
    assert str(refusal.value).startswith(f"{both} respondents answered all of this, too few to estimate")


def test_nothing_is_told_of_fewer_than_the_least() -> None:
    """A survey's own minimum counts those who answered all of it."""
    people = people_of(HALF, [0, 1] * 30, x=[np.nan] * 20 + [*map(float, range(40))])

    with pytest.raises(
        InputError, match=r"^40 respondents answered all of this; nothing is reported about fewer than 50"
    ):
        regression_of(people, "drugs", ["x"], least=50)


@pytest.mark.parametrize("kind", ["sampled", "a coin each"])
def test_which_value_a_literal_names_changes_nothing_but_the_sign(kind: str) -> None:
    """Also where some were asked one answer and others another: the slope of "no" is that of "yes" times −1."""
    truth, columns = society(6, linear=True)
    people = disguised(BLOCKS[kind], truth, columns, 6)

    yes, no = (
        {one.name: one for one in regression_of(people, "drugs", [word, "town"], "linear").coefficients}
        for word in ("cheating", "!cheating")
    )

    assert no["!cheating"].estimate == pytest.approx(-yes["cheating"].estimate, abs=1e-12)
    assert no["!cheating"].se == pytest.approx(yes["cheating"].se, abs=1e-12)
    assert no["town"].estimate == pytest.approx(yes["town"].estimate, abs=1e-12)
    assert no["(intercept)"].estimate == pytest.approx(
        yes["(intercept)"].estimate + yes["cheating"].estimate, abs=1e-12
    )


@pytest.mark.long
def test_errors_of_least_squares_on_a_sampled_block_are_its_spread() -> None:
    """Over 200 surveys of 1 000 people, to 4.5 relative errors of a spread of 200 (1/√400)."""
    estimates, errors = [], []
    for seed in range(200):
        random = np.random.default_rng([7, seed])
        town = random.integers(0, 2, 1_000).astype(float)
        cheating = random.random(1_000) < 0.3 + 0.3 * town
        drugs = random.random(1_000) < 0.3 + 0.25 * cheating + 0.15 * town
        truth = {"drugs": drugs, "cheating": cheating, "other": random.random(1_000) < 0.3}
        people = disguised(BLOCKS["sampled"], truth, {"town": town}, seed)
        coefficients = regression_of(people, "drugs", ["cheating", "town"], "linear").coefficients
        estimates.append([one.estimate for one in coefficients])
        errors.append([one.se for one in coefficients])

    assert np.median(errors, axis=0) == pytest.approx(np.std(estimates, axis=0, ddof=1), rel=4.5 / 20)
    assert np.abs(np.mean(estimates, axis=0) - [0.3, 0.25, 0.15]).max() < 4.5 * np.max(errors) / np.sqrt(200)
