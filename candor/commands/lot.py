"""`candor lot`: whether the disguise changes what people say, where a lot drew who answered directly."""

import argparse

NAME = "lot"
HELP = "tell whether the disguise changes what people say, where a lot drew who answered directly"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="records of both groups, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument(
        "--share", type=float, required=True, help="the chance of being drawn, such as 0.2: lot in the codebook"
    )
    parser.add_argument(
        "--least", type=int, default=1, help="answers that fewer of either group were asked are left out"
    )


def run(arguments: argparse.Namespace) -> int:
    from privacy.design import read_design
    from privacy.output import as_json
    from privacy.reconstruct.lot import lot
    from privacy.records import read_records

    records = read_records(arguments.records, read_design(arguments.design))
    result = lot(records, arguments.share, least=arguments.least)
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
