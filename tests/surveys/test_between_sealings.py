"""Between two sealings PostgreSQL keeps no order of those who came, but for the last seconds and its log.

A thief who knows in which order people came, and which row of the inbox is whose, compares this order with that of the
rows in the stolen database, as in test_linking_attack.
"""

from collections import Counter
from itertools import count
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from surveys.domain.database import scrub
from surveys.domain.messages.submission import Envelope, Stored, bytes_to_store, receipt
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import receive as receiving
from surveys.features.paper import batches
from surveys.models import Inbox, Submission, SurveyVersion
from tests.surveys.databases import reader
from tests.surveys.features.paper.sheets_of import BORN, crosswise, publish_paper, sheet_file, table_of
from tests.surveys.inbox import responses_waiting, wait
from tests.surveys.making import add_question, make_survey
from tests.surveys.sending import hash_of, send, submission
from tests.surveys.stopping import stopped_at
from tests.surveys.thief import alignment, forget_log_files, found_in, matches, neighbours, stolen_files

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 60


@pytest.fixture(autouse=True)
def _on_postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite keeps rows in the order of their keys, and has no xmin")


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey(quota=5000)
    add_question(survey, "n", type="number")
    return publish(survey)


def arrive(client: Client, version: SurveyVersion, people: range) -> list[bytes]:
    """Let them come one after the other, each by a submission key that is their number; the rows of the inbox."""
    rows: list[bytes] = []
    for person in people:
        before = set(Inbox.objects.values_list("key", flat=True))
        sent = submission(version, key=person.to_bytes(16).hex(), open={"n": person})
        assert send(client, "study", sent).status_code == 201
        rows += map(bytes, set(Inbox.objects.values_list("key", flat=True)) - before)
    return rows


def rows_in_order(marks: dict[str, dict[bytes, int]]) -> dict[str, list[int]]:
    """Whose the rows are, in each order in which PostgreSQL keeps them."""
    found = {}
    with connection.cursor() as cursor:
        for table, person_of in marks.items():
            for order in ("", "ORDER BY ctid", "ORDER BY xmin::text::bigint, ctid"):
                cursor.execute(f"SELECT key FROM surveys_{table} {order}")
                found[f"{table} {order}"] = [person_of[bytes(key)] for (key,) in cursor.fetchall()]
    return found


def bytes_in_order(marks: dict[str, dict[bytes, int]], log: bool) -> dict[str, list[int]]:
    """Whose the rows are, in the order of their bytes in the files of the log, or in all other files."""
    found = {}
    for name, content in stolen_files():
        if log == (len(name) == 24):
            for table, person_of in marks.items():
                owners = found_in(content, person_of)
                for end, persons in (("first", owners), ("last", owners[::-1])):
                    if len(order := list(dict.fromkeys(persons))) > PEOPLE // 10:
                        found[f"{name}: {end} {table}"] = order
    return found


def assert_by_chance(found: dict[str, list[int]]) -> None:
    for name, order in found.items():
        assert matches(order) <= 10, name
        assert neighbours(order) <= 14, name
        assert alignment(order) <= 5.5 / np.sqrt(len(order) - 1), name


