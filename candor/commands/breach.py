"""`candor breach`: what the output of any channel can do to beliefs about its input, in exact fractions."""

import argparse
from typing import Any

from candor.commands.shared import FILES, SWAPPED
from privacy.options import tables
from privacy.options.command_line import add_options, values_of_arguments
from privacy.result import Result

NAME = "breach"
HELP = "gamma and the worst property of any channel, for any prior, and whether one belief can become another"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "channel", metavar="CHANNEL", help="a CSV file of P(output | input): a row for each input, its name first"
    )
    add_options(parser, tables.BREACH)


def run(arguments: argparse.Namespace) -> Result:
    from privacy.errors import InputError
    from privacy.guarantee.channel import breach

    channel, options = FILES["chances"](arguments.channel), values_of_arguments(arguments, tables.BREACH, FILES)
    try:
        return breach(channel, **options)
    except InputError as error:
        if not _are_accepted(**options | {"channel": options.get("prior"), "prior": channel}):
            raise
        raise InputError(f"{error} {SWAPPED}") from None


def _are_accepted(**options: Any) -> bool:
    """Whether `breach` takes these arguments."""
    from privacy.errors import InputError
    from privacy.guarantee.channel import breach

    try:
        breach(**options)
    except InputError:
        return False
    return True
