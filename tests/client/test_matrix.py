"""Statements on one scale in the browser: a table where there is room, a list on phones, and the way to the receipt."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cases import first
from tests.client.questionnaires import statements
from tests.client.wire import Wire, arrive, begin, say, send

Axe = Callable[[Page], list[str]]
WIDTHS = {"phone": 390, "desk": 1280}
BOSS, REPORT, RULES, LEAVE = "My supervisor", "Whoever reports", "I break safety rules", "I am looking"


@pytest.fixture(params=first(1, WIDTHS))
def page_of_width(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", viewport={"width": WIDTHS[request.param], "height": 900})
    yield context.new_page()
    context.close()


def visit(page: Page, ask: int | None = None, direct: bool = False, **more: object) -> Wire:
    wire = Wire(statements(ask, **more)).attach(page.context)
    page.goto(wire.link())
    page.get_by_role("heading", level=1).wait_for()
    begin(page, direct)
    page.locator(".matrix").wait_for()
    return wire


def go_on(page: Page) -> None:
    page.get_by_role("button", name="Continue").click()


def agree(page: Page) -> None:
    """Answer the first page: four statements on five named points."""
    for words, point in ((BOSS, "Agree"), (REPORT, "Strongly disagree"), (RULES, "Neither"), (LEAVE, "Strongly agree")):
        say(page, words, point)
    go_on(page)


def lines(page: Page, selector: str) -> list[list[str]]:
    return [line.inner_text().split("\n") for line in page.locator(f"{selector} .line").all()]


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (1280, 5)])
def test_statements_are_a_list_on_a_phone_and_a_table_on_a_desk(page: Page, width: int, columns: int) -> None:
    """On a phone every point says its words; in the table the words stand once, above their column."""
    page.set_viewport_size({"width": width, "height": 900})
    visit(page)
    row = page.get_by_role("radiogroup", name=BOSS).get_by_role("radio")
    places = [radio.bounding_box() or {} for radio in row.all()]
    assert len({round(place["x"]) for place in places}) == columns
    assert page.locator(".points").is_visible() == (columns > 1)
    if columns > 1:
        centres = [place["x"] + place["width"] / 2 for place in places]
        heads = [head.bounding_box() or {} for head in page.locator(".points span:not(:empty)").all()]
        assert [abs(head["x"] + head["width"] / 2 - x) < 2 for head, x in zip(heads, centres, strict=True)] == [
            True
        ] * 5


def test_every_radio_has_its_point_and_its_group_the_statement_as_a_name(page_of_width: Page) -> None:
    """A person who hears the page hears the same, wide or narrow."""
    visit(page_of_width)
    group = page_of_width.get_by_role("radiogroup", name="I break safety rules to save time", exact=True)
    expect(group.get_by_role("radio")).to_have_count(5)
    assert [group.get_by_role("radio", name=name, exact=True).count() for name in ("Agree", "Strongly agree")] == [1, 1]


@pytest.mark.long
def test_the_way_from_the_statements_to_the_receipt(page_of_width: Page, axe: Axe) -> None:
    """Answers survive going back, the review tells each statement, and the receipt what was sent; axe is content."""
    wire = visit(page_of_width, direct=True)
    problems = axe(page_of_width)
    agree(page_of_width)
    page_of_width.locator("#q-canteen").wait_for()
    page_of_width.get_by_role("button", name="Back").click()
    checked = [radio.get_attribute("value") for radio in page_of_width.locator(".matrix :checked").all()]
    go_on(page_of_width)
    say(page_of_width, "Taste", "4")
    assert page_of_width.locator("#q-dear").is_hidden()
    say(page_of_width, "Price", "1")
    problems += axe(page_of_width)
    page_of_width.get_by_label("What is too dear?").fill("soup")
    go_on(page_of_width)
    page_of_width.get_by_role("heading", name="Check your answers").wait_for()
    problems += axe(page_of_width)
    reviewed = lines(page_of_width, "dl")
    send(page_of_width)
    page_of_width.get_by_role("heading", name="Thank you").wait_for()
    problems += axe(page_of_width)

    sent = json.loads(wire.posts[0])
    assert checked == ["4", "1", "3", "5"]
    assert (sent["record"], sent["open"]) == ([3, 0, 2, 4], {"canteen": {"taste": "4", "price": "1"}, "dear": "soup"})
    assert reviewed == [
        ["My supervisor humiliates people in front of others", "Agree"],
        ["Whoever reports a mistake here has to fear for the job", "Strongly disagree"],
        ["I break safety rules to save time", "Neither"],
        ["I am looking for another job", "Strongly agree"],
        ["Taste", "4"],
        ["Price", "1"],
    ]
    sent_in_words = [f"“{answer}” was sent." for _statement, answer in reviewed[:4]]
    assert [
        one for one in page_of_width.locator(".sent li p").all_text_contents() if "was sent" in one
    ] == sent_in_words
    page_of_width.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    assert lines(page_of_width, ".sent") == reviewed[4:]
    assert (problems, wire.said) == ([], [])


@pytest.mark.long
def test_a_statement_without_an_answer_is_asked_again(page_of_width: Page, axe: Axe) -> None:
    """The page says so, stands at the first such statement, and goes on once it is answered."""
    visit(page_of_width)
    for words in (BOSS, RULES, LEAVE):
        say(page_of_width, words, "Disagree")
    go_on(page_of_width)
    assert page_of_width.locator(".error").inner_text() == "Please answer every statement."
    assert page_of_width.evaluate("document.activeElement.closest('fieldset').innerText").startswith(REPORT)
    assert axe(page_of_width) == []
    say(page_of_width, REPORT, "Agree")
    go_on(page_of_width)
    page_of_width.locator("#q-canteen").wait_for()


@pytest.mark.long
def test_an_open_matrix_may_be_left_empty_unless_it_is_required(page: Page) -> None:
    """No answer is sent where none was given."""
    wire = visit(page)
    agree(page)
    page.locator("#q-canteen").wait_for()
    go_on(page)
    arrive(page)
    assert json.loads(wire.posts[0])["open"] == {}


@pytest.mark.long
def test_statements_may_stand_in_random_order(page: Page) -> None:
    """The order is drawn on the device; points keep theirs, and what is sent stands in the questionnaire's order."""
    orders = set()
    for _visit in range(12):
        wire = visit(page, direct=True, shuffle=True)
        agree(page)
        page.locator("#q-canteen").wait_for()
        rows = page.locator(".matrix fieldset")
        orders.add(tuple(rows.locator("legend").all_inner_texts()))
        assert rows.first.locator(".option").all_inner_texts() == list("12345")
        for name in ("Queue", "Taste", "Price"):
            say(page, name, "3")
        go_on(page)
        arrive(page)
        assert list(json.loads(wire.posts[0])["open"]["canteen"]) == ["taste", "price", "queue"]
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")
        if len(orders) > 1:
            break
    assert len(orders) > 1


@pytest.mark.long
def test_the_keyboard_is_enough_for_a_matrix(page_of_width: Page) -> None:
    """Tab goes from statement to statement, the arrows along the points."""
    visit(page_of_width)
    page_of_width.locator(".matrix input").first.focus()
    for keys in (["Space"], ["ArrowRight"], ["ArrowDown", "ArrowDown"], ["ArrowLeft"]):
        for key in keys:
            page_of_width.keyboard.press(key)
        page_of_width.keyboard.press("Tab")
    assert [radio.get_attribute("value") for radio in page_of_width.locator(".matrix :checked").all()] == [
        "1",
        "2",
        "3",
        "5",
    ]
    page_of_width.keyboard.press("Enter")
    page_of_width.locator("#q-canteen").wait_for()
