"""The first thing that runs on a stranger's machine says plainly what it misses, and does nothing twice."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config.tools import install
from tests.servers import ROOT


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "config/tools/install.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_nothing_is_done_when_nothing_changed() -> None:
    """These tests run in an installed environment: both locks are found installed, within a moment."""
    stamp = ROOT / ".venv" / "installed-dev"
    if not stamp.exists() or stamp.read_text() != install.fingerprint(install.LOCKS["dev"]):
        pytest.skip("the tests run in another environment than .venv, or before `make test` has brought it up to date")
    answers = [run_in(ROOT), run_in(ROOT, "dev")]
    assert [(done.returncode, done.stdout, done.stderr) for done in answers] == [(0, "", "")] * 2


@pytest.mark.parametrize("target", ["/no/python", "/etc/hostname"])
def test_a_python_that_cannot_be_run_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str) -> None:
    """A .venv that was copied may lead to a Python that this user may not run: it is made anew, with no traceback."""
    (tmp_path / "python").symlink_to(target)
    monkeypatch.setattr(install, "PYTHON", tmp_path / "python")
    assert not install.works("")


@pytest.mark.parametrize("pip_status", [0, 1], ids=["a newer pip", "no newer pip"])
def test_the_lock_is_installed_by_the_newest_pip_that_can_be_had(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pip_status: int
) -> None:
    """An index without the pinned pip stops nothing: the one that Python brings does the work."""
    called: list[str] = []

    def call(command: list[str], **_: object) -> int:
        called.append(command[-1])
        return pip_status if command[-1] == "requirements-pip.txt" else 0

    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(install, "VENV", tmp_path)
    install.install("run")
    assert called[1:4] == ["requirements-pip.txt", "requirements.txt", "."]
    assert (tmp_path / "installed-run").read_text() == install.fingerprint("requirements.txt")


@pytest.mark.parametrize("said_by", ["the environment", "the driver in .venv"])
def test_a_site_on_postgresql_keeps_its_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said_by: str) -> None:
    """Where .venv is made anew, too: pinned, with its hashes, as the development packages have it."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if said_by == "the environment":
        monkeypatch.setenv("DATABASE_URL", "postgresql://candor@db.example.org/candor")
    else:
        (tmp_path / "lib" / "python3.99" / "site-packages" / "psycopg").mkdir(parents=True)
    called: list[list[str]] = []

    def call(command: list[str], **_: object) -> int:
        called.append(command)
        return 1 if command[-1] == "import pip" else 0  # there is none that works

    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(install, "VENV", tmp_path)
    install.install("run")
    own = tmp_path / "requirements-postgresql.txt"
    assert [command[-1] for command in called if "--require-hashes" in command][1:] == ["requirements.txt", str(own)]
    lines = own.read_text().splitlines()
    named = [line.partition("==")[0] for line in lines if not line.startswith(" ")]
    assert (named, sum("--hash=sha256:" in line for line in lines) >= 3) == (list(install.DRIVER), True)


def test_a_site_on_sqlite_needs_no_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(install, "VENV", tmp_path)
    for url in ("", "sqlite:////var/lib/candor/candor.sqlite3"):
        monkeypatch.setenv("DATABASE_URL", url)
        assert not install.needs_driver()


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the version needed, the one found, and how to name another."""
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    with pytest.raises(SystemExit) as stop:
        install.check_python()
    assert stop.value.code == (
        "Candor needs Python 3.11 or newer and /usr/bin/python3 is 3.9: "
        "name another, as in `make run PYTHON=python3.12`."
    )


def test_python_2_is_told_so(tmp_path: Path) -> None:
    """It could not even read the sentence of config/tools/install.py; the Makefile says it in words that it can."""
    python = tmp_path / "python2"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} -c "import sys; sys.version_info = (2, 7); $2"\n'
    )
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", "run", f"PYTHON={python}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    sentence = "Candor needs Python 3.11 or newer: name one, as in `make run PYTHON=python3.12`."
    assert done.stderr.splitlines()[0] == sentence


def test_make_install_is_a_start_without_the_start() -> None:
    """A backup is restored between the two, because a start fills the database."""
    run, install = (
        subprocess.run(
            ["make", "-n", "--no-print-directory", target], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for target in ("run", "install")
    )
    assert run == [*install, "exec .venv/bin/python -m config.run.serve"]


def test_a_python_without_venv_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian ships the module apart; the sentence names the package."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit) as stop:
        install.check_python()
    assert stop.value.code == (
        "Python's venv module is missing: install it (on Debian and Ubuntu: `apt-get install python3-venv`)."
    )


def test_a_folder_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone that belongs to somebody else is left alone."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SystemExit) as stop:
        install.main()
    assert stop.value.code == (
        f"The folder {ROOT} cannot be written to, and .venv is made in it: clone Candor into a folder of yours."
    )


def test_it_can_be_read_by_an_old_python() -> None:
    """A Python that is too old must get as far as the sentence: nothing newer than 3.7 in the source."""
    ast.parse((ROOT / "config" / "tools" / "install.py").read_text(), feature_version=(3, 7))
