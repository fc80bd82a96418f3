"""The keys to which waiting responses are encrypted, and their destruction.

A host that may seal has a *ready* key; a *round* takes one of every such host, and each sealing of all begins a new
round (docs/decisions/0018-waiting-responses-are-encrypted.md, with the marks that keep keys of others out).

No step loses anything if the process dies after it:
1. The private half is on the disk, file and folder, before the public half is written to the database as ready. A file
   whose public half was never written belongs to nothing.
2. One transaction ends a round and begins the next. A command that stores a response asks whether its round is still
   the current one, and holds a lock on it (surveys.domain.responses.receive).
3. Responses are encrypted again in the transaction that deletes their older rows (surveys.domain.responses.seal).
4. A private half is overwritten only once its round has ended and no row refers to it: both are then true for ever. The
   file full of zeros tells the next process that the rest is to be done: the public half goes, then the file.

A host that stops getting a key ready falls out of the next round by itself, and one that comes begins a round at once.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import Q, QuerySet

from surveys.domain.database import locks, wrapping
from surveys.models import Inbox, SealingKey, SealingRound

log = logging.getLogger(__name__)

PLACE = "sealing key"
HOUR, WEEK = 3600, 7 * 24 * 3600  # seconds; a mark holds in the one before and after its own, too: clocks may differ
_DESTROYED = bytes(32)
_DURABLE = "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'"


@dataclass(frozen=True)
class Recipients:
    """Whom a response is encrypted to: the key of the round, and the public keys in it."""

    round: bytes
    public_keys: tuple[bytes, ...]


class NoKeyError(OperationalError):
    """Nothing can be encrypted now; devices are asked to try again, as with a busy database."""


def recipients() -> Recipients:
    """The public keys of the current round; NoKeyError if there is none that this machine accepts."""
    keys = list(_keys_with_mark(SealingKey.objects.filter(round__current=True)))
    if not keys:
        raise NoKeyError("No sealing key is ready.")
    return Recipients(bytes(keys[0].round_id or b""), tuple(bytes(key.public) for key in keys))


def recipients_for_writing() -> Recipients:
    """The public keys of the current round, which stays locked until the transaction ends."""
    SealingRound.objects.select_for_update(no_key=True).filter(current=True).first()
    return recipients()


def prepare() -> None:
    """Have a key ready, and a current round that this host can open. Called at the start and every few seconds.

    Where the site has stood still for weeks, as before an upgrade, its own mark is too old, and nothing is wrong.
    """
    _have_one_ready()
    if not any(map(_is_marked, SealingKey.objects.filter(round__current=True, public__in=list(_private_halves())))):
        renew()


def renew() -> None:
    """End the current round, and begin one with every key that is ready."""
    _have_one_ready()
    with transaction.atomic():
        SealingRound.objects.select_for_update(no_key=True).filter(current=True).first()  # waits for nobody who sends
        ready = list(_keys_with_mark(SealingKey.objects.select_for_update().filter(round=None)))
        if not ready:
            return  # another host has begun a round meanwhile
        SealingRound.objects.filter(current=True).update(current=False)
        begun = SealingRound.objects.create(key=os.urandom(16))
        as_before = any(map(_is_marked_as_before, ready))  # a host of the version before knows no other mark
        for key in ready:
            key.round = begun
            key.mark = wrapping.mark(bytes(key.public) if as_before else _content_to_mark(key), PLACE)
            key.save(update_fields=["round", "mark"])
    _have_one_ready()


def private_keys() -> dict[bytes, list[X25519PrivateKey]]:
    """The private keys that this host holds, by the round they belong to."""
    held, rounds = _private_halves(), dict[bytes, list[X25519PrivateKey]]()
    used = SealingKey.objects.filter(public__in=list(held)).exclude(round=None)
    for public, round_key in used.values_list("public", "round"):
        rounds.setdefault(bytes(round_key), []).append(X25519PrivateKey.from_private_bytes(held[bytes(public)]))
    return rounds


def destroy() -> None:
    """Destroy the keys of this host that no response needs any more, once the transaction around this is durable."""
    transaction.on_commit(_destroy_unneeded)


def count_lost() -> int:
    """Note which rounds no key of this host opens, and count the responses that wait under them."""
    held = list(private_keys())
    SealingRound.objects.filter(lost=True, key__in=held).update(lost=False)
    SealingRound.objects.filter(lost=False).exclude(key__in=held).update(lost=True)
    return Inbox.objects.filter(round__lost=True).count()


def is_only_host() -> bool:
    """Whether no other host that seals was there at the last two sealings; another may open what this one cannot."""
    there = SealingKey.objects.filter(Q(round=None) | Q(round__current=True))
    return {bytes(key.public) for key in _keys_with_mark(there)} <= _private_halves().keys()


def unknown() -> list[bytes]:
    """The public halves of keys that lie here and that this database does not know, as after an older one came back.

    They are not destroyed by themselves: perhaps the newer database comes back.
    """
    known = set(map(bytes, SealingKey.objects.values_list("public", flat=True)))
    return sorted(_private_halves().keys() - known)


def give_up() -> None:
    """Forget the keys of hosts that are gone, where no response needs them, and destroy unknown keys."""
    ended = SealingRound.objects.filter(current=False).exclude(key__in=Inbox.objects.values("round"))
    held = list(_private_halves())
    SealingKey.objects.filter(round__in=ended).exclude(public__in=held).delete()
    SealingKey.objects.filter(round=None).exclude(public__in=held).delete()
    for public in unknown():
        _overwrite_with_zeros(_file(public))
        _file(public).unlink()
    destroy()


def make_pair() -> bytes:
    """Draw a pair and keep its private half in a file, which is on the disk when this returns the public half."""
    private = X25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    new = _file(public).with_suffix(".new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, private.private_bytes_raw())
        os.fsync(file)
    finally:
        os.close(file)
    new.rename(_file(public))
    locks.keep_names(_folder())
    locks.keep_names(_folder().parent)
    return public


def _have_one_ready() -> None:
    """Have a key ready that is less than an hour old; move older ones to an ended round, to be destroyed."""
    ready = SealingKey.objects.filter(round=None, public__in=list(_private_halves()))
    older = [key.public for key in ready if not wrapping.is_marked(_content_to_mark(key), bytes(key.mark), PLACE)]
    if len(older) == len(ready):
        key = SealingKey(public=make_pair())
        SealingKey.objects.create(public=key.public, mark=wrapping.mark(_content_to_mark(key), PLACE))
    if older:
        with transaction.atomic():
            ended = SealingRound.objects.create(key=os.urandom(16), current=False)
            SealingKey.objects.filter(round=None, public__in=older).update(round=ended)  # unless another has taken it


def _keys_with_mark(keys: QuerySet[SealingKey]) -> Iterator[SealingKey]:
    """Yield those keys that a host with SECRET_KEY has written lately; others would let a stranger read what waits."""
    for key in keys:
        if _is_marked(key):
            yield key
        else:
            log.error("The sealing key %s is not used: it is old, or was not written with SECRET_KEY.", key)


def _is_marked(key: SealingKey) -> bool:
    contents = [_content_to_mark(key, later) for later in (0, -1, 1)]
    return any(wrapping.is_marked(content, bytes(key.mark), PLACE) for content in contents) or _is_marked_as_before(key)


def _content_to_mark(key: SealingKey, later: int = 0) -> bytes:
    """The bytes that a mark is over: the key, its round if it has one, and the hour or week, `later` periods on."""
    period = int(time()) // (HOUR if key.round_id is None else WEEK) + later
    return bytes(key.public) + bytes(key.round_id or b"") + period.to_bytes(8, "big")


def _is_marked_as_before(key: SealingKey) -> bool:
    """Accept a mark of the previous version, which may seal beside this one during an upgrade."""
    return wrapping.is_marked(bytes(key.public), bytes(key.mark), PLACE)


def _destroy_unneeded() -> None:
    """Destroy the key files of this host that no response needs, and ended rounds left without keys or responses."""
    for public in _files():
        key = SealingKey.objects.filter(public=public).first()
        if key is not None and _is_needed(key):
            continue
        with suppress(FileNotFoundError):  # another process has just destroyed it, with its public half
            if key is not None:
                _overwrite_with_zeros(_file(public))
                key.delete()
            elif _file(public).read_bytes() != _DESTROYED:
                continue  # of another database, or of another state of this one
            _file(public).unlink()
    SealingRound.objects.filter(current=False, keys=None).exclude(key__in=Inbox.objects.values("round")).delete()


def _is_needed(key: SealingKey) -> bool:
    """Whether a response needs this key, or may come to need it. A key that is not needed never is again."""
    if key.round_id is None:
        return True
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_DURABLE)  # with this transaction all that were committed before it
        ended = SealingRound.objects.select_for_update().filter(pk=key.round_id, current=False).first()
        return ended is None or Inbox.objects.filter(round=ended).exists()


def _private_halves() -> dict[bytes, bytes]:
    """The private halves that lie on this host, by their public halves."""
    held = {}
    for public in _files():
        with suppress(FileNotFoundError):  # another process has just destroyed it
            held[public] = _file(public).read_bytes()
    whole = {public: private for public, private in held.items() if private != _DESTROYED and len(private) == 32}
    for public in held.keys() - whole.keys():
        if held[public] != _DESTROYED:
            log.error("The file %s is not a key: what was encrypted to it cannot be opened by this host.", public.hex())
    return whole


def _files() -> Iterator[bytes]:
    for path in sorted(_folder().glob("[0-9a-f]" * 64)):
        yield bytes.fromhex(path.name)


def _overwrite_with_zeros(path: Path) -> None:
    """Overwrite a key. Copies that a journal, file system or SSD keeps are out of reach (docs/storage.md)."""
    file = os.open(path, os.O_WRONLY)
    try:
        os.pwrite(file, _DESTROYED, 0)
        os.fsync(file)
    finally:
        os.close(file)


def _file(public: bytes) -> Path:
    return _folder() / public.hex()


def _folder() -> Path:
    return Path(settings.CANDOR_DATA) / "sealing_keys"
