"""The files of `deploy/` are what they say: a real nginx passes on what it must and writes down nobody."""

import configparser
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.servers import PATIENCE, ROOT, Prepared, free_port, running_site, stop, wait_until

DEPLOY = ROOT / "deploy"
NAME = "survey.example.org"


def unit(name: str) -> dict[str, str]:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "systemd" / name)
    return dict(parser["Service"])


def test_both_units_protect_the_machine_alike() -> None:
    """They differ in the part that is started, and in nothing else."""
    whole, part = unit("candor.service"), unit("candor@.service")
    assert part == whole | {"Environment": "ROLE=%i"}
    assert (whole["User"], whole["ExecStart"], whole["KillMode"]) == ("candor", "/usr/bin/make run", "mixed")


def test_the_backup_is_made_as_the_site_runs() -> None:
    """By the same user, with the same settings and protection, for its owner alone."""
    site, backup = unit("candor.service"), unit("candor-backup.service")
    alike = (
        "User",
        "WorkingDirectory",
        "EnvironmentFile",
        "NoNewPrivileges",
        "PrivateTmp",
        "ProtectSystem",
        "LimitCORE",
    )
    assert {name: backup[name] for name in alike} == {name: site[name] for name in alike}
    assert (backup["UMask"], "manage.py backup " in backup["ExecStart"]) == ("0077", True)


def test_every_variable_that_the_units_set_is_known() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text()
    named = re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "systemd" / "candor.env").read_text(), re.MULTILINE)
    assert len(named) > 5
    assert [name for name in named if f"`{name}`" not in guide] == []


@contextmanager
def running_nginx(folder: Path, upstream: int) -> Iterator[int]:
    """The shipped file, with other ports, paths and a certificate of its own; the port that speaks HTTPS."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        pytest.skip("no nginx found: install the package nginx-light")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    port, plain = free_port(), free_port()
    text = (DEPLOY / "nginx" / "candor.conf").read_text()
    for ours, theirs in (
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        (f"/etc/letsencrypt/live/{NAME}", str(folder)),
    ):
        assert ours in text
        text = text.replace(ours, theirs)
    text = re.sub(r"listen \[::\].*", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace(
        "listen 80;", f"listen 127.0.0.1:{plain};"
    )
    places = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/start.log;\nevents {{}}\nhttp {{\n{places}{text}\n}}\n"
    )
    process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder])
    try:
        wait_until((folder / "nginx.pid").exists, PATIENCE, "nginx runs")
        yield port
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


def test_a_visitor_comes_through_nginx_and_is_written_down_nowhere(prepared: Prepared, tmp_path: Path) -> None:
    """Questionnaire, a large message, a refused one, the metrics, and handshakes that nginx reports as critical:
    afterwards no file holds an address or a path."""
    place = tmp_path / "nginx"
    place.mkdir()
    with running_site(prepared.copied(tmp_path / "data"), ALLOWED_HOSTS=NAME, HTTPS="1") as site:
        with running_nginx(place, site.port) as port:
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
            handshakes = [
                first_answer(port, greeting()),
                first_answer(port, greeting(supported_groups=b"\xff")),
                first_answer(port, greeting(key_share=opaque(b"\x00\x1d" + opaque(b"\x09", 2), 2))),
            ]
        assert handshakes == [22, 21, 21]
        assert [status for status, _, _ in asked] == [200, 422, 413, 404, 200]
        assert json.loads(asked[0][1])["slug"] == "demo"
        assert asked[0][2]["Strict-Transport-Security"] == "max-age=31536000"
        assert "Content-Security-Policy" in asked[0][2]
    written = [path for path in place.rglob("*") if path.is_file() and path.suffix in (".log", "")]
    held = b"".join(path.read_bytes() for path in written)
    assert [word for word in (b"127.0.0.1", b"/s/demo", b"python") if word in held] == []
