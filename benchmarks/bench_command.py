"""`candor mine` from a file of records to its report, beside mlxtend from a file to a table of rules.

People are the 88 162 baskets of retail with its 50 commonest articles, if its file is there, and 10 000 and 100 000
made people with 50 answers. Designs are two: γ is 19 for each answer by itself, or for all answers of a person who is
asked 3 of them. Both programs look for itemsets of at most three items, with a support of .02 and of .005, and for
rules with a confidence of .3; mlxtend has the true answers, and computes no errors. Seconds are processor time of the
whole process, imports among them, the median of three runs with one thread.

A second table lowers the support of a search among 10 000 made people step by step: where one step finds at most twice
the itemsets of another, it is to take at most three times as long.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mining.engines.findings import findings
from mining.engines.request import MiningRequest
from papers.private_mining import RETAIL, classes, retail
from papers.reference import reference_file
from privacy.design import Design
from privacy.disguise.frame import disguise
from privacy.output import as_table

SUPPORTS = (0.02, 0.005)
LOWERED = [0.08 * 0.8**step for step in range(14)]
ITEMS = [f"q{place}" for place in range(50)]
DESIGNS: dict[str, dict[str, Any]] = {
    "each answer by itself": {"model": "warner", "theta": 0.95, "items": ITEMS},
    "3 of 50 under one coin": {
        "blocks": [{"keep": 9 / 13, "ask": 3, "items": [{"id": item, "theta": 0.5} for item in ITEMS]}]
    },
}
MLXTEND = """
import sys, pandas
from mlxtend.frequent_patterns import apriori, association_rules
itemsets = apriori(pandas.read_csv(sys.argv[1]).astype(bool), float(sys.argv[2]), use_colnames=True, max_len=3)
print(association_rules(itemsets, min_threshold=0.3).to_string())
"""


def main() -> list[tuple[str, float]]:
    rows: list[list[object]] = []
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        answers, records, written = (str(Path(folder, name)) for name in ("answers.csv", "records.csv", "design.json"))
        for name, truth in populations().items():
            truth.to_csv(answers, index=False)
            mlxtend = {support: measure([sys.executable, "-c", MLXTEND, answers, str(support)]) for support in SUPPORTS}
            for label, model in DESIGNS.items():
                design = Design.parse(model)
                design.write(written)
                disguise(truth, design, seed=1).write(records)
                for support, theirs in mlxtend.items():
                    thresholds = ["--min-support", str(support), "--min-confidence", "0.3"]
                    ours = measure([sys.executable, "-m", "candor.commands", "mine", records, written, *thresholds])
                    rows.append([name, label, support, theirs, ours, theirs / ours])
                    ratios.append((f"{name}, {label}, {support}", theirs / ours))
    print(as_table(["people", "design", "support", "mlxtend s", "candor s", "times as fast"], rows))
    return [*ratios, *growth()]


def populations() -> dict[str, pd.DataFrame]:
    made = {f"{count} made people": made_people(count) for count in (10_000, 100_000)}
    if not reference_file(RETAIL).exists():
        return made
    people = retail()
    return {people.name: pd.DataFrame(people.answers[people.person], columns=ITEMS)} | made


def made_people(count: int) -> pd.DataFrame:
    people = classes()
    chosen = np.random.default_rng(1).choice(people.person, count)
    return pd.DataFrame(people.answers[chosen], columns=ITEMS)


def growth() -> list[tuple[str, float]]:
    """The time of searches that find more and more itemsets."""
    rows: list[list[object]] = []
    ratios = []
    for label, model in DESIGNS.items():
        design = Design.parse(model)
        codes = disguise(made_people(10_000), design, seed=1).codes
        found = [(support, *search(codes, design, support)) for support in LOWERED]
        rows += [[label, *figures] for figures in found]
        steps = [after / before for (_, few, before), (_, many, after) in combinations(found, 2) if many <= 2 * few]
        ratios.append((f"longer for at most twice the itemsets, {label}", max(steps)))
    print()
    print(as_table(["design", "support", "itemsets", "seconds"], rows))
    return ratios


def search(codes: np.ndarray, design: Design, support: float) -> tuple[int, float]:
    """How many itemsets a search finds, and its processor time, the least of three."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        found = findings([(codes, np.zeros(len(codes), bool))], design, MiningRequest(support, 0.3, 3))
        seconds.append(time.process_time() - start)
    return len(found.columns.items), min(seconds)


def measure(command: Sequence[str]) -> float:
    """The processor time of a command, the median of three."""
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
