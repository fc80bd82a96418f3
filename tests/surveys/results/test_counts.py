"""How many people answered is said alike wherever it is said: in hundreds while a version collects, then exactly."""

import io
import json
import re
from collections.abc import Iterator
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from config.signin import tokens
from mining.domain.files import FILES as FINDINGS
from mining.models import MiningRun
from privacy.output import format_count
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.responses.counts import Count, to_report
from surveys.domain.responses.snapshots import latest, records
from surveys.models import Snapshot, Survey, SurveyVersion
from surveys.results import sharing
from tests.cases import first
from tests.mining.surveys import mined_run
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.shown import OPERATIONS
from tests.surveys.staff import browser_of, somebody

PEOPLE = 7_919
PAGES = {
    "home": "/staff/studio/",
    "fieldwork": "/staff/studio/{survey}/fieldwork/",
    "people": "/staff/studio/{survey}/people/",
    "erase": "/staff/studio/{survey}/erase/",
    "files": "/staff/studio/{survey}/files/",
    "version": "/staff/studio/{survey}/protocol/",
    "report": "/staff/studio/versions/{version}/results/",
    "table": "/staff/studio/versions/{version}/results/table/?answer=drugs&by=cheating",
    "regression": "/staff/studio/versions/{version}/results/regression/?answer=drugs.1&on=cheating",
    "versions": "/staff/studio/versions/{version}/results/versions/",
    "picture": "/staff/studio/versions/{version}/results/answers/drugs-1.svg",
    "run": "/staff/runs/{run}/change/",
    "runs": "/staff/runs/",
}


def mine_survey(survey: Survey) -> MiningRun:
    return mined_run(survey, min_support=0.05, min_confidence=0.2)


def everything(client: Client, run: MiningRun, version: SurveyVersion) -> Iterator[tuple[str, str]]:
    """All that leaves the server of a version, but the responses themselves, by name."""
    names = {"survey": version.survey_id, "version": version.pk, "run": run.pk}
    for name, address in PAGES.items():
        answer = client.get(address.format(**names), follow=True)
        assert answer.status_code == 200, name
        yield name, answer.content.decode()
    for name in FINDINGS:
        yield name, client.get(reverse("mining_run_export", args=[run.pk, name])).getvalue().decode()
    user = User.objects.get(pk=client.session["_auth_user_id"])
    headers = {"Authorization": f"Bearer {tokens.make(user, 'tests', ('read', 'responses'), 9)[1]}"}
    for operation in (f"/api/surveys/study{path}" for path in OPERATIONS):
        yield operation, client.get(operation, headers=headers).content.decode()
    yield "run of the API", client.get(f"/api/runs/{run.pk}", headers=headers).content.decode()
    _link, token = sharing.share(version, "Colleague", ["answers", "table.drugs.cheating", "trust"], 9, user)
    yield "shared report", Client().get(f"/r/{token}/").content.decode()
    snapshot = latest(version.survey)
    for file in files.list_files(snapshot):
        if not file.responses:
            with files.write_file(snapshot, file.name) as path:
                yield file.name, path.read_text()


def numbers_in(text: str) -> set[int]:
    """The whole numbers of four digits, however they are written."""
    return {
        int(re.sub(r"\D", "", found)) for found in re.findall(r"(?<![\d.,\w])\d[\u202f ]?\d{3}(?![\d\w]|[.,]\d)", text)
    }


def sizes(snapshot: Snapshot) -> set[int]:
    """How many answered, how many of them disguised, and how many directly."""
    direct = int(records(snapshot).direct.sum())
    return {snapshot.respondents, snapshot.respondents - direct, direct}


@pytest.mark.parametrize("early", first(1, [False, True]))
def test_until_the_close_no_exact_number_of_people_leaves_the_server(early: bool, tmp_path) -> None:
    """Pages, lists, pictures, shares, runs, commands, files, and every operation of the API.

    Also where people read that responses may be looked at: then the files of responses alone have a row for each.
    """
    version = survey_with_results(PEOPLE, closed=False, early=early)
    client = browser_of(somebody())
    run, snapshot = mine_survey(version.survey), latest(version.survey)
    if early:
        call_command(
            "export", "study", output=str(tmp_path), file=["study-pack.zip"], stdout=(printed := io.StringIO())
        )
        (pack,) = ZipFile(tmp_path / "study-pack.zip").infolist()[:1]
        said = (
            f"more than {format_count(to_report(int((~records(snapshot).direct).sum()), exact=False).number)} responses"
        )
        assert said in printed.getvalue()
        assert numbers_in(printed.getvalue()) & sizes(snapshot) == set()
        assert said in ZipFile(tmp_path / "study-pack.zip").read(pack).decode()
    exact = {
        name: found for name, text in everything(client, run, version) if (found := numbers_in(text) & sizes(snapshot))
    }
    assert exact == {}


@pytest.mark.long
def test_pages_and_programs_say_the_same(client: Client) -> None:
    """The hundreds of the pages are the number of the API, which says that it is not exact."""
    version = survey_with_results(PEOPLE, closed=False)
    client.force_login(somebody())
    said_in = dict(everything(client, mine_survey(version.survey), version))
    disguised = int((~records(latest(version.survey)).direct).sum())
    answered = json.loads(said_in["/api/surveys/study/versions/1/answers"])
    of_run = json.loads(said_in["run of the API"])["summary"]
    hundreds = to_report(disguised, exact=False).number
    assert f"more than {format_count(hundreds)} answers" in said_in["fieldwork"]
    assert f"more than {format_count(hundreds)} answers" in said_in["home"]
    of_version = json.loads(said_in["/api/surveys/study/versions/1"])
    assert (of_version["respondents"], of_version["exact"]) == (hundreds, False)
    assert {answered["n"], *(each["n"] for each in answered["questions"][0]["displays"]), of_run["n"]} == {hundreds}
    assert (answered["exact"], of_run["exact"]) == (False, False)
    assert f"n = more than {format_count(hundreds)}." in said_in["report"].replace("\u00a0", " ")


@pytest.mark.long
def test_once_it_is_closed_and_sealed_every_number_is_exact(client: Client) -> None:
    version = survey_with_results(PEOPLE, closed=False)
    client.force_login(somebody())
    close(version.survey)
    said_in = dict(everything(client, mine_survey(version.survey), version))
    disguised = int((~records(Snapshot.objects.get()).direct).sum())
    for name in ("home", "fieldwork", "report", "files", "codebook.html"):
        assert PEOPLE in numbers_in(said_in[name]), name
    for name in ("run", "result.json"):  # not each combination has enough direct people, so none is in a rule
        assert disguised in numbers_in(said_in[name]), name
    of_version = json.loads(said_in["/api/surveys/study/versions/1"])
    assert (of_version["respondents"], of_version["exact"]) == (PEOPLE, True)


@pytest.mark.parametrize(
    ("people", "words"),
    [
        (1, "up to 100"),
        (100, "up to 100"),
        (101, "more than 100"),
        (200, "more than 100"),
        (1234, "more than 1\u202f200"),
    ],
)
def test_hundreds_are_those_that_were_passed(people: int, words: str) -> None:
    assert (str(to_report(people, exact=False)), str(to_report(people, exact=True))) == (
        words,
        format_count(people),
    )
    assert to_report(people, exact=False).answers == f"{words} answers"


def test_one_answer_is_said_as_one() -> None:
    assert Count(1, exact=True).answers == "1 answer"
