"""Two waves of different people are two surveys: the second takes its list from a file, as the guide says."""

import html
import json
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from django.test import Client

from candor.commands import main
from privacy.design import read_design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records.packing import pack
from surveys.domain.exports.files import write_file
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey, SurveyVersion
from tests.servers import ROOT
from tests.surveys.making import make_survey, set_block

NAMES = ("theft", "fraud", "drugs", "bribe", "forgery", "assault")


def take_files(survey: Survey, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for name in ("records.csv", "design.json"):
        with write_file(latest(survey), name) as path:
            (folder / name).write_bytes(path.read_bytes())


def answer(survey: Survey, people: int, seed: int) -> SurveyVersion:
    """Publish it, seal the answers of so many people, whose rare answers go together, and close it."""
    version, chance = publish(survey), np.random.default_rng(seed)
    truth = chance.random((people, 6)) < 0.3 / np.arange(1, 7) * chance.gamma(2, 0.5, (people, 1))
    records = disguise(version.design, truth.astype(np.uint8), np.zeros(people, bool), words_from_seed(seed))
    append(version, pack(records), [b"{}"] * people)
    close(survey)
    return version


def test_the_figures_of_one_survey_make_the_list_of_the_next(
    admin_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its files, the command, and the lines of the guide. The second survey has the design of the command, and its
    files give, with those of the first, the sets and their figures.
    """
    monkeypatch.chdir(tmp_path)
    first = make_survey(names=NAMES, direct=False)
    set_block(first, kind="one-of", settings={"list_gamma": 19.0, "cap": 2, "longest": 1})
    answer(first, 6000, 1)
    take_files(first, tmp_path)
    Path("study.json").write_bytes(admin_client.get(f"/staff/studio/{first.pk}/export/json/").content)

    fixed = [word for name in NAMES for word in ("--both", name)]
    main(["wave", "records.csv", "design.json", "--respondents", "14000", "--top", "4", *fixed, "-o", "second.json"])
    guide = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^   ```python\n(.*?)```", guide, re.DOTALL | re.MULTILINE)
    exec(re.sub("^   ", "", lines, flags=re.MULTILINE), {})
    page = admin_client.post("/staff/studio/import/", {"file": BytesIO(Path("second-survey.json").read_bytes())})
    (read,) = re.findall(r'name="read" value="([^"]+)"', page.content.decode())
    admin_client.post("/staff/studio/import/accept/", {"read": html.unescape(read)})
    second = Survey.objects.latest("pk")
    version = answer(second, 14_000, 2)
    take_files(second, tmp_path / "second")

    assert version.design == read_design("second.json")
    of_both = ("second/records.csv", "second/design.json", "--top", "9", "--first", "records.csv", "design.json")
    capsys.readouterr()
    main(["mine", *of_both, *fixed, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["n"], found["first"]) == (14_000, 6000)
    assert {(len(itemset["items"]), itemset["both"]) for itemset in found["itemsets"]} == {(1, True), (2, False)}
