"""A backup: one file with the whole database, except what no backup may tell or could bring back.

Left out are the responses that wait, with the keys they are encrypted to: the private halves are destroyed within
minutes, so a restored database could not open them, and without them a backup holds no order of arrival. Sign-ins are
left out, too, and when the last backup was made, and counts for quotas, which include those that wait and are made
again. So are the keys of copies of parts, which machines of an earlier version may still draw while one after the other
is upgraded: they would open copies of what came after the backup, also once the survey is erased.

PostgreSQL's pg_dump writes rows as they lie, which for tables that grow with each visitor is the order in which they
came; these are copied apart, in the order of their random keys, as sealing rewrites them
(surveys.domain.database.scrub). SQLite keeps them in that order anyway.

The file is a tar: `about.json` first, which names every other member with its SHA-256, then the database. A mark under
SECRET_KEY is of all that `about.json` says: who may write where backups lie cannot change one unseen.
"""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import IO, Any

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from config.models import Backup
from config.run import last_backup, state
from surveys.domain.database import damage, locks, wrapping
from surveys.models import NO_ORDER, CopyKey, Inbox, QuotaCount, Residue, SealingKey, SealingRound

FORMAT = 1
PLACE = "backup"
LEFT_OUT = tuple(
    model._meta.db_table for model in (Inbox, QuotaCount, SealingKey, SealingRound, Residue, CopyKey, Session, Backup)
)
NOBODYS = ("--no-owner", "--no-privileges")
SORTED = tuple((model._meta.db_table, model._meta.pk.column) for model in NO_ORDER if model is not Inbox)
MEMBERS = {"database", *(table for table, _ in SORTED)}
PIECE = 1 << 20
LONGEST = 12 * 3600  # seconds for one program; a backup that was begun before is not being made any more
# For a lock, of this connection or of pg_dump. A sealing that rewrites a large table holds it for a minute; a
# migration that waits for the backup's lock would keep pg_dump from the same table.
LONGEST_WAIT = "10min"


class BackupError(Exception):
    """A backup that cannot be made or restored; the sentence says why."""


@dataclass(frozen=True)
class Restored:
    """What a backup brought back: its day, and whether this site's SECRET_KEY is the one it was made under.

    `is_marked`: the mark of that key shows that it is as it was written; earlier versions wrote none.
    """

    day: str
    same_secret: bool
    is_marked: bool


def back_up(path: Path) -> None:
    """Write the backup, whole or not at all, and note that it was made; a file that is there already stays."""
    if path.exists():
        raise BackupError(f"{path} is there already: name a new file.")
    if half := damage.failure():
        raise BackupError(half)
    try:
        if not state.has_all_tables():
            raise BackupError(
                "The tables of this database are from another version of Candor: back it up with that version, or "
                "start this one first to update them."
            )
        # SQLite's copy holds what waits until that is deleted from it, and so is made where the database itself lies.
        postgresql = connection.vendor == "postgresql"
        made_in = path.parent if postgresql else _sqlite_file().parent
        with _folder(made_in, "backup") as made, _folder(path.parent, "backup") as folder:
            members = _copy_from_postgresql(made) if postgresql else _copy_from_sqlite(made)
            about: dict[str, Any] = {
                "candor_backup": FORMAT,
                "database": connection.vendor,
                "day": timezone.now().date().isoformat(),
                "secret": wrapping.mark(PLACE.encode(), PLACE).hex(),
                "files": {member.name: _sha256(member) for member in members},
            }
            about["mark"] = wrapping.mark(_content_to_mark(about), PLACE).hex()
            whole = folder / "whole"
            with tarfile.open(whole, "w") as tar:
                _add(tar, "about.json", json.dumps(about).encode())
                for member in members:
                    tar.add(member, member.name, filter=_without_owner)
            with whole.open("rb+") as file:
                os.fsync(file.fileno())
            whole.chmod(0o600)
            os.link(whole, path)  # unlike a renaming, this takes no file away that somebody made meanwhile
            locks.keep_names(path.parent)
    except FileExistsError:
        raise BackupError(f"{path} is there already: name a new file.") from None
    except OSError as error:
        raise BackupError(f"{path} cannot be written ({error.strerror}).") from None
    except DatabaseError as error:
        raise BackupError(f"{path} was not written: {_first_line(error)}") from None
    try:
        last_backup.note()
    except DatabaseError as error:
        raise BackupError(f"{path} is written, but this could not be recorded: {_first_line(error)}") from None


