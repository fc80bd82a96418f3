"""Responses leave the inbox in batches, shuffled and packed, as snapshots that never change."""

import re
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies as st

from privacy.records import Records
from privacy.records.packing import pack, row_bytes
from surveys.domain.database import checkpoints, scrub
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.domain.responses.snapshots import records
from surveys.models import Inbox, Part, Residue, Snapshot, Survey, SurveyVersion
from tests.clocks import trust_clock
from tests.surveys.databases import reader
from tests.surveys.inbox import responses_waiting, wait
from tests.surveys.making import add_question, make_survey, words, write
from tests.surveys.sealed import open_answers, seal_in_parts
from tests.surveys.sending import send, submission

EARLIER = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def parts_of_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    seal_in_parts(monkeypatch, 50)


def receive(version: SurveyVersion, count: int, direct: int = 0, first: int = 0) -> None:
    """Inbox rows as receiving leaves them; the record and the undisguised answer of row i spell i in bits."""
    numbers = np.arange(first, first + count)
    codes = (numbers[:, None] >> np.arange(len(version.design.items)) & 1).astype(np.uint8)
    packed = pack(Records(version.design, codes, np.arange(count) < direct))
    wait(
        version,
        [
            Stored(packed[row].tobytes(), b'{"age":%d}' % numbers[row] if version.parsed.open_questions else b"")
            for row in range(count)
        ],
    )


def test_who_stays_back_is_drawn_by_lot(survey: Survey) -> None:
    """Not by the order of keys or of arrival: in thirty sealings everyone stays once, and everyone goes once."""
    add_question(survey, "age", type="number")
    version = publish(survey)
    receive(version, 40)
    everybody = set(responses_waiting(version))
    stayed = []
    for _ in range(30):
        point = transaction.savepoint()
        seal.seal_all()
        stayed.append(set(responses_waiting(version)))
        transaction.savepoint_rollback(point)
    assert [len(some) for some in stayed] == [20] * 30
    assert set.union(*stayed) == everybody  # by chance not so once in 10^7
    assert set.intersection(*stayed) == set()


def test_everything_is_sealed_at_closing(version: SurveyVersion) -> None:
    """Three more, one of them direct, join those that stayed back: 23 that nobody can tell apart."""
    receive(version, 40)
    seal.seal_all()
    receive(version, 3, direct=1)
    close(version.survey)
    seal.seal_closed()
    assert (Snapshot.objects.get().respondents, Inbox.objects.count(), Part.objects.count()) == (43, 0, 1)


@pytest.mark.parametrize(
    ("direct", "disguised", "leaving"),
    [
        (0, 39, (0, 0)),
        (0, 40, (0, 20)),
        (4, 36, (0, 20)),
        (9, 31, (0, 20)),
        (10, 29, (0, 0)),
        (10, 30, (5, 15)),
        (11, 60, (6, 45)),
        (24, 16, (0, 0)),
        (60, 16, (55, 0)),
        (60, 22, (55, 7)),
        (40, 0, (20, 0)),
        (100, 3, (83, 0)),
        (0, 0, (0, 0)),
    ],
)
def test_twenty_stay_back_and_five_of_each_kind(direct: int, disguised: int, leaving: tuple[int, int]) -> None:
    """Direct ones leave by five or more where five can stay, else all of them stay; so do disguised ones."""
    is_direct = np.arange(direct + disguised) < direct
    left = is_direct[seal.batch_places(is_direct)]
    assert (int(left.sum()), int((~left).sum())) == leaving


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 70)), max_size=12))
def test_no_two_snapshots_differ_by_few(arrivals: list[tuple[int, int]]) -> None:
    """By 20 responses or more, the last snapshot included; of the direct and of the disguised by none, or five or more.

    Unless these are all there are.
    """
    steps, waiting = [], np.zeros(2, dtype=int)
    for arrived in arrivals:
        waiting += arrived
        is_direct = np.arange(waiting.sum()) < waiting[0]
        left = is_direct[seal.batch_places(is_direct)]
        if len(left):
            steps.append([int(left.sum()), int((~left).sum())])
            waiting -= steps[-1]
    steps.append(waiting.tolist())
    assert len(steps) == 1 or all(sum(step) >= 20 for step in steps)
    for kind in zip(*steps, strict=True):
        few = [count for count in kind if count]
        assert len(few) <= 1 or min(few) >= 5


