"""docs/formats.md names every option of every command in its synopsis, and no other."""

import argparse
import re
from typing import Any

import pytest

from candor.commands import all_commands
from tests.servers import ROOT

FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
SYNOPSIS = "\n" + FORMATS[FORMATS.index("```\ncandor guarantee") :].split("```")[1]
SAMPLE = FORMATS.split("`[SAMPLE]` is\n`")[1].split("`")[0]
ABBREVIATED = {"-o": "--output"}


@pytest.mark.parametrize("command", all_commands(), ids=lambda module: module.name)
def test_the_synopsis_of_a_command_names_its_options(command: Any) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    command.add_arguments(parser)
    there = {
        next(one for one in action.option_strings if one.startswith("--"))
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    }
    said = SYNOPSIS.split(f"\ncandor {command.name}")[1].split("\ncandor ")[0].replace("[SAMPLE]", SAMPLE)
    written = {ABBREVIATED.get(option, option) for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", said)}
    assert written == there
