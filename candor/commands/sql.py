"""`candor sql`: the statement that makes counts of a table of records, where that table is."""

import argparse

NAME = "sql"
HELP = "print the SQL that counts distinct records in a database, for --counts of mine, reconstruct, table and wave"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from privacy.records.counts import DIALECTS

    usual = next(iter(DIALECTS))
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument("--dialect", default=usual, choices=tuple(DIALECTS), help=f"of the database (default {usual})")
    parser.add_argument("--table", default="records", help="what stands after FROM (default records)")


def run(arguments: argparse.Namespace) -> None:
    from privacy.design import read_design
    from privacy.output import as_json
    from privacy.records.counts import statement

    written = statement(read_design(arguments.design), arguments.dialect, arguments.table)
    print(as_json({"dialect": arguments.dialect, "sql": written}) if arguments.json else written)
