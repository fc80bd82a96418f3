"""What `candor mine` and `manage.py mine` ask alike. Nothing here is slow to import."""

import argparse

from privacy.choices import ESTIMATORS, EVERY_CASES, described

MIN_CONFIDENCE = 0.5  # where nobody has said otherwise


def add_request_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an argument for every field of a request.

    >>> parser = argparse.ArgumentParser()
    >>> add_request_arguments(parser)
    >>> parser.parse_args(["--min-support", "0.1"]).min_confidence
    0.5
    """
    parser.add_argument("--min-support", type=float, required=True, metavar="S", help="smallest support, above 0")
    parser.add_argument(
        "--min-confidence",
        type=float,
        default=MIN_CONFIDENCE,
        metavar="C",
        help=f"smallest confidence (default {MIN_CONFIDENCE})",
    )
    parser.add_argument("--max-length", type=int, default=3, metavar="L", help="longest itemset, 1 to 6 (default 3)")
    parser.add_argument("--negated", action="store_true", help="also mine negated answers, such as !drugs")
    usual, cases = next(iter(ESTIMATORS)), next(iter(EVERY_CASES))
    parser.add_argument("--estimator", default=usual, metavar="NAME", help=described(ESTIMATORS))
    parser.add_argument(
        "--cases",
        default=cases,
        metavar="NAME",
        help="of an itemset, if each respondent is asked only some items: "
        f"{described(EVERY_CASES)}, without figures after selection",
    )
    parser.add_argument(
        "--bins",
        default="",
        metavar="BINS",
        help="numbers and places as bins beside other answers: age=18,30,50;home=zones gives a number the edges "
        "between its bins and a place its zones",
    )
    parser.add_argument("--engine", default="auto", metavar="NAME", help="auto, bitset or mlxtend")
