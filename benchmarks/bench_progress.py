"""What telling progress costs: the CPU of a run whose progress is stored, against the same run in silence.

    python -m benchmarks.bench_progress [pairs]

The whole of it on SQLite: the worker that watches and writes, and the process that mines and tells. Runs take turns,
and the quickest of each kind is compared, because whatever else the machine does only adds. Above 1.02 the promise of
2 % is broken.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from privacy.cli.output import as_table

ROOT = Path(__file__).resolve().parent.parent


def main() -> list[tuple[str, float]]:
    """In a process of its own, because Django's settings are read once."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        environment = {**os.environ, "CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "benchmarks.progress_on", *(sys.argv[1:] or ["5"])]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    told, silent, stored = (float(figure) for figure in done.stdout.splitlines()[-1].split())
    rows = [["told", told, int(stored)], ["silent", silent, 0]]
    print(as_table(["a run of 100 000 × 40, length 4", "CPU seconds", "times stored"], rows))
    return [("told / silent", told / silent)]


if __name__ == "__main__":
    main()
