"""The statement of a closed survey: a hash over all its receipts and one over its sealed parts, for everybody to read.

Nothing of it exists while the survey collects (docs/decisions/0022-what-a-closed-survey-publishes.md). A receipt is 16
bytes of a hash of the submission key and 16 bytes of a hash of that key with what was stored. Without the key, which
the device alone had, it leads to no record; and the list is sorted, so it has no order of arrival.

Its Merkle trees are those of RFC 6962, section 2.1: one hash for a list, and a short proof that something stands in it.

A leaf is hashed with a 0 before it and a node with a 1, so that no node can be shown as a leaf. The largest power of
two below the length goes to the left; level by level that is the same as pairing neighbours and letting an odd last
one rise. So the tree over a list is also the tree over the roots of its pieces, if each piece but the last has the same
power of two of leaves. surveys/client/closed/merkle.js is the twin in the browser; tests hold both to the same vectors.
"""

import hmac
import json
import logging
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, QuerySet

from surveys.domain.database import duties, used
from surveys.domain.responses import disclosure, snapshots
from surveys.models import Inbox, ReceiptPiece, Statement, Survey


def leaf(data: bytes) -> bytes:
    return sha256(b"\0" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def root(hashes: Iterable[bytes]) -> bytes:
    """The root of the tree over these hashes of leaves (or roots of pieces); for an empty list the hash of no bytes."""
    level = list(hashes)
    if not level:
        return sha256(b"").digest()
    while len(level) > 1:
        risen = level[-1:] if len(level) % 2 else []
        level = [node(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)] + risen
    return level[0]


log = logging.getLogger(__name__)

# Receipts in a piece, a power of two: half a MiB, which a phone hashes in some seconds. Who asks for a piece tells that
# theirs is one of so many; most surveys have a single piece, and who asks for that tells nothing.
PIECE = 16_384
RECEIPT = 32  # bytes

SECONDS = 3.0  # for which long lists keep other duties waiting
PARTS_AT_ONCE = 8
PROGRESS_EACH = 100  # pieces

_Piece = tuple[bytes, bytes]  # the receipt it begins with, and its root

_begun: dict[int, Iterator[None]] = {}  # by the number of the survey, what this process has begun


def state_all() -> object:
    """A duty: publish the statement of every survey that has closed for good and is sealed to the last response.

    Millions of receipts take minutes. So this works for SECONDS and then says that there is more; other duties come in
    between. The surveys take turns, so that a short list waits for no long one; nor does any wait for one that fails.
    """
    due = {survey.pk: survey for survey in _due()}
    for gone in _begun.keys() - due.keys():
        del _begun[gone]
    for pk, survey in due.items():
        _begun.setdefault(pk, steps(survey))
    end = time.monotonic() + SECONDS
    while _begun:
        pk = next(iter(_begun))
        going_on = _begun.pop(pk)  # what fails here starts over
        try:
            for _ in going_on:
                _begun[pk] = going_on  # behind the others
                break
        except Exception as error:
            log.exception("The statement of survey %s was not made.", pk)
            duties.note_undone(error)
        if _begun and time.monotonic() >= end:
            return duties.MORE
    return None


@dataclass(frozen=True)
class Making:
    """The list of receipts of a survey, while it is made: how many of its pieces are written; 0 of 0 before that."""

    survey: str
    written: int
    pieces: int


def statement_progress() -> list[Making]:
    """List the statements whose list of receipts is not complete yet, and how far each list is."""
    first, last = Min("statement__pieces__number"), Max("statement__pieces__number")
    rows = _due().filter(versions__isnull=False).order_by("slug").annotate(first=first, last=last)
    return [
        Making(slug, 0, 0) if last is None else Making(slug, last + 1 - first, last + 1)
        for slug, first, last in rows.values_list("slug", "first", "last")
    ]


def _due() -> QuerySet[Survey]:
    """The surveys that have closed for good, are sealed to the last response, and have no statement that is whole."""
    closed = Survey.objects.filter(closed_at__isnull=False, erasing_since=None)
    closed = closed.exclude(pk__in=Statement.published.values("survey"))
    return closed.exclude(pk__in=Inbox.objects.values("version__survey"))


def steps(survey: Survey) -> Iterator[None]:
    """Publish the statement of a survey, unless it is not sealed yet; each step takes no longer than a piece does.

    Once it is settled nothing changes any more, so receipts are read twice, to be hashed and to be written, and no more
    than a piece of them is in memory. Pieces are written from the last one to the first: with the first the statement
    is published. If this process ends before, what is hashed is lost, and what is written is not.
    """
    statement = Statement.objects.filter(survey=survey).first()
    if statement is None:
        with transaction.atomic():
            if not _is_settled(survey.pk):
                return
        sums = _Sums()
        yield from sums.add_all(survey)
        statement = _begin(survey, sums)
    if statement is None:
        return
    for number, piece in _pieces_to_write(statement):
        yield
        if not _add(survey, statement, number, piece):
            return
    log.info("The statement of survey %s is published.", survey.pk)


def agrees(statement: Statement) -> bool:
    """Whether the database still holds the same receipts and parts as when the statement was made."""
    content, sums = bytes(statement.content), _Sums()
    for _ in sums.add_all(statement.survey):
        pass
    is_listed = json.loads(content)["receipts"] is not None
    kept = statement.pieces.values_list("receipts", flat=True).iterator(chunk_size=1)
    return (
        sha256(content).hexdigest() == statement.sha256
        and content == _statement_bytes(statement.survey, sums, bytes(statement.salt), is_listed)
        and [_sum_piece(bytes(receipts)) for receipts in kept] == (sums.pieces if is_listed else [])
    )


def salts(statement: Statement) -> dict[str, str]:
    """The salt of each version, by its hash: people with the parts and the salt can compute their root again."""
    versions = statement.survey.versions.values_list("sha256", flat=True)
    return {version: _version_salt(bytes(statement.salt), version).hex() for version in versions}


def _is_settled(pk: int) -> bool:
    """Whether the survey is closed for good, holds no waiting response, and has no statement. Takes the survey's lock.

    The lock waits for responses that are being stored at this moment; whatever comes later finds the survey closed.
    """
    survey = Survey.objects.select_for_update().filter(pk=pk).first()
    return (
        survey is not None
        and survey.closed_at is not None
        and survey.erasing_since is None
        and survey.versions.exists()
        and not Inbox.objects.filter(version__survey=survey).exists()
        and not Statement.objects.filter(survey=survey).exists()
    )


@dataclass
class _Sums:
    """What a statement is made of: how many receipts, the pieces of their list, and the hashes of versions' parts."""

    receipts: int = 0
    pieces: list[_Piece] = field(default_factory=list)
    parts: dict[str, list[bytes]] = field(default_factory=dict)

    def add_all(self, survey: Survey) -> Iterator[None]:
        """Read the survey's receipts and parts and add their hashes; yields after each piece or group of parts."""
        for piece in _read_pieces(survey):
            self.receipts += len(piece) // RECEIPT
            self.pieces.append(_sum_piece(piece))
            if len(self.pieces) % PROGRESS_EACH == 0:
                log.info("Of survey %s %s receipts are hashed; its statement follows.", survey.pk, self.receipts)
            yield
        for version in survey.versions.all():
            hashes = self.parts[version.sha256] = []
            if newest := version.snapshots.last():
                listed = snapshots.list_parts(newest)
                for start in range(0, len(listed), PARTS_AT_ONCE):
                    some = snapshots.parts_of(newest, listed[start : start + PARTS_AT_ONCE])
                    hashes.extend(bytes.fromhex(part.sha256) for part in some)
                    yield


def _begin(survey: Survey, sums: _Sums) -> Statement | None:
    """Write the statement and the last piece of its list; None where it shall not be published now."""
    salt = os.urandom(RECEIPT)
    with transaction.atomic():
        if not _is_settled(survey.pk):  # being erased, or another process was first
            return None
        survey.refresh_from_db(fields=["least"])
        # About fewer nothing is reported, and a list would tell how many; and, of some, how many answered directly.
        is_listed = sums.receipts >= survey.least and not any(
            disclosure.hides_a_group(last) and disclosure.is_enough(last)
            for last in disclosure.last_snapshots().filter(version__survey=survey).select_related("version__survey")
        )
        content = _statement_bytes(survey, sums, salt, is_listed)
        statement = Statement.objects.create(
            survey=survey, content=content, sha256=sha256(content).hexdigest(), salt=salt
        )
        if is_listed and sums.pieces:
            _add(survey, statement, len(sums.pieces) - 1, sums.pieces[-1])
    return statement


def _pieces_to_write(statement: Statement) -> list[tuple[int, _Piece]]:
    """The pieces of the list that are not written yet, with their numbers, the last one first."""
    first_written = statement.pieces.values_list("number", flat=True).first()
    if not first_written:  # there is no list, or it is whole
        return []
    listed = json.loads(bytes(statement.content))["receipts"]["pieces"][:first_written]
    pieces = [(bytes.fromhex(piece["first"]), bytes.fromhex(piece["root"])) for piece in listed]
    return list(enumerate(pieces))[::-1]


def _add(survey: Survey, statement: Statement, number: int, piece: _Piece) -> bool:
    """Write a piece of the list, unless it is there or all is being erased; ValueError if its receipts have changed."""
    receipts = next(_read_pieces(survey, piece[0]), b"")
    with transaction.atomic():
        if not Survey.objects.select_for_update().filter(pk=survey.pk, erasing_since=None):
            return False
        if not receipts or _sum_piece(receipts) != piece:
            raise ValueError(f"The receipts of survey {survey.pk} are not those that were hashed.")
        ReceiptPiece.objects.get_or_create(statement=statement, number=number, defaults={"receipts": receipts})
    if number and number % PROGRESS_EACH == 0:
        log.info("Of the list of receipts of survey %s %s pieces are still to be written.", survey.pk, number)
    return True


def _read_pieces(survey: Survey, first: bytes = b"") -> Iterator[bytes]:
    """Yield the survey's receipts, sorted, from the receipt `first` on, as joined bytes of at most PIECE receipts."""
    while receipts := used.receipts(survey.pk, first, PIECE + 1):
        yield b"".join(receipts[:PIECE])
        if len(receipts) <= PIECE:
            return
        first = receipts[PIECE]


def _sum_piece(piece: bytes) -> _Piece:
    """The first receipt of a piece, and the Merkle root over all receipts in it."""
    receipts = [piece[start : start + RECEIPT] for start in range(0, len(piece), RECEIPT)]
    return receipts[0], root(map(leaf, receipts))


def _statement_bytes(survey: Survey, sums: _Sums, salt: bytes, listed: bool) -> bytes:
    content = {
        "candor": 1,
        "survey": survey.slug,
        "receipts": _describe_receipts(sums) if listed else None,
        "versions": [
            {
                "number": version.number,
                "version": version.sha256,
                # The first leaf is the version's salt, which nobody knows.
                "parts": root(map(leaf, [_version_salt(salt, version.sha256), *sums.parts[version.sha256]])).hex(),
            }
            for version in survey.versions.all()
        ],
    }
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def _describe_receipts(sums: _Sums) -> dict[str, Any]:
    """The entry "receipts" of a statement: their count, the root of all, and each piece's root and first receipt."""
    listed = [{"first": first.hex(), "root": root.hex()} for first, root in sums.pieces]
    return {"count": sums.receipts, "root": root(root for _, root in sums.pieces).hex(), "pieces": listed}


def _version_salt(salt: bytes, version: str) -> bytes:
    return hmac.digest(salt, bytes.fromhex(version), "sha256")
