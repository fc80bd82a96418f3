"""The files of `deploy/` are what they say: a real nginx passes on what it must and writes down nobody."""

import configparser
import http.client
import json
import os
import posixpath
import re
import resource
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Event

import pytest
import redis
from celery import Celery
from django.conf import settings
from playwright.sync_api import Page

from config.web import limits
from surveys.domain.page import visit
from surveys.questions import TYPES
from tests.client.wire import begin, heading, say, send
from tests.config.signing_in import known_browser
from tests.servers import (
    PATIENCE,
    ROOT,
    Prepared,
    Quiet,
    answering,
    copied,
    free_port,
    listens,
    outside,
    pgbouncer_program,
    postgres_answers,
    postgres_folder,
    postgres_programs,
    running_pgbouncer,
    running_site,
    shipped,
    start_postgres,
    stop,
    wait_until,
)

DEPLOY = ROOT / "deploy"
NAME = "survey.example.org"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
by_nginx = pytest.mark.skipif(NGINX is None, reason="no nginx found: install the package nginx-light")


def unit(name: str) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "systemd" / name)
    return dict(parser["Service"])


def test_both_units_of_systemd_protect_the_machine_alike() -> None:
    """They differ in the part that is started, and in nothing else."""
    whole, part = unit("candor.service"), unit("candor@.service")
    assert part == whole | {"Environment": "ROLE=%i"}
    assert (whole["User"], whole["ExecStart"], whole["KillMode"]) == ("candor", "/usr/bin/make run", "mixed")


def test_the_backup_is_made_as_the_site_runs() -> None:
    """By the same user, with the same settings and protection, for its owner alone."""
    site, backup = unit("candor.service"), unit("candor-backup.service")
    own = {name: value for name, value in backup.items() if site.get(name) != value}
    assert sorted(own) == ["ExecStart", "ExecStartPost", "Type"]
    assert (backup["UMask"], "manage.py backup " in backup["ExecStart"]) == ("0077", True)


def test_somebody_hears_of_a_backup_that_failed(tmp_path: Path) -> None:
    """The unit that systemd starts then hands a mail to root to the machine's own program."""
    heading = re.findall(r"^OnFailure=(.*)$", (DEPLOY / "systemd" / "candor-backup.service").read_text(), re.MULTILINE)
    assert heading == ["candor-backup-failed.service"]
    command = unit(heading[0])["ExecStart"].replace("%H", "here")
    program = tmp_path / "sendmail"
    program.write_text(f"#!/bin/sh\necho $@ > {tmp_path}/mail; cat >> {tmp_path}/mail\n")
    program.chmod(0o755)
    subprocess.run(shlex.split(command.replace("/usr/sbin/sendmail", str(program))), check=True)
    assert (tmp_path / "mail").read_text().splitlines() == [
        "-t",
        "To: root",
        "Subject: No backup of Candor on here",
        "",
        "journalctl -u candor-backup says why.",
    ]


@pytest.mark.parametrize("name", ["candor.service", "candor@.service", "candor-backup.service"])
def test_systemd_finds_that_a_unit_protects_the_machine(name: str, tmp_path: Path) -> None:
    """Its own measure of what a service is exposed to, from 0 to 100; what it counts most is left: the network."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("no systemd-analyze found: install the package systemd")
    shutil.copy(DEPLOY / "systemd" / name, tmp_path / name.replace("@", "@web"))
    command = [program, "security", "--offline=true", "--threshold=30", str(tmp_path / name.replace("@", "@web"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("systemd-analyze is older than 250 and measures no file")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_servers_beside_the_site_are_started_again_as_it_is() -> None:
    """Debian's units of PostgreSQL, PgBouncer and nginx do not; the guide installs the lines that do, for each."""
    guide = (ROOT / "docs" / "deploy.md").read_text()
    beside = re.findall(r"install -D -m 644 deploy/systemd/restart.conf /etc/systemd/system/(\S+)\.service\.d/", guide)
    assert sorted(beside) == ["nginx", "pgbouncer", "postgresql@15-main"]
    site, again = unit("candor.service"), unit("restart.conf")
    assert again == {name: site[name] for name in ("Restart", "RestartSec")}


