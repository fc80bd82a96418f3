"""Undisguised columns in files: written beside the answers, and read back as they were."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from privacy.design import Design
from privacy.errors import InputError
from privacy.records import Records, write_records
from privacy.records.open_columns import read_columns, records_of
from tests.refusals import refusal_of


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return tmp_path / "records.csv"


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


OPENED = Records(
    Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}),
    np.array([[1], [0], [1]], np.uint8),
    np.zeros(3, bool),
    {
        "weight": np.array([1.0, np.nan, 0.1]),
        "age": np.array([34, 5, 34]),
        "limit": np.array([np.inf, 1.0, 2.0]),
        "rural": np.array([True, False, True]),
        "town": np.array(['Ulm, "old"', None, "Köln"], object),
    },
)


def opened(name: str, values: np.ndarray) -> Records:
    """Records of one item with one undisguised column."""
    rows = len(values)
    return Records(OPENED.design, np.zeros((rows, 1), np.uint8), np.zeros(rows, bool), {name: values})


def test_open_columns_are_written_after_the_items_of_csv(csv: Path) -> None:
    """A weight and a group stay beside the answers: numbers in plain form, texts as they are, a gap left empty."""
    write_records(OPENED, csv)

    assert csv.read_text() == (
        '"direct","drugs","weight","age","limit","rural","town"\n'
        '0,1,1,34,"inf",1,"Ulm, ""old"""\n0,0,,5,1,0,\n0,1,0.1,34,2,1,"Köln"\n'
    )


def test_open_columns_are_written_after_the_items_of_json_lines(jsonl: Path) -> None:
    """Numbers are numbers, unless one is infinite, which JSON lacks; texts are texts, and nothing is null."""
    write_records(OPENED, jsonl)

    rows = [list(json.loads(line).values()) for line in jsonl.read_text().splitlines()]
    assert rows == [
        [0, 1, 1, 34, "inf", 1, 'Ulm, "old"'],
        [0, 0, None, 5, "1", 0, None],
        [0, 1, 0.1, 34, "2", 1, "Köln"],
    ]


def test_an_open_column_may_hold_more_values_than_a_scale_has_steps(csv: Path) -> None:
    """A weight of its own for each of many respondents is written like any other."""
    many = 2**16 + 1
    codes, direct = np.zeros((many, 1), np.uint8), np.zeros(many, bool)

    write_records(Records(OPENED.design, codes, direct, {"weight": np.arange(many) / 4}), csv)

    assert csv.read_text().splitlines()[-1] == "0,0,16384"


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_long_text_takes_no_memory_in_other_rows(tmp_path: Path, suffix: str) -> None:
    """One respondent may write much more than thousands of others, who all write something else."""
    texts = [f"what respondent {number} has to say" for number in range(5_000)] + ["x" * 20_000]
    records = opened("remark", np.array(texts, object))

    tracemalloc.start()
    write_records(records, tmp_path / f"records.{suffix}")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 10_000_000
    assert read_columns(tmp_path / f"records.{suffix}")["remark"].tolist() == texts


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    "text",
    [
        *("=HYPERLINK(1)", "'=1+1", "''@x", "'tis", "'", "''", "-5", "'-5", "-5-5", "+1e5", "\t=1", "＝1", 'a"b\r\n'),
        "so it went, " * 20_000,
    ],
    ids=lambda text: text[:20],
)
def test_open_texts_come_back_as_they_were(tmp_path: Path, suffix: str, text: str) -> None:
    """Also those that a spreadsheet would compute, that begin with an apostrophe, and that are very long."""
    path = tmp_path / f"records.{suffix}"

    write_records(opened("remark", np.array([text, "x"], object)), path)

    assert read_columns(path)["remark"].tolist() == [text, "x"]


def test_a_name_that_is_too_long_for_csv_is_refused_before_anything_is_written(csv: Path) -> None:
    """A reader takes a header of that length for a file whose lines do not end."""
    with pytest.raises(InputError, match=r"^The records: the name of the column .+ has too many characters for CSV\.$"):
        write_records(opened("a" * 131_073, np.array([1, 2])), csv)
    assert not csv.exists()


def test_a_text_that_is_too_long_to_be_read_is_refused_with_a_sentence(
    csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The most that is read, which no memory of a test holds, is cut to a few characters here."""
    write_records(opened("remark", np.array(["longer than that", "x"], object)), csv)
    with monkeypatch.context() as cut:
        cut.setattr("privacy.records.csv_rows.LONGEST", 10)
        with pytest.raises(InputError, match=r"is not CSV, a cell has more than 10 characters\.$"):
            read_columns(csv)
    assert read_columns(csv)["remark"].tolist() == ["longer than that", "x"]


def test_options_that_begin_with_an_apostrophe_are_read_beside_open_columns(csv: Path) -> None:
    """The apostrophe that a file may have before a formula is distinguished from one that belongs to an option."""
    items = [{"id": "x", "options": ["'=1", "=2"], "noise": [0.5, 0.5]}]
    design = Design.parse({"blocks": [{"keep": 0.5, "items": items}]})

    csv.write_text("x,age\n'=1,3\n=2,4\n'=2,5\n")
    records = records_of(read_columns(csv), design, csv)

    assert records.codes.tolist() == [[0], [1], [1]]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("remark", "\udc80", "row 1, column 'remark': '\\udc80' is not UTF-8 text."),
        ("remark", [1, 2], "row 1, column 'remark': [1, 2] is neither text nor a number, true or false."),
        (
            "remark",
            np.arange(2),
            "row 1, column 'remark': what is of type ndarray is neither text nor a number, true or false.",
        ),
        ("\udc80", "x", "the name of the column '\\udc80' is not UTF-8 text."),
    ],
    ids=["half a character", "list", "array", "name"],
)
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_what_no_file_can_hold_is_refused(tmp_path: Path, suffix: str, name: str, value: object, said: str) -> None:
    """One sentence names the column and the row, and no file appears."""
    values = np.array(["x", None], object)
    values[1] = value

    assert (
        refusal_of(lambda: write_records(opened(name, values), tmp_path / f"records.{suffix}"))
        == f"The records: {said}"
    )
    assert list(tmp_path.iterdir()) == []
