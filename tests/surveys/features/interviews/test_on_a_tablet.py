"""The way of an interviewer and a person on a tablet without a network, in Chromium."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.boxes import open_box, private_key
from surveys.domain.questionnaire.publish import publish
from surveys.models import Inbox, Survey, SurveyVersion
from tests.cases import first
from tests.surveys.features.interviews.asking import answer, counts, interview, kept, press
from tests.surveys.features.interviews.conftest import READY, install, link_of
from tests.surveys.features.interviews.tablets import NOBODY, interviews, version_with_interviews
from tests.surveys.making import add_block, add_question, drop_questions, make_survey, write

Install = Callable[[SurveyVersion], Page]


@pytest.fixture
def page(installed: Install, version: SurveyVersion) -> Page:
    """Of a survey that disguises every answer, as it opens."""
    return installed(version)


def fill(page: Page, version: SurveyVersion, boxes: list[str]) -> None:
    """Let these boxes wait on the tablet."""
    page.evaluate(
        """([slug, boxes]) => new Promise(done => {
            const asked = indexedDB.open('candor-interviews');
            asked.onsuccess = () => {
                const change = asked.result.transaction('boxes', 'readwrite');
                const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer;
                const add = box => change.objectStore('boxes').add({key: crypto.randomUUID(), slug, box: bytes(box)});
                boxes.forEach(add);
                change.oncomplete = () => { asked.result.close(); done(); };
            };
        })""",
        [version.survey.slug, boxes],
    )


def test_an_interview_without_a_network_is_kept_encrypted_and_nothing_else(
    tablet: BrowserContext, installed: Install
) -> None:
    """The page comes from the tablet; the response is what the page would have sent, under the key of the site."""
    version = version_with_interviews("named")
    page = installed(version)
    tablet.set_offline(True)
    page.reload()
    page.get_by_text(READY).wait_for()

    interview(page)

    assert counts(page) == [1, 0, 0, 0]
    (row,) = kept(page, "boxes")
    opened = open_box(private_key(version.survey), version.sha256, base64.b64decode(row.pop("box")))
    assert opened is not None
    sent = json.loads(opened)
    assert (len(opened), sent["version"], sent["open"]) == (version.parsed.pad, version.sha256, {"mode": "interview"})
    assert len(sent["record"]) == 3
    assert row == {"key": row["key"], "slug": "clinics"}
    assert re.fullmatch("[0-9a-f]{32}", row["key"])
    (survey,) = kept(page, "surveys")
    assert survey.keys() == {"slug", "version", "code", "until", "took", "turned", "unsent", "isOpen", "isOver"}
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]
    assert page.evaluate("location.hash") == ""  # nor is the code in the history


def test_the_page_says_at_once_whether_there_is_a_network(tablet: BrowserContext, page: Page) -> None:
    """Who waits for one to send what is kept sees it come, without going to another page."""
    for is_offline, says in ((True, "No network: fine"), (False, "Network")):
        tablet.set_offline(is_offline)
        expect(page.locator(".away")).to_have_text(says)


def test_what_leads_back_to_the_interviewer_shows_no_answer(page: Page) -> None:
    """After *I turn it round* there is one way back, and Back of the browser is none."""
    press(page, "First person")
    press(page, "Yes: begin")
    press(page, "I turn it round now")
    assert page.get_by_role("heading").all_inner_texts() == ["Heading", "How chance protects you"]
    press(page, "Continue")
    for question in page.locator("fieldset").all():
        question.get_by_text("Yes", exact=True).click()
    page.go_back()
    expect(page.get_by_text("Only you see this now.")).to_be_visible()
    press(page, "Continue")

    assert page.locator("main").inner_text().split("\n\n") == [
        "Thank you. Give the tablet back.",
        "What you pressed cannot be seen any more, not by the interviewer either.",
        "I am the interviewer",
        "I pressed the wrong one: once more",
    ]
    press(page, "I pressed the wrong one: once more")
    assert page.locator("input:checked").count() == 0


def test_people_who_are_not_asked_are_counted_without_names(page: Page) -> None:
    """A wrong press can be taken back; who stops on their own side is counted once the tablet is back."""
    press(page, "First person")
    press(page, "No")
    press(page, "No")
    press(page, "Take the last one back")
    press(page, "Nobody there, or not the right person")
    press(page, "Yes: begin")
    press(page, "I turn it round now")
    press(page, "I would rather not")
    assert "pressed the wrong one" not in page.locator("main").inner_text()
    press(page, "I am the interviewer")
    expect(page.get_by_role("heading", name="Next person")).to_be_visible()

    assert counts(page) == [0, 1, 1, 1]
    (survey,) = kept(page, "surveys")
    assert survey["unsent"] == {"refused": 1, "broken": 1, "absent": 1}
    assert kept(page, "boxes") == []


def test_a_tablet_that_goes_off_says_what_is_safe(page: Page) -> None:
    """Nothing of the open interview is there; it is begun again, or counted."""
    interview(page)
    press(page, "Next person: clear this screen")
    press(page, "Yes: begin")
    press(page, "I turn it round now")
    page.reload()

    page.get_by_text("1 finished interview is here. None is lost.").wait_for()
    press(page, "Count as broken off")
    expect(page.get_by_role("heading", name="Next person")).to_be_visible()
    assert counts(page) == [1, 0, 1, 0]


def test_practice_is_neither_kept_nor_counted(page: Page) -> None:
    """Anybody may try it, any number of times."""
    answer(page, "Practise: nothing is kept")
    page.get_by_role("heading", name="That was practice: nothing was kept.").wait_for()

    press(page, "End the day")
    page.get_by_text(READY).wait_for()
    assert (counts(page), kept(page, "boxes")) == ([0, 0, 0, 0], [])


def test_no_interview_begins_where_the_browser_may_delete_it(another_tablet: BrowserContext, live: LiveServer) -> None:
    """One sentence says what helps."""
    another_tablet.add_init_script("navigator.storage.persisted = navigator.storage.persist = async () => false")
    page = install(another_tablet, live, version_with_interviews())
    press(page, "First person")

    assert page.get_by_role("alert").inner_text() == (
        "This browser may delete what it keeps, so no interview begins. Install this page, or use another browser."
    )


def test_a_second_tab_says_where_to_go_on(tablet: BrowserContext, installed: Install, live: LiveServer) -> None:
    """Two tabs would not know of each other's open interviews."""
    installed(version_with_interviews())
    second = tablet.new_page()
    second.goto(f"{live.url}/i/")

    second.get_by_text("Interviews are open in another tab: go on there, and close this one.").wait_for()


