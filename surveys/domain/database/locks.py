"""Locks on files and folders, which the system gives back when a process ends, however it ends."""

import fcntl
import os
from pathlib import Path


def lock(path: str | Path, flags: int = os.O_RDWR | os.O_CREAT) -> int | None:
    """Open the file and lock it until it is closed; None if another process holds the lock."""
    file = os.open(path, flags, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file
