"""Files of records that another program has read and saved again hold the same records."""

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import candor
from candor import Records, read_records
from privacy.design import Design
from privacy.errors import InputError
from privacy.records.columns import LONGEST, file_names, own_names
from tests.cases import every

polars = pytest.importorskip("polars", reason="polars is not installed: pip install polars")

DESIGN = Design.parse(
    {
        "direct": True,
        "blocks": [
            {"keep": 0.5, "ask": 2, "items": [{"id": name, "theta": 0.5} for name in ("a", "b", "c")]},
            {
                "keep": 0.5,
                "ask": 1,
                "items": [
                    {"id": "grade", "options": ["1", "2", "x"], "noise": [0.3, 0.3, 0.4]},
                    {"id": "d", "theta": 0.5},
                ],
            },
            {"number": "square-wave", "epsilon": 2.0, "items": [{"id": "age", "min": 0, "max": 40}]},
        ],
    }
)


def write_records(folder: Path) -> candor.Records:
    """Two hundred records of a sampled design, with an undisguised column, as CSV."""
    chance = np.random.default_rng(3)
    sizes = {"a": 2, "b": 2, "c": 2, "grade": 3, "d": 2, "age": 41}
    people = pd.DataFrame({name: chance.integers(0, size, 200) for name, size in sizes.items()})
    people["grade"] = np.array(["1", "2", "x"])[people["grade"]]
    people["town"] = np.array(["Bonn", "Ulm"])[chance.integers(0, 2, 200)]
    records = candor.disguise(people, DESIGN, direct=0.3, seed=4, open_columns=["town"])
    records.write(folder / "records.csv")
    return records


def pandas_saves(path: Path, out: Path) -> None:
    pd.read_csv(path).to_csv(out, index=False)


def pandas_saves_gaps_by_name(path: Path, out: Path) -> None:
    pd.read_csv(path).to_csv(out, index=False, na_rep="NaN")


def polars_saves(path: Path, out: Path) -> None:
    polars.read_csv(path).write_csv(out)


def polars_saves_floats(path: Path, out: Path) -> None:
    polars.read_csv(path).with_columns(polars.selectors.numeric().cast(polars.Float64)).write_csv(out)


def duckdb_saves(path: Path, out: Path) -> None:
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{path}')) TO '{out}' (HEADER)")


def duckdb_saves_floats(path: Path, out: Path) -> None:
    duckdb.sql(f"COPY (SELECT * REPLACE (a::DOUBLE AS a, age::DOUBLE AS age) FROM read_csv('{path}')) TO '{out}'")


def parts_of_a_folder(path: Path, out: Path) -> None:
    """As Spark writes them, beside files of its own."""
    out.mkdir()
    frame = pd.read_csv(path)
    for number, part in enumerate((frame[:80], frame[80:80], frame[80:])):
        part.to_csv(out / f"part-{number:05}.csv", index=False)
    (out / "_SUCCESS").touch()
    (out / ".part-00000.csv.crc").write_bytes(b"crc")


SAVED = [
    pandas_saves,
    pandas_saves_gaps_by_name,
    polars_saves,
    polars_saves_floats,
    duckdb_saves,
    duckdb_saves_floats,
    parts_of_a_folder,
]


@pytest.mark.each
@pytest.mark.parametrize("save", SAVED)
def test_a_file_saved_again_holds_the_same_records(tmp_path: Path, save: Callable[[Path, Path], None]) -> None:
    """Whole numbers with `.0`, empty cells with a name, and folders of parts; with undisguised columns and without."""
    records = write_records(tmp_path)
    save(tmp_path / "records.csv", tmp_path / "again.csv")

    again = candor.read_records(tmp_path / "again.csv", DESIGN)
    beside = candor.read_records(tmp_path / "again.csv", DESIGN, open_columns=True)

    for read in (again, beside):
        assert (read.codes.tolist(), read.direct.tolist()) == (records.codes.tolist(), records.direct.tolist())
    assert beside.open_columns["town"].tolist() == records.open_columns["town"].tolist()


def test_json_lines_that_pandas_saved_hold_the_same_records(tmp_path: Path) -> None:
    """There, too, 0.0 is 0."""
    records = write_records(tmp_path)
    frame = pd.read_csv(tmp_path / "records.csv", dtype={"grade": str})
    frame.to_json(tmp_path / "again.jsonl", orient="records", lines=True)

    assert candor.read_records(tmp_path / "again.jsonl", DESIGN).codes.tolist() == records.codes.tolist()


def test_the_parts_of_a_pattern_are_read_in_their_order(tmp_path: Path) -> None:
    """`people/part-*.csv` are the files that fit it."""
    records = write_records(tmp_path)
    parts_of_a_folder(tmp_path / "records.csv", tmp_path / "people")

    read = candor.read_records(f"{tmp_path}/people/part-*.csv", DESIGN)

    assert read.codes.tolist() == records.codes.tolist()


