"""What people meet is the same on PostgreSQL: the suites that touch the database run there once more."""

import os
import subprocess
import sys
from pathlib import Path

SUITES = (
    "admin/test_frozen",
    "admin/test_panel",
    "admin/test_question_refusals",
    "admin/test_refusals",
    "admin/test_steps",
    "admin/test_writing",
    "test_at_once",
    "test_demo",
    "test_erasing",
    "test_held_snapshots",
    "test_invitations",
    "test_killed_while_receiving",
    "test_linking_attack",
    "test_manners",
    "test_no_order_schema",
    "test_receiving",
    "test_sealing",
    "test_trials",
)


def test_the_suites_pass_on_postgresql(postgres: str) -> None:
    """One run of pytest over a real server, in a process of its own because the database is chosen at start."""
    here = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, *(str(here / f"{suite}.py") for suite in SUITES)],
        cwd=here.parent.parent,
        env={**os.environ, "DATABASE_URL": postgres},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
