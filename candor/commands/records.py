"""Commands that make records: `candor disguise` from true answers, `candor sql` counts of them in a database."""

import argparse
from typing import TYPE_CHECKING

from candor.commands.shared import Command, add_map
from mining.engines.options import LONGEST
from privacy.options import tables
from privacy.options.option import add_options, values_of_arguments

if TYPE_CHECKING:
    import numpy as np

    from privacy.design import Design


def _add_disguise(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answers", metavar="ANSWERS", help="true answers: .csv, .jsonl or .parquet")
    parser.add_argument("design", metavar="DESIGN", help="a design in JSON")
    parser.add_argument(
        "-o", "--output", metavar="RECORDS", required=True, help="the file to write: .csv, .jsonl or .parquet"
    )
    add_options(parser, tables.DISGUISE)
    parser.add_argument(
        "--places",
        action="append",
        default=[],
        metavar="ITEM=X,Y",
        help="take a place from these two columns of ANSWERS, in the coordinates of --map; repeatable",
    )
    add_map(parser, "where the map of the design lies, for --places")


def _run_disguise(arguments: argparse.Namespace) -> None:
    from fractions import Fraction

    from privacy.design import read_design
    from privacy.disguise.frame import disguise_rows
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart
    from privacy.output import as_json, as_table
    from privacy.records import read_answer_codes, write_records
    from privacy.records.records import LAYOUTS

    design = read_design(arguments.design)
    options = {"direct": Fraction(0), "seed": None} | values_of_arguments(arguments, tables.DISGUISE)
    if options["direct"] and not design.direct:
        raise InputError("--direct: this design allows no direct answers.")
    keep_apart({"records": arguments.output}, answers=arguments.answers, design=arguments.design)
    check_ending(arguments.output, *LAYOUTS)
    if (arguments.map is None) == bool(arguments.places):
        raise InputError("--places: give it together with --map.")
    answers = _with_places(arguments, design) if arguments.places else read_answer_codes(arguments.answers, design)
    if not len(answers):
        raise InputError(f"{arguments.answers}: there are no answers in it.")
    records = disguise_rows(design, answers, **options, source=arguments.design)
    write_records(records, arguments.output)
    direct = int(records.direct.sum())
    figures = {"n": len(records), "direct": direct, "disguised": len(records) - direct, "seed": options["seed"]}
    print(as_json(figures) if arguments.json else as_table(list(figures), [list(figures.values())]))


def _with_places(arguments: argparse.Namespace, design: "Design") -> "np.ndarray":
    """The answers of a CSV file in which places stand as coordinates."""
    import pandas as pd

    from privacy.errors import InputError
    from privacy.places import cells
    from privacy.records import check_codes
    from privacy.records.frames import codes_of_frame
    from privacy.release.classes import read_table

    frame = pd.DataFrame(read_table(arguments.answers))
    for written in arguments.places:
        item, _, columns = written.partition("=")
        names = columns.split(",")
        found = cells(frame, design, item, names, map=arguments.map, crs=arguments.crs)
        frame = frame.drop(columns=names).assign(**{item: found})
    if unknown := set(frame.columns) - {item.id for item in design.items}:
        raise InputError(f"{arguments.answers}: the design has no item {min(unknown)!r}.")
    codes = codes_of_frame(frame, design, design.answer_fields)
    check_codes(design, codes, may_be_complete=True, source=arguments.answers, first_row=2)
    return codes


def _add_sql(parser: argparse.ArgumentParser) -> None:
    from privacy.records.sql import DIALECTS

    usual = next(iter(DIALECTS))
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument("--dialect", default=usual, choices=tuple(DIALECTS), help=f"of the database (default {usual})")
    parser.add_argument("--table", default="records", help="what stands after FROM (default records)")
    parser.add_argument(
        "--length",
        type=int,
        choices=range(1, LONGEST + 1),
        help="count tables of few items, in which any L items are together, in place of distinct records",
    )


def _run_sql(arguments: argparse.Namespace) -> None:
    from privacy.design import read_design
    from privacy.output import as_json
    from privacy.records.sql import statement

    written = statement(read_design(arguments.design), arguments.dialect, arguments.table, arguments.length)
    print(as_json({"dialect": arguments.dialect, "sql": written}) if arguments.json else written)


COMMANDS = (
    Command("disguise", "randomise a file of true answers (disguise)", _add_disguise, _run_disguise),
    Command(
        "sql",
        "print the SQL that counts records where they lie, for --counts of mine, reconstruct, table and wave",
        _add_sql,
        _run_sql,
    ),
)
