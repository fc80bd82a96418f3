"""What people meet is the same on PostgreSQL: the suites that touch the database run there once more."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import outside

# What the databases do each in its own way: locks, triggers, the catalogue, the files, errors.
OWN_WAYS = (
    "mining/test_requests_while_sealing",
    "surveys/admin/test_for_good",
    "surveys/test_at_once",
    "surveys/test_database_log",
    "surveys/test_erasing",
    "surveys/test_held_snapshots",
    "surveys/test_linking_attack",
    "surveys/test_manners",
    "surveys/test_no_order_schema",
    "surveys/test_receiving",
    "surveys/test_sealing",
    "surveys/test_sealing_keys",
    "surveys/test_sealing_stopped",
    "surveys/test_statement",
)
# What only asks Django, and is slow.
OTHERS = (
    "mining/test_claims",
    "mining/test_requests",
    "mining/test_worker_killed",
    "mining/test_working",
    "surveys/admin/test_steps",
    "surveys/admin/test_writing",
    "surveys/test_demo",
    "surveys/test_invitations",
    "surveys/test_killed_while_receiving",
    "surveys/test_trials",
)


def passes(postgres: str, suites: tuple[str, ...]) -> None:
    """One run of pytest over a real server, in a process of its own because the database is chosen at start.

    Named in its environment, the settings would be read before that run has a data folder of its own, and its workers
    would look for a broker where none is.
    """
    here = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, *(str(here / f"{suite}.py") for suite in suites)],
        cwd=here.parent,
        env={**outside(), "DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


def test_what_the_databases_do_in_their_own_ways_passes_on_postgresql(postgres: str) -> None:
    """Nothing is lost, doubled, unfrozen or told by an order there either."""
    passes(postgres, OWN_WAYS)


@pytest.mark.long
def test_the_other_suites_pass_on_postgresql(postgres: str) -> None:
    """Every test that touches the database does."""
    passes(postgres, OTHERS)
