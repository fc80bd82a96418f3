"""`candor reconstruct`: supports of patterns from disguised records, with their error."""

import argparse

NAME = "reconstruct"
HELP = "recover the supports of patterns from disguised records, with their error"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument(
        "--pattern",
        action="append",
        required=True,
        metavar="PATTERN",
        help="such as drugs,!cheating,age=30-39; repeatable",
    )
    parser.add_argument(
        "--estimator",
        default="stratified",
        choices=("stratified", "combined", "pooled"),
        help="stratified (default) is right also when direct and disguised respondents differ",
    )
    parser.add_argument("--level", type=float, default=0.95, help="of the confidence intervals (default 0.95)")


def run(arguments: argparse.Namespace) -> int:
    from candor.designs import read_design
    from candor.estimates import reconstruct
    from privacy.output import as_json
    from privacy.records import read_records

    records = read_records(arguments.records, read_design(arguments.design))
    result = reconstruct(records, arguments.pattern, estimator=arguments.estimator, level=arguments.level)
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
