"""The first thing that runs on a stranger's machine says plainly what it misses, and does nothing twice."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

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


@pytest.fixture
def venv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What stands for .venv."""
    monkeypatch.setattr(install, "VENV", tmp_path)
    return tmp_path


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch, venv: Path) -> SimpleNamespace:
    """What is run where uv cannot be had, and which lock cannot be installed."""
    runs = SimpleNamespace(commands=[], refused=None)

    def call(command: list[str], **_: object) -> int:
        runs.commands.append(command)
        return int(command[-1] == runs.refused)

    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(install, "install_by_uv", lambda _: False)
    return runs


@pytest.mark.parametrize("target", ["/no/python", "/etc/hostname"])
def test_a_python_that_cannot_be_run_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str) -> None:
    """A .venv that was copied may lead to a Python that this user may not run: it is made again, with no traceback."""
    (tmp_path / "python").symlink_to(target)
    monkeypatch.setattr(install, "PYTHON", tmp_path / "python")
    assert not install.works("")


# What stands for the packages of a checkout: its own build backend, so that nothing else is needed to install it.
BACKEND = """
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(f"{folder}/candor-1-py3-none-any.whl", "w") as wheel:
        for name, text in {
            "checkout.pth": %r,
            "candor-1.dist-info/METADATA": "Metadata-Version: 2.1\\nName: candor\\nVersion: 1\\n",
            "candor-1.dist-info/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
            "candor-1.dist-info/entry_points.txt": "[console_scripts]\\ncandor = candor_commands:main\\n",
            "candor-1.dist-info/RECORD": "",
        }.items():
            wheel.writestr(name, text)
    return "candor-1-py3-none-any.whl"
"""


def make_wheel(folder: Path, name: str, files: dict[str, str]) -> str:
    """A package of these files; its line in a lock."""
    path = folder / f"{name}-1-py3-none-any.whl"
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    names = [*files, *(f"{name}-1.dist-info/{part}" for part in (*about, "RECORD"))]
    about["RECORD"] = "".join(f"{part},,\n" for part in names)
    with zipfile.ZipFile(path, "w") as wheel:
        for part, text in (files | {f"{name}-1.dist-info/{part}": text for part, text in about.items()}).items():
            entry = zipfile.ZipInfo(part)
            entry.external_attr = 0o100755 << 16  # a script is to be executable
            wheel.writestr(entry, text)
    return f"{name}==1 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small checkout on a machine whose pip is configured with a folder of wheels and no index."""
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("there is no uv in this environment")
    wheels, folder = tmp_path / "wheels", tmp_path / "checkout"
    wheels.mkdir()
    (folder / "config" / "tools").mkdir(parents=True)
    shutil.copy(install.__file__, folder / "config" / "tools")
    (folder / "backend.py").write_text(BACKEND % str(folder))
    (folder / "candor_commands.py").write_text("import something\n\ndef main():\n    print(something.SAID)\n")
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]'
    )
    (folder / "requirements.txt").write_text(make_wheel(wheels, "something", {"something.py": "SAID = 'candor runs'"}))
    script = f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\nexec {uv} "$@"\n'
    (folder / "requirements-uv.txt").write_text(make_wheel(wheels, "uv", {"uv-1.data/scripts/uv": script}))
    pip = install.pip_wheel()
    shutil.copy(pip, wheels)
    digest = hashlib.sha256(pip.read_bytes()).hexdigest()
    (folder / "requirements-pip.txt").write_text(f"pip=={pip.name.split('-')[1]} --hash=sha256:{digest}\n")
    (tmp_path / "pip.conf").write_text(f"[global]\nno-index = true\n[install]\nfind-links = {wheels}\n")
    for name in [*os.environ]:
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    for name, value in {"PIP_CONFIG_FILE": "pip.conf", "PIP_CACHE_DIR": "of-pip", "UV_CACHE_DIR": "of-uv"}.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    return folder


@pytest.mark.long  # every `make test` begins with an installation
@pytest.mark.parametrize("wheel_of_uv", [True, False], ids=["uv", "no wheel of uv"])
def test_the_lock_is_installed_from_where_pip_is_configured_to_look(checkout: Path, wheel_of_uv: bool) -> None:
    """By uv, from the folder that pip's configuration names and from nowhere else; by pip where uv cannot be had."""
    if not wheel_of_uv:
        (checkout.parent / "wheels" / "uv-1-py3-none-any.whl").unlink()
    done = run_in(checkout)
    said = ["Installing the packages of requirements.txt into .venv: about ten seconds, if none is there yet."]
    said += [] if wheel_of_uv else ["uv cannot install them here, so pip does; it takes about a minute."]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, said, "")
    ran = subprocess.run([checkout / ".venv" / "bin" / "candor"], capture_output=True, text=True, check=True)
    assert ran.stdout == "candor runs\n"
    assert (checkout.parent / "asked").exists() == wheel_of_uv
    assert (checkout / ".venv" / "bin" / "pip").exists()  # what a site wants beside the lock is installed by it
    assert run_in(checkout).stdout == ""


