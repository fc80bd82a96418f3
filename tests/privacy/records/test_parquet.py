"""Parquet and Arrow: the same records as from CSV, whatever their columns hold them as, and one sentence otherwise."""

import json
import os
import sys
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from subprocess import run
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import dataset

import candor
from candor.commands import main
from privacy.design import Design
from privacy.errors import InputError
from privacy.estimate.bit_columns import BitColumns
from privacy.records import Records, parquet, record_blocks, write_records
from tests.cases import every, first
from tests.mining.designs import KINDS, design_of, records_of
from tests.privacy.records.arrow import arrow_table
from tests.refusals import refusal_of

MINE = ["--min-support", "0.1", "--min-confidence", "0.3", "--negated", "--json"]
NO_ARCHIVE = "it names a file in an archive, but no archive; write zip://records.parquet::archive.zip"
WEIGHED = ["--weights", "weight", "--strata", "town"]


def made(kind, n=600):
    design = design_of(kind)
    weights, towns = np.arange(n) % 3 + 1.5, np.array(["Aachen", "Bonn"], object)[np.arange(n) % 2]
    return Records(design, *records_of(design, n), {"weight": weights, "town": towns})


def stored(folder, kind="sampled coin", n=600, **options):
    """The same records as CSV and as Parquet in row groups whose sizes no byte divides, and their design."""
    records = made(kind, n)
    write_records(records, folder / "records.csv")
    pq.write_table(arrow_table(records, **options), folder / "records.parquet", row_group_size=101)
    (folder / "design.json").write_text(json.dumps(records.design.to_json()))
    return str(folder / "records.csv"), str(folder / "records.parquet"), str(folder / "design.json")


@pytest.mark.parametrize(("kind", "as_bits"), first(2, product(KINDS, (True, False))))
def test_every_design_is_mined_as_from_csv(kind, as_bits, tmp_path, shell):
    """Bit for bit: what is printed is the same JSON, of records in several row groups."""
    csv, stored_as_parquet, design = stored(tmp_path, kind, as_bits=as_bits)
    expected = shell.json("mine", csv, design, *MINE, "--engine", "bitset")
    assert shell.json("mine", stored_as_parquet, design, *MINE, "--engine", "bitset") == expected
    assert expected["itemsets"]


@pytest.mark.parametrize(
    "command",
    [
        ["mine", *MINE],
        ["mine", *MINE, "--engine", "bitset", *WEIGHED],
        ["reconstruct", "--pattern", "a,!b", "--json"],
        ["reconstruct", "--pattern", "a,!b", "--json", *WEIGHED],
        ["table", "--items", "a,b", "--json", *WEIGHED],
        ["regress", "--outcome", "a", "--on", "weight,town=Bonn", "--json"],
    ],
    ids=lambda command: " ".join(command[:1] + command[-2:]),
)
def test_every_command_prints_what_it_prints_for_csv(command, tmp_path, shell):
    """Also by weights, strata and undisguised columns."""
    csv, stored_as_parquet, design = stored(tmp_path, "one block")
    name, *options = command
    assert shell.json(name, stored_as_parquet, design, *options) == shell.json(name, csv, design, *options)


def test_true_answers_are_disguised_as_those_of_csv(tmp_path, shell):
    records = made("a choice in the block")
    answers = records.to_frame()[["a", "b", "age"]]
    answers.to_csv(tmp_path / "answers.csv", index=False)
    pq.write_table(pa.Table.from_pandas(answers), tmp_path / "answers.parquet")
    (tmp_path / "design.json").write_text(json.dumps(records.design.to_json()))
    for ending in "csv", "parquet":
        source, target = tmp_path / f"answers.{ending}", tmp_path / f"from-{ending}.csv"
        assert main(["disguise", str(source), str(tmp_path / "design.json"), "-o", str(target), "--seed", "1"]) == 0
    assert (tmp_path / "from-parquet.csv").read_bytes() == (tmp_path / "from-csv.csv").read_bytes()


