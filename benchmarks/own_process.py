"""What of a benchmark needs the site, in a process of its own: Django reads its settings once, at its start."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines_of(module: str, *arguments: str, **environment: str) -> list[str]:
    """What `python -m benchmarks.<module>` prints, on a data folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        own = {"CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **own}, stdout=subprocess.PIPE, check=True, text=True
        )
    return done.stdout.splitlines()
