"""The process from which those that mine are forked: `python -m mining.warm`, started by mining.domain.forked.

It has imported what they need, which takes longer than most runs do. Standard input is a socket of the worker, by which
come what to do and the two pipes to its process; back go the number of the process and how it ended. It forks one
process at a time, connects to nothing itself, and ends when nobody has asked for some minutes, or with its worker.
"""

import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import django
import scipy.special  # noqa: F401 — loaded before memory is capped: a module that finds none fails with ImportError

from surveys.children import end_with_parent, wait_for_locks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
log = logging.getLogger("mining.warm")

_IDLE = 600.0  # seconds for which it waits: as long, a hundred megabytes of memory are held


def main() -> None:
    django.setup()
    wait_for_locks()
    from mining import child, member
    from mining.domain.crew import lead  # noqa: F401 — what a leader needs, and others do without

    _put_into_words()
    work = {"mining": child.main, "counting": member.main}
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the worker does
    gc.freeze()  # what is here already stays in memory that its processes share
    asked = socket.socket(fileno=0)
    while True:
        asked.settimeout(_IDLE)
        try:
            message, files, _, _ = socket.recv_fds(asked, 4096, 2)
        except TimeoutError:
            return
        if not message:
            return
        kind, run_id, token = json.loads(message)
        forked = os.fork()
        if not forked:
            _become(f"{kind} {run_id}", asked, files)
            os._exit(_status(work[kind], run_id, token))
        for file in files:
            os.close(file)
        asked.settimeout(None)
        if not _see_to_its_end(asked, forked):
            return


def _put_into_words() -> None:
    """Write the first queries of every run in SQL, without asking them of anybody.

    For the first of all Django looks at how the models hang together, which took each process a tenth of what it does
    beside reading and counting.
    """
    from mining.child import RUNS
    from surveys.domain.responses.disclosure import last_snapshots
    from surveys.models import Snapshot

    for rows in (RUNS, last_snapshots(), Snapshot(pk=0).parts.all()):
        str(rows.query)


def _see_to_its_end(asked: socket.socket, forked: int) -> bool:
    """Tell of the process; whether the worker is still there. Its number stays taken until the worker knows its end."""
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
        os.waitpid(forked, 0)  # without the worker, it ends with the pipe from it


def _become(name: str, asked: socket.socket, files: list[int]) -> None:
    """From here on this process has its own pipes, and a name of its own where the system lets it."""
    asked.detach()
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)
    threading.Thread(target=end_with_parent, daemon=True).start()


def _status(work: Callable[[int, str], None], run_id: int, token: str) -> int:
    try:
        work(run_id, token)
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