def test_a_database_of_another_name_is_let_in() -> None:
    """A restore fills a new one, beside the one that was left."""
    lines = re.findall(r"^# hostssl (\S+) (\S+) ", (DEPLOY / "postgresql.conf").read_text(), re.MULTILINE)
    assert lines == [("all", "candor")]


def test_every_variable_that_the_units_set_is_known() -> None:
    guide = (ROOT / "docs" / "settings.md").read_text()
    named = re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "systemd" / "candor.env").read_text(), re.MULTILINE)
    assert len(named) > 5
    assert [name for name in named if f"`{name}`" not in guide] == []


def make_certificate(folder: Path, name: str) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", f"subjectAltName=DNS:{name}", "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip


@contextmanager
def running_nginx(folder: Path, *upstreams: int) -> Iterator[tuple[int, int]]:
    """The shipped file and the lines that its head asks for, with other ports, paths and a certificate of its own.

    The ports of HTTPS and HTTP. Where the shipped file does not forbid it, visitors are logged in the folder. There is
    no place for bodies and answers in files: a request that needs one fails.
    """
    make_certificate(folder, NAME)
    port, plain = free_port(), free_port()
    text = shipped(
        "nginx/candor.conf",
        {
            "server 127.0.0.1:8000 fail_timeout=1s;": "".join(
                f"server 127.0.0.1:{upstream} fail_timeout=1s;" for upstream in upstreams
            ),
            f"/etc/letsencrypt/live/{NAME}": str(folder),
            "/run/candor-page": f"{folder}/pages",
        },
    )
    text = re.sub(r"listen \[::\].*", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace(
        "listen 80;", f"listen 127.0.0.1:{plain};"
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = "\n".join(re.findall(r"^#     (\S.*;.*)$", text, re.MULTILINE))
    user = "user root; " if os.getuid() == 0 else ""  # another may not look into the folders of tests
    (folder / "nginx.conf").write_text(
        f"{user}daemon off; pid {folder}/nginx.pid; error_log {folder}/start.log;\n{head}\n"
        f"http {{\naccess_log {folder}/access.log;\n{places}{text}\n}}\n"
    )
    process = subprocess.Popen([str(NGINX), "-c", folder / "nginx.conf", "-p", folder])
    try:
        wait_until((folder / "nginx.pid").exists, PATIENCE, "nginx runs")
        for kind in kinds:
            (folder / kind).rmdir()
        yield port, plain
    finally:
        stop(process)


def https(folder: Path, port: int) -> http.client.HTTPSConnection:
    context = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    context.check_hostname = False  # the name leads elsewhere; the certificate is checked
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)


def opaque(value: bytes, size: int) -> bytes:
    """What TLS writes with its length before it, in so many bytes."""
    return len(value).to_bytes(size, "big") + value


def greeting(**bent: bytes) -> bytes:
    """The first message of a TLS 1.3 client (RFC 8446, 4.1.2), with some of its extensions replaced."""
    extensions = {
        "supported_groups": (10, opaque(b"\x00\x1d", 2)),  # x25519
        "signature_algorithms": (13, opaque(b"\x08\x04", 2)),
        "supported_versions": (43, opaque(b"\x03\x04", 1)),
        "key_share": (51, opaque(b"\x00\x1d" + opaque(b"\x09" + bytes(31), 2), 2)),
    }
    written = b"".join(
        number.to_bytes(2, "big") + opaque(bent.get(name, value), 2) for name, (number, value) in extensions.items()
    )
    hello = b"\x03\x03" + bytes(32) + b"\x00" + opaque(b"\x13\x01", 2) + opaque(b"\x00", 1) + opaque(written, 2)
    return b"\x16\x03\x01" + opaque(b"\x01" + opaque(hello, 3), 2)


def first_answer(port: int, sent: bytes) -> int:
    """The kind of the first record that comes back: 22 goes on with the handshake, 21 refuses it."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        return connection.recv(1)[0]


@by_nginx
def test_a_visitor_comes_through_nginx_and_is_written_down_nowhere(
    prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questionnaire, a large message, a refused one, the metrics, one without TLS, handshakes that nginx reports as
    critical; and what a check visits, of which nginx keeps the page and its files: each is as published, and afterwards
    no file holds an address, a path or a survey's name."""
    place = tmp_path / "nginx"
    place.mkdir()
    with running_site(prepared.copied(tmp_path / "data"), ALLOWED_HOSTS=NAME, HTTPS="1") as site:
        with running_nginx(place, site.port) as (port, plain):
            connection = https(place, port)
            asked = []
            for method, path, body in (
                ("GET", "/s/demo/questionnaire", None),
                ("POST", "/s/demo/responses", b'{"no": "response"}'),
                ("POST", "/s/demo/responses", b"x" * 200_000),
                ("GET", "/metrics", None),
                ("GET", "/healthz", None),
            ):
                connection.request(method, path, body, {"Host": NAME, "Content-Type": "application/json"})
                answer = connection.getresponse()
                asked.append((answer.status, answer.read(), dict(answer.getheaders())))
            connection.close()
            monkeypatch.setenv("SSL_CERT_FILE", str(place / "fullchain.pem"))
            here = socket.getaddrinfo
            monkeypatch.setattr(socket, "getaddrinfo", lambda _host, *more, **given: here("127.0.0.1", *more, **given))
            looked = visit.visit_site(f"https://{NAME}:{port}/s/demo/#v={sha256(asked[0][1]).hexdigest()}", [])
            unsafe = http.client.HTTPConnection("127.0.0.1", plain, timeout=PATIENCE)
            unsafe.request("GET", "/s/demo/", headers={"Host": NAME})
            led = unsafe.getresponse().getheader("Location")
            unsafe.close()
            handshakes = [
                first_answer(port, greeting()),
                first_answer(port, greeting(supported_groups=b"\xff")),
                first_answer(port, greeting(key_share=opaque(b"\x00\x1d" + opaque(b"\x09", 2), 2))),
            ]
        assert (handshakes, led) == ([22, 21, 21], f"https://{NAME}/s/demo/")
        assert [status for status, _, _ in asked] == [200, 422, 413, 404, 200]
        assert json.loads(asked[0][1])["slug"] == "demo"
        assert asked[0][2]["Strict-Transport-Security"] == "max-age=31536000"
        assert "Content-Security-Policy" in asked[0][2]
        assert (looked.differences, looked.visits) == ([], 16)
    written = [path for path in place.rglob("*") if path.is_file() and path.suffix in (".log", "")]
    held = b"".join(path.read_bytes() for path in written)
    assert b"KEY: page gzip" in held
    assert [word for word in (b"127.0.0.1", b"/s/demo", b"python") if word in held] == []


@contextmanager
def counting(port: int = 0) -> Iterator[tuple[int, Counter[str]]]:
    """A site that says of each request how many of its address came before; some addresses refuse, or mark visitors."""
    asked = Counter[str]()

    class Site(Quiet):
        def answer(self) -> None:
            asked[self.path] += 1
            headers = [("Cache-Control", "no-store"), ("Vary", "Accept-Encoding, Accept-Language")]
            headers += [("Set-Cookie", "who=1")] * ("marked" in self.path)
            self.reply(str(asked[self.path]).encode(), headers, 404 if "missing" in self.path else 200)

    with answering(ThreadingHTTPServer(("127.0.0.1", port), Site)) as server:
        yield server.server_port, asked


@by_nginx
def test_a_rush_of_visitors_costs_the_site_one_page_a_second(tmp_path: Path) -> None:
    """The page is one, at whichever survey and in whichever language; a module is asked for as seldom."""
    with counting() as (upstream, asked), running_nginx(tmp_path, upstream) as (port, _):
        connection, begun = https(tmp_path, port), time.monotonic()
        for visitor in range(100):
            for path in (f"/s/study-{visitor}/", "/client/main.js"):
                connection.request("GET", path, headers={"Host": NAME, "Accept-Language": f"en;q=0.{visitor}"})
                answer = connection.getresponse()
                assert (answer.status, answer.read().isdigit()) == (200, True)
        connection.close()
        most = 2 + time.monotonic() - begun
        modules = asked.pop("/client/main.js")
    assert (modules <= most, asked.total() <= most) == (True, True)


@by_nginx
def test_a_web_server_that_came_back_is_soon_asked_again(tmp_path: Path) -> None:
    """In an upgrade of one machine after the other the next is stopped as soon as this one is ready."""
    back = free_port()
    with counting() as (stays, _), running_nginx(tmp_path, back, stays) as (port, _):
        connection = https(tmp_path, port)

        def ask() -> None:
            connection.request("GET", "/s/one/questionnaire", headers={"Host": NAME})
            answer = connection.getresponse()
            assert (answer.status, answer.read().isdigit()) == (200, True)

        for _ in range(4):
            ask()
        with counting(back) as (_, asked):

            def is_asked() -> int:
                ask()
                return asked.total()

            wait_until(is_asked, PATIENCE, "nginx asks the web server that came back")
        connection.close()


@by_nginx
def test_what_may_differ_is_kept_by_no_proxy(tmp_path: Path) -> None:
    """A questionnaire, since its survey may close; what one person gets; refusals; an answer that marks its visitor."""
    paths = ["/", "/s/a/questionnaire", "/s/a/receipts/0f", "/s/a/statement", "/s/a/statement/1", "/t/a/test/", "/r/a/"]
    paths += ["/staff/admin/", "/client/missing.js", "/client/marked.js"]
    with counting() as (upstream, _), running_nginx(tmp_path, upstream) as (port, _):
        connection, got = https(tmp_path, port), []
        for _ in range(3):
            for path in paths:
                connection.request("GET", path, headers={"Host": NAME})
                got.append(int(connection.getresponse().read()))
        connection.close()
    assert got == [1] * len(paths) + [2] * len(paths) + [3] * len(paths)


def another_version(folder: Path) -> Path:
    """This repository with one module renamed and one that has another export, as a later version may have them."""
    folder.mkdir()
    for part in (
        "candor",
        "config",
        "docs",
        "locale",
        "manage.py",
        "mining",
        "privacy",
        "pyproject.toml",
        "surveys",
        "templates",
    ):
        copied(ROOT / part, folder)
    client = folder / "surveys" / "client"
    (client / "promise.js").rename(client / "told.js")
    for module in client.rglob("*.js"):
        module.write_text(module.read_text().replace("/promise.js'", "/told.js'"))
    with (client / "page.js").open("a") as file:
        file.write("export const later = true;\n")
    return folder


@contextmanager
def web_server(program: Path, data: Path, port: int = 0, **environment: str) -> Iterator[int]:
    """The web server of the version in a folder, by itself, behind a proxy that speaks HTTPS by default."""
    port = port or free_port()
    command = ["gunicorn", "--config", "python:config.gunicorn", "--workers", "1", "--bind", f"127.0.0.1:{port}"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "config.wsgi"],
        cwd=program,
        env=outside() | {"CANDOR_DATA": str(data), "ALLOWED_HOSTS": NAME, "HTTPS": "1"} | environment,
    )
    try:
        wait_until(lambda: process.poll() is not None or listens(port), PATIENCE, "the web server listens")
        assert process.poll() is None, "the web server ended"
        yield port
    finally:
        stop(process)


