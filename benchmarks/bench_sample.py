"""How near the risks of a sample are to the truth: samples of the 30 162 records of Adult, taken as all people.

`python -m benchmarks sample` prints for each estimator its mean over the samples beside the mean of what it estimates,
and how often its interval held that.
"""

import numpy as np

from papers.adult import ADULT
from papers.reference import how_to_get, reference_file
from privacy.release.classes import number_classes
from privacy.release.everybody import Everybody, SampleClasses
from privacy.release.individual import global_risk
from privacy.release.loglinear import lone_risk
from privacy.release.tables import read_table
from privacy.release.uniques import MODELS, ClassCounts, uniques

FEW = ("age", "marital-status", "race", "sex")
MANY = ("age", "education-num", "marital-status", "native-country", "race", "sex", "workclass", "occupation")
SHARES, SAMPLES = (0.01, 0.05, 0.2), 20


def main() -> list[tuple[str, float]]:
    file = reference_file(ADULT)
    if not file.exists():
        print(f"Adult is left out. {how_to_get(ADULT)}", flush=True)
        return []
    table = read_table(file)
    ratios = []
    for columns in (FEW, MANY):
        people = [number_classes([table[name]]) for name in columns]
        for share in SHARES:
            for name, estimates, truths, held in _draws(people, share):
                ratio = float(np.mean(estimates) / np.mean(truths))
                ratios.append((f"{name}, {len(columns)} columns, {share:.0%}", ratio))
                covered = f"{np.mean(held):.0%} held" if held else "no interval"
                print(f"{len(columns)} columns {share:4.0%} {name:12} {np.mean(estimates):9.5f} {np.mean(truths):9.5f} "
                      f"ratio {ratio:6.2f} {covered}")  # fmt: skip
    return ratios


def _draws(people: list[np.ndarray], share: float) -> list[tuple[str, list[float], list[float], list[bool]]]:
    """For each estimator its estimates, the truths, and whether the interval held the truth."""
    random, member = np.random.default_rng(1), number_classes(people)
    everybody = np.bincount(member)
    alone = float((everybody == 1).sum() / len(member))
    found: dict[str, tuple[list[float], list[float], list[bool]]] = {}

    def keep(name: str, value: float, low: float | None, high: float | None, truth: float) -> None:
        estimates, truths, held = found.setdefault(name, ([], [], []))
        estimates.append(value)
        truths.append(truth)
        if low is not None and high is not None:
            held.append(low <= truth <= high)

    for _ in range(SAMPLES):
        rows = random.choice(len(member), round(share * len(member)), replace=False)
        seen = SampleClasses(Everybody(len(member)), [column[rows] for column in people])
        risks, lone = 1 / everybody[member[rows]], seen.sizes[seen.member] == 1
        sizes = ClassCounts(*np.unique(seen.sizes, return_counts=True), people=len(member))
        for name, model in MODELS.items():
            if made := model(sizes):
                value, low, high = made
                keep(name, value / len(member), low and low / len(member), high and high / len(member), alone)
        for name, figure, truth in (
            ("by the rule", uniques(seen), alone),
            ("global risk", global_risk(seen), float(risks.mean())),
            ("lone rows", lone_risk(seen), float(risks[lone].sum() / len(rows))),
        ):
            keep(name, figure.value, figure.low, figure.high, truth)
    return [(name, *lists) for name, lists in found.items()]
