"""Sheets that are typed and not stored yet: for one person, in one browser, and unreadable in the database."""

import os

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.domain.questionnaire.closing import close
from surveys.features.paper import typed
from surveys.features.paper.typed import COOKIE
from surveys.models import PaperBatch, SurveyVersion, TypedSheets
from tests.cases import first
from tests.surveys.features.paper.sheets_of import crosswise, publish_paper, sheet_file
from tests.surveys.staff import somebody

TYPED = '{"counted": 3, "aside": 0, "first": [["1", 1]], "again": [], "drawn": []}'


@pytest.fixture
def version() -> SurveyVersion:
    return publish_paper(crosswise("copied"))


def cookie_of(client: Client) -> str:
    return f"{COOKIE}_{client.session['_auth_user_id']}"


def send(client: Client, version: SurveyVersion, stack: str = TYPED) -> int:
    address = f"/staff/studio/{version.survey_id}/paper/typed/"
    return client.post(address, stack, content_type="application/json").status_code


def kept(client: Client, version: SurveyVersion) -> str:
    return str(client.get(f"/staff/studio/{version.survey_id}/paper/").context["kept"])


def test_what_is_typed_comes_back_to_who_typed_it(client: Client, version: SurveyVersion) -> None:
    """The newest of it, in one row, also after signing out and in again."""
    user = somebody()
    client.force_login(user)
    assert send(client, version, "{}") == 204
    assert send(client, version) == 204
    name, cookie = cookie_of(client), client.cookies[cookie_of(client)]
    client.logout()
    client.cookies[name] = cookie.value
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
    key = client.cookies[cookie_of(client)].value
    other.cookies[cookie_of(client)] = other.cookies[cookie_of(other)] = key
    same.force_login(user)

    assert (kept(other, version), kept(same, version)) == ("", "")
    assert b"first" not in bytes(TypedSheets.objects.get().content)


def test_a_stored_stack_is_forgotten(ann: Client, version: SurveyVersion) -> None:
    """With the key, for another one: a copy of the database that was made before tells nothing."""
    send(ann, version)
    key = ann.cookies[cookie_of(ann)].value
    address = f"/staff/studio/{version.survey_id}/paper/"
    ann.post(address, {"counted": 20, "aside": 0, "typed": sheet_file(version, *["1"] * 20), "token": "a"})

    assert not TypedSheets.objects.exists()
    assert ann.cookies[cookie_of(ann)].value not in ("", key)


def test_nothing_typed_is_nothing_kept(ann: Client, version: SurveyVersion) -> None:
    """Somebody who throws away what was typed leaves no row."""
    send(ann, version)

    assert send(ann, version, "") == 204
    assert not TypedSheets.objects.exists()


def test_a_closed_survey_keeps_nothing_more(ann: Client, version: SurveyVersion) -> None:
    """The page shows the sentence in place of the next sheet; and too much is no stack."""
    assert send(ann, version, "1" * 500_001) == 413
    close(version.survey)
    answer = ann.post(f"/staff/studio/{version.survey_id}/paper/typed/", TYPED, content_type="application/json")

    assert (answer.status_code, answer.content.decode()) == (409, "This survey is closed: nothing was stored.")
    assert not TypedSheets.objects.exists()
    assert send(ann, version, "") == 204


def test_brackets_within_brackets_are_kept_like_any_text(ann: Client, version: SurveyVersion) -> None:
    """So deep that no reader of JSON goes there, which is no error."""
    assert [send(ann, version, "[" * 100_000), send(ann, version)] == [204, 204]


def test_the_page_of_a_closed_survey_forgets(ann: Client, version: SurveyVersion) -> None:
    """Nobody can store the stack any more: its row and its key go, and the page says that the survey is closed."""
    send(ann, version)
    close(version.survey)
    page = ann.get(f"/staff/studio/{version.survey_id}/paper/")

    assert page.context["why_not"] == "This survey is closed: nothing was stored."
    assert (TypedSheets.objects.count(), ann.cookies[cookie_of(ann)].value) == (0, "")


def test_people_at_one_desk_do_not_overwrite_each_other(client: Client, version: SurveyVersion) -> None:
    """Each signs in to the same browser in turn: the stack of one stays while the other types and throws away."""
    one, other = somebody(), somebody("change")
    client.force_login(one)
    send(client, version)
    cookies = dict(client.cookies)
    client.force_login(other)
    send(client, version, "[]")
    send(client, version, "")
    client.force_login(one)

    assert kept(client, version) == TYPED
    assert cookie_of(client) in cookies


