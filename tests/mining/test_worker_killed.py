"""kill -9 of the worker: every run is taken up again and ends with exactly one result.

`python -m benchmarks kills` kills fifty of them, and prints what was seen; CANDOR_KILLS says how many are killed here.
"""

import os

import pytest

from tests.mining.killing import LEASE, children_at_work, kill_workers
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import wait_until


@pytest.mark.django_db(transaction=True)
def test_the_pool_that_ships_loses_no_run_either(broker, settings):
    """Four kills of prefork workers, of the main process, one of the pool or all: four runs, four results."""
    broker.flushall()
    settings.MINING_LEASE = LEASE
    survey = sealed_survey(2000)
    runs = [queued_run(survey, min_confidence=0.01 * place, engine="bitset") for place in range(4)]

    seen = kill_workers(runs, 4, seed=2, pool="prefork")

    print(seen)
    assert (seen["done"], seen["results"]) == (4, 4)
    wait_until(lambda: not children_at_work(), 10, "no process mines any more")


@pytest.mark.django_db(transaction=True)
def test_workers_killed_at_random_moments_lose_no_run(broker, settings):
    """Ten kills, ten runs, ten results; and no process that mines outlives its worker."""
    kills = int(os.environ.get("CANDOR_KILLS", "10"))
    broker.flushall()
    settings.MINING_LEASE = LEASE
    survey = sealed_survey(2000)
    runs = [queued_run(survey, min_confidence=0.01 * place, engine="bitset") for place in range(kills)]

    seen = kill_workers(runs, kills, seed=1)

    print(seen)
    wanted = {"runs": kills, "kills": kills, "results": kills, "doubled": 0, "lost": 0}
    assert {name: seen[name] for name in wanted} == wanted
    wait_until(lambda: not children_at_work(), 10, "no process mines any more")
