"""Truth values as Parquet files hold them: the bits that pyarrow reads, and nothing where it might read others."""

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies as st

from privacy.records.parquet_bits import row_groups, truth_values
from tests.cases import first


def table_of(rows, seed=1):
    """Truth values without gaps, with some, and none that may be there; and columns that are not truth values."""
    random = np.random.default_rng(seed)
    values = {name: random.random(rows) < share for name, share in {"mixed": 0.4, "rare": 0.01}.items()}
    full = pa.table(values | {"whole": random.integers(0, 2, rows), "text": np.where(values["mixed"], "1", "0")})
    strict = pa.field("strict", pa.bool_(), nullable=False)
    return full.append_column(strict, pa.array(values["rare"])).append_column(
        "gaps", pa.array(values["mixed"], mask=random.random(rows) < 0.1)
    )


def read(path, names=("mixed", "rare", "strict", "whole", "text", "gaps")):
    """What is found in each row group."""
    schema = pq.read_metadata(path).schema
    with open(path, "rb") as file:
        return [truth_values(file, schema, group, names) for group in row_groups(file)]


@given(
    rows=st.integers(1, 5_000),
    options=st.fixed_dictionaries(
        {
            "compression": st.sampled_from(["none", "snappy", "gzip", "zstd", "brotli", "lz4"]),
            "row_group_size": st.integers(1, 6_000),
            "data_page_size": st.sampled_from([1, 64, 2**20]),
            "write_batch_size": st.sampled_from([1, 7, 8, 1024]),
            "data_page_version": st.sampled_from(["1.0", "2.0"]),
            "write_statistics": st.booleans(),
            "write_page_checksum": st.booleans(),
        }
    ),
    seed=st.integers(0, 9),
)
def test_what_is_found_is_what_pyarrow_reads(tmp_path_factory, rows, options, seed):
    path = tmp_path_factory.mktemp("drawn") / "t.parquet"
    size = max(options["row_group_size"], rows // 5)
    pq.write_table(table_of(rows, seed), path, **options | {"row_group_size": size})
    with pq.ParquetFile(path) as file:
        for group, found in enumerate(read(path)):
            expected = file.read_row_group(group)
            for name, array in found.items():
                array.validate(full=True)
                assert array.equals(expected[name].combine_chunks())


def test_all_that_is_plain_is_found_and_nothing_else(tmp_path):
    """Whether a column may have gaps or not: as pyarrow writes it, with pages that end within a byte, and as DuckDB."""
    table = table_of(50_001)
    pq.write_table(table, tmp_path / "usual.parquet")
    pq.write_table(table, tmp_path / "short.parquet", data_page_size=1, write_batch_size=7, compression="zstd")
    duckdb.sql(f"COPY (SELECT * FROM '{tmp_path}/usual.parquet') TO '{tmp_path}/duck.parquet'")
    for name in "usual", "short", "duck":
        (found,) = read(tmp_path / f"{name}.parquet")
        assert found.keys() == {"mixed", "rare", "strict"}
        assert all(array.equals(table[column].combine_chunks()) for column, array in found.items())


def test_what_is_not_asked_for_or_lies_within_another_column_is_left(tmp_path):
    """Two columns may have the same path: the one that is named, and a part of another."""
    nested = pa.array([{"b": True}] * 9, pa.struct([pa.field("b", pa.bool_(), nullable=False)]))
    table = pa.table({"a": nested, "c": pa.array([True] * 9)})
    pq.write_table(table, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet", ["a", "b", "a.b"]) == [{}]


@pytest.mark.parametrize("compression", first(1, ["snappy", "none"]))
def test_damage_never_makes_other_values_than_pyarrow_reads(compression, tmp_path):
    """Each byte of pages and footer set to another one: what is found then is what pyarrow finds, and nobody dies."""
    whole, path = tmp_path / "whole.parquet", tmp_path / "damaged.parquet"
    pq.write_table(pa.table({"a": table_of(300)["mixed"]}), whole, compression=compression, data_page_size=8)
    content = whole.read_bytes()
    found_at_all = 0
    for place in range(4, len(content) - 8):
        for other in 0, 1, 127, 255, content[place] ^ 2:
            path.write_bytes(content[:place] + bytes([other]) + content[place + 1 :])
            try:
                found = read(path, ["a"])
                expected = pq.read_table(path)["a"].combine_chunks()
            except (OSError, pa.ArrowException, UnicodeDecodeError, KeyError):
                continue
            if found and found[0]:
                found_at_all += 1
                assert found[0]["a"].equals(expected)
    assert found_at_all


def test_a_page_that_ends_before_its_length_is_not_taken(tmp_path):
    """Snappy leaves the rest of the room as it was: whatever the memory held would be answers."""
    values = pa.table({"a": table_of(4_000)["mixed"]}, pa.schema([pa.field("a", pa.bool_(), nullable=False)]))
    pq.write_table(values, tmp_path / "t.parquet", write_statistics=False)
    content = bytearray((tmp_path / "t.parquet").read_bytes())
    start = content.index(pa.compress(content_of(values), "snappy", asbytes=True)[:40])
    stored = len(pa.compress(content_of(values), "snappy", asbytes=True))
    content[start : start + stored] = shorter_stream(stored)
    (tmp_path / "t.parquet").write_bytes(content)
    assert read(tmp_path / "t.parquet", ["a"]) == [{}]


def content_of(values):
    return np.packbits(values["a"].to_numpy(), bitorder="little").tobytes()


def shorter_stream(stored):
    """What Snappy reads, of so many bytes, as about half as many: a mark before each."""
    odd = b"\x04ab" if stored % 2 else b""
    ones = b"\x00a" * ((stored - 2 - len(odd)) // 2)
    size = len(ones) // 2 + 2 * bool(odd)
    return bytes([size & 127 | 128, size >> 7]) + odd + ones


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
def test_a_page_made_to_harm_is_left_at_once(page, tmp_path):
    metadata = metadata_of(tmp_path)
    with open(tmp_path / "t.parquet", "r+b") as file:
        file.seek(metadata.row_group(0).column(0).data_page_offset)
        file.write(page)
        assert truth_values(file, metadata.schema, row_groups(file)[0], ["a"]) == {}


def metadata_of(folder):
    """That of a column without compression, and long enough for any page."""
    values = pa.table({"a": pa.array([True] * 2_000_000)}, pa.schema([pa.field("a", pa.bool_(), nullable=False)]))
    pq.write_table(values, folder / "t.parquet", compression="none")
    return pq.read_metadata(folder / "t.parquet")
