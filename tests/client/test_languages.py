"""The page in each language: chosen by the browser, whole from the first page to the receipt, from either side."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from surveys.domain.page import bundle
from tests.cases import first
from tests.client.questionnaires import one_coin, text, with_a_long_word
from tests.client.wire import LINES_OF_HEADER, Wire, activate, every_step, speak

TAGS = sorted(name.split("/")[1] for name in bundle.files() if name.endswith("/usual.json"))


def languages_asked(wire: Wire) -> list[str]:
    return [address.rpartition("/languages/")[2] for _method, address, _body in wire.asked if "/languages/" in address]


@pytest.mark.parametrize("tag", first(2, ["ar", "de", *(tag for tag in TAGS if tag not in ("ar", "de"))]))
def test_a_visit_is_in_the_language_of_the_browser(browser: Browser, tag: str) -> None:
    """From the first page to the receipt no text is missing, no figure is left open, and nothing scrolls sideways on
    the narrowest phone, however long a word is; the header leaves the screen to the questions.

    Only that language is loaded. The words are a translation of each other's, so none is the English one.
    """
    context = browser.new_context(locale=tag, viewport={"width": 320, "height": 700})
    wire = Wire(with_a_long_word()).attach(context)
    page = context.new_page()
    page.goto(wire.link())
    page.get_by_role("heading", level=1).wait_for()
    beyond = "document.documentElement.scrollWidth - innerWidth"
    said = [(page.locator("body").inner_text(), page.evaluate(beyond)) for _step in arrive(page)]
    shown = page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
    high = page.evaluate(LINES_OF_HEADER)
    context.close()
    assert shown == [tag, "rtl" if tag == "ar" else "ltr"]
    assert [words for words, _ in said if re.search(r"[{}|]|undefined|NaN|。 ", words)] == []
    assert [over for _, over in said if over > 0] == []
    assert high < 4
    assert languages_asked(wire) == [f"{tag}/usual.json"]


def arrive(page: Page) -> Any:
    """Every step of a visit whose response arrives at once."""
    for step in every_step(page):
        yield step
        if step == "review":
            break
    activate(page.locator("button.main"))
    page.locator("code.receipt").wait_for(state="attached")
    yield "receipt"


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    first(
        1,
        [
            ("zh-TW", "zh-hant"),
            ("zh-HK", "zh-hant"),
            ("zh-CN", "zh-hans"),
            ("pt-PT", "pt"),
            ("es-419", "es"),
            ("it-IT", "zh-hans"),
        ],
    ),
)
def test_a_region_has_the_language_that_is_nearest(browser: Browser, wanted: str, spoken: str) -> None:
    """By language and script; where the page speaks none that is wanted, it speaks the questionnaire's."""
    context = browser.new_context(locale=wanted)
    wire = Wire(one_coin(languages=["zh-hans"])).attach(context)
    page = context.new_page()
    page.goto(wire.link())
    page.locator("button.main").wait_for()
    shown = page.locator("html").get_attribute("lang")
    spaces = re.findall(".*。 .*", page.locator("body").inner_text())  # Chinese joins its sentences without
    context.close()
    assert (shown, spaces) == (spoken, [])


def italian() -> dict[str, str]:
    """All texts of the page, as if somebody had translated them."""
    english = [json.loads(bundle.files()[f"languages/en/{part}.json"].body) for part in ("usual", "rare")]
    return {name: f"IT {words}" for part in english for name, words in part.items()}


def test_a_survey_brings_what_the_page_says_in_a_language_of_its_own(page: Page) -> None:
    """Its author's words take the place of a file: no other language is loaded, and none is left to choose."""
    speak(page, "it-IT")
    wire = Wire(one_coin(languages=["it"], texts={"it": italian()})).attach(page.context)
    page.goto(wire.link())
    begin = page.locator("button.main").inner_text()
    choices = page.locator("header select").count()
    shown = page.locator("html").get_attribute("lang")
    assert (shown, choices, begin) == ("it", 0, "IT I agree – begin")
    assert languages_asked(wire) == []


@pytest.mark.parametrize(
    ("locale", "choices"),
    [("zh-CN", []), ("fr-FR", ["简体中文", "français"]), ("it-IT", [])],
)
def test_the_choice_has_the_questionnaires_languages_and_the_browsers(
    page: Page, locale: str, choices: list[str]
) -> None:
    """A Chinese questionnaire is not offered in twelve: there is a choice where the browser asks for another."""
    speak(page, locale)
    wire = Wire(one_coin(languages=["zh-hans"])).attach(page.context)

    page.goto(wire.link())
    page.locator("button.main").wait_for()

    assert page.locator("header option").all_inner_texts() == choices
    assert page.title() == ("Enquête – Candor" if choices else "问卷 – Candor")


@pytest.mark.parametrize("wanted", first(1, ["it-IT", "xh-ZA"]))
@pytest.mark.parametrize(("status", "code"), first(1, [(410, "closed"), (403, "not-open")]))
def test_a_survey_that_takes_no_answers_says_so_in_its_own_language(
    page: Page, wanted: str, status: int, code: str
) -> None:
    """The refusal brings the texts: a visitor who cannot have the questionnaire has no other."""
    speak(page, wanted)
    wire = Wire(one_coin(languages=["it"], texts={"it": italian()})).attach(page.context)
    said = {"error": code, "message": "No.", "languages": ["it"], "texts": {"it": italian()}}
    wire.questionnaire = {"status": status, "json": said | {"opens": "2030-01-01T00:00:00Z"}}
    page.goto(wire.link())
    heading = page.get_by_role("heading", level=1).inner_text()
    shown = page.locator("html").get_attribute("lang")
    assert (shown, heading) == ("it", {410: "IT This survey is closed", 403: "IT This survey is not open yet"}[status])


