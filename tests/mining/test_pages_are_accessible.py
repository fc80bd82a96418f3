"""The pages of mining in a browser: axe-core finds nothing, and nothing is cut off, from desk to phone."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.mining.surveys import finished_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("width", "colours", "language"),
    [
        (1100, "light", "en-GB"),
        (360, "dark", "zh-CN"),
        pytest.param(390, "light", "en-GB", marks=pytest.mark.long),
    ],
)
def test_every_page_is_accessible_and_whole(
    live: LiveServer,
    browser: Browser,
    client: Client,
    axe: Callable[[Page], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    colours: str,
    language: str,
) -> None:
    """The list of runs with all its columns, the start form, and a report, in both languages and colours, all open."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    run = finished_run()
    client.force_login(User.objects.create_superuser("admin"))
    context = browser.new_context(
        locale=language,
        viewport={"width": width, "height": 800},
        color_scheme=colours,  # type: ignore[arg-type]
    )
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live.url}])
    page = context.new_page()
    for address in ("/admin/mining/miningrun/add/", run.get_absolute_url(), "/admin/mining/miningrun/"):
        page.goto(f"{live.url}{address}")
        page.evaluate("document.querySelectorAll('#content details').forEach(one => { one.open = true; })")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut_off = page.evaluate("(list => list.scrollWidth - list.clientWidth)(document.querySelector('.results'))")
    context.close()
    assert cut_off <= 0


# Of every picture: how large its words are shown, in px.
WORDS = """() => [...document.querySelectorAll(".mining-pictures svg")].map(
    svg => 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"""


def test_pictures_can_be_read_and_scrolled_by_keyboard_on_a_phone(
    live: LiveServer, browser: Browser, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their words stay 11 px or larger; what does not fit is reached with the arrow keys, and has its name."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    run = finished_run()
    client.force_login(User.objects.create_superuser("admin"))
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 800})
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live.url}])
    page = context.new_page()
    page.goto(f"{live.url}{run.get_absolute_url()}")
    matrix = page.get_by_role("group", name="Rules: if the row, then the column")
    matrix.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    sizes = page.evaluate(WORDS)
    context.close()
    assert len(sizes) == 6
    assert min(sizes) >= 11
