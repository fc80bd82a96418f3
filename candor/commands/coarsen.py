"""`candor coarsen`: a further table from one that is out."""

import argparse

from candor.commands.shared import read_table_as_lists
from privacy.result import Result

NAME = "coarsen"
HELP = "make a further table from a released one: drop columns, make values coarser"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("release", metavar="RELEASE", help="the released table, as CSV")
    parser.add_argument("spec", metavar="SPEC", help="the columns that are kept, and how they become coarser, in JSON")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the CSV file to write")
    parser.add_argument(
        "--design",
        nargs=2,
        metavar=("DESIGN", "OUT"),
        help="the design of disguised columns, and the JSON file to write: that of those which are kept",
    )


def run(arguments: argparse.Namespace) -> Result:
    from pathlib import Path

    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, read_text, write_files
    from privacy.output import as_json
    from privacy.release import as_csv
    from privacy.release.coarsen import coarsen_columns

    design, kept = arguments.design or (None, None)
    keep_apart({"table": arguments.output, "design": kept}, release=arguments.release, spec=arguments.spec, read=design)
    check_ending(arguments.output, ".csv")
    check_ending(kept, ".json")
    released, spec = read_table_as_lists(arguments.release), read_text(arguments.spec)
    further = coarsen_columns(released, spec, design and read_design(design), Path(arguments.spec).parent)
    files = {arguments.output: as_csv(further.columns)}
    if kept is not None:
        if further.design is None:
            raise InputError("--design: no column that is kept is disguised, so there is no design.")
        files[kept] = as_json(further.design.to_json()).encode() + b"\n"
    write_files(files)
    return further
