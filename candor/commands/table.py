"""`candor table`: the share of every combination of answers to some items, with its error."""

import argparse

from candor.commands.shared import add_cases, add_counts, add_estimator, add_records, add_sampling, sampling_of
from privacy.result import Result

NAME = "table"
HELP = "recover the joint table of some items from disguised records, with errors and feasible shares"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    parser.add_argument("--items", required=True, metavar="ITEMS", help="such as drugs,cheating")
    add_estimator(parser)
    add_cases(parser, "items of a sampled block")
    add_sampling(parser)
    add_counts(parser)


def run(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.reconstruct.tables import table

    return table(
        arguments.records,
        [item.strip() for item in arguments.items.split(",")],
        estimator=arguments.estimator,
        cases=arguments.cases,
        **sampling_of(arguments),
        design=read_design(arguments.design),
        counts=arguments.counts,
    )
