"""What documents say of themselves and of the tests is so."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_of_one_test_runs_one() -> None:
    """The word after -k is in the name of a test of the file before it."""
    example = re.search(r"pytest (\S+) -k (\w+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert example is not None
    file, word = example.groups()

    tests = re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)

    assert [name for name in tests if word in name] != []


def test_the_seven_common_additions_come_first() -> None:
    """People find these without reading a long table, and everything else under its own heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    common, rest = text.split("## I want to add …", 1)[1].split("## Migrations", 1)[0].split("### Everything else", 1)
    first = [name.lower() for name in re.findall(r"^\*\*(.+?):\*\*", common, re.MULTILINE)]
    others = re.findall(r"^\| (?!what \||---)(.+?) \|", rest, re.MULTILINE)

    assert first == [
        "a page of staff about a survey or a version",
        "a type of question",
        "a kind of block",
        "a feature of a survey",
        "a command",
        "a format of surveys, in or out",
        "an operation of the api",
    ]
    assert set(first) & set(others) == set()
