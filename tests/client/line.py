"""A line to the site that a test can cut and mend, and that notes what the browser has sent over it."""

import json
import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any

from tests.servers import answering

REQUEST = re.compile(rb"([A-Z]+) (/\S*) HTTP/1\.1\r\n")
HARD = struct.pack("ii", 1, 0)  # closed at once: the browser hears that the connection was reset


class Line(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Passing)
        self.to = port
        self.is_cut = False
        self.sent: list[bytearray] = []  # what came in over each connection
        self.ends: list[socket.socket] = []

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_address[1]}"

    def cut(self) -> None:
        """No network: open connections are cut, and no new one is made."""
        self.is_cut = True
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.is_cut = False

    @property
    def requests(self) -> list[str]:
        """Method and path of every request that left the browser, each connection in its order."""
        return [" ".join(map(bytes.decode, request)) for sent in self.sent for request in REQUEST.findall(sent)]

    def bodies_to(self, name: str) -> list[dict[str, Any]]:
        """The bodies that were sent to addresses of that name."""
        start = re.compile(rb"POST /\S*/%s HTTP/1\.1\r\n.*?\r\n\r\n" % name.encode(), re.DOTALL)
        bodies = [sent[match.end() :].decode() for sent in self.sent for match in start.finditer(bytes(sent))]
        return [json.JSONDecoder().raw_decode(body)[0] for body in bodies]


class Passing(BaseRequestHandler):
    server: Line

    def handle(self) -> None:
        line, visitor = self.server, self.request
        if line.is_cut:
            visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HARD)
            return
        with socket.create_connection(("127.0.0.1", line.to)) as site:
            line.ends += [visitor, site]
            sent = bytearray()
            line.sent.append(sent)
            answers = threading.Thread(target=carry, args=(site, visitor), daemon=True)
            answers.start()
            carry(visitor, site, sent)
            answers.join()


def carry(source: socket.socket, target: socket.socket, noted: bytearray | None = None) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            if noted is not None:
                noted += data
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def line_to(port: int) -> Iterator[Line]:
    with answering(Line(port)) as line:
        try:
            yield line
        finally:
            line.cut()
