"""`candor wave`: the design of a second wave, from the records of the first."""

import argparse
from typing import TYPE_CHECKING

from candor.commands.shared import add_records, records_of
from privacy.options import tables
from privacy.options.command_line import add_option, add_options, values_of_arguments

if TYPE_CHECKING:
    from privacy.design import Design

NAME = "wave"
HELP = "make the design of a second wave, for itemsets that a first wave makes likely"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_records(
        parser, "records of the first wave, by a list of words, or its figures as reconstruct --json prints them"
    )
    add_options(parser, tables.WAVE)
    add_option(parser, tables.COUNTED)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the design as JSON")


def run(arguments: argparse.Namespace) -> "Design":
    from privacy.design import read_design
    from privacy.design.reading import document, mapping
    from privacy.errors import InputError
    from privacy.files import check_ending, keep_apart, read_text
    from privacy.plan.wave import wave

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