def published_at(port: int) -> set[tuple[str, str]]:
    """What one web server says that it serves: each address and its hash."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/client/manifest.txt", headers={"Host": NAME, "X-Forwarded-Proto": "https"})
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return {(f"/{address}", digest) for digest, address in (line.split("  ") for line in lines)}


def loaded_by_a_visitor(connection: http.client.HTTPSConnection) -> set[tuple[str, str]]:
    """The page, all that it names and all that a module may import: each address, and the hash of what came."""
    loaded: dict[str, str] = {}
    asked = ["/s/any/"]
    for address in asked:
        connection.request("GET", address, headers={"Host": NAME})
        answer = connection.getresponse()
        body = answer.read()
        loaded[address] = sha256(body).hexdigest() if answer.status == 200 else str(answer.status)
        text = answer.getheader("Link", "") + body.decode()
        named = re.findall(r'[<"](/client/[^<>"]+)[>"]', text)
        modules = re.findall(r"['`](\.[^'`]+\.js)['`]", text)
        modules = [module.replace("${type}", name) for module in modules for name in TYPES]
        named += [posixpath.join(posixpath.dirname(address), module) for module in modules]
        asked += {posixpath.normpath(name) for name in named} - set(asked)
    return set(loaded.items())


@by_nginx
def test_no_visit_mixes_two_versions_while_machines_are_restarted_one_after_the_other(
    prepared: Prepared, tmp_path: Path
) -> None:
    """Beside a web server of this version stands one of another, and nginx deals the requests out: the page of
    one version comes with its own modules and styles, all of them and byte for byte."""
    (tmp_path / "nginx").mkdir()
    with (
        web_server(ROOT, prepared.copied(tmp_path / "data")) as one,
        web_server(another_version(tmp_path / "later"), prepared.copied(tmp_path / "data later")) as other,
        running_nginx(tmp_path / "nginx", one, other) as (port, _),
    ):
        versions, connection = [published_at(one), published_at(other)], https(tmp_path / "nginx", port)
        visits = [0, 0]

        def both_were_visited() -> bool:
            loaded = loaded_by_a_visitor(connection)
            assert len(loaded) > 30
            of = [loaded <= version for version in versions]
            assert sum(of) == 1, sorted(loaded - versions[0])
            visits[of.index(True)] += 1
            return min(visits) > 3

        wait_until(both_were_visited, PATIENCE, "visitors have had the page of each version")
        connection.close()


@pytest.mark.long
def test_a_page_that_is_open_while_its_site_is_upgraded_goes_on_to_the_receipt(
    prepared: Prepared, page: Page, tmp_path: Path
) -> None:
    """One version is stopped and the next one started at its address and on its data: the visitor loses no answer."""
    data, port = prepared.copied(tmp_path / "data"), free_port()
    with web_server(ROOT, data, port, ALLOWED_HOSTS="localhost", HTTPS="0"):
        page.goto(f"http://localhost:{port}/s/demo/")
        begin(page)
        say(page, "illegal drugs", "Yes")
    with web_server(another_version(tmp_path / "later"), data, port, ALLOWED_HOSTS="localhost", HTTPS="0"):
        assert page.get_by_role("radio", checked=True).count() == 1
        while heading(page) != "Check your answers":
            for group in page.get_by_role("radiogroup").all():
                group.get_by_role("radio").first.check()
            page.get_by_role("button", name="Continue").click()
        send(page)
        page.get_by_role("heading", name="Thank you").wait_for()
        page.locator("summary").last.click()
        page.get_by_role("button", name="Ask the server").click()
        page.get_by_text("The server holds this response.").wait_for()
        page.get_by_role("combobox").select_option("zh-hans")  # texts of a version that no site has any more
        page.get_by_role("alert").get_by_role("button", name="Try again").click()
        page.get_by_role("combobox").select_option("zh-hans")
        page.get_by_role("heading", name="谢谢您").wait_for()


@pytest.fixture
def many_files() -> Iterator[None]:
    """Enough open files for both ends of 2 100 connections; many shells allow 1 024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (8_192, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@by_nginx
def test_one_machine_does_not_fill_nginx(many_files: None, tmp_path: Path) -> None:
    """2 100 connections hold half a handshake each, and a visitor is answered beside them."""
    with ExitStack() as held:
        port, _ = held.enter_context(running_nginx(tmp_path, free_port()))
        for _ in range(2_100):
            held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)).sendall(greeting()[:6])
        visitor = held.enter_context(closing(https(tmp_path, port)))
        visitor.request("GET", "/metrics", headers={"Host": NAME})
        assert visitor.getresponse().status == 404


