"""How fast regressions on disguised answers are fitted, against the same regression on answers that nobody disguised.

    python benchmarks/bench_regress.py [respondents [covariates]]

100 000 respondents with ten open covariates, logistic and linear, the outcome, a predictor or both disguised under
flips. The baseline, in the same run, is Newton's method for an ordinary logistic regression on the true answers, a few
lines of NumPy. Each figure is the best of two, in seconds of the processor.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import expit

from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.output import as_table
from privacy.records import Records
from privacy.regress import Respondents, regression_of

DESIGN = {"blocks": [{"flips": [0.7, 0.2, 0.1], "items": [{"id": "drugs"}, {"id": "cheating"}]}]}
CASES = {
    "logistic, outcome disguised": ("drugs", [], "logistic"),
    "logistic, predictor disguised": ("drunk", ["cheating"], "logistic"),
    "logistic, both disguised": ("drugs", ["cheating"], "logistic"),
    "linear, outcome disguised": ("drugs", [], "linear"),
    "linear, predictor disguised": ("grade", ["cheating"], "linear"),
    "linear, both disguised": ("drugs", ["cheating"], "linear"),
}


def seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(2):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def people_of(respondents: int, covariates: int) -> tuple[Respondents, np.ndarray, np.ndarray]:
    """Records with their undisguised columns, and what an ordinary regression would have: x and the true outcome."""
    random = np.random.default_rng(1)
    x = random.normal(size=(respondents, covariates))
    slopes = np.linspace(-0.3, 0.3, covariates)
    cheating = random.random(respondents) < expit(-0.5 + 0.3 * x[:, 0])
    drugs = random.random(respondents) < expit(-0.5 + 0.8 * cheating + x @ slopes)
    design = Design.parse(DESIGN)
    truth = np.column_stack([drugs, cheating]).astype(np.uint8)
    records = disguise(design, truth, np.zeros(respondents, bool), words_from_seed(1))
    columns = {f"x{place}": x[:, place] for place in range(covariates)}
    columns["drunk"] = (random.random(respondents) < expit(-0.5 + 0.8 * cheating + x @ slopes)).astype(float)
    columns["grade"] = 1 + 0.8 * cheating + x @ slopes + random.normal(size=respondents)
    people = Respondents.of_records(Records(design, records.codes, records.direct, columns))
    return people, np.column_stack([np.ones(respondents), cheating, x]), drugs.astype(float)


def ordinary(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    beta = np.zeros(x.shape[1])
    for _ in range(6):
        chance = expit(x @ beta)
        curvature = (x * (chance * (1 - chance))[:, np.newaxis]).T @ x
        beta = beta + np.linalg.solve(curvature, x.T @ (y - chance))
    return beta


def main() -> list[tuple[str, float]]:
    respondents = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    covariates = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    people, x, y = people_of(respondents, covariates)
    baseline = seconds(partial(ordinary, x, y))
    open_ones = [f"x{place}" for place in range(covariates)]
    table: list[list[object]] = [["ordinary, nothing disguised", baseline, 1.0]]
    for name, (outcome, hidden, family) in CASES.items():
        spent = seconds(partial(regression_of, people, outcome, [*hidden, *open_ones], family))
        table.append([name, spent, spent / baseline])
    print(as_table(["", "seconds", "times the baseline"], table))
    return [(str(name), float(str(ratio))) for name, _, ratio in table[1:]]


if __name__ == "__main__":
    main()