@pytest.mark.long
def test_a_file_with_another_hash_is_installed_by_neither(checkout: Path) -> None:
    """uv does not take it, and pip, asked in its place, says why."""
    with zipfile.ZipFile(checkout.parent / "wheels" / "something-1-py3-none-any.whl", "a") as wheel:
        wheel.writestr("something_else.py", "")
    done = run_in(checkout)
    assert done.returncode == 1
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("This did not succeed, see its message above: ")
    assert not list((checkout / ".venv").rglob("something.py"))


def test_uv_asks_where_pip_is_configured_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pip's settings the environment wins, then the section `install`, then `global`. uv's own variables stay."""
    for name in [*os.environ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("UV_HTTP_TIMEOUT", "7")
    config = """:env:.index-url='https://mine:secret@pypi.example.org/simple'
:env:.timeout='180'
global.cert='/etc/ssl/own.pem'
global.extra-index-url='https://a.example.org/simple\\nhttps://b.example.org/simple'
global.index-url='https://nobody.example.org/simple'
global.no-color='true'
install.find-links='/srv/wheels /srv/more'
install.trusted-host='a.example.org'
"""
    assert install.uv_environment(config) == {
        "UV_DEFAULT_INDEX": "https://mine:secret@pypi.example.org/simple",
        "UV_INDEX": "https://a.example.org/simple https://b.example.org/simple",
        "UV_FIND_LINKS": "/srv/wheels,/srv/more",
        "UV_INSECURE_HOST": "a.example.org",
        "SSL_CERT_FILE": "/etc/ssl/own.pem",
        "UV_HTTP_TIMEOUT": "7",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_SYSTEM_CERTS": "true",
    }


@pytest.mark.parametrize("refused", [None, "requirements-pip.txt"], ids=["a newer pip", "no newer pip"])
def test_without_uv_the_newest_pip_that_can_be_had_installs(
    pip: SimpleNamespace, venv: Path, refused: str | None
) -> None:
    """An index without the pinned pip stops nothing: the one that Python brings does the work."""
    pip.refused = refused
    install.install("run")
    assert [command[-1] for command in pip.commands][2:5] == ["requirements-pip.txt", "requirements.txt", "."]
    assert (venv / "installed-run").read_text() == install.fingerprint("requirements.txt")


@pytest.mark.parametrize("said_by", ["the environment", "the driver in .venv"])
def test_a_site_on_postgresql_keeps_its_driver(
    monkeypatch: pytest.MonkeyPatch, pip: SimpleNamespace, venv: Path, said_by: str
) -> None:
    """Where .venv is made again, too: pinned, with its hashes, as the development packages have it."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    if said_by == "the environment":
        monkeypatch.setenv("DATABASE_URL", "postgresql://candor@db.example.org/candor")
    else:
        (venv / "lib" / "python3.99" / "site-packages" / "psycopg").mkdir(parents=True)
    monkeypatch.setattr(install, "works", lambda _: False)  # there is none that works
    install.install("run")
    own = venv / "requirements-postgresql.txt"
    locks = [command[-1] for command in pip.commands if "--require-hashes" in command]
    assert locks == ["requirements-pip.txt", "requirements.txt", str(own)]
    lines = own.read_text().splitlines()
    named = [line.partition("==")[0] for line in lines if not line.startswith(" ")]
    assert (named, sum("--hash=sha256:" in line for line in lines) >= 3) == (list(install.DRIVER), True)


def test_a_site_on_sqlite_needs_no_driver(monkeypatch: pytest.MonkeyPatch, venv: Path) -> None:
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


def test_make_install_is_a_start_without_the_start() -> None:
    """A backup is restored between the two, because a start fills the database."""
    run, install = (
        subprocess.run(
            ["make", "-n", "--no-print-directory", target], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
        for target in ("run", "install")
    )
    assert run == [*install, "exec .venv/bin/python -m config.run.serve"]


def test_the_installer_can_be_read_by_an_old_python() -> None:
    """A Python that is too old must get as far as the sentence: nothing newer than 3.7 in the source."""
    ast.parse((ROOT / "config" / "tools" / "install.py").read_text(), feature_version=(3, 7))
