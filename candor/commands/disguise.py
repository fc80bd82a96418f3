"""`candor disguise`: what the browser does to one respondent's answers, done to a file of them."""

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from candor.commands.shared import add_map

if TYPE_CHECKING:
    import numpy as np

    from privacy.design import Design

NAME = "disguise"
HELP = "turn a file of true answers into disguised records"
LONGEST_SEED = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answers", metavar="ANSWERS", help="true answers: .csv, .jsonl or .parquet")
    parser.add_argument("design", metavar="DESIGN", help="a design in JSON")
    parser.add_argument(
        "-o", "--output", metavar="RECORDS", required=True, help="the file to write: .csv, .jsonl or .parquet"
    )
    parser.add_argument(
        "--direct-share",
        type=_share,
        default=Fraction(0),
        metavar="K",
        help="let each respondent answer directly with this chance (default 0)",
    )
    parser.add_argument(
        "--places",
        action="append",
        default=[],
        metavar="ITEM=X,Y",
        help="take a place from these two columns of ANSWERS, in the coordinates of --map; repeatable",
    )
    add_map(parser, "where the map of the design lies, for --places")
    parser.add_argument(
        "--seed", type=_seed, metavar="N", help="repeatable randomness for studies; never use it to protect real people"
    )


def run(arguments: argparse.Namespace) -> None:
    from privacy.design import read_design
    from privacy.disguise.frame import disguised
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart
    from privacy.output import as_json, as_table
    from privacy.records import read_answer_codes, write_records
    from privacy.records.records import WRITTEN

    design = read_design(arguments.design)
    if arguments.direct_share and not design.direct:
        raise InputError("--direct-share: this design allows no direct answers.")
    keep_apart({"records": arguments.output}, answers=arguments.answers, design=arguments.design)
    check_ending(arguments.output, *WRITTEN)
    if (arguments.map is None) == bool(arguments.places):
        raise InputError("--places: give it together with --map.")
    answers = _with_places(arguments, design) if arguments.places else read_answer_codes(arguments.answers, design)
    if not len(answers):
        raise InputError(f"{arguments.answers}: there are no answers in it.")
    records = disguised(design, answers, arguments.direct_share, arguments.seed, source=arguments.design)
    write_records(records, arguments.output)
    direct = int(records.direct.sum())
    figures = {
        "n": len(records),
        "direct": direct,
        "disguised": len(records) - direct,
        "seed": arguments.seed,
    }
    print(as_json(figures) if arguments.json else as_table(list(figures), [list(figures.values())]))


def _with_places(arguments: argparse.Namespace, design: "Design") -> "np.ndarray":
    """The answers of a CSV file in which places stand as coordinates."""
    import pandas as pd

    from privacy.errors import InputError
    from privacy.places import cells
    from privacy.records import check_codes
    from privacy.records.frames import codes_of_frame
    from privacy.release.tables import read_table

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


def _share(text: str) -> Fraction:
    from privacy.design.rationals import written_fraction
    from privacy.design.reading import shown

    share = written_fraction(text)
    if share is None or not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a share from 0 to 1")
    return share


def _seed(text: str) -> int:
    from privacy.design.reading import shown

    if not text.isdecimal() or len(text) > LONGEST_SEED:
        raise argparse.ArgumentTypeError(
            f"{shown(text)} is not a whole number from 0, of {LONGEST_SEED} digits at most"
        )
    return int(text)
