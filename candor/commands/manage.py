"""`candor manage`: what `manage.py` does in a checkout, for the site that `candor serve` starts."""

import argparse

from candor.commands.serve import become

NAME = "manage"
HELP = "run a command of the site's administrator, such as backup FILE or changepassword admin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND …", help="the command; help lists them")


def run(arguments: argparse.Namespace) -> None:
    become("django", *arguments.words)
