"""A survey in a page of another site, which tries in every way to learn an answer or to give one."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Error, Frame, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.page import bundle
from surveys.domain.questionnaire.publish import publish
from surveys.models import SurveyVersion
from tests.client.hosts import frame_of, host, press, respond, say, survey_in, until
from tests.media import keep, name_of, png
from tests.servers import PATIENCE, wait_until
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db(transaction=True)

# Something over the whole frame that nobody sees, and through which presses go.
COVER = """() => {
	const over = document.createElement('div');
	over.id = 'over';
	over.style = 'position: fixed; inset: 0; background: white; opacity: .01; pointer-events: none';
	document.body.append(over);
}"""


class Held:
    """A host, and the survey that it holds."""

    def __init__(self, live: LiveServer) -> None:
        self.live = live
        self.origin = ""
        self.html = ""

    def publish(self, more: Callable[[Any], object] = str, **fields: Any) -> SurveyVersion:
        survey = make_survey(**{"frames": [self.origin], "direct": False, **fields})
        more(survey)
        return publish(survey)

    def hold(
        self, version: SurveyVersion, script: bool = True, attributes: str = "", fragment: str = "&t=light"
    ) -> None:
        """In a frame whose address has what the script adds, so that it loads once."""
        address = f"{self.live.url}/f/{version.survey.slug}/#v={version.sha256}{fragment}"
        self.html = frame_of(address, script, attributes)

    def open(self, page: Page) -> Frame:
        page.goto(self.origin)
        return survey_in(page)


@pytest.fixture
def held(live: LiveServer) -> Iterator[Held]:
    held = Held(live)
    with host(lambda _path: held.html) as held.origin:
        yield held


@pytest.fixture
def frame(page: Page, held: Held) -> Frame:
    """A survey that is held, as it opens."""
    held.hold(held.publish())
    return held.open(page)


def test_a_survey_that_names_no_site_has_no_page_for_frames() -> None:
    """And no other page of the site changes: its bytes and headers stay those of decision 21."""
    publish(make_survey("alone"))
    publish(make_survey("held", frames=["https://www.example.edu", "https://lab.example.edu:8443"]))
    answers = {slug: Client().get(f"/f/{slug}/") for slug in ("alone", "nothing", "held")}
    assert [answer.status_code for answer in answers.values()] == [404, 404, 200]
    sent = {**answers["held"].headers}
    for transport in ("Content-Length", "Content-Language", "Vary"):
        sent.pop(transport)
    assert sent == bundle.headers_of_frame(["https://www.example.edu", "https://lab.example.edu:8443"])
    assert "frame-ancestors https://www.example.edu https://lab.example.edu:8443;" in sent["Content-Security-Policy"]
    assert answers["held"].content == bundle.files()[bundle.PAGE].body
    assert Client().get("/s/held/")["Content-Security-Policy"] == bundle.CONTENT_SECURITY_POLICY


def test_the_script_of_hosts_is_small_and_never_changes() -> None:
    """Pages of others name its hash: a script that does something else gets another name."""
    body = bundle.files()[bundle.HOST].body
    assert len(body) <= 3000
    assert hashlib.sha256(body).hexdigest() == "16e63fe533f01a2d18b2e13c9014fa40db945951d56f4769ee70fd4296be0f60"


def test_a_named_site_holds_the_survey_and_hears_how_far_it_is(page: Page, held: Held) -> None:
    """Begun and sent with the mark of the questionnaire, once each, also in its field; and one height at first."""
    version = held.publish()
    held.hold(version, attributes='data-field="#mark"')
    held.html += '<input id="mark">'
    frame = held.open(page)
    expect(frame.locator(".caution").filter(has_text=held.origin)).to_contain_text("and none of your answers")
    respond(frame, "Yes", "No", "Yes")
    page.wait_for_function("() => heard.length > 4")
    (site, height), *steps = page.evaluate("heard")
    tall = json.loads(height).pop("height")
    mark = version.sha256[:16]
    assert (site, json.loads(height)) == (held.live.url, {"candor": "height", "height": tall})
    assert [json.loads(said) for sender, said in steps if sender == held.live.url] == [
        {"candor": "begun", "mark": mark},
        {"candor": "sent", "mark": mark},
    ]
    assert [json.loads(said) for sender, said in steps if sender == "event"] == [
        {"state": "begun", "mark": mark},
        {"state": "sent", "mark": mark},
    ]
    assert page.locator("#mark").input_value() == f"sent {mark}"
    assert tall > 300


@pytest.mark.long
def test_the_frame_is_for_everybody(page: Page, axe: Callable[[Frame], list[str]], frame: Frame) -> None:
    """Its first page and its questions, as axe-core finds them."""
    first = axe(frame)
    press(frame, "I agree – begin")
    frame.locator(".question").first.wait_for()
    assert (first, axe(frame)) == ([], [])


@pytest.mark.long
def test_a_frame_alone_is_enough(page: Page, held: Held) -> None:
    """Without the script, as in an editor that takes no scripts."""
    held.hold(held.publish(), script=False)
    respond(held.open(page), "No", "No", "No")


@pytest.mark.long
def test_who_leaves_is_heard_of(page: Page, frame: Frame) -> None:
    """The frame is empty then."""
    frame.get_by_role("button", name="Leave").click()
    page.wait_for_function("() => heard.some(([, said]) => said.includes('left'))")
    page.wait_for_function("() => frames.length === 1")


@pytest.mark.long
def test_no_other_site_may_hold_it(page: Page, held: Held) -> None:
    """The browser shows nothing of the survey there."""
    held.hold(held.publish(frames=["https://www.example.edu"]))
    page.goto(held.origin)
    handle = page.locator("iframe").element_handle().content_frame()
    assert handle is not None
    wait_until(lambda: handle.url.startswith("chrome-error:"), PATIENCE, "the frame is refused")


@pytest.mark.long
def test_scripts_of_the_host_read_nothing(page: Page, held: Held) -> None:
    """Neither the page in the frame nor, with the visitor's browser, what it asks for."""
    version = held.publish()
    held.hold(version)
    frame = held.open(page)
    press(frame, "I agree – begin")
    say(frame, "drugs?", "Yes")
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None
    for reading in ("document", "localStorage", "history.length", "getSelection()", "onclick"):
        with pytest.raises(Error, match=r"SecurityError|Blocked a frame"):
            page.evaluate(f"frames[0].{reading}")
    assert page.evaluate("frames[0].length") == 0
    for asked in ("f", "s"):
        with pytest.raises(Error, match="Failed to fetch"):
            page.evaluate(f"fetch('{held.live.url}/{asked}/study/questionnaire').then(answer => answer.text())")


