"""`candor table`: the share of every combination of answers to some items, with its error."""

import argparse

from candor.commands.estimating import add_cases, add_estimator
from candor.commands.sampling import add_sampling, sampling_of

NAME = "table"
HELP = "recover the joint table of some items from disguised records, with errors and feasible shares"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument("--items", required=True, metavar="ITEMS", help="such as drugs,cheating")
    add_estimator(parser)
    add_cases(parser, "items of a sampled block")
    add_sampling(parser)


def run(arguments: argparse.Namespace) -> int:
    from privacy.design import read_design
    from privacy.output import as_json
    from privacy.reconstruct.table import table
    from privacy.records import read_records

    drawn = sampling_of(arguments)
    records = read_records(arguments.records, read_design(arguments.design), open_columns=any(drawn.values()))
    items = [item.strip() for item in arguments.items.split(",")]
    result = table(records, items, estimator=arguments.estimator, cases=arguments.cases, **drawn)
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
