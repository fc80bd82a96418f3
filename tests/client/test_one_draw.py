"""Coins fall once: whatever happens on the way, the same bytes are sent, and a true answer is nowhere to be found."""

import json
from collections.abc import Callable, Iterator
from itertools import chain, repeat

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import everything, one_coin, six_with_lot, text
from tests.client.wire import (
    Answer,
    Wire,
    abort,
    accept,
    activate,
    answer_disguised,
    answer_one_coin,
    arrive,
    begin,
    entries,
    heading,
    local_storage,
    receipt_of,
    refusal,
    respond,
    respond_and_arrive,
    say,
    send,
)


def stop_the_clock(page: Page) -> None:
    """Pauses end when the test says so: a slow machine does not miss what is said during one."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


def in_turn(*replies: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """The replies one after the other, then the last for ever."""
    line: Iterator[Callable[[str], Answer]] = chain(replies, repeat(replies[-1]))
    return lambda body: next(line)(body)


@pytest.mark.parametrize("fault", first(1, [abort, refusal(503), refusal(429)]), ids=["offline", "503", "429"])
@pytest.mark.usefixtures("alone")
def test_a_try_that_failed_is_repeated_with_the_same_bytes(
    page: Page, open_survey: Callable[..., Wire], fault: Callable[[str], Answer]
) -> None:
    """The page says that nothing is lost."""
    wire = open_survey(reply=in_turn(fault, fault, accept))
    stop_the_clock(page)
    respond(page)
    for seconds in (2, 4):
        page.get_by_text(f"Next try in {seconds} s").wait_for()
        assert page.get_by_text("Kept here, disguised or as given, ready to send.").is_visible()
        page.clock.fast_forward(1300 * seconds)
    page.get_by_role("heading", name="Thank you").wait_for()
    assert len(wire.posts) == 3
    assert len(set(wire.posts)) == 1


@pytest.mark.long
@pytest.mark.usefixtures("alone")
def test_pauses_between_tries_grow(page: Page, open_survey: Callable[..., Wire]) -> None:
    """2, 4, 8 … seconds, never shorter than the server asks for."""
    open_survey(reply=in_turn(abort, abort, refusal(503, **{"Retry-After": "60"}), accept))
    stop_the_clock(page)
    respond(page)
    for seconds in (2, 4, 60):
        page.get_by_text(f"Next try in {seconds} s").wait_for()
        page.clock.fast_forward(1300 * seconds)
    page.get_by_role("heading", name="Thank you").wait_for()


@pytest.mark.long
def test_a_kept_response_is_sent_although_the_survey_has_closed(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The server may hold it already: it is asked before the questionnaire is."""
    wire = open_survey(reply=in_turn(abort, accept))
    respond(page)
    page.get_by_text("They have not arrived yet.").wait_for()
    wire.questionnaire = {"status": 410, "json": {}}
    page.reload()
    page.get_by_role("heading", name="This survey is closed").wait_for()
    assert len(wire.posts) == 2
    assert page.locator("code.receipt").is_visible()


@pytest.mark.long
def test_a_form_that_the_browser_would_submit_itself_goes_nowhere(page: Page, wire: Wire) -> None:
    """Should the program fail, no answer ends in an address: the policy allows no form to be sent."""
    begin(page)
    say(page, "illegal drugs", "Yes")
    before = len(wire.asked)
    with page.expect_console_message(lambda message: "form-action" in message.text):
        page.evaluate("HTMLFormElement.prototype.submit.call(document.querySelector('form'))")
    assert len(wire.asked) == before


