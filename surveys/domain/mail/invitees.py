"""Whom the site invites by mail: their addresses, until the survey is closed
(docs/decisions/0066-invitations-by-mail.md).

A row of `Invitee` is a keyed hash of an address and a box, which only a host with SECRET_KEY opens: both keys follow
from the key that signs the survey's invitations. Address and secret are taken out of the box when the invitation is
seen to be used (`forget_used`), or when the person shall get no more mail; the box looks as before. Nothing here has a
time.
"""

import hmac
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.messages import invite
from surveys.hundreds import hundreds
from surveys.models import Invitee, Mailing, Residue, Survey

LONGEST = 128  # letters of an address
MOST = 100_000  # people of a survey
_PLAIN_BYTES = 256  # of every box
_NONCE_BYTES = 12


class Person(NamedTuple):
    """What a box holds. Without an address the person gets no more mail, and no unused link of theirs is left.

    `step`: for how many of the days they have been sent mail; with 0 nobody has their link yet. `refused`: the mail
    server takes no mail for them, or, without an address, somebody has said that they get none. `replaced`: they had
    a second link.
    """

    address: str = ""
    language: str = ""
    secret: str = ""
    step: int = 0
    refused: bool = False
    replaced: bool = False

    @property
    def is_written_to(self) -> bool:
        return bool(self.address) and not self.refused

    def without_address(self) -> "Person":
        return Person(replaced=self.replaced)


