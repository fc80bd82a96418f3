"""A tablet: Chromium with the page of interviews, installed from the live site."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from surveys.features.interviews.parcels import code_of
from surveys.models import SurveyVersion
from tests.surveys.studio.conftest import signed_in, walk

__all__ = ["signed_in", "walk"]

READY = "It works without a network."


def link_of(live: LiveServer, version: SurveyVersion) -> str:
    return f"{live.url}/i/#s={version.survey.slug}&v={version.sha256}&k={code_of(version.survey)}"


def let_persist(browser: Browser, context: BrowserContext, address: str) -> None:
    """As a browser does for a page that is installed."""
    asking, everything = context.new_cdp_session(context.pages[0]), browser.new_browser_cdp_session()
    own = asking.send("Target.getTargetInfo")["targetInfo"]["targetId"]
    targets = everything.send("Target.getTargets")["targetInfos"]
    (of,) = (target["browserContextId"] for target in targets if target["targetId"] == own)
    permission = {"permission": {"name": "persistent-storage"}, "setting": "granted"}
    everything.send("Browser.setPermission", {**permission, "origin": address, "browserContextId": of})


@contextmanager
def a_tablet(browser: Browser, live: LiveServer) -> Iterator[BrowserContext]:
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    context.new_page()
    let_persist(browser, context, live.url)
    yield context
    context.close()


@pytest.fixture
def tablet(browser: Browser, live: LiveServer) -> Iterator[BrowserContext]:
    with a_tablet(browser, live) as context:
        yield context


@pytest.fixture
def another_tablet(browser: Browser, live: LiveServer) -> Iterator[BrowserContext]:
    with a_tablet(browser, live) as context:
        yield context


def install(tablet: BrowserContext, live: LiveServer, version: SurveyVersion) -> Page:
    """The page with a survey, once it works without a network."""
    page = tablet.pages[0]
    page.goto(link_of(live, version))
    page.get_by_text(READY).wait_for()
    return page


@pytest.fixture
def installed(tablet: BrowserContext, live: LiveServer) -> Callable[[SurveyVersion], Page]:
    return lambda version: install(tablet, live, version)
