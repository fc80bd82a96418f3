"""Each flag that only a command has changes what it prints, writes or refuses: a small case with it, and one without.

Flags with an option of the library behind them are in tests/test_option_effects.py.
"""

import argparse
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import candor
from candor.commands import ANALYSES, all_commands, main
from tests.cases import every
from tests.commands import COMMAND_OF, arguments_of

N = 200
COIN = candor.models.improved_grouped(["drugs", "cheating"], p=0.6, theta=0.3)
LISTED = candor.models.one_of(["drugs", "cheating", "theft"], gamma=19, cap=2, direct=False)
HOURS = {"number": "square-wave", "epsilon": 2, "items": [{"id": "hours", "min": 0, "max": 60}]}
HOME = {"place": "square", "epsilon": 2, "items": [{"id": "home", "width": 100, "height": 80, "cell": 10}]}
SPEC: dict[str, Any] = {
    "attributes": {
        "age": {"role": "quasi", "hierarchy": [["30", "*"], ["40", "*"], ["50", "*"]]},
        "sex": {"role": "quasi", "hierarchy": [["f", "*"], ["m", "*"]]},
        "ill": {"role": "sensitive"},
    },
    "model": {"k": 2},
    "front": "information",
}

ADVISE = "advise --respondents 1000"
TWO = f"{ADVISE} --items 2 --gamma 19"
NAMED = f"{ADVISE} --gamma 19 --names drugs,theft"
RECONSTRUCT = "reconstruct numbers.csv numbers.json --distribution hours"
PLACE = "reconstruct places.csv places.json --distribution home"
ON_A_MAP = "disguise points.csv places.json -o made.csv --seed 1 --places home=x,y --map 0,0,1,0.8"
NORTH = "-1,59.6,1,60.4"  # of the design's shape in metres alone
IN_THE_NORTH = f"disguise north.csv places.json -o made.csv --seed 1 --places home=x,y --map {NORTH}"
ANONYMIZE = "anonymize table.csv spec.json"
COARSEN = "coarsen people.csv kept.json"

EFFECTS: dict[str, tuple[str, str]] = {  # by flag: two command lines that differ in it alone
    "advise --items": (f"{ADVISE} --gamma 19 --items 2", f"{ADVISE} --gamma 19 --items 3"),
    "advise --names": (f"{NAMED} -o made.json", f"{NAMED},lied -o made.json"),
    "advise --questions": (
        f"{ADVISE} --gamma 19 --questions two.json",
        f"{ADVISE} --gamma 19 --questions three.json",
    ),
    "advise --gamma": (f"{ADVISE} --items 2 --gamma 19", f"{ADVISE} --items 2 --gamma 9"),
    "advise --rho": (f"{ADVISE} --items 2 --rho 1/20,1/2", f"{ADVISE} --items 2 --rho 1/20,1/4"),
    "advise --epsilon": (f"{ADVISE} --items 2 --epsilon 2", f"{ADVISE} --items 2 --epsilon 1"),
    "advise --after": (NAMED, f"{NAMED} --after report.json"),
    "advise --target": (TWO, f"{TWO} --target 0.01"),
    "advise --output": (TWO, f"{TWO} -o made.json"),
    "disguise --output": (
        "disguise answers.csv coin.json --seed 1 -o made.csv",
        "disguise answers.csv coin.json --seed 1 -o made.jsonl",
    ),
    "disguise --places": (ON_A_MAP, ON_A_MAP.replace("x,y", "y,x")),
    "disguise --map": (ON_A_MAP, ON_A_MAP.replace("0,0,1,0.8", "0,0,2,1.6")),
    "disguise --crs": (IN_THE_NORTH, f"{IN_THE_NORTH} --crs EPSG:4326"),
    "reconstruct --write-weights": (
        "reconstruct people.csv coin.json --weights w",
        "reconstruct people.csv coin.json --weights w --write-weights made.csv",
    ),
    "reconstruct --distribution": ("reconstruct numbers.csv numbers.json", RECONSTRUCT),
    "reconstruct --bins": (RECONSTRUCT, f"{RECONSTRUCT} --bins 4"),
    "reconstruct --heaps": (RECONSTRUCT, f"{RECONSTRUCT} --heaps 10,20"),
    "reconstruct --above": (RECONSTRUCT, f"{RECONSTRUCT} --above 10"),
    "reconstruct --grid": (f"{PLACE} --grid 2x2", f"{PLACE} --grid 2x4"),
    "reconstruct --map": (f"{PLACE} --grid 2x2", f"{PLACE} --grid 2x2 --map 0,0,1,0.8"),
    "reconstruct --crs": (f"{PLACE} --map {NORTH}", f"{PLACE} --map {NORTH} --crs EPSG:4326"),
    "mine --output": (
        "mine people.csv coin.json --min-support 0.1 --least 1",
        "mine people.csv coin.json --min-support 0.1 --least 1 -o made.csv",
    ),
    "wave --counts": (
        "wave words.csv listed.json --respondents 5000 --top 1",
        "wave words.csv listed.json --respondents 5000 --top 1 --counts",
    ),
    "wave --output": (
        "wave words.csv listed.json --respondents 5000 --top 1 --counts",
        "wave words.csv listed.json --respondents 5000 --top 1 --counts -o made.json",
    ),
    "sql --dialect": ("sql coin.json", "sql coin.json --dialect spark"),
    "sql --length": ("sql coin.json", "sql coin.json --length 2"),
    "sql --table": ("sql coin.json", "sql coin.json --table answers"),
    "compare --later": (
        "compare people.csv coin.json --figure drugs --by sex",
        "compare people.csv coin.json --figure drugs --by sex --later people.csv coin.json",
    ),
    "coarsen --output": (f"{COARSEN} -o made.csv", f"{COARSEN} -o other.csv"),
    "coarsen --design": (f"{COARSEN} -o made.csv", f"{COARSEN} -o made.csv --design coin.json made.json"),
    "anonymize --output": (f"{ANONYMIZE} -o made.csv", f"{ANONYMIZE} -o other.csv"),
    "anonymize --design": (
        "anonymize table.csv disguised.json -o made.csv",
        "anonymize table.csv disguised.json -o made.csv --design made.json",
    ),
    "anonymize --hierarchies": (
        "anonymize table.csv proposed.json -o made.csv",
        "anonymize table.csv proposed.json -o made.csv --hierarchies made.json",
    ),
    "anonymize --report": (f"{ANONYMIZE} -o made.csv", f"{ANONYMIZE} -o made.csv --report made.json"),
    "anonymize --show-utility": (f"{ANONYMIZE} -o made.csv", f"{ANONYMIZE} -o made.csv --show-utility"),
    "anonymize --picture": (f"{ANONYMIZE} -o made.csv", f"{ANONYMIZE} -o made.csv --picture made.svg"),
    "anonymize --front": (f"{ANONYMIZE} -o made.csv", f"{ANONYMIZE} -o made.csv --front made.svg"),
    "anonymize --comparison": (
        f"{ANONYMIZE} -o made.csv --compare age",
        f"{ANONYMIZE} -o made.csv --compare age --comparison made.svg",
    ),
}


