"""What tests of the studio's pages in a browser begin with."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.surveys.staff import let_in, somebody

DESK, PHONE = (1280, "light", "en-GB"), (320, "dark", "zh-CN")
# For pages whose look and frame are those of the other pages: on a desk they are seen by `make test-long`.
on_a_phone = pytest.mark.parametrize(
    "walk", [pytest.param(DESK, marks=pytest.mark.long), PHONE], ids=["desk", "phone"], indirect=True
)


@dataclass
class Walk:
    """Somebody who is signed in and looks at pages, one after the other."""

    user: User
    page: Page
    site: str
    width: int
    axe: Callable[[Page], list[str]]
    console: list[str]

    def look(self, address: str) -> None:
        """The page is for everybody, fits its screen, asks for nothing that the site's policy refuses, and joins
        Chinese sentences without a space.
        """
        self.page.goto(f"{self.site}{address}")
        assert (address, [line for line in self.console if "Content Security Policy" in line]) == (address, [])
        assert (address, self.axe(self.page)) == (address, [])
        assert (address, re.findall(".*。 .*", self.page.inner_text("body"))) == (
            address,
            [],
        )  # Chinese joins sentences
        self.console.clear()  # axe-core itself tries styles that the policy refuses
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width, address


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def walk(
    request: pytest.FixtureRequest, live: LiveServer, browser: Browser, axe: Callable[[Page], list[str]]
) -> Iterator[Walk]:
    """In English by day on a desk, in Chinese at night on the smallest phone."""
    width, colours, language = request.param
    context = browser.new_context(locale=language, viewport={"width": width, "height": 800}, color_scheme=colours)
    page, console = context.new_page(), []
    page.on("console", lambda message: console.append(message.text))
    user = somebody()
    let_in(user, context, live)
    yield Walk(user, page, live.url, width, axe, console)
    context.close()


@pytest.fixture
def signed_in(live: LiveServer, page: Page) -> Iterator[Page]:
    """A page of somebody who is signed in; at the end nothing was amiss in its console."""
    let_in(somebody(), page.context, live)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    yield page
    # A conflict and a refused form are answered with these statuses, which the browser notes.
    assert [line for line in console if "409" not in line and "422" not in line] == []


def wait_until_saved(page: Page) -> None:
    """Wait until the page of a draft says that nothing typed waits to be stored."""
    expect(page.locator("#state")).to_have_text("All changes are saved.")