class Stream:
    """What any library that knows Arrow offers, as polars and DuckDB do, and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def test_objects_in_memory_are_read_as_files_are(tmp_path):
    """A table, a part of it that begins within a byte, a data set, a stream of Arrow, and a frame of polars."""
    records = made("sampled flips beside a coin")
    table = arrow_table(records)
    pq.write_table(table, tmp_path / "records.parquet", row_group_size=101)
    for source in table, Stream(table), dataset.dataset(tmp_path / "records.parquet"):
        read = candor.read_records(source, records.design)
        np.testing.assert_array_equal(read.codes, records.codes)
        np.testing.assert_array_equal(read.direct, records.direct)
    np.testing.assert_array_equal(candor.read_records(table.slice(3, 50), records.design).codes, records.codes[3:53])
    opened = candor.read_records(table, records.design, open_columns=True)
    assert opened.open_columns["town"].tolist() == records.open_columns["town"].tolist()


def test_mining_in_python_reads_a_source_by_its_design(tmp_path):
    """The same rules of a path, a table and records, by weights too; nobody is refused."""
    records = made("one block", 250)
    table = arrow_table(records)
    pq.write_table(table, tmp_path / "records.parquet", row_group_size=101)
    for more in {}, {"sample": candor.Sample(weights="weight", strata="town")}:
        rules = candor.mine(records, 0.2, 0.3, **more).rules
        assert len(rules)
        for source in str(tmp_path / "records.parquet"), table:
            pd.testing.assert_frame_equal(candor.mine(source, 0.2, 0.3, design=records.design, **more).rules, rules)
    with pytest.raises(InputError, match=r"table: there are no records in it\."):
        candor.mine(table.slice(0, 0), 0.1, design=records.design)


@pytest.mark.parametrize("kind", every(3, KINDS))
def test_figures_of_a_file_are_those_of_its_records_and_hold_one_row_group(kind, tmp_path, monkeypatch):
    """Supports, their feasible values and a joint table, whatever the design; no part of the file has more rows."""
    records = made(kind)
    pq.write_table(arrow_table(records), tmp_path / "records.parquet", row_group_size=101)
    calls = [partial(candor.reconstruct, patterns=["a,!b", "b"]), partial(candor.table, items=["a", "b"])]
    expected = [call(records).to_json() for call in calls]
    held = []
    monkeypatch.setattr(
        "privacy.reconstruct.pattern_counts.BitColumns", lambda part: held.append(len(part)) or BitColumns(part)
    )
    for call, whole in zip(calls, expected, strict=True):
        assert call(tmp_path / "records.parquet", design=records.design).to_json() == whole
    assert held == 2 * [101, 101, 101, 101, 101, 95]


def test_a_frame_of_polars_is_read(tmp_path):
    polars = pytest.importorskip("polars", reason="polars is not installed: pip install polars")
    records = made("sampled flips beside a coin")
    read = candor.read_records(polars.from_arrow(arrow_table(records)), records.design)
    np.testing.assert_array_equal(read.codes, records.codes)


@pytest.mark.parametrize("where", ["{folder}", "{folder}/part-*.parquet", "file://{folder}", "memory://people"])
def test_folders_patterns_and_addresses_are_read_file_by_file(where, tmp_path):
    records = made("one block")
    table = arrow_table(records)
    import fsspec

    folder = "memory://people" if where.startswith("memory") else str(tmp_path / "people")
    where = where.format(folder=tmp_path / "people")
    for place, part in enumerate([table.slice(0, 250), table.slice(250)]):
        with fsspec.open(f"{folder}/part-{place}.parquet", "wb", auto_mkdir=True) as file:
            pq.write_table(part, file)
    with fsspec.open(f"{folder}/_SUCCESS", "wb") as file:
        file.write(b"")
    read = candor.read_records(where, records.design)
    np.testing.assert_array_equal(read.codes, records.codes)
    np.testing.assert_array_equal(read.direct, records.direct)


def broken(table, name, values):
    return table.set_column(table.column_names.index(name), name, values)


def test_what_does_not_fit_is_one_sentence(tmp_path, shell):
    """Wrong columns, wrong values, gaps where every item is asked: with the row of the file, and the column."""
    _, path, design = stored(tmp_path, "one block")
    table = pq.read_table(path)
    last = [False] * 599
    wrong = {
        "the column 'direct' is missing; there must be direct, a, b, c, d, e.": table.drop_columns(["direct"]),
        "row 600, column 'b': nothing is given where one of 0, 1 must be.": broken(table, "b", pa.array([*last, None])),
        "row 600, column 'b': 7 is given where one of 0, 1 must be.": broken(table, "b", pa.array([0] * 599 + [7])),
        "the column 'b' holds list<element: int64>, neither numbers nor text.": broken(
            table, "b", pa.array([[1]] * 600)
        ),
        "the column 'a' appears twice.": table.append_column("a", table["a"]),
    }
    for sentence, other in wrong.items():
        pq.write_table(other, path, row_group_size=101)
        assert shell.refusal("mine", path, design, *MINE) == f"candor mine: {path}: {sentence}\n"


def test_a_sampled_row_with_too_many_answers_is_one_sentence(tmp_path, shell):
    _, path, design = stored(tmp_path, "sampled coin")
    pq.write_table(broken(broken(pq.read_table(path), "a", pa.array([True] * 600)), "b", pa.array([True] * 600)), path)
    said = shell.refusal("mine", path, design, *MINE)
    assert "answers 4 of the 4 items from 'a' to 'd', and this design asks 3 of them." in said


def test_direct_people_whom_the_design_does_not_know_are_one_sentence(tmp_path):
    table = arrow_table(made("one block"))
    with pytest.raises(InputError, match="is in the direct group, but this design allows no direct answers"):
        candor.read_records(table, design_of("one block", direct=False))


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, shell):
    _, path, design = stored(tmp_path)
    content = Path(path).read_bytes()
    damaged = f"candor mine: {path}: it is damaged, cut short or no Parquet file.\n"
    for cut in content[:-20], content[:3], b"", b"direct,a\n", content[:50] + b"\xff" * 3000 + content[3050:]:
        Path(path).write_bytes(cut)
        assert shell.refusal("mine", path, design, *MINE) == damaged
    os.remove(path)
    assert shell.refusal("mine", path, design, *MINE) == f"candor mine: {path}: no such file or directory.\n"
    said = shell.refusal("mine", f"{tmp_path}/*.parquet", design, *MINE)
    assert (
        said
        == f"candor mine: {tmp_path}/*.parquet: no file fits. Parquet is read of files whose names end in .parquet.\n"
    )


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ftp://127.0.0.1:9/x.parquet", "connection refused"),
        ("zip::file:///nowhere/no.zip", "no such file or directory"),
        ("zip://x.parquet::{}/x.csv", "File is not a zip file"),
        ("tar://x.parquet::{}/x.csv", "truncated header"),
        ("zip://x.parquet", NO_ARCHIVE),
        ("tar://", NO_ARCHIVE),
        ("zip://x.parquet::", NO_ARCHIVE),
        ("zip://x.parquet::zip://y.zip", NO_ARCHIVE),
        ("zip://x.parquet::file://{}", "is a directory"),
        ("reference://x", "no file can be reached by such an address"),
        ("gopher2://x/y", "Protocol not known: gopher2"),
    ],
)
def test_an_address_that_cannot_be_opened_is_one_sentence_with_it(address, said, tmp_path):
    """Whatever a file system raises while it is opened, the sentence names the address."""
    (tmp_path / "x.csv").write_text("direct,a\n")
    address = address.format(tmp_path)

    assert refusal_of(lambda: candor.read_records(address, design_of("one block"))) == f"{address}: {said}."


def test_a_file_is_the_same_from_whichever_folder_it_is_named(tmp_path, monkeypatch):
    """A row group that is found as `../records.parquet` is read elsewhere by its whole name, on a cluster, too."""
    whole = stored(tmp_path, n=60)[1]
    inside = tmp_path / "folder"
    inside.mkdir()
    monkeypatch.chdir(inside)
    (group,) = record_blocks("../records.parquet")

    elsewhere = replace(group, path=whole)

    assert [rows(piece) for piece in elsewhere.pieces(["a", "direct"])] == [
        rows(piece) for piece in group.pieces(["a", "direct"])
    ]


def rows(piece):
    return piece.row, piece.held.to_pydict()


def test_a_row_group_of_any_size_is_read_some_rows_at_a_time(tmp_path, monkeypatch):
    """Rows keep their numbers, and none is left out or read twice."""
    whole = stored(tmp_path, n=60)[1]
    (group,) = record_blocks(whole)
    (all_rows,) = group.pieces(["a", "direct"])
    monkeypatch.setattr(parquet, "_AT_ONCE", 25)

    pieces = list(group.pieces(["a", "direct"]))

    assert [(piece.row, len(piece.held)) for piece in pieces] == [(1, 25), (26, 25), (51, 10)]
    assert pa.concat_tables([piece.held for piece in pieces]).to_pydict() == all_rows.held.to_pydict()


def test_a_row_group_with_fewer_rows_than_it_says_is_one_sentence(tmp_path, monkeypatch):
    whole = stored(tmp_path, n=60)[1]
    (group,) = record_blocks(whole)
    read = pq.ParquetFile.iter_batches
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *a, **k: (batch[:50] for batch in read(*a, **k)))

    assert (
        refusal_of(lambda: list(group.pieces(["a", "direct"])))
        == f"{whole}: it is damaged, cut short or no Parquet file."
    )


MEMORY = """
import sys
from pathlib import Path
import candor
design = candor.Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"]})
print(candor.reconstruct(sys.argv[1], ["a,b"], design=design).n)
(peak,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(peak.split()[1])
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
def test_a_small_file_with_very_many_rows_in_one_group_needs_little_memory(tmp_path):
    """Half a megabyte on the disk, 67 million rows of truth values: 3.7 GB if they were read at once."""
    rows = np.zeros(2**26, bool)
    pq.write_table(pa.table({"direct": rows, "a": rows, "b": rows}), tmp_path / "t.parquet", row_group_size=2**26)

    done = run([sys.executable, "-c", MEMORY, tmp_path / "t.parquet"], capture_output=True, text=True, check=True)

    n, kilobytes = done.stdout.split()
    assert n == str(2**26)
    assert int(kilobytes) <= 400_000


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"\x15\x00\x15\x00\x15\x19\x2c\x15\x00\x15\x00\x00\x00", id="that ends before it begins"),
        pytest.param(b"\x15" + b"\xff" * 100_000, id="with a number that does not end"),
        pytest.param(b"\x1c" * 100_000, id="of structures in structures"),
        pytest.param(
            b"\x15\x00\x15\x02\x15\x02\x2c\x15\x80\x80\x80\x80\x10\x15\x00\x00\x00\xff", id="of too many values"
        ),
    ],
)
def test_a_page_made_to_harm_is_one_sentence(page, tmp_path):
    path = tmp_path / "t.parquet"
    values = pa.table({"direct": [False] * 2_000_000, "a": [True] * 2_000_000})
    pq.write_table(values, path, compression="none")
    with open(path, "r+b") as file:
        file.seek(pq.read_metadata(path).row_group(0).column(1).data_page_offset)
        file.write(page)
    design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a"]})

    assert (
        refusal_of(lambda: candor.reconstruct(path, ["a"], design=design))
        == f"{path}: it is damaged, cut short or no Parquet file."
    )


