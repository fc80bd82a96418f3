"""What is published of a closed survey: the roots of its receipts and of its sealed parts, and the list of receipts."""

import json
from collections.abc import Iterator
from hashlib import sha256
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from surveys.domain.closed import erase as erasing, statement
from surveys.domain.closed.erase import erase
from surveys.domain.database import duties, used
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import disclosure, seal
from surveys.domain.responses.snapshots import cite
from surveys.models import Inbox, ReceiptPiece, Statement, Submission, Survey, SurveyVersion
from tests.cases import first
from tests.surveys.making import make_survey, write
from tests.surveys.sealed import list_in_steps
from tests.surveys.sending import send, submission


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey(least=20, direct=False))


def answer(version: SurveyVersion, count: int) -> list[str]:
    """So many responses to the version; their receipts, as the respondents have them, sorted."""
    answers = [send(Client(), version.survey.slug, submission(version)) for _ in range(count)]
    return sorted(answer.json()["receipt"] for answer in answers)


def end(survey: Survey) -> None:
    """Nobody answers any more, and all is sealed."""
    close(survey)
    seal.seal_closed()


def finish(survey: Survey) -> Statement | None:
    """Close the survey, and do what `manage.py tend` does next."""
    end(survey)
    statement.state_all()
    return Statement.objects.filter(survey=survey).first()


def content(client: Client, slug: str = "study") -> dict:
    return json.loads(client.get(f"/s/{slug}/statement").content)


def test_everybody_can_find_a_receipt_in_the_list_of_a_closed_survey(client: Client, version: SurveyVersion) -> None:
    """The list holds every receipt once, sorted, and has the root that is published."""
    receipts = answer(version, 21)
    finish(version.survey)
    stated = content(client)["receipts"]
    piece = client.get("/s/study/statement/0").content
    assert piece.hex() == "".join(receipts)
    assert stated == {
        "count": 21,
        "root": statement.root(statement.leaf(bytes.fromhex(receipt)) for receipt in receipts).hex(),
        "pieces": [{"first": receipts[0], "root": stated["root"]}],
    }


@pytest.mark.parametrize(("direct", "is_listed"), [(3, False), (0, True)])
def test_no_list_tells_how_few_of_a_replaced_version_answered_directly(
    client: Client, direct: int, is_listed: bool
) -> None:
    """Of version 1 those who answered with disguise are shown, and of version 2 all: a list holds both."""
    survey = make_survey(least=30, direct=direct > 0)
    first = publish(survey)
    answer(first, 21)
    for _ in range(direct):
        send(Client(), "study", submission(first, direct=1))
    write(survey, closing={"en": "Goodbye."})
    answer(publish(survey), 30)
    finish(survey)

    shown = disclosure.records(first.snapshots.get())

    assert sum(len(records) for records in shown) == 21
    assert (content(client)["receipts"] is not None) is is_listed


@pytest.fixture
def in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece holds eight receipts, and each call of the duty makes one step of each survey at the most."""
    list_in_steps(monkeypatch)


def make_lists() -> None:
    while statement.state_all() is duties.MORE:
        pass


def statuses(client: Client, slug: str = "study") -> list[int]:
    """What everybody is answered who asks for the statement, its first piece and its last."""
    return [client.get(f"/s/{slug}/statement{piece}").status_code for piece in ("", "/0", "/2")]


@pytest.mark.usefixtures("in_steps")
def test_a_long_list_is_made_in_steps_and_seen_when_it_is_whole(client: Client, version: SurveyVersion) -> None:
    """Three pieces to be hashed, one part, three pieces to be written, of a power of two of receipts but the last."""
    receipts = answer(version, 21)
    end(version.survey)
    steps = 0
    while statement.state_all() is duties.MORE:
        steps += 1
        assert statuses(client) == [409, 404, 404]
        assert erasing.describe_survey(version.survey, {})["statement"] is None
        with pytest.raises(CommandError, match="Nothing is published"):
            call_command("statement", "study")
    assert (steps, statuses(client)) == (6, [200, 200, 200])
    assert statement.state_all() is None
    pieces = [client.get(f"/s/study/statement/{number}").content.hex() for number in range(3)]
    assert "".join(pieces) == "".join(receipts)
    assert [len(piece) // 64 for piece in pieces] == [8, 8, 5]
    assert client.get("/s/study/statement/3").status_code == 404
    assert statement.agrees(Statement.published.get())
    assert ReceiptPiece.objects.count() == 3
    whole = statement.root(statement.leaf(bytes.fromhex(receipt)) for receipt in receipts).hex()
    listed = content(client)["receipts"]
    assert (listed["count"], listed["root"]) == (21, whole)
    assert [piece["first"] for piece in listed["pieces"]] == [receipts[0], receipts[8], receipts[16]]


@pytest.mark.usefixtures("in_steps")
def test_a_short_list_waits_for_no_long_one(client: Client, version: SurveyVersion) -> None:
    """The surveys take turns."""
    long = version.survey
    answer(version, 60)
    short = publish(make_survey("short", least=20, direct=False))
    answer(short, 20)
    for survey in (long, short.survey):
        close(survey)
    seal.seal_closed()
    while client.get("/s/short/statement").status_code != 200:
        assert statement.state_all() is duties.MORE
    assert statuses(client) == [409, 404, 404]
    make_lists()
    assert statuses(client) == [200, 200, 200]


@pytest.mark.usefixtures("in_steps")
def test_no_more_than_a_piece_of_a_list_is_read_at_once(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where the next one begins, however many receipts there are."""
    answer(version, 60)
    sizes, read = [], used.receipts

    def count_read(*asked: Any) -> list[bytes]:
        sizes.append(len(receipts := read(*asked)))
        return receipts

    monkeypatch.setattr(used, "receipts", count_read)
    end(version.survey)
    make_lists()
    assert (max(sizes), sum(sizes) > 2 * 60) == (9, True)


