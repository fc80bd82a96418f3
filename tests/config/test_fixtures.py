"""The ground the other tests stand on is real."""

import time
from collections.abc import Callable

import pytest
import redis
from celery.app import app_or_default
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from config.celery import app as celery_app
from config.run import cache as config_cache
from tests.servers import worker_answers


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
    assert page.get_by_role("heading", level=1).inner_text() == "Ask what people would rather not say."
    assert axe(page) == []


def test_asking_the_worker_of_another_site_sends_no_task_there(broker: redis.Redis) -> None:
    """A process that asked once had all its later tasks sent to a broker that was gone."""
    assert not worker_answers(settings.CELERY_BROKER_URL.replace("virtual_host=0", "virtual_host=1"))
    assert app_or_default() is celery_app


def test_the_broker_has_no_tcp_port(broker: redis.Redis) -> None:
    """Nobody on the network, and no other user of the machine, can reach it."""
    assert broker.config_get("port") == {"port": "0"}


@pytest.mark.each
@pytest.mark.parametrize("case", ["a", "b"])
def test_no_test_remembers_that_another_had_no_broker(broker: redis.Redis, case: str) -> None:
    """Each case leaves behind that no broker answered, for an hour: the one that comes second asks it all the same."""
    cache.set("which-case", case, 60)
    assert cache.get("which-case") == case
    path = broker.connection_pool.connection_kwargs["path"]
    config_cache._ask_again[None, None, path] = time.monotonic() + 3600
