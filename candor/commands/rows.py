"""Commands that read files, call a function of the library, and print what it returns: a row for each.

Any other command has functions of its own, in a module beside this one.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from candor.commands.shared import Command, add_records, options_of, records_of
from privacy.options import Options, tables
from privacy.options.option import add_options
from privacy.result import Result


@dataclass(frozen=True)
class Input:
    """Files that a command reads; `read` makes arguments of its function from them."""

    add: Callable[[argparse.ArgumentParser], None]
    read: Callable[[argparse.Namespace], dict[str, Any]]


def _row(about: str, files: Input, options: Options, function: str = "") -> Command:
    """One command: the function of the library that its options are of, and its name.

    `function` is the place of one that does the same without a frame, which would load pandas for nothing.
    """

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        files.add(parser)
        add_options(parser, options)

    def run(arguments: argparse.Namespace) -> Result:
        call = resolve_name(function or f"candor:{options.of}")
        result: Result = call(**files.read(arguments), **options_of(arguments, options))
        return result

    return Command(options.of, about, add_arguments, run)


def _add_table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="a CSV file with a header and a row per person")


def _read_frame(arguments: argparse.Namespace) -> dict[str, Any]:
    import pandas as pd

    from privacy.release import read_table

    return {"frame": pd.DataFrame(read_table(arguments.table))}


def _read_columns(arguments: argparse.Namespace) -> dict[str, Any]:
    from privacy.release import read_table

    return {"frame": read_table(arguments.table)}


def _add_people_and_release(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("people", metavar="PEOPLE", help="a CSV file with a header and a row per person, with names")
    parser.add_argument("release", metavar="RELEASE", help="the released table, as CSV")


def _read_people_and_release(arguments: argparse.Namespace) -> dict[str, Any]:
    from privacy.release.classes import read_text_columns

    return {name: read_text_columns(getattr(arguments, name)) for name in ("people", "release")}


def _records_input(about: str, *, open_columns: bool = False) -> Input:
    return Input(
        lambda parser: add_records(parser, about),
        lambda arguments: {"records": records_of((arguments.records, arguments.design), open_columns=open_columns)},
    )


def _source_and_design(arguments: argparse.Namespace) -> dict[str, Any]:
    """The file itself: the function reads as many rows at a time as it needs."""
    from privacy.design import read_design

    return {"records": arguments.records, "design": read_design(arguments.design)}


def _add_versions(parser: argparse.ArgumentParser) -> None:
    add_records(parser, "disguised records with undisguised columns")
    parser.add_argument(
        "--later",
        nargs=2,
        action="append",
        default=[],
        metavar=("RECORDS", "DESIGN"),
        help="a later version of the survey; repeatable, in their order",
    )


def _read_versions(arguments: argparse.Namespace) -> dict[str, Any]:
    files = [(arguments.records, arguments.design), *arguments.later]
    return {"records": {str(number): records_of(pair, open_columns=True) for number, pair in enumerate(files, 1)}}


COMMANDS = (
    _row(
        "recover the joint table of some items from disguised records, with errors and shares from 0 to 1",
        Input(add_records, _source_and_design),
        tables.TABLE,
    ),
    _row(
        "compare shares and rules between subgroups, figures and versions",
        Input(_add_versions, _read_versions),
        tables.COMPARE,
    ),
    _row(
        "test whether the disguise changes what people say, given random assignment to direct answers (lot)",
        _records_input("records of both groups"),
        tables.LOT,
    ),
    _row(
        "tell how many did not follow the design (inattentive, careless), and correct figures for them",
        _records_input("records, with undisguised columns where they are used", open_columns=True),
        tables.CARELESS,
    ),
    _row(
        "compute how exactly places in a file would be reported, with and without sensitive zones",
        Input(_add_table, _read_frame),
        tables.PLACES,
    ),
    _row(
        "measure k, l and t, the risks and the attacks of a table with a row per person",
        Input(_add_table, _read_columns),
        tables.MEASURE,
        "privacy.release.measures.report:measure",
    ),
    _row(
        "link people of a table that has names with the rows of a release that fit them",
        Input(_add_people_and_release, _read_people_and_release),
        tables.LINK,
        "privacy.release.attacks.link:link",
    ),
    _row(
        "count the people of a table with noise (central differential privacy)",
        Input(_add_table, _read_frame),
        tables.COUNTS,
    ),
)
