"""Options as the arguments of a command, and their values as the arguments of its function.

>>> from privacy.options import tables
>>> parser = argparse.ArgumentParser()
>>> add_options(parser, tables.RECONSTRUCT)
>>> add_option(parser, tables.MAP)
>>> values_of_arguments(parser.parse_args(["--estimator", "combined"]), tables.RECONSTRUCT)["estimator"]
'combined'
"""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from privacy.errors import InputError
from privacy.options.kinds import FilePath, Flag, Written
from privacy.options.option import Option, Options


def add_options(parser: argparse.ArgumentParser, options: Options, place: str = "command") -> None:
    """Add an argument for each option that a place has."""
    for one in options.for_place(place):
        add_option(parser, one)


def add_option(parser: argparse._ActionsContainer, one: Option) -> None:
    more: dict[str, Any] = one.kind.argparse_options()
    if one.each:
        more["action"] = "append"
    elif not one.required and not isinstance(one.kind, Flag | Written):
        more["default"] = one.default
    if one.metavar is not None:
        more["metavar"] = one.metavar
    if one.several or isinstance(one.metavar, tuple):
        more["nargs"] = "+" if one.several else len(one.metavar or ())
    if one.required:
        more["required"] = True
    parser.add_argument(one.flag, *one.aliases, dest=one.name, help=_help_with_default(one), **more)


def _help_with_default(one: Option) -> str:
    """The help of the table, with the default if the help does not name it."""
    if one.required or one.default in (None, False, "", ()) or "default" in one.about:
        return one.about
    return f"{one.about} (default {one.default})"


Readers = Mapping[str, Callable[[Any], Any]]


def values_of_arguments(
    arguments: argparse.Namespace, options: Options, files: Readers | None = None
) -> dict[str, Any]:
    """The typed arguments as the function takes them; others keep the function's defaults.

    `files` has a function that reads each kind of file, by what it `holds`.
    """
    values = {one: getattr(arguments, one.name) for one in options.for_place("command")}
    return {one.name: _read_value(one, value, files or {}) for one, value in values.items() if value is not None}


def _read_value(option: Option, value: Any, files: Readers) -> Any:
    kind = option.kind
    if isinstance(kind, Written):
        try:
            return kind.of(value)
        except InputError as error:
            named = str(error).startswith((option.name, "--"))
            raise InputError(str(error) if named else f"{option.name}: {error}") from None
    return files[kind.holds](value) if isinstance(kind, FilePath) and kind.holds else value
