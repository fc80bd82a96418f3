"""People who come from a panel: what they read beforehand, and how each visit ends, on the device alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import one_coin, open_question, sha256, text
from tests.client.wire import ORIGIN, Wire, activate, answer_one_coin, begin, heading, refusal, send

BACK = "https://panel.example/back?how={}&id={{number}}"
PANEL = {
    "name": "Prolific",
    "number": "PROLIFIC_PID",
    "ends": {
        "sent": {"code": "CSENT111", "address": BACK.format("sent")},
        "out": {"address": BACK.format("out")},
        "full": {"code": "CFULL111"},
    },
}
NUMBER = "5f1a/2&x"


def by_panel(**more: Any) -> dict[str, Any]:
    """The demo's setting for people of a panel, with two undisguised questions: a group, and one that may end it."""
    source = one_coin(panel=PANEL, **more)
    options = [{"value": value, "label": text(value)} for value in ("students", "staff")]
    group = open_question("group", "choice", "Your group", "您的组", options=options, parameter="group")
    adult = open_question("adult", "yesno", "Are you 18 or older?", "您年满 18 岁吗？", required=True, out=["0"])
    source["pages"].insert(0, {"questions": [group, adult]})
    source["design"]["direct"] = False
    return source


def link(wire: Wire, more: str = "") -> str:
    return f"{ORIGIN}/s/tried/#v={sha256(wire.definition)}&PROLIFIC_PID=5f1a%2F2%26x{more}"


@pytest.fixture
def come(page: Page) -> Callable[..., Wire]:
    """Open the survey by the panel's link, and see where a press of the way back leads."""

    def visit(more: str = "", **wire: Any) -> Wire:
        attached = Wire(by_panel(), **wire).attach(page.context)
        page.goto(link(attached, more))
        page.get_by_role("heading", level=1).wait_for()
        return attached

    return visit


def led_back(page: Page) -> str:
    """Where the press leads."""
    with page.expect_request("https://panel.example/**") as asked:
        activate(page.get_by_role("button", name="Back to Prolific"))
    return asked.value.url


def say_adult(page: Page, answer: str) -> None:
    activate(page.get_by_role("radiogroup").get_by_role("radio", name=answer, exact=True))
    activate(page.get_by_role("button", name="Continue"))


def respond(page: Page) -> None:
    """All the way to the receipt."""
    begin(page)
    say_adult(page, "Yes")
    answer_one_coin(page)
    send(page)
    page.locator("code.receipt").first.wait_for(state="attached")


def test_who_has_answered_goes_back_with_the_panels_own_number(page: Page, come: Callable[..., Wire]) -> None:
    """After the receipt, by a press. The number is in no message to the site; the group is an undisguised answer."""
    wire = come("&group=staff")
    before = page.locator(".caution").last.inner_text()
    begin(page)
    say_adult(page, "Yes")
    answer_one_coin(page)
    assert page.locator("dl").inner_text().count("staff") == 1
    send(page)
    page.locator("code.receipt").first.wait_for(state="attached")
    code = page.locator("code.receipt").first.inner_text()
    assert before.startswith("Prolific learns that you came and how your visit ends.")
    assert "If you may not, Prolific learns that." in before
    assert json.loads(wire.posts[0])["open"] == {"group": "staff", "adult": "1"}
    assert not any("5f1a" in f"{address} {body}" for _method, address, body in wire.asked)
    assert code == "CSENT111"
    assert led_back(page) == "https://panel.example/back?how=sent&id=5f1a%2F2%26x"


def test_who_is_screened_out_sends_nothing_and_has_an_end_of_their_own(page: Page, come: Callable[..., Wire]) -> None:
    """Before a sensitive question is shown; and who comes again with another answer in mind gets the same end."""
    wire = come()
    begin(page)
    say_adult(page, "No")
    for _visit in range(2):
        page.get_by_role("heading", name="Thank you: this survey is for other people").wait_for()
        page.reload()
    assert wire.posts == []
    assert led_back(page) == "https://panel.example/back?how=out&id=5f1a%2F2%26x"


@pytest.mark.parametrize("place", first(1, ["[PROLIFIC_PID]", "{{%25PROLIFIC_PID%25}}"]))
def test_a_link_that_the_panel_has_not_filled_in_lets_nobody_in(page: Page, place: str) -> None:
    """Else the first of them would be let in, and all others come with a number that was used."""
    wire = Wire(by_panel(access="invitation")).attach(page.context)
    page.goto(f"{ORIGIN}/s/tried/#v={sha256(wire.definition)}&PROLIFIC_PID={place}")
    page.get_by_role("heading", level=1, name="This link lacks your number").wait_for()
    assert page.get_by_role("button", name="I agree – begin").count() == 0


