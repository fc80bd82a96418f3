"""`candor breach`: what the output of any channel can do to beliefs about its input, in exact fractions."""

import argparse

from candor.commands.shared import SWAPPED
from privacy.result import Result

NAME = "breach"
HELP = "gamma and the worst property of any channel, for any prior, and whether one belief can become another"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "channel", metavar="CHANNEL", help="a CSV file of P(output | input): a row for each input, its name first"
    )
    parser.add_argument(
        "--prior",
        metavar="FILE",
        help="a CSV file of how likely each input was thought; a further column for each who knows more of a person",
    )
    parser.add_argument(
        "--rho", metavar="RHO1,RHO2", help="can a belief of RHO1 become RHO2, or RHO2 become RHO1? such as 1/7,1/2"
    )


def run(arguments: argparse.Namespace) -> Result:
    from privacy.errors import InputError
    from privacy.guarantee.channel import breach, read_chances

    channel = read_chances(arguments.channel)
    prior = None if arguments.prior is None else read_chances(arguments.prior)
    rho = None if arguments.rho is None else arguments.rho.split(",")
    try:
        return breach(channel, prior, rho=rho)
    except InputError as error:
        try:
            breach(prior, channel, rho=rho)
        except InputError:
            raise error from None
        raise InputError(f"{error} {SWAPPED}") from None
