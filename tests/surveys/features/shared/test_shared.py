"""What a device that several people use sends to the site, and its link on the page of the fieldwork."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.domain.messages.boxes import public_point
from surveys.domain.messages.invite import make_key
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import InvitationKey, SurveyVersion
from tests.surveys.features.interviews.tablets import lock, response
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import make_survey
from tests.surveys.sending import send as send_as_usual
from tests.surveys.staff import browser_of, somebody


def version_of(slug: str = "counter", **fields: Any) -> SurveyVersion:
    version = publish(make_survey(slug, **fields))
    make_key(version.survey)
    return version


@pytest.fixture
def version() -> SurveyVersion:
    return version_of()


def post(version: SurveyVersion, message: Any, slug: str = "") -> tuple[int, dict[str, Any]]:
    body = json.dumps(message).encode()
    answer = Client().post(f"/s/{slug or version.survey.slug}/boxes", body, content_type="application/json")
    return answer.status_code, answer.json()


def box(version: SurveyVersion, /, **fields: Any) -> dict[str, Any]:
    return {"version": version.sha256, "box": lock(version, response(version, **fields))}


@pytest.mark.parametrize("direct", [0, 1])
def test_a_box_is_stored_once_however_often_it_comes(version: SurveyVersion, direct: int) -> None:
    """As the page would have sent what is in it; the receipt is the same, also when the page sends it itself."""
    content = response(version, direct=direct, record=[1, 0, 1])
    locked = {"version": version.sha256, "box": lock(version, content)}

    (status, first), (again, second) = post(version, locked), post(version, locked)
    usual = json.loads(send_as_usual(Client(), "counter", content).content)

    assert (status, again, first) == (201, 200, second) == (201, 200, usual)
    assert len(responses_waiting(version)) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"version": "00", "box": ""},
        {"version": 7, "box": ["AAAA"]},
        {"version": "é", "box": "é"},
    ],
)
def test_what_is_no_box_is_refused(version: SurveyVersion, wrong: dict[str, Any]) -> None:
    """With one sentence, that tells nothing of what is in it."""
    said = {"error": "content", "message": "The box cannot be opened."}
    assert post(version, wrong) == (422, said)
    assert post(version, box(version) | {"version": "0" * 64}) == (422, said)


def test_a_box_is_opened_by_its_own_survey_alone(version: SurveyVersion) -> None:
    """Another survey has another key, and one that never had such a link has none."""
    version_of("other")
    publish(make_survey("without"))

    statuses = [post(version, box(version), slug)[0] for slug in ("other", "without", "nothing")]

    assert (statuses, responses_waiting(version)) == ([422, 404, 404], [])


def test_a_box_is_refused_as_the_response_in_it(version: SurveyVersion) -> None:
    """Where it does not fit, and once the survey is closed; a box that is stored already still gets its receipt."""
    stored = box(version)
    receipt = post(version, stored)[1]
    misfit = post(version, box(version, record=[7, 0, 0]))
    close(version.survey)

    assert (misfit[0], misfit[1]["error"]) == (422, "content")
    assert post(version, box(version))[1]["error"] == "closed"
    assert post(version, stored) == (200, receipt)
    assert Client().get("/s/counter/boxes").status_code == 405


def test_field_makes_the_link_while_the_survey_is_open() -> None:
    """Nothing of what is published changes; the link has the point to which the device encrypts."""
    version, client = publish(make_survey("counter")), browser_of(somebody())
    field = f"/staff/studio/{version.survey.pk}/fieldwork/?way=shared"

    before = client.get(field).content.decode()
    made = client.post(f"/staff/studio/{version.survey.pk}/shared/")
    after = client.get(field).content.decode()

    assert made["Location"] == f"{field}#shared"
    assert (f'action="/staff/studio/{version.survey.pk}/shared/"' in before, "shared-link" in before) == (True, False)
    assert f"/s/counter/#v={version.sha256}&amp;p={public_point(version.survey)}" in after
    assert SurveyVersion.objects.get() == version


def test_who_only_reads_a_survey_makes_no_link() -> None:
    """They see neither button nor key."""
    survey = publish(make_survey("counter")).survey
    reader = User.objects.create(username="reads", is_staff=True)
    give(survey, reader, Role.VIEWER)
    client = browser_of(reader)

    assert client.post(f"/staff/studio/{survey.pk}/shared/").status_code == 403
    assert f"/studio/{survey.pk}/shared/" not in client.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert client.get(f"/staff/studio/{survey.pk}/shared/").status_code in (403, 405)
    assert not InvitationKey.objects.exists()


def test_field_says_where_there_is_no_such_link() -> None:
    """By invitation each person has a link; and before it is published, and after it is closed, there is none."""
    lacks, invited = "This takes a published survey with an open link", version_of("invited", access="invitation")
    draft, closed = make_survey("draft"), version_of("closed")
    close(closed.survey)
    client = browser_of(somebody())

    pages = [client.get(f"/staff/studio/{one.pk}/fieldwork/").content.decode() for one in (draft, invited.survey)]

    assert [(lacks in page, "shared-link" in page) for page in pages] == [(True, False)] * 2
    assert "shared-link" not in client.get(f"/staff/studio/{closed.survey.pk}/fieldwork/").content.decode()