@pytest.mark.long
def test_what_something_lies_over_cannot_be_read_or_pressed(page: Page, frame: Frame) -> None:
    """Also where nobody sees it, and where presses go through it. It can be once nothing does."""
    press(frame, "I agree – begin")
    group = frame.get_by_role("radiogroup", name="drugs?")
    option = group.locator(".option").first
    say(frame, "cheating?", "No")  # it is at rest
    page.evaluate(COVER)
    expect(option).to_have_css("color", "rgba(0, 0, 0, 0)")
    option.click()
    assert not group.get_by_role("radio").first.is_checked()
    expect(frame.get_by_role("alert").filter(has_text="This did not count.")).to_be_visible()
    page.evaluate("document.getElementById('over').remove()")
    expect(option).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    say(frame, "drugs?", "Yes")


@pytest.mark.long
@pytest.mark.parametrize("part", ["a question", "a note", "the frame's edge"])
def test_an_option_counts_only_with_its_question(page: Page, held: Held, part: str) -> None:
    """Another question could be written over it, other ends of a scale, or be beside a frame with the options alone."""
    ends = {"type": "scale", "min": "1", "max": "5", "low": {"en": "never"}, "high": {"en": "always"}}
    held.hold(held.publish(lambda survey: add_question(survey, "often", required=True, at=0, **ends)))
    frame = held.open(page)
    press(frame, "I agree – begin")
    say(frame, "cheating?", "No")
    group = frame.get_by_role("radiogroup", name="often?")
    group.scroll_into_view_if_needed()
    covered = group.locator("#q-often-note" if part == "a note" else "legend").bounding_box()
    assert covered is not None
    top, height = covered["y"], covered["height"]
    if part != "the frame's edge":
        page.evaluate(COVER)
        place = f"{{top: '{top}px', bottom: 'auto', height: '{height}px'}}"
        page.evaluate(f"Object.assign(document.getElementById('over').style, {place})")
    else:
        page.evaluate(f"document.querySelector('iframe').style.clipPath = 'inset({top + height}px 0 0 0)'")
    option = group.locator(".option").first
    page.wait_for_timeout(1000)  # more than the browser takes to see it
    option.click()
    assert not group.get_by_role("radio").first.is_checked()


