"""What every page says to the browser, and what the site says when its database cannot answer."""

import sqlite3
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path

from config.web.middleware import security_headers


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


@pytest.mark.django_db
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


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_logged_mistake_names_no_path(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """A path may hold a receipt; the log keeps the route."""
    client.raise_request_exception = False
    with override_settings(ROOT_URLCONF="tests.config.test_headers"):
        client.get("/broken/2f9a77")
    assert [record.getMessage() for record in caplog.records] == ["Internal Server Error: broken/<receipt>"]
