"""`candor traces`: whether records follow their design in what is public of them."""

import argparse

NAME = "traces"
HELP = "test whether records follow their design, as forged ones may not"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("records", metavar="RECORDS", help="disguised records, .csv or .jsonl")
    parser.add_argument("design", metavar="DESIGN", help="the design they were disguised by, in JSON")
    parser.add_argument(
        "--anchor",
        action="append",
        default=[],
        metavar="ANSWER:SHARE",
        help="an answer whose share is known, such as drugs:0.12; repeatable",
    )
    parser.add_argument(
        "--arm",
        nargs=2,
        metavar=("RECORDS2", "DESIGN2"),
        help="respondents whom the lot gave another design: both must lead to the same shares",
    )


def run(arguments: argparse.Namespace) -> int:
    from privacy.design import read_design
    from privacy.errors import InputError
    from privacy.guarantee.traces import traces
    from privacy.output import as_json
    from privacy.records import read_records

    known = {}
    for text in arguments.anchor:
        answer, _, share = text.rpartition(":")
        try:
            known[answer.strip()] = float(share)
        except ValueError:
            raise InputError(f"--anchor: {text!r} is no answer and its share, such as drugs:0.12.") from None
    other = None if arguments.arm is None else read_records(arguments.arm[0], read_design(arguments.arm[1]))
    result = traces(read_records(arguments.records, read_design(arguments.design)), anchors=known, other=other)
    print(as_json(result.to_json()) if arguments.json else result)
    return 0
