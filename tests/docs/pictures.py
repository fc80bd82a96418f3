"""Makes the README's picture of the respondent's page anew, from the demo of a new site.

python -m tests.docs.pictures
"""

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.servers import ROOT, running_site


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder) / "data") as site,
        sync_playwright() as tool,
    ):
        browser = tool.chromium.launch(executable_path=shutil.which("chromium"), chromium_sandbox=os.getuid() != 0)
        page = browser.new_context(locale="en-GB", viewport={"width": 630, "height": 960}).new_page()
        page.goto(site.url)
        page.get_by_role("link", name="Try the demo survey").click()
        page.locator(".protection").evaluate("element => element.scrollIntoView()")
        page.screenshot(path=ROOT / "docs" / "images" / "respondent.png")
        browser.close()


if __name__ == "__main__":
    main()
