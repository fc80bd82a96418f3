"""Parquet files, and tables that Arrow can take, as records: read some rows at a time, so that memory is bounded.

A source is a path that ends in .parquet, a folder of such files, a pattern as `part-*.parquet`, an address of fsspec as
`s3://…`, or an object in memory: a table or a data set of pyarrow, a frame of polars. Rows are numbered from 1 in each
file. pyarrow is imported when it is needed: it comes with `candor[parquet]`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.design import Design, arguments
from privacy.design.fields import Field, code_type
from privacy.errors import InputError
from privacy.records.bits import Bits, pack_bits, unpack_bits
from privacy.records.columns import OpenTexts, column_order, store
from privacy.records.frames import codes_of_values, open_column

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_ROW = 1
DESIGN = b"candor.design"  # in the metadata of a file: the design of its answers
IN_MEMORY = "table"  # in place of the path of a file
ENDING = ".parquet"
_VERSIONS = {"ETag", "Last-Modified", "Content-MD5", "Digest"}
_AT_ONCE = 2**17  # rows that are read: more take no less time; a row group may have a thousand times as many
_WRITTEN = 2**20  # rows of a row group


@dataclass(frozen=True)
class ParquetPart:
    """A row group of a file by its name, which another process can read; or some rows that are in memory."""

    path: str
    row: int  # the number of the first
    number: int = 0
    stamp: str = ""  # of the file as it was when it was found
    held: Any = None

    @property
    def header(self) -> Sequence[str]:
        schema = _footer(self.path, self.stamp)[1] if self.held is None else self.held.schema
        return list(schema.names)

    def names(self, design: Design) -> bool:
        """Whether it says by which design its answers were disguised; refuse another one."""
        schema = self.held.schema if self.path == IN_MEMORY else _footer(self.path, self.stamp)[1]
        named = _hash_of((schema.metadata or {}).get(DESIGN))
        if named and named != design.sha256:
            raise InputError(
                f"{self.path}: its answers were disguised by another design, of the SHA-256 {named[:12]}…, and not by "
                f"this one, of {design.sha256[:12]}…"
            )
        return bool(named)

    def pieces(self, names: Sequence[str]) -> Iterator[ParquetPart]:
        """Yield the rows with some of their columns, at most `_AT_ONCE` at a time; texts as dictionaries."""
        if self.held is not None:
            yield replace(self, held=self.held.select(names))
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        metadata, schema = _footer(self.path, self.stamp)
        system, inside = _place(self.path)
        texts = [name for name in names if pa.types.is_string(schema.field(name).type)]
        row = self.row
        with (
            _refusals(self.path, self.stamp),
            pq.ParquetFile(inside, metadata=metadata, filesystem=system, read_dictionary=texts) as file,
        ):
            for rows in file.iter_batches(_AT_ONCE, row_groups=[self.number], columns=list(names)):
                rows.validate(full=True)  # pyarrow does not check that an index of a dictionary is within it
                yield replace(self, row=row, held=pa.Table.from_batches([rows]).select(names))
                row += len(rows)
            if row - self.row != metadata.row_group(self.number).num_rows:
                raise pa.ArrowException("a row group with fewer rows than it says")


def is_source(value: Any) -> bool:
    """Whether this module reads it: a path of Parquet files, or a table in memory.

    >>> is_source("people.parquet"), is_source("s3://ours/people"), is_source("people.csv")
    (True, True, False)
    """
    if isinstance(value, str | os.PathLike):
        return "://" in str(value) or Path(value).suffix.lower() == ENDING or os.path.isdir(value)
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "scanner")


def source_of(value: Any) -> Any:
    """Return what records are read from: an address or an object as it is, anything else as the path of a file.

    >>> source_of("s3://pool/records"), source_of("records.parquet").name
    ('s3://pool/records', 'records.parquet')
    """
    is_path = isinstance(value, str | os.PathLike)
    if (is_path and "://" in str(value)) or (not is_path and is_source(value)):
        return value
    return arguments.path(value)


def blocks(source: Any) -> Iterator[ParquetPart]:
    """Yield the row groups of a source; nothing but the files' footers is read."""
    if not isinstance(source, str | os.PathLike):
        yield from _batches_in_memory(source)
        return
    for name in _files(str(source)):
        stamp = _stamp(name)
        metadata, _ = _footer(name, stamp)
        row = FIRST_ROW
        for number in range(metadata.num_row_groups):
            yield ParquetPart(name, row, number, stamp)
            row += metadata.row_group(number).num_rows


def pieces(
    block: ParquetPart, fields: Sequence[Field], others: bool = False, besides: Sequence[str] = ()
) -> Iterator[ParquetPart]:
    """Yield the rows of a block, so many at a time that memory holds them: the columns of `fields`, and some `besides`.

    With `others` there may be more columns, which are not read.
    """
    names = block.header
    order = [names[place] for place in column_order(names, fields, block.path, others)]
    yield from block.pieces([*order, *(name for name in besides if name not in order)])


