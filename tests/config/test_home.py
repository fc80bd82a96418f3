"""The front page says what Candor is, what it costs, what speaks for and against it, and leads to what can be tried."""

import re

from django.core.management import call_command
from django.test import Client

from config.views import COST
from surveys.models import Survey, SurveyVersion
from tests.docs.costs import FAINT, enough, people_in
from tests.servers import ROOT


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


def test_the_front_page_names_a_study_for_and_one_against() -> None:
    """Both are in the guide about evidence, to which the page leads, and none is left out of it."""
    shown = Client().get("/").content.decode()
    studies = re.findall(r'<a href="(https://[^"]+)"', shown)
    guide = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")

    assert len(studies) == 2
    assert [study for study in studies if study not in guide] == []
    assert "Nobody has tested Candor itself yet." in shown
    assert 'href="/help/evidence/"' in shown


def test_the_front_page_says_what_it_costs() -> None:
    """Its figures are those of README, and what is enough on Protect; it promises neither “never” nor “anonymous”."""
    shown = Client().get("/").content.decode()
    said = re.sub(r"<[^>]+>", "", shown).lower()
    asked, _, disguised = people_in(FAINT)

    assert [figure.replace("\N{NO-BREAK SPACE}", "") for figure in COST] == [f"{asked}", f"{disguised}"]
    assert disguised == enough(FAINT, 50)
    assert f"{COST[1]} instead of {COST[0]}" in shown
    assert [word for word in ("never", "anonym") if word in said] == []
