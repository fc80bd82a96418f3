"""What commands print, and how they refuse."""

import json

from candor.commands import main


def printed(capsys, *command):
    assert main([str(word) for word in command]) == 0
    document = json.loads(capsys.readouterr().out)
    document.pop("seconds", None)
    return document


def refused(capsys, *command):
    assert main([str(word) for word in command]) == 2
    return capsys.readouterr().err
