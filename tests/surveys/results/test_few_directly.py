"""Where few people answered directly, all that leaves the site is what it would be if nobody had."""

import json
import re
from collections.abc import Iterator
from difflib import unified_diff
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest
from django.db import transaction
from django.test import Client

from config.signin import tokens
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.closed import erase, statement
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import latest
from surveys.models import Statement, Survey
from surveys.results import report, sharing
from tests.cases import first
from tests.mining.surveys import mined_run
from tests.surveys.making import add_question, make_survey
from tests.surveys.results.shown import OPERATIONS
from tests.surveys.staff import somebody

LEAST = 100
# What is drawn or is a time, and hashes, which change with each response and tell nothing (docs/decisions/0022).
DRAWN = re.compile(
    r"[0-9a-f]{12,64}|[\w-]{40,}|seconds\": [\d.e-]+|mlxtend, [\d.]+ s"
    r"|name=\"csrfmiddlewaretoken\" value=\"\w+\"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[:.\d]*"
)
ADDRESS = re.compile(r'(?:href|src)="(/[^"#]*)')


def survey_of(disguised: int, direct: int) -> Survey:
    """A closed survey of so many people, with a disguised and an undisguised question, a run, and a file taken."""
    survey = make_survey("study", ("drugs", "theft"), least=LEAST)
    add_question(
        survey, "sex", type="choice", page=2, required=True, options=(("f", {"en": "female"}), ("m", {"en": "male"}))
    )
    version = publish(survey)
    people = np.concatenate([np.arange(disguised), np.arange(direct)])  # of neither group the other's size decides
    codes = np.column_stack([people % 3 == 0, people % 4 == 0]).astype(version.design.code_type)
    lines = [json.dumps({"sex": "fm"[one % 2]}).encode() for one in people.tolist()]
    append(version, pack(Records(version.design, codes, np.arange(len(people)) >= disguised)), lines)
    close(survey)
    return survey


def crawl(client: Client, *begin: str) -> Iterator[tuple[str, str]]:
    """Every page that can be reached by links below the pages of staff, by its address."""
    found, asked = list(begin), set[str]()
    while found:
        address = found.pop()
        if address in asked or not address.startswith(("/staff/studio/", "/staff/runs/")) or "/preview/" in address:
            continue
        asked.add(address)
        answer = client.get(address)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code != 200 or not kind.startswith(("text/", "image/svg", "application/json")):
            yield address, str(answer.status_code)
            continue
        text = (answer.getvalue() if answer.streaming else answer.content).decode()
        yield address, text
        if kind.startswith("text/html"):
            found += [link.replace("&amp;", "&") for link in ADDRESS.findall(text)]


def what_leaves(disguised: int, direct: int) -> dict[str, str]:
    """All pages, files, answers of the API, a shared report, the statement and the record of an erasing."""
    said = dict[str, str]()
    with transaction.atomic():
        survey, client = survey_of(disguised, direct), Client()
        version, snapshot = survey.versions.get(), latest(survey)
        user = somebody()
        client.force_login(user)
        if disguised >= LEAST:
            mined_run(survey, min_support=0.1, min_confidence=0.2)
        said |= crawl(client, "/staff/studio/", "/staff/runs/", f"/staff/studio/{survey.pk}/fieldwork/")
        for file in files.list_files(snapshot):
            with files.write_file(snapshot, file.name) as path:
                said |= parts_of_file(file.name, path.read_bytes())
        files.take_file(snapshot, "records.csv", user, "ann").close()
        headers = {"Authorization": f"Bearer {tokens.make(user, 'tests', ('read', 'responses'), 9)[1]}"}
        for operation in OPERATIONS:
            said[f"API {operation}"] = client.get(f"/api/surveys/study{operation}", headers=headers).content.decode()
        keys = [part.key for part in report.parts(report.data_of(version), lambda _action: True)]
        _link, token = sharing.share(version, "Colleague", [*keys, "table.drugs.sex"], 9, user)
        said["shared report"] = Client().get(f"/r/{token}/").content.decode()
        while statement.state_all():
            pass
        said["statement"] = bytes(Statement.objects.get().content).decode()
        said["record of an erasing"] = json.dumps(erase.describe_survey(survey, {}))
        transaction.set_rollback(True)
    return {DRAWN.sub("…", name): DRAWN.sub("…", text) for name, text in said.items()}


def parts_of_file(name: str, body: bytes) -> Iterator[tuple[str, str]]:
    """What a file says, with its rows in one order: they are shuffled by the hash of all of them."""
    if name.endswith(".zip"):
        for entry in ZipFile(BytesIO(body)).infolist():
            yield from parts_of_file(f"{name}: {entry.filename}", ZipFile(BytesIO(body)).read(entry))
    elif not name.endswith((".parquet", ".sav", ".dta", ".xlsx")):
        yield name, "\n".join(sorted(DRAWN.sub("…", body.decode()).splitlines()))


def compare(one: dict[str, str], other: dict[str, str]) -> dict[str, list[str]]:
    """The lines in which all that leaves differs."""
    assert one.keys() == other.keys()
    return {
        name: [*unified_diff(other[name].splitlines(), text.splitlines(), n=0, lineterm="")]
        for name, text in one.items()
        if text != other[name]
    }


@pytest.mark.parametrize(
    ("disguised", "direct"), first(1, [(200, 3), (200, LEAST - 1), (98, 3), (58, 3), (3, 2 * LEAST)])
)
def test_nothing_tells_how_few_people_answered_in_one_of_both_ways(disguised: int, direct: int) -> None:
    """All that leaves is what it would be if nobody had, so no two totals on pages, in files or in the API differ by a
    few people. What all report on is the others.
    """
    few_disguised = disguised < direct
    nobody = what_leaves(0, direct) if few_disguised else what_leaves(disguised, 0)
    some = what_leaves(disguised, direct)
    assert compare(some, nobody) == {}
    assert json.loads(some["API /versions/1"])["respondents"] == max(disguised, direct)
    if few_disguised:
        return
    said = some["shared report"].replace("\xa0", " ").replace("&nbsp;", " ")
    assert f"n = {disguised}" in said
    assert f"{disguised} responses" in said
    assert any(name.startswith("study-pack.zip: study-v1/rules/") for name in some) or disguised < LEAST
