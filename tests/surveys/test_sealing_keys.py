"""What waits is encrypted to keys that only sealing hosts hold, outside the database, and that are destroyed."""

from base64 import b64encode
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test import Client, override_settings

from surveys.domain.closed.erase import erase
from surveys.domain.database import wrapping
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import boxes, seal, sealing_keys, waiting
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, SealingKey, SealingRound, Survey, SurveyVersion
from tests.clocks import set_time
from tests.surveys.inbox import responses_waiting, wait
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers
from tests.surveys.sending import send, submission

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A host of its own for every test, which has begun the first round of all, and whose clock stands still."""
    set_time(monkeypatch, sealing_keys, lambda: 1_800_000_100.0)
    SealingKey.objects.all().delete()
    SealingRound.objects.all().delete()
    with on_host(tmp_path / "host"):
        sealing_keys.prepare()
        yield tmp_path / "host"


@pytest.fixture
def version() -> SurveyVersion:
    survey = make_survey()
    add_question(survey, "n", type="number")
    return publish(survey)


def on_host(host: Path) -> override_settings:
    """What is done inside is done on this host."""
    return override_settings(CANDOR_DATA=host)


def every_cell() -> Iterator[bytes]:
    """What stands in each column of each row of each table; text as its bytes."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for cell in chain.from_iterable(cursor.fetchall()):
                yield bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode()


def key_files(host: Path) -> set[str]:
    return {path.name for path in (host / "sealing_keys").iterdir()}


def number_responses(first: int, count: int) -> list[Stored]:
    return [Stored(b"\0", b'{"n":%d}' % number) for number in range(first, first + count)]


def sealed_numbers(version: SurveyVersion) -> list[int]:
    snapshot = latest(version.survey)
    return sorted(answer["n"] for answer in open_answers(snapshot)) if snapshot else []


def test_a_site_that_stood_still_for_weeks_starts_without_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """As before an upgrade: its own key was marked long ago, so it begins a round, and nothing is wrong."""
    before = sealing_keys.recipients()
    with later(21 * 24):
        sealing_keys.prepare()
        assert sealing_keys.recipients().round != before.round
    assert [line.getMessage() for line in caplog.records] == []


def test_a_private_key_is_for_its_owner_alone(host: Path) -> None:
    """The files and their folder are closed to others."""
    folder = host / "sealing_keys"
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_database_never_holds_a_private_key(client: Client, version: SurveyVersion, host: Path) -> None:
    """No cell of any table holds one, as bytes or as text. Of every file the database knows the public half."""
    send(client, "study", submission(version, open={"n": 7}))
    seal.seal_all()
    cells = b"\n".join(every_cell())
    files = list((host / "sealing_keys").iterdir())
    assert len(files) == 2
    for path in files:
        private, public = path.read_bytes(), bytes.fromhex(path.name)
        assert [form in cells for form in (private, private.hex().encode(), b64encode(private))] == [False] * 3
        assert public in cells


def test_whoever_has_the_database_alone_opens_nothing(client: Client, version: SurveyVersion, tmp_path: Path) -> None:
    """With the key it is the response as it was sent; with the keys of another host nothing opens."""
    send(client, "study", submission(version, open={"n": 7}))
    row = Inbox.objects.get()
    assert [response.open for response in responses_waiting(version)] == [b'{"n":7}']
    with on_host(tmp_path / "thief"):
        sealing_keys.make_pair()
        assert waiting.open_waiting(version) == waiting.Opened({}, lost=1, left=False, ended=False)
    assert b'"n"' not in bytes(row.box)


def test_no_length_tells_what_was_answered(survey: Survey, client: Client) -> None:
    """Every box of a version is as long as the box of its longest answers, also that of somebody who says nothing."""
    add_question(survey, "story", type="text", max="200")
    version = publish(survey)
    for answers in ({}, {"story": "x"}, {"story": "€" * 200}):
        assert send(client, "study", submission(version, open=answers)).status_code == 201
    assert len({len(box) for box in Inbox.objects.values_list("box", flat=True)}) == 1
    assert sorted(len(response.open) for response in responses_waiting(version)) == [2, 13, 612]