def test_two_windows_of_one_browser_do_not_overwrite_each_other(ann: Client, version: SurveyVersion) -> None:
    """The second one hears of the first stack at its first sheet; who goes on with that stack in it, goes on."""
    first, second, goes_on = '{"by": "a"}', '{"by": "b"}', '{"by": "b", "from": "a"}'

    said = [send(ann, version, one) for one in (first, first, second, goes_on, second, first)]

    assert said == [204, 204, 409, 204, 204, 409]
    assert kept(ann, version) == second


def test_the_first_sheet_that_is_taken_back_leaves_nothing_of_this_window_alone(
    ann: Client, version: SurveyVersion
) -> None:
    """Another window of the browser types a stack: this one hears so, and what is kept stays."""
    nothing = '{"by": "%s", "first": [], "aside": 0}'
    send(ann, version, '{"by": "a", "first": [["1", 1]], "aside": 0}')

    assert send(ann, version, nothing % "b") == 409
    assert TypedSheets.objects.count() == 1
    assert send(ann, version, nothing % "a") == 204
    assert not TypedSheets.objects.exists()


@pytest.mark.parametrize(
    ("before", "by"), first(1, [([], '{"by": "b"}'), (['{"by": "a"}'], '{"by": "b", "from": "a"}')])
)
def test_of_two_windows_that_keep_a_sheet_at_one_moment_the_second_hears_so(
    monkeypatch: pytest.MonkeyPatch, client: Client, version: SurveyVersion, before: list[str], by: str
) -> None:
    """Both find what was there before them: the first sheets of a stack, or the next sheet and the stack taken over."""
    other, draw = '{"by": "a", "more": 1}', os.urandom
    client.force_login(somebody())
    kept(client, version)  # both windows are open
    for one in before:
        send(client, version, one)

    def go_on(size: int) -> bytes:
        monkeypatch.undo()
        assert send(client, version, other) == 204
        return draw(size)

    monkeypatch.setattr(os, "urandom", lambda size: go_on(size) if size == typed._NONCE else draw(size))
    assert send(client, version, by) == 409
    assert kept(client, version) == other


def test_a_stack_that_was_refused_and_mended_is_forgotten(ann: Client, version: SurveyVersion) -> None:
    """Else the page would offer it again, and it would be stored twice."""
    send(ann, version, '{"by": "a", "token": "mine"}')
    address = f"/staff/studio/{version.survey_id}/paper/"
    sent = {"counted": 20, "aside": 0, "typed": sheet_file(version, *["1"] * 19), "token": "mine"}
    token = ann.post(address, sent).context["token"]
    ann.post(address, sent | {"typed": sheet_file(version, *["1"] * 20), "token": token})

    assert PaperBatch.objects.count() == 1
    assert not TypedSheets.objects.exists()


def test_a_stack_that_is_stored_leaves_what_another_window_types(ann: Client, version: SurveyVersion) -> None:
    """So does a file: only the stack that was typed here and stored is forgotten."""
    other = '{"by": "a", "token": "another"}'
    send(ann, version, other)
    address, sheets = f"/staff/studio/{version.survey_id}/paper/", sheet_file(version, *["1"] * 20)
    ann.post(address, {"counted": 20, "aside": 0, "typed": sheets, "token": "mine"})
    file = SimpleUploadedFile("sheets.csv", sheets.encode())
    ann.post(address, {"counted": 20, "aside": 0, "file": file, "token": "another"})

    assert PaperBatch.objects.count() == 2
    assert kept(ann, version) == other


@pytest.mark.parametrize(("typed", "bytes_of_row"), [("", 4096), ("0", 4096), ("0" * 5_000, 8192)])
def test_how_long_a_row_is_tells_no_empty_box(
    ann: Client, version: SurveyVersion, typed: str, bytes_of_row: int
) -> None:
    """A copy of the database after each sheet would show whose sheet left a question out."""
    send(ann, version, TYPED + typed)

    assert len(bytes(TypedSheets.objects.get().content)) == 12 + bytes_of_row + 16


def test_rows_without_a_key_do_not_pile_up(client: Client, version: SurveyVersion) -> None:
    """The newest ten browsers of a person stay; what another person typed does, too."""
    client.force_login(somebody("change"))
    send(client, version, "of another")
    client.force_login(somebody())
    for _browser in range(12):
        client.cookies.pop(cookie_of(client), None)
        send(client, version)

    assert TypedSheets.objects.count() == 11
    assert kept(client, version) == TYPED


def test_what_is_no_text_is_refused(ann: Client, version: SurveyVersion) -> None:
    """With a sentence, and the page opens as before."""
    address = f"/staff/studio/{version.survey_id}/paper/typed/"
    answer = ann.post(address, b"\xff", content_type="application/json")

    assert (answer.status_code, answer.content) == (422, b"This is no stack of sheets: nothing was kept.")
    assert kept(ann, version) == ""
