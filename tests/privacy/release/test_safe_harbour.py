"""The list of HIPAA's safe harbour finds columns by name and by value, and a model refuses tables that have them."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release.models.limits import ENTRIES, on_list

FOUND = [
    ("patient_name", ["Ann"], "A"),
    ("lastName", ["Smith"], "A"),
    ("Home address", ["1 Main St"], "B"),
    ("zip", ["75312"], "B"),
    ("town", ["Ulm"], "B"),
    ("lat", ["48.4"], "B"),
    ("admitted", ["2024-05-17"], "C"),
    ("seen", ["5/17/2024"], "C"),
    ("seen", ["17.05.24"], "C"),
    ("seen", ["2024-05-17T10:00"], "C"),
    ("age", ["93"], "C"),
    ("contact", ["+49 731 1234567"], "D"),
    ("contact", ["(555) 123-4567"], "D"),
    ("fax", ["1"], "E"),
    ("contact", ["ann@example.org"], "F"),
    ("number", ["078-05-1120"], "G"),
    ("mrn", ["7"], "H"),
    ("insurance number", ["7"], "I"),
    ("pays", ["DE89370400440532013000"], "J"),
    ("driver licence", ["7"], "K"),
    ("VIN", ["7"], "L"),
    ("imei", ["7"], "M"),
    ("link", ["https://example.org/ann"], "N"),
    ("host", ["192.168.0.17"], "O"),
    ("fingerprint", ["7"], "P"),
    ("photo", ["7"], "Q"),
    ("person_id", ["7"], "R"),
    ("case", [f"AB{number}" for number in range(12)], "R"),
]
FREE = [
    ("age", ["31", "[80, 90]", "89", "*"]),
    ("zip", ["753", "753**", "*"]),
    ("year of birth", ["1990"]),
    ("disease", ["flu", "cold"]),
    ("weight", [str(60 + place) for place in range(20)]),
    ("version", ["1.2.3.4567"]),
    ("range", ["2020-2021", "[20, 30)"]),
    ("email", ["", "*"]),
    ("tooth", ["11-12"]),
    ("stage", ["T1", "T2"] * 10),
]


@pytest.mark.parametrize(("column", "values", "letter"), FOUND)
def test_a_column_of_each_entry_is_found(column: str, values: list[str], letter: str) -> None:
    """By an English word of its name, or by what its values look like."""
    assert [(one.column, one.letter, one.rows) for one in on_list({column: values})] == [(column, letter, len(values))]


def test_every_entry_of_the_list_is_tried() -> None:
    """Eighteen, A to R."""
    assert [entry.letter for entry in ENTRIES] == list("ABCDEFGHIJKLMNOPQR")
    assert {letter for _column, _values, letter in FOUND} == set("ABCDEFGHIJKLMNOPQR")


@pytest.mark.parametrize(("column", "values"), FREE)
def test_what_the_rule_leaves_is_not_found(column: str, values: list[str]) -> None:
    """Years, three digits of a ZIP code, ages up to 89, generalised labels, and what is missing or suppressed."""
    assert on_list({column: values}) == []


def test_a_table_with_a_column_of_the_list_is_refused_where_the_model_says_so() -> None:
    """An identifier is dropped, so it is not in the table; a day has to become coarser."""
    people = pd.DataFrame({"name": ["Ann", "Bo"], "seen": ["2024-05-17", "2024-05-18"], "ill": ["flu", "cold"]})
    spec: dict[str, Any] = {
        "attributes": {
            "name": {"role": "identifier"},
            "seen": {"role": "quasi", "truncate": [7, 4]},
            "ill": {"role": "sensitive"},
        },
        "model": {"k": 1, "safe_harbour": True},
    }

    with pytest.raises(InputError) as refused:
        candor.anonymize(people, spec)

    assert str(refused.value) == (
        "model.safe_harbour: 2 rows of the column 'seen' are on the list of safe harbour (C: days and months of a "
        "person's dates); drop it, or make it coarser."
    )
    attributes = {**spec["attributes"], "seen": {"role": "quasi"}}
    coarse = candor.anonymize(people.assign(seen="2024"), spec | {"attributes": attributes})
    assert coarse.to_frame()["seen"].tolist() == ["2024", "2024"]


def test_the_command_lists_the_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of the table, not only those that are measured."""
    table = tmp_path / "people.csv"
    table.write_text("name,age,ill\nAnn,31,flu\nBo,95,cold\n")

    assert main(["measure", str(table), "--quasi", "age", "--sensitive", "ill", "--safe-harbour", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["safe_harbour"] == [
        {"column": "name", "letter": "A", "about": "names", "rows": 2},
        {"column": "age", "letter": "C", "about": "ages above 89", "rows": 1},
    ]
