"""A table of texts that somebody sends, as CSV or as the first sheet of a workbook."""

from typing import Any

from privacy.errors import EntryError
from privacy.records.csv_rows import csv_table
from surveys.domain.exchange.files import ROWS, ZIP, check_size, workbook_of


def read_table(content: bytes) -> dict[str, Any]:
    """The names of the columns, and a text for each cell of each row."""
    check_size(len(content))
    if content.startswith(ZIP):
        sheet = next(iter(workbook_of(content).values()))
        return {"names": list(sheet.heads), "rows": [dict(row) for row in sheet.rows]}
    try:
        names, rows = csv_table(content.decode("utf-8-sig"), "file")
    except UnicodeDecodeError as error:
        raise EntryError("The file is not UTF-8.") from error
    if len(rows) > ROWS:
        raise EntryError("The file has {rows} rows, more than {most}.", rows=len(rows), most=ROWS)
    return {"names": names, "rows": [dict(zip(names, row, strict=True)) for row in rows]}
