"""The work is done by a process of its own, inside caps, and every run ends with a result or a reason."""

import mmap
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mining.child import main
from mining.domain.claim import cancel, claim, sweep
from mining.domain.run import RUNNER
from mining.engines.columns import Columns
from mining.models import MiningRun
from surveys.children import forked
from surveys.domain.database import jobs
from surveys.domain.database.leases import MOST_ATTEMPTS
from surveys.questions import TYPES
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until
from tests.surveys.sealed import seal_in_parts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _here(settings):
    """This process, which other tests have filled, may have more memory than a run."""
    settings.MINING_MEMORY_MIB = 1 << 20


def work_and_reload(run):
    RUNNER.work(run.pk)
    run.refresh_from_db()
    return run


def mine_and_reload(run):
    """In this process."""
    main(run.pk, claim(run.pk))
    run.refresh_from_db()
    return run


@pytest.fixture
def mine_by(monkeypatch):
    """Runs are mined by a process of this code, of which something may be done once it has started."""

    def replace(code, then=lambda _run_id: None):
        started = []

        def start(_module, run_id, _token, **_tuned):
            started.append(_process(code))
            then(run_id)
            return started[-1]

        monkeypatch.setattr(forked, "start", start)
        return started

    return replace


SLEEP = "import time; time.sleep(600)"


def test_a_run_ends_with_its_result():
    """The result holds every itemset of the survey with its error, and says what it was made from."""
    run = work_and_reload(queued_run(sealed_survey(3000, closed=True, least=20)))

    assert (run.state, run.reason, run.attempts) == ("done", "", 1)
    columns = Columns.from_bytes(run.result.columns)
    assert [columns.names(place) for place in range(3)] == [["q0"], ["q1"], ["q2"]]
    summary = run.result.summary
    assert (summary["n"], summary["engine"], summary["rules_by"]) == (3000, "mlxtend", "rules mlxtend")
    assert len(columns.itemset) == run.result.summary["rules"] > 0


def test_a_run_asks_as_little_of_the_database_whether_it_has_one_part_or_many(monkeypatch):
    """Its row, what may be reported (before the survey's lock and with it, once), its list of parts, their direct
    answers, the list once more, the records, for its pairs and for all else, a truth if any; then its end."""
    for slug, size in (("one", 1000), ("many", 100)):
        seal_in_parts(monkeypatch, size)
        run = queued_run(sealed_survey(1000, slug, closed=True))
        token = claim(run.pk)
        with CaptureQueriesContext(connection) as asked:
            main(run.pk, token)
        verbs = [query["sql"].split()[0] for query in asked]
        asked_for = [verb for verb in verbs if verb in ("SELECT", "INSERT", "UPDATE", "DELETE")]
        assert asked_for == ["SELECT"] * 15 + ["UPDATE", "INSERT"]


def test_a_run_that_somebody_holds_is_left_to_them():
    """Working on a claimed run does nothing."""
    run = queued_run(sealed_survey(200))
    claim(run.pk)
    work_and_reload(run)
    assert (run.state, run.attempts) == ("running", 1)


def test_too_many_rules_end_the_run_with_advice():
    """A cap that is reached ends the run with the cap and what to do, in one sentence."""
    survey = sealed_survey(2000, items=9)
    run = mine_and_reload(queued_run(survey, min_support=0.0001, min_confidence=0.0, max_length=6, negated=True))
    assert run.state == "failed"
    assert run.reason == (
        "More than 100\u202f000 rules reach a confidence of 0: raise the support or the confidence, or lower "
        "the length."
    )


@pytest.mark.long
def test_too_little_memory_ends_the_run_with_advice(monkeypatch):
    """Beyond the cap on address space allocations fail, the run says so, and the worker lives on."""
    monkeypatch.setenv("MINING_MEMORY_MIB", "300")
    parameters = {"min_support": 1e-4, "min_confidence": 0, "max_length": 6, "negated": True, "engine": "bitset"}
    run = work_and_reload(queued_run(sealed_survey(2000, items=14), **parameters))
    assert run.state == "failed"
    assert run.reason == "It needed more than 300 MiB of memory: raise the support or lower the length."


@pytest.mark.long
def test_too_long_ends_the_run_with_advice(settings):
    """Beyond the cap on time the process is killed and the run says so."""
    settings.MINING_SECONDS = 0
    run = work_and_reload(queued_run(sealed_survey(200)))
    assert run.state == "failed"
    assert run.reason == "It took longer than 0 seconds: raise the support or lower the length."


def test_the_run_of_a_process_that_breaks_is_retried(mine_by):
    """The run waits for another attempt; after three it ends with the status."""
    mine_by("raise SystemExit(3)")
    run = queued_run(sealed_survey(200))
    states = [work_and_reload(run).state for _ in range(3)]
    assert states == ["queued", "queued", "failed"]
    assert run.reason == "The mining process ended unexpectedly (status 3). Tried 3 times."


def test_an_error_that_would_come_again_ends_the_run_at_once(monkeypatch, caplog):
    """What breaks the miner breaks it every time: one attempt, one sentence, and the traceback in the log."""
    monkeypatch.setattr("mining.child.mine_run", lambda *_: {}["nothing"])
    run = mine_and_reload(queued_run(sealed_survey(200)))
    assert (run.state, run.attempts) == ("failed", 1)
    assert run.reason == "Mining failed on these records (KeyError); see the worker's log."
    assert "Traceback" in caplog.text


