"""Holding a site against the repository: a check that comes as browsers do, and proxies that try to fool it."""

import gzip
import re
import socket
import subprocess
import zlib
from hashlib import sha256
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from surveys.domain.page import bundle, visit
from surveys.domain.page.visit import Received, compare
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from tests.client.proxies import QUESTIONNAIRE, Headers, proxy
from tests.servers import ROOT
from tests.surveys.making import make_survey


def refusal(address: str) -> tuple[int, list[str]]:
    """With which status the check ends, and which sentences it says after the first line."""
    with pytest.raises(CommandError) as error:
        call_command("client_manifest", check=[address])
    return error.value.returncode, str(error.value).splitlines()[1:]


@pytest.mark.long
@pytest.mark.django_db
def test_a_site_that_serves_the_repository_passes_the_check(live: LiveServer) -> None:
    """Every file and the questionnaire are fetched from outside, as browsers would: bytes, headers, the link's hash."""
    version = publish(make_survey())
    said = StringIO()
    address = f"{live.url}/s/{version.survey.slug}/#v={version.sha256}"
    call_command("client_manifest", check=[address], stdout=said)
    assert said.getvalue() == (
        f"{address} serves the {len(bundle.files())} files of this repository, byte for byte, with their headers and "
        "no others, in 16 visits as browsers make them, at 127.0.0.1.\n"
    )


@pytest.mark.long
@pytest.mark.django_db
def test_the_page_for_frames_is_checked_with_the_sites_of_its_questionnaire(live: LiveServer) -> None:
    """Its policy names exactly these. Once the survey has closed, and gives no questionnaire, only sites at all."""
    version = publish(make_survey(frames=["https://www.example.edu"]))
    address = f"{live.url}/f/{version.survey.slug}/#v={version.sha256}"
    call_command("client_manifest", check=[address], stdout=StringIO())
    with pytest.MonkeyPatch.context() as patch:
        served = SimpleNamespace(sites=lambda _source: ("https://www.example.edu", "https://other.example"))
        patch.setattr("surveys.features.frames.page.frames", served)  # what is served alone: the check reads its own
        status, (sentence,) = refusal(address)
    assert (status, sentence[:38]) == (1, 'f/study/: Content-Security-Policy is "')
    assert "frame-ancestors https://www.example.edu https://other.example;" in sentence
    close(version.survey)
    call_command("client_manifest", check=[address], stdout=StringIO())


@pytest.mark.long
@pytest.mark.django_db
def test_a_site_is_checked_without_python_as_the_guide_says(live: LiveServer, tmp_path: Path) -> None:
    """The lines of the guide fetch every file of the printed manifest and hold it against its hash."""
    publish(make_survey("any"))
    guide = (ROOT / "docs" / "respondents.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```sh\n(cut .*?)^```", guide, re.DOTALL | re.MULTILINE)
    with (tmp_path / "manifest.txt").open("w") as manifest:
        call_command("client_manifest", stdout=manifest)
    shell = ["sh", "-e", "-c", lines.replace("https://survey.example.org", live.url)]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True)
    listed = (tmp_path / "manifest.txt").read_text().splitlines()
    assert (done.returncode, done.stderr, done.stdout.count(": OK\n")) == (0, "", len(listed))


