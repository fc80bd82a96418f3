"""The writing page in a browser, by the keyboard alone: what is typed is stored, nothing of two editors is lost."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from surveys.domain.drafts.protect import usual
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft, empty, questions, read_document, sensitive
from surveys.models import Survey
from surveys.studio import home
from surveys.studio.alternatives import price_of_skipping
from tests.surveys.making import add_question, make_survey
from tests.surveys.staff import page_of, somebody
from tests.surveys.studio.conftest import wait_until_saved

TEN = [f"Have you ever done thing {letter}?" for letter in "abcdefghij"]


class Hands:
    """Somebody at the keyboard: each key counts, and so does each text that is typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1

    def type(self, text: str) -> None:
        self.page.keyboard.insert_text(text)
        self.count += 1


@pytest.fixture
def survey(signed_in: Page, live: LiveServer) -> Survey:
    """A new one, whose page is open."""
    survey = home.begin(User.objects.get(), empty("New survey", ["en"]) | {"protection": usual()})
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/")
    return survey


def add(page: Page, lines: str) -> None:
    """Type questions where new ones are added, and add them."""
    page.locator("#add-lines").fill(lines)
    page.locator("#add-lines").press("Enter")


def second_editor(browser: Browser, live: LiveServer, survey: Survey) -> Page:
    """The same draft in the browser of somebody else."""
    page = page_of(somebody("change"), browser, live)
    page.goto(f"{live.url}/staff/studio/{survey.pk}/")
    return page


def question(page: Page, number: int) -> Locator:
    """The text of a question, whose card is opened for it."""
    card = page.locator(".page .q").nth(number - 1)
    expect(card).to_be_attached()
    if card.get_attribute("open") is None:
        card.locator("> summary").click()
    return page.get_by_role("textbox", name=f"Question {number}", exact=True)


@pytest.mark.long
def test_ten_questions_one_choice_and_three_open_ones_need_few_keys(
    live: LiveServer, signed_in: Page, axe: Callable[[Page], list[str]]
) -> None:
    """At most 60 keys and texts, from the start page on: the administration took 120."""
    hands = Hands(signed_in)
    signed_in.goto(f"{live.url}/staff/studio/")
    signed_in.get_by_role("button", name="New survey").focus()
    hands.press("Enter")
    signed_in.wait_for_url("**/staff/studio/*/")
    survey = Survey.objects.get()
    expect(signed_in.locator("#add-lines")).to_be_focused()

    for text in TEN:
        hands.type(text)
        hands.press("Enter")
    hands.press("Tab")
    signed_in.keyboard.type("one")
    hands.count += 1
    hands.press("Shift+Tab")
    hands.type("How old are you?")
    hands.press("Enter")  # goes on to the options
    hands.type("18-29\n30-49\n50 or older")
    hands.press("Control+Enter")
    hands.press("Tab")
    signed_in.keyboard.type("text")
    hands.count += 1
    hands.press("Shift+Tab")
    for text in ("What is your work?", "Where do you live?", "What else?"):
        hands.type(text)
        hands.press("Enter")
    wait_until_saved(signed_in)

    kinds = [question["type"] for question in questions(read_document(survey))]
    assert kinds == ["yesno"] * 10 + ["choice"] + ["text"] * 3
    assert len(sensitive(read_document(survey))) == 11
    assert hands.count <= 60, hands.count
    assert axe(signed_in) == []


@pytest.mark.long
def test_what_is_typed_is_saved_undone_and_made_again(signed_in: Page, survey: Survey) -> None:
    """A text is sent a moment after the last letter; undo and redo are buttons. The steps beside say what changed."""
    steps = signed_in.get_by_role("navigation", name="Steps of this survey")
    expect(steps).to_contain_text("no question yet")
    add(signed_in, "One?\nTwo?")
    text = question(signed_in, 1)
    expect(steps).to_contain_text("2 questions")
    expect(text).to_have_value("One?")
    text.fill("First?")
    wait_until_saved(signed_in)
    assert next(questions(read_document(survey)))["text"] == {"en": "First?"}

    signed_in.get_by_role("button", name="Undo").click()
    expect(text).to_have_value("One?")
    signed_in.get_by_role("button", name="Redo").click()
    expect(text).to_have_value("First?")
    text.press("Alt+ArrowDown")
    expect(signed_in.locator(".page .q > summary").first).to_contain_text("Two?")
    wait_until_saved(signed_in)

    assert [question["text"]["en"] for question in questions(read_document(survey))] == ["Two?", "First?"]


