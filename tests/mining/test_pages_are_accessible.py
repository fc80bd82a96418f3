"""The pages of mining in a browser: axe-core finds nothing, and nothing is cut off, from desk to phone."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from tests.mining.surveys import found_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("width", "colours", "language"), [(1100, "light", "en-GB"), (390, "light", "en-GB"), (360, "dark", "zh-CN")]
)
def test_every_page_is_accessible_and_whole(
    live: LiveServer,
    browser: Browser,
    client: Client,
    axe: Callable[[Page], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    colours: str,
    language: str,
) -> None:
    """The list of runs with all its columns, the start form, and a report, in both languages and colours."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    run = found_run()
    client.force_login(User.objects.create_superuser("admin"))
    context = browser.new_context(
        locale=language,
        viewport={"width": width, "height": 800},
        color_scheme=colours,  # type: ignore[arg-type]
    )
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live.url}])
    page = context.new_page()
    for address in ("/admin/mining/miningrun/add/", run.get_absolute_url(), "/admin/mining/miningrun/"):
        page.goto(f"{live.url}{address}")
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut_off = page.evaluate("(list => list.scrollWidth - list.clientWidth)(document.querySelector('.results'))")
    context.close()
    assert cut_off <= 0
