"""Run every benchmark and end with one table of ratios: `make bench`, or `python -m benchmarks [name ...]`.

A benchmark is a file bench_<name>.py. Its main() prints what it has measured and returns pairs (case, ratio). A ratio
is a figure divided by its own baseline from the same run, so that the table means the same on every machine.
"""

import importlib
import sys
from pathlib import Path

from privacy.output import as_table


def main() -> None:
    names = sys.argv[1:] or sorted(
        path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
    )
    sys.argv[1:] = []  # a benchmark that is run alone may take arguments; here each uses its defaults
    ratios: list[list[object]] = []
    for name in names:
        print(f"{name}\n", flush=True)
        cases = importlib.import_module(f"benchmarks.bench_{name}").main()
        ratios += [[name, case, ratio] for case, ratio in cases]
        print(flush=True)
    print(as_table(["benchmark", "case", "ratio to its baseline"], ratios))


if __name__ == "__main__":
    main()