@pytest.mark.parametrize("overwritten", [True, False], ids=["overwritten", "replaced"])
def test_a_file_that_changes_while_it_is_read_is_one_sentence(overwritten, tmp_path):
    """Whether somebody writes into it or puts another one in its place, and whatever the other one holds."""
    _, path, _ = stored(tmp_path)
    blocks = parquet.blocks(path)
    first = next(blocks)
    list(first.pieces(["a"]))
    table = pq.read_table(path)
    pq.write_table(table, path if overwritten else f"{path}.new", row_group_size=50)
    if not overwritten:
        os.replace(f"{path}.new", path)
    assert (
        refusal_of(lambda: list(next(blocks).pieces(["a"])))
        == f"{path}: the file changed while it was read; read it again once it is written."
    )


def test_files_of_a_folder_with_other_columns_are_one_sentence(tmp_path):
    table = arrow_table(made("one block"))
    pq.write_table(table, tmp_path / "a.parquet")
    pq.write_table(table.drop_columns(["weight"]), tmp_path / "b.parquet")
    with pytest.raises(InputError, match="not all files have the same columns; 'weight' is in some of them"):
        candor.read_records(tmp_path, design_of("one block"), open_columns=True)


def test_gaps_in_numbers_and_dates_of_open_columns_are_kept(tmp_path):
    frame = pd.DataFrame({"a": [1, 0], "b": [1, 1], "c": [0, 0], "d": [1, 1], "e": [0, 1], "direct": [False, True]})
    frame["age"], frame["day"] = [34.0, None], pd.to_datetime(["2026-11-20", None])
    frame.to_parquet(tmp_path / "people.parquet")
    opened = candor.read_records(tmp_path / "people.parquet", design_of("one block"), open_columns=True).open_columns
    assert opened["day"].tolist() == ["2026-11-20", None]
    np.testing.assert_array_equal(opened["age"], [34.0, np.nan])


