"""`candor guarantee`: what a design promises to those who answer disguised, the whole record first."""

import argparse

from privacy.options import tables
from privacy.options.command_line import add_options, values_of_arguments
from privacy.result import Result

NAME = "guarantee"
HELP = "gamma, epsilon and the posterior bound of a design: in total, per block and per item"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "design",
        nargs="+",
        metavar="DESIGN",
        help="a design in JSON; of several for the same person, what they reveal together",
    )
    add_options(parser, tables.GUARANTEE)
    add_options(parser, tables.LEDGER)
    parser.set_defaults(budget=None)  # what is not typed is no mistake for one design


def run(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.guarantee import Guarantee, guarantee
    from privacy.guarantee.ledger import Ledger, ledger

    result: Guarantee | Ledger
    if arguments.delta is not None and arguments.respondents is None:
        raise InputError(f"--delta: {arguments.delta:g} goes with --respondents.")
    if arguments.cases is not None and arguments.respondents is None:
        raise InputError(f"--cases: {arguments.cases} goes with --respondents.")
    if len(arguments.design) > 1:
        if arguments.respondents is not None:
            raise InputError(f"--respondents: {arguments.respondents} goes with one design.")
        if (prior := arguments.prior) != tables.GUARANTEE["prior"].default:
            raise InputError(f"--prior: {prior} goes with one design.")
        if arguments.measures:
            raise InputError("--measures goes with one design.")
        designs = [(path, read_design(path)) for path in arguments.design]
        result = ledger(designs, **values_of_arguments(arguments, tables.LEDGER))
    elif arguments.budget is not None:
        raise InputError(f"--budget: {arguments.budget:g} goes with several designs.")
    else:
        result = guarantee(read_design(arguments.design[0]), **values_of_arguments(arguments, tables.GUARANTEE))
    return result
