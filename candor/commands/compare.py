"""`candor compare`: shares and rules in subgroups and versions, and their differences with their error."""

import argparse

from candor.commands.shared import add_cases, add_estimator, add_records, add_sampling, records_of, sampling_of
from privacy.result import Result

NAME = "compare"
HELP = "compare shares and rules between subgroups, figures and versions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from privacy.reconstruct.metrics import with_error

    add_records(parser, "disguised records with undisguised columns")
    parser.add_argument(
        "--figure",
        action="append",
        required=True,
        metavar="FIGURE",
        help="a share such as drugs,!cheating or a rule such as 'drugs => cheating'; repeatable",
    )
    parser.add_argument("--by", metavar="COLUMN", help="an undisguised column whose values make the subgroups")
    parser.add_argument(
        "--measure",
        default="confidence",
        choices=[metric.key for metric in with_error()],
        help="which figure of rules to compare (default confidence)",
    )
    parser.add_argument(
        "--later",
        nargs=2,
        action="append",
        default=[],
        metavar=("RECORDS", "DESIGN"),
        help="a later version of the survey; repeatable, in their order",
    )
    add_estimator(parser)
    add_sampling(parser)
    parser.add_argument(
        "--least", type=int, default=1, help="the smallest number of respondents in a reported figure (default 1)"
    )
    add_cases(parser, "a figure of items of a sampled block")
    parser.add_argument("--level", type=float, default=0.95, help="of the confidence intervals (default 0.95)")


def run(arguments: argparse.Namespace) -> Result:
    from privacy.reconstruct.compare import compare

    versions = [(arguments.records, arguments.design), *arguments.later]
    return compare(
        {
            str(number): records_of(records, design, open_columns=True)
            for number, (records, design) in enumerate(versions, 1)
        },
        arguments.figure,
        arguments.by,
        measure=arguments.measure,
        estimator=arguments.estimator,
        least=arguments.least,
        cases=arguments.cases,
        level=arguments.level,
        **sampling_of(arguments),
    )
