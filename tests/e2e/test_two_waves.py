"""Two waves of one survey, all real: the first ends, Protect takes its sets, and other people answer the second."""

import csv
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from privacy.disguise import disguise
from privacy.disguise.random_words import words_from_seed
from privacy.records.packing import pack
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.protect import usual
from surveys.domain.questionnaire.closing import end_version
from surveys.domain.questionnaire.document import empty
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append, seal_all
from surveys.features.second_wave.figures import list_after
from surveys.models import Survey, SurveyVersion
from tests.e2e.walking import sign_in
from tests.surveys.making import set_questions, write

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]

LINES = "\n".join(f"Have you ever {deed}?" for deed in ("copied", "lied", "stolen", "forged", "bribed", "cheated"))


def look(page: Page, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    if folder := os.environ.get("CANDOR_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def answer(version: SurveyVersion, count: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    truth = (chance.random((count, 6)) < 0.25 / np.arange(1, 7)).astype(np.uint8)
    truth[:, 1] |= truth[:, 0] & (chance.random(count) < 0.5)
    records = disguise(version.design, truth, np.zeros(count, bool), words_from_seed(seed))
    append(version, pack(records), [b""] * count)


def draft() -> Survey:
    survey = Survey.objects.create(slug="deeds", title="Deeds", least=20)
    history.begin(survey, empty("Deeds", ["en"]) | {"protection": usual(), "expected": 4_000})
    by = Editor(User.objects.get(), "tab", 10**6)
    history.change(survey, by, {"do": "add", "type": "yesno", "lines": LINES, "sensitive": True})
    history.change(survey, by, {"do": "protect", "field": "way", "value": "word"})
    set_questions(survey, no_skip="Yes or no.")
    write(survey, **{name: {"en": name.title()} for name in ("heading", "who", "why", "consent", "closing")})
    return survey


def test_who_waited_gets_a_whole_link_when_the_second_wave_is_there(
    live: LiveServer, page: Page, browser: Browser, tmp_path: Path
) -> None:
    """Field draws the lot and saves the file with names; later it makes the links of those who waited whole, in the
    browser; such a link answers the second wave, and a file without them is refused.
    """
    sign_in(page, live)
    page.get_by_role("heading", level=1).wait_for()
    survey = draft()
    write(survey, access=Survey.Access.INVITATION)
    survey.refresh_from_db()
    first = publish(survey)
    address = f"{live.url}/staff/studio/{survey.pk}/fieldwork/"
    page.goto(address)
    page.get_by_label("Name of the batch").fill("Class")
    page.get_by_label("Who is invited").fill("\n".join(("Ann, A.", "Bob", "=Cem", "Dee")))
    page.get_by_label("Keep so many of 100 for a second wave").fill("50")
    if (anyway := page.get_by_label("Make them although")).count():
        anyway.check(force=True)
    look(page, "11-invite")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Make the links and save them").click()
    kept = tmp_path / "kept.csv"
    saved.value.save_as(kept)
    people = list(csv.DictReader(io.StringIO(kept.read_text(encoding="utf-8-sig"))))

    answer(first, 4_000, seed=1)
    by = Editor(User.objects.get(), "tab", 10**6)
    end_version(survey)
    history.change(survey, by, {"do": "after", "value": list_after(survey.versions.get())})
    survey.refresh_from_db()
    second = publish(survey)
    page.goto(address)
    look(page, "12-those-who-waited")
    with page.expect_download() as saved:
        page.get_by_label("The file that was saved with the invitations").set_input_files(kept)
    expect(page.get_by_text("The links of those who waited are saved.")).to_be_visible()
    look(page, "13-saved")
    whole = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text(encoding="utf-8-sig"))))
    waited = [one for one in people if one["wave"] == "2"]

    assert len(waited) == 2
    assert whole == [one | {"link": f"{live.url}/s/deeds/#v={second.sha256}&w=2{one['link']}"} for one in waited]
    phone = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}).new_page()
    phone.goto(whole[0]["link"])
    phone.get_by_role("button", name="I agree – begin").click()
    phone.locator(".question").first.wait_for()
    (tmp_path / "other.csv").write_text("link\n")
    page.get_by_label("The file that was saved with the invitations").set_input_files(tmp_path / "other.csv")
    expect(page.get_by_text("Nobody in this file waits")).to_be_visible()


