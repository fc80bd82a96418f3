"""The web server in front of the site: it waits for nobody for ever, and repeats nothing of what it refuses."""

import json
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from waitress.adjustments import Adjustments

from config.web import lanes, limits
from config.web.connections import WebRequest, serve_on
from config.web.lanes import Lanes
from surveys.domain.messages import invite
from surveys.domain.questionnaire.publish import publish
from tests.cases import every, only_on
from tests.config.signing_in import known_browser
from tests.servers import PATIENCE, ROOT, Prepared, free_port, run_python, stop, wait_until
from tests.surveys.databases import database_url, hold_lock
from tests.surveys.making import add_question, make_survey
from tests.surveys.sending import sign_in_the_open, submission

CANARY = "canary-4f1d"
# The site's own settings, but for one process, few threads and short times.
FEW = """
from config.gunicorn import *
from config.web import lanes, limits

workers = 1
lanes.THREADS = dict.fromkeys(lanes.THREADS, 1)
"""
NARROW = f"{FEW}limits.CONNECTIONS, limits.MEMORY = 50, 4_000_000"
# Writes the method of each request to a file, once the request stands in its lane.
NOTING = f"""{FEW}
add_task = lanes.Lanes.add_task

def noting(self, channel):
    method = channel.requests[0].command
    add_task(self, channel)
    with open("PATH", "a") as file:
        print(method, file=file)

lanes.Lanes.add_task = noting
"""
IMPATIENT = f"{FEW}limits.REQUEST_SECONDS = limits.IDLE_SECONDS = limits.ANSWER_SECONDS = 1.0"


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
            return everything(connection).decode()


def everything(connection: socket.socket) -> bytes:
    """What comes until the connection ends."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


@contextmanager
def serving(folder: Path, given: str = IMPATIENT, **environment: str) -> Iterator[Server]:
    config, log = folder / "few.py", folder / "log.txt"
    config.write_text(given)
    port = free_port()
    command = ["gunicorn", "--config", str(config), "--bind", f"127.0.0.1:{port}", "config.wsgi"]
    # As outside `make run`: nobody has named Django's settings before, which the class of the workers reads.
    own = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"} | environment
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, env=own, stdout=file, stderr=file)
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
def server(tmp_path_factory: pytest.TempPathFactory, prepared: Prepared) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("web")
    with serving(folder, CANDOR_DATA=str(prepared.copied(folder / "data"))) as running:
        yield running


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory, prepared: Prepared) -> Iterator[Server]:
    """With the site's own times, for few connections; its temporary files would stand in `temporary` beside the log."""
    folder = tmp_path_factory.mktemp("narrow")
    (folder / "temporary").mkdir()
    own = {"TMPDIR": str(folder / "temporary"), "SECRET_KEY": settings.SECRET_KEY}
    with serving(folder, NARROW, CANDOR_DATA=str(prepared.copied(folder / "data")), **own) as running:
        yield running


def head(more: str, path: str = "/s/study/responses", method: str = "POST") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"


def status(connection: socket.socket) -> int:
    """That of the answer."""
    return int(connection.recv(65_536).split()[1])


def admin_form(size: int, kind: str, path: str = "/staff/admin/login/", more: str = "") -> str:
    return head(f"Content-Type: {kind}\r\nContent-Length: {size}\r\n{more}", path=path)


MULTIPART, FORM = "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"
SESSION = "Cookie: staff_session=forged; known_browser=forged\r\n"
JSON = "Content-Type: application/json\r\n"
PAGE = head("", path="/client/manifest.txt", method="GET")


