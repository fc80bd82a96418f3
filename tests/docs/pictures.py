"""Makes the README's two pictures anew from the demos of a new site: what a respondent sees, and a report.

python -m tests.docs.pictures
"""

import os
import secrets
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browsers import chromium
from tests.servers import ROOT, Site, running_site

IMAGES = ROOT / "docs" / "images"


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder) / "data") as site,
        sync_playwright() as tool,
    ):
        browser = tool.chromium.launch(executable_path=chromium(), chromium_sandbox=os.getuid() != 0)
        respondent(browser.new_context(locale="en-GB", viewport={"width": 630, "height": 960}).new_page(), site)
        report(browser.new_context(locale="en-GB", viewport={"width": 760, "height": 815}).new_page(), site)
        browser.close()


def respondent(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.get_by_role("link", name="Try the demo survey").click()
    page.locator(".protection").evaluate("element => element.scrollIntoView()")
    page.screenshot(path=IMAGES / "respondent.png")


def report(page: Page, site: Site) -> None:
    """As the README tells it: sign in, open the survey, mine it, read."""
    first = (site.data / "first_password").read_text().strip()
    page.goto(f"{site.url}/staff/admin/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(first)
    page.get_by_role("button", name="Log in").click()
    own = secrets.token_urlsafe(16)  # the first password is changed before anything else
    page.locator("#id_old_password").fill(first)
    page.locator("#id_new_password1").fill(own)
    page.locator("#id_new_password2").fill(own)
    page.get_by_role("button", name="Change my password").click()
    page.goto(f"{site.url}/staff/runs/add/?survey=demo")
    page.get_by_label("Minimum support").fill("0.05")
    page.get_by_label("Minimum confidence").fill("0.3")
    page.get_by_role("button", name="Start mining").click()
    page.get_by_role("heading", name="Rules").wait_for()
    page.get_by_text("The strongest rules of any survey").evaluate("element => element.scrollIntoView()")
    page.screenshot(path=IMAGES / "rules.png")


if __name__ == "__main__":
    main()
