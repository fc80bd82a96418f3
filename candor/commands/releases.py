"""Commands that write tables: `candor anonymize` generalises one, `candor coarsen` makes a further one from it."""

import argparse
from dataclasses import replace

from candor.commands.shared import Command
from privacy.options import tables
from privacy.options.option import add_option
from privacy.result import Result


def _add_anonymize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("table", metavar="TABLE", help="a CSV file with a header and a row per person")
    parser.add_argument("spec", metavar="SPEC", help="roles, hierarchies, model and method in JSON")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the CSV file to write")
    parser.add_argument(
        "--design", metavar="DESIGN", help="the design of disguised columns, in JSON; publish it with OUT"
    )
    parser.add_argument(
        "--hierarchies",
        metavar="FILE",
        help="write the proposed hierarchies as attributes of a spec, in JSON; they come from TABLE, so keep them",
    )
    parser.add_argument(
        "--report", metavar="REPORT", help="a JSON file of what was done, lost and tried, to be published"
    )
    parser.add_argument(
        "--show-utility",
        action="store_true",
        help="also print what each column tells of each sensitive value; it comes from TABLE, and REPORT leaves it out",
    )
    add_option(parser, tables.ANONYMIZE["path"])
    parser.add_argument(
        "--picture",
        metavar="FILE",
        help="write the lattice as a chart, with the path if it is asked for; it comes from TABLE: do not publish it",
    )
    parser.add_argument(
        "--front", metavar="FILE", help="write the spec's front of loss and what the table tells as a chart"
    )
    parser.add_argument("--earlier", "--fingerprint", nargs="+", dest="withdrawn", help=argparse.SUPPRESS)
    add_option(parser, tables.ANONYMIZE["compare"])
    parser.add_argument("--comparison", metavar="FILE", help="write what --compare shows as a chart")


def _run_anonymize(arguments: argparse.Namespace) -> Result:
    from privacy.draw.chart import svg_document
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, write_files
    from privacy.output import as_json
    from privacy.release import as_csv, read_spec
    from privacy.release.classes import read_text_columns
    from privacy.release.coarsen import WITHDRAWN
    from privacy.release.frame import anonymize
    from privacy.release.measures.kept import picture

    if arguments.withdrawn:
        raise InputError(WITHDRAWN)
    spec = read_spec(arguments.spec)
    written = {"release": arguments.output, "report": arguments.report, "picture": arguments.picture}
    written |= {"front": arguments.front, "design": arguments.design, "comparison": arguments.comparison}
    written["hierarchies"] = arguments.hierarchies
    if spec.channels and arguments.design is None:
        disguised = ", ".join(spec.channels)
        raise InputError(f"--design: the spec disguises {disguised}, and without a design nobody can read that.")
    if arguments.design is not None and not spec.channels:
        raise InputError("--design: the spec disguises no column, so there is no design.")
    keep_apart(written, table=arguments.table, spec=arguments.spec, **spec.files)
    check_ending(arguments.output, ".csv")
    check_ending(arguments.report, ".json")
    check_ending(arguments.hierarchies, ".json")
    check_ending(arguments.picture, ".svg")
    check_ending(arguments.front, ".svg")
    check_ending(arguments.design, ".json")
    check_ending(arguments.comparison, ".svg")
    table = read_text_columns(arguments.table)
    result = anonymize(table, spec, path=arguments.path, compare=arguments.compare)
    result = replace(result, show_utility=arguments.show_utility)
    release = result.release
    if not release.columns:
        raise InputError("Every column is an identifier, so nothing is left to release.")
    files = {arguments.output: as_csv(release.columns)}
    if arguments.report is not None:
        files[arguments.report] = as_json(release.to_json()).encode() + b"\n"
    if arguments.hierarchies is not None:
        if not release.proposed:
            raise InputError("--hierarchies: the spec gives one to every quasi-identifier, so none was proposed.")
        files[arguments.hierarchies] = as_json(result.hierarchies).encode() + b"\n"
    if release.design is not None:
        files[arguments.design] = as_json(release.design.to_json()).encode() + b"\n"
    if arguments.comparison is not None:
        if not result.kept:
            raise InputError("--comparison: name the columns whose joint table is compared with --compare.")
        files[arguments.comparison] = svg_document(picture(result.kept)).encode()
    if arguments.picture is not None:
        if release.generalisation is None:
            raise InputError(f"--picture: {release.method} searches no lattice, so there is none to draw.")
        files[arguments.picture] = svg_document(result.picture()).encode()
    if arguments.front is not None:
        if not result.front:
            raise InputError('--front: the spec asks for none; name a figure, as in "front": "information".')
        files[arguments.front] = svg_document(result.front_picture()).encode()
    write_files(files)
    return result


def _add_coarsen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("release", metavar="RELEASE", help="the released table, as CSV")
    parser.add_argument("spec", metavar="SPEC", help="the columns that are kept, and how they become coarser, in JSON")
    parser.add_argument("-o", "--output", metavar="OUT", required=True, help="the CSV file to write")
    parser.add_argument(
        "--design",
        nargs=2,
        metavar=("DESIGN", "OUT"),
        help="the design of disguised columns, and the JSON file to write: that of those which are kept",
    )


def _run_coarsen(arguments: argparse.Namespace) -> Result:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, write_files
    from privacy.output import as_json
    from privacy.release import as_csv
    from privacy.release.classes import read_text_columns
    from privacy.release.coarsen import coarsen

    design, kept = arguments.design or (None, None)
    keep_apart({"table": arguments.output, "design": kept}, release=arguments.release, spec=arguments.spec, read=design)
    check_ending(arguments.output, ".csv")
    check_ending(kept, ".json")
    further = coarsen(read_text_columns(arguments.release), arguments.spec, design=design and read_design(design))
    files = {arguments.output: as_csv(further.columns)}
    if kept is not None:
        if further.design is None:
            raise InputError("--design: no column that is kept is disguised, so there is no design.")
        files[kept] = as_json(further.design.to_json()).encode() + b"\n"
    write_files(files)
    return further


COMMANDS = (
    Command(
        "anonymize",
        "disclosure control: generalise a table with a row per person until it satisfies a model such as k-anonymity",
        _add_anonymize,
        _run_anonymize,
    ),
    Command(
        "coarsen",
        "make a further table from a released one: drop columns, make values coarser",
        _add_coarsen,
        _run_coarsen,
    ),
)
