"""The examples of pages that hold a survey, with their libraries from npm."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.domain.page import bundle
from surveys.domain.questionnaire.publish import publish
from tests.client.hosts import respond, survey_in, until
from tests.servers import ROOT, Files, answering
from tests.surveys.making import make_survey

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what its package.json names; where npm or its registry cannot be had, there is nothing to try."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm")
    kept = shutil.ignore_patterns("node_modules")
    folder = shutil.copytree(ROOT / "examples", tmp_path_factory.mktemp("npm") / "examples", ignore=kept)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    installed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if installed.returncode:
        pytest.skip(f"npm ci failed: {installed.stderr[-200:]}")
    return Path(folder)


@pytest.fixture
def served(examples: Path, live: LiveServer) -> Iterator[str]:
    """The examples on a site of their own, with the address and the hashes that Field shows for it."""
    with answering(ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(examples)))) as server:
        origin = f"http://127.0.0.1:{server.server_port}"
        version = publish(make_survey("name", direct=False, frames=[origin]))
        for page in examples.glob("*/index.html"):
            html = (ROOT / page.relative_to(examples.parent)).read_text(encoding="utf-8")
            html = html.replace("https://survey.example.org", live.url).replace("#v=HASH", f"#v={version.sha256}")
            page.write_text(html.replace("sha384-HASH", bundle.integrity(bundle.HOST)), encoding="utf-8")
        yield origin


def test_a_form_of_surveyjs_holds_a_survey(page: Page, served: str) -> None:
    """Between two of its pages; its data have its own answers and that the survey was sent, and no answer of that."""
    page.goto(f"{served}/surveyjs/")
    page.get_by_text("4", exact=True).click()
    page.get_by_role("button", name="Next").click()
    respond(survey_in(page), "Yes", "No", "Yes")
    # The form draws itself again when the survey says that it was sent, and may miss a press meanwhile.
    until(page.get_by_role("button", name="Next").click, lambda: page.get_by_role("textbox").count() > 0)
    page.get_by_role("textbox").fill("Nothing.")
    page.get_by_role("button", name="Complete").click()
    page.locator("#result").filter(has_text="{").wait_for()
    assert json.loads(page.locator("#result").inner_text()) == {"course": 4, "candor": "sent", "better": "Nothing."}


def test_an_experiment_of_jspsych_holds_a_survey(page: Page, served: str) -> None:
    """As a trial; its data have that the survey was sent, and no answer of it."""
    page.goto(f"{served}/jspsych/")
    page.get_by_role("button", name="Begin").click()
    respond(survey_in(page), "Yes", "No", "Yes")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_function("() => document.body.textContent.startsWith('[')")
    trials: list[dict[str, Any]] = json.loads(page.locator("body").inner_text())
    assert [trial.get("candor") for trial in trials] == [None, "sent"]
    assert not any(word in json.dumps(trials) for word in ("drugs", "cheating", "theft"))
