"""A questionnaire configured in the admin from nothing, tried, published, answered by invitation, closed and mined."""

import os
import re
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.messages.invite import add_batch
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import seal_closed
from surveys.models import Invitation, Survey
from tests.client.wire import begin, say, send
from tests.e2e.walking import sign_in
from tests.surveys.admin.pages import question_page, step, survey_page
from tests.surveys.making import add_question, make_survey, town_survey
from tests.surveys.sending import send as post
from tests.surveys.sending import signed, submission

pytestmark = pytest.mark.django_db(transaction=True)


def save(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Save and continue editing").click()


def new_row(page: Page, group: str) -> Locator:
    """A new row, which opens with the defaults of an inline."""
    page.locator(f"#{group}-group").get_by_text("Add another").click()
    return page.locator(f"#{group}-group .inline-related:not(.empty-form)").last


def ask(page: Page, identifier: str, text: str, kind: str = "yes or no") -> None:
    row = new_row(page, "questions")
    row.get_by_label("Name in records").fill(identifier)
    row.get_by_label("Type").select_option(label=kind)
    row.get_by_label("Question, English").fill(text)


def names(page: Page) -> list[str]:
    rows = page.locator("#questions-group .inline-related:not(.empty-form)").get_by_label("Name in records")
    return [row.input_value() for row in rows.all()]


@pytest.mark.long
def test_a_questionnaire_from_nothing_to_its_rules(
    live: LiveServer, worker: object, page: Page, browser: Browser, client: Client
) -> None:
    """Texts, blocks, questions, options, order; a try in the real client; publication; invited answers; the rules."""
    console: list[str] = []
    page.context.on("console", lambda message: console.append(message.text))

    sign_in(page, live)
    page.get_by_label("Working title").fill("Sports club")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Short name")).to_have_value("sports-club")
    page.get_by_role("button", name="Save", exact=True).click()

    for label, text in (
        ("Title for respondents", "Life in our club"),
        ("Who asks", "The board of the club."),
        ("Why, and what happens with the answers", "To make the club safer."),
        ("Consent", "I agree."),
        ("Thanks after sending", "Thank you!"),
    ):
        page.get_by_label(f"{label}, English").fill(text)
    page.get_by_label("Who may answer:").select_option(label="one response per invitation")
    page.get_by_label("Report from so many respondents on").fill("20")
    block = page.locator("#blocks-0")
    expect(block.get_by_label("Flips by γ")).to_be_hidden()
    block.get_by_label("Disguised by").select_option(label="flips (yes/no items only)")
    expect(block.get_by_label("chance that the truth stays")).to_be_hidden()
    block.get_by_label("Flips by γ").fill("1")
    block.get_by_label("Radius").fill("4")
    ask(page, "doping", "Have you ever doped?")
    ask(page, "betting", "Have you ever bet on a match of yours?")
    save(page)

    expect(page.locator(".errorlist")).to_have_text("1 is not above 1, the value at which nothing is learnt.")
    page.locator("#blocks-0").get_by_label("Flips by γ").fill("9")
    save(page)
    expect(page.locator(".panel li")).to_have_text("“Sensitive questions” speaks of 5 items and has 2 so far.")
    page.locator("#blocks-0").get_by_label("Radius").fill("0")
    promise = (
        "Someone who thinks that something asked in a disguised question is true of a respondent with a chance of 5 %, "
        "cannot become more than 33 % sure, whatever the disguised answers are."
    )
    expect(page.locator(".promise")).to_have_text(promise)
    expect(page.get_by_text("not saved yet")).to_be_visible()
    save(page)
    expect(page.locator(".promise")).to_have_text(promise)
    expect(page.get_by_text("not saved yet")).to_have_count(0)

    coin = new_row(page, "blocks")
    ask(page, "role", "What are you in the club?", kind="one of several")
    row = page.locator("#questions-2")
    row.get_by_label("Block").select_option(label="New block")
    coin.get_by_label("Name", exact=False).first.fill("Coin")
    expect(row.get_by_label("Block").locator("option:checked")).to_have_text("Coin")
    row.get_by_role("button", name="Move up").click()
    row.get_by_role("button", name="Move up").click()
    assert names(page) == ["role", "doping", "betting"]
    save(page)
    assert names(page) == ["role", "doping", "betting"]
    expect(page.locator("#questions-0").get_by_label("Block").locator("option:checked")).to_have_text("Coin")
    expect(page.locator(".panel li")).to_have_text("“role” has no options yet.")

    page.locator("#questions-group").get_by_role("link", name="Change").first.click()
    for value, label in (("player", "A player"), ("coach", "A coach")):
        option = new_row(page, "options")
        option.get_by_label("Value").fill(value)
        option.get_by_label("Label, English").fill(label)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Nothing is missing")).to_be_visible()

    with page.expect_popup() as opened:
        page.get_by_role("button", name="Try it").click()
    tried = opened.value
    expect(tried.get_by_role("heading", level=1)).to_have_text("Life in our club")
    tried.close()

    page.get_by_role("link", name="Publish", exact=True).click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Version 1 is published.")).to_be_visible()
    expect(page.get_by_text("Have you ever doped?")).to_be_visible()

    page.get_by_role("link", name="Sports club").click()
    page.get_by_role("link", name="Invite").click()
    page.get_by_label("Name of the batch").fill("Members")
    page.get_by_label("How many").fill("20")
    page.get_by_role("button", name="Make the batch").click()
    expect(page.get_by_label("Name of the batch")).to_have_value("")
    with page.expect_download() as handed:
        page.get_by_role("button", name="Download its links, once").click()
    header, *links = [line.strip('"') for line in handed.value.path().read_text().splitlines()]
    assert (header, len(links)) == ("link", 20)

    for link in links[:3]:
        respond(browser, link)
    version = Survey.objects.get().versions.get()
    assert Invitation.objects.exclude(blinded=None).count() == 3
    for _ in links[3:]:
        message = submission(version, token=signed(version, os.urandom(32)))
        assert post(client, "sports-club", message).status_code == 201

    page.get_by_role("link", name="Sports club").click()
    page.get_by_role("link", name="Close", exact=True).click()
    page.get_by_role("button", name="Close the survey").click()
    seal_closed()
    page.reload()
    expect(page.get_by_text(re.compile(r"^Sealed responses: 20 "))).to_be_visible()
    expect(page.get_by_label("Working title")).to_have_count(0)  # nothing can be changed but what closed visitors read
    assert version.snapshots.get().respondents == 20

    page.get_by_role("link", name="Mine", exact=True).click()
    page.get_by_label("Minimum support").fill("0.01")
    page.get_by_label("Minimum confidence").fill("0")
    page.get_by_role("button", name="Start mining").click()
    page.get_by_role("heading", name="Itemsets").wait_for()
    summary = page.locator("section", has=page.get_by_role("heading", name="Summary"))
    expect(summary.locator(".mining-facts")).to_contain_text("20")
    assert [line for line in console if "Content Security Policy" in line] == []


def test_the_choice_of_a_block_follows_the_blocks_on_the_page(live: LiveServer, page: Page) -> None:
    """Names as they are typed; and where a block is taken away again its question falls to the first, not to none."""
    survey = make_survey()
    sign_in(page, live)
    page.goto(live.url + survey_page(survey))
    choice = page.locator("#questions-0").get_by_label("Block")
    for name in ("Second", "Third"):
        new_row(page, "blocks").get_by_label("Name", exact=False).first.fill(name)
    page.locator("#blocks-0").get_by_label("Name", exact=False).first.fill("First")
    ask(page, "added", "Added?")
    assert choice.locator("option").all_inner_texts() == ["—", "First", "Second", "Third"]

    choice.select_option(label="Second")
    page.locator("#questions-1").get_by_label("Block").select_option(label="Third")
    page.locator("#questions-3").get_by_label("Block").select_option(label="Third")
    page.locator("#blocks-1 .inline-deletelink").click()
    expect(choice.locator("option:checked")).to_have_text("First")
    save(page)

    chosen = survey.questions.values_list("identifier", "block__name")
    assert set(chosen) == {("drugs", "First"), ("cheating", "Third"), ("theft", "First"), ("added", "Third")}


def test_a_question_that_no_block_disguises_begins_without_one(live: LiveServer, page: Page) -> None:
    """And comes back into its block with a type that can be disguised: nothing is left open by trying types."""
    survey = make_survey(names=())
    sign_in(page, live)
    page.goto(live.url + survey_page(survey))
    for kind in ("number", "short text (not disguised)", "date (not disguised)"):
        ask(page, kind.split(" ")[0], "Which?", kind=kind)
    row = new_row(page, "questions")
    row.get_by_label("Name in records").fill("drugs")
    row.get_by_label("Question, English").fill("Drugs?")
    for kind in ("number", "date (not disguised)", "yes or no"):
        row.get_by_label("Type").select_option(label=kind)
    save(page)

    assert page.locator(".errorlist").all_inner_texts() == []
    chosen = survey.questions.values_list("identifier", "block__name")
    assert set(chosen) == {("number", None), ("short", None), ("date", None), ("drugs", "all")}


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_question_shows_what_its_type_can_have(live: LiveServer, browser: Browser, scripts: bool) -> None:
    """No block for a date, no options for a number; another type brings them back; what they hold stays in sight."""
    survey = make_survey()
    age, drugs = add_question(survey, "age", type="number", page=2), survey.questions.get(identifier="drugs")
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB")
    page = context.new_page()
    sign_in(page, live)
    page.goto(live.url + question_page(age))
    kind, block = page.get_by_label("Type"), page.get_by_label("Block")
    options = page.locator("#options-group")
    shown = {}
    for value in ("number", "choice", "scale", "date", "yesno"):
        kind.select_option(value)
        shown[value] = (block.is_visible(), options.is_visible())
    page.goto(live.url + question_page(drugs))
    kind.select_option("date")

    assert shown == {
        "number": (True, False),
        "choice": (True, True),
        "scale": (True, False),
        "date": (False, False),
        "yesno": (True, True),
    }
    expect(block).to_be_visible()
    context.close()


def test_a_question_asks_only_for_what_its_type_uses(live: LiveServer, page: Page) -> None:
    """Fields that mean nothing for the type step aside, and the rows below say what they are."""
    survey = make_survey()
    age = add_question(survey, "age", type="choice", block=survey.blocks.get(), page=2)
    sign_in(page, live)
    page.goto(live.url + question_page(age))
    fields = {name: page.get_by_label(name, exact=True) for name in ("Own θ:", "Minimum:", "Options in random order")}
    shown = {}
    for kind in ("choice", "scale", "several"):
        page.get_by_label("Type").select_option(kind)
        shown[kind] = [field.is_visible() for field in fields.values()]

    assert shown == {"choice": [False, False, True], "scale": [False, True, False], "several": [True, False, True]}
    expect(page.locator("#options-group .rows")).to_have_text(
        "Each option is a yes/no item, with its value as the name in records."
    )


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_the_links_of_a_batch_are_offered_once(live: LiveServer, browser: Browser, scripts: bool) -> None:
    """The file comes without a new page: the button gives way to a sentence, without scripts at the next visit."""
    survey = make_survey(access="invitation")
    publish(survey)
    add_batch(survey, "Members", 3)
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB")
    page = context.new_page()
    sign_in(page, live)
    page.goto(live.url + step(survey, "invite"))
    button, said = page.get_by_role("button", name="Download its links, once"), page.get_by_text("were downloaded.")
    expect(said).to_be_hidden()
    with page.expect_download() as handed:
        button.click()
    if scripts:
        expect(said).to_be_focused()
    else:
        page.reload()
    expect(button).to_be_hidden()
    expect(said).to_be_visible()
    assert len(handed.value.path().read_text().splitlines()) == 4
    context.close()


def test_a_title_keeps_the_number_of_its_page(live: LiveServer, page: Page) -> None:
    """A new one is for the next page, and no arrow gives it another number than the one entered."""
    survey = make_survey()
    sign_in(page, live)
    page.goto(live.url + survey_page(survey))
    new_row(page, "pages").locator("[name$=-position]").fill("3")
    row = new_row(page, "pages")

    expect(row.locator("[name$=-position]")).to_have_value("4")
    expect(page.locator("#pages-group").get_by_role("button", name="Move up")).to_have_count(0)


def test_on_a_phone_a_long_questionnaire_is_a_list_that_opens(live: LiveServer, page: Page) -> None:
    """Each question by its words; what was changed inside is saved, and a refusal is never folded away."""
    survey = make_survey(names=("drugs", "cheating", "theft", "fraud"))
    page.set_viewport_size({"width": 390, "height": 800})
    sign_in(page, live)
    page.goto(live.url + survey_page(survey))
    first = page.locator("#questions-0")
    expect(first.get_by_label("Name in records")).to_be_hidden()
    first.locator("summary", has_text="drugs?").click()
    first.get_by_label("Name in records").fill("Drugs")
    save(page)

    expect(first.locator(".errorlist")).to_be_visible()
    expect(page.locator("#questions-1").get_by_label("Name in records")).to_be_hidden()
    first.get_by_label("Name in records").fill("medicine")
    save(page)
    assert survey.questions.filter(identifier="medicine").exists()


def respond(browser: Browser, link: str) -> None:
    """On a phone of their own, by their own invitation."""
    context = browser.new_context(locale="en-GB", viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(link)
    begin(page)
    say(page, "What are you in the club?", "A player")
    say(page, "Have you ever doped?", "No")
    say(page, "Have you ever bet on a match of yours?", "Yes")
    page.get_by_role("button", name="Continue").click()
    send(page)
    page.get_by_role("heading", name="Thank you").wait_for()
    context.close()


def edit_zones(page: Page, live: LiveServer) -> None:
    """The page of the question of a survey with a map of 1000 by 800 in cells of 10, and its one zone."""
    survey = town_survey()
    sign_in(page, live)
    page.goto(f"{live.url}{question_page(survey.questions.get())}")
    page.locator("svg.zone-map .zone").wait_for()


def numbers(page: Page) -> list[list[str]]:
    rows = page.locator(".zone-row").all()
    return [[box.input_value() for box in row.locator("input").all()] for row in rows]


def drag(page: Page, start: tuple[float, float], stop: tuple[float, float]) -> None:
    """From one place of the map to another, in its units."""
    # Looked at in one go: the map is drawn anew whenever the server says what becomes of the zones.
    left, top, width = page.locator("svg.zone-map").evaluate(
        "map => { const box = map.querySelector('.ground').getBoundingClientRect(); return [box.x, box.y, box.width]; }"
    )
    scale = width / 1000
    points = [(left + x * scale, top + (800 - y) * scale) for x, y in (start, stop)]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=4)
    page.mouse.up()


def test_zones_are_drawn_moved_and_resized_by_pointer(live: LiveServer, page: Page) -> None:
    """The numbers follow, what becomes of the zones is drawn at once, and what was drawn is saved."""
    edit_zones(page, live)
    page.locator("svg.zone-map").scroll_into_view_if_needed()

    drag(page, (102, 98), (251, 251))
    drag(page, (500, 400), (600, 500))
    drag(page, (700, 600), (800, 700))

    assert numbers(page) == [["500", "400", "300", "300"], ["100", "100", "150", "150"]]
    expect(page.locator("svg.zone-map .merged")).to_have_count(2)
    expect(page.locator(".zone-editor [role=status]")).to_contain_text("grown to the square of")
    save(page)
    assert Survey.objects.get().questions.get().settings["zones"] == [[500, 400, 300, 300], [100, 100, 150, 150]]


def test_zones_are_entered_by_keyboard_alone(live: LiveServer, page: Page, axe: Callable[[Page], list[str]]) -> None:
    """Native number fields, kept in step with the map; a zone is added and taken away with buttons."""
    edit_zones(page, live)
    page.get_by_role("button", name="Add a zone").focus()
    page.keyboard.press("Enter")
    for number in ("50", "60", "200", "120"):
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(number)
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert numbers(page)[1] == ["50", "60", "200", "120"]
    drawn = page.locator("svg.zone-map .zone").nth(1)
    assert [drawn.get_attribute(name) for name in ("x", "y", "width", "height")] == ["50", "60", "200", "120"]
    expect(page.locator("svg.zone-map .merged").first).to_be_attached()
    problems = axe(page)

    page.get_by_role("button", name="Remove").first.focus()
    page.keyboard.press("Enter")
    assert numbers(page) == [["50", "60", "200", "120"]]
    save(page)
    assert Survey.objects.get().questions.get().settings["zones"] == [[50, 60, 200, 120]]
    assert problems == []
