"""A tablet: Chromium with the page of interviews, installed from the live site."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from pytest_django.live_server_helper import LiveServer

from surveys.features.interviews.parcels import code_of
from surveys.models import SurveyVersion
from tests.surveys.features.interviews.tablets import version_with_interviews
from tests.surveys.studio.conftest import signed_in, walk

__all__ = ["signed_in", "walk"]

SCREEN: ViewportSize = {"width": 390, "height": 844}
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
    context = browser.new_context(locale="en-GB", viewport=SCREEN)
    context.new_page()
    let_persist(browser, context, live.url)
    yield context
    context.close()


@pytest.fixture(scope="module")
def used_tablet(browser: Browser, live_server: LiveServer) -> Iterator[BrowserContext]:
    with a_tablet(browser, live_server) as context:
        yield context


@pytest.fixture
def tablet(used_tablet: BrowserContext, live: LiveServer) -> Iterator[BrowserContext]:
    """A tablet with an empty store. Only the first test installs the page: that takes two seconds."""
    yield used_tablet
    used_tablet.set_offline(False)
    page, *others = used_tablet.pages
    for other in others:
        other.close()
    page.unroute_all()
    page.goto("about:blank")
    page.set_viewport_size(SCREEN)
    store = {"origin": live.url, "storageTypes": "indexeddb,local_storage"}
    used_tablet.new_cdp_session(page).send("Storage.clearDataForOrigin", store)


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
def version() -> SurveyVersion:
    return version_with_interviews()


@pytest.fixture
def installed(tablet: BrowserContext, live: LiveServer) -> Callable[[SurveyVersion], Page]:
    return lambda version: install(tablet, live, version)
