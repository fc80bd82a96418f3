"""Locks on files and folders, which the system gives back when a process ends; and what survives a power cut."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def lock(path: str | Path, flags: int = os.O_RDWR | os.O_CREAT) -> int | None:
    """Open the file and lock it until it is closed: its descriptor, or None if another process holds the lock."""
    file = os.open(path, flags, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


@contextmanager
def turn(path: str | Path, flags: int = os.O_RDWR | os.O_CREAT) -> Iterator[None]:
    """Wait for the lock of the file, and hold it until the end of the block."""
    file = os.open(path, flags, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def keep_names(folder: Path) -> None:
    """Write the list of files in the folder to the disk: a power cut could otherwise undo a rename in it."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