def test_a_box_belongs_to_its_row_and_its_version(version: SurveyVersion) -> None:
    """Two boxes exchanged with each other are no responses."""
    wait(version, number_responses(0, 2))
    one, other = Inbox.objects.order_by("key")
    Inbox.objects.filter(key=one.key).update(box=other.box)
    Inbox.objects.filter(key=other.key).update(box=one.box)
    with pytest.raises(ValueError, match="No key opens this box"):
        waiting.open_waiting(version)


def test_a_box_for_several_hosts_is_opened_by_each() -> None:
    """And by nobody else."""
    keys = [sealing_keys.X25519PrivateKey.generate() for _ in range(4)]
    box = boxes.close(b"what waits", [key.public_key().public_bytes_raw() for key in keys[:3]], b"here")
    assert [boxes.opener([key])(box, b"here") for key in keys[:3]] == [b"what waits"] * 3
    for other, bound in ((keys[3], b"here"), (keys[0], b"there")):
        with pytest.raises(ValueError, match="No key opens this box"):
            boxes.opener([other])(box, bound)


def test_every_sealing_destroys_the_key_before(version: SurveyVersion, host: Path, monkeypatch) -> None:
    """It is overwritten before its file goes; who stays back waits in other rows, under another key."""
    overwritten = []
    unlink = Path.unlink
    monkeypatch.setattr(Path, "unlink", lambda path, **kw: (overwritten.append(path.read_bytes()), unlink(path, **kw)))
    wait(version, number_responses(0, 45))
    files, rows = key_files(host), set(map(bytes, Inbox.objects.values_list("key", flat=True)))
    current = bytes(SealingRound.objects.get(current=True).key)
    used = SealingKey.objects.get(round=current).public.hex()

    seal.seal_all()

    assert overwritten == [bytes(32)]
    assert files - key_files(host) == {used}
    assert {bytes(row.key) for row in Inbox.objects.all()} & rows == set()
    assert {bytes(row.round_id) for row in Inbox.objects.all()}.isdisjoint({current})
    assert sorted(sealed_numbers(version) + [int(row.open[5:-1]) for row in responses_waiting(version)]) == [*range(45)]


def test_who_waits_for_a_batch_is_encrypted_again_all_the_same(version: SurveyVersion, host: Path) -> None:
    """Also where nothing is sealed: what a log or a backup keeps of them is noise after one round."""
    wait(version, number_responses(0, 3))
    before = key_files(host)
    kept = list(Inbox.objects.values_list("key", "box"))
    seal.seal_all()
    seal.seal_all()
    assert key_files(host) & before == set()
    assert not {bytes(key) for key, _ in kept} & {bytes(row.key) for row in Inbox.objects.all()}
    assert len(responses_waiting(version)) == 3


@pytest.mark.parametrize("step", ["_files", "_is_needed"])
def test_a_process_that_finds_a_key_destroyed_by_another_goes_on(host: Path, monkeypatch, step: str) -> None:
    """The worker of a site and a command beside it, for example: each destroys what no response needs any more."""
    sealing_keys.renew()
    ended = {key.public.hex() for key in SealingKey.objects.filter(round__current=False)}
    asked, others = getattr(sealing_keys, step), [sealing_keys.destroy]

    def and_the_other_comes_between(*arguments: Any) -> Any:
        answer = list(asked()) if step == "_files" else asked(*arguments)
        if others:
            others.pop()()
        return answer

    monkeypatch.setattr(sealing_keys, step, and_the_other_comes_between)
    sealing_keys.destroy()

    assert len(ended) == 1
    assert not ended & key_files(host)
    assert key_files(host) == {key.public.hex() for key in SealingKey.objects.all()}


def test_what_was_erased_is_noise_after_one_round(version: SurveyVersion, host: Path) -> None:
    """The key of what was erased goes like every other."""
    wait(version, number_responses(0, 3))
    used = SealingKey.objects.get(round__current=True).public.hex()
    erase(version.survey)
    seal.seal_all()
    assert used not in key_files(host)


def test_nothing_is_taken_before_there_is_a_key(client: Client, version: SurveyVersion) -> None:
    """The device is asked to send again, and then is served."""
    message = submission(version)
    SealingKey.objects.all().delete()
    SealingRound.objects.all().delete()
    with pytest.raises(OperationalError):
        sealing_keys.recipients()
    assert send(client, "study", message).status_code == 503
    sealing_keys.prepare()
    assert send(client, "study", message).status_code == 201