@pytest.mark.long
def test_a_response_that_lives_in_memory_alone_holds_the_page(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Who answered directly is asked before the page with the unsent response goes."""
    open_survey(reply=refusal(503, **{"Retry-After": "60"}))
    respond(page, direct=True)
    page.get_by_text("Please leave it open").wait_for()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    page.get_by_role("button", name="I agree – begin").wait_for()
    assert asked == ["beforeunload"]
    assert [entry["state"] for entry in local_storage(page).values()] == ["begun"]


def test_the_first_send_of_two_tabs_wins(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The second tab sends what the first has drawn, whatever was answered in it."""
    wire = open_survey(reply=in_turn(refusal(503, **{"Retry-After": "60"}), accept))
    begin(page)
    second = page.context.new_page()
    second.goto(wire.link())
    begin(second)
    answer_one_coin(second, "No", "No", "No")
    answer_one_coin(page)
    send(page)
    page.get_by_text("They have not arrived yet.").wait_for()
    send(second)
    second.get_by_role("heading", name="Thank you").wait_for()
    assert len(set(wire.posts)) == 1
    page.get_by_role("heading", name="Thank you").wait_for()  # the first tab hears of it


@pytest.mark.long
def test_a_reload_after_the_receipt_shows_it_again(page: Page, wire: Wire) -> None:
    """Nobody answers twice by mistake."""
    respond_and_arrive(page)
    page.reload()
    page.get_by_role("heading", name="Thank you").wait_for()
    assert len(wire.posts) == 1
    assert page.locator(".sent li:has(p)").count() == 3


@pytest.mark.long
def test_another_person_starts_over(page: Page, wire: Wire) -> None:
    """The receipt is erased, the next response has a key of its own."""
    for _person in range(2):
        respond_and_arrive(page)
        activate(page.get_by_role("button", name="Erase this: another person answers here"))
        assert local_storage(page) == {}
    assert len({json.loads(body)["key"] for body in wire.posts}) == 2


@pytest.mark.parametrize("way", first(1, ["Escape three times", "button"]))
def test_leaving_quickly_erases_everything(page: Page, way: str, wire: Wire) -> None:
    """An empty page is shown, no entry of the history leads back, and nothing is kept."""
    begin(page)
    say(page, "illegal drugs", "Yes")
    if way == "button":
        activate(page.get_by_role("button", name="Leave quickly"))
    else:
        for _press in range(3):
            page.keyboard.press("Escape")
    page.wait_for_url("about:blank")
    assert [entry for entry in entries(page) if "/s/" in entry] == []
    page.goto(wire.link())
    assert local_storage(page) == {}


@pytest.mark.long
def test_leaving_in_one_tab_empties_the_others(page: Page, open_survey: Callable[..., Wire]) -> None:
    """A response on its way there is neither sent again nor written down when the network is back."""
    wire = open_survey(reply=in_turn(refusal(503, **{"Retry-After": "60"}), accept))
    respond(page)
    page.get_by_text("They have not arrived yet.").wait_for()
    second = page.context.new_page()
    second.goto("http://localhost/s/other/")
    activate(second.get_by_role("button", name="Leave quickly"))
    page.wait_for_url("about:blank")
    second.goto(wire.link())
    second.get_by_role("button", name="I agree – begin").wait_for()
    assert (local_storage(second), len(wire.posts)) == ({}, 1)


@pytest.mark.long
def test_another_person_in_one_tab_empties_the_others_and_keeps_what_is_theirs(page: Page, wire: Wire) -> None:
    """A page that hears late of the erasing does not erase what has begun since."""
    respond_and_arrive(page)
    second = page.context.new_page()
    second.goto(wire.link())
    activate(second.get_by_role("button", name="Erase this: another person answers here"))
    begin(second)
    page.wait_for_url("about:blank")
    assert [entry["state"] for entry in local_storage(second).values()] == ["begun"]


def test_nothing_is_written_after_leaving(page: Page, wire: Wire) -> None:
    """Work that was waiting when the page was left comes too late: here Begin has just been given its turn."""
    page.evaluate("""() => {
        const request = navigator.locks.request.bind(navigator.locks);
        navigator.locks.request = (name, task) => request(name, () => {
          document.querySelector('.leave').click();
          return task();
        });
    }""")
    activate(page.get_by_role("button", name="I agree – begin"))
    page.wait_for_url("about:blank")
    page.goto(wire.link())
    page.get_by_role("button", name="I agree – begin").wait_for()
    assert local_storage(page) == {}


def test_nothing_is_kept_before_consent(page: Page, wire: Wire) -> None:
    """Opening the page leaves no trace in its storage, and no cookie."""
    assert local_storage(page) == {}
    assert page.context.cookies() == []


@pytest.mark.long
def test_a_full_storage_counts_as_none(page: Page, open_survey: Callable[..., Wire]) -> None:
    """When the disguised response no longer fits, what was kept before does not come back in its place."""
    wire = open_survey(reply=in_turn(refusal(503, **{"Retry-After": "60"}), accept))
    begin(page)
    answer_one_coin(page)
    page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('full') })")
    send(page)
    page.get_by_text("Please leave it open").wait_for()
    activate(page.get_by_role("button", name="Try again"))
    page.get_by_role("heading", name="Thank you").wait_for()
    assert page.locator("code.receipt").text_content() == receipt_of(wire.posts[0])
    assert local_storage(page) == {}