@pytest.mark.long
def test_a_run_of_a_newer_questionnaire_waits_for_a_newer_worker(caplog):
    """An older worker leaves it without an attempt, however often, and does not look at it again at once; a newer one
    then finishes it."""
    run = queued_run(sealed_survey(200))
    kind = run.snapshot.version.parsed.questions[0].type
    with mock.patch.dict(TYPES):  # afterwards they stand in the same order again, in which the studio offers them
        del TYPES[kind]
        for _ in range(MOST_ATTEMPTS + 1):
            main(run.pk, claim(run.pk))
        run.refresh_from_db()
        assert (run.state, run.attempts, run.token, sweep()) == ("queued", 0, "", [])
        assert "is left to a newer worker" in caplog.text
    MiningRun.objects.filter(pk=run.pk).update(hinted_at=timezone.now() - timedelta(hours=1))
    assert sweep() == [run.pk]
    assert work_and_reload(run).state == "done"


def test_a_database_that_is_away_does_not_end_the_run(monkeypatch):
    """The process dies of it, and the run waits for another attempt."""

    def away(*_):
        raise OperationalError("locked")

    monkeypatch.setattr("mining.child.mine_run", away)
    run = queued_run(sealed_survey(200))
    with pytest.raises(OperationalError):
        main(run.pk, claim(run.pk))
    run.refresh_from_db()
    assert run.state == "running"


TOLD = '{"phase": "counting", "level": 3, "candidates": 77, "share": 0.25}'


@pytest.mark.parametrize(
    "said", [TOLD, rf'{{"share": 1}}\n{{}}\n{TOLD}\n77\n{{"pha'], ids=["one line", "in one breath"]
)
def test_progress_is_stored_while_the_work_goes_on(mine_by, said):
    """What the process tells is in the row before it ends: of what it says in one breath the newest whole line."""
    mine_by(f"print('{said}', flush=True)")
    run = work_and_reload(queued_run(sealed_survey(200)))
    assert (run.phase, run.level, run.candidates, run.share) == ("counting", 3, 77, 0.25)


def test_cancelling_ends_the_process(mine_by, settings):
    """The worker notices at the next heartbeat, and kills the process that mines."""
    started = mine_by("print('{}', flush=True); " + SLEEP, then=cancel)
    settings.MINING_LEASE = 1
    run = work_and_reload(queued_run(sealed_survey(200)))
    assert run.state == "cancelled"
    assert started[0].poll() == -9


def test_a_process_that_stands_still_is_killed_and_its_run_retried(mine_by, settings):
    """Its claim would else be renewed as long as its worker lives."""
    settings.MINING_LEASE, settings.MINING_SECONDS = 1, 30
    started = mine_by("print('{}', flush=True); " + SLEEP)
    run = work_and_reload(queued_run(sealed_survey(200)))
    assert (run.state, run.attempts, started[0].poll()) == ("queued", 1, -9)


def test_a_process_that_mines_tells_that_it_does_not_stand_still(monkeypatch, settings, capfd):
    """However long a step takes that tells nothing."""
    settings.MINING_LEASE = 0.1
    said = []

    def take_long(*_):
        wait_until(lambda: said.append(capfd.readouterr().out) or len("".join(said)) > 9, PATIENCE, "it tells so")

    monkeypatch.setattr("mining.child._mine", take_long)
    main(0, "")
    assert "".join(said).startswith("{}\n{}\n{}\n")


@pytest.fixture
def ends(monkeypatch):
    """The worker is asked to end, without anything of it being left for other tests."""
    with mmap.mmap(-1, 1) as asked:
        monkeypatch.setattr(jobs, "_requested", asked)
        yield jobs.request_shutdown


def test_a_worker_that_is_asked_to_end_releases_its_run(mine_by, ends):
    """At once, and the attempt with it: who is restarted again and again ends no run."""
    started = mine_by(SLEEP, then=lambda _run_id: ends())
    run = work_and_reload(queued_run(sealed_survey(200)))
    assert (run.state, run.attempts, started[0].poll()) == ("queued", 0, -9)


@pytest.mark.long
def test_the_process_ends_with_its_parent():
    """A process whose parent is gone, here because the pipe to it closes, ends at once and writes nothing."""
    run, code = _run_without("stdin")
    assert (run.state, code) == ("running", 1)
    assert MiningRun.objects.filter(result=None).count() == 1


def test_a_process_that_cannot_tell_its_progress_does_not_end_the_run():
    """Its worker was killed a moment ago: the run stays as it is, and another worker takes it."""
    run, code = _run_without("stdout")
    assert (run.state, run.ended_for, code) == ("running", {}, 0)


def _run_without(pipe: str) -> tuple[MiningRun, int]:
    """A run whose process has lost one of its pipes, and what the process ended with."""
    run = queued_run(sealed_survey(200))
    child = RUNNER.start(run.pk, claim(run.pk))
    getattr(child, pipe).close()
    code = child.wait(PATIENCE)
    child.stdin.close()
    child.stdout.close()
    run.refresh_from_db()
    return run, code


def _process(code: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(os.sep)
    )
