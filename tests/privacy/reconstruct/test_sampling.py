"""Weights, clusters and strata: the figures that RRTCS prints, textbook variances, and simulated surveys."""

import json
from math import sqrt
from typing import Any

import numpy as np
import pytest

from papers.reference import how_to_get, reference_file
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.estimate.intervals import standard_errors, wilson_of_variance
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import OneDecidesError, Sampling
from privacy.reconstruct import reconstruct
from privacy.reconstruct.compare import Comparison, GroupFigure, compare
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from tests.cases import first
from tests.refusals import refusal_of

PAIR = {"keep": 0.5, "items": [{"id": "drugs", "theta": 0.5}, {"id": "cheating", "theta": 0.4}]}


def counted(design: dict[str, object], yes: int, n: int) -> Records:
    parsed = Design.parse(design)
    return Records(parsed, np.repeat([[1], [0]], [yes, n - yes], axis=0).astype(np.uint8), np.zeros(n, bool))


def published(study: str) -> dict[str, Any]:
    path = reference_file("randomised_response.json")
    if not path.exists():
        pytest.skip(how_to_get("randomised_response.json"))
    printed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))[study]
    return printed


@pytest.mark.parametrize(
    ("study", "design", "se"),
    [
        ("warner", {"model": "warner", "theta": 0.7}, "se_n_minus_1"),
        ("forced_response", {"model": "forced-response", "p": 2 / 3, "yes": 1 / 6}, "se_n_minus_1"),
    ],
)
def test_equal_weights_give_the_errors_that_rrtcs_prints(study: str, design: dict[str, object], se: str) -> None:
    """The variance between respondents has n − 1 below it, as their packages have."""
    printed = published(study)
    records = counted(design | {"items": ["fact"]}, printed["yes"], printed["n"])

    (estimated,) = reconstruct(records, ["fact"], sample=Sampling.simple(printed["n"])).patterns

    assert estimated.support == pytest.approx(printed["pi"], abs=1e-8)
    assert estimated.se == pytest.approx(printed[se], abs=1e-9)


@pytest.mark.parametrize(
    ("fact", "se", "keeps"), [("pi", "se_n_minus_1", (0.7, 0.3)), ("theta", "se_theta", (0.3, 0.7))]
)
def test_two_samples_tell_a_fact_beside_one_of_unknown_share(fact: str, se: str, keeps: tuple[float, float]) -> None:
    """As RRreg prints: what a wrong θ of .5 adds, (1 − p)/p of its error, cancels, and either fact may be unrelated."""
    printed = published("unrelated_question_theta_unknown")
    found = [
        reconstruct(counted({"blocks": [block]}, yes, n), ["fact"], sample=Sampling.simple(n)).patterns[0]
        for keep, yes, n in zip(keeps, printed["yes"], printed["n"], strict=True)
        for block in [{"keep": keep, "items": [{"id": "fact", "theta": 0.5}]}]
    ]
    added, other = ((1 - keep) / keep for keep in keeps)
    parts = np.array([other, -added]) / (other - added)

    assert parts @ [one.support for one in found] == pytest.approx(printed[fact], abs=1e-8)
    assert np.hypot(*(parts * [one.se for one in found])) == pytest.approx(printed[se], abs=1e-9)


def survey(n: int, seed: int, direct: float = 0.0) -> Records:
    random = np.random.default_rng(seed)
    drugs = random.random(n) < 0.3
    truth = np.column_stack([drugs, random.random(n) < np.where(drugs, 0.6, 0.2)]).astype(np.uint8)
    design = Design.parse({"direct": True, "blocks": [PAIR]})
    return disguise(design, truth, random.random(n) < direct, words_from_seed(seed))


