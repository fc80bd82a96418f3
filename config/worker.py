"""The web server's worker: gunicorn's threads, with an end to waiting for a request and errors that repeat nothing."""

import socket
import time
from contextlib import suppress
from typing import Any

from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker


class Worker(ThreadWorker):
    # In which a request must have arrived, with its body. The largest, 64 KiB, takes 0.4 s at 1.6 Mbit/s; the rest is
    # for a phone that loses the same packet twice, which TCP sends again after 1 s and another 2 s. Whoever takes
    # longer comes again with the same bytes.
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
        """Called every second or more often by the thread that accepts: here it also ends the reading of what is late.

        A thread that waits for the rest of a body then goes on with what has come; what it answers can still be sent.
        """
        super().notify()
        late = time.monotonic() - self.READ_SECONDS
        for conn, since in self.busy.copy().items():
            if since < late:
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: Exception) -> None:  # noqa: ARG002
        """A request that is none is refused without a word of it, in the answer or in the log."""
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