@by_nginx
@pytest.mark.parametrize("path", ["/metrics", "/readyz"])
def test_nginx_keeps_from_visitors_what_machines_ask(tmp_path: Path, path: str) -> None:
    with running_nginx(tmp_path, free_port()) as (port, _), closing(https(tmp_path, port)) as visitor:
        visitor.request("GET", path, headers={"Host": NAME})
        assert visitor.getresponse().status == 404


def sizes(directive: str) -> list[int]:
    """The values of a directive of the shipped nginx, in bytes."""
    text = (DEPLOY / "nginx" / "candor.conf").read_text()
    return [int(size) * 1024 for size in re.findall(rf"^ *{directive} (\d+)k;", text, re.MULTILINE)]


def test_nginx_holds_no_more_of_bodies_than_a_process_of_the_site() -> None:
    """It takes at the most what the site takes, and all its connections together hold no more of bodies than the site
    does of unfinished requests."""
    connections = re.findall(r"worker_connections (\d+);", (DEPLOY / "nginx" / "candor.conf").read_text())
    assert sizes("client_max_body_size") == [limits.SMALL, limits.LARGE]
    assert [int(one) * sizes("client_body_buffer_size")[0] for one in connections] == [limits.MEMORY]


def post(port: int, folder: Path, path: str, size: int, sent: bytes, more: str = "") -> ssl.SSLSocket:
    """A connection on which a header announced a body of so many bytes, and these came."""
    context = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    connection = context.wrap_socket(
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE), server_hostname=NAME
    )
    kind = "Content-Type: application/x-www-form-urlencoded\r\n"
    header = f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\n{kind}Content-Length: {size}\r\n{more}\r\n"
    connection.sendall(header.encode() + sent)
    return connection


