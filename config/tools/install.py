"""Make .venv and install the locked packages, if something has changed: `install.py [dev|docs|long]`.

This runs under any Python that a person has, before anything is installed. So it uses the standard library only, and no
syntax that keeps an old Python from reaching the sentence that says it is too old.
"""

import ast
import fcntl
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
SOURCES = ("candor", "config", "mining", "privacy", "surveys")
LOCKS = {"run": "requirements.txt", **{what: f"requirements-{what}.txt" for what in ("dev", "docs", "long")}}
UV = "requirements-uv.txt"  # installs the lock
PIP = "requirements-pip.txt"  # installs it where uv cannot
# pip's options, and uv's variables for the same. They are no arguments, because an address may hold a password.
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_OFFLINE",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
}
# One process lists what pip is configured for, and installs: loading pip takes longer than both.
BY_PIP = "import sys; from pip._internal.cli.main import main; main(['config', 'list']); sys.exit(main(sys.argv[1:]))"
DRIVER = ("psycopg", "psycopg-binary", "psycopg-pool")  # of PostgreSQL, which not every site has; the lock pins it


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


def lines_of_lock(names: "tuple[str, ...]", lock: str) -> str:
    """The lines of a lock that pin these packages, with their hashes."""
    entries = re.split(r"(?m)^(?=\S)", (ROOT / lock).read_text())
    return "".join(entry for entry in entries if entry.partition("==")[0] in names)


def run_command(*command: object) -> None:
    arguments = [str(word) for word in command]
    if subprocess.call(arguments, cwd=str(ROOT)) != 0:
        sys.exit(f"This did not succeed, see its message above: {' '.join(arguments)}")


def pip_wheel() -> Path:
    """The wheel of pip that this Python brings; a system may keep it in a folder of its own."""
    import ensurepip

    folder = sysconfig.get_config_var("WHEEL_PKG_DIR") or Path(ensurepip.__file__).parent / "_bundled"
    return Path(folder, f"pip-{ensurepip.version()}-py3-none-any.whl")


def uv_environment(pip_config: str) -> "dict[str, str]":
    """The environment in which uv asks the same indexes as pip, from what `pip config list` prints.

    A variable of uv's own that is already set stays.
    """
    options = {}
    for section in ("global.", "install.", ":env:."):  # from the weakest to the strongest
        for line in pip_config.splitlines():
            if line.startswith(section):
                name, _, value = line[len(section) :].partition("=")
                options[name] = ast.literal_eval(value)
    found = {name: " ".join(options[option].split()) for option, name in UV_NAMES.items() if option in options}
    found["UV_FIND_LINKS"] = found.get("UV_FIND_LINKS", "").replace(" ", ",")
    # Every file is pinned by its hash, so any index may provide it.
    return {**dict(found, UV_INDEX_STRATEGY="unsafe-best-match", UV_SYSTEM_CERTS="true"), **os.environ}


def install_by_uv(steps: "list[list[str]]") -> bool:
    """Install in a few seconds. False where uv has no wheel, or cannot reach what pip is configured for."""
    if not pip_wheel().exists():
        return False
    quiet = subprocess.DEVNULL
    # pip is needed for uv alone, so the one that Python brings is unpacked and not installed, which takes seconds.
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(pip_wheel()).extractall(folder)
        wheel = ["--no-deps", "--no-compile", "--only-binary", ":all:", "--require-hashes", "--requirement", UV]
        fetching = subprocess.run(
            [str(PYTHON), "-c", BY_PIP, "--quiet", "--disable-pip-version-check", "--retries", "1", "install", *wheel],
            cwd=str(ROOT), env=dict(os.environ, PYTHONPATH=folder), stdout=subprocess.PIPE, stderr=quiet,
        )  # fmt: skip
        if fetching.returncode != 0:
            return False
        config = fetching.stdout.decode()
    uv = [str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON)]
    environment = uv_environment(config)
    try:
        return all(
            subprocess.call([*uv, *step], cwd=str(ROOT), env=environment, stderr=quiet) == 0
            for step in [[*steps[0], "--requirement", PIP], *steps[1:]]
        )
    except OSError:  # a file system that nothing may be run from
        return False


def install_by_pip(steps: "list[list[str]]") -> None:
    """Install into .venv by pip; each step is what one `pip install` is asked for."""
    print("uv cannot install them here, so pip does; it takes about a minute.", flush=True)
    if not works("import pip"):
        subprocess.call([str(PYTHON), "-m", "ensurepip", "--default-pip"], stdout=subprocess.DEVNULL)
    # Most modules of the packages are never imported. Compiling them only when they are imported halves the time.
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-compile"]
    # The pip that a Python brings may be years old, and take twice as long to look through an index. Where the one that
    # is pinned cannot be had, it does the work all the same.
    subprocess.call([*pip, "--require-hashes", "--requirement", PIP], cwd=str(ROOT), stderr=subprocess.DEVNULL)
    for step in steps:
        run_command(*pip, *step)


def install(what: str) -> None:
    stamp, driver = VENV / f"installed-{what}", needs_driver()  # asked before .venv is made again
    if stamp.exists() and stamp.read_text() == fingerprint(LOCKS[what]) and works("import psycopg" if driver else ""):
        return
    if not works(""):
        check_python()
        run_command(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV)
    print(f"Installing the packages of {LOCKS[what]} into .venv: about ten seconds, if none is there yet.", flush=True)
    # The first start would compile this checkout. Now one processor waits for the network.
    compiling = subprocess.Popen([str(PYTHON), "-m", "compileall", "-qq", *SOURCES], cwd=str(ROOT))
    steps = [["--require-hashes", "--requirement", LOCKS[what]]]
    if driver:
        own = VENV / "requirements-postgresql.txt"
        own.write_text(lines_of_lock(DRIVER, LOCKS["dev"]))
        steps.append(["--require-hashes", "--no-deps", "--requirement", str(own)])
    steps.append(["--no-deps", "--no-build-isolation", "--editable", "."])
    if not install_by_uv(steps):
        install_by_pip(steps)
    compiling.wait()
    for name in ("run", "dev") if what == "dev" else (what,):  # the development packages include those of the site
        (VENV / f"installed-{name}").write_text(fingerprint(LOCKS[name]))


def main() -> None:
    if not os.access(str(ROOT), os.W_OK):
        sys.exit(
            f"The folder {ROOT} cannot be written to, and .venv is made in it: clone Candor into a folder of yours."
        )
    folder = os.open(str(ROOT), os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # two commands started at once install one after the other
    install(sys.argv[1] if sys.argv[1:] else "run")


if __name__ == "__main__":
    main()
