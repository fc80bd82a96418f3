"""Answers and records in files: CSV and JSON lines, read and written, and what is refused."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candor
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.errors import InputError
from privacy.records import Records, read_answer_codes, read_records, write_records
from tests.cases import first
from tests.codes import NOT_ASKED
from tests.refusals import refusal_of

PAPER = Design.parse(
    {
        "direct": True,
        "blocks": [
            {
                "keep": 0.3,
                "items": [
                    {"id": "drugs", "theta": 0.6},
                    {"id": "age", "options": ["18-29", "30-49", "50+"], "noise": [0.4, 0.4, 0.2]},
                ],
            }
        ],
    }
)
SAMPLED = Design.parse(
    {
        "direct": True,
        "blocks": [
            {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.6}], "ask": 1},
            {"keep": 0.3, "items": [{"id": "c", "theta": 0.6}]},
        ],
    }
)


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(path: Path, text: str | bytes, design: Design = PAPER) -> str:
    """Return what is said of a file of records that cannot be read, without its folder."""
    with pytest.raises(InputError) as refusal:
        read_records(write(path, text), design)
    assert "\n" not in str(refusal.value)
    return str(refusal.value).replace(str(path), path.name)


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return tmp_path / "records.csv"


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    return tmp_path / "records.jsonl"


def test_csv_is_written_by_the_documented_form(csv: Path) -> None:
    """A column direct, a column per item, labels for options, nothing where an item was not asked."""
    records = Records(SAMPLED, np.array([[1, NOT_ASKED, 0], [NOT_ASKED, 0, 1]], np.uint8), np.array([True, False]))

    write_records(records, csv)

    assert csv.read_text() == '"direct","a","b","c"\n1,1,,0\n0,,0,1\n'


@pytest.mark.parametrize("value", ["[1, 2]", '{"drugs": 0}', "NaN", "[]", '["a", "drugs"]'])
def test_an_open_value_of_another_kind_is_passed_over(jsonl: Path, value: str) -> None:
    """A list or an object may stand beside the answers of any row."""
    rows = [f'{{"direct": 0, "w": {each}, "drugs": 1, "age": "50+"}}' for each in ("1", value, '"x"')]

    assert read_records(write(jsonl, "\n".join(rows)), PAPER).codes.tolist() == [[1, 2]] * 3


@pytest.mark.parametrize("value", ['"x', '"x\\"', "", "1 2", "[1"])
@pytest.mark.parametrize("row", [1, 2])
def test_an_open_value_that_does_not_end_is_refused(jsonl: Path, value: str, row: int) -> None:
    """The row is named, wherever in the file it stands."""
    values = ["1", "2"]
    values[row - 1] = value
    rows = [f'{{"direct": 0, "drugs": 1, "age": "50+", "w": {each}}}' for each in values]

    assert refused(jsonl, "\n".join(rows)) == f"records.jsonl: row {row} is not a JSON object."


def test_json_lines_are_written_by_the_documented_form(jsonl: Path) -> None:
    """The same keys, numbers for yes and no, labels for options, null where an item was not asked."""
    write_records(Records(PAPER, np.array([[1, 2], [0, 0]], np.uint8), np.array([True, False])), jsonl)

    rows = [json.loads(line) for line in jsonl.read_text().splitlines()]
    assert rows == [{"direct": 1, "drugs": 1, "age": "50+"}, {"direct": 0, "drugs": 0, "age": "18-29"}]


@pytest.mark.parametrize(("rows", "suffix"), first(10, product([0, 1, 1_000, 40_000], ["csv", "jsonl", "parquet"])))
def test_records_come_back_as_they_were_written(tmp_path: Path, suffix: str, rows: int) -> None:
    """Writing and reading loses nothing, with labels that need quotation marks, over many groups of rows."""
    labels = ["plain", 'said "yes"', "逃税", "a b"]
    items = [{"id": f"i{j}", "options": labels, "noise": [0.25] * 4} for j in range(29)]
    design = Design.parse(
        {
            "direct": True,
            "blocks": [{"keep": 0.5, "items": items, "ask": 20}, {"flips": [0.5, 0.5], "items": [{"id": "f"}]}],
        }
    )
    rng = np.random.default_rng(1)
    answers = np.hstack([rng.integers(0, 4, (rows, 29)), rng.integers(0, 2, (rows, 1))])
    records = disguise(design, answers, rng.random(rows) < 0.2, words_from_seed(1))

    write_records(records, tmp_path / f"records.{suffix}")
    back = read_records(tmp_path / f"records.{suffix}", design)

    assert (back.codes == records.codes).all()
    assert (back.direct == records.direct).all()


def test_columns_may_come_in_any_order(csv: Path, jsonl: Path) -> None:
    """A column is known by its name; in JSON lines even from row to row."""
    write(csv, "age,direct,drugs\n50+,0,1\n18-29,1,0\n")
    write(jsonl, '{"age":"50+","direct":0,"drugs":1}\n{"direct":1,"drugs":0,"age":"18-29"}\n')

    tables = [read_records(path, PAPER) for path in (csv, jsonl)]

    assert [table.codes.tolist() for table in tables] == [[[1, 2], [0, 0]]] * 2
    assert [table.direct.tolist() for table in tables] == [[False, True]] * 2


@pytest.mark.parametrize(
    "text",
    [
        "direct,drugs,age\r\n0,1,50+\r\n1,0,18-29\r\n",
        "direct,drugs,age\n0,1,50+\n1,0,18-29",
        '\ufeff"direct","drugs","age"\n"0","1","50+"\n"1","0","18-29"\n',
    ],
    ids=["carriage returns", "no last line end", "byte order mark and quotation marks"],
)
def test_csv_of_other_programs_is_read(csv: Path, text: str) -> None:
    """What spreadsheets write is the same table."""
    records = read_records(write(csv, text), PAPER)

    assert (records.codes.tolist(), records.direct.tolist()) == ([[1, 2], [0, 0]], [False, True])


def test_json_answers_may_be_true_false_and_numbers_for_number_labels(jsonl: Path) -> None:
    """A yes/no answer may be true or false, and an option labelled 3 the number 3."""
    scale = {"id": "s", "options": ["1", "2", "3"], "noise": [0.5, 0.25, 0.25]}
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.5}, scale]}]})

    codes = read_answer_codes(write(jsonl, '{"a":true,"s":3}\n{"a":0,"s":"1"}\n'), design)

    assert codes.tolist() == [[1, 2], [0, 0]]


@pytest.mark.parametrize(
    "odd",
    [
        '{ "drugs":1,"age":"50+","direct":0}',
        '{"drugs": 1, "age": "50+", "direct": 0}',
        '{"drugs":true,"age":"\\u0035\\u0030+","direct":false} ',
        '\t{"age":"50+","drugs":"1","direct":"0"}\r',
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_json_lines_need_not_be_written_alike(jsonl: Path, odd: str, place: int) -> None:
    """However a row is written, and wherever it stands."""
    rows = ['{"drugs":0,"age":"18-29","direct":1}'] * 2
    rows.insert(place, odd)

    records = read_records(write(jsonl, "\n".join(rows)), PAPER)

    expected = [[0, 0]] * 2
    expected.insert(place, [1, 2])
    assert records.codes.tolist() == expected
    assert records.direct.tolist() == [row != odd for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        'note,direct,age,drugs,faculty\n"a, ""b""\nc",0,50+,1,law\n=1,1,18-29,0,\n',
        '{"direct":0,"drugs":1,"age":"50+","note":"a, \\"b\\"","cars":[1]}\n{"direct":1,"drugs":0,"age":"18-29"}\n',
    ],
    ids=["csv", "jsonl"],
)
def test_open_answers_may_stand_beside_records(tmp_path: Path, text: str) -> None:
    """As the files that leave a site have them: whatever they hold, the records are those of the other columns."""
    path = tmp_path / ("records.jsonl" if text.startswith("{") else "records.csv")
    records = read_records(write(path, text), PAPER)
    assert (records.codes.tolist(), records.direct.tolist()) == ([[1, 2], [0, 0]], [False, True])


def test_values_that_spreadsheets_would_compute_are_read_as_they_are_written_safely(csv: Path) -> None:
    """An apostrophe keeps a spreadsheet from computing; a number needs none."""
    design = Design.parse(
        {
            "direct": True,
            "blocks": [{"keep": 0.5, "items": [{"id": "x", "options": ["=1", "-1"], "noise": [0.5, 0.5]}]}],
        }
    )
    assert read_records(write(csv, "direct,x\n0,'=1\n0,=1\n0,-1\n"), design).codes.tolist() == [[0], [0], [1]]


def test_answers_have_no_column_direct(csv: Path) -> None:
    """A file of answers has a column per item and nothing else."""
    with pytest.raises(InputError, match=r"row 1: the column 'direct' is none .*; there must be drugs, age\."):
        read_answer_codes(write(csv, "direct,drugs,age\n0,1,50+\n"), PAPER)


@pytest.mark.parametrize("text", ["yes,NO\nTrue,false\n", '"Yes","no"\nTRUE,FALSE\n', "yEs,nO\n1,0\n"])
def test_yes_and_true_are_1(csv: Path, text: str) -> None:
    """Spreadsheets and R write words for 1 and 0; they are read in any case, bare and in quotation marks."""
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"]})
    assert read_answer_codes(write(csv, f"a,b\n{text}"), design).tolist() == [[1, 0]] * 2
    lines = "".join(
        json.dumps(dict(zip("ab", row.replace('"', "").split(","), strict=True))) + "\n" for row in text.split()
    )
    assert read_answer_codes(write(csv.with_suffix(".jsonl"), lines), design).tolist() == [[1, 0]] * 2


def test_a_gap_among_complete_answers_is_named(csv: Path) -> None:
    """One empty cell is what is wrong, and not the rows that answer everything."""
    assert refusal_of(lambda: read_answer_codes(write(csv, "a,b,c\n1,0,1\n1,1,0\n1,,1\n0,0,0\n"), SAMPLED)).partition(
        ": "
    )[2] == (
        "row 4, column 'b': nothing is given. Row 2 answers every item, so all rows must; the disguise chooses which "
        "items are asked."
    )


def test_answers_of_a_sampled_design_are_complete_or_as_asked(csv: Path) -> None:
    """Both readings are accepted, for the whole file."""
    assert read_answer_codes(write(csv, "a,b,c\n1,0,1\n"), SAMPLED).tolist() == [[1, 0, 1]]
    assert read_answer_codes(write(csv, "a,b,c\n1,,1\n"), SAMPLED).tolist() == [[1, NOT_ASKED, 1]]
    assert refusal_of(lambda: read_answer_codes(write(csv, "a,b,c\n1,0,1\n1,,1\n"), SAMPLED)).partition(": ")[2] == (
        "row 2 answers every item and row 3 only as many as this design asks. All rows must answer every item, or all "
        "rows only the asked ones."
    )


def test_a_row_that_answers_everything_is_never_blamed(csv: Path) -> None:
    """Where half of the rows or fewer are complete, the empty cells are still what is wrong."""
    with pytest.raises(InputError, match=r"row 3, column 'a': nothing is given. Row 2 answers every item"):
        read_answer_codes(write(csv, "a,b,c\n1,0,1\n,,1\n,,1\n"), SAMPLED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty; its first row must name the columns."),
        ("direct,drugs\n0,1\n", "row 1: the column 'age' is missing; there must be direct, drugs, age."),
        ("direct,drugs,drugs,age\n0,1,1,50+\n", "row 1: the column 'drugs' appears twice."),
        (
            "direct,drugs,age\r0,1,50+\r",
            "row 1 holds a CR without LF; lines must end with LF or CR LF.",
        ),
        ("direct,drugs\r,age\n0,1,50+\n", "row 1 holds a CR without LF; lines must end with LF or CR LF."),
        ("direct,drugs,age\n0,1,50+\r1,0,50+\n", "row 2 has 5 values, and the header names 3 columns."),
        (
            "direct,drugs,age\n0,1,50+\r\r\n",
            "row 2, column 'age': '50+\\r' is given where one of 18-29, 30-49, 50+ must be.",
        ),
        ("direct," + "drugs" * 30_000 + "\n0,1\n", "row 1 holds a name of too many characters."),
        ("direct;drugs;age\n0;1;50+\n", "row 1: semicolons separate the columns; use commas."),
        ("direct\tdrugs\tage\n0\t1\t50+\n", "row 1: tabs separate the columns; use commas."),
        ("direct,drugs,age\n0,1,50+\n0,1\n", "row 3 has 2 values, and the header names 3 columns."),
        ("direct,drugs,age\n0,1,50+\n0,1,50+,1\n", "row 3 has 4 values, and the header names 3 columns."),
        ("direct,drugs,age\n0,1,50+\n\n", "row 3 has 1 value, and the header names 3 columns."),
        (
            "direct,drugs,age\n0,1,50+\n0,ja,50+\n",
            "row 3, column 'drugs': 'ja' is given where one of 0, 1 must be.",
        ),
        (
            "direct,drugs,age\n0,1,60\n",
            "row 2, column 'age': '60' is given where one of 18-29, 30-49, 50+ must be.",
        ),
        ("direct,drugs,age\n0,,50+\n", "row 2, column 'drugs': nothing is given where one of 0, 1 must be."),
        ("direct,drugs,age\n0, 1,50+\n", "row 2, column 'drugs': ' 1' is given where one of 0, 1 must be."),
        ("direct,drugs,age\n2,1,50+\n", "row 2, column 'direct': '2' is given where one of 0, 1 must be."),
        ('direct,drugs,age\n0,1,"50+\n', "a quotation mark is opened and never closed."),
        (
            'direct,drugs,age\n0,1,"50\n+"\n',
            "row 2, column 'age': '\"50\\n+\"' is given where one of 18-29, 30-49, 50+ must be.",
        ),
    ],
)
def test_csv_that_does_not_fit_is_refused(csv: Path, text: str, said: str) -> None:
    """Each refusal is one sentence with the row, as a spreadsheet counts it, the column and the value."""
    assert refused(csv, text) == f"records.csv: {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"direct":0,"drugs":1}\n', "row 1: the column 'age' is missing; there must be direct, drugs, age."),
        ('{"direct":0,"drugs":1,"drugs":0,"age":"50+"}\n', "row 1: the column 'drugs' appears twice."),
        (
            '{"direct":0,"drugs":1,"age":"50+"}\n{"direct":0,"drugs":1}\n',
            "row 2: the column 'age' is missing; there must be direct, drugs, age.",
        ),
        ('{"direct":0,"drugs":1,"age":"50+"}\n\n', "row 2 is not a JSON object."),
        ('{"direct":0,"drugs":1,"age":"50+"\n', "row 1 is not a JSON object."),
        ("[0, 1]\n", "row 1 is not a JSON object."),
        ('{"direct":0,"drugs":2,"age":"50+"}\n', "row 1, column 'drugs': 2 is given where one of 0, 1 must be."),
        ('{"direct":0,"drugs":1.5,"age":"50+"}\n', "row 1, column 'drugs': 1.5 is given where one of 0, 1 must be."),
        ('{"direct":0,"drugs":[1],"age":"50+"}\n', "row 1, column 'drugs': [1] is given where one of 0, 1 must be."),
        (
            '{"direct":0,"drugs":null,"age":"50+"}\n',
            "row 1, column 'drugs': nothing is given where one of 0, 1 must be.",
        ),
        (
            '{"direct":0,"drugs":1,"age":true}\n',
            "row 1, column 'age': True is given where one of 18-29, 30-49, 50+ must be.",
        ),
    ],
)
def test_json_lines_that_do_not_fit_are_refused(jsonl: Path, text: str, said: str) -> None:
    """Each refusal is one sentence with the row, the column and the value."""
    assert refused(jsonl, text) == f"records.jsonl: {said}"


@pytest.mark.parametrize("text", ["direct,a,b,c\n0,1,,1\n0,1,1,1\n", "direct,a,b,c\n0,,1,1\n0,,,1\n"])
def test_a_record_that_answers_more_or_less_than_was_asked_is_refused(csv: Path, text: str) -> None:
    """In a sampled block exactly the asked number of items is answered, in every row."""
    said = refused(csv, text, SAMPLED)

    assert said.startswith("records.csv: row 3 answers ")
    assert said.endswith(" of the 2 items from 'a' to 'b', and this design asks 1 of them.")


def test_a_direct_record_that_the_design_does_not_offer_is_refused(csv: Path) -> None:
    """A direct answer under a design without direct group is no record of it."""
    design = Design.parse(PAPER.to_json() | {"direct": False})

    said = refused(csv, "direct,drugs,age\n0,1,50+\n1,1,50+\n", design)

    assert said == "records.csv: row 3 is in the direct group, but this design allows no direct answers."


@pytest.mark.parametrize("row", [[2, 0], [0, 3], [NOT_ASKED, 0]])
def test_records_that_do_not_fit_are_never_written(tmp_path: Path, row: list[int]) -> None:
    """A code without meaning is refused, neither clipped nor left out, and no file appears."""
    records = Records(PAPER, np.array([row], np.uint8), np.zeros(1, bool))

    with pytest.raises(InputError, match=r"^The records: row 0"):
        write_records(records, tmp_path / "records.csv")

    assert list(tmp_path.iterdir()) == []


def test_whole_numbers_leave_frames_without_a_point(tmp_path: Path) -> None:
    """As columns that other programs write and commands read: 5, not 5.0; also where some were not asked."""
    import pandas as pd

    items = [{"id": name, "min": 0, "max": 9, "step": 1} for name in ("times", "days")]
    blocks = [{"number": "square-wave", "epsilon": 4, "items": [item]} for item in items]
    design = Design.parse({"blocks": blocks})
    records = candor.disguise(pd.DataFrame({"times": [1, 5, 9], "days": [2, 3, 4]}), design, seed=1)

    records.to_frame().to_csv(tmp_path / "records.csv", index=False)

    assert "." not in (tmp_path / "records.csv").read_text(encoding="utf-8")
    assert (candor.read_records(tmp_path / "records.csv", design).codes == records.codes).all()


# What direct people said is true, so it is an answer: read from a frame and beside undisguised columns, too.


DESIGN = candor.Design.parse(
    {
        "direct": True,
        "blocks": [{"number": "square-wave", "epsilon": 0.1, "items": [{"id": "x", "min": 0, "max": 9, "step": 1}]}],
    }
)


def test_a_direct_answer_that_nobody_can_give_is_refused(tmp_path: Path) -> None:
    """A disguised −3 is noise; a direct one is a mistake in the file."""
    frame = pd.DataFrame({"direct": [0, 1], "x": [-3, -3]})
    assert len(candor.Records.from_frame(frame.iloc[:1], DESIGN)) == 1
    with pytest.raises(InputError, match=r"row 1, column 'x': -3 is no answer; answers are from 0 to 9"):
        candor.Records.from_frame(frame, DESIGN)
    path = tmp_path / "records.csv"
    frame.assign(town="a").to_csv(path, index=False)
    with pytest.raises(InputError, match=r"row 3, column 'x': -3 is no answer"):
        candor.read_records(path, DESIGN, open_columns=True)