@pytest.mark.long
def test_keys_give_no_answer(page: Page, frame: Frame) -> None:
    """The host could count them, by what a browser tells of a visitor who is active, or take the keyboard for one."""
    press(frame, "I agree – begin")
    say(frame, "cheating?", "No")
    radios = frame.get_by_role("radiogroup", name="drugs?").get_by_role("radio")
    for key in ("Space", "ArrowDown", "ArrowLeft"):
        radios.first.focus()
        page.keyboard.press(key)
        assert [radio.is_checked() for radio in radios.all()] == [False, False]
    expect(frame.get_by_role("alert").filter(has_text="Keys do not count")).to_be_visible()


def test_a_press_on_a_button_that_the_frame_cuts_says_why_in_sight(page: Page, frame: Frame) -> None:
    """Nobody is left before a button that does nothing: the frame scrolls to what is said, then it can be pressed."""
    button = frame.get_by_role("button", name="I agree – begin")
    button.scroll_into_view_if_needed()
    box, top = button.bounding_box(), page.locator("iframe").evaluate("frame => frame.getBoundingClientRect().top")
    assert box is not None
    page.locator("iframe").evaluate("(frame, height) => { frame.style.height = `${height}px` }", box["y"] - top + 20)
    page.wait_for_timeout(1000)

    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)

    caution = frame.get_by_role("alert").filter(has_text="This did not count.")
    expect(caution).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(1000)
    button.click()
    expect(frame.get_by_role("radiogroup", name="drugs?")).to_be_visible()


@pytest.mark.long
def test_a_press_scrolls_nothing_of_the_page_around(page: Page, frame: Frame) -> None:
    """Not where that page leaves room to scroll and asks for it: how far would tell which option has the focus."""
    press(frame, "I agree – begin")
    page.add_style_tag(content="html { scroll-padding-bottom: 95vh } body { padding-bottom: 200vh }")
    option = frame.get_by_role("radiogroup", name="drugs?").locator(".option").last
    option.wait_for()
    page.wait_for_timeout(1000)  # so long it has been in sight
    box, before = option.bounding_box(), page.evaluate("scrollY")
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 9, box["y"] + box["height"] / 2)
    expect(option.locator("input")).to_be_checked()
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == before


def seen_by_the_host(browser: Browser, held: Held, *answers: str) -> dict[str, Any]:
    """What a host sees of one visit: messages, the frame's sizes, what has the focus; and what leaves, by its size."""
    page = browser.new_context(locale="en-GB").new_page()
    asked: list[Request] = []
    page.context.on("request", lambda request: asked.append(request))
    page.goto(held.origin)
    page.evaluate(
        """() => {
            const frame = document.querySelector('iframe');
            new ResizeObserver(() => heard.push(['size', `${frame.offsetWidth} ${frame.offsetHeight}`])).observe(frame);
            addEventListener('scroll', () => heard.push(['scroll', scrollY]));
            document.addEventListener('focusin', ({target}) => heard.push(['focus', target.tagName]));
        }"""
    )
    frame = survey_in(page)
    page.wait_for_function("() => heard.some(([, said]) => said.includes('height'))")
    respond(frame, *answers)
    page.wait_for_function("() => heard.some(([, said]) => said.includes('sent'))")
    seen = {
        "heard": page.evaluate("heard"),
        "sent": [len(request.post_data or "") for request in asked if request.method == "POST"],
        "asked": sorted((request.method, request.url) for request in asked),
        "history": page.evaluate("history.length"),
    }
    page.context.close()
    return seen


