"""Every form that sends a file comes through the web server, which refuses files on all other pages.

Tests of single pages do not see it: they use Django's own server, which takes files everywhere.
"""

import re
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from config.web.limits import UPLOADS

# Where a form of a template of this site is sent. One that is forgotten here fails the first test.
KEY = 7
SENT_TO = {
    "studio/results/releases.html": ("studio:releases", KEY),
    "studio/results/release.html": ("studio:release", KEY, KEY),
    "studio/translation.html": ("studio:translation", KEY),
    "studio/features/page_texts/page.html": ("studio:page-texts", KEY, "it"),
    "studio/mail.html": ("studio:mail", KEY),
    "studio/features/looks/page.html": ("studio:looks", KEY),
    "studio/features/paper/enter.html": ("studio:paper", KEY),
    "studio/import.html": ("studio:import",),
}
SITE: Path = settings.BASE_DIR
TEMPLATES = SITE / "templates"


def with_files() -> set[str]:
    """The templates that hold a form with a field for a file."""
    files = TEMPLATES.rglob("*.html")
    return {str(file.relative_to(TEMPLATES)) for file in files if "multipart/form-data" in file.read_text()}


def test_every_form_with_a_file_has_its_address_in_the_web_server() -> None:
    """And the web server knows no address that no form is sent to."""
    assert with_files() == set(SENT_TO)
    addresses = {reverse(name, args=keys) for name, *keys in SENT_TO.values()}

    assert {address for address in addresses if not UPLOADS.fullmatch(address)} == set()
    assert len(UPLOADS.pattern.split("|")) == len(addresses)


def test_no_script_sends_a_form_as_files_are_sent() -> None:
    """What a script sends beside the form itself goes in the form's usual kind: another is refused."""
    scripts = [*SITE.glob("*/static/**/*.js"), *SITE.glob("surveys/client/**/*.js")]
    sent = {
        script.name: re.findall(r"(\S*)new FormData\(", text)
        for script in scripts
        if "new FormData(" in (text := script.read_text())
    }

    assert sent
    assert {name: kinds for name, kinds in sent.items() if {*kinds} != {"URLSearchParams("}} == {}
