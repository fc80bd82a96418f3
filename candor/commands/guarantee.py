"""`candor guarantee`: what a design promises to those who answer disguised, the whole record first."""

import argparse

from privacy.choices import CASES, described
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
    parser.add_argument(
        "--prior", type=float, default=0.05, help="how likely somebody thought a fact before the answer (default 0.05)"
    )
    parser.add_argument(
        "--respondents",
        type=int,
        metavar="N",
        help="how many answer disguised: shows the protection by the crowd and the effect of one forged response",
    )
    parser.add_argument("--delta", type=float, help="of the crowd: the chance that more is revealed (default 1e-6)")
    parser.add_argument(
        "--cases",
        choices=tuple(CASES),
        help=f"of forged responses, in a figure of items of a sampled block: {described(CASES)}",
    )
    parser.add_argument(
        "--measures",
        action="store_true",
        help="also show what one stored answer reveals on average: bits, and how often it is true",
    )
    parser.add_argument(
        "--budget", type=float, help="of several designs: the largest product of gamma accepted (default 19)"
    )


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
        if arguments.measures:
            raise InputError("--measures goes with one design.")
        budget = 19 if arguments.budget is None else arguments.budget
        result = ledger([(path, read_design(path)) for path in arguments.design], budget)
    elif arguments.budget is not None:
        raise InputError(f"--budget: {arguments.budget:g} goes with several designs.")
    else:
        result = guarantee(
            read_design(arguments.design[0]),
            arguments.prior,
            arguments.respondents,
            arguments.delta,
            arguments.cases,
            measures=arguments.measures,
        )
    return result
