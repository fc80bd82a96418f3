"""Weights that meet known margins: figures and errors are those of R's package survey."""

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import candor
from privacy.errors import InputError, InputWarning
from privacy.estimate.calibration import read_margins
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.records.open_columns import read_columns, records_of
from tests.cases import every
from tests.refusals import refusal_of

VECTORS = Path(__file__).parents[2] / "vectors" / "survey"
SEX = {"sex": {"f": 3100, "m": 2900}}
AGE = {"age": {"middle": 2300, "old": 1800, "young": 1900}}
INCOME = {"income": 6000 * 30.3}
DRAWN = {"weights": "w", "cluster": "town", "strata": "region"}


def margins(*known: dict[str, Any], method: str = "raking") -> dict[str, Any]:
    joined = {name: own for one in known for name, own in one.items()}
    return DRAWN | {"margins": {"margins": joined, "method": method}}


SAMPLES: dict[str, dict[str, Any]] = {  # as `survey.R` names its designs
    "drawn": DRAWN,
    "alone": {"weights": "w"},
    "poststratified": margins(SEX),
    "raked": margins(SEX, AGE),
    "trimmed": margins(SEX, AGE, INCOME) | {"trim": (0.65, 1.5)},
    "linear": margins(SEX, AGE, method="linear"),
    "greg": margins(SEX, AGE, INCOME, method="linear"),
    "raked_income": margins(SEX, AGE, INCOME),
}
USUAL = ("trimmed", "greg")
EACH = [name if name in USUAL else pytest.param(name, marks=pytest.mark.long) for name in SAMPLES]


@cache
def people() -> candor.Records:
    columns = read_columns(VECTORS / "people.csv")
    return records_of(columns, candor.models.warner(["drugs", "theft"], theta=0.8), "people.csv")


def sample(**drawn: Any) -> Sampling:
    return Sampling.from_columns(people().open_columns, len(people()), Sample(**drawn))


def errors_of(figures: Sequence[Any]) -> list[float]:
    return [*(one.estimate for one in figures), *(one.se for one in figures)]


@pytest.mark.parametrize("name", EACH)
def test_shares_tables_rules_differences_and_regressions_are_those_of_r_survey(name: str) -> None:
    """To six digits and better, with their errors, however weights were made."""
    drawn, printed = candor.Sample(**SAMPLES[name]), json.loads((VECTORS / "results.json").read_text())[name]

    share = candor.reconstruct(people(), ["drugs"], sample=drawn).patterns[0]
    table = candor.table(people(), ["drugs", "theft"], sample=drawn)
    rule = candor.compare(people(), "drugs => theft", sample=drawn).figures[0].estimate
    apart = candor.compare(people(), "drugs", "sex", sample=drawn).differences[0].estimate
    line = candor.regress(people(), "drugs", "income", family="linear", sample=drawn).coefficients
    odds = candor.regress(people(), "smokes", "income", sample=drawn).coefficients

    ours = {
        "share": [share.support, share.se],
        "cell": [table.support[0, 0], table.se[0, 0]],
        "confidence": errors_of([rule]),
        "difference": errors_of([apart]),
        "line": errors_of(line),
        "odds": errors_of(odds),
    }
    assert ours.keys() == printed.keys()
    assert {key: pytest.approx(printed[key], rel=1e-7) for key in printed} == ours


def test_the_error_of_a_calibrated_share_is_that_of_the_residuals_of_its_regression() -> None:
    """By the formula alone: Σ over strata of n/(n − 1)·Σ(cluster total − their mean)², of weight·residual."""
    columns = people().open_columns
    before = columns["w"].astype(float)
    inverted = (people().codes[:, 0] - 0.2) / 0.6
    x = np.stack([columns["sex"] == "f", columns["sex"] == "m", columns["age"] == "old", columns["age"] == "young"], 1)
    x = x.astype(float)
    wanted = np.array([3100.0, 2900.0, 1800.0, 1900.0])
    scaled = before * 6000 / before.sum()
    ratio = 1 + x @ np.linalg.solve(x.T @ (scaled[:, None] * x), wanted - scaled @ x)
    weight = scaled * ratio
    mean = weight @ inverted / weight.sum()
    score = inverted - mean
    residual = score - x @ np.linalg.solve(x.T @ (scaled[:, None] * x), x.T @ (scaled * score))
    variance = 0.0
    for region in np.unique(columns["region"]):
        towns = np.unique(columns["town"][columns["region"] == region])
        sums = np.array([(weight * residual)[columns["town"] == town].sum() for town in towns])
        variance += len(sums) / (len(sums) - 1) * ((sums - sums.mean()) ** 2).sum()

    (share,) = candor.reconstruct(
        people(), ["drugs"], sample=candor.Sample(**margins(SEX, AGE, method="linear"))
    ).patterns

    assert (share.support, share.se) == pytest.approx((mean, np.sqrt(variance) / weight.sum()), rel=1e-8)


