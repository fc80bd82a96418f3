"""A response is kept once and whole, and its receipt is found again."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import receive as receiving
from surveys.models import Inbox, Submission, Survey, SurveyVersion
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import add_question, make_survey, words, write
from tests.surveys.sending import send, submission


def test_the_questionnaire_is_served_as_it_was_hashed(client: Client, version: SurveyVersion) -> None:
    """The bytes served are the bytes published."""
    response = client.get("/s/study/questionnaire")
    assert response.status_code == 200
    assert response.content == bytes(version.definition)
    assert response["Content-Type"] == "application/json"


def test_a_response_waits_in_the_inbox_and_its_receipt_is_known(client: Client, version: SurveyVersion) -> None:
    """201, one row, and the receipt can be looked up by a person who holds it."""
    response = send(client, "study", submission(version, record=[1, 0, 1]))
    assert response.status_code == 201
    receipt = response.json()["receipt"]
    assert client.get(f"/s/study/receipts/{receipt}").json() == {"received": True}
    assert Inbox.objects.count() == 1


def test_the_database_is_asked_nothing_but_to_keep_a_response(client: Client, version: SurveyVersion) -> None:
    """Whether the survey collects is decided by the inserts themselves, so that nothing can change in between."""
    send(client, "study", submission(version))
    with CaptureQueriesContext(connection) as asked:
        assert send(client, "study", submission(version)).status_code == 201
    words = [query["sql"].split()[0] for query in asked if "SAVEPOINT" not in query["sql"]]
    assert words == (["WITH"] if connection.vendor == "postgresql" else ["INSERT", "INSERT"])


def test_a_receipt_nobody_got_is_not_found(client: Client, version: SurveyVersion) -> None:
    """A changed digit, a receipt of another survey, a text that is no receipt: 404."""
    receipt = send(client, "study", submission(version)).json()["receipt"]
    publish(make_survey("other"))
    changed = receipt[:-1] + ("0" if receipt[-1] != "0" else "1")
    for path in (f"study/receipts/{changed}", f"other/receipts/{receipt}", "study/receipts/zz"):
        assert client.get(f"/s/{path}").status_code == 404


def test_the_same_submission_again_gets_the_same_receipt(client: Client, version: SurveyVersion) -> None:
    """A retry is 200 with the receipt of the first time, and one row."""
    message = submission(version)
    first, second = send(client, "study", message), send(client, "study", message)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Inbox.objects.count() == Submission.objects.count() == 1


def test_another_answer_under_the_same_key_is_refused(client: Client, version: SurveyVersion) -> None:
    """409, and the first answer stands."""
    message = submission(version, record=[1, 1, 1])
    send(client, "study", message)
    response = send(client, "study", message | {"record": [0, 0, 0]})
    assert (response.status_code, response.json()["error"]) == (409, "key")
    assert Inbox.objects.count() == 1


def test_open_answers_are_kept_beside_the_record(survey: Survey, client: Client) -> None:
    """What was asked openly is stored as given, in one canonical form."""
    add_question(survey, "age", type="number", min="18", max="120")
    version = publish(survey)
    assert send(client, "study", submission(version, open={"age": 42})).status_code == 201
    assert [waits.open for waits in responses_waiting(version)] == [b'{"age":42}']


def test_a_question_that_was_not_shown_may_not_be_answered(survey: Survey, client: Client) -> None:
    """A condition on an undisguised answer holds on the server too."""
    add_question(survey, "smokes")
    add_question(survey, "since", type="number", when={"question": "smokes", "is": ["1"]}, required=True)
    version = publish(survey)
    statuses = [
        send(client, "study", submission(version, open=answers)).status_code
        for answers in ({"smokes": "1", "since": 2}, {"smokes": "0"}, {"smokes": "0", "since": 2}, {"smokes": "1"})
    ]
    assert statuses == [201, 201, 422, 422]


def test_an_old_version_is_refused_but_its_retry_is_known(client: Client, version: SurveyVersion) -> None:
    """After a change: new answers to the old version 409, what had arrived keeps its receipt."""
    message = submission(version)
    receipt = send(client, "study", message).json()
    survey = version.survey
    write(survey, why=words("Another why"))
    publish(survey)
    refused = send(client, "study", submission(version))
    assert (refused.status_code, refused.json()["error"]) == (409, "version")
    again = send(client, "study", message)
    assert (again.status_code, again.json()) == (200, receipt)


def test_a_retry_of_what_a_newer_version_has_moved_comes_again(
    client: Client, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While machines of two versions stand beside each other, 503 lets the device try again; 410 would end it."""
    message = submission(version)
    send(client, "study", message)
    monkeypatch.setattr(receiving.used, "receipt_of", lambda *_: None)
    refused = send(client, "study", message)
    assert (refused.status_code, refused.json()["error"], refused["Retry-After"]) == (503, "busy", "5")