@by_nginx
def test_behind_nginx_a_stranger_is_refused_by_the_header(prepared: Prepared, tmp_path: Path) -> None:
    """No byte of a body has come. A respondent's address is refused by nginx; the studio's by the site, unless somebody
    has signed in in this browser, and then a body of the largest size reaches its page, and a larger one no page."""
    place = tmp_path / "nginx"
    place.mkdir()
    own = {"ALLOWED_HOSTS": NAME, "HTTPS": "1", "SECRET_KEY": settings.SECRET_KEY}
    with running_site(prepared.copied(tmp_path / "data"), **own) as site, running_nginx(place, site.port) as (port, _):
        got = {}
        for who, path, size, sent, more in (
            ("respondent", "/s/demo/responses", limits.SMALL + 1, b"", ""),
            ("stranger", "/staff/studio/import/", limits.SMALL + 1, b"", ""),
            ("stranger's administration", "/staff/admin/login/", limits.LARGE, b"", known_browser()),
            ("researcher", "/staff/studio/import/", limits.LARGE, b"x" * limits.LARGE, known_browser()),
            ("greedy", "/staff/studio/import/", limits.LARGE + 1, b"", known_browser()),
        ):
            with closing(post(port, place, path, size, sent, more)) as connection:
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                got[who] = (answer.status, b"<center>nginx</center>" in answer.read())
    assert got == {
        "respondent": (413, True),
        "stranger": (413, False),
        "stranger's administration": (413, False),
        "researcher": (403, False),  # its page was asked, which looks for the token of a form
        "greedy": (413, True),
    }


