"""Files call a disguised answer `drugs_disguised`, and every reader takes both this name and that of the item."""

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import candor
from candor import Records, read_records
from privacy.design import Design
from privacy.errors import InputError
from privacy.records.columns import LONGEST, file_names, own_names

DESIGN = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "drunk-driving"], "direct": True})
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
        read_records(written(tmp_path, columns, ending), DESIGN, open_columns=with_open) for columns in (NAMES, OWN)
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
    assert read_records(path, DESIGN).codes.tolist() == [[1, 0], [0, 1]]


def test_a_frame_may_have_either_name() -> None:
    """As pandas reads the file."""
    new, old = (Records.from_frame(pd.DataFrame(columns), DESIGN).to_frame() for columns in (NAMES, OWN))
    pd.testing.assert_frame_equal(new, old)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_both_names_at_once_are_refused(tmp_path: Path, ending: str) -> None:
    """Nobody can know which of them is meant."""
    path = written(tmp_path, NAMES | {"drugs": [0, 0, 0]}, ending)
    with pytest.raises(
        InputError, match=r"the columns 'drugs' and 'drugs_disguised' are both there; keep one of them."
    ):
        read_records(path, DESIGN)


def test_true_answers_are_never_called_disguised(tmp_path: Path) -> None:
    """Or a file would be disguised twice."""
    path = written(tmp_path, {"drugs_disguised": [1], "drunk_driving_disguised": [0]}, "csv")
    with pytest.raises(InputError, match="drugs_disguised"):
        candor.read_answers(path, DESIGN)


def test_an_item_whose_name_ends_so_is_distinct_answers() -> None:
    """In files of both kinds."""
    items = ["a", "a_disguised"]
    assert own_names(["direct", *items], items, "file") == ["direct", *items]
    assert own_names(["direct", *file_names(tuple(items)).values()], items, "file") == ["direct", *items]


def test_long_names_that_begin_alike_stay_apart() -> None:
    """No name is longer than Stata takes."""
    names = list(file_names(tuple(f"{'a' * 40}{place}" for place in range(12))).values())
    assert len(set(names)) == 12
    assert max(map(len, names)) == LONGEST
