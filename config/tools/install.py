"""Make .venv and install the locked packages, if something has changed: `python3 config/tools/install.py [dev]`.

This runs under any Python that a person has, before anything is installed. So it uses the standard library only, and no
syntax that keeps an old Python from reaching the sentence that says it is too old.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
LOCKS = {"run": "requirements.txt", "dev": "requirements-dev.txt"}
PIP = "requirements-pip.txt"
DRIVER = ("psycopg", "psycopg-binary", "psycopg-pool")  # of PostgreSQL, which not every site has; the lock pins it
# The site is not part of the package. It runs from the checkout, so this environment can import all of the checkout.
SEE_CHECKOUT = (
    "import sys, sysconfig, pathlib; "
    "pathlib.Path(sysconfig.get_path('purelib'), 'candor-checkout.pth').write_text(sys.argv[1] + '\\n')"
)


def check_python() -> None:
    if sys.version_info < OLDEST:
        have = ".".join(str(part) for part in sys.version_info[:2])
        sys.exit(
            f"Candor needs Python 3.11 or newer and {sys.executable} is {have}: "
            "name another, as in `make run PYTHON=python3.12`."
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        sys.exit("Python's venv module is missing: install it (on Debian and Ubuntu: `apt-get install python3-venv`).")


def fingerprint(lock: str) -> str:
    """A hash that changes whenever the locked packages or the project's metadata change."""
    return hashlib.sha256((ROOT / lock).read_bytes() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()


def works(code: str) -> bool:
    """Whether .venv can run this code: its Python may have been removed, or be another user's, or an installation
    interrupted."""
    try:
        return subprocess.call([str(PYTHON), "-c", code], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def needs_driver() -> bool:
    """Whether the database of this site is PostgreSQL: its environment says so, or .venv has the driver."""
    named = os.environ.get("DATABASE_URL", "").strip().startswith(("postgres:", "postgresql:"))
    return named or any(VENV.glob("lib/python*/site-packages/psycopg"))


def pinned(names: "tuple[str, ...]", lock: str) -> str:
    """The lines of a lock that pin these packages, with their hashes."""
    entries = re.split(r"(?m)^(?=\S)", (ROOT / lock).read_text())
    return "".join(entry for entry in entries if entry.partition("==")[0] in names)


def run(*command: object, **environment: str) -> None:
    arguments = [str(word) for word in command]
    if subprocess.call(arguments, cwd=str(ROOT), env=dict(os.environ, **environment)) != 0:
        sys.exit(f"This did not succeed, see its message above: {' '.join(arguments)}")


def install(what: str) -> None:
    # An earlier build may have left metadata in the checkout. It would hide the installed metadata and its commands.
    shutil.rmtree(str(ROOT / "candor.egg-info"), ignore_errors=True)
    stamp, driver = VENV / f"installed-{what}", needs_driver()  # asked before .venv is made anew
    if stamp.exists() and stamp.read_text() == fingerprint(LOCKS[what]) and works("import psycopg" if driver else ""):
        return
    if not works("import pip"):
        check_python()
        run(sys.executable, "-m", "venv", "--clear", VENV)
    print(f"Installing the packages of {LOCKS[what]} into .venv; the first time this takes a minute.", flush=True)
    # Most modules of the packages are never imported. Compiling them only when they are imported halves the time.
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile"]
    # The pip that a Python brings may be years old, and take twice as long to look through an index. Where the one that
    # is pinned cannot be had, it does the work all the same.
    subprocess.call([*pip, "--require-hashes", "--requirement", PIP], cwd=str(ROOT), stderr=subprocess.DEVNULL)
    run(*pip, "--require-hashes", "--requirement", LOCKS[what])
    if driver:
        own = VENV / "requirements-postgresql.txt"
        own.write_text(pinned(DRIVER, LOCKS["dev"]))
        run(*pip, "--require-hashes", "--no-deps", "--requirement", own)
    # What setuptools would warn of is meant: the checkout is the package.
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", ".", PYTHONWARNINGS="ignore")
    run(PYTHON, "-c", SEE_CHECKOUT, ROOT)
    for name in LOCKS if what == "dev" else (what,):  # the development packages include those of the site
        (VENV / f"installed-{name}").write_text(fingerprint(LOCKS[name]))


def main() -> None:
    if not os.access(str(ROOT), os.W_OK):
        sys.exit(
            f"The folder {ROOT} cannot be written to, and .venv is made in it: clone Candor into a folder of yours."
        )
    folder = os.open(str(ROOT), os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # two commands started at once install one after the other
    install("dev" if sys.argv[1:] == ["dev"] else "run")


if __name__ == "__main__":
    main()
