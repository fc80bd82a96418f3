"""Files are read with refusals a person understands, and written whole or not at all."""

import os
import shutil
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from privacy.errors import InputError

BLOCK = 1 << 22  # bytes read at a time: of a file of some megabytes several processes get something to do
# Endings by which programs choose how to read a file.
_TABLES = frozenset(
    {".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".xls", ".ods", ".sav", ".dta", ".parquet", ".feather"}
)
_OTHERS = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".html", ".zip", ".gz"})


@dataclass(frozen=True)
class FileBlock:
    """Some whole rows of a file, to be read without the others, perhaps in another process."""

    path: str | Path
    row: int  # the number of the first of them
    content: bytes
    header: tuple[str, ...] = ()  # the names of the columns, where rows do not say them


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a file, or say in one sentence why there is none."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _not_read(path, error) from error


def read_text(path: str | Path) -> str:
    r"""Return the content of a UTF-8 file; a leading byte order mark, which spreadsheets write, is dropped.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"\xef\xbb\xbfdirect,drugs")
    ...     file.flush()
    ...     read_text(file.name)
    'direct,drugs'
    """
    return _text(read_bytes(path).removeprefix(BOM_UTF8), path)


def read_lines(path: str | Path, quotes: bool = False) -> Iterator[bytes]:
    """Yield a UTF-8 file as blocks of whole lines, so that a file may be larger than the memory.

    Where a line end in quotation marks belongs to the text between them, a block ends outside of `quotes`. The last
    line may lack its end, which is added. A leading byte order mark is dropped.

    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"direct,drugs\\n0,1")
    ...     file.flush()
    ...     list(read_lines(file.name))
    [b'direct,drugs\\n', b'0,1\\n']
    """
    lines, held = 0, b""
    try:
        with open(path, "rb") as file:
            while read := file.read(max(BLOCK, len(held))):  # a long line is looked through twice at most
                held += read
                end = _last_line_end(held, quotes)
                if end:
                    yield _check_utf8(held[:end], path, lines)
                    lines, held = lines + held.count(b"\n", 0, end), held[end:]
    except OSError as error:
        raise _not_read(path, error) from error
    if held:
        yield _check_utf8(held + b"\n", path, lines)


def _last_line_end(content: bytes, quotes: bool) -> int:
    """Where the last whole line ends; 0 if there is none."""
    if not quotes or b'"' not in content:
        return content.rfind(b"\n") + 1
    text = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero((text == ord("\n")) & ~np.bitwise_xor.accumulate(text == ord('"')))
    return int(ends[-1]) + 1 if len(ends) else 0


def _check_utf8(block: bytes, path: str | Path, lines: int) -> bytes:
    """The block, without a byte order mark if it is the first; refused if it is not UTF-8."""
    block = block if lines else block.removeprefix(BOM_UTF8)
    _text(block, path, lines)
    return block


def _text(content: bytes, path: str | Path, lines: int = 0) -> str:
    """The content as text, refused if it is not UTF-8; `lines` of the file stand before it."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = lines + content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line} is not UTF-8 text.") from error


def keep_apart(written: Mapping[str, str | Path | None], **read: str | Path | None) -> None:
    """Refuse to write over a file that the command reads, or writes as well: answers, records, a design.

    Both are paths by the words that say what is in them.

    >>> keep_apart({"records": "out.csv"}, answers="answers.csv")
    >>> keep_apart({"records": "answers.csv"}, answers="answers.csv")
    Traceback (most recent call last):
    privacy.errors.InputError: answers.csv: writing here would replace the answers.
    """
    there = dict(read)
    for name, output in written.items():
        for what, path in there.items():
            if output is not None and path is not None and os.path.realpath(output) == os.path.realpath(path):
                raise InputError(f"{output}: writing here would replace the {what}.")
        there[name] = output


def check_ending(path: str | Path | None, *fitting: str) -> None:
    """Refuse a name whose ending belongs to another format.

    A name may also have none, or one that says nothing.

    >>> check_ending("records.csv", ".csv", ".jsonl")
    >>> check_ending("chart.png", ".svg")
    Traceback (most recent call last):
    privacy.errors.InputError: chart.png: a name ending in .png is for another format; this one needs .svg.
    """
    ending = Path(path).suffix.lower() if path is not None else ""
    if ending in _TABLES | _OTHERS and ending not in fitting:
        raise InputError(
            f"{path}: a name ending in {ending} is for another format; this one needs {' or '.join(fitting)}."
        )


def write_files(contents: Mapping[str | Path, bytes]) -> None:
    """Write several files, of which either all appear or none: where one cannot, what stood there comes back.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files({f"{folder}/a.txt": b"one", f"{folder}/b.txt": b"two"})
    ...     (Path(folder) / "b.txt").read_bytes()
    b'two'
    """
    last = len(contents) - 1
    with ExitStack() as beside, ExitStack() as back:
        renamed = []
        for index, (path, content) in enumerate(contents.items()):
            target = _target(path)
            with _refuse_to_write(path):
                new, old = beside.enter_context(_neighbour(target)), None
                with new.open("wb") as file:
                    file.write(content)
                    _to_disk(file)
                if index < last and target.exists():  # no rename comes after the last, which could fail
                    old = beside.enter_context(_neighbour(target))
                    shutil.copy2(target, old)
            renamed.append((path, new, target, old))
        for path, new, target, old in renamed:
            with _refuse_to_write(path):
                os.replace(new, target)
            if old:
                back.callback(os.replace, old, target)
            else:
                back.callback(os.unlink, target)
        back.pop_all()


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that appears under its name only when everything was written and is on the disk.

    The bytes go to a nameless neighbour first: the same file system makes the final rename atomic. A link keeps its
    place, and what it names is written; a device, which the rename would put an end to, is refused.

    Nothing stands at the path before the block ends, and nothing new if it fails.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(f"{folder}/records.csv") as file:
    ...         _ = file.write(b"direct,drugs")
    ...     Path(f"{folder}/records.csv").read_text()
    'direct,drugs'
    """
    target = _target(path)
    with ExitStack() as beside:
        with _refuse_to_write(path):
            new = beside.enter_context(_neighbour(target))
        with new.open("wb") as file:
            yield file
            _to_disk(file)
        with _refuse_to_write(path):
            os.replace(new, target)


def _target(path: str | Path) -> Path:
    """Where a file will stand that is written to the path."""
    with _refuse_to_write(path):
        target = Path(path).resolve()
        if target.is_dir():
            raise InputError(f"{path}: is a directory, not a file to write.")
        if target.exists() and not target.is_file():
            raise InputError(f"{path}: is a device or a pipe, not a file to write.")
    return target


@contextmanager
def _neighbour(target: Path) -> Iterator[Path]:
    """An empty file beside the target, which is gone in the end unless it was renamed."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _to_disk(file: BinaryIO) -> None:
    """Bring all that was written to the disk, with the permissions of an ordinary file."""
    file.flush()
    os.fsync(file.fileno())
    os.chmod(file.name, 0o666 & ~_umask())


@contextmanager
def _refuse_to_write(path: str | Path) -> Iterator[None]:
    """Say in one sentence why the file cannot be written."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be written, {_reason(error)}.") from error


def _umask() -> int:
    """Return the process's mask; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _not_read(path: str | Path, error: OSError) -> InputError:
    return InputError(f"{path}: {_reason(error)}." if str(path) else "path: '' is empty, so it names no file.")


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
