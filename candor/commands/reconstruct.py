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
    from privacy.output import as_json, as_table
    from privacy.reconstruct import reconstruct
    from privacy.records import read_records
    from privacy.records.files import read_design

    design = read_design(arguments.design)
    records = read_records(arguments.records, design)
    report = reconstruct(records, arguments.pattern, arguments.estimator, arguments.level)
    if arguments.json:
        print(as_json(report.to_json()))
        return 0
    print(f"{report.n} records, {report.direct} of them direct; {report.estimator} estimator")
    headings = ["pattern", "n", "observed", "support", "se", "low", "high", "feasible"]
    rows = []
    for row in report.patterns:
        low, high = row.ci or (None, None)
        feasible = round(row.feasible.support, 4) if row.feasible else None  # the digits that the fit settles
        rows.append([row.pattern, row.n, row.observed, row.support, row.se, low, high, feasible])
    print(as_table(headings, rows))
    if report.groups.answers:
        print(report.groups.advice)
    return 0
