"""The worker of the web server: a process of gunicorn, whose connections `config.web.connections` serves."""

import os
import time
from typing import Any

from gunicorn.workers.base import Worker as GunicornWorker
from waitress import wasyncore

from config.run import heartbeats
from config.web.connections import WebServer, serve_on
from config.web.lanes import Lanes
from surveys.domain.exports import making


class Worker(GunicornWorker):
    servers: tuple[WebServer, ...] = ()

    def run(self) -> None:
        heartbeats.keep_beating(heartbeats.WEB_SERVER)
        making.remove_left()
        lanes, sockets = Lanes(), dict[int, Any]()
        self.servers = tuple(serve_on(opened.sock, self.wsgi, lanes, sockets) for opened in self.sockets)
        while self.alive and self.ppid == os.getppid():  # another parent: gunicorn's master was killed
            self.notify()
            wasyncore.loop(1.0, use_poll=True, map=sockets, count=1)
        self.finish(sockets)
        lanes.shutdown()

    def finish(self, sockets: dict[int, Any]) -> None:
        """Take nobody in any more, and let those whose requests have arrived have their answers."""
        for server in self.servers:
            server.del_channel()
            server.socket.close()
        end = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < end and any(self.at_work()):
            self.notify()
            wasyncore.loop(0.1, use_poll=True, map=sockets, count=1)

    def at_work(self) -> list[bool]:
        """For each connection, whether a request or an answer is unfinished."""
        return [
            bool(channel.requests or channel.total_outbufs_len)
            for server in self.servers
            for channel in server.active_channels.values()
        ]

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        for server in self.servers:
            server.pull_trigger()  # the loop waits for sockets, and would go on doing so for a second