def test_without_pyarrow_one_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for more in {}, {"open_columns": True}:
        with pytest.raises(InputError) as refusal:
            candor.read_records(tmp_path / "records.parquet", design_of("one block"), **more)
        assert str(refusal.value) == "Parquet and Arrow need more packages; run pip install 'candor-survey[parquet]'."


def test_a_column_that_stands_there_twice_is_refused_beside_open_ones_too(tmp_path):
    """Whether it is an item or open: one of the two would be taken without a word."""
    table = arrow_table(made("one block"))
    for name in "a", "weight":
        pq.write_table(table.append_column(name, table[name]), tmp_path / "twice.parquet")
        with pytest.raises(InputError, match=rf"twice\.parquet: the column '{name}' appears twice\.$"):
            candor.reconstruct(
                tmp_path / "twice.parquet", "a", design=design_of("one block"), sample=candor.Sample(weights="weight")
            )


def test_a_row_has_the_same_number_with_and_without_open_columns(tmp_path):
    """That of the format, and a table in memory is called so, not by its rows."""
    table = broken(arrow_table(made("one block")), "b", pa.array([0] * 599 + [7]))
    pq.write_table(table, tmp_path / "r.parquet")
    for source, name in (tmp_path / "r.parquet", tmp_path / "r.parquet"), (table, "table"):
        for open_columns in False, True:
            with pytest.raises(InputError) as refusal:
                candor.read_records(source, design_of("one block"), open_columns=open_columns)
            assert str(refusal.value).startswith(f"{name}: row 600, column 'b': 7 is given")


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(pa.array([2**40] * 600, pa.int64()).cast(pa.timestamp("s")).cast(pa.date64()), id="far dates"),
        pytest.param(pa.array([b"\xff"] * 600, pa.binary()).view(pa.string()), id="texts that are not UTF-8"),
        pytest.param(pa.array([2**62] * 600, pa.duration("s")), id="long durations"),
    ],
)
def test_a_column_that_python_cannot_hold_is_one_sentence(column, tmp_path):
    table = broken(arrow_table(made("one block")), "b", column)
    with pytest.raises(InputError, match=r"^table: the column 'b' cannot be read as "):
        candor.read_records(table, design_of("one block"))


