"""Pictures and sounds beside questions, and the looks of a survey, as respondents see them."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.features.looks import shades
from surveys.media import plain_file
from tests.client.questionnaires import everything, one_coin, text
from tests.client.wire import Wire, activate, begin
from tests.media import MP3, chunk, exif, name_of, png, segment, svg

GREY, OTHER, LOGO = png(300, 200), png(300, 200, shade=9), svg('<rect width="120" height="40" fill="#008000"/>')
ACCENT = "#aa3377"


def with_media(**of: Any) -> dict[str, Any]:
    """The demo's setting with something beside questions."""
    source = one_coin()
    for question in source["pages"][0]["questions"]:
        if question["id"] in of:
            question["media"] = of[question["id"]]
    return source


def beside(body: bytes, words: str = "A shop", **others: bytes) -> dict[str, Any]:
    named = {"en": body, **{tag.replace("_", "-"): other for tag, other in others.items()}}
    return {"file": {tag: name_of(one) for tag, one in named.items()}, "words": text(words, "一家商店")}


def files(*bodies: bytes) -> dict[str, bytes]:
    return dict(map(plain_file, bodies))


def asked(wire: Wire) -> list[str]:
    return [address.rpartition("/")[2] for _method, address, _body in wire.asked if "/s/tried/media/" in address]


def test_a_picture_stands_beside_its_question(page: Page, open_survey: Callable[..., Wire]) -> None:
    """In its own size, with its words, and with its place kept free before it is here."""
    wire = open_survey(with_media(theft=beside(GREY)), media=files(GREY))
    begin(page)
    picture = page.locator("#q-theft").get_by_role("img", name="A shop")
    expect(picture).to_have_js_property("naturalWidth", 300)
    assert page.get_by_role("img", name="A shop").count() == 1
    assert picture.get_attribute("width") == "300"
    assert picture.evaluate("one => getComputedStyle(one).aspectRatio") == "auto 300 / 200"
    assert not [line for line in wire.said if "Content Security Policy" in line]


def test_a_sound_can_be_played_and_read(page: Page, open_survey: Callable[..., Wire]) -> None:
    open_survey(with_media(drugs=beside(MP3, "We ask about drugs.")), media=files(MP3))
    begin(page)
    sound = page.locator("#q-drugs audio")
    page.wait_for_function("() => document.querySelector('#q-drugs audio').src.startsWith('blob:')")
    assert sound.get_attribute("aria-label") == "Sound"
    activate(page.get_by_text("What it says, in words"))
    assert page.get_by_text("We ask about drugs.").is_visible()


