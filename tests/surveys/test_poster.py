"""A poster shows the way to a survey, and is a page of its own that other sites may embed."""

import io
import re
from contextlib import closing

import pytest
import segno
from django.test import Client

from surveys.domain.publish import publish
from tests.surveys.making import make_survey

pytestmark = pytest.mark.django_db


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
    found = []
    for path in named:
        with closing(client.get(path)) as answer:
            found.append((path, answer.status_code))
    assert found == [("/client/icon.svg", 200), ("/static/surveys/poster.css", 200)]


def test_texts_are_escaped(client: Client) -> None:
    """A title is text, whatever it holds."""
    publish(make_survey(heading={"en": "<script>alert(1)</script>"}))
    assert "<script>" not in client.get("/s/study/poster/").content.decode()


@pytest.mark.parametrize("slug", ["nothing", "draft", "invited"])
def test_a_survey_that_nobody_can_walk_into_has_no_poster(client: Client, slug: str) -> None:
    """No survey, a draft, a survey by invitation: 404."""
    make_survey("draft")
    publish(make_survey("invited", access="invitation"))
    assert client.get(f"/s/{slug}/poster/").status_code == 404
