"""Fifty workers killed with -9 while they mine: every run ends with exactly one result, none is lost, none is doubled.

    python -m benchmarks.bench_kills [kills]

Two workers at a time, as a site has them, over SQLite and the private broker, leases of two seconds, and as many runs
as it takes to keep both at work. At a random moment of a run its worker dies, or a process of its pool, or all of them,
and another takes its place. A run may lose two workers but is spared the third, with which it would end for that
reason. The ratio is results over runs.
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
    """In a process of its own, because Django's settings are read once."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        own = {"CANDOR_DATA": data, "DATABASE_URL": f"sqlite:///{data}/kills.sqlite3"}
        environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "benchmarks.kills_on", *(sys.argv[1:] or ["50"])]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    seen = json.loads(done.stdout.splitlines()[-1])
    print(as_table(list(seen), [list(seen.values())]))
    return [(f"{seen['kills']} kills: results / runs", seen["results"] / seen["runs"])]


if __name__ == "__main__":
    main()
