"""A person who steals the database after a sealing cannot tell by any order in it whose response is whose.

People use an invitation and send, one after another; the thief knows that order (from the network, say) and has
every file. For each view of the stolen data the persons are put in the order in which they stand: rows as read,
ctid and xmin, the place of their bytes in each file, write-ahead log included, for responses, submission keys, spent
tokens and used invitations. A view is worth something if it puts people where they came (matches), next to whom they
came (neighbours), or on the whole in line (rank correlation).
"""

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from surveys.domain.database import used
from surveys.domain.mail.invitees import Boxes, add, forget_used
from surveys.domain.messages import invite
from surveys.domain.questionnaire import closing, publish as publishing
from surveys.domain.responses import receive as receiving, seal
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey, SurveyVersion
from tests.cases import first
from tests.client.invitations import to_text
from tests.surveys.making import add_question, make_survey
from tests.surveys.postbox import note_as_invited
from tests.surveys.sealed import open_answers
from tests.surveys.sending import hash_of, send, submission
from tests.surveys.thief import alignment, forget_log_files, found_in, matches, neighbours, stolen_files

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class People:
    """What each of so many sends: others with every number and seed, the same in every run.

    A database keeps bytes of people who were deleted before: who came in two cases would stand first there.
    """

    many: int
    seed: int

    def draw_bytes(self, what: str, person: int) -> bytes:
        return hashlib.sha512(f"{self.many} {self.seed} {what} {person}".encode()).digest()

    def note(self, person: int) -> str:
        return self.draw_bytes("note", person).hex()[:20]

    def key(self, person: int) -> bytes:
        return self.draw_bytes("key", person)[:16]

    def message(self, person: int) -> bytes:
        return self.draw_bytes("message", person)[:32]

    def numbers(self) -> list[str]:
        return [self.draw_bytes("number", person).hex()[:24] for person in range(self.many)]

    def addresses(self) -> list[str]:
        return [f"{self.note(person)}@example.org" for person in range(self.many)]

    def blind(self, person: int) -> bytes:
        return self.draw_bytes("blinded", person).rjust(invite.BITS // 8, b"\0")


PANEL = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "CODE1", "out": "", "full": ""}
SECRET = 12345  # the survey's private key


def token_hash(message: bytes) -> bytes:
    return hashlib.sha256(b"spent" + message).digest()


