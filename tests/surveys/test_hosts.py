"""Of several hosts one leads, another takes over, and no two make the tables at once."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from surveys.apps import SurveysConfig
from surveys.domain.database import duties, hosts
from surveys.domain.database.hosts import Leader, TakenOverError, preparing_alone
from surveys.management.commands.tend import Duty, do_if_due
from surveys.models import Residue
from tests.servers import PATIENCE, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
of_sessions = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no session that could end")


@pytest.fixture
def two() -> Iterator[tuple[Leader, Leader]]:
    both = (Leader(), Leader())
    yield both
    for leader in both:
        leader.resign()


def test_one_of_two_leads_until_it_resigns_and_is_followed_at_once(two: tuple[Leader, Leader]) -> None:
    first, second = two
    assert [first.leads(), second.leads(), first.leads(), second.leads()] == [True, False, True, False]
    first.resign()
    assert [second.leads(), first.leads()] == [True, False]


@of_sessions
def test_a_leader_whose_session_has_ended_leads_no_more(two: tuple[Leader, Leader]) -> None:
    """PostgreSQL was restarted, or has ended the session: the lock went with it, and anybody may have taken it."""
    first, second = two
    first.leads()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    wait_until(second.leads, PATIENCE, "the other leads")
    assert first.leads() is False


@of_sessions
def test_a_leader_writes_over_no_other_session_than_it_was_asked_over(two: tuple[Leader, Leader]) -> None:
    """It may have stood still, its session may have been ended by who took over; Django would connect it again."""
    first, _ = two
    assert first.leads()
    with pytest.raises(TakenOverError):
        first.do(lambda: (connection.close(), Residue.objects.create()))
    assert first.leads()
    first.do(Residue.objects.create)
    assert Residue.objects.count() == 1


@of_sessions
def test_who_takes_over_ends_what_the_one_before_has_begun(two: tuple[Leader, Leader]) -> None:
    """Its transaction is undone, and whatever it has locked is free. A host that only waits is left in peace."""
    first, second = two
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SET application_name = 'candor leads'")
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE surveys_residue")
    assert first.leads()
    first.do(Residue.objects.create)
    with pytest.raises(OperationalError, match="terminating connection"), other.cursor() as cursor:
        cursor.execute("SELECT 1")
    assert [second.leads(), first.leads()] == [False, True]


def notice_within(seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("STILL", seconds), ("PAUSE", 0.1), ("STUCK", float(seconds))):
        monkeypatch.setattr(hosts, name, value)


@of_sessions
def test_a_leader_that_waits_for_a_disk_without_an_end_is_followed(
    two: tuple[Leader, Leader], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its other threads go on, so it is the one that works of which there must be signs of life."""
    notice_within(1, monkeypatch)
    first, second = two
    leads, disk_answers = threading.Event(), threading.Event()

    def work() -> None:
        if first.leads():
            leads.set()
        disk_answers.wait()
        first.resign()
        connection.close()

    working = threading.Thread(target=work)
    working.start()
    try:
        assert leads.wait(PATIENCE)
        assert second.leads() is False
        wait_until(second.leads, PATIENCE, "the other leads")
    finally:
        disk_answers.set()
        working.join()


@of_sessions
def test_a_leader_that_works_for_long_without_asking_goes_on(
    two: tuple[Leader, Leader], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens boxes, or waits for a long command of PostgreSQL: neither is a standing still."""
    notice_within(2, monkeypatch)
    first, second = two
    assert first.leads()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(4)")
    assert [second.leads(), first.leads()] == [False, True]


@pytest.mark.parametrize(
    ("is_of_each_host", "leads", "is_done"),
    [(True, False, True), (False, False, False), (False, True, True)],
)
def test_what_one_host_does_is_done_by_the_one_that_leads(is_of_each_host: bool, leads: bool, is_done: bool) -> None:
    """A duty of each host is done by all; any other waits where another leads, and is due at once after a takeover."""
    done: list[str] = []
    duty = Duty("a duty", lambda: done.append("done"), 60.0, is_of_each_host)
    do_if_due(duty, lambda: leads)
    do_if_due(duty, lambda: leads)
    assert done == ["done"] * is_done
    assert (duty.due > 0) is is_done


def test_who_is_in_the_way_of_a_duty_is_left_alone_longer_and_longer() -> None:
    """As a dump of hours is, behind which each sender would wait at every try; afterwards all is as it was."""
    answers: list[object] = [False] * 7 + [True, False, None, OSError(), False]

    def work() -> object:
        if isinstance(answer := answers.pop(0), OSError):
            raise answer
        return answer

    duty, waits = Duty("a duty", partial(Leader().do, work), 5.0, False), []
    while answers:
        duty.due = 0.0
        do_if_due(duty, lambda: True)
        waits.append(duty.waits)
    assert waits == [10, 20, 40, 80, 160, 180, 180, 5, 10, 5, 5, 10]


def test_a_duty_that_has_more_to_do_is_called_again_after_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and with `--once` until it has done all; meanwhile it neither failed nor is it done."""
    answers: list[object] = [duties.MORE, duties.MORE, None, duties.MORE, False]
    duties.outcomes.clear()
    duty, waits, done = Duty("a duty", lambda: answers.pop(0), 5.0, True), [], []
    while answers:
        duty.due = 0.0
        do_if_due(duty, lambda: True)
        waits.append(duty.waits)
        done.append((duty.has_more, duties.outcomes["a duty"].done is not None, duties.outcomes["a duty"].failures))
    assert waits == [0, 0, 5, 0, 10]
    assert done == [(True, False, 0), (True, False, 0), (False, True, 0), (True, True, 0), (False, True, 0)]

    left = [duties.MORE] * 3
    monkeypatch.setattr(SurveysConfig, "duties", (("surveys.domain.closed.statement.state_all", 5),))
    monkeypatch.setattr("surveys.domain.closed.statement.state_all", lambda: left.pop() if left else None)
    call_command("tend", once=True)
    assert left == []


def test_a_duty_that_is_seldom_done_is_not_done_more_often_for_somebody_in_its_way() -> None:
    duty = Duty("a duty", lambda: False, 3600.0, True)
    do_if_due(duty, lambda: True)
    assert duty.waits == 3600.0


def test_two_hosts_that_start_together_make_the_tables_one_after_the_other(
    caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    """On PostgreSQL the log of each says who does; on SQLite nobody else could."""
    settings.MACHINE = "new.example.org"
    waits = "new.example.org prepares the database; this start waits for it."
    order: list[str] = []

    def prepare(name: str, then: Callable[[], object]) -> None:
        try:
            with preparing_alone():
                order.append(f"{name} begins")
                then()
                order.append(f"{name} ends")
        finally:
            connection.close()

    inside, other = threading.Event(), threading.Thread(target=prepare, args=("second", lambda: None))

    def let_the_other_come() -> None:
        other.start()
        inside.wait(0.2)  # in vain: nobody sets it; the other comes to the lock meanwhile
        if connection.vendor == "postgresql":
            wait_until(lambda: waits in caplog.messages, PATIENCE, "it says that it waits")

    prepare("first", let_the_other_come)
    other.join(PATIENCE)
    assert order == ["first begins", "first ends", "second begins", "second ends"]
    alone = "new.example.org prepares the database alone; other machines that start wait for it."
    said = [alone, waits, alone] if connection.vendor == "postgresql" else []
    assert [record.getMessage() for record in caplog.records if record.name.endswith(".hosts")] == said