@pytest.mark.long
@pytest.mark.parametrize(
    "unfinished", ["GET / HTTP/1.1\r\nHos", head(f"{JSON}Content-Length: 500\r\n") + "{..."], ids=["header", "body"]
)
def test_unfinished_requests_do_not_stop_the_site(server: Server, unfinished: str) -> None:
    """Many of them take no thread: a page is served meanwhile, and each of them hears that it came in part."""
    with ExitStack() as stack:
        slow = []
        for _ in range(60):
            slow.append(stack.enter_context(server.connect()))
            slow[-1].sendall(unfinished.encode())  # at once: what says nothing for a second is closed
        assert server.ask(PAGE).startswith("HTTP/1.1 200 ")
        assert [status(connection) for connection in slow] == [408] * 60


def test_silent_connections_do_not_stop_the_site(server: Server) -> None:
    """They are closed after a while; there is nothing to answer."""
    with ExitStack() as stack:
        silent = [stack.enter_context(server.connect()) for _ in range(60)]
        assert server.ask(PAGE).startswith("HTTP/1.1 200 ")
        assert [connection.recv(65_536) for connection in silent] == [b""] * 60


def test_answers_that_nobody_takes_do_not_stop_the_site(server: Server) -> None:
    """Of requests that come without waiting for answers one is answered; a client that reads nothing is cut off."""
    asked = head("", path="/client/main.js", method="GET").replace("Connection: close\r\n", "").encode()
    with ExitStack() as stack:
        deaf = []
        for _ in range(60):
            deaf.append(stack.enter_context(server.connect()))
            deaf[-1].sendall(asked * 50)
        assert server.ask(PAGE).startswith("HTTP/1.1 200 ")
        answers = [everything(connection) for connection in deaf[:3]]
    assert [answer.count(b"HTTP/1.1 200 OK") for answer in answers] == [1, 1, 1]


@pytest.mark.long
def test_a_phone_that_stalls_is_heard_to_the_end(narrow: Server) -> None:
    """The largest message there may be, of which the second half comes some seconds after the first."""
    body = json.dumps({"pad": "0" * 65_525})
    with narrow.connect() as connection:
        connection.sendall((head(f"{JSON}Content-Length: {len(body)}\r\n") + body[:32_768]).encode())
        time.sleep(5)
        connection.sendall(body[32_768:].encode())
        assert status(connection) == 422


def test_the_longest_unfinished_give_way(narrow: Server) -> None:
    """Where there are as many connections as there may be, those that came first are closed for those that come."""
    with ExitStack() as stack:
        silent = [stack.enter_context(narrow.connect()) for _ in range(60)]
        assert narrow.ask(PAGE).startswith("HTTP/1.1 200 ")
        assert silent[0].recv(1) == b""
        silent[-1].sendall(PAGE.encode())
        assert status(silent[-1]) == 200


def test_what_strangers_send_is_bounded_in_memory(narrow: Server) -> None:
    """Where more is held than there may be, the largest unfinished requests go."""
    large = admin_form(2_500_000, FORM, "/staff/admin/x/", known_browser()) + " " * 2_000_000
    with ExitStack() as stack:
        small, *hoards = (stack.enter_context(narrow.connect()) for _ in range(4))
        small.sendall(head(f"{JSON}Content-Length: 2\r\n").encode() + b"{")
        for connection in hoards:
            connection.sendall(large.encode())
        wait_until(lambda: len(select.select(hoards, [], [], 0)[0]) == 2, PATIENCE, "two of them are closed")
        small.sendall(b"}")
        assert status(small) == 422


@only_on("sqlite", "this is about SQLite's one writer")
@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_files_do_not_wait_for_a_locked_database(tmp_path: Path) -> None:
    """Nor do the questionnaire and the receipts, while more devices send than there are threads for them."""
    version = publish(make_survey())
    message = json.dumps(submission(version))
    posted = head(f"{JSON}Content-Length: {len(message)}\r\n") + message
    asked = ["/client/main.js", "/s/study/", "/s/study/receipts/", "/s/study/questionnaire"]
    noted = tmp_path / "noted"
    noted.touch()
    with (
        serving(tmp_path, NOTING.replace("PATH", str(noted)), DATABASE_URL=database_url()) as server,
        ExitStack() as stack,
    ):
        server.ask(head("", path="/s/study/questionnaire", method="GET"))  # the process knows all it needs
        stack.enter_context(hold_lock())
        sending = [stack.enter_context(server.connect()) for _ in range(3)]
        for connection in sending:
            connection.sendall(posted.encode())
        wait_until(lambda: noted.read_text().count("POST") == 3, PATIENCE, "all three messages are in their lane")
        answers = [server.ask(head("", path=path, method="GET")).split()[1] for path in asked]
        unanswered = select.select(sending, [], [], 0)[0] == []
    assert (answers, unanswered) == (["200"] * 4, True)


