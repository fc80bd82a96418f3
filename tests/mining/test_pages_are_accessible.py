"""The pages of mining in a browser: axe-core finds nothing, and nothing is cut off, from desk to phone."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from mining.models import MiningRun
from tests.cases import first
from tests.mining.surveys import finished_run
from tests.surveys.staff import page_of, somebody


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "colours", "language"),
    first(1, [(360, "dark", "zh-CN"), (1100, "light", "en-GB"), (390, "light", "en-GB")]),
)
def test_every_page_is_accessible_and_whole(
    live: LiveServer,
    browser: Browser,
    axe: Callable[[Page], list[str]],
    width: int,
    colours: str,
    language: str,
) -> None:
    """What waits for review, the form that looks for more, and a report, in both languages and colours, all open."""
    run = finished_run()
    page = page_of(somebody(), browser, live, language, width, colours)
    for address in (reverse("mining_start", args=[run.survey.pk]), run.get_absolute_url(), "/staff/runs/"):
        page.goto(f"{live.url}{address}")
        page.evaluate("document.querySelectorAll('#main details:not(.menu)').forEach(one => { one.open = true; })")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


# Of every picture that is seen: how large its words are shown, and how far it reaches beyond its place, in px.
SEEN = """() => [...document.querySelectorAll("#pictures svg")].filter(svg => svg.clientWidth).map(svg => [
    13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
    svg.getBoundingClientRect().right - document.documentElement.clientWidth])"""


@pytest.mark.long
def test_pictures_fit_a_phone_and_can_be_read(live: LiveServer, browser: Browser, run: MiningRun) -> None:
    """A phone has drawings of its own: nothing scrolls sideways, and their words stay 11 px or larger."""
    page = page_of(somebody(), browser, live, width=360)
    seen = []
    for tab in ("rules", "groups", "items", "itemsets"):
        page.goto(f"{live.url}{run.get_absolute_url()}?picture={tab}")
        seen += page.evaluate(SEEN)
    sizes, beyond = zip(*seen, strict=True)
    page.context.close()
    assert len(sizes) == 4
    assert min(sizes) >= 11
    assert max(beyond) <= 0


# Of every axis that is seen: its numbers, and the least room between two of them in px.
NUMBERS = """() => [...document.querySelectorAll(".axis svg")].filter(svg => svg.clientWidth).map(svg => {
    const texts = [...svg.querySelectorAll("text")];
    const seen = texts.map(text => text.getBoundingClientRect()).filter(box => box.width);
    return [texts.map(text => text.textContent), seen.length,
            Math.min(...seen.slice(1).map((box, at) => box.left - seen[at].right))];
})"""


def test_an_axis_of_shares_has_all_its_numbers_on_any_screen(live: LiveServer, browser: Browser) -> None:
    """None is left out on a phone, and none touches its neighbour."""
    run = finished_run()
    page = page_of(somebody(), browser, live)
    seen = []
    page.goto(f"{live.url}{reverse('studio:results', args=[run.snapshot.version_id])}")
    for width in (320, 900, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        seen += page.evaluate(NUMBERS)
    page.context.close()
    assert {len(numbers) - shown for numbers, shown, _room in seen} == {0}
    assert [numbers for numbers, *_rest in seen] == [["0 %", "10", "20", "30", "40", "50 %"]] * 3
    assert min(room for *_rest, room in seen) > 0