def test_a_pattern_may_name_single_marks(tmp_path):
    """As in a shell."""
    pq.write_table(arrow_table(made("one block")), tmp_path / "part-1.parquet")
    for pattern in "part-?.parquet", "part-[0-9].parquet":
        assert len(candor.read_records(f"{tmp_path}/{pattern}", design_of("one block"))) == 600
    with pytest.raises(InputError, match=r"memory://nix\.parquet: no such file or directory\.$"):
        candor.read_records("memory://nix.parquet", design_of("one block"))


def test_a_file_of_a_web_server_needs_a_version(monkeypatch):
    """Its stamp is what the server tells of it; where that is nothing, nobody would see that it changed."""
    told = {"name": "http://x/r.parquet", "size": 9}
    system = SimpleNamespace(invalidate_cache=lambda: None, info=lambda _path: told)
    monkeypatch.setattr(parquet, "_place", lambda path: (system, path))
    with pytest.raises(InputError, match=r"^http://x/r\.parquet: its server names no version of the file"):
        parquet._stamp("http://x/r.parquet")
    stamps = set()
    for tag in "one", "other":
        told["ETag"] = tag
        stamps.add(parquet._stamp("http://x/r.parquet"))
    assert len(stamps) == 2


@pytest.mark.parametrize("text", [b"Aachen", b"weight"], ids=["a text", "the name of a column"])
@pytest.mark.parametrize("command", ["mine", "regress"])
def test_bytes_that_are_no_text_are_one_sentence(text, command, tmp_path, shell):
    """Whatever class of error the reader raises of them: a value says one, the name of a column another."""
    _, path, design = stored(tmp_path, "one block")
    pq.write_table(pq.read_table(path), path, compression="NONE", write_statistics=False)
    content = Path(path).read_bytes()
    Path(path).write_bytes(content.replace(text, text[:-1] + b"\xff"))
    options = {"mine": [*MINE, "--weights", "weight"], "regress": ["--outcome", "a", "--on", "town"]}

    said = shell.refusal(command, path, design, *options[command])

    assert said == f"candor {command}: {path}: it is damaged, cut short or no Parquet file.\n"


