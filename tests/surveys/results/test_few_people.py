"""A version that ends with fewer people than its survey reports on: disguised answers alone are shown, once."""

import json
import re
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.signin import tokens
from mining.domain.result import mine_snapshot
from mining.engines.request import MiningRequest
from privacy.errors import InputError
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.exports import files
from surveys.domain.questionnaire.minimum import minimum_of_version
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import counts, disclosure, snapshots
from surveys.domain.responses.seal import append
from surveys.models import Inbox, SealingRound, Survey, SurveyVersion
from surveys.results import sharing
from surveys.results.answers import answers
from surveys.results.reading import read_data
from surveys.results.report import data_of
from surveys.results.tables import cross_table, variables, verdict
from tests.mining.surveys import sealed_places
from tests.surveys.making import make_survey, words, write
from tests.surveys.results.making import answer, survey_with_results
from tests.surveys.staff import browser_of, somebody


def _close(version: SurveyVersion) -> None:
    Survey.objects.filter(pk=version.survey_id).update(closed_at=timezone.now())


def _count_disguised(version: SurveyVersion) -> int:
    return int((~snapshots.records(version.snapshots.last()).direct).sum())


def _lines(version: SurveyVersion) -> list[dict[str, object]]:
    with files.write_file(version.snapshots.last(), "records.jsonl") as path:
        return [json.loads(line) for line in path.read_text().splitlines()]


def test_figures_and_files_hold_the_disguised_answers_of_the_disguised_group() -> None:
    """Of 90 people about thirty answered directly: neither their answers nor any undisguised one is anywhere."""
    version = survey_with_results(90)
    asked = {question.name: question for question in answers(data_of(version), "en")}
    rows, items = _lines(version), {item.id for item in version.design.items}

    told = {display.n for question in asked.values() for display in question.displays}
    assert told == {len(rows)} == {_count_disguised(version)}
    assert {name for row in rows for name in row} == {"direct", *(f"{item}_disguised" for item in items)}
    assert {str(row["direct"]) for row in rows} == {"0"}
    assert all(not one.displays for one in asked.values() if not one.sensitive)


def test_what_is_shown_is_shown_of_one_set_of_people_alone() -> None:
    """While it collects nothing is shown; pages, files and rules are then about the same people, so nothing is left."""
    version = survey_with_results(60, closed=False)
    for _again in range(2):
        with pytest.raises(InputError):
            data_of(version)
        with pytest.raises(InputError):
            _lines(version)
        with pytest.raises(InputError):
            mine_snapshot(version.snapshots.last(), MiningRequest(0.1, 0.4))
        answer(version, 15, 0.3)
    _close(version)

    mined = mine_snapshot(version.snapshots.last(), MiningRequest(0.1, 0.4)).summary
    assert data_of(version).n == len(_lines(version)) == mined["n"] + mined["left_out"] == _count_disguised(version)
    assert counts.of_snapshot(version.snapshots.last()) == counts.Count(data_of(version).n, exact=True)
    assert counts.total(counts.newest(version.survey)) == counts.of_snapshot(version.snapshots.last())


@pytest.mark.parametrize("directly", [0, 3])
def test_the_list_of_files_counts_few_people_as_every_page_does(directly: int) -> None:
    """Also for viewers, who see who took a file: the number of Field, which tells of nobody who answered directly."""
    survey = make_survey("few", ("drugs",), least=100, direct=directly > 0)
    version, n = publish(survey), 59 + directly
    append(version, pack(Records(version.design, np.zeros((n, 1), np.uint8), np.arange(n) >= 59)), [b""] * n)
    _close(version)
    files.take_file(version.snapshots.last(), "records.csv", somebody(), "ann").close()
    count = counts.of_exports(survey)

    assert [count(row) for row in counts.exports(survey)] == [counts.total(counts.newest(survey))]
    assert str(counts.total(counts.newest(survey))) == "59"


@pytest.mark.parametrize(("disguised", "least", "later"), [(42, 100, 156), (198, 300, 0), (198, 300, 500)])
def test_no_number_tells_whether_one_or_four_answered_directly(disguised: int, least: int, later: int) -> None:
    """The hundreds of all would, beside how many answered with disguise, and so would those of two versions."""

    def numbers(direct: int) -> list[str]:
        survey = make_survey(f"few-{direct}", ("drugs",), least=least)
        for people, directly in ((disguised, direct), (later, 0)):
            if people:
                write(survey, closing=words(f"{people} people"))
                version, n = publish(survey), people + directly
                records = Records(version.design, np.zeros((n, 1), np.uint8), np.arange(n) >= people)
                append(version, pack(records), [b""] * n)
        _close(version)
        first = survey.versions.first()
        assert first is not None
        assert data_of(first).n == disguised
        listed = counts.total(counts.newest(survey))
        return [*map(str, (counts.total(counts.newest(survey)), listed, counts.missing(first, 1_000)))]

    assert numbers(1) == numbers(4)


