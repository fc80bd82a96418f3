"""Groups of nobody, of one, and coins that keep nothing: figures where there are some, null where there are none."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.reconstruct import Figures, PatternQuery, count_patterns, make_report, reconstruct_counts
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.cases import first

COIN = {"direct": True, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["a", "b"]}
FLIPS = {"direct": True, "model": "flip", "gamma": 9, "radius": 0, "items": ["a", "b"]}


def figures(design: dict, rows: list[list[int]], direct: list[int], estimator: str, pattern: str = "a,b") -> Figures:
    parsed = Design.parse(design)
    codes = np.array(rows, np.uint8).reshape(len(rows), len(parsed.items))
    records = Records(parsed, codes, np.array(direct, bool))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        query = PatternQuery.parse(parsed, [pattern], estimator)
        (estimate,) = make_report(query, count_patterns(records, query)).patterns
    return estimate


@pytest.mark.parametrize("design", [COIN, FLIPS], ids=["coin", "flips"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_without_direct_respondents_the_disguised_decide(design: dict, estimator: str) -> None:
    """k = 0: all three estimators are the disguised group's own."""
    rows = [[1, 1], [1, 1], [0, 1], [0, 0]]

    estimate = figures(design, rows, [0, 0, 0, 0], estimator)

    plain = figures(design | {"direct": False}, rows, [0, 0, 0, 0], "stratified")
    assert estimate.support == pytest.approx(plain.support, abs=1e-12)
    assert estimate.se == pytest.approx(plain.se, abs=1e-12)


@pytest.mark.parametrize("design", [COIN, FLIPS], ids=["coin", "flips"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_without_disguised_respondents_the_direct_decide(design: dict, estimator: str) -> None:
    """k = 1: the share is the direct one, with the error of a plain share and none about the respondents themselves."""
    estimate = figures(design, [[1, 1], [0, 1], [0, 0], [0, 0]], [1, 1, 1, 1], estimator)

    assert (estimate.observed, estimate.support) == (0.25, pytest.approx(0.25, abs=1e-12))
    assert estimate.se == pytest.approx((0.25 * 0.75 / 4) ** 0.5, abs=1e-12)
    assert estimate.se_respondents == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("direct", [0, 1])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_respondent_tells_a_support_but_no_error(direct: int, estimator: str) -> None:
    """n = 1: an estimate, and null for error and interval."""
    estimate = figures(COIN, [[1, 1]], [direct], estimator)

    assert estimate.support == pytest.approx(1.0 if direct else (1 - 0.5 * 0.25) / 0.5, abs=1e-9)
    assert (estimate.se, estimate.se_respondents, estimate.ci) == (None, None, None)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_one_direct_respondent_among_many_changes_little(estimator: str) -> None:
    """n₀ = 1: figures and an error, not a certainty about the direct group."""
    random = np.random.default_rng(4)
    rows = random.integers(0, 2, (200, 2)).tolist()

    estimate = figures(COIN, rows, [1] + [0] * 199, estimator)
    without = figures(COIN, rows[1:], [0] * 199, estimator)

    assert estimate.support == pytest.approx(without.support, abs=0.02)
    assert estimate.se == pytest.approx(without.se, rel=0.15)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_without_respondents_everything_is_null(estimator: str) -> None:
    """No records: n is 0 and no figure is invented."""
    estimate = figures(COIN, [], [], estimator)

    assert estimate == Figures("a,b", 0, None, None, None, None, None, None)


def test_nobody_asked_of_the_direct_group_leaves_the_stratified_estimator_without_a_figure() -> None:
    """Sampled: with direct respondents, none asked the pattern, their part of the support is unknown."""
    design = {"direct": True, "model": "improved-grouped", "p": 0.5, "theta": 0.5, "items": ["a", "b"], "ask": 1}
    rows, direct = [[1, 255], [0, 255], [255, 1]], [0, 0, 1]

    stratified = figures(design, rows, direct, "stratified", "a")
    combined = figures(design, rows, direct, "combined", "a")

    assert (stratified.n, stratified.support, stratified.se) == (2, None, None)
    assert combined.support == pytest.approx(0.5, abs=1e-9)


NOTHING = {"direct": True, "blocks": [{"keep": 0, "items": [{"id": "a", "theta": 0.5}]}]}


def test_a_coin_that_keeps_nothing_leaves_the_pooled_estimator() -> None:
    """keep = 0: the pooled estimator takes all it knows from the direct group; the others are refused by name."""
    estimate = figures(NOTHING, [[1], [0], [1], [1], [0]], [1, 1, 0, 0, 0], "pooled", "a")

    k = 2 / 5
    assert estimate.support == pytest.approx((3 / 5 - (1 - k) * 0.5) / k, abs=1e-12)
    with pytest.raises(InputError, match="keep = 0 keeps nothing of a in a disguised record; only 'pooled'"):
        figures(NOTHING, [[1]], [0], "stratified", "a")


def test_pooling_nothing_with_nobody_gives_null() -> None:
    """keep = 0 and no direct respondent: there is nothing to estimate from."""
    estimate = figures(NOTHING, [[1], [0]], [0, 0], "pooled", "a")

    assert (estimate.support, estimate.se, estimate.ci) == (None, None, None)


def test_an_unknown_estimator_is_refused() -> None:
    """The estimators are named."""
    with pytest.raises(InputError, match="estimator: 'best' is not one of stratified, combined, pooled"):
        reconstruct_counts(Design.parse(COIN), ["a"], {"": (1, 0), "a": (1, 0)}, estimator="best")


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(("answers", "groups"), [([1, 1, 0, 0], [1, 1, 0, 0]), ([1, 0, 0, 0], [1, 0, 0, 0])])
def test_four_who_answer_alike_in_their_group_show_no_error(
    estimator: str, answers: list[int], groups: list[int]
) -> None:
    """Nobody answers differently from the others of the own group: the error is unknown, and not 0."""
    coin = {"direct": True, "blocks": [{"keep": 0.3, "items": [{"id": "a", "theta": 0.6}]}]}

    estimate = figures(coin, [[answer] for answer in answers], groups, estimator, "a")

    assert estimate.support is not None
    assert (estimate.se, estimate.se_respondents) == (None, None)


@pytest.mark.parametrize("cases", ["available", "complete"])
@pytest.mark.parametrize("measure", ["support", "leverage"])
def test_a_rule_of_which_nothing_is_told_gives_no_warning(measure: str, cases: str) -> None:
    """Pooled, nobody direct, a coin that keeps nothing: not a number, and not a word of numpy's."""
    items = [{"id": name, "theta": 0.5} for name in "abc"]
    design = Design.parse({"direct": True, "blocks": [{"keep": 0, "ask": 2, "items": items}]})
    no = design.not_asked
    codes = np.array([[no, 0, 1], [0, 0, no], [0, 0, no]], design.code_type)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        records = Records(design, codes, np.zeros(3, bool))
        confidence = figure(records, "a => b", Sampling.simple(3), "pooled", measure, cases=cases)

    assert np.isnan(confidence.value)


NUMBER = {"number": "square-wave", "epsilon": 1, "items": [{"id": "x", "min": 0, "max": 60, "step": 1}]}


def numbers(values: list[int] | np.ndarray, seed: int = 1, direct: float = 0) -> Records:
    design = Design.parse({"direct": True, "blocks": [NUMBER]})
    return candor.disguise(pd.DataFrame({"x": values}), design, seed=seed, direct=direct)


def test_a_group_that_is_asked_and_weighs_nothing_has_no_share() -> None:
    """All direct people who were asked weigh 0: as without them, the stratified estimator has no value."""
    items = [{"id": one, "theta": 0.5} for one in "ab"]
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.6, "ask": 1, "items": items}]})
    nothing = design.not_asked
    codes = np.array([[1, nothing], [nothing, 1], [1, nothing], [0, nothing]] * 20, design.code_type)
    direct = np.tile([True, True, False, False], 20)
    records = Records(design, codes, direct, {"w": np.tile([0.0, 1.0, 1.0, 1.0], 20)})
    with pytest.raises(InputError, match=r"^One of the two groups was asked nothing of 'a'"):
        candor.reconstruct(records, ["a"], sample=candor.Sample(weights="w"))


