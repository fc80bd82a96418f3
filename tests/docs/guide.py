"""Plays the examples of a guide: every command and every line of Python is run, and its output written below it.

python -m tests.docs.guide docs/rules.md      brings a guide up to date, and its picture, to be read again by its author

Guides go on with the files that the first one makes.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import candor
from candor.commands import main
from privacy.draw.chart import svg_document
from privacy.errors import InputWarning

FIRST = "ten-lines.md"
DRAWN = {  # what the examples of a guide have made, in a picture beside them
    "ten-lines": 'candor.reconstruct(records, ["drugs", "cheating", "drugs,cheating"])',
    "analysts": "table",
    "groups": 'candor.compare(together, ["drugs", "cheating => drugs"], by="town")',
    "command-line": 'candor.guarantee(candor.read_design("design.json"))',
}
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def played(text: str, folder: Path, names: dict[str, Any] | None = None) -> str:
    """Return the guide as it reads when its examples are run, one after the other, in a folder of their own.

    In a console block `$ candor …` is run, and `$ cat FILE` makes the file that it shows; a python block goes on where
    the last one ended.
    """
    names = {} if names is None else names

    def play(block: re.Match[str]) -> str:
        kind, content = block.groups()
        return f"```{kind}\n{_console(content) if kind == 'console' else _python(content, names)}```"

    with contextlib.chdir(folder):
        return BLOCK.sub(play, text)


def drawn(guide: str, folder: Path, names: dict[str, Any]) -> str:
    """The picture of a guide that was played in this folder."""
    with contextlib.chdir(folder):
        return svg_document(eval(DRAWN[guide], {"candor": candor} | names).picture())


def _console(content: str) -> str:
    printed = ""
    for command, shown in re.findall(r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", content, re.MULTILINE):
        words = shlex.split(command.replace("\\\n", " "))
        output = io.StringIO()
        if words[0] == "cat":
            Path(words[1]).write_text(shown)
            output.write(shown)
        else:
            assert words[0] == "candor", command
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                _run(words[1:])
        printed += f"$ {command}{output.getvalue()}"
    return printed


def _run(arguments: list[str]) -> None:
    os.environ["COLUMNS"] = "100"  # argparse folds help by the terminal's width
    with contextlib.suppress(SystemExit):
        main(arguments)


def _python(content: str, names: dict[str, Any]) -> str:
    printed = ""
    for example in doctest.DocTestParser().get_examples(content):
        first, *more = example.source.splitlines()
        printed += f">>> {first}\n" + "".join(f"... {line}".rstrip() + "\n" for line in more)
        output = io.StringIO()
        doubtful = warnings.catch_warnings(record=True, action="always", category=InputWarning)
        with contextlib.redirect_stdout(output), doubtful as doubts:
            exec(compile(example.source, "<guide>", "single"), names)
        printed += "".join(f"InputWarning: {doubt.message}\n" for doubt in doubts or ()) + output.getvalue()
    return printed


if __name__ == "__main__":
    for guide in map(Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            played(guide.with_name(FIRST).read_text(encoding="utf-8"), Path(folder))
            names: dict[str, Any] = {}
            guide.write_text(played(guide.read_text(encoding="utf-8"), Path(folder), names), encoding="utf-8")
            if guide.stem in DRAWN:
                guide.with_name("images").joinpath(f"{guide.stem}.svg").write_text(
                    drawn(guide.stem, Path(folder), names), encoding="utf-8"
                )