@pytest.mark.parametrize(("quota", "later"), [(45, 0), (145, 100)])
def test_a_quota_does_not_tell_how_few_answered_directly(quota: int, later: int) -> None:
    """It says how many answered in all versions together: of 45, of whom 42 answered with disguise, nothing is said."""
    survey = make_survey("few", ("drugs",), least=100, quota=quota)
    for people, directly in ((42, 3), (later, 0)):
        if people:
            write(survey, closing=words(f"{people} people"))
            version, n = publish(survey), people + directly
            append(
                version, pack(Records(version.design, np.zeros((n, 1), np.uint8), np.arange(n) >= people)), [b""] * n
            )
    _close(version)
    first = survey.versions.first()
    assert first is not None

    with pytest.raises(InputError, match="The quota says how many in all, and would tell how few of them directly"):
        data_of(first)
    if not later:
        assert minimum_of_version(first).sentence.startswith("Fewer than 100 people: nothing is ever shown")


def test_below_twenty_every_way_says_the_same(tmp_path: Path) -> None:
    """Report, files, API and commands: one sentence, no figure and no number of people."""
    version = survey_with_results(12)
    said = "fewer than 20 people answered with disguise; nothing of them is reported."
    client = browser_of(user := somebody())
    token = {"Authorization": f"Bearer {tokens.make(user, 'tests', ('read', 'responses'), 9)[1]}"}
    with pytest.raises(CommandError) as refused:
        call_command("export", version.survey.slug, stdout=StringIO(), output=str(tmp_path), file=["records.csv"])
    pages = [
        client.get(reverse("studio:results", args=[version.pk])).content.decode(),
        client.get(reverse("studio:files", args=[version.survey_id])).content.decode(),
        client.get("/api/surveys/study/versions/1/answers", headers=token).json()["detail"],
        client.get("/api/surveys/study/versions/1/responses", headers=token).json()["detail"],
    ]
    assert [said in text for text in (*pages, str(refused.value))] == [True] * 5
    numbers = ("12 answers", "12 responses", "up to 100", "the shares of the report")  # nor a script, which reads some
    assert [text for text in pages if any(number in text for number in numbers)] == []


def test_report_files_and_study_pack_of_a_closed_class_say_one_sentence() -> None:
    """With 60 planned and 60 come; a table of responses is refused for the same number of people."""
    version = survey_with_results(60)
    said = "Fewer than 100 people answered, so the report and the files have disguised answers alone."
    client = browser_of(somebody())

    addresses = {"results": version.pk, "files": version.survey_id, "releases": version.pk}
    pages = [client.get(reverse(f"studio:{name}", args=[pk])).content.decode() for name, pk in addresses.items()]
    with files.write_file(version.snapshots.last(), "study-pack.zip") as path, ZipFile(path) as folder:
        readme = folder.read("study-v1/README.txt").decode()

    assert [said in text for text in (*pages[:2], readme)] == [True] * 3
    assert "Fewer than 100 people answered this version, too few for a table of responses." in pages[2]
    assert [text for text in pages if "so far" in text] == []


def test_the_page_of_weights_of_a_closed_class_says_why_it_has_none() -> None:
    """Its undisguised questions could say how people were drawn, and it collects no more."""
    version = survey_with_results(60)
    client = browser_of(somebody())

    page = client.get(reverse("studio:results-weighted", args=[version.pk])).content.decode()

    assert "Not shown: with few people an undisguised answer could point at one of them." in page
    assert "still collects" not in page


def test_a_closed_survey_whose_answers_wait_does_not_say_that_none_came() -> None:
    """Field says that they are not sealed yet."""
    survey = make_survey("waiting")
    version = publish(survey)
    waits_for = SealingRound.objects.create(key=b"round", current=False)
    Inbox.objects.create(key=b"one", version=version, round=waits_for, box=b"")
    _close(version)
    client = browser_of(somebody())

    page = client.get(reverse("studio:fieldwork", args=[survey.pk])).content.decode()

    assert ("planned, not sealed yet" in page, "planned, none" in page) == (True, False)


