"""The pages of paper in a browser: for everybody, on a desk in English and on a phone in Chinese."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.features.paper.form import form_of
from surveys.features.paper.layout import lay_out
from surveys.features.paper.words import words
from tests.cases import first
from tests.privacy.own_draw.people import block
from tests.surveys.features.paper.sheets_of import BORN, crosswise, extended, publish_paper
from tests.surveys.studio.conftest import Walk, on_a_phone


@on_a_phone
@pytest.mark.parametrize("pages", first(1, ["typed", "printed"]))
def test_pages_of_paper_are_for_everybody(walk: Walk, pages: str) -> None:
    """Field with the way open, the stack that is typed, the sheets and the guide."""
    version = publish_paper([extended(), *crosswise("stolen")], BORN, least=20)
    printed = ("paper/print/?sheets=400", "paper/guide/") if pages == "printed" else ()
    for name in ("fieldwork/?way=paper#paper", *printed, "paper/"):
        walk.look(f"/staff/studio/{version.survey.pk}/{name}")
    walk.page.keyboard.type("30")
    walk.page.keyboard.press("Enter")

    assert walk.page.evaluate("document.activeElement.id") == "boxes"


SHEETS = [(tag, size, words) for tag in ("de", "ar", "en") for size in ("letter", "a4") for words in (1, 12)]


@pytest.mark.parametrize(("tag", "size", "words"), first(1, SHEETS))
def test_each_page_of_a_sheet_is_one_of_paper(
    page: Page, live: LiveServer, admin_client: Client, tag: str, size: str, words: int
) -> None:
    """By the browser's print, with twelve drawn questions, short or long; what stands on which page is worked out.

    A foot on a page of its own would say “page 1 of 1”.
    """
    names = [f"q{number}" for number in range(12)]
    texts = {name: {tag: "I have copied."} for name in ("text", "title", "who", "why", "consent", "closing")}
    born = {**BORN, "text": texts.pop("text")}
    sentence = "I have copied in an exam. " * words
    version = publish_paper(crosswise(*names), born, languages=[tag], sentence=sentence, **texts)
    form = form_of(version)
    address = f"/staff/studio/{version.survey.pk}/paper/print/?size={size}"
    cookie = admin_client.cookies["staff_session"].value
    page.context.add_cookies([{"name": "staff_session", "value": cookie, "url": live.url}])
    page.goto(live.url + address)
    printed = page.pdf(prefer_css_page_size=True)

    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == len(lay_out(form, form.lots[0]))


def test_no_border_of_a_table_is_at_the_edge_of_the_paper(walk: Walk) -> None:
    """A table of two long facts is as wide as the paper is printed; at the very edge its border would be cut."""
    facts = [{"source": "day", "fact": fact, "of": ["2", "3", "4"]} for fact in ("mother", "friend")]
    long = block("unrelated", "die", [("123", "truth"), ("456", "other")], "ab", other=facts)
    version = publish_paper([long])
    walk.page.emulate_media(media="print")
    walk.page.set_viewport_size({"width": 480, "height": 900})
    walk.page.goto(f"{walk.site}/staff/studio/{version.survey.pk}/paper/print/?size=letter")
    sheet, table = (walk.page.locator(one).first.bounding_box() for one in (".sheet", "table"))
    assert sheet is not None
    assert table is not None

    assert (table["x"] - sheet["x"], sheet["width"] - table["width"]) == (1, 2)


def test_a_sheet_joins_chinese_sentences_without_a_space(admin_client: Client) -> None:
    """And ends them with the stop of its language, whatever that of who prints it."""
    texts = {name: {"zh-hans": "诚实。"} for name in ("title", "who", "why", "consent", "closing")}
    version = publish_paper([extended()], languages=["zh-hans"], sentence="我抄袭过。", **texts)
    html = admin_client.get(f"/staff/studio/{version.survey_id}/paper/print/").content.decode()
    text = re.sub("<.*?>", "", html.partition("<main")[2])

    assert ("您一张纸币上的号码。不要告诉别人。" in text, "。 " in text) == (True, False)


def test_the_guide_explains_each_draw_of_the_survey(admin_client: Client) -> None:
    """Two of one way and source with other facts share their pictures and name both facts; another way has its own."""
    facts = ["mother", "friend"]
    blocks = [
        block(
            "unrelated",
            "die",
            [("123", "truth"), ("456", "other")],
            name,
            other=[{"source": "day", "fact": fact, "of": ["2", "3", "4"]}],
        )
        for name, fact in zip("ab", facts, strict=True)
    ]
    version = publish_paper([*blocks, *crosswise("c")])
    html = admin_client.get(f"/staff/studio/{version.survey_id}/paper/guide/").content.decode()

    assert html.count('<ol class="steps">') == 2
    assert [html.count(words("en")[f"own.{fact}"]) for fact in facts] == [1, 1]