def resident(pid: int) -> int:
    """The memory of the processes that nginx has begun, in bytes."""
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) * resource.getpagesize() for one in pids)


@by_nginx
def test_bodies_that_never_end_do_not_fill_nginx(tmp_path: Path) -> None:
    """What has come of them goes on to the site, and is kept neither in memory nor in files. When the site ends its
    wait, the stranger's connection ends, too."""
    strangers, came, all_came = 40, Counter[str](), Event()

    class Site(Quiet):
        protocol_version = "HTTP/1.0"

        def answer(self) -> None:
            self.rfile.read(limits.LARGE - 1)
            came[self.path] += 1
            all_came.wait(PATIENCE)
            self.send_error(408)

    with ExitStack() as stack:
        site = stack.enter_context(answering(ThreadingHTTPServer(("127.0.0.1", 0), Site)))
        port, _ = stack.enter_context(running_nginx(tmp_path, site.server_port))
        stack.callback(all_came.set)
        nginx = int((tmp_path / "nginx.pid").read_text())
        before, path, body = resident(nginx), "/staff/studio/import/", b"x" * (limits.LARGE - 1)
        held = [stack.enter_context(closing(post(port, tmp_path, path, limits.LARGE, body))) for _ in range(strangers)]
        wait_until(lambda: came[path] == strangers, PATIENCE, "the site has what was sent")
        assert resident(nginx) - before < strangers * limits.LARGE / 10
        all_came.set()
        assert [one.recv(12) for one in held] == [b"HTTP/1.1 408"] * strangers


def by_redis(url: str) -> bool:
    with suppress(redis.RedisError), redis.Redis.from_url(url) as client:
        return bool(client.ping())
    return False


def by_celery(url: str) -> bool:
    """As a worker and a process that leaves it a note go: by kombu, which reads the parameters itself."""
    with Celery(broker=url, set_as_current=False) as application, application.connection() as connection:
        try:
            connection.connect()
        except (*connection.connection_errors, redis.RedisError):
            return False
        return True


