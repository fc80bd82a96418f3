"""A survey whose messages may mean “at least 2 of these 4”: from the draft, by the browser, to report and files."""

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
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import empty
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_all
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from surveys.results import study_pack
from tests.surveys.making import make_survey, set_block
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

NAMES = ("copied", "bought", "invented", "faked", "lent", "sold")
PEOPLE = 120
MODULE = Path(privacy.__file__).parent / "disguise" / "browser" / "disguise.js"
RUN = Path(__file__).parents[1] / "privacy" / "disguise" / "run_disguise.mjs"
SETTINGS = {"list_gamma": 1000, "cap": 2, "longest": 4, "least": 2, "weights": [1, 0.3]}


@pytest.mark.parametrize("people", [1_000, 4_000])
def test_one_word_is_chosen_for_six_questions(people: int) -> None:
    """Each list that competes can be written: with six questions some sets of four would weigh more than an answer."""
    survey = Survey.objects.create(slug="deeds", title="Deeds", least=20)
    document = empty("Deeds", ["en"]) | {"protection": usual(), "expected": people}
    lines = "\n".join(f"Have you ever {name} one?" for name in NAMES)
    asked = apply(survey, document, {"do": "add", "type": "yesno", "lines": lines, "sensitive": True})

    after = apply(survey, asked, {"do": "protect", "field": "way", "value": "word"})

    assert [block["kind"] for block in after["blocks"]] == ["one-of"]


def test_a_threshold_goes_from_the_browser_to_rules(
    client: Client,
    node: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everybody says yes to two questions, at a high γ: report, command and mining say so of both, and of the pair."""
    survey = make_survey(names=NAMES, direct=False, expected=PEOPLE, least=20)
    set_block(survey, kind="one-of", settings=SETTINGS)
    version = publish(survey, "Tests", "a high γ shows what is sent")
    for record in disguised(node, json.loads(bytes(version.definition))["design"]):
        assert send(client, survey.slug, submission(version, record=record)).status_code == 201
    close(survey)
    seal_all()
    client.force_login(somebody())

    page = client.get(f"/staff/studio/versions/{version.pk}/results/")
    snapshot = latest(survey)
    assert snapshot is not None
    study_pack.write(tmp_path / "pack.zip", snapshot)
    with ZipFile(tmp_path / "pack.zip") as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.glob("*/scripts")
    monkeypatch.chdir(folder)
    runpy.run_path("reproduce.py", run_name="__main__")
    printed = capsys.readouterr().out
    shares = {line.split("\t")[0]: [float(one) for one in line.split("\t")[1:3]] for line in printed.splitlines()}
    paths = [str(folder.parent / name) for name in ("records.csv", "design.json")]
    asked = [part for pattern in ("copied", "copied,bought", "lent") for part in ("--pattern", pattern)]
    assert candor_command(["reconstruct", *paths, *asked, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["patterns"]
    assert candor_command(["mine", *paths, "--min-support", "0.3", "--min-confidence", "0.3", "--json"]) == 0
    mined = json.loads(capsys.readouterr().out)

    assert page.status_code == 200
    assert all(abs(one["support"] - true) < 4.5 * one["se"] for one, true in zip(found, (1, 1, 0), strict=True))
    assert shares["copied=1"] == pytest.approx([found[0]["support"], found[0]["se"]])
    assert ["bought", "copied"] in [sorted(one["items"]) for one in mined["itemsets"]]


def disguised(node: Callable[..., str], design: dict[str, Any]) -> list[list[int]]:
    words = np.random.default_rng(56).integers(2**32, size=PEOPLE).tolist()
    jobs = [{"design": design, "answers": [1, 1, 0, 0, 0, 0], "words": [word]} for word in words]
    made = json.loads(node(RUN, MODULE, "words", input=json.dumps({"asked": [], "disguise": jobs})))
    return [one["result"] for one in made["disguise"]]
