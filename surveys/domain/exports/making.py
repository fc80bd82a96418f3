"""The folder of a file that is being made: responses in clear, which must not outlive who makes it.

A process that is killed removes nothing. So it holds a lock on its folder, which the system gives back when it ends;
the next process that makes a file, or serves pages, removes the folders that nobody holds: what lay there would outlive
the erasing of its survey.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

from django.conf import settings

from surveys.domain.database import locks

_LONGEST = 24 * 3600  # seconds for which versions before this one may have been making a file


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder that only this user can read; it is removed after the block."""
    remove_left()
    _folder_of_files().mkdir(mode=0o700, parents=True, exist_ok=True)
    with _lock_parent() as place:
        made = tempfile.TemporaryDirectory(dir=place)
        held = _lock_folder(Path(made.name))
    assert held is not None
    try:
        with made as name:
            yield Path(name)
    finally:
        os.close(held)


def remove_left() -> None:
    """Remove the folders that killed processes have left on this machine."""
    if _folder_of_files().is_dir():
        with _lock_parent() as place:
            for left in place.iterdir():
                if (held := _lock_folder(left)) is not None:
                    shutil.rmtree(left, ignore_errors=True)
                    os.close(held)
    for left in Path(settings.CANDOR_DATA).glob("tmp????????"):  # where versions before this one made files
        if left.is_dir() and left.stat().st_mtime < time() - _LONGEST:
            shutil.rmtree(left, ignore_errors=True)


@contextmanager
def _lock_parent() -> Iterator[Path]:
    """Lock the folder in which files are made and return it, so that only one process adds or removes there."""
    with locks.turn(_folder_of_files(), os.O_RDONLY):
        yield _folder_of_files()


def _lock_folder(made: Path) -> int | None:
    """The descriptor of the folder, locked until it is closed; None if another process holds it, or it has gone."""
    try:
        return locks.lock(made, os.O_RDONLY)
    except FileNotFoundError:
        return None


def _folder_of_files() -> Path:
    return Path(settings.CANDOR_DATA) / "files"