def test_a_database_without_its_keys_says_so_and_takes_new_responses(
    client: Client, version: SurveyVersion, tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys
) -> None:
    """A copy that came back on another host: what waits stays, everything else goes on; with the keys all is sealed."""
    wait(version, number_responses(0, 45))
    with on_host(tmp_path / "other"):
        call_command("prepare")
        assert f"No key in {tmp_path / 'other'} can open some waiting responses; see" in capsys.readouterr().err
        for number in range(45, 90):
            assert send(client, "study", submission(version, open={"n": number})).status_code == 201
        call_command("tend", once=True)
        logged = [line.getMessage() for line in caplog.records if "No key of this host can open" in line.getMessage()]
        assert logged == ["No key of this host can open some waiting responses (see docs/deploy.md)."]
        assert (version.snapshots.get().respondents, Inbox.objects.count()) == (25, 65)
    moved = tmp_path / "other" / "sealing_keys"
    for path in (tmp_path / "host" / "sealing_keys").iterdir():
        path.rename(moved / path.name)
    with on_host(tmp_path / "other"):
        close(version.survey)
        seal.seal_all()
    assert sealed_numbers(version) == [*range(90)]
    assert not SealingRound.objects.filter(lost=True).exists()


def test_the_last_responses_wait_for_those_that_cannot_be_opened(version: SurveyVersion, tmp_path: Path) -> None:
    """Else those would be sealed alone when their key comes back. Once they are given up, the others are sealed."""
    wait(version, number_responses(0, 2))
    close(version.survey)
    with on_host(tmp_path / "other"):
        sealing_keys.prepare()
        wait(version, number_responses(2, 3))
        seal.seal_closed()
        seal.seal_all()
        assert (latest(version.survey), Inbox.objects.count()) == (None, 5)
        call_command("lost_responses", give_up=True)
        seal.seal_closed()
    assert sealed_numbers(version) == [2, 3, 4]
    assert SealingRound.objects.count() == 1


@pytest.mark.long
def test_what_another_host_may_open_is_not_given_up(version: SurveyVersion, tmp_path: Path) -> None:
    """It is refused while the other was there at one of the last two sealings; meanwhile that one hands it over."""
    wait(version, number_responses(0, 2))
    with on_host(tmp_path / "other"):
        sealing_keys.prepare()
        with pytest.raises(CommandError, match="Nothing was deleted: 2 responses wait that no key here opens"):
            call_command("lost_responses", give_up=True)
    seal.start_sealing()
    with on_host(tmp_path / "other"):
        call_command("lost_responses", give_up=True)
        assert len(waiting.open_waiting(version).rows) == 2


def test_keys_that_the_database_does_not_know_stay_until_they_are_given_up(host: Path, capsys) -> None:
    """An older database came back: perhaps the newer one does too."""
    public = sealing_keys.make_pair()
    seal.seal_all()
    assert public.hex() in key_files(host)
    call_command("lost_responses")
    assert capsys.readouterr().out.endswith("Here lie keys of no response: 1.\n")
    call_command("lost_responses", give_up=True)
    assert public.hex() not in key_files(host)


def test_another_host_takes_over_whole(version: SurveyVersion, tmp_path: Path) -> None:
    """Both hold a key of every round they share; the one that is gone falls out, and destroys when it comes back."""
    first, second = tmp_path / "host", tmp_path / "second"
    with on_host(second):
        sealing_keys.prepare()  # comes: begins a round with the key that the first has ready
    wait(version, number_responses(0, 45))
    with on_host(first):
        sealing_keys.prepare()
        assert len(waiting.open_waiting(version).rows) == 45
    with on_host(second):
        seal.seal_all()  # the first is gone
        wait(version, number_responses(45, 10))
        seal.seal_all()
        assert len(responses_waiting(version)) == 30
        assert SealingKey.objects.filter(round__current=True).count() == 1
        close(version.survey)
        seal.seal_closed()
    assert sealed_numbers(version) == [*range(55)]
    left = key_files(first)
    with on_host(first):
        sealing_keys.destroy()
        assert len(left) == 3
        assert key_files(first) == set()
    with on_host(second):
        assert SealingKey.objects.exclude(public__in=map(bytes.fromhex, key_files(second))).count() == 0