def test_parts_of_different_columns_are_refused(tmp_path: Path) -> None:
    """A column would be missing in some of the records; the sentence names the file."""
    write_records(tmp_path)
    parts_of_a_folder(tmp_path / "records.csv", tmp_path / "people")
    last = tmp_path / "people" / "part-00002.csv"
    pd.read_csv(last).drop(columns="town").to_csv(last, index=False)

    with pytest.raises(InputError, match=r"part-00002\.csv: not all files have the same columns; 'town' is in some"):
        candor.read_records(tmp_path / "people", DESIGN, open_columns=True)


@pytest.mark.parametrize("cell", every(1, ["0.5", "1.00", "2.0", "1.", ".0", "NAN", "1e0"]))
def test_what_is_no_value_is_still_refused(tmp_path: Path, cell: str) -> None:
    """Only `.0` is passed over, and nothing but NaN, nan and NA is nothing."""
    path = tmp_path / "records.csv"
    path.write_text(f"direct,drugs\n0,{cell}\n")
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})

    with pytest.raises(InputError, match=rf"row 2, column 'drugs': '{cell}' is given where one of 0, 1 must be"):
        candor.read_records(path, design)


def test_an_option_keeps_its_own_text(tmp_path: Path) -> None:
    """Where an option is called 1.0 or NA, it is that option."""
    path = tmp_path / "records.csv"
    path.write_text("answer\n1.0\n1\nNA\n")
    options = {"id": "answer", "options": ["1", "1.0", "NA"], "noise": [0.3, 0.3, 0.4]}
    design = Design.parse({"blocks": [{"keep": 0.5, "items": [options]}]})

    assert candor.read_records(path, design).codes.tolist() == [[1], [0], [2]]


# Files call a disguised answer `drugs_disguised`, and every reader takes both this name and that of the item.


NAMED = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "drunk-driving"], "direct": True})
NAMES = {"direct": [0, 1, 0], "drugs_disguised": [1, 0, 1], "drunk_driving_disguised": [0, 0, 1], "age": [30, 40, 50]}
OWN = dict(zip(["direct", "drugs", "drunk-driving", "age"], NAMES.values(), strict=True))


def written(folder: Path, columns: dict[str, list[int]], ending: str) -> Path:
    path = folder / f"records.{ending}"
    frame = pd.DataFrame(columns)
    if ending == "csv":
        frame.to_csv(path, index=False)
    elif ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
    else:
        pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("with_open", [False, True])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_both_names_are_read_from_every_file(tmp_path: Path, ending: str, with_open: bool) -> None:
    """The records are the same, and an undisguised column keeps its name."""
    new, old = (
        read_records(written(tmp_path, columns, ending), NAMED, open_columns=with_open) for columns in (NAMES, OWN)
    )
    assert new.codes.tolist() == old.codes.tolist() == [[1, 0], [0, 0], [1, 1]]
    assert list(new.open_columns) == list(old.open_columns) == ["age"] * with_open


def test_rows_of_json_that_differ_in_their_order_are_read_too(tmp_path: Path) -> None:
    """Such rows are read one by one."""
    path = tmp_path / "records.jsonl"
    path.write_text(
        '{"direct": 0, "drugs_disguised": 1, "drunk_driving_disguised": 0}\n'
        '{"drugs_disguised": 0, "direct": 1, "drunk_driving_disguised": 1}\n'
    )
    assert read_records(path, NAMED).codes.tolist() == [[1, 0], [0, 1]]


def test_a_frame_may_have_either_name() -> None:
    """As pandas reads the file."""
    new, old = (Records.from_frame(pd.DataFrame(columns), NAMED).to_frame() for columns in (NAMES, OWN))
    pd.testing.assert_frame_equal(new, old)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_both_names_at_once_are_refused(tmp_path: Path, ending: str) -> None:
    """Nobody can know which of them is meant."""
    path = written(tmp_path, NAMES | {"drugs": [0, 0, 0]}, ending)
    with pytest.raises(
        InputError, match=r"the columns 'drugs' and 'drugs_disguised' are both there; keep one of them."
    ):
        read_records(path, NAMED)


def test_true_answers_are_never_called_disguised(tmp_path: Path) -> None:
    """Or a file would be disguised twice."""
    path = written(tmp_path, {"drugs_disguised": [1], "drunk_driving_disguised": [0]}, "csv")
    with pytest.raises(InputError, match="drugs_disguised"):
        candor.read_answers(path, NAMED)


def test_an_item_whose_name_ends_so_is_told_apart() -> None:
    """In files of both kinds."""
    items = ["a", "a_disguised"]
    assert own_names(["direct", *items], items, "file") == ["direct", *items]
    assert own_names(["direct", *file_names(tuple(items)).values()], items, "file") == ["direct", *items]


def test_long_names_that_begin_alike_stay_apart() -> None:
    """No name is longer than Stata takes."""
    names = list(file_names(tuple(f"{'a' * 40}{place}" for place in range(12))).values())
    assert len(set(names)) == 12
    assert max(map(len, names)) == LONGEST
