"""kill -9 of the worker: every run is taken up again and ends with exactly one result.

`python -m benchmarks kills` kills fifty of them, and prints what was seen.
"""

import os
import signal
import sys

import pytest

from benchmarks.bench_crews import crews_struck
from mining.domain.result import mine_run
from mining.engines.progress import silent
from mining.models import MiningRun
from tests.mining.killing import LEASE, children_at_work, end, kill_workers, start_worker
from tests.mining.killing_crews import OF_A_CREW, OF_SECONDS, SECONDS, strike_crews
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, postgres_folder, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="what a worker is at is read from /proc"),
]


@pytest.mark.parametrize(
    ("pool", "kills"),
    [
        ("prefork", 2),
        pytest.param("prefork", 10, marks=pytest.mark.long),
        pytest.param("solo", 10, marks=pytest.mark.long),
    ],
)
def test_workers_killed_at_random_moments_lose_no_run(broker, settings, pool, kills):
    """Of workers as a site has them, and of simple ones: every run has its one result, and no process mines on."""
    broker.flushall()
    settings.MINING_LEASE = LEASE
    survey = sealed_survey(2000)

    seen = kill_workers(
        lambda number: queued_run(survey, min_confidence=0.001 * number, engine="bitset"), kills, seed=1, pool=pool
    )

    print(seen)
    wanted = {"kills": kills, "results": seen["runs"], "doubled": 0, "lost": 0}
    assert {name: seen[name] for name in wanted} == wanted
    wait_until(lambda: not children_at_work(), PATIENCE, "no process mines any more")


@pytest.mark.parametrize("everybody", [False, True])
def test_a_worker_that_is_restarted_costs_a_run_no_attempt(broker, monkeypatch, everybody):
    """Its main process is asked to end, or all of its group at once, as a service manager or `make run` does."""
    broker.flushall()
    monkeypatch.setenv("MINING_LEASE", "60")
    run = queued_run(sealed_survey(2000, **OF_SECONDS), **SECONDS)
    worker = start_worker("prefork")
    try:
        wait_until(children_at_work, PATIENCE, "the worker mines")
        (child,) = children_at_work()
        os.kill(child, signal.SIGSTOP)  # it does not end before its worker does
        if everybody:
            os.killpg(worker.pid, signal.SIGTERM)
        else:
            worker.terminate()
        worker.wait(PATIENCE)
    finally:
        end(worker)
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("queued", 0)


@pytest.mark.parametrize(
    ("workers", "blows"),
    [
        pytest.param(2, ["leader", "member", "worker of the leader"], marks=pytest.mark.long),
        pytest.param(3, [*OF_A_CREW, "cancelled", "member stands still"] * 8, marks=pytest.mark.long),
    ],
)
def test_whoever_of_a_crew_is_killed_every_run_has_one_result_and_the_right_one(
    broker, settings, monkeypatch, workers, blows
):
    """Leaders, members and the workers of both, at random moments while members count; a cancelled run has none.

    All runs ask the same, and must find what one process finds, to the last byte.
    """
    broker.flushall()
    monkeypatch.setenv("MINING_SPREAD_FROM", "1")
    monkeypatch.setenv("MINING_LEASE", str(LEASE))
    monkeypatch.setattr("surveys.domain.responses.seal.PART_SIZE", 300)
    settings.MINING_LEASE = LEASE
    survey = sealed_survey(30_000, **OF_SECONDS)

    def queue(number):
        return queued_run(survey, **SECONDS, min_confidence=0.9 + 1e-12 * number)

    _, right = mine_run(queue(0), silent)
    MiningRun.objects.all().delete()
    seen = strike_crews(queue, right, blows, seed=1, longest=0.5, workers=workers)

    print(seen)
    assert [(blow.to, blow.right) for blow in seen] == [(to, True) for to in blows]


@pytest.mark.long
def test_a_crew_outlives_its_broker_and_its_database(postgres_server):
    """On PostgreSQL, in a process of its own: every run ends right, and is taken up again within a minute."""
    programs, _ = postgres_server
    with postgres_folder(programs) as folder:
        measured = crews_struck(programs, folder, kills=12, lease=LEASE, respondents=30_000)
    assert [(row[0], row[1], row[2]) for row in measured["rows"]] == [
        *((to, 2, 2) for to in (*OF_A_CREW, "broker", "database")),
        *((to, 3, 3) for to in ("cancelled", "member stands still")),
    ]
    assert max(row[6] for row in measured["rows"]) < 60
