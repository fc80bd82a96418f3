"""`DEBUG=1 make run`: a developer on this machine sees tracebacks, and the site starts again when its code changes."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config import urls
from tests.servers import PATIENCE, ROOT, Prepared, running_site, wait_until

PARTS = ("web server", "worker", "sealing job")


def fails(request: HttpRequest, **_: str) -> HttpResponse:
    sent = request.body.decode()
    raise RuntimeError(f"cannot read {len(sent)} bytes")


handler500 = urls.handler500
urlpatterns = [path(f"{place}fails", fails) for place in ("staff/", "api/", "s/demo/", "t/demo/test/", "r/")]


@pytest.fixture
def development_site(settings: Any) -> None:
    """A site of a developer, whose views fail."""
    settings.ROOT_URLCONF, settings.DEVELOPMENT = __name__, True


def answer(address: str, **headers: str) -> Any:
    """To a browser that sends some text there."""
    headers = {"Accept": "text/html", **headers}
    text = Client(raise_request_exception=False).post(
        address, "what was sent", content_type="text/plain", headers=headers
    )
    assert text.status_code == 500
    return text


def shows_traceback(page: Any) -> bool:
    """With the line that failed and the values of its variables, or neither."""
    shown = [text in page.content.decode() for text in ("raise RuntimeError", "what was sent")]
    assert shown in ([True, True], [False, False])
    return shown[0]


@pytest.mark.parametrize("address", ["/staff/fails", "/api/fails"])
def test_a_developer_sees_the_traceback(development_site: None, address: str) -> None:
    """On the pages of staff and in the API; the page may send it nowhere."""
    page = answer(address)
    assert shows_traceback(page)
    assert "form-action 'none'" in page["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["/s/demo/fails", "/t/demo/test/fails", "/r/fails"])
def test_no_traceback_shows_what_a_respondent_sent(development_site: None, address: str) -> None:
    """Respondents' endpoints keep the error page of every site."""
    assert not shows_traceback(answer(address))


def test_no_traceback_is_shown_elsewhere(development_site: None, settings: Any) -> None:
    """Not through a proxy on this machine, not to another machine, and on no site without DEBUG=1."""
    assert not shows_traceback(answer("/staff/fails", **{"X-Forwarded-For": "203.0.113.9"}))
    elsewhere = Client(raise_request_exception=False, REMOTE_ADDR="203.0.113.9")
    assert not shows_traceback(elsewhere.post("/staff/fails", "what was sent", content_type="text/plain"))
    settings.DEVELOPMENT = False
    assert not shows_traceback(answer("/staff/fails"))


@pytest.mark.long
def test_changed_code_starts_every_part_again(prepared: Prepared, tmp_path: Path) -> None:
    """Web server, worker and sealing job are other processes after a change; broker and address stay."""
    with running_site(prepared.copied(tmp_path / "data"), DEBUG="1") as site:
        before, broker = [site.pid(name) for name in PARTS], site.pid("broker")
        os.utime(ROOT / "config" / "urls.py")
        wait_until(lambda: "changed: the site starts again" in site.printed.read_text(), PATIENCE, "the change is seen")
        wait_until(lambda: not {site.pid(name) for name in PARTS} & set(before), PATIENCE, "other processes")
        assert "Candor" in site.get("/")
        assert site.pid("broker") == broker
        assert "is started again" not in site.printed.read_text()  # nothing died by itself
