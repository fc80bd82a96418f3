"""`candor lot`: whether the disguise changes what people say, where a lot drew who answered directly."""

import argparse

from candor.commands.shared import add_records, records_of
from privacy.result import Result

NAME = "lot"
HELP = "test whether the disguise changes what people say, if direct respondents were drawn at random"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser, "records of both groups")
    parser.add_argument(
        "--share", type=float, required=True, help="the chance of being drawn, such as 0.2: lot in the codebook"
    )
    parser.add_argument(
        "--least", type=int, default=1, help="leave out answers that fewer people of either group were asked"
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.reconstruct.lot import lot

    return lot(records_of(arguments.records, arguments.design), arguments.share, least=arguments.least)
