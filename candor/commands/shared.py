"""Options that several commands have: of which records, drawn how, and how figures are estimated."""

import argparse
from typing import TYPE_CHECKING, Any

from privacy.choices import CASES, ESTIMATORS, EVERY_CASES, described

if TYPE_CHECKING:
    from privacy.records import Records

SWAPPED = "Are the two files swapped?"


def add_records(parser: argparse.ArgumentParser, records: str = "disguised records") -> None:
    """Add the arguments for the file of records and for its design."""
    parser.add_argument(
        "records",
        metavar="RECORDS",
        help=f"{records}: .csv, .jsonl or .parquet, or a folder, pattern or address of .parquet",
    )
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")


def add_counts(parser: argparse.ArgumentParser) -> None:
    """Add the option that says that the file has counts in place of rows."""
    parser.add_argument("--counts", action="store_true", help="RECORDS has each distinct record once, with its count")


def records_of(records: str, design: str, *, open_columns: bool = False) -> "Records":
    """Read the records from the files of the arguments."""
    from privacy.design import read_design
    from privacy.records import read_records

    return read_records(records, read_design(design), open_columns=open_columns)


def add_estimator(parser: argparse.ArgumentParser) -> None:
    usual = next(iter(ESTIMATORS))
    parser.add_argument("--estimator", default=usual, choices=tuple(ESTIMATORS), help=described(ESTIMATORS))


def add_cases(parser: argparse.ArgumentParser, of: str, *, every: bool = False) -> None:
    """Add the option for who counts in sampled blocks; `every` adds the rarely used ways."""
    offered = EVERY_CASES if every else CASES
    usual = next(iter(offered))
    parser.add_argument("--cases", default=usual, choices=tuple(offered), help=f"of {of}: {described(offered)}")


def add_map(parser: argparse.ArgumentParser, about: str) -> None:
    """Add the options for a map in coordinates of one's own."""
    parser.add_argument("--map", metavar="MAP", help=f"left,bottom,right,top, or a GeoJSON file: {about}")
    parser.add_argument(
        "--crs",
        default="planar",
        choices=("planar", "EPSG:4326"),
        help="coordinates in one unit such as metres (planar), or longitudes and latitudes, laid flat in metres",
    )


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the columns of weights, clusters and strata."""
    parser.add_argument("--weights", metavar="COLUMN", help="how many people each respondent stands for")
    parser.add_argument("--cluster", metavar="COLUMN", help="who was drawn together")
    parser.add_argument("--strata", metavar="COLUMN", help="the groups that respondents were drawn from")


def sampling_of(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in ("weights", "cluster", "strata")}
