"""What was used once is recognised for ever, wherever it has been moved to, on both databases."""

import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from surveys.domain.closed.erase import erase
from surveys.domain.database import duties, scrub, used
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.receive import receive
from surveys.models import Inbox, Residue, SpentToken, Submission, Survey, SurveyVersion, UsedEntry, UsedPage
from tests.surveys.making import make_survey
from tests.surveys.sending import send, sign_in_the_open, submission

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups, bites and pages of few, so that a test moves through all of them."""
    for name, size in (("GROUP", 30), ("ROWS_AT_ONCE", 16), ("PAGE", 7)):
        monkeypatch.setattr(used, name, size)


def use_keys(version: SurveyVersion, count: int) -> list[bytes]:
    """So many submission keys that were used; the entry of each."""
    rows = [Submission(key=os.urandom(16), proof=os.urandom(16), survey_id=version.survey_id) for _ in range(count)]
    Submission.objects.bulk_create(rows)
    return [row.key + row.proof for row in rows]


def sizes() -> tuple[int, int, int]:
    """How many entries stand in each of the three places."""
    pages = UsedPage.objects.values_list("entries", flat=True)
    return Submission.objects.count(), sum(len(page) for page in pages) // used.SIZE, UsedEntry.objects.count()


def test_every_key_is_found_with_its_proof_wherever_it_stands(version: SurveyVersion) -> None:
    """Also in a page's first and last place, and beside the keys of another survey."""
    other = publish(make_survey("other"))
    entries, others = [], []
    for _ in range(4):
        entries += use_keys(version, 25)
        others += use_keys(other, 3)
        used.move()
    entries += use_keys(version, 5)
    assert (sizes()[0], UsedPage.objects.count() > 5, sizes()[2] > 0) == (5, True, True)
    for mine, survey, foreign in ((entries, version.survey_id, others), (others, other.survey_id, entries)):
        assert [used.receipt_of(survey, entry[:16]) for entry in mine] == [entry[16:] for entry in mine]
        assert {used.receipt_of(survey, entry[:16]) for entry in foreign} == {None}
        assert used.receipts(survey) == sorted(mine)
        for place, most in ((0, 1), (1, 7), (len(mine) - 3, 7)):
            assert used.receipts(survey, sorted(mine)[place], most) == sorted(mine)[place : place + most]
    assert used.receipt_of(version.survey_id, bytes(16)) is used.receipt_of(version.survey_id, b"\xff" * 16) is None


def test_receipts_far_on_are_found_without_a_walk_on_sqlite(version: SurveyVersion) -> None:
    """Of two lower bounds SQLite takes the first that it is told: a long list took as long as its length squared."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL takes the narrower one")
    entries = sorted(use_keys(version, 1500))
    close(version.survey)
    used.move()
    steps: list[None] = []
    connection.connection.set_progress_handler(lambda: steps.append(None), 100)  # instructions of its machine
    try:
        assert used.receipts(version.survey_id, entries[-2], 9) == entries[-2:]
    finally:
        connection.connection.set_progress_handler(None, 0)
    assert len(steps) < 10


def test_the_database_takes_no_key_twice(version: SurveyVersion) -> None:
    """No matter who asks and where it stands: a program of the previous version does not know where keys are moved."""
    entries = use_keys(version, 70)
    used.move()
    insert = "INSERT INTO surveys_submission (key, proof, survey_id) VALUES (%s, %s, %s)"
    for entry in entries:
        with connection.cursor() as cursor:
            row = [entry[:16], os.urandom(16), version.survey_id]
            if connection.vendor == "postgresql":
                cursor.execute(insert, row)
            else:
                with pytest.raises(IntegrityError), transaction.atomic():
                    cursor.execute(insert, row)
    assert sizes() == (0, 36, 34)  # by bites of 16


def test_no_fewer_than_a_group_move_on_and_a_group_stays(version: SurveyVersion) -> None:
    """So nothing tells of fewer that they came before others. Up to twice a group nothing moves on."""
    answered = []
    for _ in range(6):
        use_keys(version, 15)
        used.move()
        answered.append(sizes())
    assert answered == [(0, 15, 0), (0, 30, 0), (0, 45, 0), (0, 60, 0), (0, 30, 45), (0, 45, 45)]


def test_who_moves_on_is_drawn_by_lot(version: SurveyVersion) -> None:
    """Of a thousand that came first, and a thousand that came then, each is as likely to stay."""
    used.GROUP, used.ROWS_AT_ONCE = 500, 4000  # set back by the fixture
    first = use_keys(version, 1000)
    used.move()
    second = use_keys(version, 1000)
    used.move()
    stayed = {entry for page in UsedPage.objects.all() for entry in used._entries_on(page.entries)}
    counts = [len(stayed.intersection(came)) for came in (first, second)]
    assert sum(counts) == 500
    assert abs(counts[0] - 250) <= 4.5 * (500 / 4 * 1500 / 1999) ** 0.5  # hypergeometric


def test_a_closed_survey_leaves_the_pages_that_sealings_rewrite(version: SurveyVersion) -> None:
    """Also if nothing came since the last sealing; what came is all there."""
    entries = use_keys(version, 20)
    used.move()
    close(version.survey)
    used.move()
    assert (sizes(), list(used.receipts(version.survey_id))) == ((0, 0, 20), sorted(entries))


@pytest.mark.long
def test_keys_of_a_large_site_move_in_turns_between_which_each_is_found(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sealing is done between two turns, here after each step; only when all have moved are the traces removed."""
    monkeypatch.setattr(scrub, "SECONDS", 0.0)
    other = publish(make_survey("other"))
    before = {survey.pk: use_keys(survey, 50) for survey in (version, other)}
    used.move()
    close(version.survey)
    close(other.survey)
    entries = before[version.pk] + use_keys(version, 70)
    Residue.objects.create()
    turns = []
    while scrub.remove() is duties.MORE:
        turns.append(sizes())
        assert {entry[:16] + used.receipt_of(version.survey_id, entry[:16]) for entry in entries} == set(entries)
        assert used.receipts(version.survey_id) == sorted(entries)
        assert sum(turns[-1]) == 170
        assert not Residue.objects.filter(rewritten=True).exists()
    assert [came for came, _, _ in turns] == [54, 38, 22, 6, 0]
    assert (sizes(), Residue.objects.count()) == ((0, 0, 170), 0)


