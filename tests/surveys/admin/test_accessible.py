"""The pages of configuring in a browser: axe-core finds nothing, nothing is wider than a phone, the policy holds."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from surveys.domain.database import damage
from surveys.domain.questionnaire.publish import publish
from surveys.models import Block, Option, Survey
from tests.cases import first
from tests.surveys.admin.pages import question_page, somebody, step, survey_page
from tests.surveys.making import add_question, make_survey

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pages() -> list[str]:
    """One of each: a draft with something missing and over the limit, a published survey, a closed one."""
    draft = make_survey("draft", languages="en zh-hans")
    Block.objects.update(settings={"keep": 0.6, "theta": 0.6})
    choice = add_question(draft, "age", type="choice", block=draft.blocks.get())
    for value in ("young", "old"):
        Option.objects.create(question=choice, value=value, label={"en": value})
    open_survey, closed = make_survey("open"), make_survey("closed")
    versions = [publish(survey) for survey in (open_survey, closed)]
    Survey.objects.filter(pk=closed.pk).update(closed_at="2026-01-01T00:00Z")
    over_limit = make_survey("over")
    Block.objects.filter(survey=over_limit).update(settings={"keep": 0.6, "theta": 0.6})
    return [
        "/staff/admin/surveys/survey/",
        "/staff/admin/surveys/survey/add/",
        *(survey_page(survey) for survey in (draft, open_survey, closed)),
        question_page(choice),
        f"/staff/admin/surveys/surveyversion/{versions[0].pk}/change/",
        step(over_limit, "publish"),
        *(step(open_survey, name) for name in ("close", "invite", "erase")),
    ]


# On a desk by day the pages that have most to show; the rest have nothing that those have not.
@pytest.mark.parametrize(
    ("width", "colours", "language", "first", "last"),
    first(1, [(320, "dark", "zh-CN", 0, 11), (1280, "light", "en-GB", 2, 4)]),
)
def test_every_page_is_accessible(
    live: LiveServer,
    browser: Browser,
    client: Client,
    axe: Callable[[Page], list[str]],
    pages: list[str],
    width: int,
    colours: str,
    language: str,
    first: int,
    last: int,
) -> None:
    """In English by day on a desk, in Chinese at night on the smallest phone."""
    client.force_login(somebody())
    context = browser.new_context(
        locale=language,
        viewport={"width": width, "height": 800},
        color_scheme=colours,  # type: ignore[arg-type]
    )
    context.add_cookies([{"name": "staff_session", "value": client.cookies["staff_session"].value, "url": live.url}])
    page = context.new_page()
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    for address in pages[first:last]:
        page.goto(f"{live.url}{address}")
        assert [line for line in console if "Content Security Policy" in line] == []
        assert axe(page) == []
        console.clear()  # axe-core itself tries styles that the policy refuses
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


@pytest.mark.parametrize("width", [320, 1280])
def test_every_answer_of_a_condition_can_be_reached(live: LiveServer, page: Page, client: Client, width: int) -> None:
    """However many there are, none stands outside the page."""
    client.force_login(somebody())
    page.context.add_cookies(
        [{"name": "staff_session", "value": client.cookies["staff_session"].value, "url": live.url}]
    )
    survey = make_survey()
    add_question(survey, "mood", type="scale", page=2, minimum="1", maximum="20")
    asked = add_question(survey, "asked", type="number", page=3)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(live.url + question_page(asked))

    rights = page.locator("#id_when label").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")

    assert len(rights) == 20
    assert max(rights) <= width


def test_a_refused_form_is_accessible(
    live: LiveServer, page: Page, client: Client, axe: Callable[[Page], list[str]]
) -> None:
    """Errors are tied to their fields."""
    client.force_login(somebody())
    page.context.add_cookies(
        [{"name": "staff_session", "value": client.cookies["staff_session"].value, "url": live.url}]
    )
    page.goto(live.url + survey_page(make_survey()))
    page.locator("#blocks-0").get_by_label("Ask only so many").fill("0")
    page.get_by_role("button", name="Save", exact=True).click()

    assert page.locator(".errorlist").inner_text() == "0 is not from 1 to the 3 items of the block."
    assert axe(page) == []


def test_the_question_before_something_ends_is_accessible(
    live: LiveServer, page: Page, client: Client, axe: Callable[[Page], list[str]]
) -> None:
    """Also under the alarm of a damaged database; one press goes on, with all that was entered."""
    client.force_login(somebody())
    page.context.add_cookies(
        [{"name": "staff_session", "value": client.cookies["staff_session"].value, "url": live.url}]
    )
    survey = make_survey()
    page.goto(live.url + survey_page(survey))
    page.locator("#questions-1").get_by_label("Delete").check()
    page.get_by_label("Working title").fill("Two questions")
    damage.report("told by an earlier look")
    try:
        page.get_by_role("button", name="Save", exact=True).click()
        alarm = page.get_by_role("alert").inner_text()
        complaints = axe(page)
    finally:
        damage.check_database()
    page.get_by_role("button", name="Save, and let this happen").click()
    page.get_by_text("was changed successfully").wait_for()

    survey.refresh_from_db()
    assert (complaints, alarm.startswith("The database is damaged")) == ([], True)
    assert (survey.title, survey.questions.count()) == ("Two questions", 2)
