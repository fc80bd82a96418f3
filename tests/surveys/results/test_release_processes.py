"""A release is made by a process of its own, inside the caps of a mining run, and ends with a table or a reason."""

import os
import resource
import signal
from typing import Any

import pytest
from django.db import transaction

from surveys.children import forked
from surveys.children.forked import Forked, end_after
from surveys.models import TableRelease
from surveys.releases import claim as claiming, make
from surveys.releases.ask import ask, start_due_releases
from surveys.releases.claim import RUNNER
from surveys.releases.reasons import reason_of
from tests.servers import PATIENCE, wait_until
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = {"attributes": {"mood": {"role": "quasi"}, "drugs": {"role": "sensitive"}}, "model": {"k": 5}}
State = TableRelease.State


@pytest.fixture
def release() -> TableRelease:
    return ask(survey_with_results(800), ASKED, None)


def reload(release: TableRelease) -> TableRelease:
    return TableRelease.objects.get(pk=release.pk)


def test_its_process_makes_the_table(release: TableRelease) -> None:
    """Of 800 responses one row each, for somebody to look at."""
    RUNNER.work(release.pk)
    made = reload(release)
    assert (made.state, made.attempts, bytes(made.table).count(b"\n")) == (State.READY, 1, 801)


def test_what_takes_too_long_ends_with_the_reason(release: TableRelease, settings: Any) -> None:
    """A process that has not even begun after a hundredth of a second, which is allowed here, is ended."""
    settings.MINING_SECONDS = 0.01
    RUNNER.work(release.pk)
    assert (reload(release).state, str(reason_of(reload(release)))) == (
        State.FAILED,
        "It took longer than 0.01 seconds: leave columns out, or ask the administrator for more time.",
    )


def test_what_needs_too_much_memory_ends_with_the_reason(
    release: TableRelease, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """The sentence names who may give it more, and nothing of the table is kept."""

    def too_much(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(make, "make_release", too_much)
    settings.MINING_MEMORY_MIB = 700
    token = claiming.claim(release.pk)
    assert token is not None
    make.make(release.pk, token)
    assert (reload(release).state, str(reason_of(reload(release)))) == (
        State.FAILED,
        "It needed more than 700 MiB of memory: leave columns out, or ask the administrator for more memory.",
    )


@pytest.mark.long
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux tells the caps of other processes")
def test_the_process_has_a_cap_on_its_memory(release: TableRelease, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the environment, which it reads as a worker does, while it makes the table; here it waits for a lock."""
    monkeypatch.setenv("MINING_MEMORY_MIB", "900")
    token = claiming.claim(release.pk)
    assert token is not None
    with end_after(RUNNER.start(release.pk, token)) as process:
        with transaction.atomic():
            claiming.LEASES.renew(release.pk, token, step=TableRelease.Step.READING, share=0.0)
            capped = (900 << 20, resource.getrlimit(resource.RLIMIT_AS)[1])
            wait_until(lambda: resource.prlimit(process.pid, resource.RLIMIT_AS) == capped, PATIENCE, "it has a cap")
        assert process.wait(PATIENCE) == 0
    assert reload(release).state == State.READY


@pytest.mark.long
def test_a_process_that_dies_gives_the_release_back(release: TableRelease, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another worker takes it up; the third time it ends."""
    start, states = forked.start, []

    def start_and_kill(module: str, *arguments: int | str, **more: Any) -> Forked:
        process = start(module, *arguments, **more)
        os.kill(process.pid, signal.SIGKILL)
        return process

    monkeypatch.setattr(forked, "start", start_and_kill)
    for _ in range(4):
        RUNNER.work(release.pk)
        start_due_releases()
        states.append((reload(release).state, reload(release).attempts))
    assert states == [(State.QUEUED, 1), (State.QUEUED, 2), (State.FAILED, 3), (State.FAILED, 3)]
    assert str(reason_of(reload(release))) == "Its worker died 3 times; ask again."


def test_the_process_ends_with_its_worker(release: TableRelease) -> None:
    """However the worker ends, the system closes what it held; what was made then is kept by nobody."""
    token = claiming.claim(release.pk)
    assert token is not None
    process = RUNNER.start(release.pk, token)
    process.stdin.close()
    assert (process.wait(PATIENCE), reload(release).state) == (1, State.RUNNING)
    process.stdout.close()