@pytest.mark.parametrize("step", first(2, range(1, 7)))
@pytest.mark.usefixtures("in_steps")
def test_a_survey_that_is_erased_while_its_list_is_made_leaves_nothing(version: SurveyVersion, step: int) -> None:
    """Neither rows nor anything in the memory of the process."""
    answer(version, 21)
    end(version.survey)
    for _ in range(step):
        assert statement.state_all() is duties.MORE
    erase(version.survey)
    assert statement.state_all() is None
    assert (statement._begun, Statement.objects.count(), ReceiptPiece.objects.count()) == ({}, 0, 0)


@pytest.mark.usefixtures("in_steps")
def test_receipts_that_change_between_hashing_and_writing_are_not_published(
    client: Client, version: SurveyVersion, caplog: pytest.LogCaptureFixture
) -> None:
    """The duty fails each time, and the operator of the site sees it."""
    answer(version, 21)
    end(version.survey)
    while not Statement.objects.exists():
        statement.state_all()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE surveys_submission SET proof = key")
    for _ in range(2):
        duties.begin_duty()
        make_lists()
        duties.end_duty("statements")
    assert (duties.outcomes["statements"].failures, duties.outcomes["statements"].why) == (2, "ValueError")
    said = f"The receipts of survey {version.survey_id} are not those that were hashed."
    assert caplog.text.count(said) == 2
    assert statuses(client) == [409, 404, 404]