def test_a_full_tablet_keeps_the_interview_open_until_there_is_room(tablet: BrowserContext, page: Page) -> None:
    """What is open is encrypted already."""
    page.evaluate(
        """() => {
            const put = IDBObjectStore.prototype.add;
            IDBObjectStore.prototype.add = () => {
                IDBObjectStore.prototype.add = put;
                throw new DOMException('full', 'QuotaExceededError');
            };
        }"""
    )
    answer(page)
    page.get_by_role("heading", name="This tablet is full").wait_for()
    press(page, "Try again")
    page.get_by_role("heading", name="Kept. Not sent yet.").wait_for()
    assert len(kept(page, "boxes")) == 1


def test_twenty_stay_until_the_last_day(installed: Install, version: SurveyVersion) -> None:
    """Of 46 that wait 26 go; then the rest, with who refused, and the tablet takes no more."""
    page = installed(version)
    fill(page, version, interviews(version, 39))
    press(page, "First person")
    press(page, "No")
    press(page, "End the day")
    page.get_by_text("From 40 on some can be sent").wait_for()
    assert page.get_by_role("button", name="Send").count() == 0
    fill(page, version, interviews(version, 7))
    press(page, "Back to the start")
    press(page, "Send")

    page.get_by_text("26 go now, drawn by chance from all and shuffled. 20 stay until the last day.").wait_for()
    press(page, "Send 26 now")
    page.get_by_text("26 interviews have arrived.").wait_for()
    assert (Inbox.objects.count(), len(kept(page, "boxes")), kept(page, "parcels")) == (26, 20, [])
    assert Survey.objects.get().turned_away == {"refused": 1, "broken": 0, "absent": 0}

    page.get_by_text("This was my last day").click()
    press(page, "Send all")
    page.get_by_text("20 interviews have arrived.").wait_for()
    expect(page.get_by_text("This tablet takes no more interviews of this survey.")).to_be_visible()
    assert page.get_by_text(re.compile("From 40 on|This was my last day")).count() == 0
    press(page, "Back to the start")
    page.get_by_text("This tablet takes no more interviews of this survey.").wait_for()
    assert (Inbox.objects.count(), kept(page, "boxes")) == (46, [])
    assert page.get_by_role("button", name="First person").count() == 0