def test_a_closed_survey_takes_nothing_new_but_knows_what_it_has(client: Client, version: SurveyVersion) -> None:
    """410 for the questionnaire and for new answers; a late retry gets its receipt."""
    message = submission(version)
    receipt = send(client, "study", message).json()
    close(version.survey)
    assert client.get("/s/study/questionnaire").status_code == 410
    assert send(client, "study", submission(version)).status_code == 410
    assert send(client, "study", message).json() == receipt


@pytest.mark.parametrize(
    ("dates", "status", "code"),
    [({"opens_at": timedelta(hours=1)}, 403, "not-open"), ({"closes_at": timedelta(0)}, 410, "closed")],
)
def test_opening_and_closing_dates_hold(client: Client, dates: dict[str, timedelta], status: int, code: str) -> None:
    """Before the first date 403, from the second on 410, for the questionnaire and for answers."""
    version = publish(make_survey())
    Survey.objects.update(**{name: timezone.now() + ahead for name, ahead in dates.items()})
    for response in (client.get("/s/study/questionnaire"), send(client, "study", submission(version))):
        assert (response.status_code, response.json()["error"]) == (status, code)
    assert Inbox.objects.count() == 0


@pytest.mark.parametrize("reason", ["closed by hand", "over its date", "full"])
def test_a_closed_survey_has_its_own_text_for_everybody(client: Client, reason: str) -> None:
    """The same bytes for everybody, for the questionnaire and for a response, without languages that say nothing."""
    version = publish(make_survey(closed={"en": "Results in May.", "fr": ""}, quota=1 if reason == "full" else None))
    if reason == "full":
        send(client, "study", submission(version))
    elif reason == "closed by hand":
        close(version.survey)
    else:
        Survey.objects.update(closes_at=timezone.now())
    first, second = (send(client, "study", submission(version)) for _ in range(2))
    assert first.json()["text"] == {"en": "Results in May."}
    assert first.content == second.content == client.get("/s/study/questionnaire").content


def test_a_version_published_at_the_last_moment_is_no_closed_survey(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page then offers the new version in place of thanks that come too late."""
    version = publish(make_survey(quota=2))

    def publish_another(survey: Survey) -> bool:
        write(survey, why={"en": "Another why"})
        publish(Survey.objects.get())
        return False

    monkeypatch.setattr(receiving, "is_full", publish_another)
    answer = send(client, "study", submission(version))
    assert (answer.status_code, answer.json()["error"], Inbox.objects.count()) == (409, "version", 0)


def test_a_survey_that_is_not_open_says_from_when(client: Client) -> None:
    """The date is on the refusal."""
    opens = timezone.now() + timedelta(days=1)
    publish(make_survey(opens_at=opens))
    assert datetime.fromisoformat(client.get("/s/study/questionnaire").json()["opens"]) == opens


def test_the_quota_closes_a_survey(client: Client) -> None:
    """After the last place no response is taken and no page opens; a retry of the last one is known."""
    version = publish(make_survey(quota=2))
    messages = [submission(version) for _ in range(3)]
    assert [send(client, "study", message).status_code for message in messages] == [201, 201, 410]
    assert send(client, "study", messages[1]).status_code == 200
    assert client.get("/s/study/questionnaire").status_code == 410
    assert Survey.objects.get().closed_at is not None


def test_a_draft_is_not_told_apart_from_nothing(client: Client) -> None:
    """An unpublished survey and an address without one look alike."""
    make_survey("draft")
    answers = [client.get(f"/s/{slug}/questionnaire") for slug in ("draft", "nothing")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content == answers[1].content