@pytest.mark.long
def test_a_number_is_added_as_sensitive_as_it_was_ticked(signed_in: Page, survey: Survey) -> None:
    """It has no “Prefer not to say”; what its disguise still needs is said at its card and in the list."""
    sensitive_tick, skip_tick = (signed_in.locator(f"#add-{name}") for name in ("sensitive", "skip"))
    signed_in.locator("#add-type").select_option("number")
    expect(sensitive_tick).to_be_checked()
    expect(skip_tick).to_be_disabled()
    add(signed_in, "How often?")
    sensitive_tick.uncheck()
    add(signed_in, "How old?")
    wait_until_saved(signed_in)

    assert sensitive(read_document(survey)) == {"often"}
    question(signed_in, 1)
    expect(signed_in.locator("#q-often .problem")).to_have_text("A disguised number needs a minimum and a maximum.")
    needs = "“{}” needs a minimum and a maximum to be disguised."
    said = missing(Draft.load(survey))
    assert (needs.format("How often?") in said, needs.format("How old?") in said) == (True, False)


@pytest.mark.long
def test_the_price_of_prefer_not_to_say_comes_to_the_open_question(signed_in: Page, survey: Survey) -> None:
    """As it is for the draft of this moment: it is asked when the question opens, and again after each change."""
    add(signed_in, "One?\nTwo?\nThree?")
    question(signed_in, 1)
    tick = signed_in.locator("#q-one").get_by_role("checkbox", name="“Prefer not to say”")
    price = tick.locator("xpath=..").locator("[data-price]")
    expect(price).to_have_text(price_of_skipping(survey, read_document(survey), "one"))
    before = price.text_content()

    tick.uncheck()
    signed_in.get_by_role("button", name="Undo").click()
    add(signed_in, "Four?\nFive?")
    wait_until_saved(signed_in)

    expect(price).to_have_text(price_of_skipping(survey, read_document(survey), "one"))
    assert price.text_content() != before


def test_a_warning_about_a_text_stays_until_one_of_both_is_chosen(
    live: LiveServer, signed_in: Page, browser: Browser, survey: Survey
) -> None:
    """Both texts stand in it, the field keeps what was written there, and nothing is called saved; no other field that
    is changed meanwhile chooses for the reader.
    """
    other = second_editor(browser, live, survey)
    fields = {name: f"#opening [data-change*='\"{name}\"']" for name in ("closing", "who")}
    for page in (signed_in, other):
        page.locator("#opening summary").first.click()

    signed_in.locator(fields["closing"]).fill("Thanks of A")
    wait_until_saved(signed_in)
    other.locator(fields["closing"]).fill("Thanks of B")
    warning = other.locator("section[role=alert]")
    expect(warning).to_contain_text("has changed this in the meantime. thanks after sending")
    other.locator(fields["who"]).fill("University of B")
    expect(other.locator("#state")).to_have_text("Not saved yet: choose above which text stays.")

    assert read_document(survey)["who"] == {"en": "University of B"}
    assert read_document(survey)["closing"] == {"en": "Thanks of A"}
    assert warning.locator("dd").all_text_contents() == ["Thanks of B", "Thanks of A"]
    expect(other.locator(fields["closing"])).to_have_value("Thanks of B")
    other.locator(fields["closing"]).fill("Thanks of B, again")
    expect(warning.locator("dd").first).to_have_text("Thanks of B, again")
    signed_in.locator(fields["closing"]).fill("Thanks of A, later")
    wait_until_saved(signed_in)
    warning.get_by_role("button", name="Keep what I wrote").click()
    expect(warning.locator("dd").last).to_have_text("Thanks of A, later")
    assert read_document(survey)["closing"] == {"en": "Thanks of A, later"}
    warning.get_by_role("button", name="Take theirs").click()
    wait_until_saved(other)
    expect(warning).to_have_count(0)
    expect(other.locator(fields["closing"])).to_have_value("Thanks of A, later")
    other.context.close()