def test_a_file_carries_interviews_to_another_tablet_and_each_counts_once(
    installed: Install, another_tablet: BrowserContext, live: LiveServer, tmp_path: Path, version: SurveyVersion
) -> None:
    """Both send them; nothing of it can be read on the way."""
    page, other = installed(version), install(another_tablet, live, version)
    fill(page, version, interviews(version, 5))
    press(page, "Send")
    page.get_by_text("This was my last day").click()
    with page.expect_download() as download:
        press(page, "Save all as a file")
    download.value.save_as(file := tmp_path / "interviews.json")
    assert json.loads(file.read_text()).keys() == {"candor", "slug", "version", "parcels"}

    press(other, "Send")
    other.get_by_text("Take over the file of another tablet").click()
    other.set_input_files("input[type=file]", file)
    press(other, "Send 5 now")
    other.get_by_text("5 interviews have arrived.").wait_for()
    press(page, "Send 5 now")
    page.get_by_text("5 interviews have arrived.").wait_for()

    assert Inbox.objects.count() == 5
    other.set_input_files("input[type=file]", {"name": "a", "mimeType": "a/b", "buffer": b"{}"})
    assert other.get_by_role("alert").inner_text() == "This is no file of interviews of this survey and version."
    whole = json.loads(file.read_text())
    for wrong in ({"boxes": []}, {"boxes": ["AAAA"] * 40}, {"turned": {"refused": -1}}, {"turned": {"others": 1}}):
        whole["parcels"] = [{"key": "0" * 32, "boxes": ["AAAA"], "turned": NOBODY} | wrong]
        sent = {"name": "a", "mimeType": "a/b", "buffer": json.dumps(whole).encode()}
        press(other, "Back to the start")
        press(other, "Send")
        other.get_by_text("Take over the file of another tablet").click()
        other.set_input_files("input[type=file]", sent)
        other.get_by_role("alert").wait_for()
        assert kept(other, "parcels") == []


def test_what_is_damaged_never_keeps_back_the_rest(installed: Install, version: SurveyVersion) -> None:
    """It stays on the tablet, and the page says so."""
    page = installed(version)
    fill(page, version, [*interviews(version, 19), "AAAA"])
    press(page, "Send")
    page.get_by_text("This was my last day").click()
    press(page, "Send all")

    page.get_by_text("19 interviews have arrived.").wait_for()
    page.get_by_text("1 interview is damaged and cannot be read").wait_for()
    assert Inbox.objects.count() == 19


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ("code", "The site does not know this tablet: open the link of the survey once more. Nothing is lost."),
        ("version", "The survey has another version than this tablet: ask who gave you the link. Nothing is lost."),
        ("closed", "The last day of tablets has passed, and the survey is closed for good."),
        ("content", "The site refused the interviews: ask who gave you the link. Nothing is lost."),
        ("busy", "The site is busy: try again in some minutes. Nothing is lost."),
        ("", "There is no network, or the site does not answer: nothing is lost, try again later."),
    ],
)
def test_why_nothing_was_sent_is_one_sentence(installed: Install, error: str, sentence: str) -> None:
    """And all of it stays."""
    version = version_with_interviews()
    page = installed(version)
    fill(page, version, interviews(version, 3))
    page.route("**/parcels", lambda route: route.fulfill(status=409, json={"error": error}) if error else route.abort())
    press(page, "Send")
    page.get_by_text("This was my last day").click()
    press(page, "Send all")

    page.get_by_text(sentence).wait_for()
    assert sum(len(parcel["boxes"]) for parcel in kept(page, "parcels")) == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    first(
        1,
        [
            (("#s=", "#x="), "This is no whole link of a survey with interviews."),
            (("s=clinics", "s=other"), "The site has no such survey with interviews that is open now."),
            (("v=", "v=0"), "This is no whole link of a survey with interviews."),
        ],
    ),
)
def test_a_wrong_link_installs_nothing(
    tablet: BrowserContext, live: LiveServer, change: tuple[str, str], sentence: str
) -> None:
    """One sentence says what is wrong with it."""
    page = tablet.pages[0]
    page.goto(link_of(live, version_with_interviews()).replace(*change))
    assert page.get_by_role("alert").inner_text() == sentence


