"""Running the part of a benchmark that needs the site in another process, because Django reads its settings once."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines_of(module: str, *arguments: str, **environment: str) -> list[str]:
    """The lines that `python -m benchmarks.<module>` prints. Its data folder is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="candor-bench-") as data:
        own = {"CANDOR_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, **own}, stdout=subprocess.PIPE, check=True, text=True
        )
    return done.stdout.splitlines()
