"""What a process does that works for another one: it has a cap on its memory, and ends with whom it works for."""

import os
import resource
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections


@contextmanager
def cap_memory(mebibytes: int) -> Iterator[None]:
    """Let allocations fail beyond this much address space, instead of the whole machine running out.

    Only for as long as the work takes: what is written afterwards must not fail for want of memory.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = mebibytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


@contextmanager
def repeating(act: Callable[[], object], pause: float) -> Iterator[None]:
    """Call a function again and again in a thread while the block runs."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(pause):
            act()

    thread = threading.Thread(target=go_on, name="repeating", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def reconnect() -> None:
    """Give up the connection after a MemoryError: it may have struck where a transaction ended, and what is written in
    one that nobody commits is lost.
    """
    connection.close()
    del connections[DEFAULT_DB_ALIAS]


def wait_for_locks() -> None:
    """Let this process wait for database locks as long as its work may take; nobody waits for it.

    After each sealing the tables of parts are rewritten, and after an erasing those of findings; they are locked
    meanwhile: seconds for each gigabyte.
    """
    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "postgresql":
        options["options"] += f" -c lock_timeout={settings.MINING_SECONDS}s"
    else:
        options["timeout"] = settings.MINING_SECONDS


def end_with_parent() -> None:
    """End this process when its standard input closes: the process that started it holds the other end."""
    os.read(0, 1)
    os._exit(1)
