"""The statement of a closed survey: a hash over all its receipts and one over its sealed parts, for everybody to read.

Nothing of it exists while the survey collects, because a list that grows by one tells on somebody. It comes once the
survey is closed for good and the last response of its last version is sealed. A submission key is known by its survey
and not by its version (docs/decisions/0022), so the receipts of replaced versions are part of the same list.

A receipt is 16 bytes of a hash of the submission key and 16 bytes of a hash of that key with what was stored. Without
the key, which the device alone had, it leads to no record; and the list is sorted, so it has no order of arrival.
"""

from __future__ import annotations

import hmac
import json
import logging
import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

from django.db import transaction

from surveys.domain.closed import merkle
from surveys.domain.database import used
from surveys.domain.responses import snapshots
from surveys.models import Inbox, ReceiptPiece, Statement, Survey, SurveyVersion

log = logging.getLogger(__name__)

# Receipts in a piece, a power of two: half a MiB, which a phone hashes in some seconds. Who asks for a piece tells that
# theirs is one of so many; most surveys have a single piece, and who asks for that tells nothing.
PIECE = 16_384
RECEIPT = 32  # bytes


def state_all() -> None:
    """Publish the statement of every survey that has closed for good and is sealed to the last response."""
    closed = Survey.objects.filter(closed_at__isnull=False, erasing_since=None, statement=None)
    for survey in closed.exclude(pk__in=Inbox.objects.values("version__survey")):
        state(survey)


def state(survey: Survey) -> Statement | None:
    """Publish the statement of a survey; None if it is not sealed yet.

    Once it is settled nothing changes any more, so hashing a million receipts keeps no writer waiting; only what is
    looked at before and written after is done under the survey's lock.
    """
    with transaction.atomic():
        if not _is_settled(survey.pk):
            return None
    salt = os.urandom(RECEIPT)
    pieces = list(_pieces(survey))
    is_listed = _count(pieces) >= survey.least  # about fewer nothing is reported, and this would tell how many they are
    content = _content(survey, pieces, salt, is_listed)
    with transaction.atomic():
        if not _is_settled(survey.pk):  # being erased, or another process was first
            return None
        statement = Statement.objects.create(
            survey=survey, content=content, sha256=sha256(content).hexdigest(), salt=salt
        )
        if is_listed:
            for number, receipts in enumerate(pieces):
                ReceiptPiece.objects.create(statement=statement, number=number, receipts=receipts)
    log.info("The statement of survey %s is published.", survey.pk)
    return statement


def agrees(statement: Statement) -> bool:
    """Whether the database still holds the receipts and the parts that the statement was made of."""
    content, pieces = bytes(statement.content), list(_pieces(statement.survey))
    is_listed = json.loads(content)["receipts"] is not None
    kept = [bytes(receipts) for receipts in statement.pieces.values_list("receipts", flat=True)]
    return (
        sha256(content).hexdigest() == statement.sha256
        and content == _content(statement.survey, pieces, bytes(statement.salt), is_listed)
        and kept == (pieces if is_listed else [])
    )


def salts(statement: Statement) -> dict[str, str]:
    """The salt of each version, by its hash: with it, who has the parts of a version can make their root again."""
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


def _pieces(survey: Survey) -> Iterator[bytes]:
    """The receipts of a survey, sorted, in pieces."""
    receipts = used.receipts(survey.pk)
    while piece := b"".join(islice(receipts, PIECE)):
        yield piece


def _content(survey: Survey, pieces: list[bytes], salt: bytes, listed: bool) -> bytes:
    content = {
        "candor": 1,
        "survey": survey.slug,
        "receipts": _receipts(pieces) if listed else None,
        "versions": [
            {"number": version.number, "version": version.sha256, "parts": _parts_root(version, salt).hex()}
            for version in survey.versions.all()
        ],
    }
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def _receipts(pieces: list[bytes]) -> dict[str, Any]:
    """The root of all receipts, and for each piece its root and the receipt it begins with."""
    roots = [merkle.root(merkle.leaf(receipt) for receipt in _split(piece)) for piece in pieces]
    listed = [{"first": piece[:RECEIPT].hex(), "root": root.hex()} for piece, root in zip(pieces, roots, strict=True)]
    return {"count": _count(pieces), "root": merkle.root(roots).hex(), "pieces": listed}


def _count(pieces: list[bytes]) -> int:
    return sum(map(len, pieces)) // RECEIPT


def _split(piece: bytes) -> Iterator[bytes]:
    return (piece[start : start + RECEIPT] for start in range(0, len(piece), RECEIPT))


def _parts_root(version: SurveyVersion, salt: bytes) -> bytes:
    """The root over the hashes of a version's sealed parts, after the version's salt as the first leaf.

    The hash of a part alone would tell what stands in it to whoever tries all that could: of a few people who were
    asked one question that is soon done. Nobody knows the first leaf, so nobody can try.
    """
    newest = version.snapshots.last()
    hashes = [bytes.fromhex(part.sha256) for part in snapshots.parts(newest)] if newest else []
    return merkle.root(map(merkle.leaf, [_version_salt(salt, version.sha256), *hashes]))


def _version_salt(salt: bytes, version: str) -> bytes:
    return hmac.digest(salt, bytes.fromhex(version), "sha256")
