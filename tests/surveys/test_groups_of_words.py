"""A survey whose records name a group of words: from the draft, by the browser's module, to report and files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client

import privacy
from candor.commands import main as candor_command
from surveys.domain.exports.files import FILES
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_all
from surveys.domain.responses.snapshots import latest
from surveys.results import study_pack
from tests.surveys.making import make_survey, set_block
from tests.surveys.sending import send, submission
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

NAMES = ("copied", "bought", "invented", "faked")
PEOPLE = 60
MODULE = Path(privacy.__file__).parent / "disguise" / "browser" / "disguise.js"
RUN = Path(__file__).parents[1] / "privacy" / "disguise" / "run_disguise.mjs"


def test_groups_go_from_the_browser_to_the_files(
    client: Client, node: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody says yes to the first question alone, at a high γ: the report and a command with the files say so."""
    survey = make_survey(names=NAMES, direct=False, expected=PEOPLE, least=20)
    set_block(survey, kind="one-of", settings={"list_gamma": 1000, "cap": 1, "longest": 1, "groups": 3})
    version = publish(survey, "Tests", "a high γ shows what is sent")
    for record in disguised(node, json.loads(bytes(version.definition))["design"]):
        assert send(client, survey.slug, submission(version, record=record)).status_code == 201
    close(survey)
    seal_all()
    client.force_login(somebody())

    page = client.get(f"/staff/studio/versions/{version.pk}/results/").content.decode()
    snapshot = latest(survey)
    assert snapshot is not None
    for name in ("records.csv", "design.json", "codebook.json", "codebook.html", "ddi.xml", "channels.csv"):
        FILES[name].write(tmp_path / name, snapshot)
    study_pack.write(tmp_path / "pack.zip", snapshot)
    (row,) = {one["row"] for one in json.loads((tmp_path / "codebook.json").read_text())["columns"] if "row" in one}
    paths = [str(tmp_path / name) for name in ("records.csv", "design.json")]
    assert candor_command(["reconstruct", *paths, "--pattern", "copied", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["patterns"]

    assert "groups\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}3" in page
    assert row.startswith("A row shows the number of one group of words")
    assert row in (tmp_path / "codebook.html").read_text()
    assert row in (tmp_path / "ddi.xml").read_text()
    assert found["support"] == pytest.approx(1, abs=0.1)


def disguised(node: Callable[..., str], design: dict[str, Any]) -> list[list[int]]:
    words = np.random.default_rng(56).integers(2**32, size=PEOPLE).tolist()
    jobs = [{"design": design, "answers": [1, 0, 0, 0], "words": [word]} for word in words]
    made = json.loads(node(RUN, MODULE, "words", input=json.dumps({"asked": [], "disguise": jobs})))
    return [one["result"] for one in made["disguise"]]
