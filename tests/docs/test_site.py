"""The documentation site as `make docs` builds it, which `make test-long` does first: a warning is an error there."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

import candor
from candor.commands import ORDER
from config.api.document import OPERATIONS
from tests.docs.pages import text_of
from tests.servers import ROOT

pytestmark = pytest.mark.long
SITE = ROOT / "var" / "docs" / "html"
FROM_ELSEWHERE = re.compile(
    r"""<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)=["']?(?:https?:)?//|(?:url\(|@import\s)["']?(?:https?:)?//"""
)


def anchors(pages: str) -> set[str]:
    return {anchor for page in (SITE / "docs").glob(pages) for anchor in re.findall(r'\sid="([^"]+)"', text_of(page))}


def test_the_reference_has_every_name_command_and_operation() -> None:
    """Each can be linked to, and none is written down by hand."""
    commands = {f"candor-{name}" for name in ORDER}

    library = anchors("reference/library/*.html")
    assert {f"candor.{name}" for name in candor.__all__} - {"candor.models"} - library == set()
    assert "module-candor.models" in library
    assert commands - anchors("command-line.html") == set()
    assert {operation.name.lower() for operation in OPERATIONS} - anchors("reference/operations.html") == set()


def test_every_page_but_decisions_is_in_the_site() -> None:
    """What a repository's host shows under docs can be read here. Decisions are files to load, which no search has."""
    pages = {page.relative_to(ROOT).with_suffix(".html") for page in (ROOT / "docs").glob("**/*.md")}
    decisions = {page for page in pages if page.is_relative_to("docs/decisions")}

    assert {str(page) for page in pages - decisions if not (SITE / page).exists()} == set()
    assert {str(page) for page in decisions if (SITE / page).exists()} == set()


def test_the_site_asks_nothing_of_others() -> None:
    """No script, style, font or picture of another origin: reading is nobody else's business, and works offline."""
    files = [path for path in SITE.rglob("*") if path.suffix in (".html", ".css")]
    assert len(files) > 20

    assert [str(path.relative_to(SITE)) for path in files if FROM_ELSEWHERE.search(text_of(path))] == []


# The commonest words of the field, and the guide that explains each.
FOUND = {
    "randomized response": "which-design",
    "sample size": "which-design",
    "margin of error": "which-design",
    "local differential privacy": "guarantee",
    "epsilon": "guarantee",
    "informed consent": "guarantee",
    "ethics board": "guarantee",
    "GDPR": "guarantee",
    "threat model": "threat-model",
    "prevalence": "results",
    "confidence interval": "results",
    "R package": "results",
    "response rate": "results",
    "crosswise": "own-draw",
    "forced response": "own-draw",
    "unrelated question": "own-draw",
    "attention check": "careless",
    "association rules": "rules",
    "logistic regression": "groups",
    "k-anonymity": "release",
    "l-diversity": "release",
    "t-closeness": "release",
    "XLSForm": "questionnaires",
    "ODK": "questionnaires",
    "LimeSurvey": "questionnaires",
    "Prolific": "field",
    "Docker": "deploy",
    "container": "deploy",
    "backup": "deploy",
}


def first_hits(page: Page, words: str) -> list[str]:
    """The guides of the first three hits of the site's own search, as a reader gets them."""
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={quote(words)}")
    page.wait_for_function(
        "() => /\\d|one page|did not/.test(document.querySelector('.search-summary')?.textContent ?? '')"
    )
    hits = page.locator("ul.search > li > a")
    return [str(hits.nth(place).get_attribute("href")) for place in range(min(3, hits.count()))]


def test_the_words_of_the_field_find_their_guide(browser: Browser) -> None:
    """Each is among the first three hits of the search that comes with the site, without a network."""
    page = browser.new_page()

    hits = {words: first_hits(page, words) for words in FOUND}
    page.close()

    missed = {
        words: found for words, found in hits.items() if not any(f"docs/{FOUND[words]}.html" in hit for hit in found)
    }
    assert missed == {}
