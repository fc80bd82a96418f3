"""Makes the pictures of the guides again, on a new site: of the demo, and of the first survey as its guide tells it.

python -m tests.docs.pictures
"""

import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.browsers import chromium
from tests.servers import PATIENCE, ROOT, Site, running_site

IMAGES = ROOT / "docs" / "images"
ASKED = (
    "Have you ever copied in an exam?",
    "Have you ever handed in work that somebody else wrote?",
    "Have you ever invented a source?",
)
OPENING = {
    "Working title": "Honest studies",
    "Title for respondents": "Honest studies",
    "Who asks": "The institute of education.",
    "Why, and what happens with the answers": "To know how common it is. We publish shares, never single answers.",
    "Consent": "I agree.",
}


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder) / "data") as site,
        sync_playwright() as tool,
    ):
        browser = tool.chromium.launch(executable_path=chromium(), chromium_sandbox=os.getuid() != 0)
        draw(browser, site)
        browser.close()


def draw(browser: Browser, site: Site) -> None:
    phone = browser.new_context(locale="en-GB", viewport={"width": 420, "height": 780}, device_scale_factor=1.5)
    desk = browser.new_context(locale="en-GB", viewport={"width": 1180, "height": 760})
    desk.set_default_timeout(PATIENCE * 1000)
    sign_in(desk.new_page(), site)
    respondent(phone.new_page(), site)
    report(desk.new_page(), site)
    first_survey(desk.new_page(), phone.new_page(), site)
    own_draw(desk.new_page(), phone.new_page(), site)
    phone.close()
    desk.close()


def keep(page: Page, name: str, part: Locator | None = None) -> None:
    """The window, or a part with a margin: with as many colours as it has, and only where the picture differs."""
    clip: Any = {}
    if part is not None:
        around = (
            "rect => ({x: rect.x - 12, y: rect.y + scrollY - 12, width: rect.width + 24, height: rect.height + 24})"
        )
        clip = {"full_page": True, "clip": part.evaluate(f"part => ({around})(part.getBoundingClientRect())")}
    taken = Image.open(BytesIO(page.screenshot(animations="disabled", **clip))).convert("RGB").quantize(64)
    path = IMAGES / name
    if path.exists() and Image.open(path).convert("RGB").tobytes() == taken.convert("RGB").tobytes():
        return
    taken.save(path, optimize=True)


def section(page: Page, heading: str) -> Locator:
    return page.locator("section, div").filter(has=page.get_by_role("heading", name=heading)).last


def respondent(page: Page, site: Site) -> None:
    page.goto(site.url)
    page.locator('a[href*="/s/demo-ten/"]').first.click()
    page.get_by_role("button", name="begin").wait_for()
    page.locator(".protection").evaluate("panel => panel.scrollIntoView()")
    keep(page, "respondent.png")


