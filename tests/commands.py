"""The `candor` commands: their arguments, what they print, and how they refuse."""

import argparse
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from candor.commands import all_commands, main

COMMAND_OF = {"ledger": "guarantee", "likeliest": "mine"}  # the command that has the options of another function


def arguments_of(command: str) -> dict[str, argparse.Action]:
    """Its arguments, by the names of their values."""
    parser = argparse.ArgumentParser()
    next(one for one in all_commands() if command == one.name).add_arguments(parser)
    return {action.dest: action for action in parser._actions}


@cache
def result_schema(command: str) -> Any:
    """What checks the JSON of a command."""
    schemas = [
        json.loads(path.read_text("utf-8"))
        for path in (Path(__file__).parents[1] / "privacy" / "schemas").glob("*.json")
    ]
    registry = jsonschema_rs.Registry([(schema["$id"], schema) for schema in schemas])
    return jsonschema_rs.Draft202012Validator({"$ref": f"urn:candor:results:1#/$defs/{command}"}, registry=registry)


class Shell:
    """Where commands are run: what one prints, as text or read as JSON, and the line with which one refuses."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def run(self, words: Iterable[object], status: int) -> tuple[str, str]:
        self.capsys.readouterr()
        try:
            ended: object = main([str(word) for word in words])
        except SystemExit as refused:  # by what reads the arguments
            ended = refused.code
        assert ended == status
        printed = self.capsys.readouterr()
        return printed.out, printed.err

    def out(self, *words: object) -> str:
        return self.run(words, 0)[0]

    def json(self, *words: object) -> Any:
        """But for how long it took, and as the schema of results says it."""
        document = json.loads(self.out(*words))
        assert [error.message for error in result_schema(str(words[0])).iter_errors(document)] == []
        document.pop("seconds", None)
        return document

    def refusal(self, *words: object) -> str:
        """Nothing is printed beside it."""
        out, err = self.run(words, 2)
        assert out == ""
        return err


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)