@pytest.mark.long
def test_postgresql_takes_the_shipped_settings() -> None:
    """Beside those it is installed with; none of them is overruled or misspelt."""
    psycopg = pytest.importorskip("psycopg")
    programs = postgres_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server found: install the package postgresql")
    with postgres_folder(programs) as folder:
        with (folder / "data" / "postgresql.conf").open("a") as file:
            file.write(shipped("postgresql.conf", {"shared_buffers = 512MB": "shared_buffers = 16MB"}))
        server = start_postgres(programs, folder, fsync=True)
        try:
            wait_until(lambda: postgres_answers(programs, folder), PATIENCE, "PostgreSQL is ready")
            with psycopg.connect(f"postgresql://candor@/postgres?host={folder}") as database:
                said = {
                    name: database.execute(f"SHOW {name}").fetchone()[0]
                    for name in ("wal_recycle", "fsync", "log_checkpoints", "log_autovacuum_min_duration")
                }
                wrong = database.execute("SELECT name FROM pg_file_settings WHERE error IS NOT NULL").fetchall()
        finally:
            stop(server)
    expected = {"wal_recycle": "off", "fsync": "on", "log_checkpoints": "off", "log_autovacuum_min_duration": "-1"}
    assert (said, wrong) == (expected, [])


def test_pgbouncer_lends_connections_out_by_the_shipped_settings(postgres: str) -> None:
    """Who shows the password comes in, and its session gets its settings; another password is refused."""
    if pgbouncer_program() is None:
        pytest.skip("no PgBouncer found: install the package pgbouncer")
    psycopg = pytest.importorskip("psycopg")
    with running_pgbouncer(postgres) as url:
        with psycopg.connect(url) as session:
            shown = [session.execute(f"SHOW {name}").fetchone()[0] for name in ("lock_timeout", "statement_timeout")]
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(url.replace("secret", "another"))
    assert shown == ["4s", "20s"]


def test_no_log_of_pgbouncer_tells_who_came_or_how_much_passed_through(postgres: str) -> None:
    """Of a site with few visitors such a line would tell in which minute somebody has answered; of one with many, in
    which second somebody was let wait."""
    if pgbouncer_program() is None:
        pytest.skip("no PgBouncer found: install the package pgbouncer")
    psycopg = pytest.importorskip("psycopg")
    with running_pgbouncer(postgres, {"[pgbouncer]": "[pgbouncer]\nadmin_users = candor"}) as url:
        console = url.rpartition("/")[0] + "/pgbouncer"
        with psycopg.connect(console, autocommit=True, prepare_threshold=None) as session:
            cursor = psycopg.ClientCursor(session)
            said = {row[0]: row[1] for row in cursor.execute("SHOW CONFIG")}
    assert {name: said[f"log_{name}"] for name in ("connections", "disconnections", "pooler_errors", "stats")} == {
        "connections": "0",
        "disconnections": "0",
        "pooler_errors": "0",
        "stats": "0",
    }


def test_the_site_and_celery_reach_the_shipped_broker_by_tls_alone(tmp_path: Path) -> None:
    """By the shipped URL both refuse a certificate that nobody vouches for, and a wrong password is refused."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no redis-server found: install the package redis-server")
    make_certificate(tmp_path, "localhost")
    port = free_port()
    places = {"6379": str(port), "bind * -::*": "bind 127.0.0.1"}
    for end, made in (("crt", "fullchain"), ("key", "privkey")):
        places[f"/etc/redis/broker.example.org.{end}"] = f"{tmp_path}/{made}.pem"
    (tmp_path / "redis.conf").write_text(shipped("redis.conf", places))
    given = re.findall(r"^#CELERY_BROKER_URL=(.*)$", (DEPLOY / "systemd" / "candor.env").read_text(), re.MULTILINE)
    assert given == ["rediss://:change-this-password@broker.example.org:6379/0?ssl_cert_reqs=required"]
    url = given[0].replace("broker.example.org:6379", f"localhost:{port}")
    known = f"{url}&ssl_ca_certs={tmp_path}/fullchain.pem"
    process = subprocess.Popen([program, tmp_path / "redis.conf"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port), PATIENCE, "the broker listens")
        tried = {one: (by_redis(one), by_celery(one)) for one in (known, url, known.replace("change-this", "wrong"))}
        with redis.Redis.from_url(known) as client:
            kept = client.config_get("save", "appendonly", "maxmemory-policy")
    finally:
        stop(process)
    assert list(tried.values()) == [(True, True), (False, False), (False, False)]
    assert kept == {"save": "", "appendonly": "no", "maxmemory-policy": "noeviction"}
