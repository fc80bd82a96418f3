"""The version of this code with the commit that it comes from, where that is known: 0.2.0.dev0+g1f2e3d4c5b6a.

A checkout asks git; a wheel or a source archive has the commit in a file, which its build writes
(config/tools/build.py). `.dirty` says that files were changed after the commit.
"""

import shutil
import subprocess
from functools import cache
from pathlib import Path

_CHECKOUT = Path(__file__).parent.parent
_DESCRIBE = ("git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=.dirty")


@cache
def version() -> str:
    """The number of `pyproject.toml`, and after + the commit.

    >>> version().partition("+")[0].count(".") >= 2
    True
    """
    from importlib import metadata  # takes longer to load than many a command runs

    number, commit = metadata.version("candor-survey"), find_commit(_CHECKOUT)
    return f"{number}+g{commit}" if commit else number


def maker() -> str:
    """What a file says of the program that made it.

    >>> maker().partition(" ")[0]
    'Candor'
    """
    return f"Candor {version()}"


def find_commit(checkout: Path) -> str:
    """The commit, or nothing where there is no git; within somebody else's checkout not theirs."""
    if (checkout / ".git").exists() and shutil.which("git"):
        return subprocess.run(_DESCRIBE, cwd=checkout, capture_output=True, text=True, check=False).stdout.strip()
    kept = checkout / "privacy" / "commit.txt"
    return kept.read_text().strip() if kept.is_file() else ""
