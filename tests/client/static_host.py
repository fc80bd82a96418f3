"""A static host: it serves a folder as those do that read `_headers`, and may be made to change what it serves."""

import mimetypes
from collections.abc import Callable
from contextlib import AbstractContextManager
from http.server import ThreadingHTTPServer
from pathlib import Path

from tests.servers import Quiet, answering

Headers = list[tuple[str, str]]
Alter = Callable[[str, Headers, bytes], tuple[Headers, bytes]]


class StaticHost(ThreadingHTTPServer):
    """`folder` may be set once the address is known; `alter` changes headers and bytes of a path."""

    folder: Path
    alter: Alter | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, path: str) -> tuple[int, Headers, bytes]:
        name = path.partition("?")[0].lstrip("/") or "index.html"
        is_there = (self.folder / name).is_file()
        file = self.folder / (name if is_there else "missing.html")
        lines = (self.folder / "_headers").read_text().splitlines()
        assert lines[0] == "/*"
        headers = [(key.strip(), value) for key, value in (line.split(": ", 1) for line in lines[1:])]
        headers += [("Content-Type", mimetypes.guess_type(file.name)[0] or "application/octet-stream")]
        body = file.read_bytes()
        if self.alter:
            headers, body = self.alter(f"/{name}", headers, body)
        return 200 if is_there else 404, headers, body


class _Handler(Quiet):
    server: StaticHost

    def answer(self) -> None:
        status, headers, body = self.server.answer(self.path)
        self.reply(body, headers, status)


def static_host() -> AbstractContextManager[StaticHost]:
    return answering(StaticHost(("127.0.0.1", 0), _Handler))