def restore(path: Path) -> Restored:
    """Bring a backup back into an empty database; nothing is written before all of the file is found to be sound.

    It is unpacked where SQLite's file is to lie, so that this is moved there and needs not be copied.
    """
    try:
        postgresql = connection.vendor == "postgresql"
        with _folder(Path(settings.CANDOR_DATA) if postgresql else _sqlite_file().parent, "restore") as folder:
            about = _unpack(path, folder)
            if about["database"] != connection.vendor:
                raise BackupError(f"{path} is of {about['database']}, and this site's database is {connection.vendor}.")
            if set(connection.introspection.table_names()) - {damage.MARK}:
                raise BackupError(
                    damage.failure()
                    or f"The database {settings.DATABASES['default']['NAME']} is not empty: restore into an empty "
                    "database."
                )
            restored = _check_marks(path, about)
            (_to_postgresql if postgresql else _to_sqlite)(folder)
    except OSError as error:
        raise BackupError(f"{path} cannot be restored ({error.strerror}).") from None
    except DatabaseError as error:
        raise BackupError(f"{path} was not restored: {_first_line(error)}") from None
    return restored


def _check_marks(path: Path, about: dict[str, Any]) -> Restored:
    """What to say of the backup, from its marks; BackupError if it was changed since it was made under this key."""
    same_secret = wrapping.is_marked(PLACE.encode(), bytes.fromhex(about["secret"]), PLACE)
    is_marked = wrapping.is_marked(_content_to_mark(about), bytes.fromhex(about.get("mark", "")), PLACE)
    if same_secret and "mark" in about and not is_marked:
        raise BackupError(f"{path} was changed: it claims to be made under this SECRET_KEY but lacks its signature.")
    return Restored(about["day"], same_secret, is_marked)


def _content_to_mark(about: dict[str, Any]) -> bytes:
    return json.dumps({name: said for name, said in about.items() if name != "mark"}, sort_keys=True).encode()


@contextmanager
def _folder(place: Path, purpose: str) -> Iterator[Path]:
    """A temporary folder that only its owner can enter; such folders that a power cut left are removed."""
    for left in place.glob(".candor-*-*"):
        with suppress(FileNotFoundError):
            if left.stat().st_mtime < time() - LONGEST:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=place, prefix=f".candor-{purpose}-") as name:
        yield Path(name)


def _copy_from_sqlite(folder: Path) -> list[Path]:
    copy = folder / "database"
    with closing(sqlite3.connect(f"file:{_sqlite_file()}?mode=ro", uri=True)) as source:
        source.execute("VACUUM INTO ?", (str(copy),))
    with closing(sqlite3.connect(copy, isolation_level=None)) as database:
        for table in LEFT_OUT:
            database.execute(f"DELETE FROM {table}")
        database.execute("VACUUM")  # free pages would still hold them
    return [copy]


def _to_sqlite(folder: Path) -> None:
    connection.close()
    for beside in ("-wal", "-shm"):  # of the empty database
        Path(f"{_sqlite_file()}{beside}").unlink(missing_ok=True)
    database = folder / "database"
    database.chmod(0o600)
    with database.open("rb+") as file:
        os.fsync(file.fileno())
    database.replace(_sqlite_file())
    locks.keep_names(_sqlite_file().parent)


def _sqlite_file() -> Path:
    return Path(settings.DATABASES["default"]["NAME"])