def test_whom_a_number_lets_in_reads_of_it_and_of_no_invitation(page: Page, key: dict[str, str]) -> None:
    """Before they begin, and where they began on another device: the number lets nobody begin twice, and nothing of it
    is kept on the second.
    """
    wire = Wire(by_panel(access="invitation", key=key), sign=refusal(409, "spent")).attach(page.context)
    page.goto(link(wire))
    page.get_by_role("button", name="I agree – begin").wait_for()
    said = page.locator("main").inner_text()
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_role("heading", level=1, name="Your Prolific number has been used: go on in the browser").wait_for()
    said_after = page.locator("main").inner_text()
    assert "Your Prolific number works once." in said
    assert "nvitation" not in said + said_after


def by_groups() -> dict[str, Any]:
    """Whether somebody is of age decides nothing: enough of those who are have come, perhaps."""
    source = by_panel()
    adult = source["pages"][0]["questions"][1]
    del adult["out"]
    adult["enough"] = {"1": 40}
    return source


@pytest.mark.parametrize(
    ("full", "ends"),
    [
        ({"json": {"adult": ["1"]}}, True),
        ({"json": {"adult": ["0"]}}, False),
        ({"json": {"constructor": ["1"]}}, False),
        ({"json": {}}, False),
        ({"status": 503, "json": {"error": "busy"}}, False),
    ],
)
def test_who_is_of_a_full_group_sends_nothing_and_has_the_end_for_that(
    page: Page, full: dict[str, Any], ends: bool
) -> None:
    """The site is asked once, before anybody has said anything; where it cannot say, people take part."""
    wire = Wire(by_groups(), full=full).attach(page.context)
    page.goto(link(wire))
    begin(page)
    asked_before = [address for _method, address, _body in wire.asked]
    say_adult(page, "Yes")
    if ends:
        for _visit in range(2):
            page.get_by_role("heading", name="enough people with this answer have taken part").wait_for()
            assert page.locator("code.receipt").inner_text() == "CFULL111"
            page.reload()
        assert wire.posts == []
    else:
        answer_one_coin(page)
        send(page)
        page.locator("code.receipt").first.wait_for(state="attached")
        assert [address for _method, address, _body in wire.asked if address.endswith("groups")] == [
            address for address in asked_before if address.endswith("groups")
        ]
    assert sum(address.endswith("/s/tried/groups") for address in asked_before) == 1


@pytest.mark.long
def test_who_comes_too_late_gets_the_end_for_that(page: Page, come: Callable[..., Wire]) -> None:
    """The refusal of the questionnaire holds it, so nobody needs to know a survey that is closed."""
    closed = {"status": 410, "json": {"error": "closed", "message": "No.", "panel": PANEL}}
    come(questionnaire=closed)
    assert (heading(page), page.locator("code.receipt").inner_text()) == ("This survey is closed", "CFULL111")


@pytest.mark.parametrize("adult", ["Yes", "No"])
def test_who_comes_back_after_closing_has_the_end_of_their_own_visit(
    page: Page, come: Callable[..., Wire], adult: str
) -> None:
    """And not the end for who comes too late; the receipt is still there."""
    wire = come()
    if adult == "Yes":
        respond(page)
    else:
        begin(page)
        say_adult(page, adult)
        page.get_by_role("heading", name="Thank you: this survey is for other people").wait_for()
    wire.questionnaire = {"status": 410, "json": {"error": "closed", "message": "No.", "panel": PANEL}}

    page.reload()

    page.get_by_role("heading", name="This survey is closed").wait_for()
    codes = page.locator("code.receipt").all_text_contents()
    assert (codes[:1], len(codes)) == ((["CSENT111"], 2) if adult == "Yes" else ([], 0))
    assert led_back(page) == f"https://panel.example/back?how={'sent' if adult == 'Yes' else 'out'}&id=5f1a%2F2%26x"


@pytest.mark.long
@pytest.mark.parametrize(
    ("status", "error", "title", "code"),
    [(410, "closed", "This survey is closed", "CFULL111"), (409, "spent", "A response is already stored", "CSENT111")],
)
def test_who_is_refused_at_send_gets_the_end_for_that(
    page: Page, come: Callable[..., Wire], status: int, error: str, title: str, code: str
) -> None:
    """Somebody else took the last place; or it is a double visit, which the panel pays once."""
    come(reply=refusal(status, error))
    begin(page)
    say_adult(page, "Yes")
    answer_one_coin(page)
    send(page)
    page.get_by_role("heading", name=title).wait_for()
    assert page.locator("code.receipt").inner_text() == code


@pytest.mark.long
def test_a_group_that_the_survey_does_not_name_is_none(page: Page, come: Callable[..., Wire]) -> None:
    """What stands in the address is the panel's, and not every word of it is an answer."""
    wire = come("&group=everybody")
    respond(page)
    assert json.loads(wire.posts[0])["open"] == {"adult": "1"}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "zh-CN", "de", "ar"])
def test_the_ends_are_accessible(page: Page, come: Callable[..., Wire], axe: Any, language: str) -> None:
    """The first page, the one for who is screened out, and the receipt with the way back."""
    page.set_extra_http_headers({"Accept-Language": language})
    come()
    assert axe(page) == []
    begin(page)
    say_adult(page, "No")
    page.get_by_role("heading", name="Thank you: this survey is for other people").wait_for()
    assert axe(page) == []
