"""What people send for a release: a table of all who could have been asked, and hierarchies."""

from collections import Counter

from privacy.design.reading import quote
from privacy.errors import EntryError, to_translate
from privacy.records.csv_rows import csv_table
from privacy.release.hierarchies import by_text
from privacy.release.measures.everybody import column_of_counts
from surveys.domain.exchange.files import text_of
from surveys.domain.exchange.imported import TooLargeError

LARGEST = 1_000_000  # bytes of a file

COUNT = "people"  # the column that says how many people have what the row says
DIGITS = 9


def read_everybody(content: bytes, known: list[str]) -> dict[str, list[str]]:
    """Read the columns that others may know, each combination once, and how many people have it.

    >>> read_everybody(b"town,people\\nUlm,20\\nRom,5\\nUlm,1\\n", ["town"])
    {'town': ['Ulm', 'Rom'], 'people': ['21', '5']}
    """
    names, rows = csv_table(text_of(content, LARGEST), "people")
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
    columns = {name: [values[index] for values in people] for index, name in enumerate(known)}
    return columns | {COUNT: list(map(str, people.values()))}


LABELS = 100_000
TOO_MANY = to_translate("A hierarchy has at most {most} labels.")


def read_levels(content: bytes) -> list[list[str]]:
    return rows_of(text_of(content, LARGEST))


def rows_of(text: str) -> list[list[str]]:
    """A list for each value, of the labels that may stand for it; too many labels are refused before they are read."""
    if text.count(";") + max(map(text.count, "\r\n")) > LABELS:
        raise TooLargeError(TOO_MANY, most=LABELS)
    tree = by_text(text, "")
    return [
        [labels[own[index]] for labels, own in zip(tree.labels, tree.places, strict=True)]
        for index in range(len(tree.labels[0]))
    ]
