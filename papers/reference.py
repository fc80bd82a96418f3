"""Reference data: published tables that others own, used by the papers and their tests, and not kept in the repository.

They lie in one folder: the one that CANDOR_REFERENCE names, or `../shared/reference`, seen from where the command
runs. Where a file is missing, the error names the folder that was searched and how to get the file.
"""

import os
from pathlib import Path

VARIABLE = "CANDOR_REFERENCE"
DEFAULT = "../shared/reference"


def reference_file(name: str) -> Path:
    """Where a file of the reference data is, or should be."""
    return Path(os.environ.get(VARIABLE, DEFAULT), name).resolve()


def how_to_get(name: str) -> str:
    """What to tell somebody who lacks the file: where it was looked for, and how to get it."""
    chosen = f"the folder that {VARIABLE} names" if VARIABLE in os.environ else f"{DEFAULT}, as {VARIABLE} is not set"
    path = reference_file(name)
    return (
        f"There is no {path} ({chosen}). CONTRIBUTING.md says under “Reference data” how to get it; "
        f"then set {VARIABLE} to its folder."
    )
