"""The whole way of a respondent in the browsers that people have beside Chromium, on the real site."""

import base64
import io
import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from PIL import Image
from pytest_django.live_server_helper import LiveServer

from privacy.records.packing import unpack
from surveys.domain.demo import surveys as demo
from surveys.domain.messages.invite import invite
from surveys.domain.questionnaire.publish import publish
from surveys.models import Inbox, SpentToken, SurveyVersion
from tests.browsers import AXE, OPTIONS
from tests.client.hosts import frame_of, host
from tests.client.line import Line, line_to
from tests.media import keep, png
from tests.servers import PATIENCE, wait_until
from tests.surveys.inbox import responses_waiting
from tests.surveys.making import (
    add_question,
    make_survey,
    set_question,
    set_questions,
    words,
    write,
)
from tests.webdriver import BROWSERS, Window

FROM = "/robots.txt"  # any page
QUESTIONS = ("drugs?", "cheating?", "theft?")


@pytest.fixture
def line(live: LiveServer) -> Iterator[Line]:
    """The way to the site; its address is new in each test, so that nothing is kept from before."""
    with line_to(live.thread.port) as line:
        yield line


def address(line: Line, version: SurveyVersion, secret: str = "") -> str:
    invitation = f"&i={secret}" if secret else ""
    return f"{line.url}/s/{version.survey.slug}/#v={version.sha256}{invitation}"


def open_by(window: Window, line: Line, version: SurveyVersion, secret: str = "") -> None:
    """The whole link of a survey, from another page."""
    window.go(line.url + FROM)
    window.go(address(line, version, secret))
    window.see("I agree – begin")


def practise(window: Window) -> None:
    window.press("Try the disguise")
    window.tick("Did you eat breakfast today?", "Yes")
    window.press("Show what would be stored")
    window.see("You said: Yes. The site would store:")
    window.press("Back to the first page")


def begin(window: Window) -> None:
    """To the first question, by the disguise where there is a choice."""
    window.press("I agree – begin")
    window.see("How do you want to answer?")
    window.press("Continue")


def answer(window: Window, *answers: str) -> None:
    for question, given in zip(QUESTIONS, answers, strict=True):
        window.tick(question, given)
    window.press("Continue")
    window.see("Check your answers")


def go_back(window: Window, to: str) -> None:
    window.back()
    window.see(to)


def leave_quickly(window: Window, line: Line) -> None:
    """To an empty page: Back leads to where the person came from, Forward to empty pages, and no entry is the survey's.

    Addresses tell it, and another tab goes on: WebKit loses what its window is asked for while it goes to such a page.
    """
    window.press("Leave quickly")
    window.see_address("about:blank")
    window.back()
    window.see_address(line.url + FROM)
    window.forward()
    window.see_address("about:blank")
    window.forward()
    window.see_address(f"{line.url}/client/empty.html")
    window.new_tab()


LAST_FOLD = "(//summary)[last()]"


def read_receipt(window: Window) -> list[str]:
    """What the receipt says was sent, question by question."""
    said = window.run("return [...document.querySelectorAll('.sent p:nth-child(2)')].map((one) => one.textContent)")
    return [re.search("“(.*)”", one).group(1) for one in said]  # type: ignore[union-attr]


def test_the_whole_way_of_somebody_invited(window: Window, line: Line) -> None:
    """Practice, answers, a step back, no network for a while, the receipt; then nothing is left, and the link is used.

    Stored is what the receipt shows, once, and the answers leave the device once, as a disguised record.
    """
    version = publish(make_survey(access="invitation"))
    (secret,) = invite(version.survey, "first", 1)
    open_by(window, line, version, secret)
    practise(window)
    begin(window)
    answer(window, "Yes", "No", "Yes")
    line.cut()
    go_back(window, "Continue")
    assert window.ticked() == ["Yes", "No", "Yes"]
    window.press("Continue")
    window.press("Disguise and send")
    window.see("They have not arrived yet.")
    line.mend()
    window.press("Try again")
    window.see("Thank you")
    stored_codes = [["No", "Yes"].index(word) for word in read_receipt(window)]
    window.on_element("ElementClick", LAST_FOLD)
    window.press("Ask the server")
    window.see("The server holds this response.")
    leave_quickly(window, line)
    open_by(window, line, version, secret)
    window.press("I agree – begin")
    window.see("This invitation has been used")

    (sent,) = line.bodies_to("responses")
    (waits,) = responses_waiting(version)
    arrived = unpack(version.design, waits.record)
    assert arrived.codes.tolist() == [sent["record"]] == [stored_codes]
    assert (Inbox.objects.count(), SpentToken.objects.count()) == (1, 1)
    assert len(line.bodies_to("invitations")) == 2


