"""The worker of the web server: gunicorn's threads, but slow requests are ended, and errors repeat nothing."""

import socket
import time
from contextlib import suppress
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker


class Worker(ThreadWorker):
    # A request must have arrived after so many seconds, with its body. The largest body, 64 KiB, takes 0.4 s at
    # 1.6 Mbit/s. The rest is for a phone that loses the same packet twice: TCP sends it again after 1 s and after
    # another 2 s. A device that takes longer sends the same bytes again.
    READ_SECONDS = 4.0

    def init_process(self) -> None:
        self.busy: dict[TConn, float] = {}
        super().init_process()

    def handle(self, conn: TConn) -> Any:
        self.busy[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            del self.busy[conn]

    def notify(self) -> None:
        """End the reading of requests that are late. The thread that accepts calls this at least once a second.

        A thread that was waiting for the rest of a body goes on with what has arrived; its answer can still be sent.
        """
        super().notify()
        late = time.monotonic() - self.READ_SECONDS
        for conn, since in self.busy.copy().items():
            if since < late:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:  # noqa: ARG002
        """Refuse what is not an HTTP request; neither the answer nor the log repeats a word of it."""
        status, reason = 400, "Bad Request"
        if isinstance(exc, errors.LimitRequestLine):
            status, reason = 414, "URI Too Long"
        elif isinstance(exc, errors.LimitRequestHeaders):
            status, reason = 431, "Request Header Fields Too Large"
        elif not isinstance(exc, errors.ParseException):
            status, reason = 500, "Internal Server Error"
            self.log.error("A request ended in %s.", type(exc).__name__)
        with suppress(OSError):
            util.write_error(client, status, reason, "")
