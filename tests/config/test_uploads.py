"""Every form that sends a file comes through the web server, which refuses files on all other pages.

Tests of single pages do not see it: they use Django's own server, which takes files everywhere.
"""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from django.conf import settings
from django.contrib import admin
from django.urls import reverse

from config.web.limits import UPLOADS

# Where a form of a template of this site is sent. One that is forgotten here fails the first test.
KEY = 7
SENT_TO = {
    "admin/surveys/results/releases.html": ("admin:surveys_releases", KEY),
    "studio/translation.html": ("studio:translation", KEY),
    "studio/import.html": ("studio:import",),
}
SITE: Path = settings.BASE_DIR
TEMPLATES = SITE / "templates"


def with_files() -> set[str]:
    """The templates that hold a form with a field for a file."""
    files = TEMPLATES.rglob("*.html")
    return {str(file.relative_to(TEMPLATES)) for file in files if "multipart/form-data" in file.read_text()}


def of_administration() -> Iterator[str]:
    """The pages of the administration whose form has a field for a file: their template leaves the kind to Django."""
    reverse("admin:index")  # the addresses of the administration bring its pages
    for model, page in admin.site._registry.items():
        fields = chain(*(form.form.base_fields.values() for form in (page, *page.inlines)))
        if any(field.widget.needs_multipart_form for field in fields):
            yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[KEY])


def test_every_form_with_a_file_has_its_address_in_the_web_server() -> None:
    """And the web server knows no address that no form is sent to."""
    assert with_files() == set(SENT_TO)
    addresses = {*of_administration(), *(reverse(name, args=keys) for name, *keys in SENT_TO.values())}

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

    assert sent.keys() >= {"configure.js", "zones.js"}
    assert {name: kinds for name, kinds in sent.items() if {*kinds} != {"URLSearchParams("}} == {}
