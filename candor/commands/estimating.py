"""How figures are estimated, as the options of commands say it."""

import argparse

from privacy.choices import CASES, ESTIMATORS, EVERY_CASES, described


def add_estimator(parser: argparse.ArgumentParser) -> None:
    """Which estimator is taken."""
    usual = next(iter(ESTIMATORS))
    parser.add_argument("--estimator", default=usual, choices=tuple(ESTIMATORS), help=described(ESTIMATORS))


def add_cases(parser: argparse.ArgumentParser, of: str, *, every: bool = False) -> None:
    """Who counts where each respondent is asked only some items; `every`: also in the ways that few commands know."""
    offered = EVERY_CASES if every else CASES
    usual = next(iter(offered))
    parser.add_argument("--cases", default=usual, choices=tuple(offered), help=f"of {of}: {described(offered)}")