def test_a_survey_with_waiting_answers_does_not_say_that_nobody_answered() -> None:
    """Results say what could be shown, and from how many people on."""
    version = publish(make_survey("waiting"))
    client = browser_of(somebody())

    page = client.get(reverse("studio:report", args=[version.survey_id])).content.decode()

    assert ("No answers that could be shown yet" in page, "Nobody has answered yet" in page) == (True, False)
    assert "Fewer than 20 people with disguised answers: nothing is ever shown" in page


def test_what_a_stored_answer_tells_for_sure_waits_for_the_minimum() -> None:
    """A place outside the zones is true as it stands: not even that nobody is outside may be shown of few people."""
    survey = sealed_places(0, closed_at="2026-01-01T00:00Z")
    Survey.objects.filter(pk=survey.pk).update(least=400)

    with pytest.raises(InputError, match="some answers are stored as they are"):
        data_of(survey.versions.get())
    assert not disclosure.is_enough(snapshots.latest(survey))


def test_few_people_are_not_tested_for_an_association() -> None:
    """The error of an empty cell looks small: with 25 people and nine cells, every second test would find something."""
    few, enough = (read_data(survey_with_results(n, slug=f"n{n}").snapshots.get()) for n in (45, 900))

    said = []
    for data in (few, enough):
        known = {each.axis.name: each for each in variables(data, "en")}
        said.append(verdict(cross_table(data, [known["drugs"], known["cheating"]])).split("(")[0])

    assert said[0] == "Too few people answered for a test of whether these answers are associated."
    assert said[1] != said[0]


def _numbers_on_pages(version: SurveyVersion, token: str, user: User) -> dict[str, set[int]]:
    """The numbers of people that each way out tells; none where it refuses."""
    client, out = Client(), Client()
    client.force_login(user)
    key = {"Authorization": f"Bearer {tokens.make(user, 'tests', ('read', 'responses'), 9)[1]}"}
    api = f"/api/surveys/study/versions/{version.number}/"
    questions = out.get(f"{api}answers", headers=key).json().get("questions", [])
    sent = out.get(f"{api}responses", headers=key)
    told = {
        "api": {display["n"] for question in questions for display in question["displays"]},
        "responses": {b"".join(sent).count(b"\n")} if sent.status_code == 200 else set(),
    }
    for name, address in (("report", reverse("studio:results", args=[version.pk])), ("shared", f"/r/{token}/")):
        page = (client if name == "report" else out).get(address).content.decode().replace("\xa0", " ")
        told[name] = {int(number) for number in re.findall(r"n = ([0-9]+)", page)}
    try:
        told["file"] = {len(_lines(version))}
    except InputError:
        told["file"] = set()
    return told


def test_successive_answers_of_every_way_leave_nothing_to_subtract() -> None:
    """API, report, shared report and files, after each batch that is sealed: nothing, and then one set of people."""
    version = survey_with_results(40, closed=False)
    _shared, token = sharing.share(version, "Colleague", ("answers",), 30, user := somebody())
    told = []
    for more in (20, 15):
        told.append(_numbers_on_pages(version, token, user))
        answer(version, more, 0.3)
    _close(version)
    told += [_numbers_on_pages(version, token, user), _numbers_on_pages(version, token, user)]

    ways, people = ("api", "responses", "report", "shared", "file"), _count_disguised(version)
    nothing, one_set = ({way: set(numbers) for way in ways} for numbers in ((), (people,)))
    assert told == [nothing, nothing, one_set, one_set]


def test_codebooks_say_of_each_undisguised_question_that_no_file_has_it() -> None:
    """In JSON, for archives and to read; disguised ones are in the records."""
    version = survey_with_results(90)
    snapshot = version.snapshots.last()
    with files.write_file(snapshot, "codebook.json") as path:
        held = {column["name"]: column["file"] for column in json.loads(path.read_text())["columns"]}
    with files.write_file(snapshot, "ddi.xml") as path:
        variables_of = ElementTree.fromstring(path.read_text()).iter("{ddi:codebook:2_5}var")
        in_ddi = {one.get("name"): one.get("files") for one in variables_of}
    with files.write_file(snapshot, "codebook.html") as path:
        said = path.read_text().count("does not leave this site")

    open_ones = {"faculty", "bus", "bike", "mood", "hours", "born", "remark", "fair"}
    kept = {"direct", *(item.id for item in version.design.items)}
    assert held == {**dict.fromkeys(open_ones), **dict.fromkeys(kept, "records")}
    assert {name for name, file in in_ddi.items() if file is None} == open_ones
    assert said == len(open_ones)