def _copy_from_postgresql(folder: Path) -> list[Path]:
    """The dump of pg_dump and sorted copies of some tables, all of one snapshot, so that they are of the same moment.

    The tables that are copied apart are locked before it is taken, and until the end. A snapshot reads a table as empty
    that is emptied by TRUNCATE after it, without an error, and so the removal of traces rewrites these tables. Where
    that has begun, this waits; nobody who reads or writes waits behind it.
    """
    dump = folder / "database"
    apart = [*LEFT_OUT, *(table for table, _ in SORTED)]
    with connection.wrap_database_errors, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute(f"SET LOCAL lock_timeout = '{LONGEST_WAIT}'")
        cursor.execute(f"LOCK TABLE {', '.join(table for table, _ in SORTED)} IN ACCESS SHARE MODE")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        excluded = [f"--exclude-table-data={table}" for table in apart]
        options = ("--format=custom", f"--lock-wait-timeout={LONGEST_WAIT}", f"--snapshot={snapshot}", f"--file={dump}")
        _run_program("pg_dump", *NOBODYS, *options, *excluded)
        copies = []
        for table, key in SORTED:
            copies.append(folder / table)
            in_order = f"COPY (SELECT * FROM {table} ORDER BY {key}) TO STDOUT"
            with copies[-1].open("wb") as file, cursor.copy(in_order) as rows:
                file.writelines(rows)
    return [dump, *copies]


def _to_postgresql(folder: Path) -> None:
    damage.begin()
    _run_program("pg_restore", *NOBODYS, "--single-transaction", "--exit-on-error", str(folder / "database"))
    with connection.wrap_database_errors, transaction.atomic(), connection.cursor() as cursor:
        for table, _ in SORTED:
            if not (folder / table).exists():  # a table that is younger than the backup
                continue
            with (folder / table).open("rb") as file, cursor.copy(f"COPY {table} FROM STDIN") as rows:
                while piece := file.read(PIECE):
                    rows.write(piece)
        damage.end()


def _run_program(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on this site's database. The password is in no list of processes."""
    from psycopg.conninfo import make_conninfo  # there where the database is PostgreSQL

    database = settings.DATABASES["default"]
    named = {"dbname": "NAME", "user": "USER", "host": "HOST", "port": "PORT"}
    where = {parameter: database[entry] for parameter, entry in named.items() if database.get(entry)}
    where |= {option: value for option, value in database["OPTIONS"].items() if isinstance(value, str)}
    password = {"PGPASSWORD": database["PASSWORD"]} if database.get("PASSWORD") else {}
    command = [program, f"--dbname={make_conninfo(**where)}", *arguments]
    try:
        done = subprocess.run(
            command, env=os.environ | password, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        raise BackupError(f"{program} took longer than {LONGEST / 3600:g} hours and was stopped.") from None
    except FileNotFoundError:
        raise BackupError(
            f"{program} is not on the PATH: install PostgreSQL's client, of the server's version or a newer one."
        ) from None
    if done.returncode:
        raise BackupError(f"{program} did not succeed: {' '.join(done.stderr.split())}")


def _first_line(error: DatabaseError) -> str:
    """What PostgreSQL says first; further lines may show rows."""
    return str(error).partition("\n")[0]


def _unpack(path: Path, folder: Path) -> dict[str, Any]:
    """Unpack the backup into the folder, check the hash of each file, and return what `about.json` says."""
    if not path.is_file():
        raise BackupError(f"There is not a file {path}.")
    try:
        with tarfile.open(path) as tar:
            about = json.loads(_member(tar, "about.json").read())
            if about["candor_backup"] != FORMAT:
                raise BackupError(f"{path} is of format {about['candor_backup']}, and this version reads {FORMAT}.")
            for name, sha256 in about["files"].items():
                if name not in MEMBERS:
                    raise ValueError(f"a file {name}")
                with _member(tar, name) as source, (folder / name).open("xb") as written:
                    shutil.copyfileobj(source, written, PIECE)
                if _sha256(folder / name) != sha256:
                    raise BackupError(f"{path} is damaged: {name} in it has changed.")
    except (tarfile.TarError, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise BackupError(f"{path} is not a complete backup of Candor ({error}).") from None
    return dict(about)


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    member = tar.extractfile(name)
    if member is None:
        raise ValueError(f"{name} is not a file")
    return member


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    tar.addfile(member, io.BytesIO(content))


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