def test_from_the_first_wave_to_the_report_of_the_second(live: LiveServer, page: Page, browser: Browser) -> None:
    """Field ends version 1, Protect shows the price and takes the list, Publish says what an open link cannot know, the
    page asks, one word arrives, and the report has sets by version 2 alone and answers by both.
    """
    sign_in(page, live)
    page.get_by_role("heading", level=1).wait_for()
    survey = draft()
    first = publish(survey)
    answer(first, 4_000, seed=1)
    studio = f"{live.url}/staff/studio/{survey.pk}"

    page.goto(f"{studio}/fieldwork/")
    look(page, "1-field-wave-1")
    page.get_by_text("In two waves").click()
    page.get_by_text("End version 1 …").click()
    page.get_by_role("button", name="End version 1 for good").click()
    expect(page.get_by_text("Version 1 has ended. Protect offers the second wave")).to_be_visible()
    look(page, "2-field-ended")

    page.goto(f"{studio}/protect/")
    offered = page.locator(".other").first
    expect(offered).to_contain_text("A second wave, for sets of answers")
    expect(offered).to_contain_text("sets of two or three answers")
    look(page, "3-protect-offer")
    page.get_by_text("More ways, each with what it gains and costs").click()
    offered.get_by_role("button").click()
    expect(page.locator(".answers")).to_contain_text("Version 1 chooses the sets")
    expect(page.locator(".prices li", has_text="look for 32 sets")).to_be_visible()
    look(page, "4-protect-chosen")

    page.goto(f"{studio}/publish/")
    expect(page.get_by_text("An open link cannot know who answered version 1.").first).to_be_visible()
    look(page, "5-publish")
    page.get_by_role("button", name="Publish …").click()
    page.get_by_role("button", name="Publish it").click()
    expect(page.get_by_text("This is a second wave. An open link cannot know")).to_be_visible()
    look(page, "6-field-wave-2")
    second = survey.versions.get(number=2)

    phone = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844}).new_page()
    phone.goto(f"{live.url}/s/deeds/#v={second.sha256}")
    phone.get_by_role("button", name="I agree – begin").click()
    phone.get_by_role("heading", name="Did you answer this survey before?").wait_for()
    look(phone, "7-asked")
    phone.get_by_role("button", name="No, this is the first time").click()
    for question in phone.locator(".question").all():
        question.get_by_text("No", exact=True).click()
    phone.get_by_role("button", name="Continue").click()
    with phone.expect_request("**/responses") as sent:
        phone.get_by_role("button", name="Disguise and send").click()
    phone.get_by_role("heading", name="Thank you").wait_for()
    look(phone, "8-thanks")
    assert set(json.loads(sent.value.post_data or "")) == {"version", "key", "direct", "record", "open", "pad"}

    other = browser.new_context(locale="zh-CN", viewport={"width": 390, "height": 844}).new_page()
    other.goto(f"{live.url}/s/deeds/#v={second.sha256}")
    other.get_by_role("button", name="我同意").click()
    other.get_by_role("button", name="是的，我回答过").click()
    other.get_by_role("heading", name="谢谢：您已经回答过本调查").wait_for()
    look(other, "9-answered-before")

    answer(second, 9_000, seed=2)
    page.goto(f"{studio}/fieldwork/")
    page.get_by_role("button", name="Close the survey …").click()
    page.get_by_role("button", name="Close it for good").click()
    seal_all()
    page.goto(f"{live.url}/staff/studio/versions/{second.pk}/results/")
    expect(page.get_by_text("Sets of answers, by version 2 alone").first).to_be_visible()
    expect(page.get_by_text("Single answers, by versions 1 and 2 together").first).to_be_visible()
    look(page, "10-report")