@pytest.mark.long
def test_a_text_that_was_read_before_another_changed_it_is_no_newer_than_that(
    live: LiveServer, signed_in: Page, browser: Browser, survey: Survey
) -> None:
    """Whoever stands in a field, and changes something else by a key, has not seen what came since. Nor when the focus
    comes back to it: the preview takes it for a moment when it begins again, as another window does.
    """
    other = second_editor(browser, live, survey)
    heading = "#opening [data-change*='\"heading\"']"
    add(other, "One?")
    wait_until_saved(other)
    for page in (signed_in, other):
        page.locator("#opening summary").first.click()
    other.locator(heading).focus()

    signed_in.locator(heading).fill("Title of A")
    wait_until_saved(signed_in)
    other.evaluate("import('/static/studio/write.js').then(({make}) => make({do: 'duplicate', question: 'one'}))")
    expect(other.locator(".page .q")).to_have_count(2)
    other.locator(heading).blur()
    other.locator(heading).fill("Title of B")

    expect(other.locator("section[role=alert] dd").last).to_have_text("Title of A")
    assert read_document(survey)["heading"] == {"en": "Title of A"}
    other.context.close()


def test_the_preview_is_the_page_of_respondents_and_stores_nothing(signed_in: Page, survey: Survey) -> None:
    """It stands beside the questionnaire, shows the draft, and what is sent from it is nowhere."""
    add(signed_in, "Have you ever stolen?")
    wait_until_saved(signed_in)
    frame = signed_in.frame_locator("#preview iframe")

    frame.get_by_role("button", name="Begin").click()
    frame.get_by_text("Have you ever stolen?").wait_for()
    frame.get_by_label("Yes").check()
    frame.get_by_role("button", name="Continue").click()
    frame.get_by_role("button", name="Disguise and send").click()
    frame.get_by_text("receipt", exact=False).first.wait_for()

    assert (survey.versions.count(), survey.trials.count()) == (0, 0)


def test_a_number_that_is_refused_is_said_at_its_field(live: LiveServer, signed_in: Page) -> None:
    """The focus is back there, it is described by the sentence, which the next number takes away."""
    survey = make_survey(names=("drugs",))
    add_question(survey, "faculty", type="choice", options=(("law", "Law"), ("arts", "Arts")))
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/#q-faculty")
    signed_in.locator("#q-faculty .fold > summary").click()
    law = signed_in.get_by_role("group", name="Enough people").get_by_label("Law")
    law.fill("19")
    law.press("Tab")
    sentence = "A group has enough people with 20 to 10000000, not with “19”."
    expect(law).to_have_accessible_description(sentence)
    expect(law).to_be_focused()
    expect(law).to_have_attribute("aria-invalid", "true")
    expect(signed_in.get_by_role("alert")).to_have_text(sentence)
    assert signed_in.locator("#q-faculty .problem").count() == 0
    law.fill("40")
    law.press("Tab")
    wait_until_saved(signed_in)
    expect(signed_in.get_by_role("alert")).to_have_count(0)
    expect(law).to_have_accessible_description("")
    assert next(one["enough"] for one in questions(read_document(survey)) if one["id"] == "faculty") == {"law": 40}


def add_place(page: Page) -> Locator:
    """A question for a place on a map of 1000 by 800 in cells of 10."""
    page.locator("#add-type").select_option("place")
    add(page, "Where do you live?")
    asked = page.locator("#q-live")
    asked.locator("summary").first.click()
    for field, value in (("Width", "1000"), ("Height", "800"), ("Cell", "10")):
        asked.get_by_label(field, exact=True).fill(value)
        asked.get_by_label(field, exact=True).blur()
        wait_until_saved(page)
    return asked


def lengths(asked: Locator) -> list[str]:
    return [box.input_value() for box in asked.locator(".zone-row input").all()]


