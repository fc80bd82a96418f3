"""What the start of a site says of the machine it runs on."""

import gc
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps

from config.environment import PREPARED
from config.run import serve
from config.run.processes import Child, end_groups
from tests.servers import PATIENCE, ROOT, free_port, listens

HAS_IT = "it has the WAL-reset error, which Candor's order of checkpoints avoids (docs/deploy.md)."


@pytest.mark.parametrize(("user", "lines"), [(0, 1), (1000, 0)])
def test_only_root_is_warned_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], user: int, lines: int
) -> None:
    """One sentence, for a person who reads what the start prints."""
    monkeypatch.setattr(serve.os, "geteuid", lambda: user)
    serve.warn_of_root()
    assert capsys.readouterr().err.count("Candor runs as root") == lines


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ((3, 40, 1), f"SQLite 3.40.1 keeps the answers; {HAS_IT}"),
        ((3, 51, 2), f"SQLite 3.51.2 keeps the answers; {HAS_IT}"),
        ((3, 51, 3), "SQLite 3.51.3 keeps the answers; it does not have the WAL-reset error."),
    ],
)
def test_the_version_of_sqlite_is_said(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], sentence: str
) -> None:
    """A person who starts a site reads whether it has the error that corrupts databases."""
    monkeypatch.setitem(serve.settings.DATABASE, "ENGINE", "django.db.backends.sqlite3")
    monkeypatch.setattr(serve.sqlite3, "sqlite_version_info", version)
    monkeypatch.setattr(serve.sqlite3, "sqlite_version", ".".join(map(str, version)))
    assert serve.database_version() == sentence


@pytest.mark.parametrize(
    ("bind", "address"),
    [
        ("127.0.0.1", "http://localhost:8001/"),
        ("0.0.0.0", "http://localhost:8001/"),
        ("::", "http://localhost:8001/"),
        ("10.0.0.11", "http://10.0.0.11:8001/"),
        ("fd00::11", "http://[fd00::11]:8001/"),
    ],
)
def test_the_address_that_a_start_says_is_one_on_which_it_listens(bind: str, address: str) -> None:
    """BIND may be the address of a tunnel, and then nothing answers at localhost."""
    assert serve.address(bind, 8001) == address


WEB_SERVER = """
import os, socket, sys, time
os.read(int(os.environ["CANDOR_PREPARED"]), 1)
socket.socket(fileno=int(sys.argv[1])).listen()
time.sleep(60)
"""


def test_nobody_is_let_in_before_the_tables_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """While a start waits for a broker or for tables, a proxy is refused at once, and asks another web server.

    The web server is started before, so that it loads meanwhile.
    """
    port = free_port()
    seen: list[tuple[bool, bool]] = []
    ends: list[Callable[[], object]] = []

    def look(*_: object) -> list[Child]:
        seen.append(((tmp_path / "web server.pid").exists(), listens(port)))
        return []

    def parts(run: Path, server: socket.socket | None, prepared: int) -> list[Child]:
        assert server is not None
        monkeypatch.setenv(PREPARED, str(prepared))
        command = [sys.executable, "-c", WEB_SERVER, str(server.fileno())]
        web_server = Child("web server", command, run, (server.fileno(), prepared))
        ends.extend([lambda: end_groups([web_server.path], 0.0), web_server.wait, server.close])
        ends.append(lambda: os.close(prepared))
        return [web_server]

    def stop_at_start() -> str:
        look()
        raise SystemExit

    monkeypatch.setattr(serve.settings, "PORT", port)
    monkeypatch.setattr(serve, "start_broker", look)
    monkeypatch.setattr(serve, "prepare", lambda _run: SimpleNamespace(wait=lambda: len(look())))
    monkeypatch.setattr(serve, "parts", parts)
    monkeypatch.setattr(serve, "page_answers", lambda: listens(port))
    monkeypatch.setattr(serve, "greeting", stop_at_start)
    with pytest.raises(SystemExit):
        serve.serve(tmp_path)
    for end in ends:
        end()
    assert seen == [(False, False), (True, False), (True, True)]


@pytest.mark.long
def test_a_web_server_that_has_loaded_waits_for_the_tables(tmp_path: Path) -> None:
    """It looks at the database only when `make run` has prepared it."""
    prepared, preparing = os.pipe()
    environment = {**os.environ, "CANDOR_DATA": str(tmp_path), PREPARED: str(prepared)}
    loading = subprocess.Popen(
        [sys.executable, "-c", "import config.wsgi"], cwd=ROOT, env=environment, pass_fds=(prepared,)
    )
    with pytest.raises(subprocess.TimeoutExpired):
        loading.wait(5)
    os.close(preparing)
    assert loading.wait(PATIENCE) == 0
    os.close(prepared)


def test_what_is_loaded_is_not_searched_for_cycles() -> None:
    """Neither while a process works nor at its end: the collector does not know what every process has loaded."""
    loaded = type("Loaded", (), {})
    apps.get_app_config("site").ready()
    assert not any(one is loaded for one in gc.get_objects())
