"""Where nothing is disguised, regressions are the ordinary ones: figures that statsmodels 0.15 gives for these rows.

Its errors by cluster and its robust ones (use_correction=False, HC0) lack the factor m/(m − 1) of m clusters.
"""

from math import sqrt

import numpy as np
import pytest
from scipy.special import expit

from privacy.design import Design
from privacy.estimate.sample import Sample
from privacy.records import Records
from privacy.regress import Regression, Respondents, regression_of

N = 60
ROW = np.arange(N)
X, Z = (ROW * 37 % 61) / 10, (ROW * 17 % 7 < 3).astype(float)
COLUMNS = {
    "x": X,
    "z": Z,
    "y": 1 + 0.5 * X - 0.8 * Z + ((ROW * 53) % 23 - 11) / 8,
    "b": (expit(-0.8 + 0.3 * X - 0.5 * Z) > (ROW * 29 % 31) / 31).astype(float),
    "w": 1 + ROW % 3 * 0.5,
    "g": (ROW % 12).astype(float),
}
LATENT = -0.5 + 0.4 * X - 0.6 * Z + np.log((ROW * 29 % 31 + 0.5) / (30.5 - ROW * 29 % 31))
COLUMNS["scale"] = 1.0 + (LATENT > 0) + (LATENT > 1) + (LATENT > 2.5)
OLS = [0.6124204033411331, 0.6243179838339765, -0.7691173877263114]
LOGIT = [-0.9828443944830176, 0.3566221459092311, -0.38361758929770545]


def fitted(family: str, outcome: str, **drawn: Sample | bool) -> Regression:
    design = Design.parse({"blocks": [{"keep": 1, "items": [{"id": "sick", "theta": 0.5}]}]})
    records = Records(design, COLUMNS["b"].astype(np.uint8)[:, np.newaxis], np.zeros(N, bool), COLUMNS)
    return regression_of(Respondents.of_records(records), outcome, ["x", "z"], family, **drawn)  # type: ignore[arg-type]


def estimates(regression: Regression) -> list[float]:
    return [one.estimate for one in regression.coefficients]


def errors(regression: Regression) -> list[float]:
    return [one.se for one in regression.coefficients]


def test_a_normal_regression_has_the_intervals_of_ordinary_least_squares() -> None:
    """The likelihood divides by n, so its errors are smaller by √(57/60); intervals and p are Student's t of 57."""
    regression = fitted("normal", "y")

    ends = [[0.1371278425718822, 1.0877129641103844], [0.5025840084837397, 0.7460519591842133],
            [-1.2048161934006765, -0.33341858205194636]]  # fmt: skip
    assert estimates(regression) == pytest.approx(OLS, rel=1e-9)
    assert np.array(errors(regression)) * sqrt(60 / 57) == pytest.approx(
        np.array([0.237353687457627, 0.06079204751593464, 0.21758118406128646]), rel=1e-6
    )
    assert np.array([one.ci for one in regression.coefficients]) == pytest.approx(np.array(ends), rel=1e-6)
    p = [0.012475391566398156, 1.4048348526913998e-14, 0.0008176548125787463]
    assert [one.p for one in regression.coefficients] == pytest.approx(p, rel=1e-5)
    assert regression.loglik == pytest.approx(-72.64502322547841, abs=1e-9)


def test_a_linear_regression_is_ordinary_least_squares_with_errors_that_take_no_spread_for_granted() -> None:
    """Its errors are the robust ones, asked for or not."""
    plain, robust = fitted("linear", "y"), fitted("linear", "y", robust=True)

    assert estimates(plain) == pytest.approx(OLS, rel=1e-9)
    assert (plain.coefficients, plain.errors, plain.loglik, plain.notes) == (robust.coefficients, "robust", None, ())


def test_an_ordinal_regression_is_the_ordinary_one() -> None:
    """Thresholds of a value are the intercepts of more than it, with the other sign; errors there err a little."""
    regression = fitted("ordinal", "scale")

    thresholds = [0.09553525478230845, 1.2170082657752783, 3.0549951625270206]
    intercepts = [regression.coefficients[0], *regression.parameters]
    assert [one.name for one in intercepts] == ["(intercept)", "more than 2", "more than 3"]
    assert [-one.estimate for one in intercepts] == pytest.approx(thresholds, rel=1e-6)
    assert estimates(regression)[1:] == pytest.approx([0.40784380453198626, -1.1525879835004946], rel=1e-6)
    assert [one.se for one in (regression.coefficients[1], regression.coefficients[2], intercepts[0])] == pytest.approx(
        [0.14619710392270885, 0.5071780656211268, 0.5422893545069567], rel=2e-5
    )
    assert regression.loglik == pytest.approx(-72.28837330734403, abs=1e-9)


@pytest.mark.parametrize("outcome", ["b", "sick"])
def test_a_logistic_regression_is_the_ordinary_one(outcome: str) -> None:
    """Of an open outcome, and of the same behind a coin that always keeps."""
    regression = fitted("logistic", outcome)

    assert estimates(regression) == pytest.approx(LOGIT, rel=1e-9)
    assert errors(regression) == pytest.approx([0.6061161649942929, 0.15986886026636885, 0.5501037111963106], rel=1e-6)
    assert regression.loglik == pytest.approx(-38.5141538780947, abs=1e-9)
    p = [0.10490089291117269, 0.025699896777485416, 0.4855806380012043]
    assert [one.p for one in regression.coefficients] == pytest.approx(p, rel=1e-5)


@pytest.mark.parametrize(
    ("family", "outcome", "drawn", "count", "expected", "spread"),
    [
        ("logistic", "b", {"robust": True}, N, LOGIT, [0.6237683332454989, 0.15873503035726808, 0.546827249312101]),
        ("logistic", "b", {"sample": Sample(cluster="g")}, 12, LOGIT,
         [0.7622207067335149, 0.19902644555511853, 0.6796349802392764]),
        ("logistic", "b", {"sample": Sample(cluster="g", weights="w")}, 12,
         [-1.6180842966473339, 0.5495773914462498, -0.41972062252758624],
         [0.8331055327163742, 0.22517495204018328, 0.6683342557494578]),
        ("linear", "y", {"robust": True}, N, OLS, [0.22206913765314815, 0.06512709574929351, 0.21188495973368782]),
        ("linear", "y", {"sample": Sample(cluster="g", weights="w")}, 12,
         [0.6287749921147004, 0.6008952271577148, -0.7135380130531819],
         [0.10449623305873544, 0.05199722953780335, 0.18108556806586154]),
    ],
)  # fmt: skip
def test_robust_errors_and_those_by_cluster_are_the_ordinary_ones(
    family: str, outcome: str, drawn: dict[str, Sample | bool], count: int, expected: list[float], spread: list[float]
) -> None:
    """With weights, too; but for the factor that allows for few clusters."""
    regression = fitted(family, outcome, **drawn)

    assert estimates(regression) == pytest.approx(expected, rel=1e-8)
    assert errors(regression) == pytest.approx([se * sqrt(count / (count - 1)) for se in spread], rel=1e-6)
