"""`candor arms`: whether two arms of different strength tell the same shares."""

import argparse

from candor.commands.shared import add_records, records_of
from privacy.result import Result

NAME = "arms"
HELP = "test whether devices disguise, in a design with two random strengths"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser, "records with the column arm")
    parser.add_argument("--least", type=int, default=1, help="answers that fewer of either arm were asked are left out")


def run(arguments: argparse.Namespace) -> Result:
    from privacy.reconstruct.arms import arms

    return arms(records_of(arguments.records, arguments.design, open_columns=True), least=arguments.least)
