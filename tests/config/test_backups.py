"""A backup brings everything back that may come back, and tells nothing that waits and no order of arrival."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from config.models import Backup
from config.run import backups, last_backup
from tests.cases import every
from tests.clocks import set_now
from tests.servers import PATIENCE, ROOT, Prepared, empty_database, outside, run_python, wait_until

Started = tuple[Path, str]

WAITING, SIGNED_IN = b"canary-of-a-response-that-waits", "canary-of-a-session"
COPIED = b"canary-of-the-key-of-copies"


def manage(data: Path, *words: str, **environment: str) -> str:
    status, said = run_manage(data, "manage.py", *words, **environment)
    assert status == 0, said
    return said


def run_manage(data: Path, *words: str, **environment: str) -> tuple[int, str]:
    """With which status the program ended, and what it said."""
    done = run_python(*words, **{"CANDOR_DATA": str(data), "DEMO": "0"} | environment)
    return done.returncode, done.stdout + done.stderr


def contents(data: Path) -> dict[str, list[Any]]:
    """Every row of every table, in an order of their own."""
    with closing(sqlite3.connect(data / "candor.sqlite3")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in tables}


def use(data: Path) -> Path:
    """The data folder of a site with demos, in which somebody has signed in, and a response waits.

    A worker of a version before has drawn the key of its copies meanwhile.
    """
    with closing(sqlite3.connect(data / "candor.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO surveys_inbox (key, version_id, round_id, box) "
            "SELECT x'0102', v.id, r.key, ? FROM surveys_surveyversion v, surveys_sealinground r LIMIT 1",
            (WAITING,),
        )
        database.execute("DELETE FROM surveys_copykey")
        database.execute(
            "INSERT INTO surveys_copykey (name, version_id, key) SELECT 'x', id, ? FROM surveys_surveyversion LIMIT 1",
            (COPIED,),
        )
        database.execute("INSERT INTO django_session VALUES (?, 'x', '2030-01-01')", (SIGNED_IN,))
    return data


def member(tar: tarfile.TarFile, name: str) -> bytes:
    file = tar.extractfile(name)
    assert file is not None
    return file.read()


@pytest.fixture
def site_folder(prepared: Prepared, tmp_path: Path) -> Path:
    """Such a folder of the test."""
    return use(prepared.copied(tmp_path / "used"))


@pytest.fixture(scope="module")
def used(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Such a folder that no test changes."""
    return use(prepared.copied(tmp_path_factory.mktemp("backed_up") / "used"))


@pytest.fixture(scope="module")
def before(used: Path) -> dict[str, list[Any]]:
    """What is in it before its backup is made."""
    return contents(used)


@pytest.fixture(scope="module")
def backed_up(used: Path, before: dict[str, list[Any]]) -> Path:
    """The folder that holds it, `used`, and its `backup`, of which a test changes neither."""
    manage(used, "backup", str(used.parent / "backup"))
    return used.parent


def test_what_a_backup_holds_comes_back_as_it_was(
    used: Path, before: dict[str, list[Any]], backed_up: Path, tmp_path: Path
) -> None:
    """Every table row by row, into an empty folder; but for what is left out."""
    copy, back = backed_up / "backup", tmp_path / "back"
    (noted,) = contents(used)["site_backup"]
    assert contents(used) == before | {"site_backup": [noted]}
    said = manage(back, "restore", str(copy), SECRET_KEY_FILE=str(used / "secret_key"))
    assert contents(back) == {table: [] if table in backups.LEFT_OUT else rows for table, rows in before.items()}
    assert ("is restored" in said, "SECRET_KEY" in said) == (True, False)
    assert not list(used.glob(".candor-*"))
    assert (copy.stat().st_mode & 0o777, (back / "candor.sqlite3").stat().st_mode & 0o777) == (0o600, 0o600)