@pytest.fixture
def same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run draws the same keys of rows, and begins with an empty log."""
    monkeypatch.setattr(receiving.os, "urandom", np.random.default_rng(7).bytes)
    forget_log_files()


def test_neither_rows_nor_files_keep_the_order_of_arrival_between_sealings(
    client: Client, version: SurveyVersion, same_keys: None
) -> None:
    """Before the duty: in line. After it: chance, also between its turns. The log keeps the order until the sealing."""
    rows = arrive(client, version, range(PEOPLE // 3))
    scrub.mix_arrivals()
    rows += arrive(client, version, range(PEOPLE // 3, PEOPLE))
    marks = {
        "inbox": {key: person for person, key in enumerate(rows)},
        "submission": {hash_of(version, person.to_bytes(16)): person for person in range(PEOPLE)},
    }
    before = rows_in_order(marks)
    scrub.mix_arrivals()
    between, files_between = rows_in_order(marks), bytes_in_order(marks, log=False)
    log_between = bytes_in_order(marks, log=True)
    call_command("tend", once=True)
    after = bytes_in_order(marks, log=False) | bytes_in_order(marks, log=True)

    assert [alignment(order) > 0.8 for order in before.values()] == [True] * 6
    assert max(alignment(order) for order in log_between.values()) > 0.8
    assert len(files_between) >= 4  # of two tables and the indexes of their keys
    assert_by_chance(between | files_between | after)


def test_no_row_and_no_file_keeps_the_order_of_the_pile_in_which_sheets_were_typed(
    monkeypatch: pytest.MonkeyPatch, same_keys: None
) -> None:
    """Not for a moment, and not in the log either: a stack is stored in the order of random keys, as a whole."""
    version = publish_paper(crosswise("copied"), BORN)
    marks: dict[str, dict[bytes, int]] = {"inbox": {}, "submission": {}}
    read, store = batches.read_sheets, receiving._store_under_lock
    keys: list[bytes] = []

    def read_pile(*given: Any) -> list[Envelope]:
        pile = read(*given)
        keys.extend(receipt(one.version, one.key, bytes_to_store(one, version.parsed))[0] for one in pile)
        return pile

    def keep(row: dict[str, Any], response: Stored) -> bool:
        before = set(Inbox.objects.values_list("key", flat=True))
        stored = store(row, response)
        (inbox,) = set(Inbox.objects.values_list("key", flat=True)) - before
        place = keys.index(row["key"])
        marks["inbox"][bytes(inbox)] = marks["submission"][row["key"]] = place
        return stored

    monkeypatch.setattr(batches, "read_sheets", read_pile)
    monkeypatch.setattr(receiving, "_store_under_lock", keep)
    batches.enter_batch(version, PEOPLE, 0, table_of(sheet_file(version, *["1,1"] * PEOPLE)))
    found = rows_in_order(marks) | bytes_in_order(marks, log=False) | bytes_in_order(marks, log=True)

    assert len(found) >= 6 + 4 + 1  # rows in each order, two tables and the indexes of their keys, the log
    assert_by_chance(found)


def test_what_came_is_written_by_one_transaction_and_once(client: Client, version: SurveyVersion) -> None:
    """Each table has one xmin; a turn after which nobody came writes nothing; the quota counts nobody twice."""
    arrive(client, version, range(5))

    def written() -> list[set[str]]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 'i', xmin::text FROM surveys_inbox UNION SELECT 's', xmin::text FROM surveys_submission"
            )
            rows = cursor.fetchall()
        return [{xmin for letter, xmin in rows if letter == table} for table in "is"]

    before = written()
    assert scrub.mix_arrivals()
    once = written()
    assert scrub.mix_arrivals()

    assert [len(one) for one in before] == [5, 5]
    assert [len(one) for one in once] == [1, 1]
    assert written() == once
    assert version.survey.quota_count.responses == Inbox.objects.count() == Submission.objects.count() == 5


def test_nothing_is_lost_or_doubled_wherever_it_stops(version: SurveyVersion) -> None:
    """The process ends before its first step, before its second, and so on; others have come meanwhile."""
    for step in count(1):
        for number in (2 * step, 2 * step + 1):  # by transactions of their own
            wait(version, [Stored(b"\0", b'{"n":%d}' % number)])
        if not stopped_at(step, scrub.mix_arrivals):
            break

    assert Counter(one.open for one in responses_waiting(version)) == Counter(
        b'{"n":%d}' % number for number in range(2, 2 * step + 2)
    )
    assert step > 5


def test_a_long_reader_delays_it_and_nobody_who_sends(
    client: Client, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of too many rows it does the same: people go on sending, and the sealing removes the order."""
    arrive(client, version, range(5))
    with reader("SELECT count(*) FROM surveys_inbox"):
        assert not scrub.mix_arrivals()
        assert len(arrive(client, version, range(5, 7))) == 2
    monkeypatch.setattr(scrub, "MOST_MIXED", 6)
    assert [scrub._tells_order(model) for model in scrub.ARRIVING] == [False, False, False]
    monkeypatch.setattr(scrub, "MOST_MIXED", 7)
    assert [scrub._tells_order(model) for model in scrub.ARRIVING] == [True, True, False]
