"""A draft can be tried in the real client; what is sent there is counted nowhere."""

import json

from django.test import Client

from surveys.domain.questionnaire.publish import publish, trial
from surveys.models import Inbox, Submission, Survey, TrialResponse
from tests.surveys.making import make_survey
from tests.surveys.sending import submission


def test_a_trial_has_a_questionnaire_that_says_so() -> None:
    """The bytes are named by their hash, marked as a trial, and open to a person who has the link."""
    made = trial(make_survey(access="invitation"))
    response = Client().get(f"/t/{made.code}/test/questionnaire")
    assert response.content == bytes(made.definition)
    assert made.parsed.source["trial"] is True
    assert made.parsed.access == "open"


def test_what_is_sent_in_a_trial_is_kept_apart(client: Client) -> None:
    """It gets a receipt, a retry is known, and no table that is counted holds it."""
    made = trial(make_survey())
    message = {"version": made.sha256, "key": "0" * 32, "direct": 0, "record": [1, 0, 1], "open": {}, "pad": ""}
    path = f"/t/{made.code}/test"
    first, again = (
        client.post(f"{path}/responses", json.dumps(message), content_type="application/json") for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 200)
    assert client.get(f"{path}/receipts/{first.json()['receipt']}").status_code == 200
    assert (TrialResponse.objects.count(), Inbox.objects.count(), Submission.objects.count()) == (1, 0, 0)


def test_a_trial_takes_no_response_to_the_published_survey(survey: Survey, client: Client) -> None:
    """Nor the other way round: each has a version of its own."""
    version, made = publish(survey), trial(survey)
    for path, sha256 in ((f"/t/{made.code}/test", version.sha256), ("/s/study", made.sha256)):
        message = submission(version) | {"version": sha256}
        response = client.post(f"{path}/responses", json.dumps(message), content_type="application/json")
        assert response.status_code == 409
