"""`candor traces`: whether records follow their design in what is public of them."""

import argparse

from candor.commands.shared import add_records, records_of
from privacy.result import Result
from privacy.typed import number

NAME = "traces"
HELP = "test whether records follow their design; forged ones may not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    parser.add_argument(
        "--anchor",
        action="append",
        default=[],
        metavar="ANSWER:SHARE",
        help="an answer whose share is known, such as drugs:0.12; repeatable",
    )
    parser.add_argument(
        "--arm",
        nargs=2,
        metavar=("RECORDS2", "DESIGN2"),
        help="respondents who got another design at random: both must give the same shares",
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.errors import InputError
    from privacy.guarantee.traces import traces

    known = {}
    for text in arguments.anchor:
        answer, colon, share = text.rpartition(":")
        if not colon:
            raise InputError(f"--anchor: {text!r} is not an answer and its share, such as drugs:0.12.")
        try:
            known[answer.strip()] = number(share)
        except InputError as error:
            raise InputError(f"--anchor: {error}") from None
    other = None if arguments.arm is None else records_of(*arguments.arm)
    return traces(records_of(arguments.records, arguments.design), anchors=known, other=other)
