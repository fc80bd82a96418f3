"""Sheets that are typed and not stored yet: for one person, in one browser, and unreadable in the database."""

import pytest
from django.test import Client

from surveys.domain.questionnaire.closing import close
from surveys.features.paper import batches
from surveys.features.paper.typed import COOKIE
from surveys.models import SurveyVersion, TypedSheets
from tests.surveys.features.paper.sheets_of import crosswise, publish_paper, sheet_file
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db
TYPED = '{"counted": 3, "aside": 0, "first": [["1", 1]], "again": [], "drawn": []}'


@pytest.fixture
def version() -> SurveyVersion:
    return publish_paper(crosswise("copied"))


def send(client: Client, version: SurveyVersion, typed: str = TYPED) -> int:
    address = f"/staff/studio/{version.survey_id}/paper/typed/"
    return client.post(address, typed, content_type="application/json").status_code


def kept(client: Client, version: SurveyVersion) -> str:
    return str(client.get(f"/staff/studio/{version.survey_id}/paper/").context["kept"])


def test_what_is_typed_comes_back_to_who_typed_it(client: Client, version: SurveyVersion) -> None:
    """The newest of it, in one row, also after signing out and in again."""
    user = somebody()
    client.force_login(user)
    assert send(client, version, "{}") == 204
    assert send(client, version) == 204
    cookie = client.cookies[COOKIE]
    client.logout()
    client.cookies[COOKIE] = cookie.value
    client.force_login(user)

    assert kept(client, version) == TYPED
    assert TypedSheets.objects.count() == 1
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
    assert cookie["path"] == f"/staff/studio/{version.survey_id}/paper/"


def test_nobody_else_reads_it(client: Client, version: SurveyVersion) -> None:
    """Not the same person in another browser, not another person in the same one, and not who reads the database."""
    user = somebody()
    client.force_login(user)
    send(client, version)
    other, same = Client(), Client()
    other.force_login(somebody("change"))
    other.cookies[COOKIE] = client.cookies[COOKIE].value
    same.force_login(user)

    assert (kept(other, version), kept(same, version)) == ("", "")
    assert b"first" not in bytes(TypedSheets.objects.get().content)


def test_a_stored_stack_is_forgotten(monkeypatch: pytest.MonkeyPatch, client: Client, version: SurveyVersion) -> None:
    """With the key: a copy of the database that was made before tells nothing."""
    client.force_login(somebody())
    send(client, version)
    address = f"/staff/studio/{version.survey_id}/paper/"
    monkeypatch.setattr(batches, "FEWEST", 1)
    client.post(address, {"counted": 1, "aside": 0, "typed": sheet_file(version, "1"), "token": "a"})

    assert not TypedSheets.objects.exists()
    assert client.cookies[COOKIE].value == ""


def test_nothing_typed_is_nothing_kept(client: Client, version: SurveyVersion) -> None:
    """Whoever throws away what was typed leaves no row."""
    client.force_login(somebody())
    send(client, version)

    assert send(client, version, "") == 204
    assert not TypedSheets.objects.exists()


def test_a_closed_survey_keeps_nothing_more(client: Client, version: SurveyVersion) -> None:
    """The page shows the sentence in place of the next sheet; and too much is no stack."""
    client.force_login(somebody())
    assert send(client, version, "1" * 500_001) == 413
    close(version.survey)
    answer = client.post(f"/staff/studio/{version.survey_id}/paper/typed/", TYPED, content_type="application/json")

    assert (answer.status_code, answer.content.decode()) == (409, "This survey is closed: nothing was stored.")
    assert not TypedSheets.objects.exists()
