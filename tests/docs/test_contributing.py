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


def test_the_contents_of_the_guide_for_analysts_list_every_section() -> None:
    """Each section stands in the contents, in its order, under its own name."""
    text = (ROOT / "docs/analysts.md").read_text(encoding="utf-8")
    contents, sections = text.split("\n## ", 1)

    listed = re.findall(r"\d+\. \[([^\]]+)\]", contents)

    assert listed == re.findall(r"^## (.+)$", f"## {sections}", re.MULTILINE)
