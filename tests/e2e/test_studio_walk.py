"""The studio on the real server, from signing in with a second factor to the end of a survey.

Through an XLSForm of twelve questions to a published survey and three answers by invitation, one of them tried twice.
"""

import csv
import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client.wire import begin, say, send
from tests.config.signing_in import RIGHT, SECRET, type_code
from tests.servers import PATIENCE, Prepared, Site, run_python, running_site, wait_until
from tests.surveys.exchange.workbooks import workbook

MAKE = f"""
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
TOTP.activate(User.objects.create_superuser("ann", password={RIGHT!r}), {SECRET!r})
"""
COUNT = """
from surveys.domain.database import used
from surveys.models import Invitation, Snapshot, Survey
survey = Survey.objects.get(title="Honest studies")
sealed = sum(Snapshot.objects.filter(version__survey=survey).values_list("respondents", flat=True))
print(sealed, len(list(used.receipts(survey.pk))), Invitation.objects.filter(batch__survey=survey).count())
"""
SEALED = """
SELECT coalesce(sum(respondents), 0) FROM surveys_snapshot WHERE version_id IN
(SELECT v.id FROM surveys_surveyversion v JOIN surveys_survey s ON s.id = v.survey_id WHERE s.title = 'Honest studies')
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


def told_to(data: Path, script: str) -> str:
    """What the script prints, beside the site and on its data."""
    done = run_python("manage.py", "shell", "-v", "0", "-c", script, CANDOR_DATA=str(data))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def sealed(data: Path) -> int:
    """How many answers are sealed, asked of the file: a program that asks takes as long as the sealing."""
    with closing(sqlite3.connect(f"file:{data}/candor.sqlite3?mode=ro", uri=True)) as database:
        return int(database.execute(SEALED).fetchone()[0])


@pytest.fixture
def site(prepared: Prepared, tmp_path: Path) -> Iterator[Site]:
    data = prepared.copied(tmp_path / "data")
    told_to(data, MAKE)
    with running_site(data) as running:
        yield running


def sign_in(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/staff/studio/")
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(RIGHT)
    page.keyboard.press("Enter")
    type_code(page.locator("input[name=code]"))
    page.keyboard.press("Enter")


def draft(page: Page) -> None:
    """The file, what was not understood of it, and what the draft lacks: a reason for what nobody can leave out."""
    page.get_by_role("link", name="Import a file").click()
    file = {"name": "twelve.json", "mimeType": "application/json", "buffer": twelve()}  # a name that lies
    page.get_by_label("The file").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("heading", name="Honest studies")).to_be_visible()
    expect(page.get_by_text("12 questions, 8 of them sensitive")).to_be_visible()
    expect(page.get_by_text("“sum” is left out")).to_be_visible()
    page.get_by_role("button", name="Make a draft of it").click()
    expect(page.locator(".page .q > summary").nth(11)).to_contain_text("Why?")

    page.get_by_text("Opening page: title, who asks, why, consent").click()
    page.get_by_label("Who may answer").select_option("invitation")
    first = page.locator("#q-s0")
    first.locator("summary").first.click()
    first.get_by_label("Why it is left out").fill("The board agreed: nobody is in danger by these.")
    first.get_by_label("Why it is left out").blur()
    first.get_by_role("button", name="The same reason for all that give none").click()
    expect(page.locator("#state")).to_have_text("All changes are saved.")


def invited(page: Page) -> list[dict[str, str]]:
    """Three links with their names, which stay in this browser; the batch stands on the page at once."""
    page.get_by_label("Name of the batch").fill("ward 7")
    page.get_by_label("Who is invited").fill("Ada\nBo;=1+1\nCai")
    page.get_by_label("Make them although").check()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Make the links and save them").click()
    expect(page.locator("#batches")).to_contain_text("ward 7: 3")
    return list(csv.DictReader(io.StringIO(saving.value.path().read_bytes().decode("utf-8-sig"))))


def answer(page: Page, link: str) -> None:
    """From the link of an invitation to the receipt; whatever of the sensitive questions this device asks."""
    page.goto(link)
    begin(page)
    say(page, "Which degree?", "A bachelor's degree")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("textbox", name="Why?")).to_be_visible()
    for box in page.get_by_role("radio", name="No").all():
        box.check()
    page.get_by_role("button", name="Continue").click()
    send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()


@pytest.mark.long
def test_from_an_xlsform_to_three_answers_by_invitation_and_the_end(site: Site, page: Page, browser: Browser) -> None:
    """The first of three who are invited comes twice, and counts once; names stay with her."""
    sign_in(page, site)
    draft(page)
    page.get_by_role("link", name="Set it").click()
    page.get_by_label("Erasing day").fill("2099-01-01")
    page.get_by_role("button", name="Save the dates").click()
    page.locator(".rail").get_by_role("link", name="Publish").first.click()
    expect(page.get_by_text("every link carries their check mark, a hash")).to_be_visible()
    page.get_by_role("button", name="Publish …").click()
    page.get_by_role("button", name="Publish it").click()
    expect(page.get_by_text("Version 1 was published.")).to_be_visible()

    rows = invited(page)
    assert [row["name"] for row in rows] == ["Ada", "Bo;'=1+1", "Cai"]  # no list separator makes a formula
    for row in rows:
        device = browser.new_context(locale="en-GB")
        answer(device.new_page(), row["link"])
        device.close()
    again = browser.new_context(locale="en-GB")
    visitor = again.new_page()
    visitor.goto(rows[0]["link"])
    visitor.get_by_role("button", name="I agree – begin").click()
    expect(visitor.get_by_text("This invitation has been used")).to_be_visible()
    again.close()

    page.reload()
    expect(page.get_by_text("None that could be shown yet")).to_be_visible()
    page.get_by_role("button", name="Close the survey").click()
    expect(page.get_by_text("cannot be opened again or changed")).to_be_visible()
    page.get_by_role("button", name="Close it for good").click()
    expect(page.get_by_text("The survey was closed.", exact=False).first).to_be_visible()
    wait_until(lambda: sealed(site.data) == 3, PATIENCE, "three answers are sealed")
    assert told_to(site.data, COUNT) == "3 3 3"
    page.reload()
    expect(page.get_by_text("Fewer came.")).to_be_visible(timeout=PATIENCE * 1000)
