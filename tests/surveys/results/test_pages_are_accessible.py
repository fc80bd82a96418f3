"""The pages of results in a browser: axe-core finds nothing, nothing is wider than the screen, paper has no sidebar."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from surveys.models import TableRelease
from surveys.releases.ask import ask
from surveys.results.sharing import share
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import work
from tests.surveys.staff import page_of, somebody


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "colours", "language"),
    [(360, "dark", "zh-CN"), pytest.param(1280, "light", "en-GB", marks=pytest.mark.long)],
)
def test_every_page_is_accessible_and_fits(
    live: LiveServer,
    browser: Browser,
    axe: Callable[[Page], list[str]],
    width: int,
    colours: str,
    language: str,
) -> None:
    """Report, tables, regressions, weights, versions, words, links, releases, what a link shows; pictures fit."""
    version, user = survey_with_results(4000), somebody()
    asked = {"attributes": {"mood": {"role": "quasi"}, "drugs": {"role": "sensitive"}}, "model": {"k": 5}}
    release = ask(version, asked, user)
    work(release.pk)
    _shared, token = share(version, "Colleague", ["answers", "table.drugs.cheating"], 30, user)
    page = page_of(user, browser, live, language, width, colours)
    staff = f"/staff/studio/versions/{version.pk}/results/"
    weighted = "?weights=hours&strata=mood"
    names = (
        "",
        f"table/{weighted}",
        f"compare/{weighted}",
        "regression/?answer=drugs.1&on=cheating&on=faculty",
        f"weighted/{weighted}",
        "weighted/?margin-faculty-0=30&margin-faculty-1=50&margin-faculty-2=20",
        "versions/",
        "words/",
        "share/",
        "releases/",
        f"releases/{release.pk}/",
    )
    for address in (*(f"{staff}{name}" for name in names), f"/r/{token}/"):
        page.goto(live.url + address)
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        gaps = page.evaluate(
            "[...document.querySelectorAll('.choose')].map(one => parseFloat(getComputedStyle(one).gap))"
        )
        assert all(gap >= 8 for gap in gaps)
    wide = page.evaluate("Math.max(...[...document.querySelectorAll('svg.chart')].map(one => one.clientWidth))")
    page.goto(live.url + staff)
    page.emulate_media(media="print")
    shown = [name for name in (".bar", ".rail", ".tabs", ".file") if page.locator(name).first.is_visible()]
    page.context.close()
    assert 0 < wide <= width
    assert shown == []


@pytest.mark.long
def test_a_table_is_made_and_released_by_keyboard_on_a_phone(
    live: LiveServer,
    browser: Browser,
    axe: Callable[[Page], list[str]],
) -> None:
    """Choose, look, make; the page notices by itself that the worker is done; then it is released. All fits."""
    version = survey_with_results(600)
    page = page_of(somebody(), browser, live, "zh-CN", 360, "dark")

    def press(place: str, *keys: str) -> None:
        page.locator(place).first.focus()
        for key in keys:
            page.keyboard.press(key)

    def clean() -> list[object]:
        return [*axe(page), *([] if page.evaluate("document.documentElement.scrollWidth") <= 360 else ["too wide"])]

    page.goto(f"{live.url}/staff/studio/versions/{version.pk}/results/releases/")
    page.locator("[name=role-mood]").select_option("quasi")
    press("details:has([name=levels-mood]) summary", "Enter")
    press("button[value=look]", "Enter")
    page.wait_for_selector("#chosen")
    problems = clean()
    press("button[value=make]", "Enter")
    page.wait_for_selector("#state-share")
    problems += clean()
    work(TableRelease.objects.get().pk)
    page.wait_for_selector(".release-decide")
    problems += clean()
    press(".release-decide button", "Enter")
    page.wait_for_selector(".release-files")
    problems += clean()
    page.goto(f"{page.url}further/")
    press("details:has([name=levels-mood]) summary", "Enter")
    problems += clean()
    page.context.close()

    assert problems == []
    assert TableRelease.objects.get().state == TableRelease.State.DONE
