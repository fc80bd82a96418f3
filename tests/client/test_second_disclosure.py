"""One person counts once, and a person who might disclose a second time is warned before.

What is kept on the device under a version and an invitation (or "open") decides what a visit shows. γ is what may have
left the device under it so far: 1 of nothing, the survey's γ of one disguised response, ∞ of a direct one.

| what happened here               | kept            | the next visit shows, and what Begin then does           |
| -------------------------------- | --------------- | -------------------------------------------------------- |
| nothing, or "another person"     | nothing         | welcome; a new key                                       |
| Begin                            | begun, γ = 1    | welcome; the same key, token and asked questions         |
| disguised, no reply yet          | pending, γ      | sends the same bytes before anything else                |
| direct, no reply yet             | begun, γ = ∞    | welcome with the warning; the same key: stored once      |
| confirmed                        | sent, γ         | the receipt                                              |
| refused: 403, 410, 422, or 409   | begun, γ        | welcome with the warning; the same key, token and asked  |
| as the questionnaire has changed |                 | questions                                                |
| 409: another response is stored  | told, γ         | "a response is already stored"; there is no Begin        |
| one of these, in another tab     | as above        | at Begin or Send this tab shows what a visit would       |

| entries that count for the warning, their γ multiplied                    |                |
| ------------------------------------------------------------------------- | -------------- |
| same version, same invitation or both open                                | yes            |
| another version, whatever invitation                                      | yes            |
| same version, another invitation: another person on this device           | no             |
| open, of whatever version, once "another person answers here" was pressed | erased with it |

Where the browser keeps nothing all of this lasts as long as the page; after "leave quickly" nothing is known.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.client.invitations import SECRET
from tests.client.questionnaires import one_coin, one_sided, sha256, text
from tests.client.wire import (
    Answer,
    Wire,
    abort,
    accept,
    activate,
    answer_one_coin,
    arrive,
    begin,
    heading,
    local_storage,
    refusal,
    respond,
    respond_and_arrive,
    say,
    send,
)

WARNING = "This is a second disclosure. Someone who could join both could become up to {} sure."
Reply = Callable[[str], Answer]


def keep_first(store: dict[str, str], cut: bool = False) -> Reply:
    """A server that keeps the first body of each key; with `cut` its answer is lost on the way."""

    def reply(body: str) -> Answer:
        first = store.setdefault(json.loads(body)["key"], body)
        if cut:
            return abort(body)
        return accept(body) if first == body else refusal(409, "key")(body)

    return reply


def visit_again(page: Page, wire: Wire, fragment: str | None = None) -> None:
    page.goto("about:blank")
    page.goto(wire.link(fragment))
    page.get_by_role("heading", level=1).wait_for()


def leave_unsent(page: Page, wire: Wire, fragment: str | None = None) -> None:
    """Answer directly, get no reply, and come back although the page asks to stay."""
    page.on("dialog", lambda dialog: dialog.accept())
    respond(page, direct=True)
    page.get_by_text("They have not arrived yet.").wait_for()
    visit_again(page, wire, fragment)


@pytest.mark.long
def test_a_direct_response_that_was_stored_stays_the_only_one(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The second has the key of the first and is refused; every later visit says so, until another person answers."""
    store: dict[str, str] = {}
    wire = open_survey(reply=keep_first(store, cut=True))
    leave_unsent(page, wire)
    wire.reply = keep_first(store)
    respond(page)
    page.get_by_text("What you have just sent was not stored").wait_for()
    for _visit in range(2):
        visit_again(page, wire)
        assert heading(page) == "A response is already stored"
        assert page.get_by_role("button", name="I agree – begin").count() == 0
        assert page.get_by_text("No answer has been sent.").count() == 0
    assert [json.loads(body)["direct"] for body in store.values()] == [1]
    activate(page.get_by_role("button", name="Erase this: another person answers here"))
    assert page.get_by_text("second disclosure").count() == 0
    respond_and_arrive(page)
    assert len(store) == 2


