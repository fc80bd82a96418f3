"""Hierarchies are trees over all values of a column, whatever they are made of, and say what is wrong with them."""

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given, strategies as st

import candor
from candor.commands import main
from privacy.errors import InputError
from privacy.release.hierarchies import (
    Hierarchy,
    by_ranges,
    by_rows,
    by_tree,
    by_truncation,
    propose_levels,
    read_hierarchy,
)
from privacy.release.specs import ColumnSpec


def lines(hierarchy: Hierarchy) -> list[list[str]]:
    """For every value its labels, from the value to the root."""
    return [
        [labels[places[value]] for labels, places in zip(hierarchy.labels, hierarchy.places, strict=True)]
        for value in range(len(hierarchy.labels[0]))
    ]


def test_a_file_is_read_as_arx_writes_it(tmp_path: Path) -> None:
    """A row per value, semicolons between the levels, no header."""
    path = tmp_path / "age.csv"
    path.write_text("34;30-39;*\n35;30-39;*\n41;40-49;*\n")

    assert lines(read_hierarchy(path)) == [["34", "30-39", "*"], ["35", "30-39", "*"], ["41", "40-49", "*"]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "x.csv: the hierarchy has no rows."),
        ([["a"]], "x.csv: the hierarchy has no level above its values; it needs at least the root."),
        ([["a", "*"], ["b"]], "x.csv: the row of 'b' has 1 levels, and the first row has 2."),
        ([["a", "*"], ["a", "*"]], "x.csv: the value 'a' appears twice."),
        (
            [["a", "g", "h", "*"], ["b", "g", "i", "*"]],
            "x.csv: 'g' of level 1 is under both 'h' and 'i'; a label must have one parent.",
        ),
        ([["a", "g"], ["b", "h"]], "x.csv: the last level has 'g' and 'h'; it needs a single root, such as *."),
    ],
)
def test_rows_that_are_no_tree_are_refused(rows: list[list[str]], sentence: str) -> None:
    """Every value has one way to a single root."""
    with pytest.raises(InputError) as refused:
        by_rows(rows, "x.csv")

    assert str(refused.value) == sentence


def test_a_value_that_is_missing_is_named_with_the_file_that_lacks_it() -> None:
    """The hierarchy is total: each value of the column stands in it."""
    hierarchy = by_rows([["f", "*"], ["m", "*"]], "sex.csv")

    with pytest.raises(InputError) as refused:
        hierarchy.encode(["f", "x", "m"], "sex")

    assert str(refused.value) == "sex.csv: the value 'x' of the column 'sex' is missing."


def test_a_branch_of_a_tree_that_is_shorter_repeats_its_label() -> None:
    """A tree becomes levels of which each is a whole domain."""
    tree = {"*": {"Europe": ["France"], "Asia": {"East": ["Japan"], "South": ["India"]}}}

    assert lines(by_tree(tree, "countries")) == [
        ["France", "Europe", "Europe", "*"],
        ["Japan", "East", "Asia", "*"],
        ["India", "South", "Asia", "*"],
    ]


def test_truncation_leaves_out_levels_that_change_nothing() -> None:
    """[5, 3, 0] of five digits: the value, three digits, nothing."""
    assert lines(by_truncation(["12300", "13500"], [5, 3, 0], "zip")) == [["12300", "123", "*"], ["13500", "135", "*"]]


def test_ranges_hold_their_lower_end_and_the_last_one_both() -> None:
    """A value on a break point is in the range that begins there; the largest is in the last range."""
    hierarchy = by_ranges(["40", "0", "19.5", "80"], [[0, 20, 40, 80], [0, 40, 80], [0, 80]], "income")

    assert lines(hierarchy) == [
        ["0", "[0, 20)", "[0, 40)", "[0, 80]"],
        ["19.5", "[0, 20)", "[0, 40)", "[0, 80]"],
        ["40", "[40, 80]", "[40, 80]", "[0, 80]"],
        ["80", "[40, 80]", "[40, 80]", "[0, 80]"],
    ]


