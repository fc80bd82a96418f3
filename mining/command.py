"""`candor mine`: itemsets and rules of a file of disguised records."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from privacy.errors import InputError

if TYPE_CHECKING:
    from mining.engines.found import Found

NAME = "mine"
HELP = "association rules from disguised records, with their error"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, JSON")
    add_thresholds(parser)
    parser.add_argument(
        "--least",
        type=int,
        default=100,
        metavar="N",
        help="tell nothing that fewer respondents than this were asked all of (default 100)",
    )
    parser.add_argument("-o", "--output", metavar="RULES.csv", help="write the rules to this file")


def add_thresholds(parser: argparse.ArgumentParser) -> None:
    """What `candor mine` and `manage.py mine` ask alike."""
    parser.add_argument("--min-support", type=float, required=True, metavar="S", help="smallest support, above 0")
    parser.add_argument("--min-confidence", type=float, required=True, metavar="C", help="smallest confidence")
    parser.add_argument("--max-length", type=int, default=3, metavar="L", help="longest itemset, 1 to 6 (default 3)")
    parser.add_argument("--negated", action="store_true", help="also mine what people do not do: !drugs")
    parser.add_argument("--estimator", default="stratified", metavar="NAME", help="stratified, combined or pooled")
    parser.add_argument("--engine", default="auto", metavar="NAME", help="auto, bitset or mlxtend")


def run(arguments: argparse.Namespace) -> int:
    from mining.engines.exports import rules_csv
    from mining.engines.found import document, found
    from mining.engines.lattice import BoundReachedError
    from mining.engines.mine import Request, mine
    from privacy.cli.output import as_json
    from privacy.files import keep_inputs, read_design, whole_file
    from privacy.records import read_records

    request = Request(**{name: getattr(arguments, name) for name in (*Request.ASKED, "least")})
    if arguments.output:
        keep_inputs(arguments.output, records=arguments.records, design=arguments.design)
    design = read_design(arguments.design)
    records = read_records(arguments.records, design)
    if not len(records):
        raise InputError(f"{arguments.records}: there are no records in this file.")
    try:
        mined = mine([(records.codes, records.direct)], design, request)
    except BoundReachedError as error:
        raise InputError(str(error)) from error
    columns = found(mined)
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(columns):
                file.write(line.encode())
    if arguments.json:
        print(as_json(document(columns, mined.engine, request.estimator, mined.seconds)))
    else:
        sys.stdout.writelines(_tables(columns, mined.engine))
    return 0


def _tables(columns: Found, engine: str) -> list[str]:
    """Itemsets and rules for people to read, redundant rules left out."""
    from privacy.cli.output import as_table

    itemsets = [
        [",".join(columns.names(place)), *(float(columns.itemsets[name][place]) for name in ("support", "se"))]
        for place in range(len(columns.items))
    ]
    names = ("support", "confidence", "confidence se", "lift", "leverage", "q")
    rules = []
    for place in (~columns.rules["redundant"]).nonzero()[0].tolist():
        antecedent, consequent = columns.sides(place)
        rules.append(
            [
                f"{','.join(antecedent)} => {','.join(consequent)}",
                *(float(columns.rules[name][place]) for name in names),
            ]
        )
    hidden = len(columns.itemset) - len(rules)
    return [
        f"{as_table(['itemset', 'support', 'se'], itemsets)}\n\n",
        f"{as_table(['rule', *names], rules)}\n" if rules else "No rule reaches these thresholds.\n",
        f"({hidden} redundant rules not shown; engine {engine})\n" if hidden else f"(engine {engine})\n",
    ]
