"""Every form of the site is sent by a browser, under the policies that its page has: none is refused.

A test client sends no origin, no referrer and no cookie by its path: what it may send, a browser may not.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from mining.models import MiningRun
from surveys.domain.drafts.question_changes import has_skip
from surveys.domain.messages.boxes import public_point
from surveys.domain.questionnaire.document import questions, read_document
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, TableRelease
from tests.config.signing_in import RIGHT
from tests.e2e.walking import sign_in
from tests.media import name_of, png
from tests.mining.surveys import finished_run, mined_run, queued_run, sealed_survey
from tests.surveys.making import make_survey
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.releasing import work

pytestmark = pytest.mark.django_db(transaction=True)

# Each template with a form that is sent (POST), and a test that sends it in a browser.
HERE = "tests/e2e/test_every_form.py"
INVITED, STUDIO = "tests/e2e/test_invited.py", "tests/e2e/test_studio_walk.py"
PAPER = "tests/e2e/test_paper_keys.py"
SENT_IN = {
    "account/own.html": "tests/config/test_account_pages.py",
    "account/step.html": INVITED,
    "account/tokens.html": HERE,
    "studio/results/further.html": HERE,
    "studio/results/release.html": HERE,
    "studio/results/releases.html": HERE,
    "studio/results/share.html": HERE,
    "studio/results/words.html": HERE,
    "delete.html": HERE,
    "mfa/authenticate.html": "tests/config/test_account_pages.py",
    "mining/judge.html": HERE,
    "mining/no_links.html": HERE,
    "mining/run.html": HERE,
    "mining/search.html": HERE,
    "people.html": HERE,
    "staff.html": INVITED,
    "staff_language.html": INVITED,
    "studio/ask.html": HERE,
    "studio/dates.html": HERE,
    "studio/document.html": HERE,
    "studio/erase.html": HERE,
    "studio/export.html": HERE,
    "studio/fieldwork.html": HERE,
    "studio/files.html": HERE,
    "studio/features/frames/steps.html": HERE,
    "studio/features/study/steps.html": HERE,
    "studio/features/interviews/steps.html": HERE,
    "studio/features/shared/steps.html": HERE,
    "studio/features/paper/differ.html": PAPER,
    "studio/features/paper/enter.html": PAPER,
    "studio/features/paper/steps.html": PAPER,
    "studio/home.html": HERE,
    "studio/import.html": STUDIO,
    "studio/imported.html": STUDIO,
    "studio/features/looks/page.html": HERE,
    "studio/mail.html": "tests/surveys/studio/test_mail.py",
    "studio/features/page_texts/page.html": HERE,
    "studio/features/panel/steps.html": HERE,
    "studio/people.html": HERE,
    "studio/publish.html": STUDIO,
    "studio/remarks.html": HERE,
    "studio/ways/access.html": HERE,
    "studio/ways/list.html": "tests/surveys/studio/test_fieldwork.py",
    "studio/rehearsal.html": HERE,
    "studio/translation.html": HERE,
}


def test_every_form_is_sent_by_a_test_in_a_browser() -> None:
    """A template with a new form needs a line above, and a test there that presses its button."""
    templates: Path = settings.BASE_DIR / "templates"
    sent = re.compile(r'<form[^>]*method="post"')
    with_forms = {
        str(file.relative_to(templates)) for file in templates.rglob("*.html") if sent.search(file.read_text())
    }
    assert with_forms == set(SENT_IN)


def press(at: Page | Locator, name: str) -> None:
    """The button sends its form, and the site takes it."""
    page = at if isinstance(at, Page) else at.page
    with page.expect_response(lambda answer: answer.request.method == "POST") as heard:
        at.get_by_role("button", name=name).first.click()
    assert (name, heard.value.status < 400) == (name, True)
    page.wait_for_load_state()


@pytest.mark.long
@pytest.mark.usefixtures("no_worker")
def test_forms_of_the_studio(live: LiveServer, page: Page, tmp_path: Path) -> None:
    """A draft is begun, copied and erased; a survey gets people, a rehearsal, an end, another round."""
    sign_in(page, live)
    User.objects.create_user("ben", is_staff=True)

    def go(name: str, *keys: object) -> None:
        page.goto(live.url + reverse(f"studio:{name}", args=keys))

    go("home")
    for language in ("简体中文", "English"):
        page.locator("header summary").last.click()
        press(page, language)
    press(page, "New survey")
    draft = Survey.objects.get()
    page.locator("header summary").first.click()
    press(page, "Copy")
    assert Survey.objects.count() == 2

    lacking = make_survey("lacking", direct=False)
    go("publish", lacking.pk)
    press(page, "Add to all")
    assert all(map(has_skip, questions(read_document(lacking))))
    lacking.delete()

    published = make_survey("study")
    publish(published)
    go("try", published.pk)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Open it under a secret link").click()
    opened.value.wait_for_url("**/t/**")
    opened.value.close()
    go("people", published.pk)
    page.get_by_label("E-mail, or the name of somebody on this site").fill("ben")
    press(page, "Give the role")
    press(page, "Take away")
    assert not published.memberships.exists()

    go("translation", published.pk)
    with page.expect_download() as saved:
        page.get_by_label("Another language, by its tag").fill("de")
        page.get_by_role("button", name="Take the file").click()
    page.locator("input[type=file]").set_input_files(saved.value.path())
    press(page, "Read it")

    go("try", published.pk)
    press(page, "Let them answer")
    press(page, "Throw them away")

    go("export", published.pk)
    press(page, "Begin another survey with it")
    assert Survey.objects.filter(rehearses=None).count() == 4

    go("document", draft.pk)
    press(page, "Put it in place of the draft")
    go("erase", draft.pk)
    page.locator("#id_slug").fill(draft.slug)
    press(page, "Erase everything")
    assert not Survey.objects.filter(pk=draft.pk).exists()

    go("fieldwork", published.pk)
    page.get_by_text("Change the dates").click()
    page.locator("[name=closes_at]").first.fill("2020-01-01T00:00")
    press(page, "Save the dates")
    press(page, "Save, and let this happen")
    go("fieldwork", published.pk)
    page.get_by_text("What people read once it is closed").click()
    page.locator("#id_en").fill("Thank you.")
    press(page, "Save the text")
    press(page, "Begin the next round")
    assert Survey.objects.filter(rehearses=None).count() == 4


@pytest.mark.long
def test_forms_of_ways_to_come(live: LiveServer, page: Page) -> None:
    """Interviewers may ask on tablets; a shared device has its link at once; an arm is drawn twice as often."""
    talks, counter, entry, arm = (make_survey(slug, direct=False) for slug in ("talks", "counter", "entry", "arm"))
    publish(counter)
    version = publish(arm)
    sign_in(page, live)
    page.goto(live.url + reverse("studio:fieldwork", args=[talks.pk]) + "?way=interviews")
    page.locator("[name=interviews]").check()
    press(page.locator("form[action$='interviews/choose/']"), "Save")
    page.goto(live.url + reverse("studio:fieldwork", args=[counter.pk]) + "?way=shared")
    press(page.locator("form[action$='shared/']"), "Make a link")
    shown = page.get_by_label("Open this link on the device").input_value()
    page.goto(live.url + reverse("studio:arms", args=[entry.pk]))
    page.locator("[name=arm]").fill("2")
    press(page, "Save the arms")

    assert read_document(talks)["interviews"]
    assert public_point(counter) in shown
    assert read_document(entry)["study"] == {
        "here": 1,
        "arms": [{"slug": "arm", "version": version.sha256, "parts": 2}],
    }


@pytest.mark.long
def test_forms_of_a_language_of_a_panel_and_of_other_pages(live: LiveServer, page: Page) -> None:
    """What the page says is translated, or a reason says why not; a panel gets its code; a site may hold the survey."""
    survey = make_survey(languages=["en", "it"])
    sign_in(page, live)
    page.goto(live.url + reverse("studio:page-texts", args=[survey.pk, "it"]))
    page.locator("[name=text-leave]").fill("Uscita rapida")
    press(page.locator("form.begin").last, "Keep")
    page.get_by_text("Publish without a translation").click()
    page.get_by_label("Why people read the promise").fill("Nessuno ha tradotto.")
    press(page.locator("details form").last, "Keep")
    page.goto(live.url + reverse("studio:fieldwork", args=[survey.pk]) + "?way=list")
    press(page.locator("#list"), "Let in only those who are invited")
    page.goto(live.url + reverse("studio:panel", args=[survey.pk]))
    page.locator("[name=by]").select_option("prolific")
    page.locator("[name=sent]").fill("C7K2QD9P")
    press(page, "Save the provider")
    page.goto(live.url + reverse("studio:frames", args=[survey.pk]))
    page.locator("[name=sites]").fill("https://www.example.edu/course/")
    press(page, "Save the sites")
    page.goto(live.url + reverse("studio:looks", args=[survey.pk]))
    page.locator("[name=file]").set_input_files({"name": "logo.png", "mimeType": "image/png", "buffer": png()})
    page.locator("[name=words-en]").fill("The university")
    page.locator("[name=accent]").fill("#aa0000")
    press(page, "Save")
    document = read_document(Survey.objects.get())
    assert document["looks"] == {"logo": name_of(png()), "words": {"en": "The university"}, "accent": "#aa0000"}
    assert document["frames"] == ["https://www.example.edu"]
    assert (document["page_texts"]["it"], document["unspoken"]) == (
        {"leave": "Uscita rapida"},
        {"it": "Nessuno ha tradotto."},
    )
    assert document["panel"]["sent"] == "C7K2QD9P"


@pytest.mark.long
def test_forms_of_results(live: LiveServer, page: Page) -> None:
    """A report is shared and taken back, its words are kept, a file is taken; a table is looked at, made, released."""
    version = survey_with_results(300)
    sign_in(page, live)

    def go(name: str, *keys: object) -> None:
        page.goto(live.url + reverse(f"studio:{name}", args=[version.pk, *keys]))

    go("results-share")
    page.get_by_label("For whom").fill("Colleague")
    page.get_by_role("checkbox").first.check()
    press(page, "Make a link")
    expect(page.locator(".notice a")).to_be_visible()
    press(page, "Take back")
    go("results-words")
    page.locator("form.words input[type=text], form.words input:not([type])").first.fill("used drugs")
    press(page, "Keep these words")
    page.goto(live.url + reverse("studio:files", args=[version.survey_id]))
    with page.expect_download() as got:
        page.get_by_role("button", name="records.csv", exact=True).click()
    assert got.value.suggested_filename == "study-v1-records.csv"

    for last, then in (("Cancel", "stopped"), ("Discard it", "stopped"), ("Release this table", "done")):
        go("releases")
        page.locator("[name=role-faculty]").select_option("quasi")
        press(page, "Show risk and levels first")
        press(page, "Make the table")
        row = TableRelease.objects.latest("pk")
        if last != "Cancel":
            work(row.pk)
        go("release", row.pk)
        press(page, last)
        row.refresh_from_db()
        assert (last, row.state) == (last, then)
    go("releases")
    page.get_by_role("link", name=f"Another table from release {row.pk}").click()
    page.get_by_label("Keep it").first.uncheck()
    with page.expect_download() as got:
        page.get_by_role("button", name="Download the table (CSV)").click()
    assert "faculty" not in got.value.path().read_text()


@pytest.mark.long
@pytest.mark.usefixtures("no_worker")
def test_forms_of_mining(live: LiveServer, page: Page) -> None:
    """A run is cancelled and asked again; a rule is reviewed; where no link was found, a next round is begun."""
    done, waits = finished_run(), queued_run(sealed_survey(slug="other"))
    sign_in(page, live)
    page.goto(live.url + waits.get_absolute_url())
    press(page, "Stop the search")
    press(page, "Search once more")
    assert MiningRun.objects.get(pk=waits.pk).is_open

    page.goto(f"{live.url}{reverse('mining_start', args=[done.survey.pk])}")
    press(page, "Reject")
    page.goto(f"{live.url}{reverse('mining_start', args=[waits.survey.pk])}")
    page.get_by_role("link", name="Rarer things").click()
    page.get_by_text("Set it yourself").click()
    page.get_by_label("Minimum support").fill("0.2")
    page.get_by_label("Minimum confidence").fill("0.5")
    press(page, "Search")
    page.goto(live.url + done.get_absolute_url())
    page.get_by_role("button", name="Doubt").first.click()
    expect(page.get_by_role("button", name="Doubt").first).to_have_attribute("aria-pressed", "true")
    page.get_by_text("Say why").first.click()
    page.locator("form.review textarea").first.fill("known before")
    press(page, "Keep this note")
    assert [(one.verdict, one.note) for one in done.reviews.all()] == [("doubt", "known before"), ("doubt", "")]

    few = mined_run(sealed_survey(100, slug="few", closed=True), min_support=0.02, min_confidence=0.1)
    page.goto(live.url + few.get_absolute_url())
    press(page, "Ask again in a next round")
    assert Survey.objects.filter(title__endswith=", next round").count() == 1


@pytest.mark.long
def test_forms_of_accounts(live: LiveServer, page: Page) -> None:
    """A token is made and ended; somebody is invited and not, another one's account ends; a new password."""
    sign_in(page, live)

    def go(name: str, *keys: object) -> None:
        page.goto(live.url + reverse(name, args=keys))
        if page.locator("h1", has_text="Is it you?").count():
            page.get_by_label("Password").fill("a long password")
            press(page, "Confirm")

    go("api_tokens")
    page.get_by_label("Name").fill("mine")
    page.get_by_label("read:").check()
    press(page, "Make the token")
    press(page, "End the token mine")
    go("people")
    page.get_by_label("E-mail, or a name").fill("ann")
    press(page, "Make a link")
    press(page, "Take back")
    cai = User.objects.create_user("cai", is_staff=True)
    go("people")
    page.locator("summary", has_text="cai").click()
    press(page, "End the account")
    cai.refresh_from_db()
    assert not cai.is_active
    go("password_change")
    page.locator("#id_old_password").fill("a long password")
    page.locator("#id_new_password1").fill(RIGHT + " battery")
    page.locator("#id_new_password2").fill(RIGHT + " battery")
    press(page, "Change my password")
    page.locator("header summary").last.click()
    page.get_by_role("button", name="Log out").first.click()
    expect(page.get_by_text("Log in again")).to_be_visible()
