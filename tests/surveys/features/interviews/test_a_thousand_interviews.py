"""A season in the field: a thousand interviews, browsers that are killed, uploads that break, and what thieves see."""

import base64
import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route
from pytest_django.live_server_helper import LiveServer
from scipy.stats import spearmanr

from surveys.domain.messages.boxes import open_box, private_key
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, waiting
from surveys.domain.responses.disclosure import responses
from surveys.models import Survey, SurveyVersion
from tests.browsers import chromium, patient
from tests.servers import PATIENCE, wait_until
from tests.surveys.features.interviews.asking import FAST, kept, press
from tests.surveys.features.interviews.conftest import READY, link_of
from tests.surveys.making import add_question, make_survey, write
from tests.webdriver import Window

SIGMAS = 4.5
DIED = "The tablet went off during an interview"


def version_with_numbers() -> SurveyVersion:
    """Each person gives a number of their own, undisguised, by which this test knows them."""
    survey = make_survey("season", direct=False)
    add_question(survey, "number", at=0, type="number", min="0", max="99999", required=True)
    write(survey, interviews=True)
    return publish(survey)


class Season:
    """A tablet whose browser is killed again and again; `safe` are the people whose interview the page said is kept."""

    def __init__(self, browser: Browser, live: LiveServer, version: SurveyVersion, folder: Path) -> None:
        self.browser, self.live, self.version, self.folder = browser, live, version, folder
        self.private = private_key(version.survey)
        self.next, self.safe = 1, set[int]()
        self.drawn = random.Random(17)

    @contextmanager
    def tablet(self) -> Iterator[tuple[BrowserContext, Page]]:
        context = patient(
            self.browser.browser_type.launch_persistent_context(
                str(self.folder), executable_path=chromium(), chromium_sandbox=os.getuid() != 0, args=["--disable-gpu"],
                locale="en-GB",
            )
        )  # fmt: skip
        page = context.pages[0]
        context.add_init_script("navigator.storage.persisted = async () => true")  # as for a page that is installed
        page.goto(f"{self.live.url}/i/" if self.safe else link_of(self.live, self.version))
        page.locator("h1").wait_for()
        if page.locator("h1").inner_text() == DIED:
            press(page, "Count as broken off")
            press(page, "End the day")
            press(page, "Back to the start")
        page.get_by_text(READY).wait_for()
        yield context, page
        with suppress(Error):
            context.close()

    def ask(self, page: Page, people: int) -> None:
        page.evaluate(FAST, [self.next, self.next + people])
        self.safe |= {*range(self.next, self.next + people)}
        self.next += people

    def kill(self, page: Page, during: str, argument: object = None) -> None:
        """End the browser as a loss of power does, at some moment of what goes on in it."""
        page.evaluate(f"argument => {{ void ({during})(argument); }}", argument)
        time.sleep(self.drawn.random() / 2)  # any moment will do
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"--user-data-dir={self.folder}".encode() in (process / "cmdline").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)

    def numbers(self, boxes: list[str]) -> list[int]:
        """Whose interviews these are: only the site can tell."""
        opened = [open_box(self.private, self.version.sha256, base64.b64decode(box)) for box in boxes]
        return [int(json.loads(one or b"{}")["open"]["number"]) for one in opened]


def is_by_chance(numbers: list[int]) -> bool:
    """Whether an order tells nothing of the order in which people came."""
    return bool(abs(spearmanr(range(len(numbers)), numbers).statistic) < SIGMAS / np.sqrt(len(numbers)))


def break_uploads(page: Page, how: str) -> list[str]:
    """The next message is lost on its way to the site, or the answer on its way back."""
    broken: list[str] = []

    def lose(route: Route) -> None:
        if broken:
            route.fallback()
            return
        broken.append(how)
        if how == "back":
            route.fetch()
        route.abort()

    page.route("**/parcels", lose)
    return broken


def go_to_sending(page: Page) -> None:
    press(page, "End the day" if page.get_by_role("button", name="End the day").count() else "Send")
    page.get_by_role("heading", name="Send", exact=True).wait_for()