def test_what_the_leading_host_cannot_open_is_handed_over_by_the_one_that_can(
    version: SurveyVersion, tmp_path: Path, host: Path
) -> None:
    """Responses of a round in which the leader had no key, because it was away, do not wait until it dies."""
    wait(version, number_responses(0, 45))
    close(version.survey)
    second = tmp_path / "second"
    with on_host(second):
        sealing_keys.prepare()
        wait(version, number_responses(45, 3))
        seal.seal_all()
        seal.seal_closed()
        seal.start_sealing()
        assert (sealed_numbers(version), len(waiting.open_waiting(version).rows)) == ([], 3)
    seal.start_sealing()
    with on_host(second):
        assert len(waiting.open_waiting(version).rows) == 48
        seal.seal_closed()
    assert sealed_numbers(version) == [*range(48)]
    sealing_keys.destroy()
    assert SealingKey.objects.filter(round__current=False).count() == 0


@pytest.mark.parametrize("role", ["web", "worker"])
def test_a_machine_that_does_not_seal_holds_no_key(
    role: str, version: SurveyVersion, tmp_path: Path, host: Path, capsys
) -> None:
    """Nobody would destroy it: its disk and an old log would open what came. Nor is what others open noted as lost."""
    User.objects.create_superuser("ada")
    wait(version, number_responses(0, 3))
    before = bytes(SealingRound.objects.get(current=True).key)
    with on_host(tmp_path / role), override_settings(ROLE=role):
        call_command("prepare")
    assert not (tmp_path / role / "sealing_keys").exists()
    assert capsys.readouterr().err == ""
    assert [bytes(one.key) for one in SealingRound.objects.filter(current=True, lost=False)] == [before]
    assert set(map(bytes.hex, SealingKey.objects.values_list("public", flat=True))) == key_files(host)


def test_a_machine_that_no_longer_seals_destroys_its_keys(version: SurveyVersion, tmp_path: Path, host: Path) -> None:
    """Of rounds that no response waits under; at a start, because nothing else of it does so."""
    User.objects.create_superuser("ada")
    with on_host(tmp_path / "web"):
        sealing_keys.prepare()
    wait(version, number_responses(0, 45))
    for _ in range(2):  # the second round holds the key that it had ready
        seal.seal_all()
    assert len(key_files(tmp_path / "web")) == 2
    seal.seal_all()
    with on_host(tmp_path / "web"), override_settings(ROLE="web"):
        call_command("prepare")
    assert key_files(tmp_path / "web") == set()


def test_a_survey_that_ends_right_after_a_sealing_takes_no_host_out_of_the_round(
    version: SurveyVersion, tmp_path: Path
) -> None:
    """The other host has no key ready yet: a round without it would be lost with the disk of this one."""
    with on_host(tmp_path / "second"):
        sealing_keys.prepare()
    seal.seal_all()
    in_use = publics_in_use()
    assert len(in_use) == 2
    wait(version, number_responses(0, 3))
    close(version.survey)
    seal.seal_closed()
    assert (sealed_numbers(version), publics_in_use()) == ([0, 1, 2], in_use)
    with on_host(tmp_path / "second"):
        sealing_keys.prepare()
    seal.seal_all()
    assert (len(publics_in_use()), publics_in_use() & in_use) == (2, set())


def test_the_page_of_the_survey_says_what_cannot_be_opened(
    admin_client: Client, version: SurveyVersion, tmp_path: Path
) -> None:
    """And says nothing where all can be. Not how many: of the seconds of a round, that would tell of one person."""
    page = f"/staff/studio/{version.survey_id}/fieldwork/"
    wait(version, number_responses(0, 2))
    assert "no key of this site can open" not in admin_client.get(page).content.decode()
    with on_host(tmp_path / "other"):
        seal.seal_all()
    shown = admin_client.get(page).content.decode()
    assert "<span>No key of this site can open some waiting responses: its" in shown