@pytest.mark.long
def test_a_site_starts_on_what_came_back(used: Path, backed_up: Path, tmp_path: Path) -> None:
    """With a new key for what comes; what workers of versions before have copied on this machine goes."""
    back, secret = tmp_path / "back", str(used / "secret_key")
    manage(back, "restore", str(backed_up / "backup"), SECRET_KEY_FILE=secret)
    (back / "copies" / "of a version before").mkdir(parents=True)
    manage(back, "prepare", SECRET_KEY_FILE=secret)
    assert not (back / "copies").exists()
    assert len(contents(back)["surveys_sealinground"]) == 1


def test_a_backup_tells_nothing_of_who_waits_or_is_signed_in_and_opens_no_copy(backed_up: Path) -> None:
    """Neither by a row nor by a free page of the database in it; no file of the making stays behind."""
    written = (backed_up / "backup").read_bytes()
    secrets = [WAITING, SIGNED_IN.encode(), COPIED]
    assert [secret in (backed_up / "used" / "candor.sqlite3").read_bytes() for secret in secrets] == [True] * 3
    assert [secret in written for secret in secrets] == [False] * 3
    assert sorted(path.name for path in backed_up.iterdir()) == ["backup", "used"]


@pytest.mark.long
def test_tables_of_an_older_version_are_not_backed_up_by_this_one(site_folder: Path, tmp_path: Path) -> None:
    """As between an upgrade of the files and the next start: what a backup leaves out may have another name there."""
    with closing(sqlite3.connect(site_folder / "candor.sqlite3")) as database, database:
        database.execute("DROP TABLE site_backup")
        database.execute("DELETE FROM django_migrations WHERE app = 'site' AND name >= '0004_backup'")
    status, said = run_manage(site_folder, "manage.py", "backup", str(tmp_path / "backup"))
    assert (status, said.count("\n"), "are from another version" in said) == (1, 1, True)
    assert not (tmp_path / "backup").exists()


@pytest.mark.django_db(transaction=True)
def test_only_a_backup_that_was_made_is_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """To the hour, and each later one in place of the one before."""
    (tmp_path / "there").touch()
    with pytest.raises(backups.BackupError, match="is there already"):
        backups.back_up(tmp_path / "there")
    with monkeypatch.context() as broken:
        broken.setattr("config.run.backups.os.link", Mock(side_effect=OSError(28, "No space left on device")))
        with pytest.raises(backups.BackupError, match="No space left on device"):
            backups.back_up(tmp_path / "first")
    assert last_backup.age() is None
    for now in ("2026-11-20T03:17:42+00:00", "2026-11-21T03:29:01+00:00"):
        set_now(monkeypatch, partial(datetime.fromisoformat, now))
        backups.back_up(tmp_path / now)
        assert [f"{noted.made_at:%FT%T}" for noted in Backup.objects.all()] == [f"{now[:13]}:00:00"]


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_cannot_be_noted_says_so_and_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is whole; the database, in which nothing can be written, is what somebody must see after."""
    monkeypatch.setattr(last_backup, "note", Mock(side_effect=OperationalError("database is locked")))
    with pytest.raises(CommandError, match="is written, but this could not be recorded: database is locked"):
        call_command("backup", str(tmp_path / "backup"))
    assert tarfile.is_tarfile(tmp_path / "backup")


KILLED = """
import os, signal, sys
from pathlib import Path
from django.core.management import execute_from_command_line
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
execute_from_command_line(sys.argv)
"""


@pytest.mark.long
def test_a_restore_that_is_killed_leaves_no_half_database(backed_up: Path, tmp_path: Path) -> None:
    """Nor a copy of one beside it: there is none until it is whole, and the next restore starts over."""
    copy, back = backed_up / "backup", tmp_path / "back"
    assert run_manage(back, "-c", KILLED, "restore", str(copy))[0] == -signal.SIGKILL
    (left,) = (path for path in back.iterdir() if path.name.startswith(".candor-restore-"))
    assert ([path.name for path in left.iterdir()], not contents(back)) == (["database"], True)
    assert not list(back.glob("candor.sqlite3.*"))
    manage(back, "restore", str(copy))
    assert contents(back)["surveys_surveyversion"] == contents(backed_up / "used")["surveys_surveyversion"] != []


@pytest.mark.long
def test_another_secret_key_is_told(backed_up: Path, tmp_path: Path) -> None:
    """A backup does not hold it, and without it invitations and second factors are lost."""
    assert "made under another SECRET_KEY" in manage(tmp_path / "back", "restore", str(backed_up / "backup"))


@pytest.mark.long
def test_a_backup_of_a_version_before_marks_comes_back_with_a_warning(backed_up: Path, tmp_path: Path) -> None:
    """And with it one whose mark somebody has taken away: nothing shows that it is as it was written."""
    secret = {"SECRET_KEY_FILE": str(backed_up / "used" / "secret_key")}
    shutil.copy(backed_up / "backup", tmp_path)
    retold(tmp_path / "backup", mark=None)
    said = manage(tmp_path / "back", "restore", str(tmp_path / "backup"), **secret)
    assert ("is restored" in said, "no signature under this SECRET_KEY" in said) == (True, True)


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_was_changed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where its hashes were made again: nobody without SECRET_KEY makes the mark again."""
    path = tmp_path / "backup"
    backups.back_up(path)
    retold(path, day="2020-01-01")
    monkeypatch.setattr("config.run.backups.connection.introspection.table_names", lambda: [])
    for bring_back in ("_to_sqlite", "_to_postgresql"):
        monkeypatch.setattr(backups, bring_back, lambda _folder: None)
    with pytest.raises(CommandError, match="was changed: it claims to be made under this SECRET_KEY"):
        call_command("restore", str(path))