class Boxes:
    """Opens and closes the boxes of a survey's invitees; EntryError if SECRET_KEY has changed."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        keys = invite.derive_key(survey, "addresses", 64)
        self._hashing, self._cipher = keys[:32], AESGCM(keys[32:])

    def key_of(self, address: str) -> bytes:
        """The key of the row of an address; capital letters make no difference."""
        return self.mark(address.lower().encode())

    def mark(self, content: bytes) -> bytes:
        return hmac.digest(self._hashing, content, "sha256")

    def close(self, key: bytes, person: Person) -> bytes:
        plain = json.dumps(person, ensure_ascii=False, separators=(",", ":")).encode().ljust(_PLAIN_BYTES)
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, key)

    def open(self, row: Invitee) -> Person:
        box = bytes(row.box)
        return Person(*json.loads(self._cipher.decrypt(box[:_NONCE_BYTES], box[_NONCE_BYTES:], bytes(row.key))))

    def people(self) -> Iterator[tuple[Invitee, Person]]:
        """Yield every row with its opened box, in the order of their keys, which tells nothing."""
        for row in self.survey.invitees.order_by("key").iterator():
            yield row, self.open(row)

    def put(self, row: Invitee, person: Person) -> bool:
        """Write a new box into the row; False if somebody else has changed the row meanwhile."""
        unchanged = Invitee.objects.filter(key=row.key, box=row.box)
        return bool(unchanged.update(box=self.close(bytes(row.key), person)))


def read_list(text: str, languages: Sequence[str]) -> dict[str, str]:
    """Read a list with one address a line, and perhaps a language after a comma; the language of each address."""
    listed: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        address, _, tag = (part.strip() for part in line.replace(";", ",").replace("\t", ",").partition(","))
        if not address and not tag:
            continue
        if not _is_address(address):
            raise EntryError("Line {number}: “{address}” is not an address.", number=number, address=address[:LONGEST])
        if tag and tag.lower() not in languages:
            raise EntryError(
                "Line {number}: “{tag}” is not a language of this survey ({languages}).",
                number=number,
                tag=tag[:LONGEST],
                languages=", ".join(languages),
            )
        listed[address] = tag.lower() or languages[0]
    if not listed:
        raise EntryError("There is no address in this list.")
    return listed


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
        text.rpartition("@")[2].encode("idna")  # as a message names the domain
    except (ValidationError, UnicodeError):
        return False
    return len(text.encode()) <= LONGEST


def add(survey: Survey, listed: Mapping[str, str]) -> int:
    """Invite the listed people (the language of each address), and return how many were not invited yet.

    Those who were, stay as they are; an address that the mail server has refused is tried again.
    """
    invite.check_open(survey)
    boxes = Boxes(survey)
    rows = {boxes.key_of(address): (address, language) for address, language in listed.items()}
    with _lock_survey(survey):
        for known in [row for row in survey.invitees.order_by("key").iterator() if bytes(row.key) in rows]:
            del rows[bytes(known.key)]
            person = boxes.open(known)
            if person.refused and person.address:
                boxes.put(known, person._replace(refused=False))
        if survey.invitees.count() + len(rows) > MOST:
            raise EntryError("A survey mails {most} people at most.", most=MOST)
        drawn = iter(invite.draw_for_mail(survey, len(rows), more=len(rows)))
        made = {key: Person(address, language, next(drawn)) for key, (address, language) in rows.items()}
        Invitee.objects.bulk_create(
            [Invitee(key=key, survey=survey, box=boxes.close(key, made[key])) for key in sorted(made)], batch_size=1000
        )
    return len(rows)


def replace_links(survey: Survey, listed: Mapping[str, str]) -> None:
    """Give these people (the language of each address) another link, once; the one that they had ends.

    The same is done and said where the first link was used: the device may have been lost before anything was sent.
    """
    invite.check_open(survey)
    boxes = Boxes(survey)
    with _lock_survey(survey):
        rows = []
        for address, language in listed.items():
            row = _row_of(boxes, address)
            person = boxes.open(row)
            if person.refused and not person.address:
                raise EntryError("“{address}” gets no more mail, as you have said.", address=address)
            if person.replaced:
                raise EntryError("“{address}” had a second link already: there is no third.", address=address)
            if person.secret:
                invite.end_invitation(survey, person.secret)
            rows.append((row, Person(address, language, replaced=True)))
        drawn = invite.draw_for_mail(survey, len(rows), more=0)
        for (row, person), secret in zip(rows, drawn, strict=True):
            boxes.put(row, person._replace(secret=secret))
        Residue.objects.create()


def stop(survey: Survey, addresses: Collection[str]) -> None:
    """Send these people nothing more, and take their addresses away; a link that they have not used ends."""
    boxes = Boxes(survey)
    with _lock_survey(survey):
        for row in [_row_of(boxes, address) for address in addresses]:
            person = boxes.open(row)
            if person.secret:
                invite.end_invitation(survey, person.secret)
            boxes.put(row, person.without_address()._replace(refused=True))
        Residue.objects.create()


def forget_used(survey: Survey, boxes: Boxes) -> None:
    """Remove the addresses of those whose invitation is used, so that nobody who has begun is reminded.

    Those whom the mail server refuses keep theirs: a line that went would tell who has begun.
    """
    with _lock_survey(survey):
        waiting = {
            person.secret: (row, person)
            for row, person in boxes.people()
            if person.secret and person.is_written_to and person.step
        }
        for secret in invite.secrets_used(survey, waiting):
            row, person = waiting[secret]
            boxes.put(row, person.without_address())
        Mailing.objects.filter(survey=survey).update(looked_on=timezone.localdate())
        Residue.objects.create()


@dataclass(frozen=True)
class Delivery:
    """What may be shown of how the mail arrives. Who has begun does not change it.

    Only those are reminded who have not begun, so who refuses a reminder has not: of these there is a full hundred
    alone. An invitation goes to everybody.
    """

    is_invited: bool  # whether nobody waits for a link
    refused: list[str]  # the addresses for which the mail server refused the invitation
    refused_reminders: int  # at least so many more refused a reminder


def delivery(survey: Survey) -> Delivery:
    """EntryError if SECRET_KEY has changed."""
    people = [person for _row, person in Boxes(survey).people() if person.address]
    late = sum(person.refused and person.step > 0 for person in people)
    return Delivery(
        not any(person.is_written_to and not person.step for person in people),
        [person.address for person in people if person.refused and not person.step],
        hundreds(late),
    )


def forget(survey: Survey) -> None:
    """Delete all invitees of a survey that is closed; the next round removes the traces in the files."""
    with transaction.atomic():
        if survey.invitees.all().delete()[0]:
            Residue.objects.create()


def _row_of(boxes: Boxes, address: str) -> Invitee:
    row = Invitee.objects.filter(key=boxes.key_of(address), survey=boxes.survey).first()
    if row is None:
        raise EntryError("Nobody was invited at “{address}”.", address=address)
    return row


@contextmanager
def _lock_survey(survey: Survey) -> Iterator[None]:
    """A transaction that locks a survey, if it is not closed; afterwards workers look again for mail to send."""
    with transaction.atomic():
        if Survey.objects.select_for_update(no_key=True).get(pk=survey.pk).closed_at:
            raise EntryError("This survey is closed.")
        yield
        Mailing.objects.filter(survey=survey).update(done=0)
