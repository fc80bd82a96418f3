"""Fixtures that drive Debian's Chromium, and the Node of the Playwright wheel."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect, sync_playwright

from tests.servers import PATIENCE

expect.set_options(timeout=1000 * PATIENCE)

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"]}  # of what passes it lists one element a rule


def chromium() -> str | None:
    """The Chromium to drive: the one that CHROMIUM names, or the one without windows, or the whole one.

    Without windows it shows the same pages for a quarter of the processor time.
    """
    names = (named,) if (named := os.environ.get("CHROMIUM")) else ("chromium-headless-shell", "chromium")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as Debian packages it; without it browser tests are skipped, in CI they fail."""
    executable = chromium()
    if executable is None:
        reason = "no Chromium: `make test` installs it for root on Debian; elsewhere set CHROMIUM to the path of one"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    with sync_playwright() as playwright:
        # Chromium's own sandbox refuses to start for root. What plays a graphics card costs, and shows nothing. Pages
        # of one site in one context share a process; other contexts and other sites have their own all the same.
        sandbox = os.getuid() != 0
        browser = playwright.chromium.launch(
            executable_path=executable, chromium_sandbox=sandbox, args=["--disable-gpu", "--renderer-process-limit=1"]
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(browser, "new_context", lambda **options: patient(Browser.new_context(browser, **options)))
            yield browser
        browser.close()


def patient(context: BrowserContext) -> BrowserContext:
    """Its pages wait as long for what comes at once as a busy machine may need; no test waits for time to pass."""
    context.set_default_timeout(1000 * PATIENCE)
    return context


@contextmanager
def page_alone(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own: no cookies, no storage, English."""
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own."""
    with page_alone(browser) as own:
        yield own


@pytest.fixture(scope="session")
def axe() -> Callable[[Page | Frame], list[str]]:
    """What axe-core finds wrong with a page or a frame, a line each. It is evaluated there; its CSP stays as it is."""
    source = AXE.read_text(encoding="utf-8")

    def violations(page: Page | Frame) -> list[str]:
        page.evaluate(source)
        report: dict[str, Any] = page.evaluate("options => axe.run(options)", OPTIONS)
        return [f"{v['id']}: {node['html']}" for v in report["violations"] for node in v["nodes"]]

    return violations


@pytest.fixture(scope="session")
def node() -> Callable[..., str]:
    """Runs JavaScript: node(*arguments, input=text) returns what it printed and fails where it failed."""
    executable = compute_driver_executable()[0]

    def run(*arguments: str | Path, input: str | None = None) -> str:
        done = subprocess.run(
            [executable, *map(str, arguments)], input=input, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