@pytest.mark.parametrize(
    ("many", "seed", "sealings", "by"),
    first(
        1,
        [
            (80, 2, 2, "links"),
            (120, 2, 2, "links"),
            (240, 2, 3, "links"),
            (240, 3, 3, "panel"),
            (240, 4, 3, "mail"),
            (500, 1, 1, "links"),
            (500, 2, 3, "panel"),
            (500, 3, 3, "mail"),
            (500, 5, 5, "links"),
        ],
    ),
)
def test_the_order_of_arrival_is_gone_after_sealing(
    client: Client, monkeypatch: pytest.MonkeyPatch, many: int, seed: int, sealings: int, by: str
) -> None:
    """Before: some order gives the arrival back. After: no view tells more than chance does once in 10^7.

    Where they were sealed in several batches, nothing tells either who was in an earlier one. By a panel: its numbers
    let people in, and the thief has the panel's list of who came when, and the key under which they are kept. By mail:
    the site has mailed the links, looks after each batch, as on another day, who has begun, and the thief opens every
    box.
    """
    people = People(many, seed)
    chance = np.random.default_rng(seed)  # the same permutations and the same secrets in every run
    monkeypatch.setattr(seal.os, "urandom", chance.bytes)
    monkeypatch.setattr(invite.secrets, "token_urlsafe", lambda length: chance.bytes(length).hex())
    forgo_signatures(monkeypatch)
    forget_log_files()
    survey = make_survey(access="invitation", panel=PANEL if by == "panel" else None)
    add_question(survey, "note", type="text", max="20")
    version = publishing.publish(survey)
    invited = people.numbers() if by == "panel" else invite_all(survey, people, by)
    everybody = list(enumerate(invited))
    before: dict[str, list[int]] = {}
    for batch in range(sealings):
        arrive(client, version, people, everybody[batch * many // sealings : (batch + 1) * many // sealings])
        before = before or dict(views(version, people))
        if by == "mail":
            forget_used(survey, Boxes(survey))
        call_command("tend", once=True)
    while_open = dict(views(version, people))
    closing.close(survey)
    call_command("tend", once=True)
    after = dict(views(version, people))
    assert max(neighbours(order) for order in before.values()) > 20
    assert (len(while_open["undisguised answers"]), len(after["undisguised answers"])) == (many - seal.BATCH, many)
    for name, order in [*while_open.items(), *after.items()]:
        assert matches(order) <= 10, name  # the fixed points of a random permutation are Poisson's, with mean 1
        assert neighbours(order) <= 14, name  # and its neighbours too, with mean 2
        assert alignment(order) <= 5.5 / np.sqrt(len(order) - 1), name


def invite_all(survey: Survey, people: People, by: str) -> list[str]:
    """The secrets of everybody's links, in the order in which they will come."""
    if by == "links":
        return invite.invite(survey, "all", people.many)
    add(survey, dict.fromkeys(people.addresses(), "en"))
    note_as_invited(survey)
    secrets = {person.address: person.secret for _row, person in Boxes(survey).people()}
    return [secrets[address] for address in people.addresses()]


def forgo_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take long, leave no trace, and a key drawn again would put the hashes in another order in every run."""
    numbers = SimpleNamespace(public_numbers=SimpleNamespace(n=1 << invite.BITS), d=SECRET)
    monkeypatch.setattr(publishing, "make_key", lambda _survey: None)
    monkeypatch.setattr(invite, "_private", lambda _survey: numbers)
    monkeypatch.setattr(invite, "_sign", lambda message, _key: message)
    monkeypatch.setattr(receiving, "check_token", lambda _key, token: token_hash(bytes.fromhex(token["message"])))


def arrive(client: Client, version: SurveyVersion, people: People, coming: list[tuple[int, str]]) -> None:
    """Each uses an invitation and sends a response, one person after another."""
    for person, secret in coming:
        of_panel = version.parsed.let_in_by is not None
        invite.exchange(version.survey, secret, to_text(people.blind(person)), of_panel=of_panel)
        token = {"message": people.message(person).hex()}
        sent = submission(version, key=people.key(person).hex(), open={"note": people.note(person)}, token=token)
        assert send(client, "study", sent).status_code == 201
        if person % 100 == 50 and connection.vendor == "postgresql":
            with connection.cursor() as cursor:  # as autovacuum does, at any time
                cursor.execute("ANALYZE")


def views(version: SurveyVersion, people: People) -> Iterator[tuple[str, list[int]]]:
    """Every order of persons that the stolen data hold, by name."""
    person_of_note = {people.note(person): person for person in range(people.many)}
    hashed = {hash_of(version, people.key(person)): person for person in range(people.many)}
    if snapshot := latest(version.survey):
        yield "undisguised answers", [person_of_note[answer["note"]] for answer in open_answers(snapshot)]
    tokens = {token_hash(people.message(person)): person for person in range(people.many)}
    key = SECRET.to_bytes(invite.BITS // 8)
    numbers = {hmac.digest(key, number.encode(), "sha256"): person for person, number in enumerate(people.numbers())}
    key_of = Boxes(version.survey).key_of
    invited = {key_of(address): person for person, address in enumerate(people.addresses())}
    used = {hashlib.sha256(people.blind(person)).digest(): person for person in range(people.many)}
    orders = ("", "ORDER BY ctid", "ORDER BY xmin::text::bigint, ctid") if connection.vendor == "postgresql" else ("",)
    with connection.cursor() as cursor:
        for order in orders:
            for table, column, person_of in (
                ("submission", "key", hashed),
                ("spenttoken", "token", tokens),
                ("invitation", "blinded", used),
                ("invitation", "secret", numbers if version.parsed.let_in_by else {}),
                ("invitee", "key", invited),
            ):
                if not person_of:
                    continue
                cursor.execute(f"SELECT {column} FROM surveys_{table} WHERE {column} IS NOT NULL {order}")
                if owners := [person_of[bytes(row)] for (row,) in cursor.fetchall()]:
                    yield f"{table} {column} {order}", owners
            for letter, kind, person_of in (("k", "key", hashed), ("t", "token", tokens)):
                pages = cut_up(cursor, order, letter.encode())
                if owners := [person_of[entry[:16] if kind == "key" else entry] for entry in pages]:
                    yield f"page of {kind} {order}", owners
    marks = {"note": {people.note(person).encode(): person for person in range(people.many)}}
    marks |= {"key": hashed, "token": tokens, "invitation": used, "number": numbers, "invitee": invited}
    for name, content in stolen_files():
        for kind, mark in marks.items():
            owners = found_in(content, mark)
            for end, persons in (("first", owners), ("last", owners[::-1])):
                if len(order := list(dict.fromkeys(persons))) > people.many // 10:
                    yield f"{name}: {end} {kind}", order


def cut_up(cursor: Any, order: str, letter: bytes) -> Iterator[bytes]:
    """What stands on the pages of what was used, page after page."""
    cursor.execute(f"SELECT place, entries FROM surveys_usedpage {order}")
    for place, entries in cursor.fetchall():
        if bytes(place).startswith(letter):
            yield from (bytes(entries)[start : start + used.SIZE] for start in range(0, len(entries), used.SIZE))