def send_some(page: Page, how: str) -> None:
    """Press Send; once more where it was broken."""
    go_to_sending(page)
    sends = page.get_by_role("button", name="Send ", exact=False).first
    broken = break_uploads(page, how)
    sends.click()
    page.get_by_text("nothing is lost, try again later").wait_for()
    assert broken == [how]
    sends.click()
    page.get_by_text("arrived").wait_for()
    page.unroute_all()
    press(page, "Back to the start")
    page.get_by_text(READY).wait_for()


@pytest.mark.long
@pytest.mark.parametrize(("interviews", "kills", "uploads"), [(1000, 50, 20)])
def test_none_is_lost_none_doubled_and_nothing_tells_who_came_when(
    browser: Browser, live: LiveServer, tmp_path: Path, interviews: int, kills: int, uploads: int
) -> None:
    """Whatever is killed: all that the page called kept arrive once, and nobody reads them or learns their order."""
    version = version_with_numbers()
    season = Season(browser, live, version, tmp_path / "profile")
    killed = broken = 0
    correlations: list[bool] = []
    while len(season.safe) < interviews or killed < kills:
        with season.tablet() as (_context, page):
            season.ask(page, min(interviews // kills, max(interviews - len(season.safe), 1)))
            rows = kept(page, "boxes")
            if len(rows) >= 60 and broken < uploads:
                correlations.append(is_by_chance(season.numbers([row["box"] for row in rows])))
                send_some(page, ("away", "back")[broken % 2])
                broken += 1
                continue
            press(page, "Next person: clear this screen")
            page.reload()
            page.get_by_text(READY).wait_for()
            season.kill(page, FAST, [season.next, season.next + 1])
            season.next += 1
            killed += 1
    while broken < uploads:  # with what is left
        with season.tablet() as (_context, page):
            season.ask(page, 40)
            send_some(page, ("away", "back")[broken % 2])
            broken += 1
    for path in (tmp_path / "profile").rglob("*"):
        if path.is_file() and not path.is_symlink() and "IndexedDB" in str(path):
            content = path.read_bytes()
            assert not [word for word in (b'"record":', b'"open":{') if word in content], path
    with season.tablet() as (_context, page):
        go_to_sending(page)
        page.get_by_text("This was my last day").click()
        press(page, "Send all")
        page.get_by_text("arrived").wait_for()
        assert (kept(page, "boxes"), kept(page, "parcels")) == ([], [])

    waits = [json.loads(one.open)["number"] for one in waiting.open_waiting(version).rows.values()]
    assert is_by_chance([int(number) for number in waits])
    close(version.survey)
    seal.seal_all()
    snapshot = version.snapshots.last()
    assert snapshot is not None
    lines = [line for _records, lines in responses(snapshot) for line in lines]
    came = [int(json.loads(line)["number"]) for line in lines]
    counted = Counter(came)
    assert season.safe <= counted.keys()
    assert {*counted.values()} == {1}
    assert counted.keys() <= {*range(1, season.next)}
    assert is_by_chance(came)
    assert (killed >= kills, broken >= uploads, all(correlations), len(correlations) > 5) == (True, True, True, True)
    turned = Survey.objects.values_list("turned_away", flat=True).get()
    assert turned is not None
    assert 0 <= turned["broken"] <= killed
    print(f"{len(season.safe)} interviews, {killed} kills, {broken} broken uploads, {len(counted)} stored")


@pytest.mark.long
def test_interviews_in_firefox_and_webkit(window: Window, live: LiveServer) -> None:
    """Thirty, kept and sent; WebKitGTK's small browser has no lasting storage of its own, so it is asked to play it."""
    version = version_with_numbers()
    window.go(link_of(live, version))
    window.see("The link of a survey")
    window.run("Object.defineProperty(navigator, 'storage', {value: {persisted: async () => true}})")
    window.run(f"window.over = ({FAST})([1, 31]).then(() => {{ window.isOver = true; }});")
    wait_until(lambda: window.run("return Boolean(window.isOver)"), 10 * PATIENCE, "thirty interviews")
    window.press("End the day")
    window.see("This was my last day")  # what waits is said on the page before, too
    window.see("30 interviews wait on this tablet, encrypted.")
    window.run("document.querySelector('details').open = true")
    window.press("Send all")
    window.see("30 interviews have arrived.")

    stored: list[Any] = [json.loads(one.open)["number"] for one in waiting.open_waiting(version).rows.values()]
    assert sorted(map(int, stored)) == [*range(1, 31)]
