"""A further table follows from the released one: who has both learns of nobody what the first one does not tell."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release import anonymize, as_csv, parse_spec
from privacy.release.coarsen import WITHDRAWN, coarsen
from tests.cases import first

Columns = Mapping[str, Sequence[str]]
GONE = "a program cannot know which tables are out"


@dataclass(frozen=True)
class Out:
    """A table that is out, as an attacker sees it who knows whose row may be where: the class of each person, its
    rows, and what each value of the records is called in it, by column."""

    classes: np.ndarray
    rows: Columns
    labels: Mapping[str, Mapping[str, str]]


def worlds_of(values: Mapping[str, Sequence[str]], people: int) -> list[list[tuple[str, ...]]]:
    """All that the rows of so many people may hold in these columns."""
    rows = list(product(*values.values()))
    return [list(world) for world in product(rows, repeat=people)]


def left(tables: Sequence[Out], values: Mapping[str, Sequence[str]], people: int) -> list[list[tuple[str, ...]]]:
    """The worlds in which each class of each table has just the rows that it has."""
    worlds = worlds_of(values, people)
    for table in tables:
        called = [(place, table.labels[name]) for place, name in enumerate(values) if name in table.rows]
        shown = [table.rows[name] for name in values if name in table.rows]
        for one in set(table.classes.tolist()):
            here = np.flatnonzero(table.classes == one).tolist()
            rows = sorted(tuple(column[person] for column in shown) for person in here)
            worlds = [
                world
                for world in worlds
                if sorted(tuple(label[world[person][place]] for place, label in called) for person in here) == rows
            ]
    return worlds


def learned(tables: Sequence[Out], values: Mapping[str, Sequence[str]], people: int) -> list[list[set[Any]]]:
    """Of each person what the tables leave open: of the whole row, and of each column."""
    worlds = left(tables, values, people)
    assert worlds  # the true one is among them
    return [
        [
            {world[person] for world in worlds},
            *({world[person][place] for world in worlds} for place in range(len(values))),
        ]
        for person in range(people)
    ]


def in_order(columns: Columns, order: Sequence[int]) -> dict[str, list[str]]:
    """The rows of a table in the order of the people, whom its sorting hides."""
    found = {name: [""] * len(order) for name in columns}
    for name, column in columns.items():
        for value, place in zip(column, order, strict=True):
            found[name][place] = value
    return found


def classes_by(columns: Columns, known: Sequence[str], people: int) -> np.ndarray:
    """People who are alike in what others know of them."""
    keys = [tuple(columns[name][place] for name in known) for place in range(people)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys])


SEVEN = {
    "street": list("xxxwwww"),
    "job": list("yzzyyzz"),
    "drugs": ["no", "yes", "no", "yes", "yes", "no", "no"],
    "theft": ["yes", "yes", "no", "yes", "no", "yes", "no"],
}
YES_NO = {"drugs": ("no", "yes"), "theft": ("no", "yes")}
AS_IT_IS = {name: {value: value for value in values} for name, values in YES_NO.items()}


def released(table: Columns, known: Sequence[str], k: int, **more: Any) -> tuple[Out, dict[str, list[str]]]:
    """A first table of these columns, by which the others of the table are sensitive; and its file."""
    roles = {name: {"role": "quasi" if name in known else "sensitive"} for name in table}
    made = anonymize(table, parse_spec({"attributes": roles, "model": {"k": k}, **more}))
    rows = in_order(made.columns, made.order.tolist())
    people = len(next(iter(table.values())))
    values = {name: {value: value for value in set(column)} for name, column in table.items()}
    return Out(classes_by(rows, known, people), rows, AS_IT_IS | values), made.columns


def test_two_tables_from_the_records_tell_what_neither_tells() -> None:
    """Seven people, k = 3, by street and by job: of the person at x, y theft is yes for certain. So the attack finds
    what is there to find; the rule has no second table from the records."""
    both = [released({name: SEVEN[name] for name in (known, *YES_NO)}, [known], 3)[0] for known in ("street", "job")]

    alone = [learned([one], YES_NO, 7)[0][2] for one in both]

    assert (alone, learned(both, YES_NO, 7)[0][2]) == ([{"no", "yes"}, {"no", "yes"}], {"yes"})


def test_rows_that_are_equal_in_both_tables_tell_all_the_same() -> None:
    """Five people of 20 to 39, three yes and two no; a second table “20–29 three times, 30–39 twice” has equal rows
    wherever the first has, and tells of everybody."""
    first_table = Out(np.zeros(5, int), {"drugs": ["yes", "yes", "yes", "no", "no"]}, AS_IT_IS)
    second = Out(np.array([0, 0, 0, 1, 1]), {"drugs": ["yes", "yes", "yes", "no", "no"]}, AS_IT_IS)
    values = {"drugs": ("no", "yes")}

    assert [person[1] for person in learned([first_table], values, 5)] == [{"no", "yes"}] * 5
    assert [person[1] for person in learned([first_table, second], values, 5)] == [{"yes"}] * 3 + [{"no"}] * 2


QUASI = {"age": ["20", "30", "40", "50"], "town": ["a", "b", "c"]}
COARSER = {
    "age": [["20", "young", "*"], ["30", "young", "*"], ["40", "old", "*"], ["50", "old", "*"]],
    "town": [["a", "ab", "*"], ["b", "ab", "*"], ["c", "c", "*"]],
}
VALUES = {"ill": ("cold", "flu", "hiv"), "paid": ("no", "yes")}
METHODS: list[dict[str, Any]] = [{}, {"suppression": 0.4}, {"method": "local"}, {"method": "bottom-up"}]


def further_spec(random: np.random.Generator, file: Columns) -> dict[str, Any]:
    """Some columns of a file, whose labels become two or one, or stay."""
    names = [name for name in file if random.random() < 0.7] or [next(iter(file))]
    columns: dict[str, Any] = {}
    for name in names:
        labels = sorted({*file[name]} - {"*"})
        rows = [[label, f"group {random.integers(2)}", "*"] for label in labels]
        columns[name] = {"hierarchy": rows} if labels and random.random() < 0.6 else {}
    return {"columns": columns}


def attack_further_tables(seed: int) -> tuple[list[list[set[Any]]], list[list[set[Any]]]]:
    """What a first table of random people leaves open, and what it does with one to three further ones."""
    random = np.random.default_rng(seed)
    people = int(random.integers(4, 6))
    table = {name: random.choice(values, people).tolist() for name, values in (QUASI | VALUES).items()}
    roles: dict[str, Any] = {name: {"role": "quasi", "hierarchy": rows} for name, rows in COARSER.items()}
    roles |= {"ill": {"role": "sensitive"}, "paid": {"role": ("sensitive", "insensitive")[seed // len(METHODS) % 2]}}
    made = anonymize(table, parse_spec({"attributes": roles, "model": {"k": 2}} | METHODS[seed % len(METHODS)]))
    own = in_order(made.columns, made.order.tolist())
    as_it_is = {name: {value: value for value in values} for name, values in VALUES.items()}
    tables = [Out(classes_by(own, list(QUASI), people), own, as_it_is)]
    for _ in range(int(random.integers(1, 4))):
        spec = further_spec(random, made.columns)
        calls = {
            name: {label: new for label, new, _root in entry.get("hierarchy", [])}
            for name, entry in spec["columns"].items()
        }
        rows = {name: [call.get(value, value) for value in own[name]] for name, call in calls.items()}
        file = coarsen(made.columns, spec).columns
        assert sorted(zip(*file.values(), strict=True)) == sorted(zip(*rows.values(), strict=True))
        labels = {name: {v: calls[name].get(v, v) for v in VALUES[name]} for name in VALUES if name in rows}
        tables.append(Out(classes_by(rows, [name for name in QUASI if name in rows], people), rows, labels))
    return learned(tables[:1], VALUES, people), learned(tables, VALUES, people)


@pytest.mark.parametrize("seed", first(8, range(400)))
def test_further_tables_tell_of_nobody_what_the_first_does_not(seed: int) -> None:
    """All worlds of four or five people, over whole rows: who knows the rule, everybody's quasi-identifiers and whose
    row is in which class is left with the same answers, and the same rows, by the first table and by all of them."""
    by_first, by_all = attack_further_tables(seed)

    assert by_all == by_first


def test_a_further_table_has_no_row_and_no_order_of_its_own() -> None:
    """Equal files give equal bytes in any order of rows; what is suppressed stays so, and nothing else is."""
    file = {"age": ["*", "[20, 30)", "[30, 40]"], "ill": ["flu", "cold", ""]}
    spec = {"columns": {"ill": {"hierarchy": [["flu", "any", "*"], ["cold", "any", "*"], ["", "", "*"]]}, "age": {}}}

    made = [coarsen({name: [column[place] for place in order] for name, column in file.items()}, spec).columns
            for order in ([0, 1, 2], [2, 0, 1])]  # fmt: skip

    assert made == [{"ill": ["", "any", "any"], "age": ["[30, 40]", "*", "[20, 30)"]}] * 2


def test_a_table_of_one_column_keeps_the_rows_of_those_who_gave_no_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty cell alone is no blank line, which readers of CSV skip: nobody is lost on the way through files."""
    (tmp_path / "out.csv").write_bytes(as_csv({"age": ["20", "30", "20", "30"], "ill": ["flu", "", "", "cold"]}))
    (tmp_path / "spec.json").write_text('{"columns": {"ill": {}}}')
    at = {name: str(tmp_path / name) for name in ("out.csv", "more.csv", "last.csv", "spec.json")}

    for read, written in (("out.csv", "more.csv"), ("more.csv", "last.csv")):
        assert main(["coarsen", at[read], at["spec.json"], "-o", at[written]]) == 0

    capsys.readouterr()
    assert pd.read_csv(at["last.csv"], keep_default_na=False)["ill"].tolist() == ["", "", "cold", "flu"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({}, "columns: nothing is not an object with named fields."),
        ({"columns": {}}, "columns: name at least one column that is kept."),
        ({"columns": {"zip": {}}}, "columns: the released table has no column 'zip'; it has age, ill."),
        ({"columns": {}, "model": {"k": 2}}, "spec: the key 'model' is unknown here; known keys are candor, columns."),
        (
            {"columns": {"age": {"role": "disguised"}}},
            "columns.age: the key 'role' is unknown here; known keys are hierarchy, truncate, ranges, ends, level.",
        ),
        ({"columns": {"age": {"ranges": [[0, 99]]}}}, "columns.age: '[20, 30)' is not a number."),
        ({"columns": {"age": {"truncate": [1], "level": 3}}}, "columns.age.level: 3 is not a level from 0 to 2."),
        (
            {"columns": {"ill": {"hierarchy": [["flu", "*"]]}}},
            "columns.ill: the value 'cold' of the column 'ill' is missing.",
        ),
    ],
)  # fmt: skip
def test_a_spec_names_columns_and_labels_alone(spec: dict[str, Any], said: str) -> None:
    """What would ask for a look at records, or names what the file has not, is refused in one sentence."""
    with pytest.raises(InputError) as refused:
        coarsen({"age": ["[20, 30)", "[30, 40]"], "ill": ["flu", "cold"]}, spec)

    assert str(refused.value) == said


