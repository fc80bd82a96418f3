"""Strangers who hold connections to a site of this machine: python -m benchmarks.strangers KIND PORT CONNECTIONS

Each connection says what its kind says, and is opened again as soon as the site closes it. For bench_withstand alone.
"""

import resource
import selectors
import socket
import sys
import time
from collections import deque
from contextlib import suppress
from typing import cast

POST = (
    b"POST /s/bench/responses HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
)
KINDS = {
    "silent": b"",
    "half headers": b"POST /s/bench/responses HTTP/1.1\r\nHost: localh",
    "half bodies": POST + b"{" + b" " * 3000,
    "deaf": b"GET /client/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60,
}


DEAF_SECONDS = 15.0  # for which an answer is left where it is


def main() -> None:
    kind, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    selector, deaf = selectors.DefaultSelector(), deque[tuple[float, socket.socket]]()
    held = 0
    while True:
        for _ in range(min(count - held, 100)):
            visitor = socket.socket()
            if kind == "deaf":
                visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            visitor.setblocking(False)
            with suppress(OSError):  # it is in progress
                visitor.connect(("127.0.0.1", port))
            selector.register(visitor, selectors.EVENT_WRITE)
            held += 1
        for key, events in selector.select(0.05):
            visitor = cast(socket.socket, key.fileobj)
            try:
                if not events & selectors.EVENT_WRITE:
                    if not visitor.recv(4096):
                        raise ConnectionError
                    continue
                visitor.send(KINDS[kind])
                if kind == "deaf":
                    selector.unregister(visitor)
                    deaf.append((time.monotonic(), visitor))
                else:
                    selector.modify(visitor, selectors.EVENT_READ)
            except OSError:
                selector.unregister(visitor)
                visitor.close()
                held -= 1
        while deaf and time.monotonic() - deaf[0][0] > DEAF_SECONDS:
            deaf.popleft()[1].close()
            held -= 1


if __name__ == "__main__":
    main()