@pytest.mark.parametrize(
    ("announced", "status", "sentence"),
    every(5, [
        (admin_form(400 * 2**20, MULTIPART), 413, "The request is larger than anything that is read here."),
        (admin_form(400, MULTIPART), 415, "No file is taken here."),
        (admin_form(400, MULTIPART, more=SESSION), 415, "No file is taken here."),
        (admin_form(400, MULTIPART, "/staff/studio/new/", SESSION), 415, "No file is taken here."),
        (admin_form(400, MULTIPART, "/staff/studio/new/", known_browser()), 415,
         "No file is taken here."),
        (admin_form(400, MULTIPART, path="/"), 415, "No file is taken here."),
        (admin_form(400, MULTIPART, "/staff/studio/7/translation/", SESSION), 415, "No file is taken here."),
        (admin_form(400, MULTIPART, "/staff/studio/7/change/", known_browser()), 415, "No file is taken here."),
        (admin_form(65_537, FORM), 413, "The request is larger than anything that is read here."),
        (admin_form(65_537, FORM, "/staff/studio/"), 413,
         "The request is larger than anything that is read here."),
        (admin_form(65_537, FORM, "/staff/admin/x/", SESSION), 413,
         "The request is larger than anything that is read here."),
        (admin_form(2**22, FORM, "/staff/admin/x/", known_browser()), 413,
         "The request is larger than anything that is read here."),
        (admin_form(2**22, FORM, "/staff/admin/x/", SESSION), 413,
         "The request is larger than anything that is read here."),
        (admin_form(65_537, "application/json", "/s/study/responses"), 413,
         "The request is larger than anything that is read here."),
        (head("Expect: 100-continue\r\nContent-Length: 70000\r\n"), 413,
         "The request is larger than anything that is read here."),
        (head("Transfer-Encoding: chunked\r\n").replace("1.1", "1.0"), 411,
         "Send the request whole, with its Content-Length: it is not read in chunks."),
        (head("Transfer-Encoding: chunked\r\n"), 411,
         "Send the request whole, with its Content-Length: it is not read in chunks."),
        (f"GET /{'x' * 5000}", 414, "The address is longer than any address of this site."),
        (head(f"A: {'x' * 20_000}"), 431, "The header of the request is too large."),
        (head("Content-Length: 1\r\nContent-Length: 2\r\n"), 400, "This is not an HTTP request."),
    ]),
)  # fmt: skip
def test_what_is_too_much_is_refused_before_it_is_read(
    server: Server, announced: str, status: int, sentence: str
) -> None:
    """From the header alone, with one sentence; forged cookies give no right to send more, and nobody sends files."""
    head, said = server.ask(announced).split("\r\n\r\n", 1)
    assert head.startswith(f"HTTP/1.1 {status} ")
    assert said == f"{sentence}\n"


@pytest.mark.parametrize(
    "path",
    [
        "/staff/studio/versions/7/results/releases/",
        "/staff/studio/7/translation/",
    ],
)
def test_a_page_with_a_field_for_a_file_takes_it_from_people_inside(server: Server, path: str) -> None:
    """The request comes to the page, which asks who it is."""
    body = "--x\r\n\r\n--x--\r\n"
    assert server.ask(admin_form(len(body), MULTIPART, path, known_browser()) + body).split()[1] in ("302", "403")


