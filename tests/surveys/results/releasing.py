"""Making releases in the process of a test, which alone sees what its transaction has written."""

import csv
import io

from surveys.models import TableRelease
from surveys.releases.claim import claim
from surveys.releases.make import make

ITEMS = ("drugs", "cheating", "theft", "age")
ATTRIBUTES = {
    "faculty": {"role": "quasi", "hierarchy": [["arts", "*"], ["law", "*"], ["music", "*"]]},
    "mood": {"role": "quasi", "hierarchy": [["1", "low", "*"], ["2", "low", "*"], *([x, "high", "*"] for x in "345")]},
} | {item: {"role": "sensitive"} for item in ITEMS}
ASKED = {
    "candor": 1,
    "attributes": ATTRIBUTES,
    "model": {"k": 5, "l": {"kind": "distinct", "l": 2}},
    "method": "full-domain",
    "minimise": "discernibility",
    "literal": False,
    "suppression": 0,
}


def work(pk: int) -> None:
    """Take the release if it is free, and make it, as a worker's process does."""
    if token := claim(pk):
        make(pk, token)


def table_of(release: TableRelease) -> list[dict[str, str]]:
    """The rows of a table that was made, as its file has them."""
    return list(csv.DictReader(io.StringIO(bytes(release.table).decode(), newline="")))