@pytest.mark.long
def test_what_a_power_cut_left_of_a_backup_goes_with_the_next(site_folder: Path, tmp_path: Path) -> None:
    """It may hold what waits, and so lies where the database does. What another backup makes at the moment stays."""
    places = [site_folder, tmp_path / "backups"]
    for place in places:
        for name in (".candor-backup-old", ".candor-restore-old", ".candor-backup-now"):
            (place / name).mkdir(parents=True)
            (place / name / "database").touch()
        for old in place.glob(".candor-*-old"):
            os.utime(old, (10**9, 10**9))
    manage(site_folder, "backup", str(tmp_path / "backups" / "monday.candor"))
    assert [[path.name for path in place.glob(".candor-*")] for place in places] == [[".candor-backup-now"]] * 2


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    """A backup is never written over another one, nor half of one left."""
    kept = tmp_path / "kept"
    kept.write_text("yesterday's")
    with pytest.raises(CommandError, match="kept is there already: name a new file"):
        call_command("backup", str(kept))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", str(tmp_path / "no-such-folder" / "new"))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["yesterday's"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    every(
        3,
        [
            (lambda path: path.unlink(), "There is not a file"),
            (lambda path: path.write_bytes(b"no tar"), "is not a complete backup of Candor"),
            (lambda path: path.write_bytes(path.read_bytes()[:2000]), "is not a complete backup of Candor"),
            (
                lambda path: path.write_bytes(path.read_bytes().replace(b"SQLite format", b"SQLite formed", 1)),
                "is damaged",
            ),
            (lambda path: retold(path, candor_backup=2), "is of format 2, and this version reads 1"),
            (lambda path: retold(path, files={"../../etc/x": "0"}), "is not a complete backup of Candor"),
            (lambda path: retold(path, database="oracle"), "is of oracle, and this site's database is"),
            (lambda _path: None, "is not empty: restore into an empty database"),
        ],
    ),
    ids=["absent", "no tar", "half", "damaged", "newer", "another file", "another database", "database in use"],
)
def test_nothing_is_written_from_a_file_that_is_not_sound(spoil: Any, sentence: str, tmp_path: Path) -> None:
    """One sentence says what is wrong with it, or with the database that it was to go into."""
    path = tmp_path / "backup"
    backups.back_up(path)
    spoil(path)
    with pytest.raises(CommandError, match=sentence):
        call_command("restore", str(path))


