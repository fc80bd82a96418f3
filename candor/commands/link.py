"""`candor link`: compare a table with names with a release: whom would an outsider find?"""

import argparse

from candor.commands.shared import FILES
from privacy.options import tables
from privacy.options.command_line import add_options, values_of_arguments
from privacy.result import Result

NAME = "link"
HELP = "link people of a table that has names with the rows of a release that fit them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("people", metavar="PEOPLE", help="a CSV file with a header and a row per person, with names")
    parser.add_argument("release", metavar="RELEASE", help="the released table, as CSV")
    add_options(parser, tables.LINK)


def run(arguments: argparse.Namespace) -> Result:
    from privacy.release import read_table
    from privacy.release.link import link_columns

    people, release = (
        {name: column.tolist() for name, column in read_table(path).items()}
        for path in (arguments.people, arguments.release)
    )
    return link_columns(people, release, **values_of_arguments(arguments, tables.LINK, FILES))
