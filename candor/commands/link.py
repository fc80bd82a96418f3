"""`candor link`: a table with names held against a release, to see whom an outsider would find in it."""

import argparse

from privacy.result import Result

NAME = "link"
HELP = "link people of a table that has names with the rows of a release that fit them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("people", metavar="PEOPLE", help="a CSV file with a header and a row per person, with names")
    parser.add_argument("release", metavar="RELEASE", help="the released table, as CSV")
    parser.add_argument("--spec", metavar="SPEC", help="the spec of the release: which values its labels stand for")
    parser.add_argument("--on", metavar="COLUMNS", help="the columns to compare (default: all that both have)")
    parser.add_argument("--name", metavar="COLUMN", help="that of the names (default: the first that only PEOPLE has)")
    parser.add_argument(
        "--in-order", action="store_true", help="compare each person with the row at the same place (unsorted matching)"
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.release import read_spec, read_table
    from privacy.release.link import linked

    people, release = (
        {name: column.tolist() for name, column in read_table(path).items()}
        for path in (arguments.people, arguments.release)
    )
    return linked(
        people,
        release,
        None if arguments.spec is None else read_spec(arguments.spec),
        on=None if arguments.on is None else [name.strip() for name in arguments.on.split(",")],
        name=arguments.name,
        in_order=arguments.in_order,
    )