def test_weights_meet_every_margin_and_keep_to_their_bounds() -> None:
    """Also those of two variables together, and the mean of a number."""
    both = {"sex:age": {"f:middle": 20, "f:old": 18, "f:young": 14, "m:middle": 17, "m:old": 15, "m:young": 16}}

    made = sample(**margins(both, {"income": 3030.0}) | {"trim": (0.5, 2)})

    assert made.calibration is not None
    ratio = made.weights / made.calibration.before
    columns = people().open_columns
    old_men = (columns["sex"] == "m") & (columns["age"] == "old")
    assert made.weights[old_men].sum() / made.weights.sum() == pytest.approx(0.15)
    assert made.weights @ columns["income"].astype(float) / made.weights.sum() == pytest.approx(30.3)
    assert (ratio.min() >= 0.5 - 1e-9, ratio.max() <= 2 + 1e-9) == (True, True)


def test_the_share_of_a_calibrated_variable_itself_has_no_error() -> None:
    """Nothing of it is left to chance: the residuals of a margin are 0."""
    made = sample(**margins(SEX, AGE))
    women = (people().open_columns["sex"] == "f").astype(float)

    share = women @ made.weights / made.weights.sum()
    parts = (women - share) / made.weights.sum()

    assert share == pytest.approx(3100 / 6000)
    assert made.covariance(parts[:, np.newaxis])[0, 0] == pytest.approx(0, abs=1e-20)
    men = made.select(women == 0)  # a subgroup's figure is still about everybody
    assert men.covariance(np.ones((len(men.weights), 1)))[0, 0] == pytest.approx(0, abs=1e-15)


def test_rules_and_distributions_know_the_margins() -> None:
    """A mined rule has the error that the comparison has, and numbers are redrawn with the same margins."""
    drawn = candor.Sample(**margins(SEX, AGE))
    (mined,) = candor.mine(people(), 0.01, min_confidence=0.01, least=1, sample=drawn).rules.to_dict("records")[:1]

    rule = candor.compare(people(), f"{mined['antecedent']} => {mined['consequent']}", sample=drawn).figures[0].estimate
    redrawn = next(sample(**margins(SEX, AGE)).redrawn(1, np.random.default_rng(1)))

    assert rule is not None
    assert mined["confidence se"] == pytest.approx(rule.se, rel=1e-6)
    women = people().open_columns["sex"] == "f"
    assert redrawn[women].sum() / redrawn.sum() == pytest.approx(3100 / 6000)