def test_a_key_stays_as_long_as_a_response_needs_it(
    version: SurveyVersion, host: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a version could not be sealed its responses wait under older keys, and are opened in a later round."""
    wait(version, number_responses(0, 3))
    with monkeypatch.context() as failing:
        failing.setattr(seal, "append", lambda *_: 1 / 0)
        close(version.survey)
        seal.seal_all()
        seal.seal_all()
    assert len(key_files(host)) == 3
    seal.seal_closed()
    assert (sealed_numbers(version), len(key_files(host))) == ([0, 1, 2], 2)


@pytest.mark.parametrize("ready", [True, False])
def test_a_key_that_a_stranger_writes_into_the_database_is_not_used(
    client: Client, version: SurveyVersion, ready: bool
) -> None:
    """Who can write a row, and has no SECRET_KEY, opens nothing of what comes afterwards."""
    theirs = sealing_keys.X25519PrivateKey.generate()
    of_round = None if ready else SealingRound.objects.get(current=True)
    SealingKey.objects.create(public=theirs.public_key().public_bytes_raw(), mark=bytes(32), round=of_round)
    if ready:
        sealing_keys.renew()

    assert send(client, "study", submission(version, open={"n": 5})).status_code == 201

    assert theirs.public_key().public_bytes_raw() not in sealing_keys.recipients().public_keys
    assert bytes(Inbox.objects.get().box)[0] == 1
    assert [response.open for response in responses_waiting(version)] == [b'{"n":5}']


def test_a_key_from_before_there_were_marks_is_replaced_at_the_start(host: Path) -> None:
    """A site that is upgraded, or gets another SECRET_KEY, begins a round with a key of its own."""
    SealingKey.objects.update(mark=b"")
    with pytest.raises(OperationalError):
        sealing_keys.recipients()

    sealing_keys.prepare()

    assert len(sealing_keys.recipients().public_keys) == 1


def later(hours: float) -> Any:
    """What is done inside is done by a clock that has gone on."""
    now = sealing_keys.time()
    return patch.object(sealing_keys, "time", lambda: now + hours * 3600)


def kept_rows() -> tuple[list[SealingRound], list[SealingKey]]:
    return list(SealingRound.objects.all()), list(SealingKey.objects.all())


def publics_in_use() -> set[bytes]:
    return set(sealing_keys.recipients().public_keys)


def test_a_key_that_was_destroyed_is_not_brought_back_with_its_mark(version: SurveyVersion) -> None:
    """Who has stolen the folder and these rows once, and can write to the database hours later, opens nothing."""
    _, stolen = kept_rows()
    seal.seal_all()
    seal.seal_all()
    with later(hours=3):
        for key in stolen:
            SealingKey.objects.create(public=key.public, mark=key.mark)
        sealing_keys.prepare()
        seal.seal_all()
        wait(version, number_responses(0, 1))
        assert publics_in_use() & {bytes(key.public) for key in stolen} == set()
        assert len(responses_waiting(version)) == 1


def test_a_key_in_another_round_than_its_own_is_not_used() -> None:
    """Nor one that was ready: its mark is of no round. So none joins the round that collects, however fresh."""
    _, stolen = kept_rows()
    seal.seal_all()
    seal.seal_all()
    for key in stolen:
        SealingKey.objects.create(public=key.public, mark=key.mark, round=SealingRound.objects.get(current=True))
    assert publics_in_use() & {bytes(key.public) for key in stolen} == set()
    assert len(publics_in_use()) == 1


def test_a_round_that_was_brought_back_ends_within_seconds_and_serves_for_weeks_at_the_most() -> None:
    """Its keys are none of this host's, so the next look at it begins another."""
    (stolen,), keys = kept_rows()
    seal.seal_all()
    seal.seal_all()
    with later(hours=15 * 24):
        sealing_keys.prepare()
        SealingRound.objects.update(current=False)
        stolen.save(force_insert=True)
        for key in keys:
            key.save(force_insert=True)
        with pytest.raises(OperationalError):
            sealing_keys.recipients()
        sealing_keys.prepare()
        assert publics_in_use() & {bytes(key.public) for key in keys} == set()


@pytest.mark.parametrize("hours", [1, 3, 7 * 24])
def test_answers_are_taken_while_the_sealing_job_stands_still(
    client: Client, version: SurveyVersion, host: Path, hours: int
) -> None:
    """Also by a web server that starts meanwhile. When the job goes on it opens all, and destroys its old keys."""
    wait(version, number_responses(0, 3))
    with later(hours):
        assert len(publics_in_use()) == 1
        assert send(client, "study", submission(version, open={"n": 3})).status_code == 201
        sealing_keys.prepare()
        sealing_keys.destroy()
        wait(version, number_responses(4, 1))
        seal.seal_all()
        assert [response.open for response in sorted(responses_waiting(version), key=lambda one: one.open)] == [
            b'{"n":%d}' % number for number in range(5)
        ]
        assert len(key_files(host)) == 2


@pytest.mark.parametrize("minutes", [-59, 59])
def test_hosts_whose_clocks_differ_share_their_rounds(tmp_path: Path, minutes: int) -> None:
    """By up to an hour, whichever of them begins the round, at any minute of the hour."""
    for minute in (0, 20, 40):
        with later(hours=minute / 60):
            for clock, leading in ((0, tmp_path / "host"), (minutes, tmp_path / "second")):
                sealing_keys.prepare()
                with on_host(tmp_path / "second"), later(minutes / 60):
                    sealing_keys.prepare()
                with on_host(leading), later(clock / 60):
                    sealing_keys.renew()
                    assert len(publics_in_use()) == 2


def test_a_key_that_is_ready_for_hours_makes_room_for_another(host: Path) -> None:
    """While another host leads that does not seal, for example: what a thief has copied of it is of no use for long."""
    ready = SealingKey.objects.get(round=None).public.hex()
    in_use = publics_in_use()
    with later(hours=1):
        sealing_keys.prepare()
        sealing_keys.destroy()
        assert ready not in key_files(host)
        assert (len(key_files(host)), publics_in_use()) == (2, in_use)


def marked_as_before() -> None:
    """As a sealing job of the version before has marked what is there."""
    for key in SealingKey.objects.all():
        SealingKey.objects.filter(public=key.public).update(mark=wrapping.mark(bytes(key.public), sealing_keys.PLACE))


def test_a_web_server_takes_answers_beside_a_sealing_job_of_the_version_before(
    client: Client, version: SurveyVersion
) -> None:
    """Machines are upgraded one after the other. After its own upgrade the job opens what came, and marks again."""
    marked_as_before()
    assert send(client, "study", submission(version, open={"n": 5})).status_code == 201
    before = publics_in_use()
    sealing_keys.prepare()
    assert publics_in_use() == before
    assert [response.open for response in responses_waiting(version)] == [b'{"n":5}']
    seal.seal_all()
    marks = [(bytes(key.public), bytes(key.mark)) for key in SealingKey.objects.all()]
    assert [wrapping.is_marked(public, mark, sealing_keys.PLACE) for public, mark in marks] == [False, False]
    assert [response.open for response in responses_waiting(version)] == [b'{"n":5}']


def test_a_round_with_a_host_of_the_version_before_is_marked_as_that_host_knows_it(tmp_path: Path) -> None:
    """Else that host would not know its own key in it, or would encrypt what it hands over to its own key alone."""
    marked_as_before()
    with on_host(tmp_path / "second"):
        sealing_keys.prepare()
        in_round = {bytes(key.public): bytes(key.mark) for key in SealingKey.objects.filter(round__current=True)}
        known = [wrapping.is_marked(public, mark, sealing_keys.PLACE) for public, mark in in_round.items()]
        assert (len(publics_in_use()), known) == (2, [True, True])


@pytest.mark.parametrize("content", [b"", b"\1" * 31, b"\1" * 33])
def test_a_file_that_is_no_key_stops_no_sealing(version: SurveyVersion, host: Path, content: bytes) -> None:
    """Responses that come afterwards are encrypted to a new key, and the log names the file."""
    for path in (host / "sealing_keys").iterdir():
        path.write_bytes(content)
    (host / "sealing_keys" / ("x" * 64)).write_bytes(b"\1" * 32)

    sealing_keys.prepare()
    wait(version, number_responses(0, 20))

    assert len(responses_waiting(version)) == 20


def test_the_last_responses_are_sealed_where_no_key_is_ready_for_others(version: SurveyVersion, tmp_path: Path) -> None:
    """None of them waits on, so nothing is encrypted: a host whose clock is wrong can still open and seal them."""
    wait(version, number_responses(0, 30))
    with on_host(tmp_path / "second"):
        sealing_keys.prepare()
    SealingKey.objects.filter(round__current=True).update(mark=b"of nobody")
    close(version.survey)

    seal.seal_closed()

    assert sealed_numbers(version) == list(range(30))
