"""Places in the browser: a pin by pointer, by keyboard alone or by the device's position, to the receipt."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.client.questionnaires import places
from tests.client.wire import Wire, begin, send

Axe = Callable[[Page], list[str]]


def visit(page: Page, **more: Any) -> Wire:
    wire = Wire(places(**more)).attach(page.context)
    page.goto(wire.link())
    page.get_by_role("heading", level=1).wait_for()
    begin(page)
    page.locator("svg.map").first.wait_for()
    return wire


def press(page: Page, question: str, across: float, up: float) -> None:
    """Press the map at shares of its width and height, from the bottom left."""
    box = page.locator(f"#q-{question} svg.map").bounding_box() or {}
    page.mouse.click(box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"])


def place_in_words(page: Page, question: str) -> str:
    return page.locator(f"#q-{question} .help[role=status]").inner_text()


@pytest.mark.long
def test_a_pin_is_set_by_pointer_and_sent_as_a_cell(page: Page, axe: Axe) -> None:
    """The page says in words where the pin is; what is sent are two codes of cells, and the receipt tells them."""
    wire = visit(page)
    assert place_in_words(page, "home") == "No place yet."
    press(page, "home", 0.51, 0.26)
    page.locator("#q-work svg.map").scroll_into_view_if_needed()
    press(page, "work", 0.505, 0.505)

    assert place_in_words(page, "home") == "Column 11 of 20, row 6 of 20."
    assert place_in_words(page, "work") == "Column 51 of 100, row 41 of 80, in a shaded zone."
    problems = axe(page)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Column 11 of 20, row 6 of 20")).to_be_visible()
    send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()

    home, work = json.loads(wire.posts[0])["record"]
    assert 0 <= home < 400
    assert 0 <= work < 8000
    assert page.locator(".sent p", has_text="Column").count() == 2
    said = page.locator("main > details").first.locator("> p").all_text_contents()
    assert said[0] == "A place outside the shaded zones is yours. One inside is perhaps yours, perhaps chance’s."
    assert said[-3:-1] == ["The other answers, taken alone:", "Perhaps yours, perhaps random: nobody can tell which."]
    assert problems + axe(page) == []


def test_a_press_means_the_place_under_it(page: Page) -> None:
    """Also on a wide and low window, where the map stands in the middle of its box."""
    page.set_viewport_size({"width": 1280, "height": 500})
    visit(page)
    box, ground = (page.locator(f"#q-home {one}").bounding_box() or {} for one in ("svg.map", ".ground"))
    page.mouse.click(ground["x"] + 0.11 * ground["width"], ground["y"] + 0.74 * ground["height"])
    assert box["width"] > 1.5 * ground["width"]
    assert place_in_words(page, "home") == "Column 3 of 20, row 6 of 20."


def test_a_pin_is_set_by_keyboard_alone(page: Page) -> None:
    """Two sliders, named and spoken in words; arrow keys move by a cell."""
    visit(page)
    across, up = (
        page.locator("#q-home").get_by_role("slider", name=name) for name in ("left to right", "bottom to top")
    )
    across.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")

    assert place_in_words(page, "home") == "Column 12 of 20, row 2 of 20."
    assert across.get_attribute("aria-valuetext") == "Column 12 of 20, row 2 of 20"
    assert up.input_value() == "1"


@pytest.mark.long
def test_a_place_can_be_tried_before_the_survey_begins(page: Page, axe: Axe) -> None:
    """Each map of the survey: a place outside its zones is mostly stored as it is; nothing is sent."""
    wire = Wire(places()).attach(page.context)
    page.goto(wire.link())
    page.get_by_role("button", name="Try the disguise").click()
    tried = page.get_by_role("group", name="Any place on the map, to try it").nth(1)
    tried.get_by_role("slider", name="left to right").focus()
    page.keyboard.press("Home")
    show = tried.get_by_role("button", name="Show what would be stored")
    said = tried.locator(".lead[role=status]")

    stored = []
    for _ in range(30):
        show.click()
        stored.append(said.inner_text())
    assert {text.partition(" The site would store: ")[0] for text in stored} == {
        "You said: Column 1 of 100, row 41 of 80."
    }
    assert sum(text.endswith(": Column 1 of 100, row 41 of 80.") for text in stored) > 15
    assert not tried.locator("table").is_visible()
    assert wire.posts == []
    assert axe(page) == []


@pytest.mark.long
def test_a_place_must_be_set(page: Page) -> None:
    visit(page)

    page.get_by_role("button", name="Continue").click()

    expect(page.locator("#q-home .error").last).to_have_text("Please answer this question.")


def test_zones_are_shaded_and_said_in_plain_words(page: Page) -> None:
    """Outside them the exact place may be sent: how often not is said before the question is answered."""
    visit(page)

    assert page.locator("#q-work .zone").count() == 1
    assert page.locator("#q-home .zone").count() == 0
    said = page.locator("#q-work-note").inner_text()
    assert "Outside the shaded zones a place is not hidden" in said
    assert "Of 100 people there, about 13 send a place in a zone instead" in said
    assert "not hidden" not in page.locator("#q-home-note").inner_text()


@pytest.mark.long
def test_zones_of_several_levels_are_shaded_and_said_by_level(page: Page) -> None:
    """The zone with the lesser ε is the darker one, and words say which of the levels a place has."""
    visit(page, zones=[[100, 100, 300, 300, 1.5], [600, 400, 300, 300]])

    shades = page.locator("#q-work .zone").evaluate_all("all => all.map(zone => getComputedStyle(zone).fillOpacity)")
    assert shades == ["0.5", "0.3"]
    assert "The darker one is, the better a place in it is hidden." in page.locator("#q-work").inner_text()
    page.locator("#q-work svg.map").scroll_into_view_if_needed()
    said = []
    for across, up in ((0.25, 0.3), (0.75, 0.7), (0.02, 0.98)):
        press(page, "work", across, up)
        said.append(place_in_words(page, "work").partition(", ")[2].partition(", ")[2])
    assert said == [
        "in a shaded zone, protection 2 of 2.",
        "in a shaded zone, protection 1 of 2.",
        "outside the shaded zones.",
    ]


@pytest.mark.parametrize(
    ("longitude", "latitude", "said"),
    [
        (13.0075, 52.0036, "Column 52 of 100, row 41 of 80, in a shaded zone."),
        pytest.param(14, 52, "You are outside this map: please set the pin yourself.", marks=pytest.mark.long),
    ],
)
def test_the_position_sets_the_pin_and_is_not_sent(
    browser: Browser, longitude: float, latitude: float, said: str
) -> None:
    """Only where the map knows its degrees; nothing but the files of the page is asked for."""
    context = browser.new_context(
        locale="en-GB",
        geolocation={"longitude": longitude, "latitude": latitude},
        permissions=["geolocation"],
        viewport={"width": 390, "height": 900},
    )
    page = context.new_page()
    visit(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    assert page.get_by_role("button", name="Use my position").count() == 1
    page.get_by_role("button", name="Use my position").click()

    expect(page.get_by_text(said)).to_be_visible()
    assert asked == []
    context.close()


@pytest.mark.long
def test_the_map_fits_a_phone_and_stays_legible_in_the_dark(browser: Browser, axe: Axe) -> None:
    context = browser.new_context(locale="en-GB", viewport={"width": 360, "height": 800}, color_scheme="dark")
    page = context.new_page()
    visit(page)
    press(page, "home", 0.92, 0.92)

    assert place_in_words(page, "home") == "Column 19 of 20, row 19 of 20."
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(page) == []
    context.close()