@pytest.mark.long
def test_zones_of_a_map_are_drawn_and_resized_by_pointer(signed_in: Page, survey: Survey) -> None:
    """What was drawn is stored at once, with the zones as they are used, what they mean, and the promise."""
    asked = add_place(signed_in)
    picture = asked.locator("svg.zone-map")
    for start, stop in (((102, 98), (251, 251)), ((250, 250), (350, 300))):
        picture.scroll_into_view_if_needed()
        box = picture.locator(".ground").bounding_box()
        assert box
        scale = box["width"] / 1000
        points = [(box["x"] + x * scale, box["y"] + (800 - y) * scale) for x, y in (start, stop)]
        signed_in.mouse.move(*points[0])
        signed_in.mouse.down()
        signed_in.mouse.move(*points[1], steps=3)
        signed_in.mouse.up()
        expect(picture.locator(".merged")).to_have_count(1)
        wait_until_saved(signed_in)

    assert lengths(asked) == ["100", "100", "250", "200"]
    assert next(questions(read_document(survey)))["settings"]["zones"] == [[100, 100, 250, 200]]
    expect(asked.get_by_role("status")).to_contain_text("grown to the square of")
    expect(signed_in.locator("[data-panel=pledge]")).to_contain_text("outside the shaded zones is true")


@pytest.mark.long
def test_zones_of_a_map_are_entered_by_keyboard(
    signed_in: Page, axe: Callable[[Page], list[str]], survey: Survey
) -> None:
    """A button adds one in the middle; its numbers keep the focus while the map follows; a button takes it away."""
    asked = add_place(signed_in)
    asked.get_by_role("button", name="Add a zone").press("Enter")
    wait_until_saved(signed_in)
    assert lengths(asked) == ["380", "300", "250", "200"]
    left = asked.get_by_label("left")
    left.press("ControlOrMeta+a")
    left.press_sequentially("50")
    wait_until_saved(signed_in)
    expect(left).to_be_focused()
    expect(asked.locator("svg.zone-map .zone")).to_have_attribute("x", "50")
    assert axe(signed_in) == []

    asked.get_by_role("button", name="Remove").press("Enter")
    expect(asked.locator(".zone-row")).to_have_count(0)
    wait_until_saved(signed_in)
    assert "zones" not in next(questions(read_document(survey)))["settings"]


@pytest.mark.long
def test_questions_are_opened_moved_doubled_and_deleted_by_keys(signed_in: Page, survey: Survey) -> None:
    """The arrows go from line to line, Escape leaves the fields, and what was deleted comes back with one press."""
    add(signed_in, "One?\nTwo?\nThree?")
    lines = signed_in.locator(".page .q > summary")
    expect(lines).to_have_count(3)
    lines.first.focus()
    press = signed_in.keyboard.press

    press("ArrowDown")
    expect(lines.nth(1)).to_be_focused()
    press("Enter")
    text = signed_in.get_by_role("textbox", name="Question 2", exact=True)
    text.fill("Second?")
    press("Escape")
    expect(text).to_have_count(0)
    expect(lines.nth(1)).to_be_focused()
    expect(lines.nth(1)).to_contain_text("Second?")
    preview = signed_in.locator("#preview iframe").element_handle()
    press("d")
    expect(lines).to_have_count(4)
    preview.wait_for_element_state("hidden")  # another one is shown in its place, which takes no focus
    expect(signed_in.locator("#preview iframe:not([inert])")).to_have_count(1)
    expect(lines.nth(1)).to_be_focused()
    press("Delete")
    expect(lines).to_have_count(3)
    expect(signed_in.get_by_role("alert")).to_contain_text("The question is deleted.")
    signed_in.get_by_role("alert").get_by_role("button", name="Undo").click()
    expect(lines).to_have_count(4)
    expect(lines.nth(1)).to_be_focused()
    press("?")
    expect(signed_in.get_by_role("dialog", name="Keys")).to_be_visible()
    wait_until_saved(signed_in)

    assert [question["text"]["en"] for question in questions(read_document(survey))] == [
        "One?",
        "Second?",
        "Second?",
        "Three?",
    ]