def test_the_command_writes_the_table_and_the_design_of_what_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the released file through both files to `candor reconstruct`; a disguised column is never made coarser."""
    disguised = {"role": "disguised", "gamma": 9, "values": ["no", "yes"]}
    people = pd.DataFrame({"age": ["21", "24", "33", "38"] * 5, "ill": ["no", "yes"] * 10, "paid": ["yes", "no"] * 10})
    roles = {
        "age": {"role": "quasi", "hierarchy": [[age, "*"] for age in ("21", "24", "33", "38")]},
        "ill": disguised,
        "paid": disguised,
    }
    people.to_csv(tmp_path / "people.csv", index=False)
    ages = [[age, "all", "*"] for age in ("21", "24", "33", "38")]
    changed = [["no", "any", "*"], ["yes", "any", "*"]]
    for name, spec in {
        "first": {"attributes": roles, "model": {"k": 2}},
        "further": {"columns": {"age": {"hierarchy": ages}, "ill": {}}},
        "wrong": {"columns": {"ill": {"hierarchy": changed}}},
    }.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(spec))
    at = {name: str(tmp_path / name) for name in ("people.csv", "out.csv", "d.json", "more.csv", "more.json")}
    spec = {name: str(tmp_path / f"{name}.json") for name in ("first", "further", "wrong")}

    assert main(["anonymize", at["people.csv"], spec["first"], "-o", at["out.csv"], "--design", at["d.json"]]) == 0
    given = ["coarsen", at["out.csv"], spec["further"], "-o", at["more.csv"], "--design", at["d.json"], at["more.json"]]
    assert main(given) == 0
    first_table, further = pd.read_csv(at["out.csv"]), pd.read_csv(at["more.csv"])
    assert (list(further), set(further["age"])) == (["age", "ill"], {"all"})
    assert sorted(further["ill"]) == sorted(first_table["ill"])
    assert main(["reconstruct", at["more.csv"], at["more.json"], "--pattern", "ill=yes", "--json"]) == 0
    capsys.readouterr()
    given[2] = spec["wrong"]
    assert main(given) == 2
    said = "candor coarsen: columns.ill: its design reads it as it is disguised; keep it so, or drop it.\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("option", ["--earlier", "--fingerprint"])
def test_who_asks_for_a_comparison_with_earlier_tables_is_told_why_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    """One sentence says that a program cannot know what is out, and what to do; nothing is written."""
    given = ["anonymize", "table.csv", "spec.json", "-o", str(tmp_path / "out.csv"), option, "first.json"]

    assert main(given) == 2
    assert capsys.readouterr().err == f"candor anonymize: {WITHDRAWN}\n"
    assert GONE in WITHDRAWN
    with pytest.raises(InputError, match=GONE):
        candor.anonymize(pd.DataFrame(), {}, earlier=["first.json"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'early'"):
        candor.anonymize(pd.DataFrame(), {}, early=True)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