def retold(path: Path, **changed: Any) -> None:
    """The same backup, whose description says something else."""
    with tarfile.open(path) as tar:
        about = json.loads(member(tar, "about.json")) | changed
        about = {name: said for name, said in about.items() if said is not None}
        database = member(tar, "database")
    with tarfile.open(path, "w") as tar:
        backups._add(tar, "about.json", json.dumps(about).encode())
        backups._add(tar, "database", database)


@pytest.fixture(scope="module")
def _first_start(
    postgres_server: tuple[Path, Path], tables_to_copy: str, tmp_path_factory: pytest.TempPathFactory
) -> Started:
    """A data folder and the URL of a database as the first start leaves them, to be copied."""
    data, url = (
        tmp_path_factory.mktemp("started") / "data",
        empty_database(*postgres_server, f"--template={tables_to_copy}"),
    )
    manage(data, "prepare", DATABASE_URL=url)
    return data, url


@pytest.fixture
def fresh_start(postgres_server: tuple[Path, Path], _first_start: Started, tmp_path: Path) -> Started:
    """A data folder in that of the test, and the URL of its database, which has been started on."""
    data, url = _first_start
    shutil.copytree(data, tmp_path / "data")
    return tmp_path / "data", empty_database(*postgres_server, f"--template={urlsplit(url).path[1:]}")


