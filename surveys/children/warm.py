"""The process from which others are forked: `python -m surveys.children.warm`, started by surveys.children.forked.

It imports what they need once, which takes longer than most of their work does. Standard input is a socket of the
process they work for, by which come what to do and the two pipes to its child; back go the number of the child and how
it ended. It forks one at a time, connects to nothing itself, and ends when nobody has asked for some minutes, or with
the process at the other end.
"""

import gc
import importlib
import json
import logging
import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import django

from surveys.children import end_with_parent, wait_for_locks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
log = logging.getLogger("surveys.children")

_IDLE = 600.0  # seconds for which it waits: as long, a hundred megabytes of memory are held


def main() -> None:
    django.setup()
    wait_for_locks()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the process at the other end does
    asked = socket.socket(fileno=0)
    while True:
        asked.settimeout(_IDLE)
        try:
            message, files, _, _ = socket.recv_fds(asked, 4096, 2)
        except TimeoutError:
            return
        if not message:
            return
        name, arguments, size = json.loads(message)
        work = importlib.import_module(name)
        if prepare := getattr(work, "prepare", None):
            prepare()
        gc.freeze()  # what is here already stays in memory that its processes share
        forked = os.fork()
        if not forked:
            _take_over_pipes(f"{work.NAME} {arguments[0]}", asked, files)
            os._exit(_status(work, [*arguments, *_read_bytes(size)]))
        for file in files:
            os.close(file)
        asked.settimeout(None)
        if not _report_child(asked, forked):
            return


def _report_child(asked: socket.socket, forked: int) -> bool:
    """Report the child's number and how it ended; return whether anybody still asks. Till then its number is taken."""
    try:
        asked.sendall(f"{forked}\n".encode())
        ended = os.waitid(os.P_PID, forked, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        status = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        asked.sendall(f"{status}\n".encode())
        return bool(asked.recv(1))
    except OSError:
        return False
    finally:
        os.waitpid(forked, 0)  # with nobody at the other end, it ends with the pipe from there


def _take_over_pipes(name: str, asked: socket.socket, files: list[int]) -> None:
    """In the child: use its own pipes as standard input and output, and set its name where the system allows."""
    asked.detach()
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)


def _read_bytes(size: int) -> list[bytes]:
    """The bytes that the child works on, in a list, if any; from then on it ends when its standard input does."""
    given = bytearray()
    while len(given) < size:
        more = os.read(0, size - len(given))
        if not more:
            os._exit(1)
        given += more
    threading.Thread(target=end_with_parent, daemon=True).start()
    return [bytes(given)] if size else []


def _status(work: ModuleType, arguments: list[Any]) -> int:
    """Call `work.main` in this child, and return the exit status that follows."""
    try:
        work.main(*arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BaseException:
        log.exception("This process has failed.")  # as every line of the log is written, also as JSON
        return 1
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        logging.shutdown()
    return 0


if __name__ == "__main__":
    main()
