"""The web server in front of the site: it waits for nobody for ever, and repeats nothing of what it refuses."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers import ROOT, free_port, stop, wait_until

CANARY = "canary-4f1d"
# The site's own settings, but for few threads and less patience.
CONFIG = """
from config.gunicorn import *
from config.worker import Worker

Worker.READ_SECONDS = 1.0
workers, threads = 1, 2
"""


@dataclass(frozen=True)
class Server:
    port: int
    log: Path

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def ask(self, request: str) -> str:
        """The whole of what is answered to these bytes."""
        with self.connect() as connection:
            connection.sendall(request.encode())
            return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("web")
    config = folder / "few.py"
    config.write_text(CONFIG)
    port, log = free_port(), folder / "log.txt"
    command = ["gunicorn", "--config", str(config), "--bind", f"127.0.0.1:{port}", "config.wsgi"]
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=os.environ, stderr=file, stdout=file)

    def answers() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        except OSError:
            return False

    try:
        wait_until(answers, 60, "the web server answers")
        yield Server(port, log)
    finally:
        stop(process)


def head(more: str, path: str = "/s/study/responses", method: str = "POST") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"


JSON = "Content-Type: application/json\r\n"
PAGE = head("", path="/client/manifest.txt", method="GET")


def test_unfinished_messages_do_not_stop_the_site(server: Server) -> None:
    """More of them than threads: a page is still served, and each of them hears that it came in part."""
    unfinished = head(f"{JSON}Content-Length: 500\r\n") + "{..."
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(6)]
        for connection in slow:
            connection.sendall(unfinished.encode())
        assert server.ask(PAGE).startswith("HTTP/1.1 200 ")
        answers = [connection.recv(65_536).split(b"\r\n")[0] for connection in slow]
    assert answers == [b"HTTP/1.1 503 Service Unavailable"] * 6


def test_unfinished_headers_do_not_stop_the_site(server: Server) -> None:
    """They get no answer, because nothing was asked, and no thread for longer."""
    with ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(6)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHos")
        assert server.ask(PAGE).startswith("HTTP/1.1 200 ")
        assert [connection.recv(65_536) for connection in slow] == [b""] * 6


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (head(f"bad {CANARY}: x\r\n"), 400),
        (f"{CANARY}\r\n\r\n", 400),
        (f"GET / {CANARY}\r\n\r\n", 400),
        (f"GET /{CANARY * 1000} HTTP/1.1\r\n\r\n", 414),
        (head(f"A: {CANARY * 1000}\r\n"), 431),
        (head(f"{JSON}Transfer-Encoding: {CANARY}\r\n"), 400),
        (head(f"{JSON}Transfer-Encoding: chunked\r\n") + f"{CANARY}\r\n\r\n", 411),
        (head(f"Content-Type: {CANARY}\r\nContent-Length: 11\r\n") + CANARY, 415),
        (head(f"{JSON}Content-Length: 11\r\n") + CANARY, 400),
        (head("", path=f"/s/study/receipts/{CANARY}", method="PUT"), 405),
        (head("", path="/s/study/responses", method="HEAD"), 405),
        (head("", path="/s/study/"), 405),
        (head("", path=f"/{CANARY}", method="GET"), 404),
    ],
)
def test_a_refusal_repeats_nothing_in_the_answer_or_the_log(server: Server, request_: str, status: int) -> None:
    """Of requests that are none, and of requests that this site does not answer."""
    before = server.log.stat().st_size
    answer = server.ask(request_)
    assert re.match(r"HTTP/1\.1 (\d+) ", answer)[1] == str(status)  # type: ignore[index]
    assert CANARY not in answer
    assert server.log.read_text()[before:] == ""