def test_a_retry_after_sealings_gets_its_receipt_and_another_response_none(
    client: Client, version: SurveyVersion
) -> None:
    """200 and the same receipt; 409 for other answers under the same key."""
    message = submission(version)
    receipt = send(client, "study", message).json()["receipt"]
    for _ in range(5):
        use_keys(version, 20)
        used.move()
    again = send(client, "study", message)
    assert (again.status_code, again.json()["receipt"]) == (200, receipt)
    changed = send(client, "study", message | {"record": [1] * len(message["record"])})
    assert (changed.status_code, changed.json()["error"]) == (409, "key")
    assert client.get(f"/s/study/receipts/{receipt}").status_code == 200
    assert Inbox.objects.count() == 1


def test_a_token_that_was_moved_is_spent(client: Client) -> None:
    """409 under another key; nothing is stored of it, its key not either."""
    version = publish(make_survey(access="invitation"))
    token = sign_in_the_open(version, os.urandom(32))
    assert send(client, "study", submission(version, token=token)).status_code == 201
    used.move()
    refused = send(client, "study", submission(version, token=token))
    assert (refused.status_code, refused.json()["error"]) == (409, "spent")
    assert (SpentToken.objects.count(), Submission.objects.count(), Inbox.objects.count()) == (0, 0, 1)
    assert list(used.receipts(version.survey_id)) != []


def test_erasing_leaves_nothing_of_a_survey_and_all_of_the_others(version: SurveyVersion) -> None:
    """In none of the places; and what no sealing rewrites is rewritten once."""
    other = publish(make_survey("other"))
    use_keys(version, 100)
    kept = use_keys(other, 100)
    used.move()
    use_keys(version, 3)
    erase(version.survey)
    assert (used.count(version.survey_id), list(used.receipts(other.survey_id))) == (0, sorted(kept))
    assert [residue.erased for residue in Residue.objects.all()] == [True]
    scrub.remove()
    assert (Residue.objects.count(), list(used.receipts(other.survey_id))) == (0, sorted(kept))
    assert not Survey.objects.filter(slug="study").exists()


@pytest.mark.parametrize("moves", [3, pytest.param(8, marks=pytest.mark.long)])
def test_who_sends_again_while_keys_are_moved_is_stored_once(version: SurveyVersion, moves: int) -> None:
    """Sixty messages, each sent until all moves are done: during a move the key is found before or after it."""
    messages = [json.dumps(submission(version)).encode() for _ in range(60)]
    receipts = [receive("study", message)[0] for message in messages]
    done = threading.Event()

    def send_again(place: int) -> set[tuple[str, bool]]:
        answered = set()
        while not done.is_set():
            answered |= {receive("study", message) for message in messages[place::4]}
        connection.close()
        return answered

    with ThreadPoolExecutor(4) as pool:
        senders = [pool.submit(send_again, place) for place in range(4)]
        try:
            for _ in range(moves):
                Residue.objects.create()
                use_keys(version, 20)
                scrub.remove()
        finally:
            done.set()
        answered = set().union(*(sender.result() for sender in senders))
    assert answered == {(receipt, False) for receipt in receipts}
    assert Inbox.objects.count() == len(messages)