def test_a_proxy_that_alters_what_browsers_get_is_found() -> None:
    """One sentence for each thing that it does, and for whom it does it; nothing is said of what is as it should be."""

    def alter(name: str, asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        if name == "main.js" and "Mozilla" in asked["user-agent"]:
            body += b"\n// looks on"
        if name == "disguise.js" and asked["accept-language"].startswith("zh"):
            body = body[:10] + b"!" + body[11:]
        if name == "page.js" and "referer" in asked:
            body = b""
        if name == "icon.svg" and "iPhone" in asked["user-agent"]:
            headers = [*headers, ("Content-Encoding", "br")]
        if name == "index.html":
            headers = [(header, text.replace("script-src 'self'", "script-src *")) for header, text in headers]
            headers += [("Refresh", "0; url=https://elsewhere.example/"), ("Set-Cookie", "who=1")]
            headers += [("Link", "<https://elsewhere.example/a.js>; rel=preload; as=script")]
        if name == "style.css":
            headers = [pair for pair in headers if pair[0] != "X-Content-Type-Options"]
            headers += [("Alt-Svc", 'h3="elsewhere.example:443"; ma=60'), ("Date", "today"), ("Server", "nginx/1.29.3")]
        if name == "chances.js":
            headers += [("Alt-Svc", 'h3=":8443"; ma=60')]
        if name.endswith("questionnaire") and asked.get("sec-fetch-dest") == "empty":
            body += b" "
        return headers, body

    main, page, mask = (len(bundle.files()[name].body) for name in ("main.js", "page.js", "disguise.js"))
    folder = f"client/{bundle.version()}"
    policy = bundle.CONTENT_SECURITY_POLICY
    loosened = policy.replace("script-src 'self'", "script-src *")
    altered = sha256(QUESTIONNAIRE + b" ").hexdigest()
    with proxy(alter) as address:
        status, sentences = refusal(f"{address}#v={sha256(QUESTIONNAIRE).hexdigest()}")
    assert status == 1
    assert sentences == [
        f"{folder}/chances.js: Alt-Svc is 'h3=\":8443\"; ma=60', which is not what a web server says there",
        f"{folder}/disguise.js: other bytes, from byte 10 on ({mask} bytes, must be {mask}) (seen in 8 of 16 "
        "visits: Chrome on Windows, Chinese, first visit, at 127.0.0.1; Chrome on Windows, Chinese, with a Referer, at "
        "127.0.0.1; Chrome on Android, Chinese, first visit, at 127.0.0.1 and 5 more)",
        f"{folder}/main.js: other bytes, from byte {main} on ({main + 12} bytes, must be {main})",
        f"{folder}/page.js: other bytes, from byte 0 on (0 bytes, must be {page}) (seen in 4 of 16 visits: "
        "Chrome on Windows, Chinese, with a Referer, at 127.0.0.1; Chrome on Android, Chinese, with a Referer, at "
        "127.0.0.1; Firefox, Chinese, with a Referer, at 127.0.0.1 and 1 more)",
        f"{folder}/style.css: Alt-Svc is 'h3=\"elsewhere.example:443\"; ma=60', which is not what a web server says "
        "there",
        f"{folder}/style.css: Date is 'today', which is not what a web server says there",
        f"{folder}/style.css: X-Content-Type-Options is missing, must be 'nosniff'",
        "client/icon.svg: the bytes cannot be unpacked (packed as br, which this check cannot read: let the proxy "
        "compress nothing) (seen in 4 of 16 visits: Safari on iPhone, English, first visit, at 127.0.0.1; "
        "Safari on iPhone, Chinese, first visit, at 127.0.0.1; Safari on iPhone, English, again, at 127.0.0.1 "
        "and 1 more)",
        f"s/one/: Content-Security-Policy is {loosened!r}, must be {policy!r}",
        "s/one/: Link is there more than once, also as '<https://elsewhere.example/a.js>; rel=preload; as=script'",
        "s/one/: Refresh is '0; url=https://elsewhere.example/', must not be there",
        "s/one/: Set-Cookie is 'who=1', must not be there",
        f"s/one/questionnaire: its hash is {altered}, must be {sha256(QUESTIONNAIRE).hexdigest()}",
    ]


def test_a_site_of_another_version_is_said_to_be_one() -> None:
    """By the addresses in its page; of a file that it lacks nothing else is said."""
    declared, page = bundle.headers("index.html"), bundle.files()["index.html"].body
    other = page.replace(bundle.version().encode(), b"0123456789ab")
    of_page, of_file = (
        list(compare(name, Received(status, [*headers.items()], body), declared, 443, is_known=False))
        for name, status, headers, body in (("index.html", 200, declared, other), ("main.js", 404, {"X-Who": "1"}, b""))
    )

    assert of_page == [f"it names files of version 0123456789ab, where this repository has {bundle.version()}"]
    assert of_file == ["the answer is 404, must be 200"]


@pytest.mark.long
@pytest.mark.parametrize(
    "server", ["x\r\njunk\r\nSet-Cookie: who=1", "x\r\r\nSet-Cookie: who=1"], ids=["word", "return"]
)
def test_a_header_that_is_hidden_behind_a_broken_line_is_found(server: str) -> None:
    """Browsers pass over a line that is no header and read on, where a program stops."""

    def alter(name: str, _asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        return [*headers, ("Server", server)] if name == "index.html" else headers, body

    with proxy(alter) as address:
        assert refusal(address) == (1, ["s/one/: a line of its header is no header"])


@pytest.mark.long
def test_a_file_that_is_packed_in_two_pieces_is_found() -> None:
    """A browser may unpack the first piece only. Nor may the end of a packed file be missing."""

    def alter(name: str, _asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        if name == "main.js":
            return [*headers, ("Content-Encoding", "gzip")], gzip.compress(body[:9]) + gzip.compress(body[9:])
        if name == "style.css":
            return [*headers, ("Content-Encoding", "gzip")], gzip.compress(body)[:-1]
        return headers, body

    with proxy(alter) as address:
        assert refusal(address) == (
            1,
            [
                f"{bundle.place('main.js')}: the bytes cannot be unpacked (bytes follow their end)",
                f"{bundle.place('style.css')}: the bytes cannot be unpacked (their end is missing)",
            ],
        )


@pytest.mark.long
def test_each_packing_of_a_file_is_read() -> None:
    """A proxy may pack as the site does; what is packed is compared."""

    def alter(name: str, asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        assert "gzip, deflate" in asked["accept-encoding"]
        if name == "style.css":
            return [*headers, ("Content-Encoding", "deflate")], zlib.compress(body)
        return [*headers, ("Content-Encoding", "gzip")], gzip.compress(body)

    with proxy(alter) as address:
        assert visit.visit_site(address, []).differences == []


@pytest.mark.long
def test_every_address_of_a_name_is_visited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Behind one name there may be a machine that serves another page; one that does not answer is named."""
    here = socket.getaddrinfo

    def several(host: str, *more: Any, **given: Any) -> Any:
        if host != "site.example":
            return here(host, *more, **given)
        return [here(address, *more, **given)[0] for address in ("127.0.0.1", "127.0.0.2", "127.0.0.3")]

    def alter(_name: str, asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        assert asked["host"].startswith("site.example:")
        return headers, body

    def alter_there(name: str, _asked: dict[str, str], headers: Headers, body: bytes) -> tuple[Headers, bytes]:
        return headers, body + b" " if name == "main.js" else body

    monkeypatch.setattr(socket, "getaddrinfo", several)
    with proxy(alter) as address, proxy(alter_there, ("127.0.0.2", urlsplit(address).port or 0)):
        status, sentences = refusal(address.replace("127.0.0.1", "site.example"))
    assert (status, len(sentences)) == (1, 1)
    assert sentences[0].startswith(f"{bundle.place('main.js')}: other bytes, from byte ")
    assert "(seen in 16 of 32 visits: Chrome on Windows, English, first visit, at 127.0.0.2; " in sentences[0]
    assert "Nobody answered at 127.0.0.3, which was not checked." in capsys.readouterr().err


def test_a_site_that_cannot_be_reached_is_no_difference() -> None:
    """Status 2 and one sentence: nothing was compared."""
    with pytest.raises(CommandError, match=r"^127\.0\.0\.1:9 could not be reached: .*refused$") as error:
        call_command("client_manifest", check=["http://127.0.0.1:9/s/demo/"])
    assert error.value.returncode == 2


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org/", "http://[", "http://a:99999/"])
def test_the_check_asks_for_a_whole_address(address: str) -> None:
    """A name alone is refused in one sentence, with status 2."""
    with pytest.raises(CommandError, match="must be the address of a site") as error:
        call_command("client_manifest", check=[address])
    assert error.value.returncode == 2
