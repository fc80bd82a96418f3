"""The arguments of each `candor` command."""

import argparse

from candor.commands import all_commands

COMMAND_OF = {"ledger": "guarantee", "likeliest": "mine"}  # the command that has the options of another function


def arguments_of(command: str) -> dict[str, argparse.Action]:
    """Its arguments, by the names of their values."""
    parser = argparse.ArgumentParser()
    next(one for one in all_commands() if command == one.name).add_arguments(parser)
    return {action.dest: action for action in parser._actions}
