"""Copies of groups on a worker's disk, so that they are read and packed once: bit columns, encrypted.

All copies of a version are under one key, which lies in the database, wrapped under SECRET_KEY. Erasing a survey
destroys it: from then on no copy can be read, not even on a worker that is away. Copies without a key, and those that
have no room any more, are removed every minute from each worker that runs. Only parts that no sealing changes are
copied: an older state of a part beside a newer one would tell in which round a response came.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import transaction

from mining.engines.bits import BitCounter, Chunk
from mining.engines.literals import Literals
from mining.engines.wire import from_bytes, to_bytes
from surveys.domain.database.wrapping import UnknownSecretKeyError, unwrap, wrap
from surveys.models import CopyKey, SurveyVersion

_NONCE = 12  # bytes
_UNFINISHED = ".new"
_LONGEST = 600  # seconds; a copy that is written for so long belongs to a process that was killed
_FOR_OTHERS = 512 << 20  # bytes of the disk that copies leave free


@dataclass(frozen=True)
class Copies:
    """The copies of one version's groups on this machine."""

    folder: Path
    key: bytes

    def names(self) -> frozenset[str]:
        return frozenset(path.name for path in self.folder.glob("[0-9a-f]" * 32))

    def read(self, name: str, literals: Literals) -> BitCounter | None:
        """The columns of a group; None where there is no copy. What cannot be read is none."""
        path = self.folder / name
        try:
            content = path.read_bytes()
            columns = AESGCM(self.key).decrypt(content[:_NONCE], memoryview(content)[_NONCE:], name.encode())
        except FileNotFoundError:
            return None
        except (InvalidTag, ValueError, OSError):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # what was used last stays longest
        sizes, disguised, words = from_bytes(columns)
        return BitCounter(literals, sizes, [Chunk(*chunk) for chunk in zip(words, disguised, strict=True)])

    def write(self, name: str, counter: BitCounter) -> None:
        """Keep a copy, whole or not at all. Where the disk has no room for it, none is kept."""
        columns = written(counter)
        nonce = os.urandom(_NONCE)
        unfinished = self.folder / f"{name}{os.getpid()}{_UNFINISHED}"
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _spare() < 0:
                return
            try:
                file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(file, "wb") as copy:
                    copy.write(nonce)
                    copy.write(AESGCM(self.key).encrypt(nonce, columns, name.encode()))
                unfinished.rename(self.folder / name)
            finally:
                unfinished.unlink(missing_ok=True)


def written(counter: BitCounter) -> bytes:
    """What a copy of these columns holds."""
    chunks = counter.chunks
    return to_bytes([counter.sizes, [chunk.disguised for chunk in chunks], [chunk.words for chunk in chunks]])


def copies_of(version: SurveyVersion) -> Copies:
    """Those of a version; its key is drawn when it is first asked for."""
    kept = CopyKey.objects.filter(version=version).first()
    with suppress(UnknownSecretKeyError):
        if kept is not None:
            return Copies(_folder() / kept.name, unwrap(bytes(kept.key), _place(version)))
    with transaction.atomic():  # no key yet, or one of an earlier SECRET_KEY, whose copies nobody needs
        CopyKey.objects.filter(version=version, name=kept.name if kept else "").delete()
        drawn = {"name": os.urandom(16).hex(), "key": wrap(AESGCM.generate_key(256), _place(version))}
        kept, _ = CopyKey.objects.get_or_create(version=version, defaults=drawn)
    return Copies(_folder() / kept.name, unwrap(bytes(kept.key), _place(version)))


def copies_here(version: SurveyVersion) -> Copies | None:
    """The same, unless this machine keeps none."""
    return copies_of(version) if settings.MINING_COPIES_MIB else None


def tidy() -> None:
    """Remove the copies on this machine whose key is gone, and those that were never finished.

    Also the ones used longest ago beyond MINING_COPIES_MIB, or as far as the disk has no room left for others.
    """
    folders = [path for path in _folder().glob("*") if path.is_dir()]
    known = set(CopyKey.objects.filter(name__in=[path.name for path in folders]).values_list("name", flat=True))
    for folder in folders:
        if folder.name not in known:
            shutil.rmtree(folder, ignore_errors=True)
    for path in _folder().glob(f"*/*{_UNFINISHED}"):
        with suppress(FileNotFoundError):  # it was renamed meanwhile
            if path.stat().st_mtime < time() - _LONGEST:
                path.unlink()
    kept = _newest_first()
    room = min(_room(), sum(size for _, size in kept) + _spare()) if kept else 0
    for path, size in kept:
        room -= size
        if room < 0:
            path.unlink(missing_ok=True)


def _room() -> int:
    return int(settings.MINING_COPIES_MIB) << 20


def _spare() -> int:
    """The bytes of the disk that copies may still take. Below zero they take what the database beside them may need."""
    return shutil.disk_usage(_folder()).free - _FOR_OTHERS


def _newest_first() -> list[tuple[Path, int]]:
    copies = []
    for path in _folder().glob("*/*"):
        with suppress(FileNotFoundError):  # it was renamed meanwhile, or removed
            about = path.stat()
            copies.append((about.st_mtime, path, about.st_size))
    return [(path, size) for _, path, size in sorted(copies, reverse=True)]


def _folder() -> Path:
    return Path(settings.CANDOR_DATA) / "copies"


def _place(version: SurveyVersion) -> str:
    return f"copies of version {version.pk}"
