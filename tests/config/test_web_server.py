"""The web server in front of the site: it waits for nobody for ever, and repeats nothing of what it refuses."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.worker import Worker
from surveys.domain import invite
from surveys.domain.publish import publish
from tests.servers import PATIENCE, ROOT, free_port, stop, wait_until
from tests.surveys.making import add_question, make_survey
from tests.surveys.sending import signed, submission
from tests.surveys.test_killed_while_receiving import database_url
from tests.surveys.test_manners import locked

CANARY = "canary-4f1d"
# The site's own settings, but for few threads.
FEW_THREADS = """
from config.gunicorn import *
from config.worker import Worker

workers, threads = 1, 2
"""
IMPATIENT = f"{FEW_THREADS}Worker.READ_SECONDS = 1.0"


@dataclass(frozen=True)
class Server:
    port: int
    log: Path

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(self, request: str) -> str:
        """The whole of what is answered to these bytes."""
        with self.connect() as connection:
            connection.sendall(request.encode())
            return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()


@contextmanager
def serving(folder: Path, settings: str = IMPATIENT, **environment: str) -> Iterator[Server]:
    config, log = folder / "few.py", folder / "log.txt"
    config.write_text(settings)
    port = free_port()
    command = ["gunicorn", "--config", str(config), "--bind", f"127.0.0.1:{port}", "config.wsgi"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=ROOT, env=os.environ | environment, stdout=file, stderr=file
        )
    server = Server(port, log)

    def answers() -> bool:
        try:
            server.connect().close()
            return True
        except OSError:
            return False

    try:
        wait_until(answers, PATIENCE, "the web server answers")
        yield server
    finally:
        stop(process)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web")) as running:
        yield running


def head(more: str, path: str = "/s/study/responses", method: str = "POST") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"


def status(connection: socket.socket) -> int:
    """That of the answer; the phrase beside it is another in another version of Python."""
    return int(connection.recv(65_536).split()[1])


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
        assert [status(connection) for connection in slow] == [503] * 6


def test_a_phone_that_stalls_is_heard_to_the_end(tmp_path: Path) -> None:
    """The largest message there may be, of which the second half comes two seconds after the first."""
    body = json.dumps({"pad": "0" * 65_525})
    took = Worker.READ_SECONDS
    with serving(tmp_path, FEW_THREADS) as server:
        while took >= Worker.READ_SECONDS:  # then this machine has stalled too, and another try tells more
            began = time.monotonic()
            with server.connect() as connection:
                connection.sendall((head(f"{JSON}Content-Length: {len(body)}\r\n") + body[:32_768]).encode())
                time.sleep(2)
                connection.sendall(body[32_768:].encode())
                answered = status(connection)
            took = time.monotonic() - began
    assert answered == 422


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


@pytest.mark.django_db(transaction=True)
def test_the_log_says_nothing_of_who_sent_what(tmp_path: Path) -> None:
    """Of a response that is kept, of its retry, its receipt, and of whatever is refused: no answer, key, token,
    receipt, query, address or browser, in the log or in any other file that the server writes beside the database.
    """
    survey = make_survey(access="invitation")
    add_question(survey, "note", type="text", maximum="40", position=9)
    version = publish(survey)
    (secret,) = invite.invite(survey, "all", 1)
    about = "".join(
        f"{name}: {CANARY}\r\n" for name in ("User-Agent", "Referer", "Cookie", "X-Forwarded-For", "X-Other")
    )
    token = signed(version, b"m" * 32)
    sent = submission(version, open={"note": CANARY}, token=token)
    blinded = invite._to_text(b"\1" * 384)
    bought = {"version": version.sha256, "invitation": secret, "blinded": blinded}
    data = tmp_path / "data"

    with serving(tmp_path, DATABASE_URL=database_url(), CANDOR_DATA=str(data)) as server:

        def ask(method: str, path: str, message: object = None, more: str = about) -> tuple[int, str]:
            body = "" if message is None else message if isinstance(message, str) else json.dumps(message)
            lines = f"{JSON}{more}Content-Length: {len(body)}\r\n"
            answer = server.ask(head(lines, path=f"{path}?{CANARY}", method=method) + body)
            return int(answer.split()[1]), answer.rsplit("\r\n\r\n", 1)[1]

        place = "/s/study/responses"
        status, said = ask("POST", place, sent)
        receipt = json.loads(said)["receipt"]
        statuses = [
            status,
            ask("POST", place, sent)[0],
            ask("POST", place, sent | {"open": {"note": CANARY + "2"}})[0],
            ask("POST", place, sent | {"key": "0" * 32})[0],
            ask("POST", place, sent | {"key": "0" * 32, "token": {**token, "message": blinded[:43]}})[0],
            ask("POST", place, sent | {"open": {CANARY: CANARY}})[0],
            ask("POST", place, CANARY)[0],
            ask("POST", place, sent, f"Origin: https://{CANARY}.example\r\n")[0],
            ask("POST", "/s/study/invitations", bought)[0],
            ask("POST", "/s/study/invitations", bought | {"blinded": blinded[::-1]})[0],
            ask("GET", f"/s/study/receipts/{receipt}")[0],
            ask("GET", f"/s/study/receipts/{CANARY}")[0],
            ask("GET", f"/t/{CANARY}/test/questionnaire")[0],
            ask("PUT", f"/s/study/receipts/{receipt}", sent)[0],
            ask("GET", f"/{CANARY}")[0],
            ask("GET", "/admin/", more=f"{about}Accept-Language: {CANARY}\r\n")[0],
        ]
        with locked():
            statuses.append(ask("POST", place, sent | {"key": "1" * 32, "token": signed(version, b"n" * 32)})[0])
        logged = server.log.read_text()

    assert statuses == [201, 200, 409, 409, 403, 422, 400, 403, 200, 409, 200, 404, 404, 405, 404, 302, 503]
    assert "ERROR django.request: Service Unavailable: s/<slug:slug>/responses" in logged  # it is the right log
    written = logged + "".join(path.read_text(errors="replace") for path in data.rglob("*") if path.is_file())
    secrets = (CANARY, sent["key"], receipt, secret, blinded, token["message"], token["signature"], "127.0.0.1")
    assert [part for part in secrets if part in written] == []
