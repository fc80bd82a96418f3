"""`candor regress`: one answer explained by others, where any of them may be disguised."""

import argparse

from candor.commands.shared import add_sampling, sampling_of
from privacy.choices import FAMILIES, ITEM_MODELS
from privacy.result import Result

NAME = "regress"
HELP = "explain one answer by others, disguised or undisguised, by logistic or linear regression"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    usual, *others = FAMILIES
    parser.add_argument(
        "records", metavar="RECORDS", help="disguised records with undisguised columns: .csv, .jsonl or .parquet"
    )
    parser.add_argument("design", metavar="DESIGN", nargs="?", help="the design they were disguised by, in JSON")
    parser.add_argument(
        "--outcome", required=True, metavar="NAME", help="such as drugs, age=50+ or an undisguised column"
    )
    parser.add_argument(
        "--on",
        default="",
        metavar="NAMES",
        help="predictors between commas: undisguised numbers, literals, direct, and products a:b",
    )
    parser.add_argument(
        "--family",
        default=usual,
        choices=tuple(FAMILIES),
        help="; ".join([f"{usual} (default): {FAMILIES[usual]}", *(f"{one}: {FAMILIES[one]}" for one in others)]),
    )
    add_sampling(parser)
    parser.add_argument(
        "--robust", action="store_true", help="robust errors, which do not assume the model of the variance"
    )
    parser.add_argument("--designs", metavar="FILE", help="several designs, a JSON object {value: design}")
    parser.add_argument("--design-column", metavar="COLUMN", help="which of them disguised a respondent's answers")
    parser.add_argument("--model", choices=ITEM_MODELS, help="another model for one item, without a design")
    parser.add_argument("--model-options", metavar="FILE", help="its item, its p, its groups, in JSON")
    parser.add_argument("--level", type=float, default=0.95, help="of the confidence intervals (default 0.95)")
    parser.add_argument("--picture", metavar="FILE", help="also write the coefficients with their intervals as SVG")


def run(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.draw.chart import svg_document
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, read_text, whole_file
    from privacy.records.open_columns import read_columns
    from privacy.regress import Respondents, read_model, regression_of
    from privacy.regress.respondents import read_designs

    if (arguments.designs is None) != (arguments.design_column is None):
        raise InputError("--designs and --design-column belong together.")
    if (arguments.model is None) != (arguments.model_options is None):
        raise InputError("--model and --model-options belong together.")
    if arguments.design is None and arguments.designs is None and arguments.model is None:
        raise InputError("DESIGN: the design of the records is missing; give a design, --designs or --model.")
    if arguments.design is not None and arguments.designs is not None:
        raise InputError("DESIGN: give one design or --designs, not both.")
    read = {"records": arguments.records, "design": arguments.design, "designs": arguments.designs}
    keep_apart({"picture": arguments.picture}, **read, options=arguments.model_options)
    check_ending(arguments.picture, ".svg")
    people = Respondents.of_columns(
        read_columns(arguments.records),
        arguments.records,
        None if arguments.design is None else read_design(arguments.design),
        None if arguments.designs is None else (read_designs(arguments.designs), arguments.design_column),
        None if arguments.model is None else read_model(arguments.model, read_text(arguments.model_options)),
    )
    result = regression_of(
        people,
        arguments.outcome,
        [word.strip() for word in arguments.on.split(",")] if arguments.on.strip() else [],
        arguments.family,
        robust=arguments.robust,
        level=arguments.level,
        **sampling_of(arguments),
    )
    if arguments.picture is not None:
        picture = result.picture()
        if not picture:
            raise InputError("--picture: there is nothing to draw without predictors.")
        with whole_file(arguments.picture) as file:
            file.write(svg_document(picture).encode())
    return result
