"""What people meet is the same on PostgreSQL: the suites that touch the database run there once more."""

import subprocess
import sys
from pathlib import Path

from tests.servers import outside

SUITES = (
    "mining/test_claims",
    "mining/test_requests",
    "mining/test_requests_while_sealing",
    "mining/test_worker_killed",
    "mining/test_working",
    "surveys/admin/test_steps",
    "surveys/admin/test_writing",
    "surveys/test_at_once",
    "surveys/test_database_log",
    "surveys/test_demo",
    "surveys/test_erasing",
    "surveys/test_held_snapshots",
    "surveys/test_invitations",
    "surveys/test_killed_while_receiving",
    "surveys/test_linking_attack",
    "surveys/test_manners",
    "surveys/test_no_order_schema",
    "surveys/test_receiving",
    "surveys/test_sealing",
    "surveys/test_trials",
)


def test_the_suites_pass_on_postgresql(postgres: str) -> None:
    """One run of pytest over a real server, in a process of its own because the database is chosen at start.

    Named in its environment, the settings would be read before that run has a data folder of its own, and its workers
    would look for a broker where none is.
    """
    here = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not solo"]
    run = subprocess.run(
        [*command, *(str(here / f"{suite}.py") for suite in SUITES)],
        cwd=here.parent,
        env={**outside(), "DATABASE_URL": postgres, "CANDOR_KILLS": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
