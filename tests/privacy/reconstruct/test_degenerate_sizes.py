"""Groups of nobody, of one, and coins that keep nothing: figures where there are some, null where there are none."""

import warnings

import numpy as np
import pytest

from privacy.choices import ESTIMATORS
from privacy.design import Design
from privacy.errors import InputError
from privacy.reconstruct import Figures, PatternQuery, count_patterns, make_report, reconstruct_counts
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records

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
    assert estimate.feasible.support == pytest.approx(0.25, abs=1e-6)


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