def sign_in(page: Page, site: Site) -> None:
    first = (site.data / "first_password").read_text().strip()
    page.goto(f"{site.url}/staff/studio/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(first)
    page.get_by_role("button", name="Log in").click()
    own = secrets.token_urlsafe(16)  # the first password is changed before anything else
    page.locator("#id_old_password").fill(first)
    page.locator("#id_new_password1").fill(own)
    page.locator("#id_new_password2").fill(own)
    page.get_by_role("button", name="Change my password").click()
    page.wait_for_load_state()


def report(page: Page, site: Site) -> None:
    """What ten questions tell once they have been mined: all shares, and the surest rules."""
    page.goto(f"{site.url}/staff/studio/")
    page.get_by_role("link", name="Demo: ten questions by flips (simulated)", exact=True).click()
    page.goto(f"{page.url}together/")
    page.get_by_text("Set it yourself").click()
    page.get_by_label("Minimum support").fill("0.05")
    page.get_by_label("Minimum confidence").fill("0.3")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("heading", name="Rules").wait_for()
    page.locator(".rail").get_by_role("link", name="Results").first.click()
    section(page, "How common it is").wait_for()
    keep(page, "shares.png", section(page, "How common it is"))
    keep(page, "rules.png", section(page, "What goes together"))


def first_survey(page: Page, phone: Page, site: Site) -> None:
    """Each step of docs/first-survey.md under its words; then the ways to reach people, and who may use the site."""
    page.goto(f"{site.url}/staff/studio/")
    keep(page, "templates.png")
    page.get_by_role("button", name="New survey").click()
    page.locator("#add-lines").fill("\n".join(ASKED))
    page.locator("#add-lines").press("Enter")
    page.locator("#add-type").select_option(label="one of several")
    page.locator("#add-sensitive").uncheck()
    page.locator("#add-lines").fill("How old are you?")
    page.locator("#add-lines").press("Enter")
    page.locator("#add-rows textarea").fill("18–24\n25 or older")
    page.locator("#add-rows textarea").press("Control+Enter")
    open_with(page, OPENING)
    page.reload()
    page.get_by_text("No erasing day is set").wait_for()
    page.evaluate("scrollTo(0, 0)")  # away from the field that has the focus
    keep(page, "first-write.png")

    steps = page.locator(".rail")
    steps.get_by_role("link", name="Protect").first.click()
    page.get_by_label("How many people will answer?").fill("2000")
    page.get_by_label("How many people will answer?").blur()
    page.get_by_role("heading", name=re.compile("2.000 people are planned")).first.wait_for()
    saved(page)
    page.wait_for_function(
        "() => !document.querySelector('[data-later], [aria-busy]')"
    )  # until the chart is drawn, too
    page.evaluate("scrollTo(0, 0)")
    keep(page, "first-protect.png")
    keep(page, "plainly.png", section(page, "Or ask plainly?"))

    publish(page)
    link = page.get_by_label("Send this link").input_value()
    phone.goto(link)
    phone.get_by_role("button", name="begin").wait_for()
    keep(phone, "first-answer.png")

    steps.get_by_role("link", name="Field").first.click()
    page.get_by_role("heading", name="How will people come?").evaluate("heading => heading.scrollIntoView()")
    keep(page, "field.png")
    page.goto(f"{site.url}/staff/people/")
    keep(page, "people.png")
    page.goto(f"{site.url}/staff/system/")
    keep(page, "system.png")


def own_draw(page: Page, phone: Page, site: Site) -> None:
    """A survey whose respondents draw: what they see, its sheet, what is stored, and who would follow the draw."""
    page.goto(f"{site.url}/staff/studio/")
    page.get_by_role("button", name="New survey").click()
    page.locator("#add-lines").fill("\n".join(ASKED[:2]))
    page.locator("#add-lines").press("Enter")
    open_with(page, OPENING)
    steps = page.locator(".rail")
    steps.get_by_role("link", name="Protect").first.click()
    page.get_by_text("Who draws the chance?").click()
    page.get_by_role("radio", name=re.compile("People draw themselves")).check()
    saved(page)
    page.get_by_text("On paper", exact=True).click()
    page.get_by_role("checkbox", name="People may also answer on paper").check()
    saved(page)
    publish(page)
    phone.goto(page.get_by_label("Send this link").input_value())
    for button in ("begin", "Continue", "I have done it"):
        phone.get_by_role("button", name=button).click()
    phone.locator(".pair").first.wait_for()
    keep(phone, "own-draw.png")

    address = page.url.partition("/field")[0]
    page.goto(f"{address}/paper/print/")
    keep(page, "sheet.png", page.locator(".sheet").first)
    page.goto(f"{address}/protocol/")
    heading = page.get_by_role("heading", name="4 What is stored")
    keep(page, "stored.png", heading.locator("xpath=following::table[1]"))
    steps.get_by_role("link", name="Try").first.click()
    page.get_by_label("How many people").fill("10000")
    page.get_by_role("button", name="Let them answer").click()
    page.get_by_role("link", name="Read the report").first.click(timeout=60_000)
    keep(page, "followed.png", section(page, "Who followed the design"))


def open_with(page: Page, texts: Mapping[str, str]) -> None:
    page.get_by_text("Opening page: title, who asks, why, consent").click()
    for label, text in texts.items():
        page.get_by_label(label, exact=True).fill(text)
        page.get_by_label(label, exact=True).blur()
    saved(page)


def publish(page: Page) -> None:
    steps = page.locator(".rail")
    steps.get_by_role("link", name="Publish").first.click()
    page.get_by_role("link", name="Set it").click()
    page.get_by_label("Erasing day").fill("2099-01-01")
    page.get_by_role("button", name="Save the dates").click()
    steps.get_by_role("link", name="Publish").first.click()
    page.get_by_role("button", name="Publish …").click()
    page.get_by_role("button", name="Publish it").click()


def saved(page: Page) -> None:
    page.locator("#state", has_text="All changes are saved.").wait_for()


if __name__ == "__main__":
    main()
