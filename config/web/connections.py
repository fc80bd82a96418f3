"""Read requests and send answers in one loop, so that no thread waits for a client.

waitress does the reading and sending. Added here: what a request may be (`config.web.limits`), that a connection ends
when its time is over, and that the oldest unfinished ones give way when there are too many.
"""

import logging
import select
import socket
import sys
import time
from contextlib import suppress
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer

from config.web import limits
from config.web.lanes import Lanes
from config.web.limits import RefusalResponse

log = logging.getLogger(__name__)

NEVER = 2**31 - 1  # waitress's own limits that `limits` takes the place of
ADJUSTMENTS: dict[str, Any] = {
    "asyncore_use_poll": True,
    "backlog": 2048,
    "channel_timeout": NEVER,
    "cleanup_interval": 1,
    "clear_untrusted_proxy_headers": False,  # Django decides what it reads of them
    "connection_limit": NEVER,
    "ident": None,
    "inbuf_overflow": NEVER,  # no body is ever written to a temporary file
    "log_socket_errors": False,
    "max_request_header_size": limits.HEADER,
}


class WebRequest(HTTPRequestParser):
    """A request that is being read. One that is refused counts as complete, and the rest of it is not kept."""

    path = ""
    error: Any = None

    def received(self, data: bytes) -> int:
        try:
            consumed: int = super().received(data)
        except ValueError:  # a length of thousands of digits, or an address with half of its brackets
            self.refuse(400)
            return len(data)
        if self.error is not None:  # one of waitress, which repeats parts of the request
            self.refuse(self.error.code)
        elif self.headers_finished and self.body_bytes_received == 0:
            in_chunks = self.chunked or "TRANSFER_ENCODING" in self.headers
            status = 411 if in_chunks else limits.refusal_status(self.path, self.headers)
            if status is not None:
                self.refuse(status)
        elif len(self.header_plus) > limits.FIRST_LINE and b"\n" not in self.header_plus[: limits.FIRST_LINE]:
            self.refuse(414)
        if self.completed and consumed < len(data):
            # Another request, before this one is answered: no browser sends that, and answers would pile up.
            self.headers["CONNECTION"] = "close"
        return consumed

    def refuse(self, status: int) -> None:
        """Answer with this status, and keep nothing of what else is sent."""
        self.error = RefusalResponse(status if status in limits.SENTENCES else 400)
        self.completed, self.expect_continue, self.version = True, False, "1.1"

    @property
    def size(self) -> int:
        return len(self.header_plus) + int(self.body_bytes_received)


class WebConnection(HTTPChannel):
    parser_class = WebRequest
    request: WebRequest | None  # what is being read
    requests: list[WebRequest]  # what is being answered
    will_close: bool
    close_when_flushed: bool
    refused = False
    began = 0.0  # when the first byte of the request came that is being read
    unsent_since = 0.0  # when an answer was first seen that is not taken
    lingers_since = 0.0  # when the answer of a refusal was sent; what is still under way is read and dropped

    def received(self, data: bytes) -> bool:
        if self.lingers_since:
            return False
        if self.request is None:
            self.began = time.time()
        return bool(super().received(data))

    def handle_write(self) -> None:
        """After a refusal, close for sending alone: closed whole while more comes, the answer would be lost."""
        if self.refused and self.close_when_flushed and not self.will_close:
            self._flush_exception(self._flush_some)
            if not self.total_outbufs_len:
                self.close_when_flushed, self.lingers_since = False, time.time()
                with suppress(OSError):
                    self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_write()

    def handle_error(self) -> None:
        log_failure()
        self.handle_close()

    def service(self) -> None:
        self.refused = self.requests[0].error is not None
        super().service()

    def waits(self, now: float) -> tuple[float, float] | None:
        """Since when the peer is waited for, and how long at most; None while the site is at work for it."""
        if self.lingers_since:
            return self.lingers_since, limits.LINGER_SECONDS
        if self.total_outbufs_len:
            self.unsent_since = self.unsent_since or now
            return max(self.unsent_since, self.last_activity), limits.ANSWER_SECONDS
        self.unsent_since = 0.0
        if self.requests:
            return None
        if self.request is not None:
            return self.began, limits.REQUEST_SECONDS
        return self.last_activity, limits.IDLE_SECONDS

    def end(self) -> None:
        """End the connection because its time is over; a request that came in part gets 408.

        One whose first bytes wait to be read stays: the site was busy, and not its peer silent.
        """
        if self.request is None and self.last_activity == self.creation_time and self._has_unread_bytes():
            return
        with self.requests_lock:
            if self.request is None or self.requests or self.total_outbufs_len:
                self.will_close = True
                return
            self.request.refuse(408)
            self.requests, self.request = [self.request], None
            self.server.add_task(self)

    def _has_unread_bytes(self) -> bool:
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        return bool(poll.poll(0))

    @property
    def size(self) -> int:
        """The bytes that it holds in memory."""
        requests = [*self.requests, *([self.request] if self.request else [])]
        return int(self.total_outbufs_len) + sum(request.size for request in requests)


class WebServer(TcpWSGIServer):
    channel_class = WebConnection
    active_channels: dict[int, WebConnection]

    def handle_accept(self) -> None:
        """Take in some of those who have knocked: one, so that another process takes the next; more in a crowd, which
        would hold others up if each round of the loop took in one.
        """
        for _ in range(1 + len(self.active_channels) // 8):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                break
        excess = len(self.active_channels) - limits.CONNECTIONS
        if excess > 0:
            self.make_room(excess + limits.CONNECTIONS // 50)

    def handle_error(self) -> None:
        """Log the error and go on accepting connections."""
        log_failure()

    def waiting(self, now: float) -> list[tuple[float, float, WebConnection]]:
        """Each connection whose peer is waited for: since when, how many seconds at most, and the connection."""
        known = [(channel.waits(now), channel) for channel in self.active_channels.values() if not channel.will_close]
        return [(*waits, channel) for waits, channel in known if waits is not None]

    def make_room(self, count: int) -> None:
        """Close this many connections: those that have waited longest."""
        longest = sorted(self.waiting(time.time()), key=lambda one: one[0])
        for _, _, channel in longest[:count]:
            channel.will_close = True

    def maintenance(self, now: float) -> None:
        """Once a second: end what has lasted too long, and the largest where too much is held in memory."""
        waiting = self.waiting(now)
        for since, seconds, channel in waiting:
            if now - since > seconds:
                channel.end()
        held = sum(channel.size for _, _, channel in waiting)  # not what waits for the site itself: limits.QUEUED
        for _, _, channel in sorted(waiting, key=lambda one: -one[2].size) if held > limits.MEMORY else []:
            channel.will_close = True
            held -= channel.size
            if held <= limits.MEMORY:
                break


def log_failure() -> None:
    """Say what failed in the loop: waitress would write whose connection it was, and parts of what was sent."""
    log.error("The web server failed with a connection: %s.", type(sys.exception()).__name__)


def serve_on(listening: socket.socket, application: Any, lanes: Lanes, sockets: dict[int, Any]) -> WebServer:
    """A server on the open socket, for `waitress.wasyncore.loop` over the sockets."""
    place = (listening.family, listening.type, listening.proto, listening.getsockname())
    adjustments = Adjustments(**ADJUSTMENTS)
    return WebServer(application, sockets, True, listening, lanes, adjustments, place, bind_socket=False)