def table(piece: ParquetPart, fields: Sequence[Field], others: bool = False) -> np.ndarray:
    """The rows of a piece as a table of codes: a column for each of `fields`, in order; `others` are passed over."""
    made = np.empty((len(piece.held), len(fields)), code_type(fields))
    for index, (field, array) in enumerate(zip(fields, _arrays(piece, fields, others), strict=True)):
        store(_codes(array, field, piece), field, made[:, index])
    return made


def batch(piece: ParquetPart, direct: Field, design: Design) -> tuple[np.ndarray | Bits, np.ndarray]:
    """The records of a piece: as bits where all items are yes/no, else as a table of codes; and who is direct."""
    fields = [direct, *design.fields]
    if not all(field.boolean for field in design.fields):
        codes = table(piece, fields, others=True)
        return np.ascontiguousarray(codes[:, 1:]), codes[:, 0] == 1
    lines = [_line(array, field, piece) for array, field in zip(_arrays(piece, fields, True), fields, strict=True)]
    yes, asked = zip(*lines, strict=True)
    rows = len(piece.held)
    return Bits.from_lines(rows, yes[1:], asked[1:]), unpack_bits(yes[0], rows) == 1


def write(
    fields: Sequence[Field], table: np.ndarray, opened: Sequence[OpenTexts] = (), design: Design | None = None
) -> Iterator[bytes]:
    """Yield a file's content, with the undisguised columns after the fields: truth values, numbers, dictionaries of
    texts. Its metadata hold the design.
    """
    pa = _pyarrow()
    import pyarrow.parquet as pq

    arrays = [_array(field, codes) for field, codes in zip(fields, table.T, strict=True)]
    for column in opened:
        given = [(float(text) if column.numbers else text) if text else None for text in column.texts]
        arrays.append(pa.array(given, pa.float64() if column.numbers else pa.string()))
    names = [*(field.name for field in fields), *(column.name for column in opened)]
    file = pa.BufferOutputStream()
    metadata = None if design is None else {DESIGN: design.canonical()}
    pq.write_table(pa.table(arrays, names, metadata=metadata), file, row_group_size=_WRITTEN)
    yield file.getvalue()


def _array(field: Field, codes: np.ndarray) -> pa.Array:
    """A column of codes as an Arrow array: truth values, numbers, or a dictionary of texts; null where not asked."""
    import pyarrow as pa

    if field.boolean:
        return pa.array(codes == 1, mask=codes >= field.size)
    different, places = np.unique(codes, return_inverse=True)
    texts = [None if code >= field.size else field.text(code) for code in different.tolist()]
    if field.numeric and len(field.scales) == 1:
        return pa.array([text and float(text) for text in texts], pa.float64()).take(pa.array(places))
    return pa.array(texts, pa.string()).take(pa.array(places)).dictionary_encode()


def columns(source: Any) -> dict[str, np.ndarray]:
    """Read every column of a source as numbers, or texts with None where nothing was given."""
    pa = _pyarrow()
    groups = list(blocks(source))
    for group in groups:
        column_order(group.header, (), group.path, others=True)  # none stands there twice
        if sorted(group.header) != sorted(groups[0].header):
            odd = sorted({*group.header} ^ {*groups[0].header})[0]
            raise InputError(f"{group.path}: not all files have the same columns; {odd!r} is in some of them.")
    parts = [piece.held for group in groups for piece in group.pieces(groups[0].header)]
    with _refusals(str(groups[0].path) if groups else "table"):  # its texts are looked at only now
        frame = pa.concat_tables(parts or [pa.table({})], promote_options="permissive").to_pandas()
    return {name: open_column(frame, name, groups[0].path) for name in frame.columns}


def _arrays(piece: ParquetPart, fields: Sequence[Field], others: bool) -> list[pa.Array]:
    order = column_order(piece.header, fields, piece.path, others)
    with _refusals(piece.path):
        return [piece.held.column(place).combine_chunks() for place in order]