@pytest.mark.long
def test_the_host_sees_the_same_whatever_is_answered(browser: Browser, held: Held) -> None:
    """Messages, their order and size, the size of the frame, focus, history, and the number and size of requests.

    On a busy machine two changes of size may be seen as one; what an answer changes differs between any two visits.
    """
    held.hold(held.publish())
    answers = (("Yes", "Yes", "Yes"), ("No", "No", "Yes"))
    for _turn in range(3):
        yes, no = (seen_by_the_host(browser, held, *each) for each in answers)
        if yes == no:
            return
    assert yes == no


@pytest.mark.long
def test_nothing_is_sent_or_said_while_questions_are_answered(page: Page, frame: Frame) -> None:
    """Whatever is pressed, changed or left out: so no time between two messages or requests is that of an answer."""
    press(frame, "I agree – begin")
    page.wait_for_function("() => heard.some(([, said]) => said.includes('begun'))")
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    before = page.evaluate("heard.length")
    say(frame, "drugs?", "Yes")
    say(frame, "drugs?", "No")
    frame.get_by_role("button", name="Continue").click()  # two are not answered yet
    say(frame, "cheating?", "Yes")
    say(frame, "theft?", "No")
    press(frame, "Continue")
    frame.get_by_role("heading", name="Check your answers").wait_for()
    until(frame.get_by_role("button", name="Back").click, frame.locator(".question").first.is_visible)
    say(frame, "theft?", "Yes")
    press(frame, "Continue")
    assert (asked, page.evaluate("heard.length")) == ([], before)


@pytest.mark.long
@pytest.mark.parametrize(
    "asked",
    [
        {"type": "number", "min": "0", "max": "80"},
        {"type": "several", "options": (("a", "A"), ("b", "B"))},
        {"when": {"question": "first", "is": ["1"]}},
        {"out": ["1"]},
        {"type": "choice", "options": (("a", "A"), ("b", "B")), "required": True, "enough": {"a": 40}},
        {"media": {"file": {"en": name_of(png())}, "words": {"en": "Grey"}}},
    ],
    ids=["typed", "several presses", "a condition", "screening", "a group that may be full", "a picture"],
)
def test_what_would_tell_by_presses_is_answered_in_a_window_of_its_own(
    page: Page, held: Held, asked: dict[str, Any]
) -> None:
    """The frame holds a button alone, which leads to the survey's own page with the whole link."""

    def add(survey: Any) -> None:
        keep(survey, png())
        add_question(survey, "second", page=0, **asked)  # before the disguised ones: an answer to it may end the visit
        add_question(survey, "first", page=0)

    version = held.publish(add)
    held.hold(version)
    frame = held.open(page)
    assert frame.locator("main button").all_inner_texts() == ["Open in a window of its own"]
    with page.expect_popup() as opened:
        frame.get_by_role("button", name="Open in a window of its own").click()
    assert opened.value.url.startswith(f"{held.live.url}/s/study/#v={version.sha256}")
    opened.value.get_by_role("button", name="I agree – begin").wait_for()
    assert opened.value.evaluate("opener") is None


def test_nobody_is_drawn_to_answer_directly_inside_another_page(page: Page, held: Held) -> None:
    """That page could lay something over the words, so that a press meant for it would send a true answer."""
    held.hold(held.publish(direct=True, lot=25))
    assert held.open(page).locator("main button").all_inner_texts() == ["Open in a window of its own"]


@pytest.mark.long
@pytest.mark.parametrize(("theme", "page_colour"), [("dark", "rgb(19, 24, 23)"), ("light", "rgb(251, 250, 247)")])
def test_language_and_theme_are_those_of_the_page_around(page: Page, held: Held, theme: str, page_colour: str) -> None:
    """As its script passes them on, whatever the browser prefers."""
    page.emulate_media(color_scheme="light" if theme == "dark" else "dark")
    held.hold(held.publish(), attributes=f'data-language="ar" data-theme="{theme}"', fragment="")
    frame = held.open(page)
    assert frame.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
    assert frame.evaluate("getComputedStyle(document.body).backgroundColor") == page_colour
