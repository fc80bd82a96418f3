"""Files are read some rows at a time: the same rows, the same refusals with the same numbers of rows."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.errors import InputError
from privacy.records import read_records, record_parts

ITEM = {"id": "a", "options": ["x", 'y "z"'], "noise": [0.5, 0.5]}
DESIGN = Design.parse({"direct": True, "blocks": [{"keep": 0.5, "items": [ITEM]}]})


def in_parts(path: Path, size: int) -> list[tuple[int, int]]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("privacy.files.BLOCK", size)
        parts = list(record_parts(path, DESIGN))
    return [
        (int(code), int(direct)) for part in parts for code, direct in zip(part.codes[:, 0], part.direct, strict=True)
    ]


@given(
    rows=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=30),
    size=st.integers(1, 200),
    ends=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    mark=st.booleans(),
)
def test_a_file_in_parts_of_any_size_is_the_file(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[int, int]],
    size: int,
    ends: str,
    last: bool,
    mark: bool,
) -> None:
    """With line ends, commas and quotation marks in an undisguised answer, with and without an end of the last line."""
    path = tmp_path_factory.mktemp("parts") / "records.csv"
    values, note = ["x", '"y ""z"""'], ["plain", '"of two\n""lines"", and a comma"']
    lines = ["direct,note,a", *(f"{direct},{note[code]},{values[code]}" for code, direct in rows)]
    text = ends.join(lines) + (ends if last else "")
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.encode())
    assert in_parts(path, size) == rows
    whole = read_records(path, DESIGN)
    assert list(zip(whole.codes[:, 0].tolist(), whole.direct.astype(int).tolist(), strict=True)) == rows


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("size", [1, 40, 10_000])
def test_a_wrong_value_is_named_with_its_row_in_the_file(tmp_path: Path, suffix: str, size: int) -> None:
    path = tmp_path / f"records.{suffix}"
    good, bad = {"csv": ("1,x", "0,z"), "jsonl": ('{"direct": 1, "a": "x"}', '{"direct": 0, "a": "z"}')}[suffix]
    header = ["direct,a"] if suffix == "csv" else []
    path.write_text("\n".join([*header, *[good] * 50, bad, good]) + "\n")
    row = 51 + len(header)
    with pytest.raises(InputError) as whole:
        read_records(path, DESIGN)
    with pytest.raises(InputError) as parts:
        in_parts(path, size)
    assert str(parts.value) == str(whole.value)
    assert f"row {row}" in str(parts.value)


@pytest.mark.parametrize("size", [3, 10_000])
def test_what_is_no_text_is_named_with_its_line(tmp_path: Path, size: int) -> None:
    path = tmp_path / "records.csv"
    path.write_bytes(b"direct,a\n1,x\n0,\xff\n")
    with pytest.raises(InputError, match="line 3 is not UTF-8 text"):
        in_parts(path, size)


def test_a_mark_that_is_never_closed_is_found_at_the_end_of_a_long_file(tmp_path: Path) -> None:
    """Looking for the end takes a time that grows with the file, and not with its square."""
    path = tmp_path / "records.csv"
    path.write_bytes(b'direct,a\n"' + b"1,x\n" * 200_000)
    with pytest.raises(InputError, match="a quotation mark is opened and never closed"):
        in_parts(path, 1000)


def test_rows_that_came_before_a_refusal_have_been_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.csv"
    path.write_text("direct,a\n" + "1,x\n" * 100 + "0,z\n")
    monkeypatch.setattr("privacy.files.BLOCK", 40)
    parts = record_parts(path, DESIGN)
    assert sum(len(next(parts)) for _ in range(5)) > 30
    with pytest.raises(InputError):
        list(parts)
