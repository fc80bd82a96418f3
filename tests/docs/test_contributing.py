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
