"""How fast a snapshot of a million responses is read into packed columns, against reading its bytes from the database.

    python benchmarks/bench_snapshots.py [responses]

Ten yes/no items on SQLite, in parts as sealing leaves them. The sealing of one more batch, which shuffles the open part
anew, and the removing of its traces, which writes the whole file anew, are timed beside.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> list[tuple[str, float]]:
    """In a process of its own, because Django's settings are read once."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        environment = {**os.environ, "CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "-m", "benchmarks.snapshots_on", *(sys.argv[1:] or ["1000000"])]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    *table, ratio = done.stdout.splitlines()
    print("\n".join(table))
    return [("read", float(ratio))]


if __name__ == "__main__":
    main()
