"""Which languages of the respondent's page a native speaker has read: one list, the sheet for a reader, the studio."""

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from surveys.questions.rows import READ, SPOKEN
from surveys.studio.sheet import _language_choices
from tests.surveys.making import make_survey

ROOT = Path(__file__).parents[2]
README = (ROOT / "locale" / "README.md").read_text(encoding="utf-8")


def test_the_list_of_read_languages_is_that_of_the_readme() -> None:
    """Nobody adds a language without saying who read it; ten of twelve wait."""
    table = README.partition("| language | read by |")[2].partition("\n\n")[0]

    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == READ
    assert len(set(SPOKEN) - set(READ)) == 10


@pytest.mark.parametrize("tag", sorted(set(SPOKEN) - set(READ)))
def test_the_sheet_of_a_reader_has_every_sentence(tag: str, tmp_path: Path) -> None:
    """Side by side, with nothing empty but what the reader fills in."""
    script = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert script
    (tmp_path / "surveys").symlink_to(ROOT / "surveys")
    subprocess.run([sys.executable, "-", tag], input=script[1], text=True, cwd=tmp_path, check=True)
    rows = list(csv.reader((tmp_path / f"sheet-{tag}.csv").read_text(encoding="utf-8-sig").splitlines(keepends=True)))

    assert rows[0] == ["name", "English", tag, "says the same", "sounds natural", "better"]
    assert len(rows) > 300
    assert [row for row in rows if not all(row[:3])] == []


def test_the_menu_of_languages_tells_the_read_from_the_rest() -> None:
    """Before one is chosen: those that speakers have read, those that they have not, and those of the author."""
    groups = {words: {tag for tag, _name in group} for words, group in _language_choices(["en"])}

    assert groups["The page speaks"] >= set(READ)
    assert groups["The page speaks, but no native speaker has read its texts yet"] >= set(SPOKEN) - set(READ)
    assert "it" in groups["Others: you translate the page’s own words, too"]


def test_the_studio_says_which_chosen_languages_nobody_has_read(ann: Client) -> None:
    """And says nothing of a survey in languages that were read."""
    both, read = make_survey("both", languages=["en", "de", "it"]), make_survey("read", languages=["en", "zh-hans"])
    said = [ann.get(f"/staff/studio/{survey.pk}/").content.decode() for survey in (both, read)]

    assert ["No native speaker has read" in page for page in said] == [True, False]
    assert "page says in: German. Have one" in " ".join(said[0].split())