def _line(array: pa.Array, field: Field, block: ParquetPart) -> tuple[np.ndarray, np.ndarray | None]:
    """Who says yes, and who was asked (None: everybody), as bits: those of Arrow where it has them, as it does
    of truth values."""
    if str(array.type) == "bool" and not array.offset % 8 and (field.optional or not array.null_count):
        here = slice(array.offset // 8, (array.offset + len(array) + 7) // 8)
        asked, yes = (None if buffer is None else np.frombuffer(buffer, np.uint8)[here] for buffer in array.buffers())
        assert yes is not None
        return yes, asked
    codes = _codes(array, field, block)
    return pack_bits(codes == 1), pack_bits(codes != field.size) if field.optional else None


def _codes(array: pa.Array, field: Field, block: ParquetPart) -> np.ndarray:
    """The codes of an Arrow column; each of its different values is looked up once."""
    import pyarrow as pa

    if pa.types.is_nested(array.type):
        raise InputError(f"{block.path}: the column {field.name!r} holds {array.type}, neither numbers nor text.")
    try:
        encoded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
        values = [None if value == "" else value for value in [*encoded.dictionary.to_pylist(), None]]
        places = encoded.indices.cast(pa.int64()).fill_null(len(values) - 1).to_numpy()
    except (ValueError, OverflowError, pa.ArrowException) as error:
        raise InputError(f"{block.path}: the column {field.name!r} cannot be read as {array.type}.") from error
    return codes_of_values(values, places, field, block.path, lambda row: block.row + row)


@lru_cache(maxsize=8)
def _hash_of(written: bytes | None) -> str | None:
    """The hash of a design as a file holds it; None where there is none, or none that this version reads."""
    try:
        return Design.parse(written.decode()).sha256 if written else None
    except (InputError, UnicodeDecodeError):
        return None


def _batches_in_memory(source: Any) -> Iterator[ParquetPart]:
    """Yield the rows of a table in memory, some at a time."""
    pa = _pyarrow()
    stream = source.scanner() if hasattr(source, "scanner") else source
    row = FIRST_ROW
    with _refusals("table"):
        reader = stream.to_reader() if stream is not source else pa.RecordBatchReader.from_stream(source)
        for batch in reader:
            for start in range(0, len(batch), _AT_ONCE):
                some = batch.slice(start, _AT_ONCE)
                yield ParquetPart(IN_MEMORY, row, held=pa.Table.from_batches([some]))
                row += len(some)


def _files(source: str) -> list[str]:
    """The names of the files that a path, a folder, a pattern or an address stands for."""
    system, inside = _place(source)
    is_pattern = any(mark in inside for mark in "*?[")
    with _refusals(source):
        if system.isdir(inside):
            found = [name for name in system.find(inside) if name.lower().endswith(ENDING)]
        elif is_pattern and not system.exists(inside):
            found = system.glob(inside)
        else:
            return [source]
        if not found:
            where = "no file fits" if is_pattern else "is a directory"
            raise InputError(f"{source}: {where}. Parquet is read of files whose names end in {ENDING}.")
        return sorted(system.unstrip_protocol(name) if "://" in source else os.path.relpath(name) for name in found)


def _place(path: str) -> tuple[Any, str]:
    """The file system that an address or a path is on, and the file's full name there."""
    _pyarrow()
    import fsspec

    if "://" not in path:
        return fsspec.filesystem("file"), os.path.abspath(path)
    try:
        return fsspec.core.url_to_fs(path)
    except MemoryError:
        raise
    except TypeError as error:
        raise InputError(f"{path}: no file can be reached by such an address.") from error
    except Exception as error:  # of any class: an address is opened by one of many packages, over a network
        known = error.strerror.lower() if isinstance(error, OSError) and error.strerror else str(error).strip()
        said = known.splitlines()[0].rstrip(".") if known else "it cannot be opened"
        last = path.rpartition("::")[2]
        if not last or (isinstance(error, IsADirectoryError) and "://" in last and not last.startswith("file:")):
            said = "it names a file in an archive, but no archive; write zip://records.parquet::archive.zip"
        raise InputError(f"{path}: {said}.") from error


def _stamp(path: str) -> str:
    """Return the version of a file: a text that changes whenever the file does."""
    system, inside = _place(path)
    with _refusals(path):
        system.invalidate_cache()
        known = system.info(inside)
    if path.startswith("http") and not _VERSIONS & known.keys():
        raise InputError(
            f"{path}: its server names no version of the file (ETag, Last-Modified); save it and read that."
        )
    return str(known)


@lru_cache(maxsize=1)  # of the file that is read: it may have thousands of row groups
def _footer(path: str, stamp: str) -> tuple[Any, pa.Schema]:
    """The metadata and schema of a file; InputError if it has changed since it had this stamp (see `_stamp`)."""
    import pyarrow.parquet as pq

    system, inside = _place(path)
    with _refusals(path, stamp), pq.ParquetFile(inside, filesystem=system) as file:
        return file.metadata, file.schema_arrow


@contextmanager
def _refusals(path: str, stamp: str = "") -> Iterator[None]:
    """Turn errors of reading a file into one sentence; with a stamp, refuse a file that has changed by now, too."""
    import pyarrow as pa

    def check() -> None:
        if stamp and _stamp(path) != stamp:
            raise InputError(f"{path}: the file changed while it was read; read it again once it is written.")

    try:
        yield
    except Exception as error:  # of any class: a name that is no UTF-8 is another one than a page that is cut short
        if isinstance(error, InputError | MemoryError) and not isinstance(error, pa.ArrowException):
            raise
        check()
        known = error.strerror if isinstance(error, OSError) else None
        known = os.strerror(errno.ENOENT) if isinstance(error, FileNotFoundError) else known
        said = known.lower() if known else "it is damaged, cut short or no Parquet file"
        raise InputError(f"{path}: {said}.") from error
    check()


def _pyarrow() -> Any:
    try:
        import fsspec
        import pyarrow
    except ImportError as error:
        raise InputError(arguments.NEEDS_ARROW) from error
    del fsspec
    return pyarrow
