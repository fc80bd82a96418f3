"""`candor mine`: itemsets and rules of a file of disguised records."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from mining.engines.arguments import add_request_arguments
from privacy.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mining.engines.findings import Findings

NAME = "mine"
HELP = "association rules from disguised records, with their error"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, JSON")
    add_request_arguments(parser)
    parser.add_argument(
        "--least",
        type=int,
        default=100,
        metavar="N",
        help="tell nothing that fewer respondents than this were asked all of, and leave a direct group out of which "
        "fewer were (default 100)",
    )
    parser.add_argument("-o", "--output", metavar="RULES.csv", help="write the rules to this file")


def run(arguments: argparse.Namespace) -> int:
    from mining.engines.exports import printed, rules_csv
    from mining.engines.findings import findings
    from mining.engines.request import Request
    from privacy.records import read_records
    from privacy.records.files import keep_inputs, read_design, whole_file

    request = Request(**{name: getattr(arguments, name) for name in (*Request.ASKED, "least")})
    if arguments.output:
        keep_inputs(arguments.output, records=arguments.records, design=arguments.design)
    design = read_design(arguments.design)
    records = read_records(arguments.records, design)
    if not len(records):
        raise InputError(f"{arguments.records}: there are no records in this file.")
    mined = findings([(records.codes, records.direct)], design, request)
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(mined.columns):
                file.write(line.encode())
    sys.stdout.writelines(printed(mined) if arguments.json else _tables(mined))
    return 0


def _tables(mined: Findings) -> Iterator[str]:
    """Itemsets and rules for people to read, redundant rules left out."""
    from mining.engines.reasons import CHOICES
    from mining.engines.warnings import sentences
    from privacy.output import as_table

    columns, summary = mined.columns, mined.summary
    omitted = summary["left_out"]
    direct = f"{summary['direct'] or omitted} of them direct{' and left out' if omitted else ''}"
    yield f"{summary['n'] + omitted} records, {direct}; {summary['estimator']} estimator\n"
    names = ["support", "se", *(["feasible"] if columns.itemsets["infeasible"].any() else [])]
    itemsets = [
        [",".join(columns.names(place)), int(columns.itemsets["n"][place])]
        + [float(columns.itemsets[name][place]) for name in names]
        for place in range(len(columns.items))
    ]
    yield f"{as_table(['itemset', 'n', *names], itemsets)}\n\n" if itemsets else "No itemset reaches this support.\n"
    fitted = ["feasible confidence"] if columns.rules["infeasible"].any() else []
    names = ["support", "confidence", "confidence se", *fitted, "lift", "leverage", "q"]
    rules = []
    for place in (~columns.rules["redundant"]).nonzero()[0].tolist():
        antecedent, consequent = columns.sides(place)
        rule = f"{','.join(antecedent)} => {','.join(consequent)}"
        rules.append([rule, *(float(columns.rules[name][place]) for name in names)])
    yield f"{as_table(['rule', *names], rules)}\n" if rules else "No rule reaches these thresholds.\n"
    hidden = len(columns.itemset) - len(rules)
    engine = f"engine {summary['engine']}: {CHOICES[summary['why']]}"
    yield f"({hidden} redundant rules not shown; {engine})\n" if hidden else f"({engine})\n"
    for warning in sentences(summary["warnings"], summary["n"]):
        yield f"{warning}\n"