def test_an_index_outside_its_dictionary_is_one_sentence_and_no_figure(tmp_path, shell):
    """Where a damaged file names no answer, it is not read as "not asked", which is kept after the answers."""
    ages = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0] * 30, pa.int32()), ["young", "middle", "old"])
    path, design = tmp_path / "records.parquet", tmp_path / "design.json"
    pq.write_table(pa.table({"direct": [False] * 120, "age": ages}), path, compression="none")
    item = {"id": "age", "options": ["young", "middle", "old"], "noise": [0.5, 0.25, 0.25]}
    design.write_text(json.dumps({"candor": 1, "blocks": [{"keep": 0.3, "items": [item]}]}))
    packed = bytes([0b00_10_01_00]) * 30  # the indices, four in a byte
    assert path.read_bytes().count(packed) == 1
    path.write_bytes(path.read_bytes().replace(packed, bytes([0b00_10_01_11]) + packed[1:]))
    said = shell.refusal("reconstruct", str(path), str(design))
    assert said == f"candor reconstruct: {path}: it is damaged, cut short or no Parquet file.\n"


def test_a_file_names_its_design_and_is_not_read_by_another(tmp_path: Path) -> None:
    """A share of 5 % was read as 22 % by a wrong chance, and the records were said to fit the design."""
    design, other = (candor.models.warner(["drugs"], theta=theta, direct=False) for theta in (0.9, 0.8))
    records = candor.disguise(pd.DataFrame({"drugs": [0] * 95 + [1] * 5}), design, seed=1)
    path, csv = tmp_path / "records.parquet", tmp_path / "records.csv"
    records.write(path)
    records.write(csv)

    for ask in (
        lambda: candor.read_records(path, other),
        lambda: candor.read_records(path, other, open_columns=True),
        lambda: candor.reconstruct(path, "drugs", design=other),
        lambda: candor.mine(path, 0.1, 0.5, design=other),
        lambda: candor.reconstruct(pq.read_table(path), "drugs", design=other),
    ):
        with pytest.raises(
            candor.InputError, match=f"disguised by another design, of the SHA-256 {design.sha256[:12]}…"
        ):
            ask()
    assert candor.read_records(path, design).named
    assert "nobody can know" not in str(candor.careless(candor.read_records(path, design)))
    assert "nobody can know from them whether this is the one" in str(candor.careless(candor.read_records(csv, other)))


def test_a_file_whose_design_this_version_cannot_read_names_none(tmp_path: Path) -> None:
    """It is read as one of which nobody knows the design."""
    design = candor.models.warner(["drugs"], theta=0.9, direct=False)
    table = pa.table({"direct": [0, 0], "drugs": [0, 1]}, metadata={"candor.design": '{"candor": 9}'})
    pq.write_table(table, tmp_path / "records.parquet")

    assert not candor.read_records(tmp_path / "records.parquet", design).named
