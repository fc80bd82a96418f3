"""A table of all who could have been asked, for a release: a row each, or each combination with its number."""

from collections import Counter

from privacy.design.reading import quote
from privacy.errors import EntryError, to_translate
from privacy.records.csv_rows import csv_table
from privacy.release.measures.everybody import column_of_counts
from surveys.domain.exchange.imported import TooLargeError
from surveys.domain.exchange.people import LARGEST

COUNT = "people"  # the column that says how many people have what the row says
DIGITS = 9


def read_everybody(content: bytes, known: list[str]) -> dict[str, list[str]]:
    """Read the columns that others may know, each combination once, and how many people have it.

    >>> read_everybody(b"town,people\\nUlm,20\\nRom,5\\nUlm,1\\n", ["town"])
    {'town': ['Ulm', 'Rom'], 'people': ['21', '5']}
    """
    if len(content) > LARGEST:
        raise TooLargeError(
            to_translate("The file has {size} bytes, more than {most}."), size=len(content), most=LARGEST
        )
    try:
        names, rows = csv_table(content.decode("utf-8-sig"), "people")
    except UnicodeDecodeError as error:
        raise EntryError("The file is not UTF-8.") from error
    for name in known:
        if name not in names:
            raise EntryError("The file has no column {name}, which others may know.", name=quote(name))
    if not rows:
        raise EntryError("The file has no people.")
    places = [names.index(name) for name in known]
    counted = names.index(COUNT) if COUNT in names and COUNT not in known else None
    if counted is None and (named := column_of_counts(names, known)):
        raise EntryError(
            "The file has a column {name}. Call it {people} if it says how many people a row is; else take it out.",
            name=quote(named),
            people=quote(COUNT),
        )
    people: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        many = "1" if counted is None else row[counted]
        if not (many.isascii() and many.isdecimal() and len(many) <= DIGITS):
            raise EntryError("{value} is not a whole number of people from 0.", value=quote(many))
        people[tuple(row[place] for place in places)] += int(many)
    columns = {name: [values[place] for values in people] for place, name in enumerate(known)}
    return columns | {COUNT: list(map(str, people.values()))}
