"""What people meet is the same on PostgreSQL: the suites that touch the database run there once more."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import outside

# What every run looks at: the order of rows, the triggers, the catalogue, and that nobody is counted beyond a quota.
EVERY_RUN = (
    "surveys/test_between_sealings.py::test_what_came_is_written_by_one_transaction_and_once",
    "surveys/test_former.py::test_one_list_names_all_surveys_that_have_what_left",
    "surveys/test_no_order_schema.py",
    "surveys/test_quotas.py::test_the_count_is_what_counting_would_find",
    "surveys/test_quotas.py::test_the_database_refuses_a_lower_quota",
    "surveys/test_retention.py::test_the_database_refuses_to_change_a_record",
    "surveys/test_statement.py::test_a_statement_cannot_be_changed_or_taken_back",
)
# What the databases do each in its own way, one case of each: locks, triggers, the catalogue, the files, errors.
OWN_WAYS = (
    "config/test_university.py::test_the_longest_subject",
    "surveys/test_between_sealings.py",
    "surveys/studio/test_short_name.py",
    "surveys/test_clock.py::test_the_database_of_a_real_site_has_this_clock_or_none",
    "surveys/test_database_log.py",
    "surveys/test_erasing.py::test_a_survey_is_erased_while_people_send",
    "surveys/test_linking_attack.py",
    "surveys/test_manners.py::test_a_database_that_cannot_write_is_503",
    "surveys/test_manners.py::test_a_queue_of_writers_is_503",
    "surveys/test_no_order_schema.py",
    "surveys/test_quotas.py",
    "surveys/test_retention.py::test_the_database_refuses_to_change_a_record",
    "surveys/test_sealing.py::test_a_long_reader_delays_the_removal_and_nobody_who_sends",
    "surveys/test_sealing.py::test_tend_seals_and_removes_the_traces",
    "surveys/test_sealing_keys.py::test_what_was_erased_is_noise_after_one_round",
    "surveys/test_statement.py::test_a_statement_cannot_be_changed_or_taken_back",
)
# The same of more tables and tasks, and what only asks Django; of some files above, all of it.
OTHERS = (
    "mining/test_claims.py",
    "mining/test_maintenance.py",
    "mining/test_requests.py",
    "mining/test_requests_while_sealing.py",
    "mining/test_worker_killed.py",
    "mining/test_working.py",
    "surveys/results/test_release_processes.py",
    "surveys/results/test_releases.py",
    "surveys/test_at_once.py",
    "surveys/test_demo.py",
    "surveys/test_erased_files.py",
    "surveys/test_erasing.py",
    "surveys/test_held_snapshots.py",
    "surveys/test_hosts.py",
    "surveys/test_invitations.py",
    "surveys/test_kept_logs.py",
    "surveys/test_killed_while_receiving.py",
    "surveys/test_manners.py",
    "surveys/test_opening.py",
    "surveys/test_receiving.py",
    "surveys/test_retention.py",
    "surveys/test_sealing.py",
    "surveys/test_sealing_keys.py",
    "surveys/test_sealing_many.py",
    "surveys/test_sealing_stopped.py",
    "surveys/test_statement.py",
    "surveys/test_statement_stopped.py",
    "surveys/test_trials.py",
    "surveys/test_used.py",
)


def passes(postgres: str, suites: tuple[str, ...], **more: str) -> None:
    """One run of pytest over a real server, in a process of its own because the database is chosen at start.

    Named in its environment, the settings would be read before that run has a data folder of its own, and its workers
    would look for a broker where none is.
    """
    here = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, *(str(here / suite) for suite in suites)],
        cwd=here.parent,
        env={**outside(), "DATABASE_URL": postgres} | more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


def test_every_suite_that_runs_there_exists() -> None:
    """Else a test of another name is found missing by long runs alone."""
    named = [suite.partition("::") for suite in (*EVERY_RUN, *OWN_WAYS, *OTHERS)]

    assert [name for file, _, name in named if f"def {name}" not in (Path(__file__).parent / file).read_text()] == []


def test_frozen_rows_order_and_quotas_are_guarded_on_postgresql(postgres: str) -> None:
    """Some suites that rest on triggers, on the catalogue and on locks, one case of each as in `make test`."""
    passes(postgres, EVERY_RUN, ONE_CASE="1")


@pytest.mark.long
def test_what_the_databases_do_in_their_own_ways_passes_on_postgresql(postgres: str) -> None:
    """Nothing is lost, doubled, unfrozen or shown by an order there either."""
    passes(postgres, OWN_WAYS)


@pytest.mark.long
@pytest.mark.parametrize("folder", sorted({str(Path(suite).parent) for suite in OTHERS}))
def test_the_other_suites_pass_on_postgresql(postgres: str, folder: str) -> None:
    """Every test that touches the database does. Processes that share the tests each take the suites of a folder."""
    passes(postgres, tuple(suite for suite in OTHERS if str(Path(suite).parent) == folder))
