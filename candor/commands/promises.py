"""Commands about promises: `candor guarantee` of a design, `candor breach` of any channel."""

import argparse
from typing import Any

from candor.commands.shared import FILES, SWAPPED, Command
from privacy.options import tables
from privacy.options.option import add_options, values_of_arguments
from privacy.result import Result


def _add_guarantee(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "design",
        nargs="+",
        metavar="DESIGN",
        help="a design in JSON; of several for the same person, what they reveal together",
    )
    add_options(parser, tables.GUARANTEE)
    add_options(parser, tables.LEDGER)
    parser.set_defaults(budget=None)  # what is not typed is no mistake for one design


def _run_guarantee(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.guarantee import Guarantee, guarantee
    from privacy.guarantee.ledger import Ledger, ledger

    result: Guarantee | Ledger
    if arguments.delta is not None and arguments.respondents is None:
        raise InputError(f"--delta: {arguments.delta:g} goes with --respondents.")
    if len(arguments.design) > 1:
        if arguments.respondents is not None:
            raise InputError(f"--respondents: {arguments.respondents} goes with one design.")
        if (prior := arguments.prior) != tables.GUARANTEE["prior"].default:
            raise InputError(f"--prior: {prior} goes with one design.")
        designs = [(path, read_design(path)) for path in arguments.design]
        result = ledger(designs, **values_of_arguments(arguments, tables.LEDGER))
    elif arguments.budget is not None:
        raise InputError(f"--budget: {arguments.budget:g} goes with several designs.")
    else:
        result = guarantee(read_design(arguments.design[0]), **values_of_arguments(arguments, tables.GUARANTEE))
    return result


def _add_breach(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "channel", metavar="CHANNEL", help="a CSV file of P(output | input): a row for each input, its name first"
    )
    add_options(parser, tables.BREACH)


def _run_breach(arguments: argparse.Namespace) -> Result:
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


COMMANDS = (
    Command(
        "guarantee",
        "gamma, epsilon and the posterior bound of a design: in total, per block and per item",
        _add_guarantee,
        _run_guarantee,
    ),
    Command(
        "breach",
        "gamma and the worst property of any channel, for any prior, and whether one belief can become another",
        _add_breach,
        _run_breach,
    ),
)