def documents() -> dict[str, Any]:
    """The files in JSON, by their names."""
    question = {"id": "a", "options": ["no", "yes"]}
    return {
        "coin.json": COIN.to_json(),
        "disguised.json": SPEC
        | {"attributes": SPEC["attributes"] | {"ill": {"role": "disguised", "gamma": 9}}, "front": "unicity"},
        "listed.json": LISTED.to_json(),
        "numbers.json": {"direct": True, "blocks": [HOURS]},
        "places.json": {"direct": True, "blocks": [HOME]},
        "two.json": {"items": [question, question | {"id": "b"}]},
        "three.json": {"items": [question, question | {"id": "b"}, question | {"id": "c"}]},
        "report.json": {"patterns": [{"pattern": "drugs", "support": 0.05}, {"pattern": "theft", "support": 0.02}]},
        "spec.json": SPEC,
        "proposed.json": SPEC | {"attributes": SPEC["attributes"] | {"age": {"role": "quasi"}}},
        "kept.json": {"columns": {"drugs": {}, "cheating": {}}},
    }


def tables() -> dict[str, pd.DataFrame]:
    """The files of rows, by their names."""
    place = pd.Series(range(N))
    said = pd.DataFrame({"drugs": (place % 3 == 0).astype(int), "cheating": (place % 4 == 0).astype(int)})
    people = said.assign(direct=0, sex=place.mod(5).lt(2).map({True: "f", False: "m"}), w=1 + place % 2)
    home = (place % 10).astype(str) + ":" + (place % 8).astype(str)
    words = candor.disguise(said.assign(theft=0), LISTED, seed=1).to_frame()
    return {
        "answers.csv": said,
        "people.csv": people,
        "counted.csv": pd.DataFrame({"direct": 0, "drugs": [1, 0, 1], "cheating": [0, 0, 1], "count": [30, 40, 9]}),
        "words.csv": words.assign(count=1 + 99 * words["theft"]),
        "numbers.csv": pd.DataFrame({"direct": 1, "hours": place % 50}),
        "places.csv": pd.DataFrame({"direct": 1, "home": home}),
        "points.csv": pd.DataFrame({"x": place % 8 / 10, "y": place % 5 / 10}),
        "north.csv": pd.DataFrame({"x": place % 8 / 10, "y": 60 + place % 4 / 10}),
        "table.csv": pd.DataFrame({"age": [30, 30, 40, 40], "sex": list("ffmm"), "ill": ["flu", "cold", "flu", "hiv"]}),
    }


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, document in documents().items():
        Path(name).write_text(json.dumps(document), encoding="utf-8")
    for name, table in tables().items():
        table.to_csv(name, index=False)
    return tmp_path


def run(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str, dict[str, bytes]]:
    """The exit status, what was printed, and the files that were made, which are taken away again."""
    status = main(line.split())
    printed = capsys.readouterr()
    made = {path.name: path.read_bytes() for path in sorted(folder.glob("*")) if path.stem in ("made", "other")}
    for name in made:
        (folder / name).unlink()
    return status, printed.out, printed.err, made


def flags_of_commands() -> set[str]:
    """Each flag by its command and its longest name, without those of options of the library."""
    found = set()
    for command in all_commands():
        own = [table for table in ANALYSES if COMMAND_OF.get(table.of, table.of) == command.name]
        of_library = {one.name for table in own for one in table.for_place("library")}
        of_library |= {one.name for one in fields(candor.Sample)}
        found |= {
            f"{command.name} {max(action.option_strings, key=len)}"
            for name, action in arguments_of(command.name).items()
            if action.option_strings and name not in {"help", *of_library} and action.help != argparse.SUPPRESS
        }
    return found


@pytest.mark.parametrize("flag", every(3, EFFECTS))
def test_a_flag_changes_what_a_command_does(flag: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed, the files or the exit status; and the command with it does its work."""
    without, with_it = EFFECTS[flag]

    before, after = run(without, folder, capsys), run(with_it, folder, capsys)

    assert before != after
    assert after[0] == 0, after[2]


def test_every_flag_of_a_command_is_tried() -> None:
    """A person who adds one adds the two command lines that tell what it does."""
    assert flags_of_commands() == EFFECTS.keys()
