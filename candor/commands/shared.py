"""Options that several commands have: of which records, drawn how, and how figures are estimated."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from privacy.estimate.sample import Sample
from privacy.options import Options
from privacy.options.option import Readers, add_option, values_of_arguments
from privacy.options.tables import CRS, MAP, OF_SAMPLE
from privacy.result import Result

if TYPE_CHECKING:
    from privacy.records import Records

SWAPPED = "Are the two files swapped?"


@dataclass(frozen=True)
class Command:
    """One command. What `run` returns is printed; it returns None where it has printed it."""

    name: str
    about: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Result | None]


def add_records(parser: argparse.ArgumentParser, records: str = "disguised records") -> None:
    """Add the arguments for the file of records and for that of their design."""
    parser.add_argument(
        "records",
        metavar="RECORDS",
        help=f"{records}: .csv, .jsonl or .parquet, or a folder, pattern or address of .parquet",
    )
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")


def records_of(files: Sequence[str], *, open_columns: bool = False, counts: bool = False) -> "Records":
    """Read the records in a file, by the design in another one."""
    from privacy.design import read_design
    from privacy.records import read_records

    records, design = files
    return read_records(records, read_design(design), open_columns=open_columns, counts=counts)


def options_of(arguments: argparse.Namespace, options: Options, files: Readers | None = None) -> dict[str, Any]:
    """The typed options as the function takes them: those that say how respondents were drawn are one argument."""
    values = values_of_arguments(arguments, options, files or FILES)
    drawn = {one.name: values.pop(one.name) for one in OF_SAMPLE if one.name in values}
    return values | ({"sample": Sample(**drawn)} if drawn else {})


def sample_of(arguments: argparse.Namespace) -> Sample | None:
    """How respondents were drawn; None where nothing is said."""
    return options_of(arguments, Options("", OF_SAMPLE)).get("sample")


# What options name files of, and what reads them.
FILES: Readers = {
    "records and design": records_of,
    "spec": lambda path: resolve_name("privacy.release:read_spec")(path),
    "chances": lambda path: resolve_name("privacy.guarantee.channel:read_chances")(path),
    "margins": lambda path: resolve_name("privacy.estimate.calibration:read_margins")(path),
}


def add_map(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the options for a map in coordinates of one's own."""
    add_option(parser, replace(MAP, metavar="MAP", about=f"left,bottom,right,top: {about}"))
    add_option(parser, CRS)
