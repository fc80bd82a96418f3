"""A person who has kept every log and every backup since the first response cannot place one of them, once it is
sealed.

A thief copies the database after each response and each sealing: its rows, and every file of it, write-ahead log
included. He knows who came when (from a proxy, say), so he knows whose each row of the inbox was. All he lacks are the
keys: in the end he takes those that are left. The same thief with a copy of the keys of every moment places everybody,
which shows that the attack is one.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.core.management import call_command
from django.db import connection
from django.test import Client, override_settings

from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import boxes, sealing_keys, waiting
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, SurveyVersion
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers
from tests.surveys.sending import send, submission
from tests.surveys.thief import alignment, forget_log_files, found_in, matches, neighbours, stolen_files

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 120
SEALED_AFTER = {60, 90, 110}  # of so many, a round of the sealing job


@dataclass
class Thief:
    """What he has kept. `boxes` names for each person the rows that could be theirs; a new row is the last comer's."""

    keys_too: Path
    boxes: dict[bytes, tuple[int | None, bytes]] = field(default_factory=dict)
    files: list[bytes] = field(default_factory=list)
    private: set[bytes] = field(default_factory=set)

    def copy(self, comer: int | None) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT key, box FROM surveys_inbox")
            for key, box in cursor.fetchall():
                self.boxes.setdefault(bytes(key), (comer, bytes(box)))
        self.private |= {path.read_bytes() for path in self.keys_too.iterdir()}

    def copy_files(self) -> None:
        self.files += [content for _, content in stolen_files()]

    def find_places(self, version: SurveyVersion, private: set[bytes]) -> dict[int, bytes]:
        """Whose undisguised answers he knows, with the private keys that he has."""
        keys = [X25519PrivateKey.from_private_bytes(key) for key in private if key != bytes(32)]
        known = {}
        for place, (person, box) in self.boxes.items():
            for key in keys if person is not None else []:
                try:
                    known[person] = boxes.opener([key])(box, waiting._context_of(version.sha256, place))
                except ValueError:
                    continue
        return known


@pytest.fixture(autouse=True)
def host(tmp_path: Path) -> Iterator[Path]:
    with override_settings(CANDOR_DATA=tmp_path):
        sealing_keys.renew()
        yield tmp_path / "sealing_keys"


def note(person: int) -> str:
    return hashlib.sha256(b"%d" % person).hexdigest()[:20]


@pytest.mark.long
def test_kept_logs_and_backups_place_nobody(client: Client, host: Path) -> None:
    """Every row that ever waited is noise, no file ever held an answer in clear, and parts have no order."""
    forget_log_files()
    survey = make_survey()
    add_question(survey, "note", type="text", max="20")
    version = publish(survey)
    thief = Thief(host)
    for person in range(PEOPLE):
        assert send(client, "study", submission(version, open={"note": note(person)})).status_code == 201
        thief.copy(person)
        if person + 1 in SEALED_AFTER:
            thief.copy_files()
            call_command("tend", once=True)
            thief.copy(None)
            thief.copy_files()
    close(survey)
    call_command("tend", once=True)
    thief.copy_files()
    left = {path.read_bytes() for path in host.iterdir()}
    snapshot = latest(survey)
    assert snapshot is not None
    person_of = {note(person): person for person in range(PEOPLE)}
    order = [person_of[answer["note"]] for answer in open_answers(snapshot)]
    marks = {text.encode(): person for text, person in person_of.items()}

    with_keys = thief.find_places(version, thief.private)
    assert [note(person).encode() in with_keys[person] for person in range(PEOPLE)] == [True] * PEOPLE
    assert thief.find_places(version, left) == {}
    assert [found_in(content, marks) for content in thief.files if found_in(content, marks)] == []
    assert Inbox.objects.count() == 0
    assert (sorted(order), len(left)) == (list(range(PEOPLE)), 2)
    assert matches(order) <= 10
    assert neighbours(order) <= 14
    assert alignment(order) <= 5.5 / np.sqrt(PEOPLE - 1)