def test_a_refusal_arrives_while_the_sender_goes_on(server: Server) -> None:
    """Somebody who sends a large file hears why it is refused, in place of a broken connection."""
    with server.connect() as connection:
        connection.sendall((admin_form(10_000_000, MULTIPART) + "x" * 3_000_000).encode())
        assert status(connection) == 413


def test_no_temporary_file_is_written(narrow: Server) -> None:
    """The largest form that may come from a browser in which somebody has signed in stays in memory."""
    folder = narrow.log.with_name("temporary")
    body = f"a={'a' * 2_600_000}"
    narrow.ask(PAGE)
    before = folder.stat().st_mtime_ns
    sent = admin_form(len(body), FORM, "/staff/people/", known_browser()) + body
    assert narrow.ask(sent).split()[1] in ("302", "403")
    assert folder.stat().st_mtime_ns == before


@pytest.fixture
def queues(monkeypatch: pytest.MonkeyPatch) -> Lanes:
    """Nobody answers what waits in them."""
    monkeypatch.setattr(lanes, "THREADS", dict.fromkeys(lanes.THREADS, 0))
    return Lanes()


@pytest.mark.parametrize(("path", "most"), [("/s/study/responses", 1024), ("/staff/admin/x/", 256)])
def test_whoever_comes_after_a_long_queue_is_asked_to_come_again(queues: Lanes, path: str, most: int) -> None:
    """The request does not wait, and hears at once 503 with Retry-After."""
    requests = [WebRequest(Adjustments()) for _ in range(most + 1)]
    for request in requests:
        request.received(head("", path=path).encode())
        queues.add_task(SimpleNamespace(requests=[request]))
    assert [request.error for request in requests[:-1]] == [None] * most
    status, headers, _ = requests[-1].error.to_response()
    assert (status, dict(headers)["Retry-After"]) == ("503 Service Unavailable", "5")
    assert len(queues.lanes["files"].queue) == 1


def test_a_half_sent_response_does_not_give_way_to_requests_that_wait(
    monkeypatch: pytest.MonkeyPatch, queues: Lanes
) -> None:
    """Only what waits for its peer counts in the memory for which connections are closed."""
    monkeypatch.setattr(limits, "MEMORY", 50_000)
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        server = serve_on(listening, None, queues, {})
        for _ in range(2):
            stack.enter_context(socket.create_connection(listening.getsockname()))
            server.handle_accept()
        whole, half = server.active_channels.values()
        whole.received((head("Content-Length: 60000\r\n") + "x" * 60_000).encode())
        half.received((head("Content-Length: 60000\r\n") + "x").encode())
        server.maintenance(time.time())
        assert (whole.will_close, half.will_close) == (False, False)
        for channel in (whole, half, server):
            channel.close()


@pytest.mark.parametrize(("sent", "ends"), [(b"GET", False), (b"", True)])
def test_a_request_that_the_site_was_too_busy_to_read_is_not_ended(sent: bytes, ends: bool) -> None:
    """Its time is over before the loop has read anything of it; a peer that has sent nothing is closed."""
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        server = serve_on(listening, None, Lanes(), {})
        peer = stack.enter_context(socket.create_connection(listening.getsockname()))
        server.handle_accept()
        (channel,) = server.active_channels.values()
        peer.sendall(sent)
        server.maintenance(time.time() + limits.IDLE_SECONDS + 1)
        assert channel.will_close is ends
        for one in (channel, server):
            one.close()


