"""Files appear whole under their name, or not at all."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from privacy.design import Design
from privacy.errors import InputError
from privacy.files import read_bytes, read_text, whole_file, write_files
from privacy.records import read_records, record_parts


def test_a_file_appears_when_all_is_written(tmp_path):
    """Until the last byte is written the old content stands; then the new one does, with ordinary permissions."""
    target = tmp_path / "records.csv"
    target.write_text("old")

    with whole_file(target) as file:
        file.write(b"new")
        before = target.read_text()

    assert (before, target.read_text()) == ("old", "new")
    mask = os.umask(0o022)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_failure_leaves_nothing_behind(tmp_path):
    """An error half way leaves neither the file nor its unfinished neighbour."""

    def write_half() -> None:
        with whole_file(tmp_path / "records.csv") as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_of_several_files_all_appear_or_none(tmp_path, monkeypatch, failing):
    """Whichever cannot take its name: the old ones stand, new ones are gone, and the sentence has the path."""
    old, new, last = (tmp_path / name for name in ("old.csv", "new.csv", "last.csv"))
    old.write_text("old")
    last.write_text("old")
    contents = {old: b"1", new: b"2", last: b"3"}
    refused, replace = list(contents)[failing], os.replace

    def replace_unless_refused(source, target):
        if target == refused and Path(source).read_bytes() == contents[refused]:
            raise OSError(errno.EIO, "Input/output error")
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_unless_refused)
    with pytest.raises(InputError, match=f"{refused.name}: cannot be written, input/output error"):
        write_files(contents)

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"old.csv": "old", "last.csv": "old"}
    monkeypatch.undo()
    write_files(contents)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == contents


def test_of_several_files_all_are_on_the_disk_before_one_appears(tmp_path, monkeypatch):
    """A disk that fails at the last of them leaves nothing."""
    synced = []

    def sync_once(_descriptor):
        synced.append([path for path in tmp_path.iterdir() if not path.name.startswith(".")])
        if len(synced) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", sync_once)
    with pytest.raises(InputError, match=r"b\.csv: cannot be written, no space left on device"):
        write_files({tmp_path / "a.csv": b"1", tmp_path / "b.csv": b"2"})

    assert (synced, list(tmp_path.iterdir())) == ([[], []], [])


@pytest.mark.each
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (".", "is a directory, not a file to write"),
        ("x" * 300, "cannot be written, file name too long"),
        ("absent/out.csv", "absent/out.csv: cannot be written, no such file or directory"),
    ],
)
def test_what_cannot_be_written_is_refused_with_its_name(tmp_path, name, sentence):
    """A directory, what the system cannot name, and a folder that is not there."""
    with pytest.raises(InputError, match=sentence), whole_file(tmp_path / name):
        pass


def test_a_link_keeps_its_place(tmp_path):
    """Writing through a link writes the file it names; the link is not replaced by a file."""
    target, link = tmp_path / "records.csv", tmp_path / "link.csv"
    link.symlink_to(target)

    with whole_file(link) as file:
        file.write(b"new")

    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")


def test_what_is_no_file_is_refused_as_a_target(tmp_path):
    """A rename would put an end to a pipe or a device, /dev/null for one; it stays what it is."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(InputError, match="pipe: is a device or a pipe, not a file to write"), whole_file(pipe):
        pass

    assert (pipe.is_fifo(), list(tmp_path.iterdir())) == (True, [pipe])


@pytest.mark.each
@pytest.mark.parametrize(
    ("name", "sentence"), [("none.csv", "none.csv: no such file or directory"), (".", "is a directory")]
)
def test_what_cannot_be_read_is_refused_with_its_name(tmp_path, name, sentence):
    """A file that is not there, and a directory."""
    with pytest.raises(InputError, match=sentence):
        read_bytes(tmp_path / name)


def test_text_that_is_not_utf8_names_its_line(tmp_path):
    """A byte that is no UTF-8 is refused with its line."""
    path = tmp_path / "latin.csv"
    path.write_bytes(b"a,b\nn\xe9,1\n")

    with pytest.raises(InputError, match=r"latin.csv: line 2 is not UTF-8 text"):
        read_text(path)


def test_a_byte_order_mark_is_dropped(tmp_path):
    """Spreadsheets begin UTF-8 files with a mark that belongs to no column."""
    path = tmp_path / "bom.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\n")

    assert read_text(path) == "a,b\n"


# Files are read some rows at a time: the same rows, the same refusals with the same numbers of rows.


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
