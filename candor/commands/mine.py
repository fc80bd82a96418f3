"""`candor mine`, itemsets and rules of a file of disguised records; `candor wave`, a second wave that finds more."""

import argparse
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from candor.commands.shared import FILES, Command, add_records, options_of, records_of, sample_of
from mining.engines.options import MINE
from privacy.errors import InputError
from privacy.options import tables
from privacy.options.option import add_option, add_options, values_of_arguments
from privacy.options.tables import LIKELIEST

if TYPE_CHECKING:
    from privacy.design import Design
    from privacy.reconstruct.likeliest import Likeliest


def _add_mine(parser: argparse.ArgumentParser) -> None:
    add_records(parser)
    least_or_top = parser.add_mutually_exclusive_group(required=True)
    for one in (MINE["min_support"], LIKELIEST["top"]):
        add_option(least_or_top, replace(one, default=None))
    for one in (*MINE.for_place("command"), *LIKELIEST):
        if not one.required:
            add_option(parser, one)
    parser.add_argument("-o", "--output", metavar="RULES.csv|.graphml", help="write the rules to this file")


def _run_mine(arguments: argparse.Namespace) -> "Likeliest | None":
    if arguments.top is not None:
        return _find_likeliest(arguments)
    if strange := next((name for name in ("first", "both", "simultaneous") if getattr(arguments, name)), None):
        raise InputError(f"--{strange} goes with --top; give --top N, too.")
    from mining.engines.exports import graphml, rules_csv
    from mining.engines.findings import json_chunks
    from mining.engines.records import mine_records
    from mining.engines.request import MiningRequest
    from privacy.design import read_design
    from privacy.files import check_ending, keep_apart, whole_file

    request = MiningRequest(**{name: getattr(arguments, name) for name in (*MiningRequest.STORED, "least")})
    keep_apart({"rules": arguments.output}, records=arguments.records, design=arguments.design)
    check_ending(arguments.output, ".csv", ".graphml")
    design = read_design(arguments.design)
    found = mine_records(arguments.records, design, request, sample_of(arguments), counts=arguments.counts)
    if arguments.output:
        write = graphml if arguments.output.lower().endswith(".graphml") else rules_csv
        with whole_file(arguments.output) as file:
            for line in write(found.columns):
                file.write(line.encode())
    if arguments.json:
        sys.stdout.writelines(json_chunks(found))
    else:
        print(found)
    return None


def _find_likeliest(arguments: argparse.Namespace) -> "Likeliest":
    from privacy.reconstruct.likeliest import likeliest

    given = vars(arguments)
    offered = MINE.for_place("command")
    thresholds = {one.name: one.default for one in offered if not one.required and one.name != "counts"}
    alone = thresholds | {"output": None}
    if beside := next((name for name, value in alone.items() if (given[name] or None) != (value or None)), None):
        raise InputError(f"--{beside.replace('_', '-')} does not go with --top, which needs no search; leave it out.")
    read = partial(records_of, counts=arguments.counts)  # both waves come from the same kind of file
    options = options_of(arguments, LIKELIEST, {**FILES, "records and design": read})
    return likeliest(read((arguments.records, arguments.design)), **options)


def _add_wave(parser: argparse.ArgumentParser) -> None:
    add_records(
        parser, "records of the first wave, by a list of words, or its figures as reconstruct --json prints them"
    )
    add_options(parser, tables.WAVE)
    add_option(parser, tables.COUNTED)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the design as JSON")


def _run_wave(arguments: argparse.Namespace) -> "Design":
    from privacy.design import read_design
    from privacy.design.reading import document, mapping
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, read_text
    from privacy.reconstruct.words_sent import wave

    keep_apart({"design": arguments.output}, records=arguments.records, **{"first design": arguments.design})
    check_ending(arguments.output, ".json")
    options = values_of_arguments(arguments, tables.WAVE)
    if arguments.records.endswith(".json"):
        if arguments.counts:
            raise InputError("--counts: a report has figures and no records; leave it out.")
        report = mapping(document(read_text(arguments.records), "the report"), "report")
        design = wave(report, design=read_design(arguments.design), **options)
    else:
        design = wave(records_of((arguments.records, arguments.design), counts=arguments.counts), **options)
    if arguments.output:
        design.write(arguments.output)
    return design


COMMANDS = (
    Command("mine", "find association rules in disguised records, with errors", _add_mine, _run_mine),
    Command(
        "wave", "make the design of a second wave, for itemsets that a first wave makes likely", _add_wave, _run_wave
    ),
)