def test_disguised_records_that_are_all_alike_leave_the_word_to_direct_people() -> None:
    """Six who all sent no stand beside 200 of whom 60 said yes; by weights, as without them, the share is about .29."""
    design = Design.parse({"direct": True, "blocks": [{"keep": 0.8, "items": [{"id": "drugs", "theta": 0.5}]}]})
    codes, direct = np.repeat([[0], [1], [0]], [6, 60, 140], axis=0).astype(np.uint8), np.arange(206) >= 6
    records = Records(design, codes, direct, {"w": np.where(np.arange(206) % 2, 1.0, 1.0000001)})
    shares = [
        candor.reconstruct(records, ["drugs"], estimator="combined", **more).patterns[0].support
        for more in ({}, {"sample": candor.Sample(weights="w")})
    ]
    assert shares == [pytest.approx(0.29, abs=0.01)] * 2


@pytest.mark.parametrize(("values", "direct"), [([30], 0), ([0] * 20, 1)])
def test_a_mean_of_which_all_say_the_same_is_not_certain(values: list[int], direct: float) -> None:
    """Of n people who say 0, a share of 1 − .05^(1/n) others would be missed 1 time in 20."""
    found = candor.distribution(numbers(values, direct=direct), "x", bins=3).figures
    hidden = 1 - 0.05 ** (1 / len(values))
    mean = found["mean"]
    assert found["ci"]["mean"] == pytest.approx([mean - hidden * mean, mean + hidden * (60 - mean)])


@pytest.mark.parametrize("seeds", first(1, [[0], [1, 2, 3]]))
def test_weights_do_not_narrow_the_interval_of_a_mean_near_an_end(seeds: list[int]) -> None:
    """Nine in ten have 0: means of redrawn samples that lie below 0 are not moved there before they are compared."""
    random = np.random.default_rng(1)
    truth = np.where(random.random(400) < 0.9, 0, random.integers(1, 10, 400))
    for seed in seeds:
        records = numbers(truth, seed)
        weighed = replace(records, open_columns={"w": random.permutation(np.repeat([1.0, 1.02], 200))})
        alone, with_weights = (
            candor.distribution(one, "x", bins=3, **more).figures["ci"]["mean"]
            for one, more in ((records, {}), (weighed, {"sample": candor.Sample(weights="w")}))
        )
        assert with_weights[1] == pytest.approx(alone[1], rel=0.15)


@pytest.mark.parametrize("seeds", first(1, [[0], [1, 2, 3, 4]]))
def test_the_interval_of_a_bin_in_which_all_are_holds_one(seeds: list[int]) -> None:
    """Its ends are those of the bin with nobody, turned round."""
    for seed in seeds:
        low, high = candor.distribution(numbers([0] * 400, seed), "x", bins=2).intervals
        assert high[0] == pytest.approx(1.0, abs=0.01)
        assert (low[0], high[1]) == (pytest.approx(1 - high[1], abs=1e-9), pytest.approx(1 - low[0], abs=1e-9))
