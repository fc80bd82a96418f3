"""Published regressions on disguised answers, and the data of two large studies."""

import csv
import json
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from papers.reference import how_to_get, reference_file
from privacy.design import Design
from privacy.estimate.sample import Sample
from privacy.records.open_columns import read_columns
from privacy.regress import Regression, Respondents, read_model, regression_of

FOLDER = "regression/"
GROUPS = {"item": "rrt", "group": "condition", "p": {"1": 2 / 12, "2": 10 / 12}, "direct": ["0"]}


def reference(name: str) -> str:
    path = reference_file(FOLDER + name)
    if not path.exists():
        pytest.skip(how_to_get(FOLDER + name))
    return str(path)


def minarets(**options: object) -> Respondents:
    columns = read_columns(reference("minarets.csv"))
    return Respondents.of_columns(columns, "minarets.csv", model=read_model("sld", GROUPS | options))


def printed(part: str) -> dict[str, tuple[float, float]]:
    with open(reference("regression.json"), encoding="utf-8") as file:
        figures = json.load(file)[part]
    return {name: tuple(pair) for name, pair in figures.items() if isinstance(pair, list)}


def figures(regression: Regression) -> dict[str, tuple[float, float]]:
    estimates = (*regression.coefficients, *regression.parameters)
    return {one.name: (one.estimate, one.se) for one in estimates}


def test_the_share_of_the_stochastic_lie_detector_is_the_published_one() -> None:
    """Minarets: π = .870695 ± .041118 and t = .635806 ± .017344, with the spread within each group of the study."""
    people = minarets()
    regression = regression_of(people.select(~people.direct), "rrt", sample=Sample(strata="condition"))

    assert regression.n == 1256
    assert regression.share is not None
    shown = (regression.share, *regression.parameters)
    assert [(round(one.estimate, 6), round(one.se, 6)) for one in shown] == [(0.870695, 0.041118), (0.635806, 0.017344)]


def test_the_logistic_regression_is_the_published_one() -> None:
    """The highest likelihood is the printed one; the coefficients differ by what the printed search left over."""
    people = minarets()
    regression = regression_of(people.select(~people.direct), "rrt", ["age.c", "leftRight.c", "age.c:leftRight.c"])

    expected = printed("logistic")
    coefficients = figures(regression)
    assert regression.loglik == pytest.approx(-821.084, abs=5e-4)
    for name, (estimate, se) in expected.items():
        assert coefficients[name] == pytest.approx((estimate, se), abs=3e-4)
        assert abs(coefficients[name][0] - estimate) < 0.001 * se


def test_the_printed_coefficients_are_those_of_a_search_that_stopped_early() -> None:
    """Why the logistic regression is not the printed one to every digit: its likelihood is higher.

    RRreg, which printed it, stops where a step gains less than 1e7·2.2e-16 of the log-likelihood, 1.8e-6, after
    starts drawn by chance. What it printed lies 6e-7 below the maximum, found here by another likelihood written down
    again; its errors come of differences of .001, and so come out to the digits.
    """
    columns = read_columns(reference("minarets.csv"))
    asked = columns["condition"].astype(float) > 0
    group, age, side, yes = (np.asarray(columns[name][asked], float) for name in (
        "condition", "age.c", "leftRight.c", "rrt"))  # fmt: skip
    x = np.column_stack([np.ones(len(age)), age, side, age * side])
    no = np.where(group == 1, 2 / 12, 10 / 12)

    def height(at: np.ndarray) -> float:
        carrier = expit(x @ at[:4])
        chance = carrier * at[4] + (1 - carrier) * (1 - no)
        return float(np.log(np.where(yes == 1, chance, 1 - chance)).sum())

    def slopes(at: np.ndarray, step: float) -> np.ndarray:
        return np.array([height(at + move) - height(at - move) for move in step * np.eye(5)]) / (2 * step)

    def bends(at: np.ndarray, step: float) -> np.ndarray:
        return np.array([slopes(at + move, step) - slopes(at - move, step) for move in step * np.eye(5)]) / (2 * step)

    pairs = printed("logistic")
    estimates, errors = np.array([pairs[name] for name in [*list(pairs)[:4], "t"]]).T
    people = minarets()
    coefficients = figures(
        regression_of(people.select(~people.direct), "rrt", ["age.c", "leftRight.c", "age.c:leftRight.c"])
    )
    ours = np.array([pair[0] for pair in coefficients.values()])

    assert np.abs(np.linalg.solve(bends(ours, 1e-4), slopes(ours, 1e-5))).max() < 1e-6  # nowhere is it higher
    assert 0 < height(ours) - height(estimates) < 1e7 * 2.2e-16 * abs(height(ours))
    assert np.sqrt(np.diag(np.linalg.inv(-bends(estimates, 1e-3)))) == pytest.approx(errors, abs=2e-5)


