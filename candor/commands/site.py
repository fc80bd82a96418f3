"""`candor serve`: the site, from the files that the package brings, with its data in a folder of the user's.

Nothing of the site is imported: it takes over this process. Its modules lie in a folder of their own, which PYTHONPATH
names, so that it meets no other `config` or `surveys`: neither an installed one nor one in the folder where this runs.
"""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from candor.commands.shared import Command
from privacy.errors import InputError

PACKAGE = Path(__file__).resolve().parents[1]


def _add_serve(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "CANDOR_DATA names the folder that everything is kept in; docs/settings.md lists all settings."


def _run_serve(_: argparse.Namespace) -> None:
    become("config.run.serve", says_where=True)


def become(module: str, *words: str, says_where: bool = False) -> None:
    """Run this module of the site in place of this process, with these arguments and the settings of the site."""
    if not all(map(find_spec, ("celery", "django", "waitress"))):
        raise InputError("the site needs more packages: run pip install 'candor-survey[site]'.")
    own = os.environ
    site = PACKAGE / "site"
    data = Path(own.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "candor"
    if not site.is_dir():  # a checkout has the same folders beside the package
        site, data = PACKAGE.parent, PACKAGE.parent / "var"
    # The site's processes run in the folder of its modules, so what is named from this folder on is named whole.
    own["CANDOR_DATA"] = os.path.abspath(own.get("CANDOR_DATA") or data)
    if own.get("SECRET_KEY_FILE"):
        own["SECRET_KEY_FILE"] = os.path.abspath(own["SECRET_KEY_FILE"])
    scheme, _, path = own.get("DATABASE_URL", "").strip().partition(":///")
    if scheme == "sqlite" and not path.startswith("/"):
        own["DATABASE_URL"] = f"sqlite:///{quote(os.getcwd())}/{path}"
    own["DJANGO_SETTINGS_MODULE"] = "config.settings"
    own["PYTHONPATH"] = os.pathsep.join(filter(None, (str(site), own.get("PYTHONPATH"))))
    own["PYTHONSAFEPATH"] = "1"
    if says_where:
        print(f"Everything is kept in {own['CANDOR_DATA']}; CANDOR_DATA names another folder.", flush=True)
    os.execv(sys.executable, [sys.executable, "-m", module, *words])


def _add_manage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND …", help="the command; help lists them")


def _run_manage(arguments: argparse.Namespace) -> None:
    become("django", *arguments.words)


COMMANDS = (
    Command("serve", "start the site on this machine; its settings come from the environment", _add_serve, _run_serve),
    Command(
        "manage",
        "run a command of the site's administrator, such as backup FILE or changepassword admin",
        _add_manage,
        _run_manage,
    ),
)
