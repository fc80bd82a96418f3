"""`candor arms`: whether two arms of different strength tell the same shares."""

import argparse

NAME = "arms"
HELP = "tell whether devices disguise, where chance drew which of two strengths they use"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="records with the column arm, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument("--least", type=int, default=1, help="answers that fewer of either arm were asked are left out")


def run(arguments: argparse.Namespace) -> int:
    from privacy.design import read_design
    from privacy.output import as_json
    from privacy.reconstruct.arms import arms
    from privacy.records import read_records

    records = read_records(arguments.records, read_design(arguments.design), open_columns=True)
    result = arms(records, least=arguments.least)
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
