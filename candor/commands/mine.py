"""`candor mine`: itemsets and rules of a file of disguised records."""

import argparse
import sys

from candor.commands.sampling import add_sampling, sampling_of
from mining.engines.arguments import add_request_arguments
from privacy.errors import InputError

NAME = "mine"
HELP = "association rules from disguised records, with their error"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, JSON")
    add_request_arguments(parser)
    add_sampling(parser)
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
    from candor.records import read_records
    from candor.rules import Mined
    from mining.engines.exports import printed, rules_csv
    from mining.engines.findings import findings
    from mining.engines.request import Request
    from privacy.reconstruct.sampling import Sampling
    from privacy.records.files import keep_inputs, read_design, whole_file

    request = Request(**{name: getattr(arguments, name) for name in (*Request.ASKED, "least")})
    if arguments.output:
        keep_inputs(arguments.output, records=arguments.records, design=arguments.design)
    design = read_design(arguments.design)
    drawn = sampling_of(arguments)
    records = read_records(arguments.records, design, open_columns=any(drawn.values()))
    if not len(records):
        raise InputError(f"{arguments.records}: there are no records in this file.")
    sampling = Sampling.of(records.open_columns, len(records), **drawn) if any(drawn.values()) else None
    mined = Mined(findings([(records.codes, records.direct)], design, request, sampling=sampling))
    if arguments.output:
        with whole_file(arguments.output) as file:
            for line in rules_csv(mined.findings.columns):
                file.write(line.encode())
    if arguments.json:
        sys.stdout.writelines(printed(mined.findings))
    else:
        print(mined)
    return 0
