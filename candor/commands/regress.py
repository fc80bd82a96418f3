"""`candor regress`: one answer explained by others, where any of them may be disguised."""

import argparse

from candor.commands.shared import Command, options_of
from privacy.options import tables
from privacy.options.option import add_options
from privacy.result import Result


def _add_regress(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records", metavar="RECORDS", help="disguised records with undisguised columns: .csv, .jsonl or .parquet"
    )
    parser.add_argument("design", metavar="DESIGN", nargs="?", help="the design they were disguised by, in JSON")
    add_options(parser, tables.REGRESS)


def _run_regress(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.files import read_text
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
    people = Respondents.of_columns(
        read_columns(arguments.records),
        arguments.records,
        None if arguments.design is None else read_design(arguments.design),
        None if arguments.designs is None else (read_designs(arguments.designs), arguments.design_column),
        None if arguments.model is None else read_model(arguments.model, read_text(arguments.model_options)),
    )
    files = ("designs", "design_column", "model", "model_options")
    options = options_of(arguments, tables.REGRESS)
    return regression_of(people, **{name: value for name, value in options.items() if name not in files})


COMMANDS = (
    Command(
        "regress", "explain one answer by others, disguised or undisguised, by regression", _add_regress, _run_regress
    ),
)
