"""A poster shows the way to a survey, and is a page of its own that other sites may embed."""

import io
import re
from collections.abc import Callable
from contextlib import closing

import pytest
import segno
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from tests.surveys.making import make_survey, set_questions


def test_the_poster_leads_to_the_version_that_is_published(client: Client) -> None:
    """Its code spells the link with the hash, and beside it the address can be typed."""
    version = publish(make_survey())
    response = client.get("/s/study/poster/")
    drawn = io.StringIO()
    code = segno.make(f"http://testserver/s/study/#v={version.sha256}", error="m")
    drawn.write(code.svg_inline(border=2, omitsize=True, svgclass="code", lineclass="dots"))
    assert drawn.getvalue() in response.content.decode()
    assert "http://testserver/s/study/" in response.content.decode()


def test_the_poster_can_be_embedded_and_runs_nothing(client: Client) -> None:
    """Any site may frame it; scripts, forms and other origins are forbidden."""
    publish(make_survey())
    response = client.get("/s/study/poster/")
    assert "frame-ancestors *" in response["Content-Security-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "script-src" not in response["Content-Security-Policy"]
    assert "X-Frame-Options" not in response
    assert not response.cookies


def test_everything_the_poster_names_is_served(client: Client) -> None:
    """Its icon and its style sheet are there."""
    publish(make_survey())
    named = re.findall(r'<link rel="[a-z]+" href="([^"]+)"', client.get("/s/study/poster/").content.decode())
    statuses = []
    for path in named:
        with closing(client.get(path)) as answer:
            statuses.append((path, answer.status_code))
    assert statuses == [("/client/icon.svg", 200), ("/static/surveys/poster.css", 200)]


def test_texts_are_escaped(client: Client) -> None:
    """A title is text, whatever it holds."""
    publish(make_survey(heading={"en": "<script>alert(1)</script>"}))
    assert "<script>" not in client.get("/s/study/poster/").content.decode()


def test_the_poster_of_a_closed_survey_invites_nobody(client: Client) -> None:
    """It says so, in the survey's languages, and shows neither code nor address."""
    survey = publish(make_survey()).survey
    close(survey)
    shown = client.get("/s/study/poster/").content.decode()
    assert "This survey is closed." in shown
    assert "<svg" not in shown
    assert "/s/study/" not in shown
    assert "disguised" not in shown


@pytest.mark.parametrize("path", ["/s/study/poster/", "/s/study/", "/client/manifest.txt", "/client/main.js"])
def test_sending_to_a_page_is_405(path: str) -> None:
    """Also where the check of forms would find no token."""
    publish(make_survey())
    answer = Client(enforce_csrf_checks=True).post(path, {})
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("slug", ["nothing", "draft", "invited"])
def test_a_survey_that_nobody_can_walk_into_has_no_poster(client: Client, slug: str) -> None:
    """No survey, a draft, a survey by invitation: 404."""
    make_survey("draft")
    publish(make_survey("invited", access="invitation"))
    assert client.get(f"/s/{slug}/poster/").status_code == 404


def test_the_poster_is_accessible_on_a_phone_in_both_languages(
    live: LiveServer, page: Page, axe: Callable[[Page], list[str]]
) -> None:
    """axe-core finds nothing wrong, the code is drawn, and nothing is wider than 320 pixels."""
    words = {"en": "Study", "zh-hans": "研究"}
    texts = dict.fromkeys(("heading", "who", "why", "consent", "closing"), words)
    survey = make_survey(languages=["en", "zh-hans"], **texts)
    set_questions(survey, text=words)
    publish(survey)
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"{live.url}/s/study/poster/")
    assert axe(page) == []
    box = page.locator("svg.code").bounding_box()
    assert box is not None
    assert box["width"] > 200
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_who_asks_is_written_the_way_of_its_own_script(client: Client) -> None:
    """The sentence above it is the site's, and may run the other way."""
    publish(make_survey(who={"en": "معهد البحوث"}))
    assert '<p class="quiet" dir="auto">معهد البحوث</p>' in client.get("/s/study/poster/").content.decode()
