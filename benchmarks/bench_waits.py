"""The times that people wait, against the promised ones: `candor --help`, the demo, rules, feasible values.

The help answers in less than .3 s. `load_demo` takes less than 5 s. The page of a run shows the first table of 60 000
rules in less than a second. The feasible values of all itemsets of 20 flipped items take at most one of the ten
minutes that a run has. A ratio is the time over the promised time: above 1 the promise is broken. (The two seconds of
the advisor are measured by bench_advise, and the respondent's page by bench_page.)
"""

import subprocess
import sys

from benchmarks.own_process import ROOT, lines_of
from privacy.output import as_table

HELP = "import time\nfrom candor.commands import main\n"
HELP += "try: main(['--help'])\nexcept SystemExit: print(time.process_time())"


def main() -> list[tuple[str, float]]:
    """Measure in other processes: the help must include its imports, and Django reads its settings once."""
    helps = [float(_help().splitlines()[-1]) for _ in range(3)]
    demo, page, fit = (float(figure) for figure in lines_of("waits_on")[-1].split())
    waits = [("candor --help", min(helps), 0.3), ("load_demo", demo, 5.0), ("a page of 60 000 rules", page, 1.0)]
    waits.append(("feasible values of 20 items", fit, 60.0))
    print(as_table(["CPU seconds", "measured", "promised"], waits))
    return [(f"{name}: seconds / {promised:g}", measured / promised) for name, measured, promised in waits]


def _help() -> str:
    return subprocess.run([sys.executable, "-c", HELP], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout


if __name__ == "__main__":
    main()
