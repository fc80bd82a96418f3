"""Surveys whose messages mean “at least 2 of these 4”, or a group of words: by the browser, to report and files."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from django.test import Client

import privacy
from candor.commands import main as candor_command
from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import usual
from surveys.domain.exports.files import FILES
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import empty
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_all
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, Survey
from surveys.results import study_pack
from tests.surveys.making import make_survey, set_block
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

NAMES = ("copied", "bought", "invented", "faked", "lent", "sold")
MODULE = Path(privacy.__file__).parent / "disguise" / "browser" / "disguise.js"
RUN = Path(__file__).parents[1] / "privacy" / "disguise" / "run_disguise.mjs"
THRESHOLD = {"list_gamma": 1000, "cap": 2, "longest": 4, "least": 2, "weights": [1, 0.3]}
GROUPS = {"list_gamma": 1000, "cap": 1, "longest": 1, "groups": 3}


@pytest.mark.parametrize("people", [1_000, 4_000])
def test_one_word_is_chosen_for_six_questions(people: int) -> None:
    """Each list that competes can be written: with six questions some sets of four would weigh more than an answer."""
    survey = Survey.objects.create(slug="deeds", title="Deeds", least=20)
    document = empty("Deeds", ["en"]) | {"protection": usual(), "expected": people}
    lines = "\n".join(f"Have you ever {name} one?" for name in NAMES)
    asked = apply(survey, document, {"do": "add", "type": "yesno", "lines": lines, "sensitive": True})

    after = apply(survey, asked, {"do": "protect", "field": "way", "value": "word"})

    assert [block["kind"] for block in after["blocks"]] == ["one-of"]


def sent_by_browsers(
    client: Client, node: Callable[..., str], names: tuple[str, ...], settings: dict[str, Any], answers: list[int]
) -> tuple[Snapshot, str]:
    """What the browsers of 60 or 120 people send who all say this, at a high γ, once it is closed; and its report."""
    people = 20 * len(names) if len(names) > 4 else 60
    survey = make_survey(names=names, direct=False, expected=people, least=20)
    set_block(survey, kind="one-of", settings=settings)
    version = publish(survey, "Tests", "a high γ shows what is sent")
    design = json.loads(bytes(version.definition))["design"]
    words = np.random.default_rng(56).integers(2**32, size=people).tolist()
    jobs = [{"design": design, "answers": answers, "words": [word]} for word in words]
    made = json.loads(node(RUN, MODULE, "words", input=json.dumps({"asked": [], "disguise": jobs})))
    for row in made["disguise"]:
        assert send(client, survey.slug, submission(version, record=row["result"])).status_code == 201
    close(survey)
    seal_all()
    client.force_login(somebody())
    page = client.get(f"/staff/studio/versions/{version.pk}/results/")
    assert page.status_code == 200
    snapshot = latest(survey)
    assert snapshot is not None
    return snapshot, page.content.decode()


def figures_of(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    """What a command prints."""
    capsys.readouterr()
    assert candor_command([*command, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_threshold_goes_from_the_browser_to_rules(
    client: Client,
    node: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everybody says yes to two questions: report, command and mining say so of both, and of the pair."""
    snapshot, _page = sent_by_browsers(client, node, NAMES, THRESHOLD, [1, 1, 0, 0, 0, 0])

    study_pack.write(tmp_path / "pack.zip", snapshot)
    with ZipFile(tmp_path / "pack.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.glob("*/scripts")
    monkeypatch.chdir(folder)
    runpy.run_path("reproduce.py", run_name="__main__")
    printed = capsys.readouterr().out
    shares = {line.split("\t")[0]: [float(cell) for cell in line.split("\t")[1:3]] for line in printed.splitlines()}
    paths = [str(folder.parent / name) for name in ("records.csv", "design.json")]
    asked = [part for pattern in ("copied", "copied,bought", "lent") for part in ("--pattern", pattern)]
    found = figures_of(capsys, "reconstruct", *paths, *asked)["patterns"]
    mined = figures_of(capsys, "mine", *paths, "--min-support", "0.3", "--min-confidence", "0.3")

    assert all(abs(share["support"] - true) < 4.5 * share["se"] for share, true in zip(found, (1, 1, 0), strict=True))
    assert shares["copied=1"] == pytest.approx([found[0]["support"], found[0]["se"]])
    assert ["bought", "copied"] in [sorted(itemset["items"]) for itemset in mined["itemsets"]]


@pytest.mark.long
def test_groups_go_from_the_browser_to_the_files(
    client: Client, node: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody says yes to the first question alone: the report and a command with the files say so."""
    snapshot, page = sent_by_browsers(client, node, NAMES[:4], GROUPS, [1, 0, 0, 0])

    for name in ("records.csv", "design.json", "codebook.json", "codebook.html", "ddi.xml", "channels.csv"):
        FILES[name].write(tmp_path / name, snapshot)
    study_pack.write(tmp_path / "pack.zip", snapshot)
    (row,) = {one["row"] for one in json.loads((tmp_path / "codebook.json").read_text())["columns"] if "row" in one}
    paths = [str(tmp_path / name) for name in ("records.csv", "design.json")]
    (found,) = figures_of(capsys, "reconstruct", *paths, "--pattern", "copied")["patterns"]

    assert "groups\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}3" in page
    assert row.startswith("A row shows the number of one group of words")
    assert row in (tmp_path / "codebook.html").read_text()
    assert row in (tmp_path / "ddi.xml").read_text()
    assert found["support"] == pytest.approx(1, abs=0.1)
