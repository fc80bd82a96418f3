"""Processes that are killed in the middle of a mining run, or stand still, on the site as `make run` starts it."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.mining.killing import children_of
from tests.servers import PATIENCE, ROOT, Prepared, Site, outside, running_site, wait_until

REQUEST = """
from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.models import Survey
request_run(Survey.objects.get(slug="demo-ten"), MiningRequest(min_support=0.05, min_confidence=0.5))
"""


def request(site: Site) -> None:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", REQUEST]
    subprocess.run(command, cwd=ROOT, env=outside() | {"CANDOR_DATA": str(site.data)}, check=True)


def state(site: Site) -> str:
    with closing(sqlite3.connect(f"file:{site.data}/candor.sqlite3?mode=ro", uri=True)) as database:
        (value,) = database.execute("SELECT state FROM mining_miningrun").fetchone()
    return str(value)


@pytest.mark.long
def test_the_run_is_taken_up_again(prepared: Prepared, tmp_path: Path) -> None:
    """Its lease runs out, the next worker takes it, and it ends with its result: never "running" for ever."""
    with running_site(prepared.copied(tmp_path / "data"), MINING_LEASE="2") as site:
        request(site)
        wait_until(lambda: state(site) == "running", PATIENCE, "the run has begun")
        os.killpg(site.pid("worker"), signal.SIGKILL)
        wait_until(lambda: state(site) == "done", PATIENCE, "the run is done")
    assert "The worker ended (killed by SIGKILL) and is started again." in site.printed.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the processes of others")
@pytest.mark.long
def test_processes_of_a_pool_that_stand_still_are_replaced(prepared: Prepared, tmp_path: Path) -> None:
    """The main processes of worker and web server live and say so, but would let runs and visitors wait for ever."""
    with running_site(prepared.copied(tmp_path / "data"), MINING_LEASE="2") as site:
        pools = {}
        for name in ("worker", "web server"):
            leader = site.pid(name)
            wait_until(lambda leader=leader: len(children_of(leader)) == 2, PATIENCE, f"the {name} has its pool")
            pools[leader] = children_of(leader)
        for pool in pools.values():
            for process in pool:
                os.kill(process, signal.SIGSTOP)
        request(site)
        wait_until(lambda: state(site) == "done", PATIENCE, "the run is done")
        assert "Candor" in site.get("/")
        for leader, pool in pools.items():
            wait_until(lambda at=(leader, pool): not {*at[1]} & {*children_of(at[0])}, PATIENCE, "all are replaced")
    printed = site.printed.read_text()
    assert printed.count("A process of the worker no longer responds and is stopped.") == 2
    assert printed.count("A process of the web server no longer responds and is stopped.") == 2
    assert "is started again" not in printed