@pytest.mark.long
def test_a_new_page_takes_the_questions_after_it_along(signed_in: Page, survey: Survey) -> None:
    """They stay on the sheet, open or closed: only where they stand has changed."""
    add(signed_in, "One?\nTwo?\nThree?\nFour?")
    lines = signed_in.locator(".page .q > summary")
    expect(lines).to_have_count(4)
    question(signed_in, 2)

    signed_in.locator(".page .q").nth(1).get_by_role("button", name="New page here").click()

    wait_until_saved(signed_in)
    expect(lines).to_have_count(4)
    expect(signed_in.get_by_role("region", name="Page 2 of 2").locator(".q > summary")).to_have_count(3)


@pytest.mark.long
def test_nothing_can_be_typed_before_the_page_could_send_it(live: LiveServer, signed_in: Page) -> None:
    """On a slow network the fields are there before their script: what was typed then was lost, and called saved."""
    held: list[Route] = []
    signed_in.route("**/studio/write.js", lambda route: held.append(route))
    signed_in.goto(f"{live.url}/staff/studio/")
    with signed_in.expect_request("**/studio/write.js"):
        signed_in.get_by_role("button", name="New survey").click()
    expect(signed_in.locator("#add-lines")).to_be_disabled()
    held.pop().continue_()
    add(signed_in, "One?")
    expect(signed_in.locator(".page .q > summary")).to_contain_text(["One?"])
    wait_until_saved(signed_in)

    assert [question["text"]["en"] for question in questions(read_document(Survey.objects.get()))] == ["One?"]


@pytest.mark.long
def test_a_text_that_is_still_being_typed_is_not_called_saved(signed_in: Page, survey: Survey) -> None:
    """Also when the answer to the change before it comes."""
    signed_in.get_by_text("Opening page").click()
    signed_in.get_by_label("Working title").fill("Mine")
    signed_in.locator("#languages summary").first.click()
    signed_in.locator("#languages").get_by_text("More", exact=True).click()
    languages = signed_in.get_by_label("Languages by their tags, such as en zh-hans: the main one first")
    languages.fill("en de")  # it is sent only when it is left
    expect(signed_in.locator(".crumbs .title")).to_have_text("Mine")
    assert signed_in.locator("#state").text_content() == "Saving…"
    languages.blur()
    wait_until_saved(signed_in)

    assert read_document(survey)["languages"] == ["en", "de"]


def test_what_is_typed_while_a_text_is_on_its_way_is_saved(signed_in: Page, survey: Survey) -> None:
    """On a slow site, too: who goes on in the same field loses no letter."""
    held = list[Route]()
    signed_in.get_by_text("Opening page").click()
    field = signed_in.get_by_label("Why, and what happens")
    signed_in.route("**/change/", lambda route: held.append(route), times=1)
    field.press_sequentially("We ask")
    while not held:
        signed_in.wait_for_timeout(50)
    with signed_in.expect_event("requestfinished", lambda sent: sent.url.endswith("/change/")):
        field.press_sequentially(" because we do not know")
        signed_in.wait_for_timeout(700)  # a moment after the last letter it is to be sent
        held[0].continue_()
    wait_until_saved(signed_in)

    assert read_document(survey)["why"] == {"en": "We ask because we do not know"}


@pytest.mark.long
def test_a_text_that_waits_stands_where_it_was_typed(signed_in: Page, survey: Survey) -> None:
    """On a slow site the answer to an earlier change of the same part does not know it yet."""
    held = list[Route]()
    signed_in.get_by_text("Opening page").click()
    signed_in.route("**/change/", lambda route: held.append(route))
    why, name = signed_in.get_by_label("Why, and what happens"), signed_in.get_by_label("Short name, after /s/")
    signed_in.get_by_label("Working title").fill("Mine")
    why.fill("We do not know")
    name.fill("not-known")
    signed_in.locator("#add-lines").focus()
    for _ in range(3):
        while not held:
            signed_in.wait_for_timeout(50)
        assert (why.input_value(), name.input_value()) == ("We do not know", "not-known")
        held.pop().continue_()
    wait_until_saved(signed_in)

    document = read_document(survey)
    assert (document["title"], document["why"]) == ("Mine", {"en": "We do not know"})
    survey.refresh_from_db()
    assert survey.slug == "not-known"