def test_without_storage_the_page_says_so_and_sends_from_memory(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Retries carry the same bytes while the page is open."""
    page.add_init_script("""
        Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no') }})
        navigator.locks.request = () => Promise.reject(new DOMException('no')) // as where a browser keeps nothing
    """)
    wire = open_survey(reply=in_turn(refusal(503, **{"Retry-After": "60"}), accept))
    activate(page.get_by_role("button", name="I agree – begin"))
    page.get_by_text("Only this page keeps your answers.").wait_for()
    activate(page.get_by_role("button", name="Continue"))
    answer_one_coin(page)
    send(page)
    page.get_by_text("Please leave it open").wait_for()
    activate(page.get_by_role("button", name="Try again"))
    page.get_by_role("heading", name="Thank you").wait_for()
    assert len(wire.posts) == 2
    assert wire.posts[0] == wire.posts[1]


@pytest.mark.parametrize("receipt", first(1, ["../../admin/", None, 7, "<b>"]))
def test_only_a_receipt_ends_the_tries(page: Page, open_survey: Callable[..., Wire], receipt: object) -> None:
    """A network that answers in the site's place with anything else does not make the page forget the response."""
    elsewhere = {"status": 200, "json": {"receipt": receipt}}
    wire = open_survey(reply=in_turn(lambda _body: elsewhere, accept))
    respond(page)
    activate(page.get_by_role("button", name="Try again"))
    page.get_by_role("heading", name="Thank you").wait_for()
    assert len(set(wire.posts)) == 1
    assert len(wire.posts) == 2


@pytest.mark.parametrize(
    ("status", "code", "title"),
    [
        pytest.param(409, "version", "The questionnaire has changed", marks=pytest.mark.long),
        (409, "key", "A response is already stored"),
        pytest.param(410, "closed", "This survey is closed", marks=pytest.mark.long),
        pytest.param(403, "token", "The response was not accepted", marks=pytest.mark.long),
        pytest.param(422, "content", "The response was not accepted", marks=pytest.mark.long),
    ],
)
def test_a_final_refusal_drops_the_record_and_says_so(
    page: Page, open_survey: Callable[..., Wire], status: int, code: str, title: str
) -> None:
    """No further try is made, and the disguised answers are gone from the device."""
    wire = open_survey(reply=refusal(status, code))
    respond(page)
    page.get_by_role("heading", name=title).wait_for()
    assert page.get_by_text("What you have just sent was not stored, and is erased from this device.").is_visible()
    assert len(wire.posts) == 1
    assert all("record" not in entry and "body" not in entry for entry in local_storage(page).values())


@pytest.mark.long
def test_a_changed_version_is_announced_as_a_second_disclosure(page: Page, wire: Wire) -> None:
    """Both γ multiply: 7.7² = 59 takes even odds to 99 % at most."""
    respond_and_arrive(page)
    wire.definition = one_coin(why=text("Another reason."))
    page.goto("about:blank")
    page.goto(wire.link())
    page.get_by_text("This is a second disclosure. Someone who could join both could become up to 99% sure.").wait_for()


CANARY = "zq-canary-option"


def test_true_answers_are_in_no_request_address_storage_or_console(
    page: Page, open_survey: Callable[..., Wire]
) -> None:
    """A canary option that noise cannot draw never shows up outside the page, in text or as its code."""
    definition = everything()
    age = definition["pages"][0]["questions"][1]
    age["options"][2]["value"] = CANARY
    block = definition["design"]["blocks"][0]
    block["items"][1] |= {"options": ["18-29", "30-49", CANARY, "prefer"], "noise": [2**31, 2**31, 0, 0]}
    block["keep"] = 0
    wire = open_survey(definition)
    begin(page)
    answer_disguised(page)
    before_send = len(wire.asked)
    say(page, "a job", "No")
    activate(page.get_by_role("button", name="Continue"))
    assert (len(wire.asked), heading(page)) == (before_send, "Check your answers")
    stores = [
        page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, history.state, location.href])")
    ]
    arrive(page)
    stores.append(
        page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie, history.state, location.href])")
    )
    left = [part or "" for request in wire.asked for part in request] + stores + wire.said
    assert [text for text in left if CANARY in text] == []
    assert json.loads(wire.posts[0])["record"][1] in (0, 1)
    assert wire.said == []


MANY_PEOPLE = """async (people) => {
  const $ = (selector) => document.querySelector(selector);
  const until = async (selector) => {
    while (!$(selector)) await new Promise((resolve) => setTimeout(resolve, 1));
    return $(selector);
  };
  for (let person = 0; person < people; person++) {
    (await until('.protection ~ .buttons button')).click();
    (await until('input[name=way]')).form.requestSubmit();
    await until('#q-drugs');
    for (const question of document.querySelectorAll('fieldset')) {
      question.querySelectorAll('input')[Math.random() < 0.5 ? 0 : 1].click();
    }
    $('form').requestSubmit();
    (await until('dl + .buttons button')).click();
    const buttons = [...(await until('code.receipt')).closest('main').querySelectorAll('button')];
    buttons.at(-1).click();
  }
}"""


@pytest.mark.long
@pytest.mark.parametrize("people", [40, 200])
def test_many_people_send_one_request_of_one_length_each(page: Page, people: int, wire: Wire) -> None:
    """Neither the number nor the length of what is sent depends on the answers."""
    before = len(wire.asked)
    page.evaluate(MANY_PEOPLE, people)
    assert len(wire.asked) - before == len(wire.posts) == people
    assert len({len(body.encode()) for body in wire.posts}) == 1
    assert len({json.loads(body)["key"] for body in wire.posts}) == people


@pytest.mark.long
def test_two_tabs_ask_the_same_questions_of_a_sampled_block(page: Page, open_survey: Callable[..., Wire]) -> None:
    """The tab that begins second takes over what the first has drawn."""
    wire = open_survey(six_with_lot())
    second = page.context.new_page()
    second.goto(wire.link())
    second.get_by_role("heading", level=1).wait_for()
    seen = []
    for tab in (page, second):
        begin(tab)
        questions = []
        while heading(tab) != "Check your answers":
            questions.append(tab.locator("legend").inner_text())
            activate(tab.get_by_role("radio", name="Yes"))
            activate(tab.get_by_role("button", name="Continue"))
        seen.append(questions)
    assert seen[0] == seen[1]
