"""The front page leads to everything that can be tried."""

import pytest
from django.core.management import call_command
from django.test import Client

from surveys.models import Survey, SurveyVersion

pytestmark = pytest.mark.django_db


def test_the_front_page_lists_every_demo() -> None:
    """Each by its title in the visitor's language, with the hash of its newest version."""
    call_command("load_demo", verbosity=0)
    shown = Client().get("/", headers={"Accept-Language": "zh-CN"}).content.decode()
    links = [
        f'<a href="/s/{version.survey.slug}/#v={version.sha256}">{version.parsed.source["title"]["zh-hans"]}</a>'
        for version in SurveyVersion.objects.select_related("survey")
    ]
    assert [link in shown for link in links] == [True] * 5


def test_the_front_page_leads_to_nothing_that_is_over() -> None:
    """A site without demos, or with closed ones, shows no link that ends at once."""
    assert "/s/" not in Client().get("/").content.decode()
    call_command("load_demo", verbosity=0)
    Survey.objects.filter(slug="demo-ten").update(closed_at="2026-01-01T00:00:00Z")
    shown = Client().get("/").content.decode()
    assert ("/s/demo-ten/" in shown, "/s/demo-ten-coin/" in shown) == (False, True)
