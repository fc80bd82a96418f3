"""The files of the repository, for tests that read them."""

import subprocess

from tests.servers import ROOT


def ours(*patterns: str) -> list[str]:
    """The files of the repository of these names, without what is vendored."""
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if "vendor" not in name.split("/") and (ROOT / name).exists()]
