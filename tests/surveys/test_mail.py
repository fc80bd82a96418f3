"""Invitations by mail: each once, reminders to those who have not begun, and nothing that joins anybody to a record."""

import json
import logging
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
from cryptography.exceptions import InvalidTag
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config.celery import app as celery_app
from privacy.errors import EntryError
from surveys.domain.mail import invitees
from surveys.domain.mail.invitees import Boxes, add, forget_used, read_list, replace_links, stop
from surveys.domain.mail.send import send, start_due_batches
from surveys.domain.messages.invite import BITS
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import Invitation, Invitee, Mailing, Residue, Survey
from tests.client.invitations import to_text
from tests.servers import PATIENCE, ROOT, stop as stop_process, wait_until
from tests.surveys.making import make_survey, write
from tests.surveys.postbox import Postbox, note_as_invited, open_postbox

TEXTS = {
    "invitation": {
        "en": {"subject": "Please answer", "body": "Here: {link}"},
        "de": {"subject": "Bitte antworten", "body": "Hier: {link}"},
    },
    "reminder": {"en": {"subject": "Still open", "body": "Until Friday: {link}"}},
}


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest) -> None:
    """A broker that is away takes half a second each time."""
    if "broker" not in request.fixturenames:
        request.getfixturevalue("no_worker")


@pytest.fixture
def survey() -> Survey:
    survey = make_survey(access="invitation")
    publish(survey)
    return survey


@pytest.fixture
def postbox(settings: Settings) -> Iterator[Postbox]:
    with open_postbox(settings) as postbox:
        yield postbox


def plan(survey: Survey, *days: int, **fields: Any) -> Mailing:
    """Mail for these days, counted from today."""
    when = [(timezone.localdate() + timedelta(days)).isoformat() for days in days]
    page = "https://survey.example.org/s/study/"
    made, _ = Mailing.objects.update_or_create(
        survey=survey, defaults={"page": page, "texts": TEXTS, "days": when, **fields}
    )
    return made


def people(count: int) -> dict[str, str]:
    return {f"person{number}@example.org": "en" for number in range(count)}


def send_all(survey: Survey) -> None:
    """What workers do until nothing is due."""
    for _ in range(4):
        send(survey.pk)


def invite(survey: Survey, count: int) -> None:
    """So many people, who get their mail today."""
    add(survey, people(count))
    plan(survey, 0)
    send_all(survey)


def secret_of(message: Any) -> str:
    (found,) = re.findall(r"&i=([^&\s]+)&l=", message.get_content())
    return str(found)