def drawn_by_people(**fields: object) -> SurveyVersion:
    """A question that the person draws for, with a die; before it one that the interviewer asks."""
    survey = make_survey("clinics", direct=False)
    drop_questions(survey)
    with_die = {"draw_way": "forced", "source": "die", "part": 4}
    add_block(survey, "own", kind="by-person", settings=with_die)
    add_question(survey, "far", type="choice", options=(("a", "near"), ("b", "far")), required=True)
    add_question(survey, "paid", block="own")
    write(survey, interviews=True, **fields)
    return publish(survey)


def test_people_draw_for_themselves_on_the_tablet(tablet: BrowserContext, installed: Install) -> None:
    """First the interviewer asks, then the person draws and presses; what is pressed is in the box as it is."""
    version = drawn_by_people()
    page = installed(version)
    tablet.set_offline(True)
    press(page, "First person")
    press(page, "Yes: begin")
    page.get_by_text("far", exact=True).click()
    press(page, "Continue")
    press(page, "I turn it round now")
    press(page, "Continue")
    press(page, "Continue")  # the example
    press(page, "I have done it")
    press(page, "Yes")
    press(page, "I am the interviewer")
    page.get_by_role("heading", name="Kept. Not sent yet.").wait_for()

    (row,) = kept(page, "boxes")
    sent = json.loads(open_box(private_key(version.survey), version.sha256, base64.b64decode(row["box"])) or b"{}")
    assert (sent["record"], sent["open"]) == ([1], {"far": "b"})


def test_by_telephone_the_interviewer_presses_what_the_person_says(installed: Install) -> None:
    """Only where people draw everything themselves: the device would see the truth."""
    page = installed(version_with_interviews(slug="device"))
    assert page.get_by_role("button", name="By telephone").count() == 0


def test_a_telephone_interview_needs_no_turning_round(installed: Install) -> None:
    """The script is read aloud, with the draw."""
    version = drawn_by_people()
    page = installed(version)
    press(page, "By telephone")
    assert "tell me only what to press" in page.locator(".said").inner_text()
    assert "Your yes means: Consent" in page.locator(".said").inner_text()  # nobody says it for the person
    press(page, "Yes: begin")
    page.get_by_text("near", exact=True).click()
    press(page, "Continue")
    press(page, "Continue")  # the example
    press(page, "I have done it")
    assert "Read aloud, and press what the person says." in page.locator("main").inner_text()
    press(page, "No")
    page.get_by_role("heading", name="Kept. Not sent yet.").wait_for()
    assert len(kept(page, "boxes")) == 1


def test_a_site_that_was_renewed_reaches_the_tablet_as_a_whole(tablet: BrowserContext, page: Page) -> None:
    """The worker takes no file whose hash it does not name, and answers for no page of respondents."""
    assert page.evaluate("navigator.serviceWorker.ready.then(({scope}) => new URL(scope).pathname)") == "/i/"
    names = page.evaluate(
        "caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map(k => k.url))"
    )
    paths = {re.sub("^http://[^/]+", "", name) for name in names}
    assert {"/i/", "/i/app.webmanifest", "/client/icon.svg"} <= paths
    assert not [path for path in paths if path.startswith("/s/")]


def test_every_page_can_be_used_by_everybody(axe: Callable[[Page], list[str]], page: Page) -> None:
    """axe finds nothing, and nothing scrolls sideways on a narrow screen."""
    page.set_viewport_size({"width": 320, "height": 640})
    wrong: dict[str, list[str]] = {}

    def look() -> None:
        name = page.locator("h1").inner_text()
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        if found := axe(page) + ["too wide"] * wide:
            wrong[name] = found

    look()
    for name in ("First person", "Yes: begin", "I turn it round now", "Continue"):
        press(page, name)
        look()
    for question in page.locator("fieldset").all():
        question.get_by_text("No", exact=True).click()
    for name in ("Continue", "I am the interviewer", "End the day"):
        press(page, name)
        look()
    assert wrong == {}