@pytest.mark.long
def test_on_postgresql_a_backup_holds_no_order_of_arrival(
    fresh_start: Started, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """Keys of submissions lie in it sorted, whatever the order in which they came, and all comes back."""
    import psycopg

    path = f"{postgres_server[0]}{os.pathsep}{os.environ['PATH']}"
    (data, tables), other = fresh_start, empty_database(*postgres_server)
    came = [bytes([number]) * 16 for number in (200, 3, 90, 41)]
    with psycopg.connect(tables) as database:
        for key in came:
            database.execute("INSERT INTO surveys_submission (key, proof, survey_id) VALUES (%s, %s, 1)", (key, key))
    manage(data, "backup", str(tmp_path / "backup"), DATABASE_URL=tables, PATH=path)
    with tarfile.open(tmp_path / "backup") as tar:
        lines = member(tar, "surveys_submission").decode().splitlines()
        dump = member(tar, "database")
    assert [line.split("\t")[0] for line in lines] == [f"\\\\x{key.hex()}" for key in sorted(came)]
    (tmp_path / "dump").write_bytes(dump)
    written_out = ["pg_restore", "--file=-", str(tmp_path / "dump")]  # the file itself is compressed
    rows = subprocess.run(written_out, env={"PATH": path}, capture_output=True, text=True, check=True).stdout
    assert ("CREATE TABLE public.surveys_submission " in rows, came[0].hex() in rows) == (True, False)
    assert ("COPY public.auth_user " in rows, "COPY public.surveys_copykey " in rows) == (True, False)
    manage(data, "restore", str(tmp_path / "backup"), DATABASE_URL=other, PATH=path)
    with psycopg.connect(tables) as one, psycopg.connect(other) as two:
        for table in ("surveys_submission", "auth_user", "django_migrations"):
            query = f"SELECT * FROM {table} ORDER BY 1"
            assert two.execute(query).fetchall() == one.execute(query).fetchall()
        assert two.execute("SELECT count(*) FROM surveys_sealingkey").fetchall() == [(0,)]
    manage(data, "prepare", DATABASE_URL=other)


REMOVAL = """
from surveys.domain.database import scrub
from surveys.models import Residue
Residue.objects.create(erased=True)
print(scrub.remove())
"""


@pytest.mark.long
def test_on_postgresql_no_removal_of_traces_empties_what_a_backup_is_to_hold(
    fresh_start: Started, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """It finds the tables in use, before pg_dump has begun and after it has ended, and does its work afterwards."""
    import psycopg

    path = f"{postgres_server[0]}{os.pathsep}{os.environ['PATH']}"
    (data, tables), removed = fresh_start, tmp_path / "removed"
    with psycopg.connect(tables) as database:
        for row in (
            f"surveys_submission (key, proof, survey_id) VALUES ('{'a' * 16}', '{'b' * 16}', 1)",
            f"surveys_spenttoken (token, survey_id) VALUES ('{'c' * 32}', 1)",
            f"surveys_usedpage (place, entries) VALUES ('k1:{'d' * 16}', '{'d' * 16}{'e' * 16}')",
            "surveys_usedentry (place) VALUES ('f')",
            "surveys_invitation (secret, batch_id) VALUES ('g', 1)",
            "surveys_invitee (key, box, survey_id) VALUES ('h', 'i', 1)",
        ):
            database.execute(f"INSERT INTO {row}")
    removing = f'{sys.executable} manage.py shell --verbosity 0 --command "$REMOVAL" >> {removed}'
    pg_dump = tmp_path / "programs" / "pg_dump"
    pg_dump.parent.mkdir()
    pg_dump.write_text(f'#!/bin/sh\n{removing} && {shutil.which("pg_dump", path=path)} "$@" && {removing}\n')
    pg_dump.chmod(0o755)
    path = f"{pg_dump.parent}{os.pathsep}{path}"
    manage(data, "backup", str(tmp_path / "backup"), DATABASE_URL=tables, PATH=path, REMOVAL=REMOVAL)
    with tarfile.open(tmp_path / "backup") as tar:
        held = [len(member(tar, table).splitlines()) for table, _ in backups.SORTED]
    assert (sorted(held), removed.read_text().split()) == ([0, 1, 1, 1, 1, 1, 1], ["False", "False"])
    assert manage(data, "shell", "--verbosity", "0", "--command", REMOVAL, DATABASE_URL=tables) == "True\n"


@pytest.mark.long
def test_on_postgresql_a_backup_waits_for_a_table_that_is_rewritten(
    fresh_start: Started, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """For longer than people wait who send, of whom nobody waits behind it; then it is made, with what is there now."""
    import psycopg

    path = f"{postgres_server[0]}{os.pathsep}{os.environ['PATH']}"
    (data, tables), backup = fresh_start, tmp_path / "backup"
    other, written = "surveys_invitation", backups.SORTED[-1][0]
    environment = {
        "CANDOR_DATA": str(data),
        "DATABASE_URL": f"{tables}&options=-c%20lock_timeout%3D100ms",
        "PATH": path,
    }
    with psycopg.connect(tables, autocommit=True) as looks, psycopg.connect(tables) as writes:
        writes.execute(f"LOCK TABLE {written}")
        command = [sys.executable, "manage.py", "backup", str(backup)]
        with subprocess.Popen(
            command, cwd=ROOT, env=outside() | environment, stderr=subprocess.PIPE, text=True
        ) as made:
            waited = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            waited += " AND wait_event_type = 'Lock' AND clock_timestamp() > query_start + interval '0.5 s'"
            wait_until(
                lambda: made.poll() is not None or looks.execute(waited).fetchone() == (1,), PATIENCE, "it waits"
            )
            looks.execute("SET lock_timeout = '100ms'")
            looks.execute(f"INSERT INTO {other} (secret, batch_id) VALUES ('a', 1)")
            writes.execute(f"INSERT INTO {written} (place) VALUES ('c')")
            writes.commit()
            assert (made.communicate()[1], made.returncode) == ("", 0)
    with tarfile.open(backup) as tar:
        assert [len(member(tar, table).splitlines()) for table in (other, written)] == [1, 1]


def own_pg_restore(started: Started, postgres_server: tuple[Path, Path], tmp_path: Path) -> tuple[Path, str, Path, str]:
    """A data folder with a backup beside it, an empty database for it, the place of a program that stands before
    PostgreSQL's pg_restore where its folder does, and the PATH with PostgreSQL's."""
    path = f"{postgres_server[0]}{os.pathsep}{os.environ['PATH']}"
    (data, tables), pg_restore = started, tmp_path / "programs" / "pg_restore"
    manage(data, "backup", str(tmp_path / "backup"), DATABASE_URL=tables, PATH=path)
    pg_restore.parent.mkdir()
    return data, empty_database(*postgres_server), pg_restore, path


# Commands one after the other in one process, each as manage.py runs it: with which status it would end, what it says.
COMMANDS = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from django.core.management import execute_from_command_line
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
ended = []
for words in json.loads(sys.argv[1]):
    status = 0
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
        try:
            execute_from_command_line(["manage.py", *words])
        except SystemExit as end:
            status = end.code
            if isinstance(status, str):  # Python would print it, and end with 1
                print(status)
                status = 1
    ended.append((status, said.getvalue()))
print(json.dumps(ended))
"""


@pytest.mark.long
def test_on_postgresql_no_site_starts_on_half_a_restore(
    fresh_start: Started, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """Killed before a row is back it starts over; killed later, all that would use the database says what to do."""
    data, other, pg_restore, path = own_pg_restore(fresh_start, postgres_server, tmp_path)
    for program in ("true", shutil.which("pg_restore", path=path)):
        pg_restore.write_text(f'#!/bin/sh\n{program} "$@"\nkill -KILL $PPID\n')
        pg_restore.chmod(0o755)
        killing = {"DATABASE_URL": other, "PATH": f"{pg_restore.parent}{os.pathsep}{path}"}
        assert run_manage(data, "manage.py", "restore", str(tmp_path / "backup"), **killing)[0] == -signal.SIGKILL
    web_server = ["-m", "gunicorn", "--config", "python:config.gunicorn", "--bind", "127.0.0.1:0", "config.wsgi"]
    commands = [
        ["prepare"],
        ["tend"],
        ["check", "--deploy"],
        ["restore", str(tmp_path / "backup")],
        ["backup", str(tmp_path / "half")],
    ]
    ended = json.loads(run_manage(data, "-c", COMMANDS, json.dumps(commands), DATABASE_URL=other, PATH=path)[1])
    for words in (["-m", "celery", "--quiet", "-A", "config", "worker"], web_server):
        ended.append(run_manage(data, *words, DATABASE_URL=other, PATH=path))
    sentence = "did not end, and answers or invitations are missing: restore into a new, empty database"
    assert [(status, sentence in said) for status, said in ended] == [(1, True)] * (len(commands) + 2)


@pytest.mark.long
def test_on_postgresql_a_restore_that_the_database_refuses_ends_with_a_sentence(
    fresh_start: Started, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """Its disk is full, say; here a table is gone when the rows that were copied apart come back."""
    data, other, pg_restore, path = own_pg_restore(fresh_start, postgres_server, tmp_path)
    gone = f'psql -q "{other}" -c "DROP TABLE surveys_spenttoken"'
    pg_restore.write_text(f'#!/bin/sh\n{shutil.which("pg_restore", path=path)} "$@" && {gone}\n')
    pg_restore.chmod(0o755)
    bad = {"DATABASE_URL": other, "PATH": f"{pg_restore.parent}{os.pathsep}{path}"}
    status, said = run_manage(data, "manage.py", "restore", str(tmp_path / "backup"), **bad)
    refusal = f'{tmp_path / "backup"} was not restored: relation "surveys_spenttoken" does not exist'
    assert (status, said.splitlines()[-1].endswith(refusal), "Traceback" in said) == (1, True, False)


def test_a_program_of_postgresql_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After twelve hours, here after a tenth of a second: a lock that is never given back would hold it up for ever."""
    pytest.importorskip("psycopg")
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", {})
    monkeypatch.setattr(backups, "LONGEST", 0.1)
    with pytest.raises(backups.BackupError, match=r"^pg_dump took longer than 2\.\S+ hours and was stopped\.$"):
        backups._run_program("pg_dump")