@pytest.mark.parametrize(
    ("values", "breaks", "sentence"),
    [
        (["5"], [], "income: ranges need at least one level of break points."),
        (["5"], [[0]], "income: [0] is not a list of at least two break points."),
        (["5"], [[0, 9, 9]], "income: the break point 9 after 9 does not rise."),
        (["5"], [[0, 5, 9], [0, 4, 9]], "income: 4 is not a break point of the level below."),
        (["5"], [[0, 5, 9], [0, 5]], "income: every level must go from 0 to 9."),
        (["10"], [[0, 9]], "income: the value '10' is outside 0 to 9."),
        (["ten"], [[0, 9]], "income: 'ten' is not a number."),
        (["nan"], [[0, 9]], "income: 'nan' is not a number."),
        (["1e3000000"], [[0, 9]], "income: '1e3000000' is not a number."),
        (["5"], [["0", "1e3000000"]], "income: '1e3000000' is not a number."),
    ],
)
def test_ranges_that_do_not_fit_are_refused(values: list[str], breaks: list[list[float]], sentence: str) -> None:
    """Levels are nested, and every value is in one range."""
    with pytest.raises(InputError) as refused:
        by_ranges(values, breaks, "income")

    assert str(refused.value) == sentence


@pytest.mark.parametrize("lengths", [[3, 3, 0], [0, 3]])
def test_truncation_keeps_ever_fewer_characters(lengths: list[int]) -> None:
    """A level that kept as many characters as the one before would be no level."""
    with pytest.raises(InputError, match="are not fewer"):
        by_truncation(["12300"], lengths, "zip")


@given(
    st.lists(st.one_of(st.integers(-(10**6), 10**6).map(str), st.decimals(-1000, 1000, places=2).map(str)), min_size=1)
)
@example(["0", "0.00"])
def test_a_suggestion_for_numbers_holds_every_value(values: list[str]) -> None:
    """Whatever numbers there are, the proposed ranges cover them up to one root."""
    hierarchy = ColumnSpec("quasi", {}, "x", Path()).hierarchy(values)

    assert sorted(hierarchy.labels[0]) == sorted(set(values))
    assert len(hierarchy.labels[-1]) == 1
    assert len(hierarchy.encode(values, "x")) == len(values)


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (["1999-02-03", "2001-12-24", ""], {"truncate": [7, 4, 0]}),
        (["12300", "12345"], {"truncate": [4, 3, 2, 1, 0]}),
        (["red", "green"], {"hierarchy": [["green", "*"], ["red", "*"]]}),
        (
            ["1", "2", ""],
            {"ranges": [[1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6], [1, 1.4, 1.8, 2.2, 2.6], [1, 1.8, 2.6], [1, 2.6]]},
        ),
    ],
)
def test_dates_and_codes_are_proposed_to_be_cut(values: list[str], shape: dict[str, object]) -> None:
    """Dates lose day and month, codes their digits, and words are one step from nothing; as a spec writes it."""
    assert propose_levels(values) == shape


def test_a_missing_value_stands_by_itself_up_to_the_root() -> None:
    """Real tables have gaps: they are no number, and no reason to refuse the column."""
    hierarchy = by_ranges(["30", "", "50"], [[20, 40, 60], [20, 60]], "age")

    assert hierarchy.labels == (("30", "50", ""), ("[20, 40)", "[40, 60]", ""), ("[20, 60]", ""), ("*",))


def test_the_proposed_hierarchy_is_written_as_a_spec_takes_it(tmp_path: Path) -> None:
    """A release by the spec with what was written is the same; a spec that leaves nothing open has no proposal."""
    table = {"age": ["21", "34", "48", "63"] * 3, "day": ["2020-01-05", "2021-03-02"] * 6, "ill": ["flu", "cold"] * 6}
    roles = {"age": {"role": "quasi"}, "day": {"role": "quasi", "truncate": [4, 0]}, "ill": {"role": "sensitive"}}
    spec = {"attributes": roles, "model": {"k": 4}}
    pd.DataFrame(table).to_csv(tmp_path / "table.csv", index=False)
    files = {name: str(tmp_path / name) for name in ("table.csv", "spec.json", "out.csv", "proposed.json", "again.csv")}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    command = ["anonymize", files["table.csv"], files["spec.json"], "-o"]

    assert main([*command, files["out.csv"], "--hierarchies", files["proposed.json"]]) == 0

    written = json.loads((tmp_path / "proposed.json").read_text())
    assert written == {"attributes": {"age": {"role": "quasi", **propose_levels(table["age"])}}}
    (tmp_path / "spec.json").write_text(json.dumps(spec | {"attributes": roles | written["attributes"]}))
    assert main([*command, files["again.csv"]]) == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()
    assert main([*command, files["again.csv"], "--hierarchies", files["proposed.json"]]) == 2
    assert candor.anonymize(pd.DataFrame(table), spec).hierarchies == written