@pytest.mark.parametrize(
    ("request_", "status"),
    every(
        4,
        [
            (head(f"bad {CANARY}: x\r\n"), 400),
            (f"{CANARY}\r\n\r\n", 400),
            (f"GET / {CANARY}\r\n\r\n", 400),
            (f"GET http://[{CANARY} HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
            (head(f"Content-Length: {'9' * 5000}\r\n"), 400),
            (f"GET /{CANARY * 1000} HTTP/1.1\r\n\r\n", 414),
            (head(f"A: {CANARY * 2000}\r\n"), 431),
            (head(f"{JSON}Transfer-Encoding: {CANARY}\r\n"), 400),
            (head(f"{JSON}Transfer-Encoding: chunked\r\n") + f"{CANARY}\r\n\r\n", 411),
            (head(f"Content-Type: {CANARY}\r\nContent-Length: 11\r\n") + CANARY, 415),
            (head(f"{JSON}Content-Length: 11\r\n") + CANARY, 400),
            (head("", path=f"/s/study/receipts/{CANARY}", method="PUT"), 405),
            (head("", path="/s/study/responses", method="HEAD"), 405),
            (head("", path="/s/study/"), 405),
            (head("", path=f"/{CANARY}", method="GET"), 404),
        ],
    ),
)
def test_a_refusal_repeats_nothing_in_the_answer_or_the_log(server: Server, request_: str, status: int) -> None:
    """Of requests that are none, and of requests that this site does not answer."""
    before = server.log.stat().st_size
    answer = server.ask(request_)
    assert re.match(r"HTTP/1\.1 (\d+) ", answer)[1] == str(status)  # type: ignore[index]
    assert CANARY not in answer
    assert server.log.read_text()[before:] == ""


def test_an_error_in_the_loop_names_nobody_and_the_site_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    """The log has one constant sentence with the kind of the error; the connection ends, and others are taken in."""
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as stack:
        server = serve_on(listening, None, Lanes(), {})
        peers = [stack.enter_context(socket.create_connection(listening.getsockname())) for _ in range(2)]
        server.handle_accept()
        (connection,) = server.active_channels.values()
        for broken in (connection, server):
            try:
                int(CANARY)
            except ValueError:
                broken.handle_error()
        assert peers[0].recv(1) == b""
        server.handle_accept()
        (another,) = server.active_channels.values()
        another.close()
        server.close()
    assert [record.getMessage() for record in caplog.records] == [
        "The web server failed with a connection: ValueError."
    ] * 2


@pytest.mark.django_db(transaction=True)
def test_the_log_says_nothing_of_who_sent_what(tmp_path: Path) -> None:
    """Of a response that is kept, of its retry, its receipt, and of whatever is refused: no answer, key, token,
    receipt, query, address or browser, in the log or in any other file that the server writes beside the database.
    """
    survey = make_survey(access="invitation")
    add_question(survey, "note", type="text", max="40")
    version = publish(survey)
    (secret,) = invite.invite(survey, "all", 1)
    about = "".join(
        f"{name}: {CANARY}\r\n" for name in ("User-Agent", "Referer", "Cookie", "X-Forwarded-For", "X-Other")
    )
    token = sign_in_the_open(version, b"m" * 32)
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
            ask("GET", "/staff/people/", more=f"{about}Accept-Language: {CANARY}\r\n")[0],
        ]
        with hold_lock():
            statuses.append(
                ask("POST", place, sent | {"key": "1" * 32, "token": sign_in_the_open(version, b"n" * 32)})[0]
            )
        logged = server.log.read_text()

    assert statuses == [201, 200, 409, 409, 403, 422, 400, 403, 200, 409, 200, 404, 404, 405, 404, 302, 503]
    assert "ERROR django.request: Service Unavailable: s/<slug:slug>/responses" in logged  # it is the right log
    written = logged + "".join(path.read_text(errors="replace") for path in data.rglob("*") if path.is_file())
    secrets = (CANARY, sent["key"], receipt, secret, blinded, token["message"], token["signature"], "127.0.0.1")
    assert [part for part in secrets if part in written] == []


@pytest.mark.long
def test_gunicorn_loads_its_workers_by_its_settings_alone(tmp_path: Path) -> None:
    """Outside `make run` nobody has named Django's settings before; the class of the workers reads them."""
    code = "from config import gunicorn; from gunicorn.util import load_class; load_class(gunicorn.worker_class)"
    done = run_python("-c", code, CANDOR_DATA=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
