"""`candor mine`: itemsets and rules of a file of disguised records."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from privacy.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mining.domain.outcome import Outcome

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
        help="tell nothing that fewer respondents than this were asked all of, and leave a direct group out of which "
        "fewer were (default 100)",
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
    from mining.domain.outcome import outcome
    from mining.engines.exports import rules_csv
    from mining.engines.mine import Request
    from privacy.records import read_records
    from privacy.records.files import keep_inputs, read_design, whole_file

    request = Request(**{name: getattr(arguments, name) for name in (*Request.ASKED, "least")})
    if arguments.output:
        keep_inputs(arguments.output, records=arguments.records, design=arguments.design)
    design = read_design(arguments.design)
    records = read_records(arguments.records, design)
    if not len(records):
        raise InputError(f"{arguments.records}: there are no records in this file.")
    made = outcome(lambda: [(records.codes, records.direct)], design, request)
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(made.columns):
                file.write(line.encode())
    sys.stdout.writelines(printed(made) if arguments.json else _tables(made))
    return 0


def printed(made: Outcome) -> Iterator[str]:
    """The JSON of both commands."""
    from mining.engines.exports import document

    names = ("engine", "estimator", "seconds", "n", "direct")
    return document(made.columns, **{name: made.summary[name] for name in names}, warnings=_words(made))


def _words(made: Outcome) -> list[str]:
    from django.conf import settings

    from mining.domain.warnings import words

    if not settings.configured:  # no site, so no language but that of the sentences
        settings.configure(USE_I18N=False)
    return words(made.summary["warnings"], made.summary["n"])


def _tables(made: Outcome) -> Iterator[str]:
    """Itemsets and rules for people to read, redundant rules left out."""
    from privacy.output import as_table

    columns, summary = made.columns, made.summary
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
    engine = f"engine {summary['engine']}: {summary['why']}"
    yield f"({hidden} redundant rules not shown; {engine})\n" if hidden else f"({engine})\n"
    for warning in _words(made):
        yield f"{warning}\n"
