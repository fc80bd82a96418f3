"""kill -9 of the worker: every run is taken up again and ends with exactly one result.

`python -m benchmarks kills` kills fifty of them, and prints what was seen.
"""

import sys

import pytest

from tests.mining.killing import LEASE, children_at_work, kill_crews, kill_workers
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until

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


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.long)])
def test_whoever_of_a_crew_is_killed_every_run_has_one_result_and_the_right_one(broker, settings, monkeypatch, kills):
    """Leaders, members and workers die at random moments; all runs ask the same, and find the same to the last byte."""
    broker.flushall()
    monkeypatch.setenv("MINING_SPREAD_FROM", "1")
    monkeypatch.setattr("surveys.domain.responses.seal.PART_SIZE", 100)
    settings.MINING_LEASE = LEASE
    survey = sealed_survey(4000, items=12, closed=True)
    asked = {"min_support": 0.002, "negated": True, "max_length": 4, "engine": "bitset"}

    def queue(number):
        return queued_run(survey, **asked, min_confidence=0.9 + 1e-12 * number)

    seen = kill_crews(queue, kills, seed=1)

    print(seen)
    assert seen["leader"] + seen["member"] + seen["worker"] == kills
    assert (seen["results"], seen["different"]) == (seen["runs"], 0)
    wait_until(lambda: not children_at_work() | children_at_work("counting"), PATIENCE, "nobody counts any more")
