"""Count the lines of the product by room: `python -m config.tools.lines [COMMIT ...]`, today's commit without one.

The product is all Python, JavaScript, templates and CSS that people install or read to change it: no tests, benchmarks,
docs or migrations. So that two commits compare, both are formatted by the tools of this checkout first, and what is
still longer than 120 characters counts as the lines that it would fill. Blank lines do not count; docstrings, comments
and vendored files do.
"""

import math
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = (".py", ".js", ".mjs", ".css", ".html")
LEFT_OUT = ("tests", "benchmarks", "docs", "migrations", "node_modules")
WIDTH = 120
RUFF = [sys.executable, "-m", "ruff", "format", "--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml"), "."]
BIOME = ROOT / "node_modules/.bin/biome"


def format_commit(commit: str, folder: Path) -> None:
    """Write the files of a commit into an empty folder, formatted by the tools of this checkout."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    subprocess.run(RUFF, cwd=folder, check=True)
    if BIOME.exists():
        for config in folder.rglob("biome.json*"):
            config.unlink()
        subprocess.run([BIOME, "format", "--write", f"--config-path={ROOT}", "."], cwd=folder, capture_output=True)


def lines(path: Path) -> int:
    """The lines of a file that are not blank, a long one as often as it fills a line."""
    text = path.read_text(encoding="utf-8")
    return sum(math.ceil(len(line.strip()) / WIDTH) for line in text.splitlines())


def rooms(folder: Path) -> Counter[str]:
    """The lines of each room: the first folder of a path, and the second where there is one."""
    counted: Counter[str] = Counter()
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        if path.suffix in KINDS and not set(parts) & set(LEFT_OUT):
            counted["/".join(parts[:-1][:2]) or "."] += lines(path)
    return counted


def count(commit: str) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        format_commit(commit, Path(folder))
        return rooms(Path(folder))


def main(commits: list[str]) -> None:
    counts = [count(commit) for commit in commits or ["HEAD"]]
    for room in sorted({room for counted in counts for room in counted}):
        print(f"{room:<28}" + "".join(f"{counted[room]:>10}" for counted in counts))
    print(f"{'in all':<28}" + "".join(f"{counted.total():>10}" for counted in counts))
    if not BIOME.exists():
        print("JavaScript is counted as it is written: `make check` has not put Biome into node_modules.")


if __name__ == "__main__":
    main(sys.argv[1:])