def use(client: Client, survey: Survey, secret: str) -> int:
    """What Begin sends."""
    blinded = to_text(secrets.token_bytes(BITS // 8 - 1).rjust(BITS // 8, b"\0"))
    body = {"version": survey.versions.last().sha256, "invitation": secret, "blinded": blinded}  # type: ignore[union-attr]
    return client.post(f"/s/{survey.slug}/invitations", json.dumps(body), "application/json").status_code


# ---- who gets what, and when ---------------------------------------------------------------------------------------


def test_each_gets_one_invitation_with_a_link_of_their_own(client: Client, survey: Survey, postbox: Postbox) -> None:
    """In their language, with the check mark, and the link lets one person in once."""
    add(survey, {"a@example.org": "en", "b@example.org": "de"})
    plan(survey, 0, reply_to="team@example.org")
    send_all(survey)

    by_person = {str(message["To"]): message for message in postbox.messages}
    assert sorted(postbox.recipients) == ["a@example.org", "b@example.org"]
    german = by_person["b@example.org"]
    assert (german["Subject"], german["Reply-To"]) == ("Bitte antworten", "team@example.org")
    said = f"Hier: https://survey.example.org/s/study/#v={survey.versions.get().sha256}&i={secret_of(german)}&l=de"
    assert german.get_content().strip() == said
    links = [secret_of(message) for message in postbox.messages]
    assert [use(client, survey, secret) for secret in (*links, links[0])] == [200, 200, 409]


def test_nothing_is_sent_before_its_day_or_while_nobody_can_answer(survey: Survey, postbox: Postbox) -> None:
    """Nor after the end."""
    add(survey, people(2))
    plan(survey, 1)
    send_all(survey)
    plan(survey, 0)
    Survey.objects.update(opens_at=timezone.now() + timedelta(days=1))
    send_all(survey)
    Survey.objects.update(opens_at=None, closes_at=timezone.now())
    send_all(survey)
    assert postbox.messages == []


@pytest.mark.parametrize("access", ["open", "panel"])
def test_nobody_is_mailed_once_a_newer_version_lets_people_in_otherwise(
    survey: Survey, postbox: Postbox, access: str
) -> None:
    """The old link leads to the new version, which does not ask for it, or which it does not open."""
    add(survey, people(2))
    plan(survey, 0)
    panel = {"by": "sona", "name": "SONA", "number": "id", "sent": "C1", "out": "", "full": ""}
    write(survey, **({"access": "open"} if access == "open" else {"panel": panel}), heading={"en": "Changed"})
    publish(survey)
    send_all(survey)
    assert postbox.messages == []


def test_who_is_invited_to_this_version_can_be_while_the_next_one_is_drafted_as_open(survey: Survey) -> None:
    """The draft says nothing of the version that collects."""
    write(survey, access="open")
    add(survey, people(2))
    assert survey.invitees.count() == 2


def test_a_list_of_refused_addresses_does_not_tell_who_has_begun(
    client: Client, survey: Survey, postbox: Postbox
) -> None:
    """Nobody leaves it because their invitation is used."""
    invite(survey, 2)
    begun = {str(message["To"]): secret_of(message) for message in postbox.messages}
    postbox.answers |= dict.fromkeys(begun, 552)
    plan(survey, 0, -1, done=1)
    send_all(survey)
    assert use(client, survey, begun["person0@example.org"]) == 200
    plan(survey, 0, -1, -1, done=2, looked_on=None)
    send_all(survey)
    assert invitees.delivery(survey) == invitees.Delivery(is_invited=True, refused=[], refused_reminders=0)


def test_those_are_reminded_who_have_not_begun(client: Client, survey: Survey, postbox: Postbox) -> None:
    """With the same link. Who joins on that day is invited, and not reminded as well."""
    invite(survey, 3)
    invited = {str(message["To"]): secret_of(message) for message in postbox.messages}
    assert use(client, survey, invited["person0@example.org"]) == 200
    postbox.messages.clear()

    add(survey, {"late@example.org": "en"})
    plan(survey, -3, 0)
    send_all(survey)

    sent = {str(message["To"]): (message["Subject"], secret_of(message)) for message in postbox.messages}
    assert sent.pop("late@example.org")[0] == "Please answer"
    others = ("person1@example.org", "person2@example.org")
    assert sent == {who: ("Still open", invited[who]) for who in others}


def test_days_that_were_missed_bring_one_reminder(survey: Survey, postbox: Postbox) -> None:
    """A site that stood still for a week does not send three at once."""
    add(survey, people(1))
    plan(survey, -9)
    send_all(survey)
    plan(survey, -9, -6, -3, 0)
    send_all(survey)
    assert [message["Subject"] for message in postbox.messages] == ["Please answer", "Still open"]


def test_it_is_looked_once_a_day_whose_invitation_is_used(client: Client, survey: Survey, postbox: Postbox) -> None:
    """Who begins later that day is reminded all the same: nobody learns from mail at what time somebody began."""
    invite(survey, 2)
    (one, _) = postbox.messages
    forget_used(survey, Boxes(survey))
    assert use(client, survey, secret_of(one)) == 200
    plan(survey, -1, 0)
    send_all(survey)
    assert len(postbox.messages) == 4


def test_without_a_mail_server_messages_are_files(survey: Survey, settings: Settings, tmp_path: Any) -> None:
    """In a folder that others cannot enter."""
    folder = tmp_path / "mail"
    settings.MAIL = {"backend": "django.core.mail.backends.filebased.EmailBackend", "file_path": folder}
    invite(survey, 3)
    written = "".join(file.read_text() for file in folder.iterdir())
    assert (written.count("Subject: Please answer"), folder.stat().st_mode & 0o777) == (3, 0o700)


# ---- what goes wrong -----------------------------------------------------------------------------------------------


def test_an_address_that_is_refused_keeps_nobody_else_waiting(
    survey: Survey, postbox: Postbox, caplog: pytest.LogCaptureFixture
) -> None:
    """It is noted in its box; one that is refused for now is tried later. The log names neither."""
    caplog.set_level(logging.DEBUG)
    postbox.answers = {"person0@example.org": 550, "person1@example.org": 450}
    invite(survey, 4)
    first_time = sorted(postbox.recipients)
    mailing = Mailing.objects.get()
    paused = mailing.trouble, mailing.until is not None and mailing.until > timezone.now()
    postbox.answers.clear()
    Mailing.objects.update(until=None)
    send_all(survey)

    assert first_time == ["person2@example.org", "person3@example.org"]
    assert paused == ("SMTPRecipientsRefused", True)
    assert postbox.recipients[2:] == ["person1@example.org"]
    assert [person.address for _, person in Boxes(survey).people() if person.refused] == ["person0@example.org"]
    assert "example.org" not in caplog.text


def test_a_subject_of_before_that_cannot_be_written_refuses_nobody(survey: Survey, postbox: Postbox) -> None:
    """Nothing is sent, no address is marked, and with another subject all get their mail."""
    add(survey, people(2))
    plan(survey, 0, texts={"invitation": {"en": {"subject": "Please\nanswer", "body": "{link}"}}})
    send_all(survey)
    marked = [person.address for _, person in Boxes(survey).people() if person.refused]
    trouble = Mailing.objects.get().trouble
    plan(survey, 0, until=None)
    send_all(survey)
    assert (marked, trouble, sorted(postbox.recipients)) == ([], "unwritten", sorted(people(2)))


def test_an_address_that_is_added_again_is_tried_again(survey: Survey, postbox: Postbox) -> None:
    """As when the mail server has refused it by mistake; who gets no more mail, gets none."""
    postbox.answers = {"person0@example.org": 550}
    invite(survey, 2)
    stop(survey, ["person1@example.org"])
    postbox.answers.clear()
    assert add(survey, people(2)) == 0
    send_all(survey)
    assert postbox.recipients == ["person1@example.org", "person0@example.org"]


def test_a_mail_server_that_is_away_is_left_alone_for_a_while(
    survey: Survey, settings: Settings, postbox: Postbox
) -> None:
    """Nothing is lost by it."""
    there, settings.MAIL = settings.MAIL, {**settings.MAIL, "port": 1}
    invite(survey, 2)
    trouble = Mailing.objects.get().trouble
    settings.MAIL = there
    Mailing.objects.update(until=None)
    send_all(survey)
    assert (trouble, len(postbox.messages), Mailing.objects.get().trouble) == ("ConnectionRefusedError", 2, "")


def test_two_workers_do_not_send_at_once(survey: Survey, postbox: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one has the claim another finds nothing to do; without its claim a worker stops."""
    add(survey, people(3))
    plan(survey, 0)
    noted = Boxes.put

    def put(boxes: Boxes, *row: Any) -> bool:
        Mailing.objects.update(token="another")
        return noted(boxes, *row)

    monkeypatch.setattr(Boxes, "put", put)
    send(survey.pk)
    assert len(postbox.messages) == 1
    send_all(survey)
    assert len(postbox.messages) == 1


def test_a_worker_that_dies_doubles_at_most_what_it_had_in_hand(
    survey: Survey, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message that it could not note any more comes again, with the same Message-ID and link; all others once."""

    class Killed(BaseException):
        """Nothing catches it."""

    noted = Boxes.put

    def put(boxes: Boxes, *row: Any) -> bool:
        if len(postbox.messages) == 4:
            raise Killed
        return noted(boxes, *row)

    add(survey, people(7))
    plan(survey, 0)
    with monkeypatch.context() as dying:
        dying.setattr(Boxes, "put", put)
        with pytest.raises(Killed):
            send(survey.pk)
    send(survey.pk)
    assert len(postbox.messages) == 4, "the claim lasts for a while"
    Mailing.objects.update(until=timezone.now() - timedelta(seconds=1))
    send_all(survey)

    assert (len(postbox.messages), set(postbox.recipients)) == (8, set(people(7)))
    known_as = [(message["Message-ID"], secret_of(message)) for message in postbox.messages]
    assert len(set(known_as)) == 7


# ---- bounces, replacement, the end ---------------------------------------------------------------------------------


def test_who_gets_no_more_mail_gets_none_and_their_link_ends(client: Client, survey: Survey, postbox: Postbox) -> None:
    """They cannot be invited again by mistake."""
    invite(survey, 2)
    links = {str(message["To"]): secret_of(message) for message in postbox.messages}
    stop(survey, ["Person0@example.org"])
    assert add(survey, people(2)) == 0
    with pytest.raises(EntryError, match=r"^“person0@example\.org” gets no more mail, as you have said\.$"):
        replace_links(survey, {"person0@example.org": "en"})
    plan(survey, -1, 0)
    send_all(survey)
    assert postbox.recipients[2:] == ["person1@example.org"]
    assert [use(client, survey, links[who]) for who in people(2)] == [409, 200]


@pytest.mark.parametrize("begun", [False, True])
def test_a_lost_link_is_replaced_once(client: Client, survey: Survey, postbox: Postbox, begun: bool) -> None:
    """Also one that was used before a device was lost. The old one ends, and the batch has no more people."""
    invite(survey, 2)
    old = {str(message["To"]): secret_of(message) for message in postbox.messages}["person0@example.org"]
    if begun:
        assert use(client, survey, old) == 200
        forget_used(survey, Boxes(survey))
    replace_links(survey, {"person0@example.org": "en"})
    send_all(survey)
    (again,) = postbox.messages[2:]
    assert (again["To"], again["Subject"]) == ("person0@example.org", "Please answer")
    assert [use(client, survey, secret) for secret in (old, secret_of(again))] == [409, 200]
    assert survey.invitation_batches.get().count == 2
    with pytest.raises(EntryError, match="there is no third"):
        replace_links(survey, {"person0@example.org": "en"})


def test_one_wrong_line_replaces_and_stops_nobody(survey: Survey) -> None:
    """All of a list, or nothing."""
    add(survey, people(2))
    boxes = {bytes(row.key): bytes(row.box) for row in Invitee.objects.all()}
    for refused in (lambda: stop(survey, [*people(2), "x@example.org"]), lambda: replace_links(survey, people(3))):
        with pytest.raises(EntryError, match="Nobody was invited at"):
            refused()
    assert {bytes(row.key): bytes(row.box) for row in Invitee.objects.all()} == boxes
    assert Invitation.objects.filter(blinded=None).count() == 2


def test_addresses_go_when_the_survey_is_closed(survey: Survey) -> None:
    """Within the next looks, with the traces in the files."""
    add(survey, people(3))
    close(survey)
    start_due_batches()
    assert (Invitee.objects.count(), Residue.objects.count()) == (0, 1)
    with pytest.raises(EntryError, match="closed"):
        add(survey, people(1))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no address in this list."),
        ("a@example.org\nnobody", "Line 2: “nobody” is not an address."),
        (f"{'a' * 60}@{'b' * 60}.{'c' * 60}.org", "is not an address"),
        (f"a@{'ü' * 60}.org", "is not an address"),
        ("a@example.org, fr", "Line 1: “fr” is not a language of this survey (en, de)."),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(text: str, sentence: str) -> None:
    """With the number of its line."""
    with pytest.raises(EntryError, match=re.escape(sentence)):
        read_list(text, ["en", "de"])


def test_a_list_may_be_a_sheet() -> None:
    """Semicolons and tabs part columns, too; empty lines are left out."""
    text = "a@example.org;DE\n\nb@example.org\ten\r\nc@example.org\n"
    assert read_list(text, ["en", "de"]) == {"a@example.org": "de", "b@example.org": "en", "c@example.org": "en"}


@pytest.mark.parametrize("access", ["open", "panel"])
def test_who_comes_otherwise_is_not_mailed(access: str) -> None:
    """An open survey and one of a panel have no invitations to mail."""
    survey = make_survey(access="invitation" if access == "panel" else "open")
    if access == "panel":
        write(survey, panel={"by": "sona", "name": "SONA", "number": "id", "sent": "C1", "out": "", "full": ""})
    publish(survey)
    with pytest.raises(EntryError, match=r"open to everybody|let people in"):
        add(survey, people(1))


# ---- what the tables tell ------------------------------------------------------------------------------------------


def test_a_row_says_neither_who_was_invited_nor_whose_invitation_is_used(client: Client, survey: Survey) -> None:
    """Used, stopped, replaced, refused: every box has one length, and only a key that is not in the tables opens it."""
    add(survey, people(4) | {f"{'long' * 20}@example.org": "en"})
    secret = {person.address: person.secret for _, person in Boxes(survey).people()}
    note_as_invited(survey)
    use(client, survey, secret["person0@example.org"])
    forget_used(survey, Boxes(survey))
    stop(survey, ["person1@example.org"])
    replace_links(survey, {"person2@example.org": "en"})
    rows = [(bytes(row.key), bytes(row.box)) for row in Invitee.objects.all()]
    assert {(len(key), len(box)) for key, box in rows} == {(32, invitees._PLAIN_BYTES + 28)}
    assert not any(b"example" in key + box for key, box in rows)
    kept = sorted(person.address[:7] for _, person in Boxes(survey).people())
    assert kept == ["", "", "longlon", "person2", "person3"]


def test_invitations_of_one_survey_open_nothing_of_another(survey: Survey) -> None:
    """Each survey has keys of its own, and a box is bound to its row."""
    add(survey, people(2))
    one, other = Invitee.objects.order_by("key")
    other.box = one.box
    with pytest.raises(InvalidTag):
        Boxes(survey).open(other)


# ---- a real worker -------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_workers_that_are_killed_while_they_send_lose_nobody(
    broker: redis.Redis, survey: Survey, postbox: Postbox
) -> None:
    """Killed with -9 after a message was taken and before that is noted, again and again: each is sent, and besides
    those that were in hand each once.
    """
    broker.flushall()
    kills = 6
    workers: list[subprocess.Popen[bytes]] = []
    mail = {"EMAIL_URL": f"smtp://127.0.0.1:{postbox.port}?tls=no", "EMAIL_FROM": "site@example.org"}
    command = [sys.executable, "-W", "ignore", "-m", "celery", "--quiet", "-A", "config", "worker", "--pool=solo"]

    def kill() -> None:
        if len(postbox.messages) % 5 == 0 and len(workers) <= kills:
            workers[-1].kill()

    def is_over() -> bool:
        return workers[-1].poll() is not None or Mailing.objects.get().done == 1

    add(survey, people(40))
    plan(survey, 0)
    postbox.before_thanks = kill
    try:
        for _ in range(kills + 1):
            workers.append(subprocess.Popen(command, cwd=ROOT, env={**os.environ, **mail}))
            wait_until(lambda: celery_app.control.ping(limit=1, timeout=1), PATIENCE, "the worker answers")
            Mailing.objects.update(until=None)  # what the end of the claim does after some minutes
            start_due_batches()
            wait_until(is_over, PATIENCE, "the worker is killed, or all is sent")
    finally:
        for worker in workers:
            stop_process(worker)
    assert Mailing.objects.get().done == 1
    assert set(postbox.recipients) == set(people(40))
    assert 40 < len(postbox.messages) <= 40 + kills
    assert len({(message["Message-ID"], secret_of(message)) for message in postbox.messages}) == 40
