"""kill -9 of the worker in the middle of a mining run, on the site as `make run` starts it."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.servers import PATIENCE, ROOT, Prepared, Site, outside, running_site, wait_until

REQUEST = """
from mining.domain.request import request_run
from mining.engines.request import Request
from surveys.models import Survey
request_run(Survey.objects.get(slug="demo-ten"), Request(min_support=0.05, min_confidence=0.5))
"""


def state(site: Site) -> str:
    with closing(sqlite3.connect(f"file:{site.data}/candor.sqlite3?mode=ro", uri=True)) as database:
        (value,) = database.execute("SELECT state FROM mining_miningrun").fetchone()
    return str(value)


@pytest.mark.long
def test_the_run_is_taken_up_again(prepared: Prepared, tmp_path: Path) -> None:
    """Its lease runs out, the next worker takes it, and it ends with its result: never "running" for ever."""
    with running_site(prepared.copied(tmp_path / "data"), MINING_LEASE="2") as site:
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", REQUEST]
        subprocess.run(command, cwd=ROOT, env=outside() | {"CANDOR_DATA": str(site.data)}, check=True)
        wait_until(lambda: state(site) == "running", PATIENCE, "the run has begun")
        os.killpg(site.pid("worker"), signal.SIGKILL)
        wait_until(lambda: state(site) == "done", PATIENCE, "the run is done")
    assert "The worker ended (killed by SIGKILL) and is started again." in site.printed.read_text()
