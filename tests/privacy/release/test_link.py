"""A table with names is compared with a release: who fits which rows is what trying every pair by hand finds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import candor
from candor.commands import main

PEOPLE = pd.DataFrame({"name": ["Ada", "Bob", "Cy", "Di", "Ed"], "age": [29, 30, 36, 50, 41], "zip": ["7531"] * 5})
RELEASE = pd.DataFrame(
    {
        "age": ["[20, 30)", "[30, 40]", "[30, 40]", "50", "*"],
        "zip": ["7531", "7531", "*", "7532", "7531"],
        "disease": ["flu", "cold", "cold", "gout", "flu"],
    }
)
SPEC: dict[str, Any] = {
    "attributes": {
        "zip": {"role": "quasi", "truncate": [2, 0]},
        "town": {"role": "quasi", "hierarchy": [["Ulm", "south", "*"], ["Rom", "south", "*"], ["Kiel", "north", "*"]]},
        "disease": {"role": "sensitive"},
    },
    "model": {"k": 2},
}


def test_people_are_linked_with_the_rows_that_fit_them() -> None:
    """Counted by hand: the row that suppresses the age fits everybody, the range of 30 does not hold 29."""
    found = candor.link(PEOPLE, RELEASE)

    assert found.on == ("age", "zip")
    assert found.to_frame().to_dict("list") | {"row": []} == {
        "person": ["Ada", "Bob", "Cy", "Di", "Ed"],
        "rows": [2, 3, 3, 1, 1],
        "people": [1, 2, 2, 5, 5],
        "certainty": [1 / 2, 1 / 3, 1 / 3, 1.0, 1.0],
        "row": [],
        "disease": ["flu", None, None, "flu", "flu"],
    }
    assert found.row.tolist() == [0, 0, 0, 5, 5]
    assert (found.attack.name, found.attack.tried, found.attack.succeeded) == ("linking", 5, 2)
    assert "2 fit one row, 3 several, 0 none.\n0 fit one row that nobody else" in str(found)


def test_a_spec_says_which_values_a_label_stands_for() -> None:
    """75 is a post code cut short, south a town in the south; without the spec neither is any value's label."""
    people = pd.DataFrame({"zip": ["7531", "7611"], "town": ["Rom", "Kiel"]})
    release = pd.DataFrame({"zip": ["75", "76", "75"], "town": ["south", "north", "north"]})

    assert candor.link(people, release, SPEC).row.tolist() == [1, 2]
    assert candor.link(people, release, SPEC, on=["zip"]).rows.tolist() == [2, 1]
    assert candor.link(people, release).rows.tolist() == [0, 0]


def test_a_star_at_the_end_stands_for_any_more() -> None:
    """0213* is 02138, 02139 and 0213* again; 021* may be any of these, and 0214* none."""
    codes = pd.DataFrame({"zip": ["02138", "02141", "0213*", "021*"]})

    found = candor.link(codes, pd.DataFrame({"zip": ["0213*", "02139", "0214*"]}))

    assert found.rows.tolist() == [1, 1, 2, 3]


def test_two_releases_are_linked_by_labels_that_may_be_one_value() -> None:
    """Ranges that overlap, a label under another one: complementary release, with generalised tables on both sides."""
    first = pd.DataFrame({"age": ["[20, 40)", "[40, 60]"], "town": ["south", "Kiel"]})
    second = pd.DataFrame({"age": ["[30, 50)", "[20, 30)", "60"], "town": ["Ulm", "Ulm", "north"], "ill": list("abc")})

    assert candor.link(first, second, SPEC).rows.tolist() == [2, 1]
    assert candor.link(first, second, SPEC).revealed == {"ill": [None, "c"]}


def test_rows_in_one_order_are_linked_by_their_place() -> None:
    """Unsorted matching: what fits one row in three joins row for row, and another order shows by rows that do not."""
    first = pd.DataFrame({"age": ["[20, 40]"] * 3, "ill": ["flu", "cold", "gout"]})
    second = pd.DataFrame({"age": ["20", "30", "40"], "job": ["a", "b", "c"]})
    unlike = pd.DataFrame({"age": ["20", "50", "60"]})

    found = candor.link(first, second, in_order=True)

    assert (found.revealed, found.row.tolist(), found.in_order) == ({"job": ["a", "b", "c"]}, [1, 2, 3], 3.0)
    assert candor.link(first, unlike, in_order=True).rows.tolist() == [1, 0, 0]
    assert candor.link(first, unlike, in_order=True).in_order == 1.0
    with pytest.raises(candor.InputError, match="3 people and 5 rows are not in one order"):
        candor.link(first, RELEASE, on=["age"], in_order=True)


LABELS = {
    "0": {0}, "1": {1}, "2": {2}, "3": {3}, "[0, 2)": {0, 1}, "[1, 3]": {1, 2, 3}, "*": {0, 1, 2, 3}
}  # fmt: skip
TABLES = st.lists(st.tuples(*[st.sampled_from([*LABELS])] * 2), min_size=1, max_size=8)


@pytest.mark.filterwarnings("ignore:people.* Are the two tables swapped")
@given(TABLES, TABLES)
def test_it_finds_what_trying_every_pair_finds(people: list[tuple[str, str]], rows: list[tuple[str, str]]) -> None:
    """Whole numbers in ranges, as sets: rows fit whose sets meet in every column."""
    fits = np.array(
        [[all(LABELS[a] & LABELS[b] for a, b in zip(one, row, strict=True)) for row in rows] for one in people]
    )
    values = np.array([row[0] for row in rows])
    release = pd.DataFrame(rows, columns=["x", "y"]).assign(told=values)

    found = candor.link(pd.DataFrame(people, columns=["x", "y"]), release)

    assert found.rows.tolist() == fits.sum(axis=1).tolist()
    assert found.people.tolist() == [int(fits.sum(axis=0)[own].min()) if own.any() else 0 for own in fits]
    assert found.row.tolist() == [int(own.argmax()) + 1 if own.sum() == 1 else 0 for own in fits]
    assert found.revealed["told"] == [values[own][0] if len(set(values[own])) == 1 else None for own in fits]
    assert found.attack.succeeded == (fits.sum(axis=1) == 1).sum()


def test_the_command_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON of `candor link` is that of the library, names and all."""
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    RELEASE.to_csv(tmp_path / "release.csv", index=False)

    assert main(["link", f"{tmp_path}/people.csv", f"{tmp_path}/release.csv", "--on", "age,zip", "--json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document == candor.link(PEOPLE, RELEASE).to_json()
    assert document["people"][0] == {
        "person": "Ada", "rows": 2, "people": 1, "certainty": 0.5, "row": None, "told": {"disease": "flu"}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"on": ["disease"]}, "on: the column 'disease' is not in both tables."),
        ({"on": []}, "on: the two tables have no column in common."),
        ({"name": "who"}, "name: the table of people has no column 'who'."),
    ],
)
def test_tables_that_cannot_be_compared_are_refused(asked: dict[str, Any], said: str) -> None:
    """The sentence names the column that is missing."""
    with pytest.raises(candor.InputError) as refused:
        candor.link(PEOPLE, RELEASE, **asked)

    assert str(refused.value) == said