@pytest.mark.long
def test_every_demo_is_walked_to_the_receipt(window: Window, line: Line) -> None:
    """Each kind of block that a new site shows, on one page or more."""
    surveys = [survey for survey, _is_new in demo.load()]
    for survey in surveys:
        open_by(window, line, survey.versions.get())
        window.press("I agree – begin")
        answer_everything(window)
        window.press("Disguise and send")
        window.see("Thank you")
    assert sorted(path.split("/")[2] for path in posts(line)) == sorted(survey.slug for survey in surveys)
    assert Inbox.objects.count() == len(surveys)


def posts(line: Line) -> list[str]:
    return [request.removeprefix("POST ") for request in line.requests if request.startswith("POST ")]


def answer_everything(window: Window) -> None:
    """The first answer to each question, a number and the middle of a map, page by page, up to the review."""
    wait_until(lambda: "Continue" in window.words(), PATIENCE, "the first questions")
    if "How do you want to answer?" in window.words():
        window.press("Continue")
        window.see("Disguised before sending")
    while "Check your answers" not in window.words():
        for number in range(1, window.run("return document.querySelectorAll('fieldset.question').length") + 1):
            window.on_element("ElementClick", f"(//fieldset[contains(@class, 'question')])[{number}]//label[1]")
        for field in window.run(
            "return [...document.querySelectorAll('input[inputmode=decimal]')].map((one) => one.id)"
        ):
            window.fill(field, "12")
        for number in range(1, window.run("return document.querySelectorAll('svg.map').length") + 1):
            window.on_element("ElementClick", f"(//*[contains(@class, 'map') and local-name() = 'svg'])[{number}]")
        before = window.words()
        window.press("Continue")
        wait_until(lambda before=before: window.words() != before, PATIENCE, "the next page")


@pytest.mark.long
def test_what_is_written_arrives_and_half_a_date_does_not(window: Window, line: Line) -> None:
    """Words for a number and half a date are refused with a sentence; a number, a day and a text arrive as they are."""
    survey = make_survey(names=("drugs",), direct=False)
    for kind in ("number", "date", "text"):
        add_question(survey, kind, type=kind, **({"max": "300"} if kind == "text" else {}))
    version = publish(survey)
    open_by(window, line, version)
    window.press("I agree – begin")
    window.tick("drugs?", "No")
    window.write("number?", "twenty")
    window.type_into("q-date-field", "09")
    window.press("Continue")
    window.see("Please answer with a number, such as")
    window.see("Please give the whole date: day, month and year.")
    window.fill("q-number-field", "12,5")
    window.fill("q-date-field", "2020-09-09")  # where its parts stand is each country's own
    window.write("text?", "“quoted” and 中文")
    window.press("Continue")
    window.press("Disguise and send")
    window.see("Thank you")
    (sent,) = line.bodies_to("responses")
    assert sent["open"] == {"number": 12.5, "date": "2020-09-09", "text": "“quoted” and 中文"}


@pytest.mark.long
def test_a_turned_photograph_a_logo_and_a_colour_are_seen(window: Window, line: Line) -> None:
    """The photograph stands as it was held, and what is pressed has the survey's colour."""
    survey = make_survey(names=("drugs",), direct=False)
    camera, taken = Image.Exif(), io.BytesIO()
    camera[0x0112] = 6  # lies on its side
    Image.new("RGB", (64, 48), "red").save(taken, "JPEG", exif=camera)
    photograph, logo = keep(survey, taken.getvalue()), keep(survey, png(30, 20))
    set_question(survey, "drugs", media={"file": {"en": photograph}, "words": words("A shop")})
    write(survey, looks={"logo": logo, "words": words("University"), "accent": "#aa3377"})
    open_by(window, line, publish(survey))
    sizes = "return [...document.images].map((one) => [one.naturalWidth, one.naturalHeight])"
    wait_until(lambda: window.run(sizes) == [[30, 20]], PATIENCE, "the logo is there")
    color = "return getComputedStyle(document.querySelector('button.main')).backgroundColor"
    assert window.run(color) == "rgb(170, 51, 119)"
    window.press("I agree – begin")
    wait_until(lambda: window.run(sizes) == [[48, 64]], PATIENCE, "the photograph is there")


