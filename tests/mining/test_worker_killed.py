"""kill -9 of the worker: every run is taken up again and ends with exactly one result."""

import os
import signal
import sys

import pytest

from tests.cases import first
from tests.mining.killing import LEASE, OF_SECONDS, SECONDS, children_at_work, end, kill_workers, start_worker
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(sys.platform != "linux", reason="what a worker is at is read from /proc"),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("pool", "kills"),
    [
        ("prefork", 1),
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
        lambda number: queued_run(survey, min_confidence=1e-5 * number, engine="bitset"), kills, seed=1, pool=pool
    )

    print(seen)
    wanted = {"kills": kills, "results": seen["runs"], "doubled": 0, "lost": 0}
    assert {name: seen[name] for name in wanted} == wanted
    wait_until(lambda: not children_at_work(), PATIENCE, "no process mines any more")


@pytest.mark.long
@pytest.mark.parametrize("everybody", first(1, [True, False]))
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
