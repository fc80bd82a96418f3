"""All that findings tell."""

from mining.engines.exports import itemsets_csv, rules_csv
from mining.engines.findings import json_chunks


def everything_of(mined):
    """Everything that is stored, printed or exported, but for the seconds."""
    mined.summary["seconds"] = 0
    columns = mined.columns
    files = ["".join(write(columns)) for write in (rules_csv, itemsets_csv)]
    return [columns.to_bytes(), mined.summary, "".join(json_chunks(mined)), *files]
