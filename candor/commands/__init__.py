"""The `candor` command, for analysts with files and no server.

A command that reads files, calls one function and prints what it returns is a row of `candor.commands.rows`. Any other
is a `Command` of a module beside it: its name, one line about it, what adds its arguments, and what runs it and returns
the `Result` that is printed. Both functions are light: what is slow to import (numpy, scipy, pandas) is imported when
the command runs, or when the arguments of the command that is named are added, so that `candor --help` answers at once.
Every command has `--json`, and refuses bad input by raising `InputError`: one line on stderr and exit status 2.
"""

import argparse
import codecs
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NoReturn

import candor
from candor.commands.shared import SWAPPED, Command
from mining.engines.options import MINE
from privacy.errors import InputError, InputWarning, as_typed
from privacy.options import tables
from privacy.options.notation import number_option
from privacy.output import as_json

ANALYSES = (MINE, *tables.ANALYSES)
"""The options of every analysis."""

MODULES = ("rows", "promises", "advise", "records", "reconstruct", "mine", "regress", "releases", "site")
ORDER = (
    "guarantee",
    "breach",
    "advise",
    "disguise",
    "reconstruct",
    "mine",
    "wave",
    "table",
    "sql",
    "regress",
    "compare",
    "lot",
    "careless",
    "places",
    "measure",
    "link",
    "anonymize",
    "coarsen",
    "counts",
    "serve",
    "manage",
)

_DATA_AND_JSON = (("records", "design"), ("answers", "design"), ("table", "spec"))
_LARGEST_JSON = 2**24  # bytes; no design has as many


class _Parser(argparse.ArgumentParser):
    """A parser whose refusals are one line, like every other refusal here, and say what a number has to be."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", int, _whole_number)
        self.register("type", float, number_option)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -1/3 and -0.5,51,0.3,52 are values, no options

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


class _Version(argparse.Action):
    """Prints the version of the installed package, which takes longer to find than many a command takes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(f"candor {candor.__version__}")
        parser.exit()


def _whole_number(text: str) -> int:
    from privacy.design.reading import LARGEST, quote

    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a whole number.") from None
    if abs(number) > LARGEST:
        raise argparse.ArgumentTypeError(f"{quote(text)} is too large a number.")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if sys.stdout is None:  # closed by who called, who wants the files alone
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("candor.escaped", _escape)
        sys.stdout.reconfigure(errors="candor.escaped")
    given = sys.argv[1:] if arguments is None else arguments
    parser = _parser(given)
    if given and given[0] in candor.MERGED:
        parser.error(f"candor {given[0]} is now part of candor {candor.MERGED[given[0]]}.")
    chosen = parser.parse_args(given)
    if chosen.command is None:
        parser.error(
            f"give a command: {', '.join(command.name for command in all_commands())}; candor --help describes each"
        )
    try:
        with _warnings_in_a_line(chosen.command):
            result = chosen.run(chosen)
            if result is not None:
                print(as_json(result.to_json()) if chosen.json else result)
        sys.stdout.flush()
    except InputError as error:
        typed = {word[2:].partition("=")[0].replace("-", "_") for word in given if word.startswith("--")}
        typed |= {
            one.name
            for table in ANALYSES
            for one in table
            if typed & {name[2:].replace("-", "_") for name in one.aliases}
        }
        files = filter(os.path.exists, given)  # one may be named as an option is
        said = as_typed(error, typed.difference(files))
        print(f"candor {chosen.command}: {said}{_swap_hint(chosen)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader, `head` perhaps, has seen enough. Python would complain once more when it closes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"candor {chosen.command}: {error.strerror or error}", file=sys.stderr)
        return 1
    except MemoryError:
        print(f"candor {chosen.command}: the memory of this process is not enough for it.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _swap_hint(chosen: argparse.Namespace) -> str:
    """The question whether the two files are swapped, if one is JSON and the one that should be is not; else ""."""
    pairs = [[getattr(chosen, name, None) for name in pair] for pair in _DATA_AND_JSON]
    pairs += getattr(chosen, "later", None) or []
    pairs += [getattr(chosen, name, None) or [None, None] for name in ("other", "first")]
    swapped = (
        _is_json_object(first) and os.path.isfile(second) and not _is_json_object(second)
        for first, second in pairs
        if second
    )
    return f" {SWAPPED}" if any(swapped) else ""


def _is_json_object(path: str | None) -> bool:
    """Whether a file is a JSON object as a whole, which no file of records is."""
    if path is None or not os.path.isfile(path) or os.path.getsize(path) > _LARGEST_JSON:
        return False
    with open(path, "rb") as file:
        try:
            return isinstance(json.loads(file.read()), dict)
        except (ValueError, RecursionError):
            return False


@contextmanager
def _warnings_in_a_line(command: str) -> Iterator[None]:
    """Print each warning about the input as a line on stderr, like a refusal; Python's own are shown as usual."""
    as_ever = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **named: Any) -> None:
        if issubclass(category, InputWarning):
            print(f"candor {command}: {message}", file=sys.stderr)
        else:
            as_ever(message, category, *where, **named)

    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)  # a doubt ends no command, whatever PYTHONWARNINGS says
        warnings.showwarning = show
        yield


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Escape as in JSON what the output cannot write: a label in Chinese on a terminal of ASCII ends no command."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="candor", description="Randomised response (local differential privacy) and its statistics.")
    parser.add_argument("--version", action=_Version, help="show program's version number and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in all_commands():
        subparser = commands.add_parser(command.name, help=command.about, description=command.about)
        if command.name in given:
            command.add_arguments(subparser)
        subparser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        subparser.set_defaults(run=command.run)
    return parser


def all_commands() -> list[Command]:
    """All commands, in the order in which they are listed."""
    modules = [import_module(f"candor.commands.{name}") for name in MODULES]
    known: dict[str, Command] = {command.name: command for module in modules for command in module.COMMANDS}
    return [known[name] for name in ORDER]
