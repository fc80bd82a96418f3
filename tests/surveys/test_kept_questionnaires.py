"""A questionnaire may be kept by anybody on its way, who asks again each time; a refusal is kept by nobody."""

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.domain.database import damage
from surveys.domain.page import bundle
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.versions import definition_bytes
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey, words, write
from tests.surveys.sending import send, submission

ADDRESS = "/s/study/questionnaire"


def again(client: Client, version: SurveyVersion, address: str = ADDRESS) -> Any:
    """What is answered to a person who has the bytes of this version."""
    return client.get(address, headers={"If-None-Match": f'W/"{version.sha256}"'})


def test_anybody_may_keep_it_and_asks_each_time(client: Client, version: SurveyVersion) -> None:
    """Exactly these headers: the mark is the hash of what came, nothing names a visitor, and no language was chosen."""
    answer = client.get(ADDRESS, headers={"Accept-Language": "zh-CN", "Cookie": "staff_session=somebody"})
    served = dict(answer.headers)
    assert (answer.status_code, served.pop("Content-Length")) == (200, str(len(answer.content)))
    assert served == bundle.survey_headers(sha256(answer.content).hexdigest())
    assert served["Cache-Control"] == "public, no-cache"
    assert served["ETag"] == f'W/"{version.sha256}"'
    assert answer.cookies == {}


def test_who_has_it_hears_that_it_still_holds(client: Client, version: SurveyVersion) -> None:
    answer = again(client, version)
    assert (answer.status_code, answer.content) == (304, b"")
    declared = bundle.survey_headers(version.sha256)
    del declared["Content-Type"]  # of nothing
    assert dict(answer.headers) == declared | {"Content-Length": "0"}


def test_who_has_another_gets_the_present_one(client: Client, version: SurveyVersion) -> None:
    """As soon as a newer version is published, and from the first question on."""
    survey = version.survey
    write(survey, why=words("Another why"))
    newer = publish(survey)
    answer = again(client, version)
    assert (answer.status_code, answer["ETag"]) == (200, f'W/"{newer.sha256}"')
    assert answer.content == bytes(newer.definition)


@pytest.mark.parametrize("known", [True, False], ids=["304", "200"])
def test_it_costs_one_small_query(client: Client, version: SurveyVersion, known: bool) -> None:
    """Neither the document nor the draft of the survey is read again: a process has what it has handed out once."""
    client.get(ADDRESS)
    with CaptureQueriesContext(connection) as asked:
        answer = again(client, version) if known else client.get(ADDRESS)
    assert answer.status_code == (304 if known else 200)
    queries = [query["sql"] for query in asked if "quick_check" not in query["sql"]]
    assert len(queries) == 1
    assert [column for column in ("definition", "heading", "consent", "settings") if f'"{column}"' in queries[0]] == []


def test_the_first_who_asks_a_process_costs_one_more(client: Client, version: SurveyVersion) -> None:
    definition_bytes.cache_clear()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(ADDRESS).status_code == 200
    assert len([query for query in asked if "quick_check" not in query["sql"]]) == 2


def close_survey(version: SurveyVersion) -> None:
    close(version.survey)


def end_by_date(version: SurveyVersion) -> None:
    Survey.objects.update(closes_at=timezone.now() - timedelta(seconds=1))


def early(version: SurveyVersion) -> None:
    Survey.objects.update(opens_at=timezone.now() + timedelta(days=1))


def make_rehearsal(version: SurveyVersion) -> None:
    Survey.objects.filter(pk=version.survey_id).update(rehearses=make_survey("draft"))


@pytest.mark.parametrize(
    ("happened", "status", "code"),
    [
        (close_survey, 410, "closed"),
        (end_by_date, 410, "closed"),
        (early, 403, "not-open"),
        (make_rehearsal, 404, "unknown"),
    ],
)
def test_a_survey_that_does_not_collect_is_refused_to_who_has_it_too(
    client: Client, version: SurveyVersion, happened: Callable[[SurveyVersion], None], status: int, code: str
) -> None:
    """At once, and nobody keeps the refusal: the survey may open, or its date may be moved."""
    assert again(client, version).status_code == 304
    happened(version)
    answer = again(client, version)
    said = answer.json()
    languages = None if status == 404 else version.parsed.source["languages"]
    assert (answer.status_code, said["error"], said.get("languages")) == (status, code, languages)
    assert kept_by_nobody(answer)


def test_a_survey_that_is_full_is_refused_to_who_has_it_too(client: Client) -> None:
    version = publish(make_survey(quota=1))
    assert again(client, version).status_code == 304
    assert send(client, "study", submission(version)).status_code == 201
    answer = again(client, version)
    assert (answer.status_code, answer.json()["error"], kept_by_nobody(answer)) == (410, "closed", True)


def test_a_busy_site_says_so_to_who_has_it(
    client: Client, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a response could not be kept nobody is to fill in anything."""
    monkeypatch.setattr(damage, "inbox_is_damaged", lambda: True)
    answer = again(client, version)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert kept_by_nobody(answer)


def test_what_is_one_persons_is_kept_by_nobody(client: Client, version: SurveyVersion) -> None:
    """A response, its receipt, an exchange, a statement before and after the survey has closed, the page itself."""
    sent = send(client, "study", submission(version))
    answers = [
        sent,
        client.get(f"/s/study/receipts/{sent.json()['receipt']}"),
        client.get(f"/s/study/receipts/{'0' * 64}"),
        client.post("/s/study/invitations", {}, content_type="application/json"),
        client.get("/s/study/statement"),
        client.get("/s/study/"),
        client.get("/s/study/receipts/"),
        client.post(ADDRESS),
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 404, 422, 409, 200, 200, 405]
    assert [kept_by_nobody(answer) for answer in answers] == [True] * len(answers)


def kept_by_nobody(answer: Any) -> bool:
    return bool(answer["Cache-Control"] == "no-store" and "ETag" not in answer)