@pytest.mark.long
def test_an_undo_names_what_was_still_on_its_way_when_it_was_pressed(signed_in: Page, survey: Survey) -> None:
    """It takes the newest change back, which the button did not name yet."""
    add(signed_in, "One?")
    text = question(signed_in, 1)
    wait_until_saved(signed_in)
    held = list[Route]()
    signed_in.route("**/change/", lambda route: held.append(route), times=1)
    text.fill("First?")
    signed_in.get_by_role("button", name="Undo").click()
    while not held:
        signed_in.wait_for_timeout(50)

    held[0].continue_()

    expect(signed_in.locator("#notice")).to_have_text("question changed: “First?” · taken back")


@pytest.mark.long
def test_questions_that_are_not_added_yet_are_not_lost_without_a_word(signed_in: Page, survey: Survey) -> None:
    """The browser asks before the page is left; once they are added, or gone, it does not."""
    asked: list[str] = []
    signed_in.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    lines = signed_in.locator("#add-lines")
    for text, keys, told in (
        ("One?\nTwo?", [], ["beforeunload"]),
        ("One?\nTwo?", ["Enter"], []),
        (" ", [], []),
    ):
        lines.click()
        lines.fill(text)
        for key in keys:
            lines.press(key)
        wait_until_saved(signed_in)
        signed_in.reload()
        assert (text, keys, asked) == (text, keys, told)
        asked.clear()

    assert [question["text"]["en"] for question in questions(read_document(survey))] == ["One?", "Two?"]


@pytest.mark.long
def test_a_draft_of_fourteen_questions_is_short(signed_in: Page, survey: Survey) -> None:
    """At most 45 controls to see, 120 with closed folds and menus, on 3 200 pixels; an undisguised question has its
    fields.
    """
    add(signed_in, "\n".join([*TEN, "Eleven?", "Twelve?", "Thirteen?", "Fourteen?"]))
    expect(signed_in.locator(".page .q")).to_have_count(14)
    wait_until_saved(signed_in)
    count = """() => {
        const all = [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")];
        return [all.filter(one => one.checkVisibility()).length, all.length, document.documentElement.scrollHeight];
    }"""
    seen, there, height = signed_in.evaluate(count)
    assert (seen <= 45, there <= 120, height <= 3200) == (True, True, True), (seen, there, height)

    expect(question(signed_in, 3)).to_be_visible()
    assert signed_in.evaluate(count)[0] > seen + 5


@pytest.mark.long
def test_a_missing_translation_is_typed_where_publishing_leads(
    live: LiveServer, signed_in: Page, survey: Survey
) -> None:
    """Ready-made answers too: the link opens the question with its fields in the other language."""
    add(signed_in, "One?")
    wait_until_saved(signed_in)
    signed_in.locator("#languages summary").first.click()
    signed_in.get_by_label("Also in").select_option(label="Danish – dansk")
    wait_until_saved(signed_in)
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/publish/")
    gap = signed_in.get_by_role("listitem").filter(has_text="“One? · Prefer not to say” has no text in Danish.")
    gap.get_by_role("link").click()

    signed_in.get_by_label("Answer “Prefer not to say”, Danish").fill("Ønsker ikke at svare")
    wait_until_saved(signed_in)
    (asked,) = questions(read_document(survey))
    assert asked["options"][-1]["label"] == {"en": "Prefer not to say", "da": "Ønsker ikke at svare"}


@pytest.mark.long
def test_a_question_that_is_pressed_stays_where_it_was_pressed(live: LiveServer, signed_in: Page) -> None:
    """A longer one above it closes, and would pull it out of sight."""
    survey = make_survey(names=tuple("abcdefgh"))
    signed_in.goto(f"{live.url}/staff/studio/{survey.pk}/#q-a")
    signed_in.get_by_text("More: help text").click()
    pressed = signed_in.locator("#q-c summary").first
    pressed.scroll_into_view_if_needed()
    before = pressed.bounding_box()
    pressed.click()
    expect(signed_in.get_by_role("textbox", name="Question 3", exact=True)).to_be_visible()
    signed_in.wait_for_timeout(200)
    after = pressed.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 2
