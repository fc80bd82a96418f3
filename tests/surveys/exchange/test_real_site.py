"""From signing in with a second factor through an XLSForm of twelve questions to a whole draft, on the real server."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.config.signing_in import RIGHT, SECRET, type_code
from tests.servers import ROOT, Prepared, Site, outside, running_site
from tests.surveys.exchange.workbooks import workbook

MAKE = f"""
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
TOTP.activate(User.objects.create_superuser("ann", password={RIGHT!r}), {SECRET!r})
"""
THINGS = (
    "copied",
    "let copy",
    "used notes",
    "bought work",
    "invented data",
    "made excuses",
    "lied",
    "signed for others",
)
TEXTS = (("candor_who", "The institute"), ("candor_why", "To know how common it is."), ("candor_consent", "I agree."))


def twelve() -> bytes:
    """One choice, one number, eight sensitive questions, two texts; and a calculation that nobody can answer."""
    heads = ("type", "name", "label::English (en)", "relevant", "constraint", "rr_role", "calculation")
    rows = [heads, *(("note", name, text) for name, text in TEXTS)]
    rows += [("begin_group", "about", "About you"), ("select_one degree", "degree", "Which degree?")]
    rows += [("decimal", "age", "How old are you?", "", ". >= 16 and . <= 99")]
    rows += [("text", "which", "Which other?", "${degree} = 'other'"), ("end_group", "", "")]
    rows += [("begin_group", "secret", "In the last year")]
    rows += [("select_one yn", f"s{n}", f"Have you {thing}?", "", "", "sensitive") for n, thing in enumerate(THINGS)]
    rows += [("text", "why", "Why?"), ("calculate", "sum", "", "", "", "", "1 + 1"), ("end_group", "", "")]
    choices = [("list_name", "name", "label::English (en)"), ("yn", "yes", "Yes"), ("yn", "no", "No")]
    choices += [("degree", "bachelor", "A bachelor's degree"), ("degree", "other", "Another")]
    settings = [("form_title", "default_language"), ("Honest studies", "English (en)")]
    return workbook({"survey": rows, "choices": choices, "settings": settings})


@pytest.fixture
def site(prepared: Prepared, tmp_path: Path) -> Iterator[Site]:
    data = prepared.copied(tmp_path / "data")
    environment = outside() | {"CANDOR_DATA": str(data)}
    subprocess.run([sys.executable, "manage.py", "shell", "-c", MAKE], cwd=ROOT, env=environment, check=True)
    with running_site(data) as running:
        yield running


def test_an_xlsform_of_twelve_questions_becomes_a_complete_draft(site: Site, page: Page) -> None:
    """What was not understood is read before accepting; then nothing is missing of the draft."""
    page.goto(f"{site.url}/studio/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(RIGHT)
    page.keyboard.press("Enter")
    type_code(page.locator("input[name=code]"))
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Import a file").click()
    file = {"name": "twelve.json", "mimeType": "application/json", "buffer": twelve()}  # a name that lies
    page.get_by_label("The file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()

    expect(page.get_by_role("heading", name="Honest studies")).to_be_visible()
    expect(page.get_by_text("12 questions, 8 of them sensitive")).to_be_visible()
    expect(page.get_by_text("“sum” is left out")).to_be_visible()
    page.get_by_role("button", name="Make a draft of it").click()
    expect(page.get_by_role("textbox", name="Question 12", exact=True)).to_have_value("Why?")
    page.goto(f"{site.url}/studio/")
    task = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Honest studies"))
    expect(task).to_contain_text("Nothing is missing: try it, then publish it.")
