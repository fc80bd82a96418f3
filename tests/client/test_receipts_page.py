"""The page that finds a receipt in the list of a closed survey, without telling anybody which one is looked for."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.closed import statement
from surveys.domain.page import bundle
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.models import SurveyVersion
from tests.surveys.making import make_survey
from tests.surveys.sealed import list_in_pieces
from tests.surveys.sending import send, submission

BELONGS = "So your response was received and belongs to what was sealed."


def close_with_receipts(count: int) -> tuple[SurveyVersion, list[str]]:
    """A closed survey with so many responses, and their receipts in order."""
    version = publish(make_survey(least=20, direct=False))
    receipts = sorted(send(Client(), "study", submission(version)).json()["receipt"] for _ in range(count))
    close(version.survey)
    seal.seal_closed()
    statement.state_all()
    return version, receipts


def look(page: Page, receipt: str, said: str) -> None:
    page.get_by_label("Your receipt").fill(receipt)
    page.get_by_role("button", name="Look for it").click()
    expect(page.get_by_role("status")).to_have_text(said)


@pytest.mark.long
def test_a_receipt_is_found_and_proved_in_the_browser(
    page: Page, live: LiveServer, axe: Callable[[Page], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that the device keeps stands there already; no request holds a receipt or any part of one."""
    version, receipts = close_with_receipts(21)
    kept = f"""localStorage.setItem('candor:{version.sha256}:open',
        JSON.stringify({{ path: '/s/study/', state: 'sent', receipt: '{receipts[4]}' }}))"""
    page.add_init_script(kept)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.post_data or ''}"))
    page.goto(f"{live.url}/s/study/receipts/")
    page.get_by_role("heading", name="Find your receipt").wait_for()
    assert page.get_by_label("Your receipt").input_value() == receipts[4]
    for place in (4, 0, 20):
        said = f"Your receipt is in the list, as number {place + 1} of 21. {BELONGS}"
        look(page, f" {receipts[place].upper()} ", said)
    other = "f" * 64 if receipts[-1] != "f" * 64 else "e" * 64
    missing = "If it is from this survey, your response is missing. Show the receipt to somebody you trust."
    look(page, other, f"This receipt is not in the list. {missing}")
    look(page, "0" * 64, f"This receipt is not in the list. {missing}")
    look(page, "short", "A receipt has 64 characters: digits, and letters from a to f.")
    expect(page.get_by_text(statement.Statement.objects.get().sha256)).to_be_visible()
    assert axe(page) == []
    assert {request for request in asked if request.startswith(f"{live.url}/s/")} == {
        f"{live.url}/s/study/receipts/ ",
        f"{live.url}/s/study/statement ",
        f"{live.url}/s/study/statement/0 ",
    }
    page.get_by_label("Language").select_option("zh-hans")
    page.get_by_role("heading", name="查找您的回执").wait_for()


@pytest.mark.long
def test_a_receipt_is_found_in_a_list_of_several_pieces(
    page: Page, live: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page takes pieces of the size that the site makes; here both take a smaller one, 8.

    It loads only the piece in which the receipt would stand.
    """
    script = bundle.files()["closed/receipts.js"].body.decode()
    size = f"const PIECE = {statement.PIECE};"
    assert script.count(size) == 1
    page.route(
        "**/client/*/closed/receipts.js",
        lambda route: route.fulfill(body=script.replace(size, "const PIECE = 8;"), content_type="text/javascript"),
    )
    list_in_pieces(monkeypatch)
    _, receipts = close_with_receipts(21)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{live.url}/s/study/receipts/")
    page.get_by_text("with up to 8 receipts.").wait_for()
    for place in (0, 7, 8, 20):
        look(page, receipts[place], f"Your receipt is in the list, as number {place + 1} of 21. {BELONGS}")
    pieces = [url for url in asked if url.startswith(f"{live.url}/s/study/statement/")]
    assert pieces == [f"{live.url}/s/study/statement/{number}" for number in (0, 0, 1, 2)]


@pytest.mark.long
def test_a_list_that_is_not_the_one_under_its_root_is_refused(page: Page, live: LiveServer) -> None:
    """A receipt that was put into the piece, or a piece with another length, is no proof."""
    _, receipts = close_with_receipts(20)
    listed = bytes.fromhex("".join(receipts))
    forged = "00" * 31 + "01"
    answers = [bytes.fromhex(forged) + listed[32:], listed[:-32], listed + b"\xff" * 32]

    def serve(route: Route) -> None:
        route.fulfill(body=answers.pop(0), content_type="application/octet-stream")

    page.route("**/statement/0", serve)
    page.goto(f"{live.url}/s/study/receipts/")
    for _ in range(3):
        wrong = "What came is not the list that belongs to the hash below. Do not trust this site, and tell somebody."
        look(page, receipts[0], wrong)
        page.reload()


@pytest.mark.long
def test_a_survey_that_collects_has_no_list(page: Page, live: LiveServer) -> None:
    """The page says why, and when there will be one."""
    publish(make_survey())
    page.goto(f"{live.url}/s/study/receipts/")
    page.get_by_text("There is no list yet.").wait_for()
