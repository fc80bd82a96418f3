"""`candor advise`: the design with the smallest standard error under a promise, before anyone answers."""

import argparse
from typing import TYPE_CHECKING

from candor.commands.shared import Command
from privacy.options import tables
from privacy.options.option import add_options
from privacy.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from privacy.plan import Advice
    from privacy.plan.own_draw import OwnAdvice
    from privacy.plan.proposal import Questionnaire


def _add_advise(parser: argparse.ArgumentParser) -> None:
    items = parser.add_mutually_exclusive_group(required=True)
    items.add_argument("--items", type=int, metavar="N", help="how many yes/no items")
    items.add_argument("--names", metavar="A,B", help="the names of yes/no items, such as drugs,cheating")
    items.add_argument(
        "--questions",
        metavar="FILE",
        help='JSON: {"items": [{"id": …, "options": […], "expected": …}, …]}; a number has "min" and "max", a place '
        '"width", "height", "cell" and perhaps "zones"',
    )
    parser.add_argument("--gamma", metavar="G", help="the largest gamma of a whole record")
    parser.add_argument("--epsilon", metavar="E", help="instead of gamma: its natural logarithm")
    parser.add_argument(
        "--rho", nargs="+", metavar="RHO1,RHO2", help="instead of gamma: a belief of RHO1 stays below RHO2, as 1/7,1/2"
    )
    add_options(parser, tables.ADVISE)
    parser.add_argument(
        "--after", metavar="REPORT", help="take prevalences from the JSON of reconstruct or mine of an earlier version"
    )
    parser.add_argument("--target", type=float, metavar="SE", help="the standard error you need: what would reach it?")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the recommended design as JSON")


def _run_advise(arguments: argparse.Namespace) -> None:
    from privacy.files import check_ending, keep_apart, write_files
    from privacy.output import as_json
    from privacy.plan import Advice

    keep_apart({"design": arguments.output}, questions=arguments.questions, report=arguments.after)
    check_ending(arguments.output, ".json")
    advice = _advise(arguments)
    parts: dict[str, Result] = {}
    if isinstance(advice, Advice) and arguments.target is not None:
        parts["target"] = advice.reach(arguments.target)
    if arguments.output:
        write_files({arguments.output: as_json(advice.design.to_json()).encode() + b"\n"})
    if arguments.json:
        print(as_json(advice.to_json() | {name: part.to_json() for name, part in parts.items()}))
    else:
        print(advice, *parts.values(), sep="\n\n")


def _advise(arguments: argparse.Namespace) -> "Advice | OwnAdvice | Questionnaire":
    from privacy.errors import InputError
    from privacy.files import read_text
    from privacy.options.notation import prevalence
    from privacy.plan import Brief, ExpectedItem, best_designs
    from privacy.plan.own_draw import own_draws
    from privacy.plan.proposal import GridItem, plan_questionnaire
    from privacy.plan.request import parse_questions, questions_of, with_earlier

    gamma = _gamma(arguments)
    if arguments.questions and arguments.prevalence is not None:
        raise InputError("--prevalence goes with --items or --names; in a file, give each item its own 'expected'.")
    if arguments.after and arguments.prevalence is not None:
        raise InputError("Give prevalences either as --prevalence or as --after.")
    if arguments.questions:
        questions: tuple[ExpectedItem | GridItem, ...] = parse_questions(read_text(arguments.questions))
    else:
        names = None if arguments.names is None else [name.strip() for name in arguments.names.split(",")]
        guess = None if arguments.prevalence is None else prevalence(arguments.prevalence)
        questions = questions_of(arguments.items if names is None else names, guess)
    length = min(2, len(questions)) if arguments.length is None else arguments.length
    options = tuple(option for question in questions for option in question.with_options)
    if len(options) < len(questions):
        grids = ("after", "most_asked", "target")
        _refuse(arguments, grids, "if questions have numbers or places")
        return plan_questionnaire(questions, arguments.respondents, gamma, length, arguments.direct_share)
    if arguments.after:
        options = with_earlier(options, read_text(arguments.after))
    brief = Brief(options, arguments.respondents, gamma, length, arguments.direct_share, arguments.most_asked)
    if arguments.by == "person":
        _refuse(arguments, ("target",), "if people draw")
        return own_draws(brief)
    return best_designs(brief)


def _gamma(arguments: argparse.Namespace) -> "Fraction":
    """Return γ, given directly, by ε or by two beliefs."""
    from privacy.design.arguments import read_number
    from privacy.errors import InputError
    from privacy.guarantee import gamma_of_epsilon
    from privacy.guarantee.breach import breach_limit

    if [arguments.gamma, arguments.epsilon, arguments.rho].count(None) != 2:
        raise InputError("Give the promise as --gamma, --epsilon or --rho, one of them.")
    if arguments.epsilon:
        return gamma_of_epsilon(read_number(arguments.epsilon, "epsilon"))
    if arguments.rho:
        pair = ",".join(arguments.rho).split(",")
        if len(pair) != 2:
            raise InputError(f"rho: {','.join(arguments.rho)!r} is not a pair of beliefs, such as 1/7,1/2.")
        return breach_limit(*(read_number(text, "rho") for text in pair))
    return read_number(arguments.gamma, "gamma")


def _refuse(arguments: argparse.Namespace, names: "Sequence[str]", when: str) -> None:
    """Refuse options that are not worked out for what is asked."""
    from privacy.errors import InputError

    for name in names:
        if getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} cannot be computed {when}.")


COMMANDS = (
    Command("advise", "the design with the smallest error under a given gamma or epsilon", _add_advise, _run_advise),
)
