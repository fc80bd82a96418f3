"""The page of a run that is open, in a browser: it follows the run, and stops where there is nothing more to learn."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, Page, Request, Route, expect
from pytest_django.live_server_helper import LiveServer

from mining.domain.claim import cancel
from mining.models import MiningRun
from tests.cases import first
from tests.mining.surveys import finished_run, queued_run, sealed_survey
from tests.surveys.staff import page_of, somebody

# After how many looks the page waits for the next one: only from then on may its clock go on.
COUNT = """window.waits = 0;
const wait = window.setTimeout;
window.setTimeout = (look, pause, ...others) => {
  if (pause >= 700) window.waits += 1;
  return wait(look, pause, ...others);
};"""


@pytest.fixture
def run() -> MiningRun:
    return queued_run(sealed_survey(200))


@pytest.fixture
def page(live: LiveServer, browser: Browser, run: MiningRun) -> Iterator[Page]:
    """The page of the run, whose clock stands still but for what a test lets pass."""
    page = page_of(somebody(), browser, live)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.add_init_script(COUNT)
    page.goto(f"{live.url}{run.get_absolute_url()}")
    page.wait_for_function("() => window.waits === 1")
    yield page
    page.context.close()


@pytest.fixture
def looks(page: Page) -> list[str]:
    """The requests for progress from here on."""
    seen: list[str] = []

    def note(request: Request) -> None:
        if urlsplit(request.url).path.endswith("/progress/"):
            seen.append(request.url)

    page.on("request", note)
    return seen


def delete(run: MiningRun) -> None:
    run.delete()


def log_out(_run: MiningRun) -> None:
    Session.objects.all().delete()


@pytest.mark.parametrize(
    ("happens", "said"),
    first(
        1,
        [
            (delete, "This search was deleted."),
            (log_out, "You are no longer logged in, or may no longer see this search: load this page again."),
        ],
    ),
)
def test_a_page_whose_run_or_session_is_gone_says_so_and_asks_no_more(
    page: Page, run: MiningRun, looks: list[str], happens: Callable[[MiningRun], None], said: str
) -> None:
    """One look tells; after it there is no bar that pretends that something goes on."""
    happens(run)
    page.clock.run_for(700)
    expect(page.locator("#state-doing")).to_have_text(said)
    expect(page.locator("#state-share")).to_have_count(0)
    page.clock.run_for(120_000)
    assert len(looks) == 1


@pytest.mark.long
@pytest.mark.parametrize("trouble", first(1, [lambda route: route.abort(), lambda route: route.fulfill(status=503)]))
def test_a_page_without_an_answer_asks_ever_less_often_and_goes_on_when_one_comes(
    page: Page, run: MiningRun, looks: list[str], trouble: Callable[[Route], None]
) -> None:
    """Pauses double, and the page says why nothing moves; the first answer is followed as before."""
    page.route("**/progress/", trouble)
    page.clock.run_for(700)
    page.wait_for_function("() => window.waits === 2")
    expect(page.locator("#state-doing")).to_have_text("No answer from the site; asking again.")
    for count, pause in enumerate([1400, 2800, 5600], 2):
        page.clock.run_for(pause - 1)
        assert len(looks) == count - 1
        with page.expect_request("**/progress/"):
            page.clock.run_for(1)
        page.wait_for_function(f"() => window.waits === {count + 1}")
    page.unroute("**/progress/")
    cancel(run.pk)
    page.clock.run_for(11_200)
    expect(page.locator("#state")).to_contain_text("cancelled")


# The filter of rules in a browser: what it finds is shown as soon as it is chosen.


@pytest.mark.long
def test_what_a_filter_finds_is_shown_at_once(live: LiveServer, browser: Browser) -> None:
    """Without a press of the button: the focus stays in the field, the number is read aloud, the address holds it."""
    run = finished_run()
    page = page_of(somebody(), browser, live)
    page.goto(f"{live.url}{run.get_absolute_url()}")
    page.evaluate("window.stayed = true")
    page.get_by_text("Find rules").click()
    page.get_by_label("Search in the questions").fill("nowhere")
    page.get_by_label("Search in the questions").blur()
    expect(page.get_by_text("No rule meets this.")).to_be_visible()
    expect(page.locator("#rules-found [role=status]")).to_contain_text("0 rules ·")
    page.get_by_label("Search in the questions").fill("")
    page.get_by_text("More filters").click()
    then = page.get_by_label("Then:")
    then.focus()
    late: list[Route] = []
    page.route("**/*r-consequent=*", lambda route: late.append(route), times=1)
    then.select_option("q2")
    then.select_option("q1")
    expect(page.locator("#rules-found .in-words").first).to_contain_text("q1?")
    with page.expect_event("requestfinished"):
        late[0].fulfill(status=503)  # an earlier question that fails is no reason to load the page again
    expect(page).to_have_url(re.compile("r-consequent=q1"))
    stayed, focused = page.evaluate("[window.stayed === true, document.activeElement.name]")
    page.context.close()
    assert (stayed, focused) == (True, "r-consequent")
