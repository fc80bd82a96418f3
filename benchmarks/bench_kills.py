"""Fifty workers killed with -9 while they mine: every run ends with exactly one result, none is lost, none is doubled.

    python -m benchmarks.bench_kills [kills]

Two workers mine at a time, as on a site, over SQLite and the private broker, with leases of two seconds and enough runs
to keep both at work. At a random moment of a run its worker is killed, or one process of its pool, or all of them, and
another worker is started. A run may lose two workers; a third one is not killed, because the run would then end for
this reason. The ratio is results over runs.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from privacy.output import as_table

ROOT = Path(__file__).resolve().parent.parent


def main() -> list[tuple[str, float]]:
    """Measure in another process, because Django reads its settings once."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        own = {"CANDOR_DATA": data, "DATABASE_URL": f"sqlite:///{data}/kills.sqlite3"}
        environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "benchmarks.kills_on", *(sys.argv[1:] or ["50"])]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    counts = json.loads(done.stdout.splitlines()[-1])
    print(as_table(list(counts), [list(counts.values())]))
    return [(f"{counts['kills']} kills: results / runs", counts["results"] / counts["runs"])]


if __name__ == "__main__":
    main()