def test_a_list_that_cannot_be_made_keeps_no_other_waiting(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are made in the same turn, however often it fails."""
    answer(version, 21)
    end(version.survey)
    own = statement.steps

    def steps(survey: Survey) -> Iterator[None]:
        if survey.pk == broken.pk:
            raise ValueError
        yield from own(survey)

    broken = make_survey("broken", direct=False)
    publish(broken)
    close(broken)
    monkeypatch.setattr(statement, "steps", steps)
    duties.begin_duty()
    assert statement.state_all() is None
    duties.end_duty("statements")
    assert list(Statement.published.values_list("survey", flat=True)) == [version.survey_id]
    assert duties.outcomes["statements"].why == "ValueError"


@pytest.mark.usefixtures("in_steps")
def test_an_erasing_in_the_middle_of_a_list_is_no_failure(version: SurveyVersion) -> None:
    """Receipts that are gone because their survey is were not changed."""
    answer(version, 21)
    end(version.survey)
    going_on = statement.steps(version.survey)
    while not Statement.objects.exists():
        next(going_on)
    erase(version.survey)
    assert list(going_on) == []


def test_nothing_of_it_is_there_while_the_survey_collects(client: Client, version: SurveyVersion) -> None:
    """Neither while people answer, nor after closing until the last response is sealed."""
    answer(version, 41)
    seal.seal_all()
    statement.state_all()
    collecting = client.get("/s/study/statement")
    close(version.survey)
    statement.state_all()
    waiting = client.get("/s/study/statement")
    assert [(one.status_code, one.json()["error"]) for one in (collecting, waiting)] == [(409, "collecting")] * 2
    assert (Statement.objects.count(), ReceiptPiece.objects.count()) == (0, 0)
    assert client.get("/s/study/statement/0").status_code == 404


def test_of_fewer_than_the_survey_reports_on_no_list_is_shown(client: Client, version: SurveyVersion) -> None:
    """The list would tell how many they are; a receipt can still be asked for by a person who holds it."""
    (receipt, *_) = answer(version, 19)
    finish(version.survey)
    assert content(client)["receipts"] is None
    assert client.get("/s/study/statement/0").status_code == 404
    assert client.get(f"/s/study/receipts/{receipt}").status_code == 200


def test_replaced_versions_and_repeated_messages_are_in_the_list_once(client: Client, version: SurveyVersion) -> None:
    """A submission key is known by its survey, so receipts of both versions stand in one list; a retry adds none."""
    first = answer(version, 10)
    message = submission(version)
    repeated = {send(client, "study", message).json()["receipt"] for _ in range(3)}
    survey = version.survey
    write(survey, heading={"en": "Second"})
    second = answer(publish(survey), 12)
    seal.seal_closed()
    statement.state_all()
    assert Statement.objects.count() == 0
    finish(survey)
    piece = client.get("/s/study/statement/0").content.hex()
    assert piece == "".join(sorted([*first, *repeated, *second]))
    assert [one["number"] for one in content(client)["versions"]] == [1, 2]


def test_the_list_says_nothing_that_joins_a_receipt_to_a_record(version: SurveyVersion) -> None:
    """The tables of the statement name no part, no record and no order but that of the hashes."""
    columns = {field.name for model in (Statement, ReceiptPiece) for field in model._meta.concrete_fields}
    assert columns == {"id", "survey", "content", "sha256", "salt", "statement", "number", "receipts"}


def test_the_root_of_the_parts_can_be_made_by_who_has_the_data_and_the_salt(
    client: Client, version: SurveyVersion
) -> None:
    """And by nobody else: the first leaf is a salt, so that nobody finds a small part by trying what it may hold."""
    answer(version, 20)
    stated = finish(version.survey)
    (part,) = version.parts.all()
    published = content(client)["versions"]
    salt = bytes.fromhex(statement.salts(stated)[version.sha256])
    leaves = [statement.leaf(salt), statement.leaf(bytes.fromhex(part.sha256))]
    assert published == [{"number": 1, "version": version.sha256, "parts": statement.root(leaves).hex()}]
    assert salt.hex() not in bytes(stated.content).decode()
    assert len(salt) == 32


def test_versions_have_salts_of_their_own(version: SurveyVersion) -> None:
    """A person who is given the data of one version learns nothing of another."""
    answer(version, 1)
    write(version.survey, heading={"en": "Second"})
    publish(version.survey)
    stated = finish(version.survey)
    assert len({*statement.salts(stated).values(), bytes(stated.salt).hex()}) == 3


def test_the_command_prints_what_is_published(version: SurveyVersion) -> None:
    """The hash of the statement, the roots and the salts, how snapshots are cited, and that the database agrees."""
    answer(version, 20)
    stated = finish(version.survey)
    said = StringIO()
    call_command("statement", "study", stdout=said)
    public, snapshot = json.loads(bytes(stated.content)), version.snapshots.get()
    assert said.getvalue() == (
        f"statement  {sha256(bytes(stated.content)).hexdigest()}\n"
        f"receipts   {public['receipts']['root']}  (20)\n"
        f"version 1  {public['versions'][0]['parts']}  (salt {statement.salts(stated)[version.sha256]})\n"
        f"  cited as {cite(snapshot)}  (hash {snapshot.sha256})\n"
        "The database holds what was published.\n"
    )


@pytest.mark.parametrize("change", ["DELETE FROM surveys_submission", "UPDATE surveys_submission SET proof = key"])
def test_the_command_finds_receipts_that_were_changed(version: SurveyVersion, change: str) -> None:
    """Status 1 and one sentence."""
    answer(version, 20)
    finish(version.survey)
    with connection.cursor() as cursor:
        cursor.execute(change)
    with pytest.raises(CommandError, match="no longer holds") as error:
        call_command("statement", "study", stdout=StringIO())
    assert error.value.returncode == 1


@pytest.mark.parametrize("slug", ["study", "no-such-survey"])
def test_the_command_says_that_nothing_is_published(version: SurveyVersion, slug: str) -> None:
    """Status 2 and one sentence, for a survey that collects and for none."""
    with pytest.raises(CommandError, match=f"Nothing is published of '{slug}'") as error:
        call_command("statement", slug)
    assert error.value.returncode == 2


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE surveys_statement SET sha256 = ''",
        "DELETE FROM surveys_statement",
        "UPDATE surveys_receiptpiece SET number = 1",
        "DELETE FROM surveys_receiptpiece",
    ],
)
def test_a_statement_cannot_be_changed_or_taken_back(version: SurveyVersion, sql: str) -> None:
    """The database refuses everybody."""
    answer(version, 20)
    finish(version.survey)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
    assert (Statement.objects.count(), ReceiptPiece.objects.count()) == (1, 1)


def test_no_statement_is_made_of_a_survey_that_collects(version: SurveyVersion) -> None:
    """The database refuses this too."""
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        Statement.objects.create(survey=version.survey, content=b"{}", sha256="", salt=b"")


def test_an_erased_survey_takes_its_statement_along(client: Client, version: SurveyVersion) -> None:
    """Nothing is left of the list, and the address is unknown again."""
    answer(version, 20)
    finish(version.survey)
    erase(version.survey)
    assert [model.objects.count() for model in (Statement, ReceiptPiece, Submission, Inbox)] == [0, 0, 0, 0]
    assert client.get("/s/study/statement").status_code == 404


def test_a_survey_that_is_being_erased_gets_no_statement(version: SurveyVersion) -> None:
    """Its receipts are about to go."""
    answer(version, 20)
    end(version.survey)
    Survey.objects.update(erasing_since=timezone.now())
    assert list(statement.steps(version.survey)) == []
    assert Statement.objects.count() == 0


def test_answers_in_test_mode_are_in_no_list(client: Client, version: SurveyVersion) -> None:
    """They are stored in a table of their own, and a trial has no statement."""
    assert client.get("/t/abc/test/statement").status_code == 404
    assert client.get("/s/draft/statement").status_code == 404
