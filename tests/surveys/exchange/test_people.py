"""A table with names that is compared with a release: what cannot be compared is refused in one sentence."""

import pytest

from privacy.errors import InputError
from surveys.domain.exchange import people

TABLE = b"faculty,mood,drugs\r\nlaw,low,no\r\n*,*,yes\r\n"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"who,age\nAda,31\n", "The file has none of the columns that others may know: faculty, mood."),
        (b"mood,drugs\n1,no\n", "The file has no column of names: every one of its columns is in the release, too."),
        (b"who,faculty\n", "A table to link has no rows."),
        (b"who,faculty\nAda\n", "people: line 2 has 1 value, and the header names 2 columns."),
        (b"who,faculty,faculty\n", "people: row 1: the column 'faculty' appears twice."),
        (
            b"who;faculty\nAda;law\n",
            "people: the header 'who;faculty' is one column; columns are separated by commas.",
        ),
        (b"\n\n", "people: the file is empty; its first row must name the columns."),
        (b"who,faculty\n\xff,law\n", "The file is not UTF-8."),
        (b"x" * 1_000_001, "The file has 1000001 bytes, more than 1000000."),
    ],
)
def test_people_that_cannot_be_compared_are_refused(content: bytes, sentence: str) -> None:
    """A person who sends the file reads why."""
    with pytest.raises(InputError) as refused:
        people.match_people(people.pack_request(content, TABLE, ["faculty", "mood"], {}))

    assert str(refused.value) == sentence


def test_of_many_people_the_surest_are_listed_and_all_are_counted() -> None:
    """Of 300, 150 study law, which two rows may be, and 150 what only the row of stars is: these come first."""
    subjects = ["law", "art"]
    rows = "".join(f"{number},{subjects[number % 2]}\n" for number in range(300))

    found = people.match_people(people.pack_request(f"who,faculty\n{rows}".encode(), TABLE, ["faculty", "mood"], {}))

    assert found["counted"] == {"one": 150, "alone": 0, "several": 150, "none": 0}
    assert len(found["lines"]) == people.SHOWN
    assert found["lines"][0] == [["1", 1, 300, "100.0 %", 2], ["*", "yes"]]
    assert found["revealed"] == {"mood": 150, "drugs": 150}