@pytest.mark.long
def test_a_direct_response_that_was_lost_does_not_cost_the_place(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Nothing was stored under the key: the next response under it is."""
    wire = open_survey(reply=abort)
    leave_unsent(page, wire)
    wire.reply = keep_first({})
    respond_and_arrive(page)
    assert len({json.loads(body)["key"] for body in wire.posts}) == 1


@pytest.mark.long
@pytest.mark.parametrize(
    ("status", "code"),
    [(403, "token"), (409, "version"), (410, "closed"), (422, "content")],
    ids=str,
)
def test_a_response_that_was_refused_has_been_seen(
    page: Page, open_survey: Callable[..., Wire], status: int, code: str
) -> None:
    """Another is announced with both γ multiplied, and sent under the same key."""
    wire = open_survey(reply=refusal(status, code))
    for posterior in (99, 100):
        respond(page)
        page.get_by_text("What you have just sent was not stored, and is erased from this device.").wait_for()
        visit_again(page, wire)
        assert page.get_by_text(WARNING.format(f"{posterior}%")).is_visible()
    assert len({json.loads(body)["key"] for body in wire.posts}) == 1


@pytest.mark.long
@pytest.mark.parametrize("reload", [True, False], ids=["after a reload", "at once"])
def test_a_refusal_does_not_cost_the_invitation(
    page: Page, open_survey: Callable[..., Wire], key: dict[str, str], sign: Reply, reload: bool
) -> None:
    """Key and token stay on the device, wherever the refusal found the response: the next one is taken."""
    definition = one_coin(access="invitation", key=key)
    fragment = f"v={sha256(definition)}&i={SECRET}"
    wire = open_survey(definition, fragment=fragment, sign=sign, reply=abort if reload else refusal(422))
    respond(page)
    if reload:
        page.get_by_text("They have not arrived yet.").wait_for()
        wire.reply = refusal(422)
        visit_again(page, wire, fragment)
    page.get_by_role("heading", name="The response was not accepted").wait_for()
    wire.reply = accept
    visit_again(page, wire, fragment)
    respond_and_arrive(page)
    sent = [json.loads(body) for body in wire.posts]
    assert len({(one["key"], json.dumps(one["token"])) for one in sent}) == 1
    assert len([address for _, address, _ in wire.asked if address.endswith("invitations")]) == 1


@pytest.mark.long
def test_an_invitation_whose_response_is_stored_ends_there(
    page: Page, open_survey: Callable[..., Wire], key: dict[str, str], sign: Reply
) -> None:
    """Nobody else can answer with it: there is nothing to press."""
    definition = one_coin(access="invitation", key=key)
    fragment = f"v={sha256(definition)}&i={SECRET}"
    wire = open_survey(definition, fragment=fragment, sign=sign, reply=refusal(409, "spent"))
    respond(page)
    page.get_by_role("heading", name="A response is already stored").wait_for()
    visit_again(page, wire, fragment)
    assert heading(page) == "A response is already stored"
    assert page.locator("main button").count() == 0


@pytest.mark.long
def test_another_invitation_is_another_person(
    page: Page, open_survey: Callable[..., Wire], key: dict[str, str], sign: Reply
) -> None:
    """Who shares a device hears nothing of the other's response."""
    definition = one_coin(access="invitation", key=key)
    wire = open_survey(definition, fragment=f"v={sha256(definition)}&i={SECRET}", sign=sign)
    respond_and_arrive(page, direct=True)
    visit_again(page, wire, f"v={sha256(definition)}&i=another")
    assert page.get_by_text("second disclosure").count() == 0
    assert page.get_by_role("button", name="I agree – begin").is_visible()


@pytest.mark.long
@pytest.mark.parametrize("at", ["Send", "Begin"])
def test_a_tab_that_knows_nothing_of_a_direct_response_says_so_first(
    page: Page, open_survey: Callable[..., Wire], at: str
) -> None:
    """Another tab sent in clear meanwhile: nothing leaves this one before the person has read what that means."""
    wire = open_survey(reply=abort)
    second = page.context.new_page()
    second.goto(wire.link())
    if at == "Send":
        begin(second)
        answer_one_coin(second)
    respond(page, direct=True)
    page.get_by_text("They have not arrived yet.").wait_for()
    if at == "Send":
        send(second)
    else:
        activate(second.get_by_role("button", name="I agree – begin"))
    second.get_by_text(WARNING.format("100%")).wait_for()
    assert [json.loads(body)["direct"] for body in wire.posts if json.loads(body)["direct"] == 0] == []


@pytest.mark.long
def test_a_late_refusal_takes_no_receipt_away(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The direct response of one tab waits for the network; the other tab's is stored, and its receipt stays."""
    store: dict[str, str] = {}
    wire = open_survey(reply=abort)
    page.on("dialog", lambda dialog: dialog.accept())
    respond(page, direct=True)
    page.get_by_text("They have not arrived yet.").wait_for()
    second = page.context.new_page()
    second.goto(wire.link())
    begin(second)
    answer_one_coin(second)
    wire.reply = keep_first(store)
    send(second)
    second.get_by_role("heading", name="Thank you").wait_for()
    page.evaluate("dispatchEvent(new Event('online'))")  # the direct one goes out again, and comes too late
    page.get_by_role("heading", name="A response is already stored").wait_for()
    visit_again(page, wire)
    assert heading(page) == "Thank you"
    assert [entry["state"] for entry in local_storage(page).values()] == ["sent"]


@pytest.mark.long
def test_a_direct_answer_to_another_version_counts_fully(page: Page, wire: Wire) -> None:
    """What was sent in clear is not less known because the questionnaire has changed."""
    respond_and_arrive(page, direct=True)
    wire.definition = one_coin(why=text("Another reason."))
    visit_again(page, wire)
    assert page.get_by_text(WARNING.format("100%")).is_visible()


def test_after_an_open_answer_no_figure_of_another_disguise_is_promised(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """A harmless answer of the first version is stored as it is, and may tell any answer of this one."""
    wire = open_survey(one_sided())
    begin(page)
    for name in ("threaten", "touch"):
        say(page, name, "No")
    activate(page.get_by_role("button", name="Continue"))
    arrive(page)
    wire.definition = one_coin()
    visit_again(page, wire)
    assert page.get_by_text(WARNING.format("100%")).is_visible()


@pytest.mark.long
@pytest.mark.parametrize(("gamma", "warned"), [(7, 1), (1, 0)], ids=["something was sent", "nothing was sent"])
def test_what_an_older_page_kept_may_have_had_an_open_answer(page: Page, gamma: int, warned: int, wire: Wire) -> None:
    """Its entry does not say whether every answer was hidden: the warning supposes the worse."""
    entry = {"gamma": gamma, "state": "sent" if gamma > 1 else "begun"}
    page.evaluate(
        "(entry) => localStorage.setItem('candor:older:open', JSON.stringify({ path: location.pathname, ...entry }))",
        entry,
    )
    visit_again(page, wire)
    assert page.get_by_text(WARNING.format("100%")).count() == warned


GONE: dict[str, Answer] = {"closed": {"status": 410}, "offline": {"abort": True}}


@pytest.mark.long
@pytest.mark.parametrize("why", [*GONE, "another version"])
def test_what_has_arrived_is_not_said_to_be_unsent(page: Page, why: str, wire: Wire) -> None:
    """Where the questionnaire cannot be had any more, the receipt stays until another person answers."""
    respond(page)
    receipt = page.locator("code.receipt").text_content()
    fragment = f"v={sha256(wire.definition)}"
    if why in GONE:
        wire.questionnaire = GONE[why]
    else:
        wire.definition = one_coin(why=text("Another reason."))
    visit_again(page, wire, fragment)
    assert "Your answers have arrived." in page.locator("main .lead").inner_text()
    assert page.get_by_text("No answer has been sent.").count() == 0
    assert page.locator("code.receipt").text_content() == receipt
    activate(page.get_by_role("button", name="Erase this: another person answers here"))
    page.get_by_text("No answer has been sent.").wait_for()
    assert local_storage(page) == {}


@pytest.mark.long
def test_a_direct_response_without_a_reply_may_have_arrived(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The survey closes meanwhile: nobody here knows whether the server holds the response."""
    wire = open_survey(reply=abort)
    leave_unsent(page, wire)
    wire.questionnaire = GONE["closed"]
    visit_again(page, wire)
    assert "What was sent from here may have arrived." in page.locator("main .lead").inner_text()


@pytest.mark.long
def test_who_has_only_begun_has_sent_nothing(page: Page, wire: Wire) -> None:
    """Random numbers are kept here, and nothing has left."""
    begin(page)
    wire.questionnaire = GONE["closed"]
    visit_again(page, wire)
    assert "No answer has been sent." in page.locator("main .lead").inner_text()
    assert page.get_by_role("button", name="Erase this: another person answers here").count() == 0
