"""A sealing job that stands still leads no more: another cuts it off, and it does no harm when it goes on."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.config.hosts import KEY, MAKE, SEALED, SEND, SIZES, ask_database, close, python
from tests.servers import PATIENCE, ROOT, outside, wait_until

# With a shorter bound, the signs of life come more often, too.
TEND = """
import sys
import django
django.setup()
from django.core.management import call_command
from surveys.domain.database import hosts
hosts.STILL, hosts.PAUSE = int(sys.argv[1]), int(sys.argv[1]) / 5
call_command("tend")
"""
LEADS = (
    "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND application_name = 'candor leads on {}'"
)
ROUND_OF_BOTH = (
    "SELECT count(*) / 2 FROM surveys_sealingkey k JOIN surveys_sealinground r ON k.round_id = r.key WHERE r.current"
)
SEALS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'candor leads' AND "


@contextmanager
def tending(name: str, still: int, url: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sealing job of a machine of this name, and of a data folder of its own."""
    own = {"DATABASE_URL": url, "CANDOR_DATA": str(folder / name), "MACHINE": name, "SECRET_KEY": KEY}
    own["DJANGO_SETTINGS_MODULE"] = "config.settings"
    (folder / name).mkdir(exist_ok=True)
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", TEND, str(still)], cwd=ROOT, env=outside() | own, stderr=log, stdout=log
        )
    try:
        yield process
    finally:
        process.kill()  # also if it stands still
        process.wait()


@pytest.mark.long  # that another host leads is tried of each database by itself
@pytest.mark.parametrize("still", [4, 10])
def test_a_sealing_job_that_stands_still_while_it_seals_is_followed(still: int, tables: str, tmp_path: Path) -> None:
    """It is stopped within its transaction, where it holds the survey: the other undoes that and seals everything.

    When it goes on, what it still wants to write is refused; nothing is lost or sealed twice. It leads again when the
    other one dies.
    """
    bodies = python(MAKE, tables, tmp_path / "maker", "60")
    with ExitStack() as hosts:
        first = hosts.enter_context(tending("first", still, tables, tmp_path))
        wait_until(lambda: ask_database(tables, LEADS.format("first")), PATIENCE, "the first leads")
        second = hosts.enter_context(tending("second", still, tables, tmp_path))
        wait_until(lambda: ask_database(tables, ROUND_OF_BOTH), PATIENCE, "responses are encrypted for both")
        assert python(SEND, tables, tmp_path / "maker", json.dumps(bodies)) == [True] * 60
        with psycopg.connect(tables) as session:
            session.execute("LOCK TABLE surveys_part")
            close(tables)
            wait_until(lambda: ask_database(tables, f"{SEALS} wait_event_type = 'Lock'"), PATIENCE, "it wants to write")
            os.kill(first.pid, signal.SIGSTOP)
        wait_until(
            lambda: ask_database(tables, f"{SEALS} state = 'idle in transaction'"), PATIENCE, "it holds the survey"
        )
        wait_until(lambda: ask_database(tables, SIZES) == 60, PATIENCE, "the other has sealed all")
        assert ask_database(tables, LEADS.format("second")) == 1
        os.kill(first.pid, signal.SIGCONT)
        said = tmp_path / "first.log"
        wait_until(
            lambda: "were not sealed (OperationalError)" in said.read_text(),
            PATIENCE,
            "it was refused",
        )
        second.kill()
        wait_until(lambda: ask_database(tables, LEADS.format("first")), PATIENCE, "the first leads again")
    assert ask_database(tables, SIZES) == 60
    assert python(SEALED, tables, tmp_path / "maker") == list(range(60))
