"""How respondents were drawn, as the options of commands say it."""

import argparse
from typing import Any


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """The columns of the records that say it."""
    parser.add_argument("--weights", metavar="COLUMN", help="how many people each respondent stands for")
    parser.add_argument("--cluster", metavar="COLUMN", help="who was drawn together")
    parser.add_argument("--strata", metavar="COLUMN", help="the groups that respondents were drawn from")


def sampling_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was given of it."""
    return {name: getattr(arguments, name) for name in ("weights", "cluster", "strata")}