REFUSED = {
    "margins: nobody has 'x' of 'sex'; join it to another category.": margins({"sex": {"f": 50, "m": 49, "x": 1}}),
    "margins: 'sex' of respondents is 'm', whose share is missing.": margins({"sex": {"f": 50}}),
    "margins: 'sex' of respondents is 'm', whose share is 0.": margins({"sex": {"f": 50, "m": 0}}),
    "margins: 'm' of 'sex' is -1; shares are at least 0.": margins({"sex": {"f": 50, "m": -1}}),
    "margins: those of 'sex' sum to 0.9, not to 1.": margins({"sex": {"f": 0.5, "m": 0.4}}),
    "margins: those of 'sex' sum to 100 and those of 'age' to 90; both are of the same population.": margins(
        {"sex": {"f": 50, "m": 50}}, {"age": {"middle": 30, "old": 30, "young": 30}}
    ),
    "margins: those of 'sex' and 'sex:age' contradict each other for these respondents; no weights meet them all.": (
        margins(
            {"sex": {"f": 50, "m": 50}},
            {"sex:age": {"f:middle": 20, "f:old": 20, "f:young": 20, "m:middle": 10, "m:old": 10, "m:young": 20}},
        )
    ),
    "margins: there is no column 'drugs'; the undisguised columns are": margins({"drugs": {"0": 5, "1": 5}}),
    "margins: no weights above 0 meet them all; they contradict each other, or need people of whom nobody is here.": (
        margins({"income": 90.0})
    ),
    "trim: weights of 0.9 to 1.1 times those before cannot meet the margins; trim less, or join categories.": margins(
        SEX, AGE
    )
    | {"trim": (0.9, 1.1)},
    "trim: (2, 3) is not LOW,HIGH with LOW from 0 to 1 and HIGH above 1, such as 0.3,3.": margins(SEX)
    | {"trim": (2, 3)},
    "trim: it goes with margins, which weights are made to meet.": DRAWN | {"trim": (0.3, 3)},
    "margins: linear calibration gives 19 respondents a weight below 0; trim the weights, or take the method raking.": (
        margins({"income": 38.0}, method="linear")
    ),
}


@pytest.mark.parametrize("said", every(4, REFUSED))
def test_what_no_weights_can_meet_is_refused_in_a_sentence(said: str) -> None:
    """It names the margin, the value and the rule."""
    assert refusal_of(lambda: sample(**REFUSED[said]))[: len(said)] == said


def test_a_number_beside_percentages_is_a_mean_or_a_total_as_its_values_say() -> None:
    """An age of 41.5 beside 51 % is no total of a hundred people; a share of .6 may be one, and is refused."""
    columns = {"sex": np.array(["f", "m"] * 4, object), "age": np.arange(20.0, 60.0, 5), "works": np.arange(8) % 2.0}
    sex = {"f": 50, "m": 50}

    for age in (41.5, 4150):
        drawn = Sampling.from_columns(columns, 8, Sample(margins={"margins": {"sex": sex, "age": age}}))
        assert drawn.weights @ columns["age"] / 8 == pytest.approx(41.5)
    with pytest.raises(candor.InputError, match=r"^margins: 'works' is 0\.6 beside shares that sum to 100: a mean, or"):
        Sampling.from_columns(columns, 8, Sample(margins={"margins": {"sex": sex, "works": 0.6}}))


def test_margins_are_read_from_json_and_csv_alike(tmp_path: Path) -> None:
    """A CSV file has a row for each category, and none for the category of a number."""
    (tmp_path / "known.json").write_text('{"margins": {"sex": {"f": 51, "m": 49}, "income": 3030}}')
    (tmp_path / "known.csv").write_text("variable,category,share\nsex,f,51\nsex,m,49\nincome,,3030\n")
    (tmp_path / "odd.csv").write_text("variable,share\nsex,51\n")

    assert read_margins(tmp_path / "known.json") == read_margins(tmp_path / "known.csv")
    with pytest.raises(candor.InputError, match="the columns are variable, share, not variable, category, share"):
        read_margins(tmp_path / "odd.csv")


@pytest.mark.parametrize(
    ("rare", "said"),
    [
        (1, "margins: one respondent alone is 'x' of 'g' and would stand for many, so no error is known; join it to"),
        (4, "margins: few are to stand for many as 'x' (4) of 'g', so errors come out too small; join categories."),
    ],
)
def test_few_who_are_to_stand_for_many_are_named(rare: int, said: str) -> None:
    """One of a thousand who stands for a fifth of the population gave an error an eighth of the true one."""
    columns = {"g": np.array(["x"] * rare + ["y"] * (1000 - rare), object)}
    margins = {"margins": {"g": {"x": 0.2, "y": 0.8}}}

    with pytest.raises((InputError, InputWarning), match=f"^{re.escape(said)}"):
        Sampling.from_columns(columns, 1000, Sample(margins=margins))
    as_many = {"margins": {"g": {"x": rare / 1000, "y": 1 - rare / 1000}}}
    assert Sampling.from_columns(columns, 1000, Sample(margins=as_many)).weights == pytest.approx(1)
