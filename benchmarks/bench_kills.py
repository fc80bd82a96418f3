"""Fifty workers killed with -9 while they mine: every run ends with exactly one result, none is lost, none is doubled.

    python -m benchmarks.bench_kills [kills]

As many runs as kills, two workers at a time over SQLite and the private broker, leases of two seconds; each worker dies
at a random moment of a run and another takes its place. The ratio is results over runs.
"""

import json
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
        command = [sys.executable, "-m", "benchmarks.kills_on", *(sys.argv[1:] or ["50"])]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    seen = json.loads(done.stdout.splitlines()[-1])
    print(as_table(list(seen), [list(seen.values())]))
    return [(f"{seen['kills']} kills: results / runs", seen["results"] / seen["runs"])]


if __name__ == "__main__":
    main()
