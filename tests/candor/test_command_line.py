"""The frame every `candor` command stands in."""

import argparse
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from candor import commands as cli
from candor.commands.shared import Command
from privacy.errors import InputError
from privacy.output import as_json, as_table
from tests.cases import first


def _install(monkeypatch: pytest.MonkeyPatch, run) -> None:
    """Put one command in place of those there are."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--times", type=int)
        parser.add_argument("--most", type=float)

    monkeypatch.setattr(cli, "all_commands", lambda: [Command("weigh", "weigh a file", add_arguments, run)])


def test_a_command_runs_once_its_module_is_listed(monkeypatch, capsys):
    """One that returns nothing has printed for itself."""
    _install(monkeypatch, run=lambda arguments: print(arguments.file))

    status = cli.main(["weigh", "stone.csv"])

    assert (status, capsys.readouterr().out) == (0, "stone.csv\n")


def test_every_command_offers_json(monkeypatch, capsys):
    """`--json` belongs to the frame, so no command can forget it: what a command returns is printed either way."""

    class Weight(SimpleNamespace):
        def __str__(self) -> str:
            return "7 kg"

        def to_json(self) -> dict[str, int]:
            return {"kg": 7}

    _install(monkeypatch, run=lambda _: Weight())

    cli.main(["weigh", "stone.csv"])
    cli.main(["weigh", "stone.csv", "--json"])

    assert capsys.readouterr().out == '7 kg\n{\n  "kg": 7\n}\n'


def test_bad_input_is_one_line_and_exit_2(monkeypatch, capsys):
    """A refusal is one line on stderr naming the command, nothing on stdout, exit status 2, no traceback."""

    def refuse(arguments):
        raise InputError(f"{arguments.file}: row 3 has 4 values where the header has 5")

    _install(monkeypatch, run=refuse)

    status = cli.main(["weigh", "stone.csv"])

    captured = capsys.readouterr()
    assert (status, captured.out) == (2, "")
    assert captured.err == "candor weigh: stone.csv: row 3 has 4 values where the header has 5\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "candor: give a command: weigh; candor --help describes each\n"),
        (["weigh"], "candor weigh: the following arguments are required: file\n"),
        (["weigh", "stone.csv", "--times", "1e3"], "candor weigh: argument --times: '1e3' is not a whole number.\n"),
        (
            ["weigh", "stone.csv", "--times", "9" * 400],
            f"candor weigh: argument --times: '{'9' * 56}… is too large a number.\n",
        ),
        (["weigh", "stone.csv", "--most", "ten"], "candor weigh: argument --most: 'ten' is not a number.\n"),
        (["weigh", "stone.csv", "--fast"], "candor: unrecognized arguments: --fast\n"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(monkeypatch, capsys, arguments, line):
    """A slip in the arguments is refused like any bad input, without a page of usage."""
    _install(monkeypatch, run=lambda _: None)

    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)

    assert (stopped.value.code, capsys.readouterr().err) == (2, line)


@pytest.mark.parametrize(
    ("failure", "status", "line"),
    [
        (OSError(28, "No space left on device"), 1, "candor weigh: No space left on device\n"),
        (KeyboardInterrupt(), 130, ""),
        (MemoryError(), 1, "candor weigh: the memory of this process is not enough for it.\n"),
    ],
)
def test_what_the_input_is_not_to_blame_for_has_another_status(monkeypatch, capsys, failure, status, line):
    """A full disk is one line and exit status 1, an interrupted command says nothing; neither shows a traceback."""

    def fail(_):
        raise failure

    _install(monkeypatch, run=fail)

    assert (cli.main(["weigh", "stone.csv"]), capsys.readouterr().err) == (status, line)


def test_a_reader_that_stops_early_is_no_error():
    """`candor --help | head -0` ends quietly: nothing on stderr."""
    script = (
        "import sys\nfrom candor import commands as cli\n"
        "run = lambda a: print('x\\n' * 100000) or 0\n"
        "cli.all_commands = lambda: [cli.Command('n', 'h', lambda p: None, run)]\n"
        "sys.exit(cli.main(['n']))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()

    errors = process.stderr.read()
    process.stderr.close()

    assert (process.wait(), errors) == (0, b"")


def test_output_that_is_closed_is_no_error():
    """Who wants nothing printed, as `candor guarantee d.json >&-` says, reads of no mistake."""
    script = (
        "import sys\nfrom candor import commands as cli\n"
        "run = lambda a: sys.stdout.write('x') and 0\n"
        "cli.all_commands = lambda: [cli.Command('n', 'h', lambda p: None, run)]\n"
        "sys.exit(cli.main(['n']))"
    )
    closed = subprocess.run(["sh", "-c", 'exec "$0" -c "$1" >&-', sys.executable, script], capture_output=True)

    assert (closed.returncode, closed.stderr) == (0, b"")


@pytest.mark.parametrize("asked", first(1, [[], ["--json"]]))
def test_a_label_that_the_terminal_lacks_is_escaped_as_in_json(tmp_path, asked):
    """A terminal of ASCII gets Chinese and pictures escaped, and JSON stays JSON."""
    design = tmp_path / "design.json"
    design.write_text('{"model": "warner", "theta": 0.7, "items": ["毒💊"]}')

    done = subprocess.run(
        [sys.executable, "-m", "candor.commands", "guarantee", str(design), *asked],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u6bd2\ud83d\udc8a" in done.stdout
    if asked:
        assert json.loads(done.stdout)["blocks"][0]["items"][0]["id"] == "毒💊"


def test_json_says_infinity_as_a_word():
    """JSON has no infinite number: it is the string "Infinity", at any depth; what is not a number is null."""
    value = {"gamma": float("inf"), "blocks": [{"gamma": 2.5, "se": float("nan")}]}

    assert json.loads(as_json(value)) == {"gamma": "Infinity", "blocks": [{"gamma": 2.5, "se": None}]}


def test_json_has_numbers_alone_in_lists_of_numbers():
    """An infinite end is null, and a word beside the list says on which side it lies; what is not known has none."""
    inf, nan = float("inf"), float("nan")
    value = {"ci": {"lift": [-inf, 0.5], "support": [0.1, nan]}, "se": [[inf, 1.0], [1.0, 1.0]], "rows": ({"n": 3},)}

    written = json.loads(as_json(value))

    assert written == {
        "ci": {"lift": [None, 0.5], "lift_infinite": ["below", None], "support": [0.1, None]},
        "se": [[None, 1], [1, 1]],
        "se_infinite": [["above", None], None],
        "rows": [{"n": 3}],
    }
    assert json.loads(as_json(written)) == written


def test_a_table_aligns_words_left_and_numbers_right():
    """Numbers stand under one another, a missing one is a dash, wide characters take two columns."""
    table = as_table(["item", "support"], [["drugs", 0.123456789], ["逃税", None], ["a", 2]])

    assert table == "item    support\ndrugs  0.123457\n逃税          -\na             2"


@pytest.mark.parametrize(
    "given",
    [
        ["reconstruct", "", "design.json"],
        ["mine", "", "design.json", "--min-support", "0.1", "--min-confidence", "0.5"],
        ["guarantee", ""],
        ["measure", "", "--quasi", "age", "--sensitive", "ill"],
        ["link", "", "people.csv"],
        ["places", "", "--epsilons", "1"],
        ["breach", ""],
    ],
)
def test_a_file_without_a_name_is_one_sentence(given, tmp_path, monkeypatch, capsys):
    """A variable of a shell that is empty gives such a name; the sentence shows it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "design.json").write_text(
        '{"blocks": [{"model": "improved-grouped", "p": 0.3, "theta": 0.6, "items": ["a"]}]}'
    )

    assert cli.main(given) == 2

    assert capsys.readouterr().err == f"candor {given[0]}: path: '' is empty, so it names no file.\n"