def test_a_closed_survey_offers_its_own_languages_alone(page: Page) -> None:
    """As it did while it collected, and not all that the page speaks."""
    speak(page, "de-DE")
    wire = Wire(one_coin(languages=["de", "zh-hans"])).attach(page.context)
    wire.questionnaire = {"status": 410, "json": {"error": "closed", "message": "No.", "languages": ["de", "zh-hans"]}}
    page.goto(wire.link())
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator("header option").all_inner_texts() == ["Deutsch", "简体中文"]


@pytest.mark.long
def test_who_reads_the_promise_in_another_language_reads_why(browser: Browser) -> None:
    """In the language that the page does not speak, before anything else."""
    context = browser.new_context(locale="it-IT")
    wire = Wire(one_coin(languages=["it", "de"], unspoken={"it": "Nessuno ha tradotto."})).attach(context)
    page = context.new_page()
    page.goto(wire.link())
    page.get_by_role("button", name="begin").wait_for()
    first = page.locator("main > *").nth(1).inner_text()
    context.close()
    assert first == "Nessuno ha tradotto."


def test_what_few_need_is_loaded_with_it(page: Page, wire: Wire) -> None:
    """Practice brings its texts when it is pressed."""
    assert languages_asked(wire) == ["en/usual.json"]
    activate(page.get_by_role("button", name="Try the disguise"))
    page.get_by_role("heading", level=1, name="Try the disguise").wait_for()
    assert languages_asked(wire) == ["en/usual.json", "en/rare.json"]


def test_words_agree_with_their_figures(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Arabic says of ten people another word than of a hundred, by the rules of the browser."""
    speak(page, "ar")
    open_survey()
    said = page.locator(".protection").inner_text()
    assert re.findall(r"من بين (\d+ \S+)", said)[0] in ("10 أشخاص", "100 شخص")
    assert not re.search(r"1000? أشخاص|\b10 شخص", said)


def test_a_page_from_the_right_keeps_what_runs_from_the_left(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Codes and what the questionnaire's author wrote in another script keep their order."""
    speak(page, "ar")
    definition = one_coin()
    definition["pages"][0]["questions"][0]["text"] = text("Did you (ever) use drugs?")
    open_survey(definition, fragment="")
    code = page.locator("code")
    style = code.evaluate("element => [getComputedStyle(element).direction, getComputedStyle(element).unicodeBidi]")
    heading = page.locator("h1 span").evaluate("element => [element.dir, getComputedStyle(element).display]")
    box = page.locator("header .brand").bounding_box()
    assert style == ["ltr", "isolate"]
    assert heading == ["ltr", "block"]
    assert box is not None
    assert box["x"] > 200  # of 1280: the header begins at the right


def test_digits_of_other_scripts_are_read(page: Page, open_survey: Callable[..., Wire]) -> None:
    """Who types ١٢ is understood."""
    speak(page, "ar")
    definition = one_coin()
    definition["pages"][0]["questions"].append(
        {"id": "age", "type": "number", "sensitive": False, "required": True, "text": text("Age?"), "min": 0, "max": 99}
    )
    open_survey(definition)
    activate(page.locator("button.main"))
    page.locator(".option").first.wait_for()
    activate(page.locator("button.main"))
    page.locator("#q-age input").fill("٤٤")
    for group in page.get_by_role("radiogroup").all():
        activate(group.get_by_role("radio").first)
    activate(page.locator("button.main"))
    page.locator("dl").wait_for()
    assert page.locator("dd").all_inner_texts()[-2] == "44"


def test_without_javascript_every_language_says_what_is_needed() -> None:
    """The page of the survey leads there."""
    plain = bundle.files()[bundle.PLAIN].body.decode()
    assert b'href="/client/plain.html"' in bundle.files()[bundle.PAGE].body
    said = re.findall(r'<section lang="([\w-]+)"(?: dir="rtl")?>(.*?)</section>', plain, re.DOTALL)
    assert sorted(tag.lower() for tag, _ in said) == TAGS
    assert {len(re.findall("<p>", words)) for _, words in said} == {4}
    assert len({words for _, words in said}) == len(TAGS)


def test_a_script_is_read_from_its_own_side(page: Page, wire: Wire) -> None:
    """Also where a language has two, or one that few have heard of."""
    tags = [
        "ar",
        "fa",
        "he",
        "ur",
        "ckb",
        "pnb",
        "az-arab",
        "pa-arab",
        "az",
        "pa",
        "de",
        "zh-hant",
        "uz",
        "id",
        "ru",
        "hi",
    ]
    read = page.evaluate(
        """async tags => {
          const {spoken, writtenIn} = await import('/client/page.js');
          return tags.map(tag => (writtenIn([tag]), spoken().dir));
        }""",
        tags,
    )
    assert read == ["rtl"] * 8 + ["ltr"] * 8
