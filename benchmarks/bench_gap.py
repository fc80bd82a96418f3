"""How far each method of local recoding is from the exact optimum, on random tables of few rows.

    python -m benchmarks gap, or python -m benchmarks.bench_gap TABLES

The optimum is that of integer programming (benchmarks/optimum.py), for k alone. A gap is the penalty that a method
has more than the optimum, as a share of it. ILP-L also fulfils distinct l-diversity, with l = k, which the optimum does
not. The ratios are 1 and the median gap.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.optimum import optimum
from privacy.output import as_table
from privacy.release import anonymize, parse_spec
from privacy.release.attributes import Measured, Quasi, Space
from privacy.release.hierarchies import by_tree
from privacy.release.methods.local import bottom_up, grow_classes

TABLES = 100
ROWS = {2: 40, 3: 30}
"""By k: the classes to choose from grow with the power 2k - 1 of the rows."""

REGIONS = {"*": {"A": ["a1", "a2", "a3"], "B": ["b1", "b2"], "C": ["c1", "c2", "c3"]}}
WORKS = {"*": ["farm", "office", "school"]}
TOWNS, WORK = by_tree(REGIONS, "towns"), by_tree(WORKS, "work")
DISEASES = 6


def main() -> list[tuple[str, float]]:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    ratios = []
    for k, rows in ROWS.items():
        start = time.process_time()
        gaps_of: dict[str, list[float]] = {}
        for seed in range(tables):
            columns, space = draw_table(rows, seed)
            least = space.penalty(optimum(space, k))
            for name, gather in methods(columns, space, k).items():
                gaps_of.setdefault(name, []).append(gather() / least - 1)
        figures = [[name, *map(float, np.quantile(gaps, [0.25, 0.5, 0.75, 1]))] for name, gaps in gaps_of.items()]
        seconds = time.process_time() - start
        print(f"{tables} tables of {rows} rows, k = {k}, {seconds:.0f} s")
        print(as_table(["gap to the optimum", "quarter", "median", "three quarters", "most"], figures), flush=True)
        ratios += [(f"gap of {name}, k = {k}", 1 + float(np.median(gaps))) for name, gaps in gaps_of.items()]
    return ratios


def draw_table(rows: int, seed: int) -> tuple[dict[str, list[str]], Space]:
    """A table as text and in codes; all attributes weigh alike."""
    random = np.random.default_rng(seed)
    ages, towns, works = random.integers(18, 80, rows), random.integers(0, 8, rows), random.integers(0, 3, rows)
    columns = {
        "age": ages.astype(str).tolist(),
        "town": [TOWNS.labels[0][place] for place in towns],
        "work": [WORK.labels[0][place] for place in works],
        "disease": random.permutation(np.arange(rows) % DISEASES).astype(str).tolist(),
    }
    return columns, Space(
        [Measured("age", ages.astype(float)), Quasi("town", TOWNS, towns), Quasi("work", WORK, works)]
    )


def methods(columns: dict[str, list[str]], space: Space, k: int) -> dict[str, Callable[[], float]]:
    """By name what computes the penalty of all records."""
    everybody = np.arange(len(columns["age"]))
    attributes = {
        "age": {"role": "quasi", "ranges": [[0, 100]], "weight": 1},
        "town": {"role": "quasi", "hierarchy": REGIONS, "weight": 1},
        "work": {"role": "quasi", "hierarchy": WORKS, "weight": 1},
        "disease": {"role": "sensitive"},
    }

    def penalty_of(method: str, **model: object) -> float:
        spec = {"attributes": attributes, "model": {"k": k} | model, "method": method, "seed": 1}
        measures = anonymize(columns, parse_spec(spec)).measures
        assert measures is not None
        assert measures.penalty is not None
        return measures.penalty * len(everybody)

    return {
        "bottom-up as printed": lambda: space.penalty(bottom_up(space, k, everybody, literal=True)),
        "bottom-up": lambda: penalty_of("bottom-up"),
        "k-acluk": lambda: penalty_of("k-acluk"),
        "ilp-l": lambda: penalty_of("ilp-l", l={"kind": "distinct", "l": k}),
        "grown, without the search that follows": lambda: space.penalty(grow_classes(space, k, everybody)),
        "local, the improved form": lambda: penalty_of("local"),
    }


if __name__ == "__main__":
    main()
