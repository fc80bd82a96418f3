"""Strangers who hold connections to a site of this machine: python -m benchmarks.strangers KIND PORT CONNECTIONS

Each connection says what its kind says, and is opened again as soon as the site closes it; one that sends malformed
messages sends the next when it has its answer. For bench_withstand alone.
"""

import resource
import selectors
import socket
import sys
import time
from collections import deque
from contextlib import suppress
from typing import cast

# As behind a proxy that speaks HTTPS: the respondent is a neighbour of the strangers, in the same network.
PROXIED = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"}
HEADERS = "".join(f"{name}: {value}\r\n" for name, value in {"Host": "localhost", **PROXIED}.items())


def post(length: int) -> bytes:
    kind = "Content-Type: application/json"
    return f"POST /s/bench/responses HTTP/1.1\r\n{HEADERS}{kind}\r\nContent-Length: {length}\r\n\r\n".encode()


SAID = {
    "silent": b"",
    "half headers": b"POST /s/bench/responses HTTP/1.1\r\nHost: localh",
    "half bodies": post(60_000) + b"{" + b" " * 3000,
    "deaf": f"GET /client/main.js HTTP/1.1\r\n{HEADERS}\r\n".encode() * 60,
    "malformed": post(1) + b"{",
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
                    if not visitor.recv(65_536):
                        raise ConnectionError
                    if kind == "malformed":
                        visitor.send(SAID[kind])
                    continue
                visitor.send(SAID[kind])
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
