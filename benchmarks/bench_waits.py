"""What people wait for, against the wait they are promised: `candor --help`, the demo, rules, feasible values.

The help answers in under .3 s, `load_demo` is done in under 5 s, the page of a run shows the first table of 60 000
rules in under a second, and the largest table of feasible values takes a run one of its ten minutes at most. A ratio is
the time over that promise: above 1 it is broken. (The advisor's two seconds are in bench_advise, the client page's in
bench_page.)
"""

import subprocess
import sys

from benchmarks.own_process import ROOT, lines_of
from privacy.output import as_table

HELP = "import time\nfrom candor.commands import main\n"
HELP += "try: main(['--help'])\nexcept SystemExit: print(time.process_time())"


def main() -> list[tuple[str, float]]:
    """Each in a process of its own, because imports are part of the first and settings are read once."""
    helps = [float(_help().splitlines()[-1]) for _ in range(3)]
    demo, page, fit = (float(figure) for figure in lines_of("waits_on")[-1].split())
    waits = [("candor --help", min(helps), 0.3), ("load_demo", demo, 5.0), ("a page of 60 000 rules", page, 1.0)]
    waits.append(("a feasible table of 2^20 cells", fit, 60.0))
    print(as_table(["CPU seconds", "measured", "promised"], waits))
    return [(f"{name}: seconds / {promised:g}", measured / promised) for name, measured, promised in waits]


def _help() -> str:
    return subprocess.run([sys.executable, "-c", HELP], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout


if __name__ == "__main__":
    main()
