"""Compare people with names with a table that was made: which of its rows fit them. Nothing is stored."""

import json
from typing import Any

from privacy.errors import EntryError, to_translate
from privacy.records.csv_rows import csv_table
from privacy.release.attacks.link import COLUMNS, link_columns
from privacy.release.specs import parse_spec
from surveys.domain.exchange.imported import TooLargeError
from surveys.percent import percent_alone

LARGEST = 1_000_000  # bytes of a file
SHOWN = 100  # people whose rows are listed


def pack_request(file: bytes, table: bytes, known: list[str], spec: dict[str, Any]) -> bytes:
    """The data for the process apart: the file as it was sent, the columns that others may know, and the spec."""
    if len(file) > LARGEST:
        raise TooLargeError(to_translate("The file has {size} bytes, more than {most}."), size=len(file), most=LARGEST)
    asked = {"file": file.decode("latin-1"), "table": table.decode(), "known": known, "spec": spec}
    return json.dumps(asked).encode()


def match_people(content: bytes) -> dict[str, Any]:
    """Compare people with a table (see `pack_request`): counts of all, and as `lines` the first ones' rows."""
    asked = json.loads(content)
    try:
        text = asked["file"].encode("latin-1").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EntryError("The file is not UTF-8.") from error
    people, table = (_columns(*csv_table(one, where)) for one, where in ((text, "people"), (asked["table"], "release")))
    on = [name for name in asked["known"] if name in people]
    if not on:
        raise EntryError(
            "The file has none of the columns that others may know: {names}.", names=", ".join(asked["known"])
        )
    if all(name in table for name in people):
        raise EntryError("The file has no column of names: every one of its columns is in the release, too.")
    found = link_columns(people, table, parse_spec(asked["spec"]) if asked["spec"] else None, on=on)
    return {
        "on": on,
        "people": len(found.names),
        "rows": found.size,
        "counted": found.counted,
        "revealed": {name: sum(value is not None for value in values) for name, values in found.revealed.items()},
        "lines": [[[*line[:3], percent_alone(line[3]), line[4]], line[len(COLUMNS) :]] for line in found.surest(SHOWN)],
    }


def _columns(names: list[str], rows: list[list[str]]) -> dict[str, list[str]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}
