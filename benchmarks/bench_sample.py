"""How near the risk of a sample is to the truth: samples of the 30 162 records of Adult, taken as all people.

`python -m benchmarks sample` prints the mean of the global risk over the samples beside that of what it estimates.
"""

import numpy as np

from papers.reference import ADULT, how_to_get, reference_file
from privacy.release.classes import number_classes, read_table
from privacy.release.measures.everybody import Everybody, SampleClasses
from privacy.release.measures.sample import global_risk

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
            estimate, truth = np.mean(_draws(people, share), axis=0).tolist()
            ratios.append((f"global risk, {len(columns)} columns, {share:.0%}", estimate / truth))
            print(f"{len(columns)} columns {share:4.0%} {estimate:9.5f} {truth:9.5f} ratio {ratios[-1][1]:6.2f}")
    return ratios


def _draws(people: list[np.ndarray], share: float) -> list[tuple[float, float]]:
    """Of each sample the estimated global risk, and the true one."""
    random, member = np.random.default_rng(1), number_classes(people)
    everybody, found = np.bincount(member), []
    for _ in range(SAMPLES):
        rows = random.choice(len(member), round(share * len(member)), replace=False)
        risk = global_risk(SampleClasses(Everybody(len(member)), [column[rows] for column in people]))
        found.append((risk.value, float((1 / everybody[member[rows]]).mean())))
    return found
