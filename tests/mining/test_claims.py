"""One run, one holder: a claim is taken by compare-and-swap, kept by a lease, and fenced by its token."""

from datetime import timedelta

import pytest
from django.utils import timezone

from mining.domain.claim import LEASES, cancel, claim, fail, finish, renew, sweep
from mining.domain.request import hint, start_due_runs
from mining.engines.reasons import MiningError
from mining.models import MiningResult, MiningRun
from surveys.domain.database.leases import MOST_ATTEMPTS
from tests.clocks import set_now
from tests.mining.surveys import queued_run, sealed_survey
from tests.surveys.broken import refused_notes


@pytest.fixture(autouse=True)
def _without_worker() -> None:
    """Here hints go on their way."""


@pytest.fixture
def run():
    return queued_run(sealed_survey(200))


def let_lease_run_out(run):
    MiningRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_only_one_of_two_workers_gets_the_run(run):
    """The second claim of a run that is held comes away with nothing."""
    assert claim(run.pk) is not None
    assert claim(run.pk) is None


def test_a_worker_that_was_given_up_writes_nothing(run):
    """Neither progress, nor an end, nor a result passes the fence of a newer token; the newer holder's does, once."""
    late = claim(run.pk)
    let_lease_run_out(run)
    holder = claim(run.pk)

    assert not renew(run.pk, late, level=9)
    assert not fail(run.pk, late, MiningError("late", most=600))
    assert not finish(run.pk, late, {"by": "late"}, b"")
    assert finish(run.pk, holder, {"by": "holder"}, b"")
    assert not finish(run.pk, holder, {"by": "holder again"}, b"")

    assert [result.summary for result in MiningResult.objects.all()] == [{"by": "holder"}]
    run.refresh_from_db()
    assert (run.state, run.level) == ("done", 0)


def test_renewing_moves_the_lease_and_notes_progress(run, settings):
    """A heartbeat keeps the claim for another lease and stores level, candidates and share."""
    settings.MINING_LEASE = 100
    token = claim(run.pk)
    MiningRun.objects.filter(pk=run.pk).update(lease_until=timezone.now() + timedelta(seconds=1))

    assert renew(run.pk, token, level=2, candidates=7, share=0.5)

    run.refresh_from_db()
    assert (run.level, run.candidates, run.share) == (2, 7, 0.5)
    assert run.lease_until > timezone.now() + timedelta(seconds=90)


def test_a_cancelled_run_is_nobodys(run):
    """The holder learns at the next heartbeat that the run was cancelled, and cannot finish it."""
    token = claim(run.pk)
    assert cancel(run.pk)
    assert not renew(run.pk, token)
    assert not finish(run.pk, token, {}, b"")
    run.refresh_from_db()
    assert run.state == "cancelled"


def test_what_has_ended_cannot_be_cancelled(run):
    """Cancelling a run that is done changes nothing."""
    finish(run.pk, claim(run.pk), {}, b"")
    assert not cancel(run.pk)


def test_the_sweeper_frees_what_a_dead_worker_left(run, settings):
    """A run whose lease ran out waits again, and is named for a new hint; a held one is left alone."""
    held = queued_run(run.survey, min_support=0.2)
    claim(held.pk)
    claim(run.pk)
    let_lease_run_out(run)

    assert sweep() == [run.pk]

    run.refresh_from_db()
    held.refresh_from_db()
    assert (run.state, held.state) == ("queued", "running")


def test_the_sweeper_names_runs_whose_hint_was_lost(run, settings):
    """A run that waits longer than a lease after its last hint is hinted at again; one just hinted at is not."""
    fresh = queued_run(run.survey, min_support=0.2)
    now = timezone.now()
    MiningRun.objects.filter(pk=fresh.pk).update(hinted_at=now)
    MiningRun.objects.filter(pk=run.pk).update(hinted_at=now - timedelta(seconds=settings.MINING_LEASE + 1))
    assert sweep() == [run.pk]


def test_a_note_that_does_not_go_ends_the_sweepers_turn(run, monkeypatch):
    """A broker that hangs costs seconds for each note, in the process that seals; the next turn begins with another."""
    others = [queued_run(run.survey, min_support=support).pk for support in (0.2, 0.3)]
    tried = refused_notes(monkeypatch)
    for _ in range(2):
        start_due_runs()
    assert len(tried) == len(set(tried)) == 2
    assert set(sweep()) == {run.pk, *others} - set(tried)


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1)])
def test_a_machine_whose_clock_is_wrong_takes_no_run_away(run, settings, monkeypatch, ahead):
    """Leases end by the database's clock: who works keeps the run, and what that machine claims is no longer
    and no shorter its own than anybody's."""
    settings.MINING_LEASE = 1000
    waiting = queued_run(run.survey, min_support=0.2)
    assert claim(run.pk)
    now = timezone.now
    set_now(monkeypatch, lambda: now() + ahead)

    hint(waiting.pk)
    assert (claim(run.pk), sweep()) == (None, [])
    theirs = claim(waiting.pk)
    assert renew(waiting.pk, theirs)

    waiting.refresh_from_db()
    left = waiting.lease_until - now()
    assert timedelta(seconds=800) < left <= timedelta(seconds=1000)


def test_a_run_that_kills_its_workers_ends(run):
    """After three workers died during a run it ends with a reason instead of taking a fourth."""
    for _ in range(MOST_ATTEMPTS):
        assert claim(run.pk)
        let_lease_run_out(run)
        sweep()
    run.refresh_from_db()
    assert (run.state, run.reason) == ("failed", "The worker died 3 times during this run.")


def test_a_run_that_killed_its_last_worker_is_nobodys_even_before_the_sweeper_comes(run):
    """A hint that is delivered late takes no fourth worker along; the sweeper then ends the run."""
    for _ in range(MOST_ATTEMPTS):
        assert claim(run.pk)
        let_lease_run_out(run)
    assert claim(run.pk) is None
    assert sweep() == []
    run.refresh_from_db()
    assert run.state == "failed"


def test_a_run_that_is_released_has_lost_no_attempt(run):
    """However often workers are restarted; and who has lost the claim releases nothing."""
    for _ in range(MOST_ATTEMPTS + 1):
        token = claim(run.pk)
        assert LEASES.release(run.pk, token)
    assert not LEASES.release(run.pk, token)
    run.refresh_from_db()
    assert (run.state, run.attempts, sweep()) == ("queued", 0, [run.pk])