@pytest.mark.parametrize("surveys", first(1, [30, 300]))
def test_a_combined_share_of_few_direct_answers_has_an_error_of_few(surveys: int) -> None:
    """Of thirty direct people one or two gave the answer, or nobody: the interval holds 5 % in 95 of 100 surveys."""
    block = {"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["drugs", "cheating"]}
    design, random = Design.parse({"direct": True, "blocks": [block]}), np.random.default_rng(4)
    held = []
    for seed in range(surveys):
        truth = (random.random((300, 2)) < 0.05).astype(np.uint8)
        records = disguise(design, truth, random.random(300) < 0.1, words_from_seed(seed))
        sampling = Sampling.from_columns({"w": np.exp(0.3 * random.standard_normal(300))}, 300, Sample(weights="w"))
        (one,) = reconstruct(records, ["drugs"], sample=sampling, estimator="combined").patterns
        assert one.ci is not None
        held.append(one.ci[0] <= 0.05 <= one.ci[1])
    assert np.mean(held) >= 0.95 - 4.5 * np.sqrt(0.95 * 0.05 / surveys)


def test_the_variance_of_a_weighted_mean_is_the_textbook_one() -> None:
    """Undisguised: Σ(w(y − m))²·n/(n − 1)/(Σw)² within each stratum, between clusters."""
    design = Design.parse({"blocks": [{"keep": 1, "items": [{"id": "fact", "theta": 0.5}]}]})
    random = np.random.default_rng(2)
    y, w = random.integers(0, 2, 60), random.uniform(1, 3, 60)
    cluster, stratum = np.arange(60) // 5, np.arange(60) // 30
    records = Records(design, y[:, np.newaxis].astype(np.uint8), np.zeros(60, bool))
    columns = {"w": w, "c": cluster.astype(float), "s": stratum.astype(float)}
    sampling = Sampling.from_columns(columns, 60, Sample("w", "c", "s"))

    estimated = figure(records, "fact", sampling).estimate(sampling)

    mean = float(w @ y / w.sum())
    part = w * (y - mean) / w.sum()
    variance = 0.0
    for one in range(2):
        totals = np.array([part[cluster == number].sum() for number in range(6 * one, 6 * one + 6)])
        variance += 6 / 5 * float(((totals - totals.mean()) ** 2).sum())
    towns = np.bincount(cluster, w)
    assert (estimated.estimate, estimated.se, sampling.freedom) == (
        pytest.approx(mean),
        pytest.approx(sqrt(variance)),
        pytest.approx((towns**2).sum() ** 2 / (towns**4).sum() - 1),
    )


def test_a_subgroup_is_a_domain_and_differences_use_what_figures_share() -> None:
    """A share in two groups, and two figures of one group: the difference has the error of the joint sample."""
    records = survey(6000, 4)
    sex = np.where(np.arange(6000) % 2 == 0, "f", "m").astype(object)
    records = Records(records.design, records.codes, records.direct, {"sex": sex})

    estimated = compare(records, ["drugs", "drugs,cheating"], "sex")

    women = Records(records.design, records.codes[sex == "f"], records.direct[sex == "f"])
    alone = reconstruct(women, ["drugs"]).patterns[0]
    first = estimated.figures[0]
    assert first.estimate is not None
    assert (first.name, first.n, first.estimate.estimate) == ("drugs · sex=f", 3000, pytest.approx(alone.support))
    assert first.estimate.se == pytest.approx(alone.se, rel=1e-12)
    by_pair = {(one.second, one.first): one.estimate for one in estimated.differences}
    assert len(by_pair) == 4
    apart = by_pair["drugs · sex=m", "drugs · sex=f"]
    other = estimated.figures[1].estimate
    assert other is not None
    assert apart.se == pytest.approx(sqrt(first.estimate.se**2 + other.se**2), rel=1e-12)
    within = by_pair["drugs,cheating · sex=f", "drugs · sex=f"]
    rest = reconstruct(women, ["drugs,!cheating"]).patterns[0]
    assert (-within.estimate, within.se) == (pytest.approx(rest.support), pytest.approx(rest.se, rel=1e-12))


@pytest.mark.parametrize("measure", ["confidence", "lift"])
def test_near_zero_the_interval_of_a_rule_is_fieller_s(measure: str) -> None:
    """Its ends r solve (above − r·below)² = t²·Var(above − r·below); where none does, the interval has no end."""
    held = []
    for seed in range(60):
        records = survey(70, seed)
        sampling = Sampling.simple(70)
        try:
            rule = figure(records, "drugs => cheating", sampling, measure=measure)
        except InputError:  # a side below 0 has no confidence
            continue
        assert rule.fraction is not None
        above, below = rule.fraction
        near = abs(below.value) < 3 * below.estimate(sampling).se

        low, high = rule.estimate(sampling).ci

        if not near:
            assert (low + high) / 2 == pytest.approx(rule.value, abs=1e-12)
            continue
        held.append(np.isfinite(low))
        for end in (low, high):
            if np.isfinite(end):
                rest = above.value - end * below.value
                parts = (above.parts - end * below.parts)[:, np.newaxis]
                reach = standard_errors(0.95, 69)
                assert rest**2 == pytest.approx(reach**2 * sampling.covariance(parts)[0, 0], rel=1e-6, abs=1e-12)
            else:
                assert abs(below.value) <= standard_errors(0.95, 69) * below.estimate(sampling).se
    assert {*held} == {True, False}


def three_versions(shares: list[float]) -> Comparison:
    design = {"model": "warner", "theta": 0.75, "items": ["fact"]}
    versions = {
        str(number): counted(design, round(1000 * (0.25 + share / 2)), 1000) for number, share in enumerate(shares, 1)
    }
    return compare(versions, ["fact"])


def test_versions_have_differences_and_a_trend() -> None:
    """.2, .3, .4 in three versions: a tenth more from each to the next, with the error of three independent surveys."""
    estimated = three_versions([0.2, 0.3, 0.4])

    (trend,) = estimated.trends
    assert trend.estimate.estimate == pytest.approx(0.1, abs=1e-3)
    first, last = estimated.figures[0].estimate, estimated.figures[2].estimate
    assert first is not None
    assert last is not None
    assert trend.estimate.se == pytest.approx(sqrt(first.se**2 + last.se**2) / 2, rel=1e-3)
    assert [(one.second, one.first) for one in estimated.differences] == [
        ("fact · 2", "fact · 1"),
        ("fact · 3", "fact · 1"),
        ("fact · 3", "fact · 2"),
    ]


def test_nothing_is_told_of_groups_below_the_least() -> None:
    """A group of 40 where 50 is the least has no estimate, and is in no difference."""
    records = counted({"model": "warner", "theta": 0.75, "items": ["fact"]}, 60, 140)
    group = np.array(["a"] * 100 + ["b"] * 40, object)
    records = Records(records.design, records.codes, records.direct, {"g": group})

    estimated = compare(records, ["fact"], "g", least=50)

    assert [(one.group, one.n, one.estimate is None) for one in estimated.figures] == [
        ("g=a", 100, False),
        ("g=b", 0, True),
    ]
    assert estimated.differences == ()


def test_more_groups_than_anybody_compares_are_refused() -> None:
    """Every two are compared, so that 1500 ran for minutes; those that are smaller than the least cost nothing."""
    records = counted({"model": "warner", "theta": 0.75, "items": ["fact"]}, 1500, 3000)
    group = np.array([f"{place}" for place in range(1500)] + ["a"] * 1500, object)
    records = Records(records.design, records.codes, records.direct, {"g": group})

    assert refusal_of(lambda: compare(records, ["fact"], "g")) == (
        "by: 'g' makes 1501 groups of 1 respondent or more, and at most 500 are compared; a larger least leaves small "
        "groups out."
    )
    assert [one.group for one in compare(records, ["fact"], "g", least=2).figures if one.n] == ["g=a"]


@pytest.mark.parametrize("weights", [None, "w"])
def test_all_differences_are_those_of_each_pair_alone(weights: str | None) -> None:
    """The error of each comes from the covariances of all figures; of one figure by two names it is none."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["fact", "other"]})
    rng = np.random.default_rng(7)
    columns = {"g": np.array([*"abcde"] * 40, object), "w": rng.uniform(1, 3, 200)}
    records = Records(design, rng.integers(0, 2, (200, 2)).astype(np.uint8), np.zeros(200, bool), columns)
    sampling = None if weights is None else Sampling.from_columns(columns, 200, Sample(weights))
    texts = ["fact", "fact=1", "fact,other"]

    estimated = compare(records, texts, "g", sample=weights and Sample(weights))

    parts = {
        f"{text} · g={name}": figure(records, text, sampling or Sampling.simple(200), among=columns["g"] == name)
        for text in texts
        for name in "abcde"
    }
    assert len(estimated.differences) == 3 * 10 + 5 * 3
    for one in estimated.differences:
        apart = parts[one.second].minus(parts[one.first])
        alone = apart.estimate(sampling, 0.95) if sampling else apart.simple_estimate(0.95)
        of_all, of_two = ([each.estimate, each.se, *each.ci, each.p] for each in (one.estimate, alone))
        assert of_all == pytest.approx(of_two, rel=1e-9, nan_ok=True)
    same = [one.estimate for one in estimated.differences if one.second.replace("=1", "") == one.first]
    assert [one.estimate for one in same] == [0] * 5
    assert np.isnan([one.se for one in same]).all()


def test_the_interval_of_a_small_subgroup_has_the_degrees_of_freedom_of_its_size() -> None:
    """Ten of 200: nine, by Wilson's interval and of a difference by Student's; with those of all it missed 8 in 100."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["fact"]})
    codes = np.array([[1]] * 4 + [[0]] * 6 + [[1]] * 90 + [[0]] * 100, np.uint8)
    group = np.array(["few"] * 10 + ["rest"] * 190, object)

    estimated = compare(Records(design, codes, np.zeros(200, bool), {"g": group}), ["fact"], "g")

    sizes = {"few": 10, "rest": 190}
    for one in (*estimated.figures, *estimated.differences):
        estimate = one.estimate
        assert estimate is not None
        n = sizes[one.group[2:]] if isinstance(one, GroupFigure) else 10
        error = estimate.se * sqrt(200 / 199)  # the interval divides squares by n − 1
        end = estimate.estimate + standard_errors(0.95, n - 1) * error
        if isinstance(one, GroupFigure):
            end = wilson_of_variance(estimate.estimate, error**2, (0.25, 0.5), 0.95, n - 1)[1]
        assert estimate.ci[1] == pytest.approx(end, rel=1e-12)


@pytest.mark.parametrize("estimator", ["stratified", "combined", "pooled"])
def test_a_group_that_shows_no_spread_has_no_error(estimator: str) -> None:
    """One respondent alone, or two who answer alike: no error, no interval, no p, and neither in a difference."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["fact", "other"]})
    codes = np.array([[1, 0], [1, 1], [1, 1]] + [[1, 0], [0, 1], [0, 0], [1, 1]] * 25, np.uint8)
    group = np.array(["one", "two", "two"] + ["rest"] * 100, object)
    records = Records(design, codes, np.zeros(103, bool), {"g": group})

    estimated = compare(records, ["fact", "fact,other"], "g", estimator=estimator)

    unknown = {one.name for one in estimated.figures if one.estimate is not None and np.isnan(one.estimate.se)}
    assert unknown == {f"{text} · g={name}" for text in ("fact", "fact,other") for name in ("one", "two")}
    for one in (*estimated.figures, *estimated.differences):
        names = {one.name} if isinstance(one, GroupFigure) else {one.first, one.second}
        assert one.estimate is not None
        figures = [one.estimate.se, *one.estimate.ci, one.estimate.p]
        assert np.isfinite(figures).tolist() == [not names & unknown] * 4


@pytest.mark.parametrize("estimator", ["stratified", "combined", "pooled"])
def test_records_that_differ_and_weigh_alike_show_no_spread(estimator: str) -> None:
    """A pair of answers of which each record holds one: all weigh alike, and a mean of them shows no error."""
    design = Design.parse({"model": "warner", "theta": 0.75, "items": ["fact", "other"]})
    records = Records(design, np.array([[1, 0], [0, 1]] * 50, np.uint8), np.zeros(100, bool))

    (figures,) = reconstruct(records, ["fact,other"], estimator=estimator).patterns
    (sampled,) = reconstruct(records, ["fact,other"], sample=Sampling.simple(100), estimator=estimator).patterns

    assert (figures.se, figures.ci) == (sampled.se, sampled.ci) == (None, None)
    assert figures.support == pytest.approx(sampled.support)


@pytest.mark.parametrize(
    ("columns", "given", "said"),
    [
        ({"w": [1.0, -2.0]}, {"weights": "w"}, "weights: in the column 'w' -2 is negative; weights are at least 0, and "
         "not all 0."),
        ({"w": [0.0, 0.0]}, {"weights": "w"}, "weights: in the column 'w' all are 0; weights are at least 0, and not "
         "all 0."),
        ({"w": ["1", "x"]}, {"weights": "w"}, "weights: respondent 2 has 'x' in the column 'w', which is not a finite "
         "number."),
        ({"c": ["a", "a"]}, {"cluster": "c"}, "cluster: all rows are in one cluster, so the variation of figures is "
        "unknown."),
        ({"w": [1.0, 4.0]}, {"weights": "w"}, "weights: the column 'w' gives one respondent 80 % of all weight, so one "
        "person decides every figure; check the weights, or leave this respondent out."),
        ({"s": ["a", "b"]}, {"strata": "s"}, "strata: 'a' of 's' has only one respondent, so the variation there is "
        "unknown; join it to another stratum."),
        ({"c": ["a", ""]}, {"cluster": "c"}, "cluster: respondent 2 has nothing in the column 'c'."),
    ],
)  # fmt: skip
def test_a_sample_that_tells_no_error_is_refused(
    columns: dict[str, list[object]], given: dict[str, str], said: str
) -> None:
    """Negative weights, one cluster, a stratum of one: a sentence each."""
    read = {
        name: np.array(values, float if name == "w" and values[0] != "1" else object)
        for name, values in columns.items()
    }

    assert refusal_of(lambda: Sampling.from_columns(read, 2, Sample(**given))) == said


SAMPLED = {
    "one coin": [{"keep": 0.5, "ask": 3, "items": [{"id": name, "theta": 0.5} for name in "abcde"]}],
    "flips beside a coin": [
        {"flips": [0.7, 0.2, 0.06, 0.04], "ask": 3, "items": [{"id": name} for name in "abcd"]},
        {"keep": 0.6, "items": [{"id": "e", "theta": 0.4}, {"id": "f", "theta": 0.4}]},
    ],
}


def sampled_survey(kind: str, n: int, seed: int) -> tuple[Records, np.ndarray]:
    """Two groups of people, four and six in ten, who say yes with chances of .6 and .2; and who is of the first."""
    random = np.random.default_rng(seed)
    design = Design.parse({"direct": True, "blocks": SAMPLED[kind]})
    risky = random.random(n) < 0.4
    truth = (random.random((n, len(design.items))) < np.where(risky, 0.6, 0.2)[:, None]).astype(np.uint8)
    return disguise(design, truth, random.random(n) < 0.2, words_from_seed(seed)), risky


@pytest.mark.parametrize("kind", SAMPLED)
@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_available_cases_of_a_simple_sample_are_those_of_reconstruct(kind: str, estimator: str) -> None:
    """The same supports to the last digits, for parts of one block and of two, and nearly the same errors."""
    records, _ = sampled_survey(kind, 3000, 1)
    patterns = ["a,b", "a,b,!c", *(["a,b,e,f"] if kind != "one coin" else [])]
    plain = reconstruct(records, patterns, estimator=estimator).patterns
    estimated = reconstruct(records, patterns, sample=Sampling.simple(3000), estimator=estimator)
    assert estimated.cases == "available"
    assert [one.support for one in estimated.patterns] == pytest.approx([one.support for one in plain], abs=1e-12)
    assert [one.se for one in estimated.patterns] == pytest.approx([one.se for one in plain], rel=0.03)
    assert [one.n for one in estimated.patterns] == [one.n for one in plain]


def test_complete_cases_can_still_be_asked_for() -> None:
    """They are those of `reconstruct`, with a larger error, and no other name for cases is known."""
    records, _ = sampled_survey("one coin", 3000, 2)
    sampling = Sampling.simple(3000)
    (plain,) = reconstruct(records, ["a,b"], cases="complete").patterns
    (complete,) = reconstruct(records, ["a,b"], sample=sampling, cases="complete").patterns
    (available,) = reconstruct(records, ["a,b"], sample=sampling).patterns
    assert complete.support == pytest.approx(plain.support, abs=1e-12)
    assert complete.se is not None
    assert available.se is not None
    assert available.se < 0.9 * complete.se
    with pytest.raises(InputError, match="cases"):
        reconstruct(records, ["a,b"], sample=sampling, cases="some")


@pytest.mark.parametrize("surveys", first(1, [15, 120]))
def test_intervals_of_weighted_available_cases_cover_the_population(surveys: int) -> None:
    """One group is asked twice as often as it lives: a pair and a leverage, within 4.5 standard errors of .95."""
    pair, alone = 0.2 * 0.36 + 0.8 * 0.04, 0.2 * 0.6 + 0.8 * 0.2
    covered = np.zeros(2)
    for seed in range(surveys):
        records, risky = sampled_survey("one coin", 600, seed)
        sampling = Sampling.from_columns({"w": np.where(risky, 0.5, 4 / 3)}, 600, Sample(weights="w"))
        shares = figure(records, "a,b", sampling).estimate(sampling)
        together = figure(records, "a => b", sampling, measure="leverage").estimate(sampling)
        covered += [shares.ci[0] <= pair <= shares.ci[1], together.ci[0] <= pair - alone**2 <= together.ci[1]]
    assert covered.min() / surveys >= 0.95 - 4.5 * sqrt(0.95 * 0.05 / surveys)


def test_surveys_drawn_again_vary_as_the_linearised_variance_says() -> None:
    """A weighted sum over clusters in strata of two to forty: its mean and covariance of 4 000 redrawn surveys."""
    random = np.random.default_rng(12)
    cluster = np.arange(240) // 3
    columns = {
        "w": random.uniform(0.5, 3, 240),
        "c": cluster.astype(float),
        "s": np.digitize(cluster, [2, 40]).astype(float),
    }
    sampling = Sampling.from_columns(columns, 240, Sample("w", "c", "s"))
    parts = random.normal(size=(240, 2))

    sums = np.array([weights @ parts for weights in sampling.redrawn(4_000, random)])

    expected = sampling.covariance(parts)
    errors = np.sqrt(np.diag(expected))
    assert np.abs((sums.mean(axis=0) - sampling.weights @ parts) / errors).max() < 4.5 / sqrt(4_000)
    assert np.abs((np.cov(sums.T) - expected) / np.outer(errors, errors)).max() < 4.5 * sqrt(2 / 4_000)


def test_the_largest_weights_of_a_file_are_weights() -> None:
    """They have no sum; shares of it they have."""
    sampling = Sampling.from_columns({"w": np.array([1e308, 1e308, 5e307, 0.0])}, 4, Sample(weights="w"))

    assert sampling.weights.tolist() == pytest.approx([1.6, 1.6, 0.8, 0.0])


@pytest.mark.parametrize(
    ("sigma", "n", "direct", "surveys"),
    first(
        1,
        [
            (2.0, 300, 0.0, 40),
            (2.0, 300, 0.0, 400),
            (2.0, 300, 0.3, 400),
            (1.0, 300, 0.3, 400),
            (2.5, 100, 0.0, 400),
            (1.5, 1_000, 0.3, 400),
        ],
    ),
)
def test_intervals_hold_however_unlike_weights_are(sigma: float, n: int, direct: float, surveys: int) -> None:
    """Lognormal weights: at least .93 of intervals hold the share where they are printed, 4.5 standard errors allowed.

    With n − 1 degrees of freedom it was .85 of σ = 2 and 300 people. Where weights are worth fewer than two people
    there is no figure.
    """
    random, held = np.random.default_rng(17), []
    design = Design.parse({"model": "improved-grouped", "p": 0.5, "theta": 0.6, "items": ["fact"], "direct": True})
    for _ in range(surveys):
        drugs, true = random.random((n, 1)) < 0.3, random.random(n) < direct
        sent = np.where((random.random((n, 1)) < 0.5) | true[:, np.newaxis], drugs, random.random((n, 1)) < 0.6)
        records = Records(design, sent.astype(np.uint8), true, {"w": random.lognormal(0, sigma, n)})
        try:
            sampling = Sampling.from_columns(records.open_columns, n, Sample(weights="w"))
        except OneDecidesError:
            continue
        low, high = figure(records, "fact", sampling).estimate(sampling).ci
        held.append(low <= 0.3 <= high)

    assert len(held) > 0.7 * surveys
    assert np.mean(held) > 0.93 - 4.5 * sqrt(0.93 * 0.07 / len(held))


def test_a_group_in_which_one_person_decides_has_no_error() -> None:
    """Ten people whose weights are worth 1.3: the group's share is that person's answer."""
    records = counted({"model": "warner", "theta": 0.75, "items": ["fact"]}, 100, 200)
    columns = {"g": np.array(["few"] * 10 + ["rest"] * 190, object), "w": np.array([1.0] * 9 + [60.0] + [1.0] * 190)}
    records = Records(records.design, np.roll(records.codes, 5), records.direct, columns)

    few, rest = compare(records, ["fact"], "g", sample=Sample(weights="w")).figures

    assert few.estimate is not None
    assert rest.estimate is not None
    assert np.isnan([few.estimate.se, *few.estimate.ci, few.estimate.p]).all()
    assert rest.estimate.se == pytest.approx(sqrt(0.25 / 190) / 0.5, rel=0.02)


def test_one_respondent_shows_no_variation() -> None:
    """Said of the respondent, and not of clusters that nobody named."""
    with pytest.raises(InputError, match=r"^There is one respondent, so the variation of figures is unknown\.$"):
        Sampling.from_columns({"w": np.ones(1)}, 1, Sample(weights="w"))
