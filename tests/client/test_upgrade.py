"""A page that is open while the site gets a new version: nothing typed is lost, and no wrong reason is told.

Modules have the version in their address, so after an upgrade no site has those of the page any more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.cases import first
from tests.client.questionnaires import one_coin
from tests.client.wire import Answer, Wire, abort, accept, activate, local_storage, refusal, speak

Answers = Callable[[str], Answer]


@dataclass(frozen=True)
class Words:
    """What the page says in one language."""

    locale: str
    tag: str
    practice: str
    title: str
    unloaded: str
    thanks: str
    check: str
    held: str
    closed: str
    perhaps: str


WORDS = [
    Words(
        "en-GB",
        "en",
        "Try the disguise",
        "Student life and health",
        "Part of this page could not be loaded. There is no connection, or the site has been renewed. Try again",
        "Thank you",
        "Ask the server",
        "The server holds this response.",
        "This survey is closed",
        "What was sent from here may have arrived.",
    ),
    Words(
        "zh-CN",
        "zh-hans",
        "试试伪装",
        "学生生活与健康",
        "此页面的一部分无法加载：没有连接，或者网站已更新。重试",
        "谢谢您",
        "向服务器查询",
        "服务器存有此回答。",
        "本调查已结束",
        "从此处发送的内容可能已送达。",
    ),
]


@pytest.fixture(params=first(1, WORDS), ids=[words.tag for words in WORDS])
def words(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def page(page: Page, words: Words) -> Page:
    """A fresh page in each language."""
    speak(page, words.locale)
    return page


def go_on(page: Page) -> None:
    """Press the button that leads on."""
    activate(page.locator("main button.main"))


def begin(page: Page) -> None:
    """To the first question, disguised."""
    go_on(page)
    page.locator(".option").first.wait_for()
    go_on(page)
    page.locator(".question").first.wait_for()


def answer(page: Page) -> None:
    """Answer the three questions of the demo's setting with yes."""
    for group in page.get_by_role("radiogroup").all():
        activate(group.get_by_role("radio").first)


def send(page: Page) -> None:
    go_on(page)
    page.locator("dl").wait_for()
    go_on(page)


def test_an_open_page_goes_on_to_the_receipt(page: Page, words: Words, wire: Wire) -> None:
    """From the first page: begin, the questions, Send, the receipt, and the site is asked for it."""
    wire.upgrade()
    begin(page)
    answer(page)
    send(page)
    page.get_by_role("heading", name=words.thanks).wait_for()
    page.locator("summary").last.click()
    activate(page.get_by_role("button", name=words.check))
    page.get_by_text(words.held).wait_for()
    assert len(wire.posts) == 1


@pytest.mark.long
def test_a_reason_that_cannot_be_had_is_not_replaced_by_another(
    page: Page, open_survey: Callable[..., Wire], words: Words
) -> None:
    """The page says what has become of the answers; that of the new version knows why the way ended."""
    wire = open_survey(reply=refusal(410, "closed"))
    begin(page)
    wire.upgrade()
    answer(page)
    send(page)
    page.get_by_role("heading", name=words.perhaps).wait_for()
    assert page.get_by_role("alert").inner_text() == words.unloaded
    wire.questionnaire = {"status": 410, "json": {"error": "closed"}}
    page.get_by_role("alert").get_by_role("button").click()
    page.get_by_role("heading", name=words.closed).wait_for()


@pytest.mark.long
def test_a_practice_that_cannot_be_had_takes_no_answer_away(page: Page, words: Words, wire: Wire) -> None:
    """Who goes back from the questions to practise stays on the first page, hears why, and finds the answers again."""
    begin(page)
    answer(page)
    wire.upgrade()
    for step in (".options", ".protection"):
        page.evaluate("history.back()")
        page.locator(f"{step}:not(.question *)").wait_for()
    for _press in range(2):
        activate(page.get_by_role("button", name=words.practice))
        page.get_by_role("alert").wait_for()
    assert page.get_by_role("alert").all_inner_texts() == [words.unloaded]
    assert page.get_by_role("heading", level=1).inner_text() == words.title
    begin(page)
    assert page.locator(".question :checked").count() == 3
    send(page)
    page.get_by_role("heading", name=words.thanks).wait_for()


def test_another_language_is_one_file(page: Page, words: Words, wire: Wire) -> None:
    """It comes when it is picked, once; no answer is lost, and the page goes on in it to the receipt."""
    begin(page)
    answer(page)
    asked = len(wire.asked)
    (other,) = [one for one in WORDS if one != words]
    for picked in (other, words, other):
        page.get_by_role("combobox").select_option(picked.tag)
        page.locator(f"html[lang={picked.tag}]").wait_for()
    assert page.locator(".question :checked").count() == 3
    assert [address.rpartition("/languages/")[2] for _method, address, _body in wire.asked[asked:]] == [
        f"{other.tag}/usual.json"
    ]
    send(page)
    page.get_by_role("heading", name=other.thanks).wait_for()


@pytest.mark.long
def test_a_language_that_cannot_be_had_takes_no_answer_away(page: Page, words: Words, wire: Wire) -> None:
    """The page stays in its language, says why, and goes on to the receipt."""
    begin(page)
    answer(page)
    wire.upgrade()
    (other,) = [one for one in WORDS if one != words]
    page.get_by_role("combobox").select_option(other.tag)
    assert page.get_by_role("alert").inner_text() == words.unloaded
    assert page.get_by_role("combobox").input_value() == words.tag
    assert page.locator(".question :checked").count() == 3
    send(page)
    page.get_by_role("heading", name=words.thanks).wait_for()


def test_what_waited_to_be_sent_is_sent_by_the_new_version(
    page: Page, open_survey: Callable[..., Wire], words: Words
) -> None:
    """The same bytes, once more: the page of the new version takes up what that of the old one kept."""
    wire = open_survey(reply=abort)
    begin(page)
    answer(page)
    send(page)
    page.get_by_role("status").wait_for()
    (entry,) = local_storage(page).values()
    wire.upgrade()
    wire.reply = accept
    page.reload()
    page.get_by_role("heading", name=words.thanks).wait_for()
    assert set(wire.posts) == {entry["body"]}


@pytest.mark.parametrize("lost", first(1, ["*.js", "languages/*/*.json"]))
def test_a_page_without_its_modules_or_texts_says_what_helps(page: Page, words: Words, lost: str) -> None:
    """Who has just got the page from the last server of the old version reads that it sent nothing, and what to do."""
    wire = Wire(one_coin()).attach(page.context)
    page.context.route(f"**/client/*/{lost}", lambda route: route.fulfill(status=404))
    page.goto(wire.link())
    page.wait_for_load_state("networkidle")
    said = page.locator("main .quiet").inner_text()
    assert said.startswith("This page has sent nothing yet. If nothing more comes, load it again")
    page.get_by_role("link").click()
    page.get_by_text({"en": "The survey’s page has sent nothing yet.", "zh-hans": "请重新加载"}[words.tag]).wait_for()
