"""What every page says to the browser, and what the site says when its database cannot answer."""

import re
import sqlite3
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import URLPattern, path, reverse

from config.web.lanes import lane
from config.web.limits import UPLOADS
from config.web.middleware import security_headers
from surveys import page, urls
from surveys.features.frames import page as page_in_frames


def sqlite_is_busy(code: int) -> OperationalError:
    cause = sqlite3.OperationalError("told by SQLite")
    cause.sqlite_errorcode = code
    error = OperationalError("told by Django")
    error.__cause__ = cause
    return error


def raise_busy(request: HttpRequest) -> HttpResponse:
    raise sqlite_is_busy(int(request.GET["code"]))


def raise_mistake(request: HttpRequest, receipt: str) -> HttpResponse:
    raise ZeroDivisionError


urlpatterns = [path("busy", raise_busy), path("broken/<receipt>", raise_mistake)]


def test_pages_load_nothing_from_elsewhere(client: Client) -> None:
    """Scripts, styles and pictures come from the site itself, none stand in the page, and no other site frames it."""
    headers = client.get("/").headers
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_page_may_be_stricter() -> None:
    """The respondent's page sets a policy of its own."""

    def strict(_: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "sandbox"})

    assert security_headers(strict)(RequestFactory().get("/")).headers["Content-Security-Policy"] == "sandbox"


def test_no_cookie_is_set_for_looking(client: Client) -> None:
    """A visitor who only looks is not marked."""
    assert client.get("/").cookies.output() == ""


@override_settings(ROOT_URLCONF="tests.config.test_headers")
@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT, sqlite3.SQLITE_FULL])
def test_a_locked_or_full_database_is_a_503(client: Client, code: int) -> None:
    """The browser is asked to come again."""
    answer = client.get("/busy", {"code": code})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Please try again in a moment." in answer.content.decode()


@override_settings(ROOT_URLCONF="tests.config.test_headers")
def test_a_program_is_told_in_json(client: Client) -> None:
    """The respondent's page reads JSON."""
    answer = client.post("/busy?code=5", data={}, content_type="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {"error": "The site is busy: please send this again in a moment."}


@override_settings(ROOT_URLCONF="tests.config.test_headers")
def test_a_wrong_query_is_not_called_busy(client: Client) -> None:
    """A mistake of ours is an error, not a reason to come again."""
    with pytest.raises(OperationalError):
        client.get("/busy", {"code": sqlite3.SQLITE_ERROR})


@pytest.mark.django_db(transaction=True)
def test_a_writer_who_stays_makes_others_come_again(client: Client) -> None:
    """A real lock held by another connection ends in a 503, after the time that the settings give."""
    if connection.vendor != "sqlite":
        pytest.skip("this is about SQLite's one writer")
    User.objects.create_user("ann", password="correct horse", is_staff=True)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=100")  # tests are in a hurry
    other = sqlite3.connect(Path(connection.settings_dict["NAME"]), isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        answer = client.post("/staff/admin/login/", {"username": "ann", "password": "correct horse"})
    finally:
        other.close()
        connection.close()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_a_logged_mistake_names_no_path(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """A path may hold a receipt; the log keeps the route."""
    client.raise_request_exception = False
    with override_settings(ROOT_URLCONF="tests.config.test_headers"):
        client.get("/broken/2f9a77")
    assert [record.getMessage() for record in caplog.records] == ["Internal Server Error: broken/<receipt>"]


# Each request waits in a lane of its kind.


def serves_a_page(pattern: URLPattern) -> bool:
    return pattern.callback.__module__ in {page.__name__, page_in_frames.__name__}


def test_the_respondents_pages_wait_for_no_database() -> None:
    """Every address of theirs is in the lane of the files, so that a locked database does not keep it waiting."""
    routes = [str(pattern.pattern) for pattern in urls.urlpatterns if serves_a_page(pattern)]
    lanes = {route: lane("GET", "/" + route.replace("<slug:slug>", "study")) for route in routes}
    assert lanes == {
        "s/<slug:slug>/": "files",
        "t/<slug:code>/test/": "files",
        "s/<slug:slug>/receipts/": "files",
        "f/<slug:slug>/": "questionnaires",  # it asks the survey which sites may hold it
        "client/manifest.txt": "files",
        "client/<path:name>": "files",
        **dict.fromkeys(("i/", "i/app.webmanifest", "i/worker.js"), "files"),
    }


LANES = {
    # Else it would be killed while the database stands still, and its successor, too.
    "files": ["GET /healthz", "HEAD /healthz"],
    # What reads the database. Whether it is ready must not wait for pages: four hundred strangers at the sign-in page
    # would else take every web server from its load balancer.
    "questionnaires": [
        *("GET /readyz", "HEAD /readyz", "GET /s/study/questionnaire", "GET /f/study/questionnaire"),
        *("GET /s/study/receipts/2f9a77", "GET /s/study/statement"),
    ],
    "messages": ["POST /s/study/responses"],
    # A form with a file waits for the process that reads it, and keeps nobody from signing in.
    "uploads": ["POST /staff/studio/import/", "POST /staff/studio/7/translation/"],
    "pages": ["GET /staff/studio/import/", "POST /staff/admin/login/", "GET /staff/admin/"],
}


def test_a_request_waits_beside_others_of_its_kind() -> None:
    """What is slow keeps nothing waiting that is not."""
    found = {name: {lane(*request.split()) for request in requests} for name, requests in LANES.items()}
    assert found == {name: {name} for name in LANES}


# Every form that sends a file comes through the web server, which refuses files on all other pages.
#
# Tests of single pages do not see it: they use Django's own server, which takes files everywhere.


# Where a form of a template of this site is sent. One that is forgotten here fails the first test.
KEY = 7
SENT_TO = {
    "studio/results/releases.html": ("studio:releases", KEY),
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