@pytest.mark.parametrize(
    ("quota", "ended", "reopened"),
    [(None, {"closes_at": EARLIER}, {"closes_at": None}), (3, {}, {"quota": 4}), (3, {}, {"quota": None})],
)
def test_what_a_date_or_a_quota_ended_stays_closed_once_it_is_sealed(
    client: Client,
    quota: int | None,
    ended: dict[str, Any],
    reopened: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Moved back and forth they would let in one response at a time, and seal it alone."""
    trust_clock(monkeypatch)
    version = publish(make_survey(quota=quota))
    receive(version, 3)
    Survey.objects.update(**{"title": "As it was", **ended})
    seal.seal_closed()
    Survey.objects.update(**reopened)
    assert send(client, "study", submission(version)).status_code == 410
    assert Snapshot.objects.get().respondents == 3


def test_a_date_that_has_passed_closes_for_good_where_nothing_waits(
    client: Client, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Could it still be moved, this would tell that nobody waits."""
    trust_clock(monkeypatch)
    Survey.objects.update(closes_at=EARLIER)
    seal.seal_closed()
    Survey.objects.update(closes_at=None)
    assert client.get("/s/study/questionnaire").status_code == 410


def test_a_version_that_was_replaced_is_sealed_whole(client: Client, version: SurveyVersion) -> None:
    """Its last responses do not wait for others that can no longer come; the survey stays open."""
    receive(version, 3)
    write(version.survey, why=words("Another why"))
    newer = publish(version.survey)
    seal.seal_closed()
    assert version.snapshots.get().respondents == 3
    assert send(client, "study", submission(newer)).status_code == 201


def test_nothing_is_lost_or_changed_and_the_order_is_gone(survey: Survey) -> None:
    """The records and the undisguised answers beside them are those received, row by row, in another order."""
    add_question(survey, "age", type="number")
    version = publish(survey)
    receive(version, 8)
    receive(version, 24, first=8)
    close(survey)
    seal.seal_all()
    snapshot = version.snapshots.get()
    sealed = records(snapshot).codes @ np.array([1, 2, 4])
    ages = np.array([answer["age"] for answer in open_answers(snapshot)])
    assert sorted(ages) == list(range(32))
    assert list(sealed) == list(ages % 8)
    assert list(ages) != sorted(ages)


def test_a_new_batch_is_shuffled_into_the_open_part(version: SurveyVersion) -> None:
    """After the second batch no place in the part tells which batch a response was in."""
    wait(version, [Stored(bytes(row_bytes(version.design)), b"")] * 520)
    seal.seal_all()
    Inbox.objects.all().delete()
    wait(version, [Stored(b"\x70", b"")] * 520)
    seal.seal_all()
    codes = records(version.snapshots.get()).codes[:, 0]
    assert (len(codes), codes.sum()) == (1000, 500)
    assert abs(int(codes[:500].sum()) - 250) < 5.5 * np.sqrt(62.5)  # by chance not so once in 10^7


@pytest.mark.usefixtures("parts_of_fifty")
def test_parts_close_when_they_are_full(version: SurveyVersion) -> None:
    """A full part is never rewritten; what is over begins the next."""
    receive(version, 80)
    seal.seal_all()
    full = Part.objects.get(size=50)
    receive(version, 45)
    seal.seal_all()
    snapshot = version.snapshots.get()
    assert [part.size for part in snapshot.parts.all()] == [50, 50, 5]
    assert snapshot.parts.first() == full
    assert len(records(snapshot)) == snapshot.respondents == 105


@pytest.mark.usefixtures("parts_of_fifty")
def test_a_sealing_reads_no_part_that_is_full(version: SurveyVersion) -> None:
    """It costs what has come, however many lie sealed: of five full parts and an open one it asks for the last."""
    receive(version, 280)
    seal.seal_all()
    *full, last = version.snapshots.get().parts.all()
    assert ([part.size for part in full], last.size) == ([50] * 5, 10)

    receive(version, 45)
    with CaptureQueriesContext(connection) as log:
        seal.seal_all()

    read = [one["sql"] for one in log if one["sql"].startswith("SELECT") and '"surveys_part"."records"' in one["sql"]]
    asked = [sorted(re.findall(r'"part_id" ([<>]=) \(?(\d+)', sql)) for sql in read]
    assert asked == [[("<=", str(last.pk)), (">=", str(last.pk))]]
    assert len(records(version.snapshots.get())) == 305


@pytest.mark.usefixtures("parts_of_fifty")
def test_the_last_few_responses_never_stand_alone(version: SurveyVersion) -> None:
    """What would be left over for a part of its own joins the last one."""
    receive(version, 65)
    seal.seal_all()
    receive(version, 3)
    close(version.survey)
    seal.seal_closed()
    assert [part.size for part in version.snapshots.get().parts.all()] == [68]


def test_a_snapshot_names_what_it_holds(version: SurveyVersion) -> None:
    """Another set of responses has another hash; the days are those of its parts."""
    receive(version, 40)
    seal.seal_all()
    first = version.snapshots.get()
    receive(version, 20)
    seal.seal_all()
    second = version.snapshots.get()
    assert first.sha256 != second.sha256
    assert (second.first_day, second.last_day) == (version.published_on, version.published_on)


def test_sealing_leaves_a_note_that_traces_remain(version: SurveyVersion) -> None:
    """The note is written in the same transaction, so that a crash before the traces are gone is not forgotten."""
    receive(version, 40)
    seal.seal_all()
    assert Residue.objects.exists()


def test_a_sealing_while_traces_are_removed_is_not_forgotten(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its note stays for the next round."""
    Residue.objects.create()
    for rewrite in ("_rewrite_sqlite", "_rewrite_postgresql"):
        monkeypatch.setattr(scrub, rewrite, lambda *_: Residue.objects.create())
    for let_go in ("empty_log", "_drop_old_postgresql"):
        monkeypatch.setattr(scrub, let_go, lambda: True)
    assert scrub.remove()
    assert Residue.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_tend_seals_and_removes_the_traces(version: SurveyVersion) -> None:
    """One round of the sealing job leaves a snapshot and no note."""
    receive(version, 40)
    call_command("tend", once=True)
    assert (Snapshot.objects.count(), Inbox.objects.count(), Residue.objects.count()) == (1, 20, 0)


@pytest.fixture
def one_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The removal of traces waits once for a reader, and not for long."""
    monkeypatch.setattr(checkpoints, "PAUSES", (0.05,))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["inbox", "part"])
def test_a_long_reader_delays_the_removal_and_nobody_who_sends(
    client: Client, version: SurveyVersion, table: str, one_pause: None
) -> None:
    """While it reads the removal gives up and the site receives; afterwards the next round removes the traces."""
    Residue.objects.create()
    with reader(f"SELECT count(*) FROM surveys_{table}"):
        assert not scrub.remove()
        assert send(client, "study", submission(version)).status_code == 201
        assert Residue.objects.count() == 1
    assert scrub.remove()
    assert not Residue.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("waits", [2, None])
def test_a_log_in_use_is_tried_again_with_growing_pauses(monkeypatch: pytest.MonkeyPatch, waits: int | None) -> None:
    """A writer gets a longer turn each time; a reader who leaves is noticed, and for one who stays it ends."""
    if connection.vendor != "sqlite":
        pytest.skip("the write-ahead log of PostgreSQL is not a file of this database")
    Residue.objects.create(rewritten=True)
    paused: list[float] = []
    with ExitStack() as reading:
        reading.enter_context(reader("SELECT count(*) FROM surveys_part"))
        Residue.objects.create(rewritten=True)  # what the reader does not see keeps the log from being cut

        def pause(seconds: float) -> None:
            paused.append(seconds)
            if len(paused) == waits:
                reading.close()

        monkeypatch.setattr(checkpoints.time, "sleep", pause)
        assert scrub.remove() == (waits is not None)
    assert paused == list(checkpoints.PAUSES[:waits])
    assert paused == sorted(paused)


@pytest.mark.django_db(transaction=True)
def test_what_was_rewritten_is_not_rewritten_again(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch, one_pause: None
) -> None:
    """After a reader stood in the way only the rest is done: rewriting a million keys again and again helps nobody."""
    Residue.objects.create()
    with reader("SELECT count(*) FROM surveys_part"):
        assert not scrub.remove()
    for rewrite in ("_rewrite_sqlite", "_rewrite_postgresql"):
        monkeypatch.delattr(scrub, rewrite)
    assert scrub.remove()


def test_what_cannot_be_sealed_keeps_no_other_survey_waiting(
    version: SurveyVersion, caplog: pytest.LogCaptureFixture
) -> None:
    """A row that nobody has put there so stops its own version, which the log names without what stood in it."""
    receive(version, 40)
    Inbox.objects.filter(key=Inbox.objects.first().key).update(box=b"\1" + 20 * b"canary-4f1d")
    other = publish(make_survey("other"))
    receive(other, 40)
    seal.seal_all()
    assert (version.snapshots.count(), other.snapshots.count()) == (0, 1)
    assert f"version {version.pk}" in caplog.text
    assert "canary" not in caplog.text