@pytest.mark.long
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("engine", BROWSERS)
def test_no_step_keeps_anybody_out(line: Line, engine: str, dark: bool) -> None:
    """axe-core finds nothing in four languages on a phone and on a large screen, and nothing scrolls sideways."""
    languages = ("en", "zh-hans", "de", "ar")
    named = {name: dict.fromkeys(languages, "Study") for name in ("heading", "who", "why", "consent", "closing")}
    survey = make_survey(languages=[*languages], **named)
    set_questions(survey, text=dict.fromkeys(languages, "Yes?"))
    version = publish(survey)
    problems, screens = [], set()
    with BROWSERS[engine](dark) as ask:
        window = Window(engine, ask)
        for language, width in product(languages, (320, 390, 1280)):
            window.resize(width, 844)
            window.go(line.url + FROM)
            window.run("localStorage.clear()")  # another person: the receipt of the last one would stay
            window.go(address(line, version))
            choose(window, language)
            for step in steps(window):
                wide, screen = window.run("return [document.documentElement.scrollWidth, innerWidth]")
                screens.add(screen)
                found = [*window.run(f"{AXE.read_text()}; {VIOLATIONS}", OPTIONS), *([wide] if wide > screen else [])]
                problems += [(language, screen, step, problem) for problem in found]
    assert problems == []
    assert min(screens) <= 500 < 1200 < max(screens)  # a busy WebKit takes a size a moment later
    assert Inbox.objects.count() == 12


VIOLATIONS = """return axe.run(arguments[0]).then((report) =>
    report.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html}`)))"""


def choose(window: Window, language: str) -> None:
    """The page's language, by the list in its header."""
    list_of = "document.querySelector('header select')"
    wait_until(lambda: window.run(f"return {list_of} !== null"), PATIENCE, "a choice of languages")
    window.run(
        f"{list_of}.value = arguments[0]; {list_of}.dispatchEvent(new Event('change', {{ bubbles: true }}))", language
    )
    wait_until(lambda: window.run("return document.documentElement.lang") == language, PATIENCE, language)


def steps(window: Window) -> Iterator[str]:
    """From the first page to the receipt by what pages have, in any language; the step it stands on."""
    main = "//button[contains(@class, 'main')]"
    for step, has in (
        ("welcome", "button.main"),
        ("choice", "input[name=way]"),
        ("questions", ".question"),
        ("review", "dl dd"),
        ("receipt", "code.receipt"),
    ):
        here = f"return document.querySelector('{has}') !== null"
        wait_until(lambda here=here: window.run(here), PATIENCE, step)
        if step == "questions":
            for place in range(1, len(QUESTIONS) + 1):
                window.on_element("ElementClick", f"(//fieldset[contains(@class, 'question')])[{place}]//label[1]")
        yield step
        if step != "receipt":
            window.on_element("ElementClick", main)


@pytest.mark.long
@pytest.mark.parametrize("at", ["practice", "choice", "questions", "receipt"])
def test_leaving_quickly_leaves_nothing_behind(window: Window, line: Line, at: str) -> None:
    """At any step: no entry of the history is the survey's, and nothing is kept in the browser."""
    open_by(window, line, publish(make_survey()))
    if at == "practice":
        practise(window)
    elif at == "choice":
        window.press("I agree – begin")
        window.see("How do you want to answer?")
    else:
        begin(window)
        window.tick("drugs?", "Yes")
    if at == "receipt":
        answer(window, "Yes", "Yes", "No")
        window.press("Disguise and send")
        window.see("Thank you")
    leave_quickly(window, line)
    window.go(line.url + FROM)
    assert window.run("return [localStorage.length, sessionStorage.length]") == [0, 0]


@pytest.mark.long
def test_in_a_frame_the_survey_is_a_button_to_a_window_of_its_own(window: Window, line: Line) -> None:
    """These browsers cannot say what lies over a question, so none is shown where another page could cover it."""
    with host(lambda _path: html) as origin:
        version = publish(make_survey(frames=[origin]))
        html = frame_of(address(line, version).replace("/s/", "/f/"), script=False)
        window.go(origin)
        window.ask("SwitchToFrame", id=0)
        window.see("Open in a window of its own")
        assert "I agree" not in window.words()
        window.ask("SwitchToFrame", id=None)


@pytest.mark.long
@pytest.mark.parametrize("engine_name", BROWSERS)
def test_in_the_dark_what_is_ticked_stands_out(line: Line, engine_name: str) -> None:
    """An unticked box is darker than a ticked one."""
    version = publish(make_survey(names=("drugs",), direct=False))
    with BROWSERS[engine_name](dark=True) as ask:
        window = Window(engine_name, ask)
        open_by(window, line, version)
        window.press("I agree – begin")
        window.tick("drugs?", "Yes")
        assert window.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        ticked, unticked = ".option input:checked", ".option input:not(:checked)"
        wait_until(
            lambda: pixels(window, unticked).mean() < pixels(window, ticked).mean(), PATIENCE, "a ticked box stands out"
        )


def pixels(window: Window, selector: str) -> np.ndarray:
    """How bright what an element shows is, point by point, without its border."""
    box = window.run(f"return document.querySelector('{selector}').getBoundingClientRect().toJSON()")
    with Image.open(io.BytesIO(base64.b64decode(window.ask("TakeScreenshot")))) as image:
        part = image.convert("L").crop([box["left"] + 3, box["top"] + 3, box["right"] - 3, box["bottom"] - 3])
        return np.asarray(part, float)