def test_every_visit_asks_for_all_files_at_its_beginning(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Whatever is asked of whom: also what stands behind a condition, and nothing more when it is shown."""
    source = everything()
    for question, body in zip(source["pages"][2]["questions"][:2], (GREY, OTHER), strict=True):
        question["media"] = beside(body)
    wire = open_survey(source, media=files(GREY, OTHER))
    assert sorted(asked(wire)) == sorted(files(GREY, OTHER))
    begin(page)
    activate(page.get_by_role("radio", name="Yes").first)
    page.wait_for_timeout(300)
    assert len(asked(wire)) == 2


def test_a_file_that_is_not_the_published_one_is_not_shown(page: Page, open_survey: Callable[..., Wire]) -> None:
    """People read its words instead. It is asked for once: a second time would tell who has come to its question."""
    wire = open_survey(with_media(theft=beside(GREY), drugs=beside(MP3)), media={name_of(GREY): OTHER})
    begin(page)
    expect(page.locator("#q-theft")).to_contain_text("A shop")
    expect(page.locator("#q-theft img")).to_have_count(0)
    expect(page.locator("#q-drugs details")).to_have_attribute("open", "")
    assert sorted(asked(wire)) == sorted([name_of(GREY), name_of(MP3)])


def test_another_language_has_files_of_its_own(page: Page, open_survey: Callable[..., Wire]) -> None:
    """All are here before anything is answered: what a new language asked for would tell which page somebody is on."""
    wire = open_survey(with_media(theft=beside(GREY, zh_hans=OTHER)), media=files(GREY, OTHER))
    assert sorted(asked(wire)) == sorted(files(GREY, OTHER))
    begin(page)
    page.locator("header select").select_option("zh-hans")
    page.get_by_role("img", name="一家商店").wait_for()
    assert len(asked(wire)) == 2


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_looks_are_those_of_the_survey_and_the_promise_is_candors(
    page: Page, open_survey: Callable[..., Wire], theme: Any, axe: Callable[[Page], list[str]]
) -> None:
    """The logo stands above who asks, never in the header; what is pressed has the colour, and can be read."""
    page.emulate_media(color_scheme=theme)
    looks = {"logo": {"file": name_of(LOGO), "words": text("University", "大学")}, "accent": shades(ACCENT)}
    open_survey(one_coin(looks=looks), media=files(LOGO))
    logo = page.get_by_role("img", name="University")
    page.wait_for_function("one => one.naturalWidth > 0", arg=logo.element_handle())
    assert page.locator("main > p:nth-of-type(1) img").count() == 1
    assert page.locator("header img").count() == 0
    assert page.locator("header .brand").inner_text() == "Candor"
    colors = [
        page.locator(one).first.evaluate("(one, name) => getComputedStyle(one)[name]", name)
        for one, name in (("button.main", "backgroundColor"), (".protection h2", "color"))
    ]
    promised = {"light": "rgb(23, 99, 92)", "dark": "rgb(124, 201, 189)"}[theme]
    assert colors == [_rgb(shades(ACCENT)[theme]), promised]
    assert axe(page) == []
    begin(page)
    assert page.get_by_role("img", name="University").count() == 0
    assert axe(page) == []


def _rgb(color: str) -> str:
    return f"rgb({', '.join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))})"


@pytest.mark.long
def test_a_logo_alone_changes_no_colour(page: Page, open_survey: Callable[..., Wire]) -> None:
    open_survey(one_coin(looks={"logo": {"file": name_of(LOGO), "words": text("University")}}), media=files(LOGO))
    color = page.locator("button.main").first.evaluate("one => getComputedStyle(one).backgroundColor")
    assert color == "rgb(23, 99, 92)"


@pytest.mark.long
def test_a_survey_without_files_loads_nothing_of_them(page: Page, wire: Wire) -> None:
    assert not [address for _method, address, _body in wire.asked if "/s/tried/media/" in address]


# A red corner on blue, as this browser writes it, and the pixels that it shows of a file.
WRITE = """async type => {
	const [canvas, draw] = [document.createElement('canvas'), () => canvas.getContext('2d')];
	Object.assign(canvas, {width: 64, height: 48});
	Object.assign(draw(), {fillStyle: 'blue'}).fillRect(0, 0, 64, 48);
	Object.assign(draw(), {fillStyle: 'red'}).fillRect(0, 0, 32, 16);
	return canvas.toDataURL(type).split(',')[1];
}"""
PIXELS = """async ([type, bytes]) => {
	const image = Object.assign(new Image(), {src: `data:${type};base64,${bytes}`});
	await image.decode();
	const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
	const draw = canvas.getContext('2d');
	draw.drawImage(image, 0, 0);
	return [image.width, image.height, ...draw.getImageData(0, 0, image.width, image.height).data];
}"""


def see(page: Page, content_type: str, body: bytes) -> list[int]:
    return page.evaluate(PIXELS, [content_type, b64encode(body).decode()])  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("content_type", "at", "more", "size"),
    [
        ("image/png", 33, chunk(b"eXIf", b"MM"), "-64x48.png"),
        ("image/jpeg", 2, segment(0xFE, b"Ann"), "-64x48.jpg"),
        ("image/jpeg", 2, exif(6), "-48x64.jpg"),
        ("image/jpeg", 2, exif(3, "<"), "-64x48.jpg"),
    ],
)
def test_what_is_kept_of_a_picture_looks_like_it(
    page: Page, content_type: str, at: int, more: bytes, size: str
) -> None:
    """A browser's own picture with what programs write put in: every pixel stays, also of a turned photograph."""
    written = b64decode(page.evaluate(WRITE, content_type))
    taken = written[:at] + more + written[at:]
    name, plain = plain_file(taken)
    assert (name[64:], len(plain) < len(taken)) == (size, True)
    assert see(page, content_type, plain) == see(page, content_type, taken)
    turned = see(page, content_type, taken) != see(page, content_type, written)
    assert turned == more.startswith(b"\xff\xe1")