def test_direct_and_disguised_answers_are_fitted_together_as_published() -> None:
    """One model for both groups, told apart by a column: the printed digits, and no note of an assumption."""
    regression = regression_of(minarets(), "rrt", ["RRdesign", "leftRight.c", "RRdesign:leftRight.c"])

    assert (regression.n, regression.direct, regression.notes) == (1621, 365, ())
    assert regression.loglik == pytest.approx(-1051.466, abs=5e-4)
    coefficients = figures(regression)
    for name, pair in printed("logistic_joint").items():
        assert coefficients[name] == pytest.approx(pair, abs=1.1e-5)


def test_the_linear_regression_is_the_published_one() -> None:
    """A disguised predictor of an open outcome, which the published fit takes for normal; t is known, and the predictor
    independent."""
    people = minarets(t=0.635806, independent=True)
    regression = regression_of(people.select(~people.direct), "leftRight", ["rrt", "age"], "normal")

    coefficients = figures(regression)
    assert coefficients["sigma"][0] == pytest.approx(1.755, abs=5e-4)
    for name, pair in printed("linear").items():
        assert coefficients[name] == pytest.approx(pair, abs=6e-5)


def asked(way: str, p: float, yes: float, conditional: bool) -> tuple[dict[str, object], tuple[float, float]]:
    """A way of asking as a design, and c and d of its P(record 1) = c + d·π.

    One study gives how often a forced answer is yes, the other how often an answer is a forced yes.
    """
    match way:
        case "Crosswise":
            return {"model": "crosswise", "prevalence": p}, (1 - p, 2 * p - 1)
        case "UQM":
            return {"model": "unrelated-question", "p": p, "theta": yes}, ((1 - p) * yes, p)
        case "Forced":
            forced = (1 - p) * yes if conditional else yes
            return {"model": "forced-response", "p": p, "yes": forced}, (forced, p)
        case _:
            return {"model": "unrelated-question", "p": 1, "theta": 0.5}, (0.0, 1.0)


@pytest.mark.parametrize(
    ("study", "question", "p", "conditional", "on"),
    [
        ("ethbe", "copied", ("p1", "p2"), False, ["gender=female", "age_cat=1985 or before", "age_cat=1986-1989"]),
        ("mturk", "shoplifting", ("RRp1", "RRp2"), True, ["gender", "cheater=cheater"]),
    ],
)
def test_four_ways_of_asking_are_fitted_in_one_model(
    study: str, question: str, p: tuple[str, str], conditional: bool, on: list[str]
) -> None:
    """Every way with its own p; coefficients, errors and likelihood are those of a likelihood written down again."""
    with open(reference(f"{study}_counts.csv"), encoding="utf-8") as file:
        counted = [row for row in csv.DictReader(file) if row["Question"] == question]
    rows = [row for row in counted for _ in range(int(row["count"]))]
    ways = [f"{row['RRmodel']} {row[p[0]]} {row[p[1]]}" for row in rows]
    columns = {name: np.array([row[name] for row in rows], object) for name in rows[0]} | {
        "way": np.array(ways, object)
    }
    designs, lines = {}, {}
    for way in set(ways):
        name, *shares = way.split()
        entry, lines[way] = asked(name, float(shares[0]), float(shares[1]), conditional)
        designs[way] = Design.parse(entry | {"items": ["RR_response"]})
    people = Respondents.of_columns(columns, study, designs=(designs, "way"))

    regression = regression_of(people, "RR_response", on)

    names = ["RR_response", *(word.partition("=")[0] for word in on)]
    ways = [way for way, row in zip(ways, rows, strict=True) if all(row[name] for name in names)]
    rows = [row for row in rows if all(row[name] for name in names)]
    x = np.ones((len(rows), len(on) + 1))
    for place, word in enumerate(on, 1):
        name, _, value = word.partition("=")
        x[:, place] = [row[name] == value if value else float(row[name]) for row in rows]
    c, d = np.array([lines[way] for way in ways]).T
    seen = np.array([row["RR_response"] == "1" for row in rows])

    def loss(beta: np.ndarray) -> float:
        chance = c + d * expit(x @ beta)
        return -float(np.log(np.where(seen, chance, 1 - chance)).sum())

    best = minimize(loss, np.zeros(x.shape[1]), method="BFGS", options={"gtol": 1e-4})
    steps = 1e-3 * np.eye(len(best.x))
    curvature = [
        [
            (loss(best.x + a + b) - loss(best.x + a - b) - loss(best.x - a + b) + loss(best.x - a - b)) / 4e-6
            for b in steps
        ]
        for a in steps
    ]
    errors = np.sqrt(np.diag(np.linalg.inv(curvature)))
    assert (regression.n, len(designs) > 6) == (len(rows), True)
    assert regression.loglik == pytest.approx(-best.fun, abs=1e-5)
    assert [one.estimate for one in regression.coefficients] == pytest.approx(best.x, abs=1e-3 * sqrt(errors.min()))
    assert [one.se for one in regression.coefficients] == pytest.approx(errors, rel=1e-3)
