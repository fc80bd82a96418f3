"""`candor disguise`: what the browser does to one respondent's answers, done to a file of them."""

import argparse
from fractions import Fraction

NAME = "disguise"
HELP = "turn a file of true answers into disguised records"
LONGEST_SEED = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answers", metavar="ANSWERS", help="true answers: CSV, or JSON lines if it ends in .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="a design in JSON")
    parser.add_argument("-o", "--output", metavar="RECORDS", required=True, help="the file of records to write")
    parser.add_argument(
        "--direct-share",
        type=_share,
        default=Fraction(0),
        metavar="K",
        help="let each respondent answer directly with this chance (default 0)",
    )
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

    design = read_design(arguments.design)
    if arguments.direct_share and not design.direct:
        raise InputError("--direct-share: this design allows no direct answers.")
    keep_apart({"records": arguments.output}, answers=arguments.answers, design=arguments.design)
    check_ending(arguments.output, ".csv", ".jsonl")
    answers = read_answer_codes(arguments.answers, design)
    records = disguised(design, answers, arguments.direct_share, arguments.seed)
    write_records(records, arguments.output)
    direct = int(records.direct.sum())
    figures = {
        "n": len(records),
        "direct": direct,
        "disguised": len(records) - direct,
        "seed": arguments.seed,
    }
    print(as_json(figures) if arguments.json else as_table(list(figures), [list(figures.values())]))


def _share(text: str) -> Fraction:
    from privacy.design.rationals import fraction
    from privacy.design.reading import shown

    try:
        share = fraction(float(text))
    except ValueError:
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a share from 0 to 1")
    return share


def _seed(text: str) -> int:
    from privacy.design.reading import shown

    if not text.isdecimal() or len(text) > LONGEST_SEED:
        raise argparse.ArgumentTypeError(
            f"{shown(text)} is not a whole number from 0, of {LONGEST_SEED} digits at most"
        )
    return int(text)
