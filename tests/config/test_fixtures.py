"""The ground the other tests stand on is real."""

from collections.abc import Callable

import pytest
import redis
from django.db import connection
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer


@pytest.mark.django_db
def test_the_test_database_is_a_file_in_write_ahead_mode() -> None:
    """Tests meet the same locking as the site does."""
    if connection.vendor != "sqlite":
        pytest.skip("this is about SQLite")
    with connection.cursor() as cursor:
        values = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "secure_delete")
        ]
    assert values == ["wal", 2, 1]


def test_the_front_page_opens_in_a_browser(live: LiveServer, page: Page, axe: Callable[[Page], list[str]]) -> None:
    """A stranger finds a page that everybody can use."""
    page.goto(live.url)
    assert page.get_by_role("heading", level=1).inner_text() == "Candor"
    assert axe(page) == []


def test_javascript_runs_without_a_browser(node: Callable[..., str]) -> None:
    """Browser modules can be tested for themselves."""
    assert node("-e", "console.log(6 * 7)") == "42\n"


def test_the_broker_has_no_tcp_port(broker: redis.Redis) -> None:
    """Nobody on the network, and no other user of the machine, can reach it."""
    assert broker.config_get("port") == {"port": "0"}
