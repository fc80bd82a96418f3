"""`candor mine` from a file of records to its report, beside mlxtend from a file to a table of rules.

The people are the 88 162 baskets of retail and its 50 commonest articles (made people where retail is not there), in
records of two designs: γ is 19 for each answer by itself, or for all answers of a person who is asked 3 of them. Both
look for itemsets of at most three items with a support of .005, and for rules with a confidence of .3; mlxtend has the
true answers, and computes no errors. Seconds are processor time of the whole process, imports among them, the median
of three runs with one thread.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from papers.private_mining import RETAIL, classes, retail
from papers.reference import reference_file
from privacy.design import Design
from privacy.disguise.frame import disguise
from privacy.output import as_table

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
itemsets = apriori(pandas.read_csv(sys.argv[1]).astype(bool), 0.005, use_colnames=True, max_len=3)
print(association_rules(itemsets, min_threshold=0.3).to_string())
"""


def main() -> list[tuple[str, float]]:
    people = retail() if reference_file(RETAIL).exists() else classes()
    truth = pd.DataFrame(people.answers[people.person], columns=ITEMS)
    rows: list[list[object]] = []
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        answers, records, written = (str(Path(folder, name)) for name in ("answers.csv", "records.csv", "design.json"))
        truth.to_csv(answers, index=False)
        mlxtend = measure([sys.executable, "-c", MLXTEND, answers])
        for name, model in DESIGNS.items():
            design = Design.parse(model)
            design.write(written)
            disguise(truth, design, seed=1).write(records)
            thresholds = ["--min-support", "0.005", "--min-confidence", "0.3"]
            candor = measure([sys.executable, "-m", "candor.commands", "mine", records, written, *thresholds])
            rows.append([people.name, name, mlxtend, candor, mlxtend / candor])
            ratios.append((f"{people.name}, {name}", mlxtend / candor))
    print(as_table(["people", "design", "mlxtend s", "candor s", "times as fast"], rows))
    return ratios


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
