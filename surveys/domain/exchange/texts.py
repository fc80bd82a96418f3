"""The texts of a questionnaire in one language, as a table that a translator sends back."""

import csv
import io

from privacy.errors import EntryError, to_translate
from privacy.records.csv_rows import without_apostrophes
from surveys.domain.exchange.imported import TooLargeError
from surveys.rules import TAG

PLACE = "place"  # the head of the column that says where a text stands
LARGEST = 2 * 2**20


def read_texts(content: bytes, most: int) -> tuple[str, dict[str, str]]:
    """The language of a translator's table and its texts by places; EntryError if it is faulty or over `most` lines."""
    if len(content) > LARGEST:
        raise EntryError("the file has {size} bytes, more than {most}.", size=len(content), most=LARGEST)
    try:
        lines = io.StringIO(content.decode("utf-8-sig"), newline="")
        between = ";" if lines.readline().count(";") == 2 else ","  # spreadsheets of some languages save it so
        lines.seek(0)
        rows = filter(None, csv.reader(lines, delimiter=between, strict=True))
        heads = next(rows, [])
        if len(heads) != 3 or heads[0] != PLACE or not TAG.fullmatch(heads[2]):
            raise EntryError(
                "the first line must be: place, the main language, the other language. Save it as CSV with commas."
            )
        texts: dict[str, str] = {}
        for number, row in enumerate(rows, 1):
            if len(row) != 3:
                raise EntryError("every line needs three cells: place, main text, translation.")
            if number > most:
                raise TooLargeError(to_translate("the file has more than {most} lines."), most=most)
            place, _main, text = row
            texts[place] = without_apostrophes(text)
    except (UnicodeDecodeError, csv.Error):
        raise EntryError("the file is not a UTF-8 CSV table.") from None
    return heads[2], texts
