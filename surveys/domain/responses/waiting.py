"""What waits in the inbox, encrypted: nobody but the sealing job can open it, and no length or order tells of it."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import QuerySet

from privacy.records.packing import row_bytes
from surveys.definition import Definition
from surveys.domain.messages.submission import Stored
from surveys.domain.responses import boxes, sealing_keys
from surveys.models import Inbox, SurveyVersion

PIECE = 500  # rows; databases limit how many keys one command may name


@dataclass(frozen=True)
class Opened:
    rows: dict[bytes, Stored]
    lost: int  # how many more that no key of this host opens, or none of the rounds that were named
    left: bool  # whether more wait that it could open
    ended: bool  # and whether some of them under a round that has ended


def close(response: Stored, definition: Definition, version: str, key: bytes, public_keys: Iterable[bytes]) -> bytes:
    """Encrypt a response for its inbox row: the box is bound to the row's key and to the hash of the version.

    The undisguised answers are filled up with zero bytes to the size of the longest ones that the questions allow. So
    every box of a version has one length. Characters that must be escaped in JSON can make answers longer than that:
    these are filled up to the next multiple.
    """
    size = definition.open_size * ceil(len(response.open) / definition.open_size) if response.open else 0
    return boxes.close(response.record + response.open.ljust(size, b"\0"), list(public_keys), _context_of(version, key))


def add_waiting(version: SurveyVersion, responses: Iterable[Stored]) -> None:
    """Add responses to the inbox under new random keys; call it inside a transaction."""
    keyed = sorted((os.urandom(16), response) for response in responses)
    if not keyed:
        return
    recipients = sealing_keys.recipients_for_writing()
    for start in range(0, len(keyed), PIECE):
        Inbox.objects.bulk_create(
            Inbox(
                key=key,
                version=version,
                round_id=recipients.round,
                box=close(response, version.parsed, version.sha256, key, recipients.public_keys),
            )
            for key, response in keyed[start : start + PIECE]
        )


def open_waiting(
    version: SurveyVersion,
    before: Mapping[bytes, Stored] = {},
    rounds: Collection[bytes] | None = None,
    some: int | None = None,
) -> Opened:
    """Open the responses that wait; if `rounds` are named, only those under them.

    Where more than twice `some` wait, only so many are opened: those of rounds that have ended before those that have
    come since, and of each the first by their keys. Keys are random, so these are drawn by lot. What was opened
    `before` is not opened again. ValueError if a box is not the one that was put there.
    """
    held = sealing_keys.private_keys()
    private_keys = held if rounds is None else {name: keys for name, keys in held.items() if name in rounds}
    waits = version.inbox.filter(round__in=private_keys).order_by("key")
    left = ended = False
    if some is None or waits.count() <= 2 * some:
        keys = _list_keys(waits)
    else:
        keys = _list_keys(waits.filter(round__current=False)[: some + 1])
        left, ended = True, len(keys) > some
        del keys[some:]
        keys += _list_keys(waits.filter(round__current=True)[: some - len(keys)])
    rows = {key: before[key] for key in keys if key in before}
    new = [key for key in keys if key not in before]
    length = row_bytes(version.design)
    with boxes.openers(len(new), private_keys) as open_pieces:
        for key, content in open_pieces(_boxes_in_pieces(version, new)):
            rows[key] = Stored(content[:length], content[length:].rstrip(b"\0"))
    return Opened(rows, version.inbox.exclude(round__in=private_keys).count(), left, ended)


def remove(keys: Iterable[bytes]) -> None:
    keys = list(keys)
    for start in range(0, len(keys), PIECE):
        Inbox.objects.filter(key__in=keys[start : start + PIECE]).delete()


def _list_keys(rows: QuerySet[Inbox]) -> list[bytes]:
    return list(map(bytes, rows.values_list("key", flat=True)))


def _boxes_in_pieces(version: SurveyVersion, keys: Sequence[bytes]) -> Iterator[list[boxes.Waiting]]:
    for start in range(0, len(keys), PIECE):
        some = Inbox.objects.filter(key__in=keys[start : start + PIECE]).values_list("key", "round", "box")
        yield [
            (bytes(key), bytes(round_key), bytes(box), _context_of(version.sha256, bytes(key)))
            for key, round_key, box in some
        ]


def _context_of(version: str, key: bytes) -> bytes:
    return b"candor waiting" + bytes.fromhex(version) + key
