"""`candor traces`: whether records follow their design in what is public of them."""

import argparse

NAME = "traces"
HELP = "test whether records follow their design, as forged ones may not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")


def run(arguments: argparse.Namespace) -> int:
    from candor.designs import read_design
    from candor.traces import traces
    from privacy.output import as_json
    from privacy.records import read_records

    result = traces(read_records(arguments.records, read_design(arguments.design)))
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
