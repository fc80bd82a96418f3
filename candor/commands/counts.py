"""`candor counts`: how many people of a table have which values, with noise that hides each of them."""

import argparse

from privacy.errors import InputError
from privacy.result import Result

NAME = "counts"
HELP = "count the people of a table with noise (central differential privacy)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="a CSV file with a header and a row per person")
    parser.add_argument(
        "--column",
        required=True,
        action="append",
        metavar="NAME=VALUE,VALUE…",
        help="a column to count, with all values that it may have; repeat it for more",
    )
    parser.add_argument("--epsilon", required=True, help="of all tables together: a decimal or a fraction")
    parser.add_argument(
        "--delta", help="discrete Gaussian noise, by which ε is exceeded with this chance (else Laplace)"
    )
    parser.add_argument(
        "--table",
        dest="tables",
        action="append",
        metavar="COLUMNS",
        help="a table of several columns, such as sex,town; repeat it for more (default: each column by itself)",
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.design import arguments as read
    from privacy.release import read_table
    from privacy.release.counts import counts_of

    values: dict[str, list[str]] = {}
    for one in arguments.column:
        name, equals, listed = one.partition("=")
        if not equals or name in values:
            raise InputError(f"column: “{one}” is not a new column with its values, such as sex=f,m.")
        values[name] = listed.split(",")
    return counts_of(
        {name: column.tolist() for name, column in read_table(arguments.table).items()},
        values,
        read.written_number(arguments.epsilon, "epsilon"),
        None if arguments.delta is None else read.written_number(arguments.delta, "delta"),
        None if arguments.tables is None else [one.split(",") for one in arguments.tables],
    )
