"""Visiting a site as browsers do, and saying in which header and in which byte it differs from this repository.

A proxy can tell a program from a browser and serve each its own bytes. So every file is asked for with the headers that
browsers send for just such a file, in both languages, on a first visit, on a second one, and with a Referer. What a
program cannot copy (the handshake of a browser's TLS, say) still tells them apart: docs/threat-model.md says what a
check proves.
"""

import json
import re
import socket
import ssl
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from privacy.errors import InputError
from surveys.domain.page import bundle
from surveys.features import frames

PACKINGS = {"gzip": 31, "deflate": 15}  # as zlib names their headers

# Headers of the transport: a web server or a proxy sets them, and no value of this form changes what a browser does
# with the page. `Connection` and `Keep-Alive` are about the line, `Alt-Svc` may name no other host and no other port.
TRANSPORT = {
    "alt-svc": r'h[23](-\d+)?=":PORT"; ma=\d+(, h[23](-\d+)?=":PORT"; ma=\d+)*',
    "connection": r"keep-alive|close",
    "content-encoding": r"\w+",
    "content-language": r"en|zh-hans",
    "content-length": r"\d+",
    "date": r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT",
    "keep-alive": r"timeout=\d+(, max=\d+)?",
    "server": r"[\w./()+ -]{1,60}",
    "strict-transport-security": r"max-age=[1-9]\d*(; ?includeSubDomains)?(; ?preload)?",
    "transfer-encoding": r"chunked",
    "vary": r"(Accept-(Encoding|Language)|Origin)(, ?(Accept-(Encoding|Language)|Origin))*",
    "via": r"\d\.\d [\w.-]{1,60}",
}


@dataclass(frozen=True)
class Received:
    """An answer of a site: its status, its headers and its bytes, still packed."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def why(error: Exception) -> str:
    return str(error) or type(error).__name__


def compare(name: str, answer: Received, declared: dict[str, str], port: int, is_known: bool) -> Iterator[str]:
    """List the faults of an answer for the file `name`; `is_known`: the browser has it, and 304 may say: keep it."""
    if answer.status == 304 and is_known:
        if answer.body:
            yield "bytes come with the answer that nothing has changed"
        yield from compare_headers(answer, declared, port, optional={"Content-Type"})
        return
    if answer.status != 200:
        yield f"the answer is {answer.status}, must be 200"
        return
    yield from _compare_body(answer, bundle.files()[name].body)
    yield from compare_headers(answer, declared, port)


def _compare_body(answer: Received, body: bytes) -> Iterator[str]:
    try:
        served = unpack_body(answer)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        yield f"the bytes cannot be unpacked ({why(error)})"
        return
    if (others := _versions(served) - _versions(body)) and _versions(body):
        yield f"it names files of version {', '.join(sorted(others))}, where this repository has {bundle.version()}"
    elif served != body:
        at = next((index for index, pair in enumerate(zip(served, body, strict=False)) if pair[0] != pair[1]), None)
        first = min(len(served), len(body)) if at is None else at
        yield f"other bytes, from byte {first} on ({len(served)} bytes, must be {len(body)})"


def _versions(html: bytes) -> set[str]:
    """The versions that stand in the addresses of a page's files."""
    return {found.decode() for found in re.findall(rb'"/client/([0-9a-f]{12})/', html)}


def unpack_body(answer: Received) -> bytes:
    encoding = {name.lower(): value for name, value in answer.headers}.get("content-encoding", "identity").lower()
    if encoding == "identity":
        return answer.body
    if encoding not in PACKINGS:
        raise ValueError(f"packed as {encoding}, which this check cannot read: let the proxy compress nothing")
    packed = zlib.decompressobj(PACKINGS[encoding])
    body = packed.decompress(answer.body)
    if not packed.eof:
        raise ValueError("their end is missing")
    if packed.unused_data:  # browsers differ in whether they read on
        raise ValueError("bytes follow their end")
    return body


def compare_headers(
    answer: Received, declared: dict[str, str], port: int, optional: set[str] | frozenset[str] = frozenset()
) -> Iterator[str]:
    """Name each header that is missing (unless `optional`), doubled, other than declared, or unknown to both lists."""
    values: dict[str, list[str]] = {}
    for name, value in answer.headers:
        values.setdefault(name.lower(), []).append(value)
    for name, value in declared.items():
        served = values.pop(name.lower(), [])
        if not served and name in optional:
            continue
        if value in served[:-1] or value in served[1:]:
            others = served[1:] if served[0] == value else served[:-1]
            yield f"{name} is there more than once, also as {_values(others)}"
        elif served != [value]:
            yield f"{name} is {_values(served)}, must be {_values([value])}"
    for name, served in sorted(values.items()):
        form = TRANSPORT.get(name)
        if form is None:
            yield f"{name.title()} is {_values(served)}, must not be there"
        elif len(served) > 1 or not re.fullmatch(form.replace("PORT", str(port)), served[0]):
            yield f"{name.title()} is {_values(served)}, which is not what a web server says there"


def _values(values: list[str]) -> str:
    text = " and ".join(repr(value) for value in values) or "missing"
    return text if len(text) <= 300 else f"{text[:300]}…"


SECONDS = 30
LIMIT = 1 << 24  # bytes of one answer; the largest file has a thousandth of it

# What browsers say of themselves in every request, and in which languages; and then for a page (navigation), also in a
# frame, for a module, a style or an image (parts), and past their cache for a questionnaire (fetch).
SAID: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("browsers.json").read_text(encoding="utf-8"))
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Visit:
    """One way to come to a page: by which browser, in which language, at which of the site's addresses."""

    browser: str
    language: str
    manner: str  # first visit, again (asking only for what has changed), with a Referer (the page)
    address: str
    source: str | None = None  # the address of this machine to ask from

    def __str__(self) -> str:
        source = f" from {self.source}" if self.source else ""
        return f"{self.browser}, {self.language}, {self.manner}, at {self.address}{source}"

    def headers(self, name: str, page: str) -> dict[str, str]:
        kind = name[name.rfind(".") :]
        asked = SAID["parts"].get(kind, SAID["fetch"])
        wanted = SAID["navigation"] if kind == ".html" else {**asked, "Sec-Fetch-Site": "same-origin"}
        headers = {**SAID["browsers"][self.browser], **wanted, "Accept-Language": SAID["languages"][self.language]}
        tag = bundle.headers(name).get("ETag") if name in bundle.files() else None
        if self.manner == "again" and tag:
            headers |= {"If-None-Match": tag, "Cache-Control": "max-age=0"}
        if self.manner == "with a Referer":
            headers |= {"Referer": page}
        return headers


class UnreachableError(Exception):
    """The site did not answer at all, so nothing can be said of it."""


@dataclass(frozen=True)
class Look:
    differences: list[str]  # a sentence for each way in which the site differs from this repository
    visits: int
    addresses: list[str]  # of the site, all visited
    silent: list[str]  # addresses of the site where nobody answered


def visit_site(address: str, sources: list[str]) -> Look:
    """Visit a site in every way, at every address of its name; UnreachableError if it never answers.

    `address` is that of a site or of one survey on it; after `#v=` it may say which questionnaire must come. `sources`
    are addresses of this machine to ask from, since a site may serve another page to somebody's address. Behind one
    name there may be several machines, and a respondent's browser picks one.
    """
    parts = _parse_address(address)
    from_where: list[str | None] = [*sources] or [None]
    lines = {(there, source): _silence(parts, there, source) for there in _addresses(parts) for source in from_where}
    answering = [line for line, silence in lines.items() if silence is None]
    if not answering:
        raise UnreachableError(f"{parts.netloc} could not be reached: {next(iter(lines.values()))}")
    manners = [(language, "first visit") for language in SAID["languages"]]
    manners += [("English", "again"), ("Chinese", "with a Referer")]
    ways = [Visit(browser, *manner, *line) for line in answering for browser in SAID["browsers"] for manner in manners]
    with ThreadPoolExecutor(max_workers=8) as pool:
        seen = list(pool.map(lambda visit: set(_visit(parts, visit)), ways))
    heard = list(dict.fromkeys(there for there, _ in answering))
    return Look(
        [
            sentence + _who_saw([way for way, sentences in zip(ways, seen, strict=True) if sentence in sentences], ways)
            for sentence in sorted(set[str]().union(*seen))
        ],
        len(ways),
        heard,
        list(dict.fromkeys(there for there, _ in lines if there not in heard)),
    )


def _addresses(parts: SplitResult) -> list[str]:
    try:
        entries = socket.getaddrinfo(parts.hostname, _port(parts), type=socket.SOCK_STREAM)
    except OSError as error:
        raise UnreachableError(f"{parts.netloc} could not be reached: {why(error)}") from None
    return list(dict.fromkeys(str(address[0]) for *_, address in entries))


def _silence(parts: SplitResult, there: str, source: str | None) -> str | None:
    """Why nobody answers at this address, asked from `source`; None if somebody does."""
    try:
        socket.create_connection((there, _port(parts)), SECONDS / 3, (source, 0) if source else None).close()
    except OSError as error:
        return why(error)
    return None


def _port(parts: SplitResult) -> int:
    return parts.port or PORTS[parts.scheme]


class SiteConnection(HTTPConnection):
    """A connection to one address of a site, whichever others its name has."""

    def __init__(self, parts: SplitResult, visit: Visit) -> None:
        super().__init__(parts.hostname or "", _port(parts), timeout=SECONDS)
        self.default_port = PORTS[parts.scheme]  # which browsers do not name in `Host`
        self.tls = ssl.create_default_context() if parts.scheme == "https" else None
        if self.tls:
            self.tls.set_alpn_protocols(["http/1.1"])
        self.visit = visit

    def connect(self) -> None:
        source = (self.visit.source, 0) if self.visit.source else None
        self.sock = socket.create_connection((self.visit.address, self.port), SECONDS, source)
        if self.tls:
            self.sock = self.tls.wrap_socket(self.sock, server_hostname=self.host)


def _parse_address(address: str) -> SplitResult:
    try:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    except ValueError:
        pass
    raise InputError(f"--check is {address!r}, must be the address of a site, such as https://example.org/s/demo/")


def _who_saw(some: list[Visit], every: list[Visit]) -> str:
    """Name the visits that saw a difference, as the end of a sentence; empty if all did."""
    if some == every:
        return ""
    more = f" and {len(some) - 3} more" if len(some) > 3 else ""
    return f" (seen in {len(some)} of {len(every)} visits: {'; '.join(map(str, some[:3]))}{more})"


def _visit(parts: SplitResult, visit: Visit) -> Iterator[str]:
    """Yield a sentence for each difference in one visit, which loads all that the page loads, over one connection."""
    slug = parts.path.strip("/")
    page = f"/{slug}/" if slug else "/s/any/"
    there = {name: f"/{bundle.place(name)}".replace("/s/any/", page) for name in bundle.files()}
    there[bundle.RECEIPTS] = re.sub("^/f/", "/s/", there[bundle.RECEIPTS])  # which nobody holds in a frame
    line = SiteConnection(parts, visit)
    try:
        if slug:
            differences, questionnaire = _ask_questionnaire(line, parts, visit, page)
            yield from differences
        for name, path in there.items():
            headers = visit.headers(name, f"{parts.scheme}://{parts.netloc}{page}")
            is_framed = name == bundle.PAGE and page.startswith("/f/")
            if is_framed:
                headers |= SAID["frame"]
            try:
                answer = _get(line, path, headers)
            except (OSError, HTTPException) as error:
                line.close()
                yield f"{path[1:]}: {why(error)}"
                continue
            declared = bundle.headers(name)
            if is_framed:
                declared = bundle.headers_of_frame(_framing_sites(questionnaire, answer))
            wrong = compare(name, answer, declared, _port(parts), "If-None-Match" in headers)
            yield from (f"{path[1:]}: {sentence}" for sentence in wrong)
    finally:
        line.close()


def _get(connection: SiteConnection, path: str, headers: dict[str, str]) -> Received:
    """Ask for a path and read the answer; ask again where the site has ended a connection that served before."""
    reused = connection.sock is not None
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
    except ConnectionError:  # a browser asks again, too
        connection.close()
        if not reused:
            raise
        return _get(connection, path, headers)
    body = answer.read(LIMIT)
    if not answer.isclosed():
        raise HTTPException(f"the answer has more than {LIMIT} bytes")
    # Python takes what follows such a line for no header any more; browsers pass over the line and read on.
    if answer.msg.defects or answer.msg.get_payload():
        raise HTTPException("a line of its header is no header")
    return Received(answer.status, answer.getheaders(), body)


def _ask_questionnaire(
    connection: SiteConnection, parts: SplitResult, visit: Visit, page: str
) -> tuple[list[str], bytes]:
    """Ask for the questionnaire; return what differs in it, and its bytes. Without a hash in the link only its headers
    are compared.

    A survey that collects nothing now (403, 410) has none to give.
    """
    path = f"{page}questionnaire"
    given = re.search(r"(?:^|&)v=([0-9a-fA-F]{64})(?:&|$)", parts.fragment)
    try:
        answer = _get(connection, path, visit.headers("questionnaire", f"{parts.scheme}://{parts.netloc}{page}"))
        if answer.status != 200:
            wrong = [] if answer.status in (403, 410) else [f"{path[1:]}: the answer is {answer.status}, must be 200"]
            return wrong, b""
        questionnaire = unpack_body(answer)
    except (OSError, HTTPException, EOFError, zlib.error, ValueError) as error:
        connection.close()
        return [f"{path[1:]}: {why(error)}"], b""
    digest = sha256(questionnaire).hexdigest()
    wrong = []
    if given and digest != given[1].lower():
        wrong.append(f"{path[1:]}: its hash is {digest}, must be {given[1].lower()}")
    declared = bundle.survey_headers(given[1].lower() if given else digest)  # another mark could tell visitors apart
    wrong += [f"{path[1:]}: {sentence}" for sentence in compare_headers(answer, declared, _port(parts))]
    return wrong, questionnaire


def _framing_sites(questionnaire: bytes, page: Received) -> list[str]:
    """The sites that may hold the survey in a frame, by its questionnaire. A survey that collects nothing now has none
    to give: then by the policy of the page, which may say nothing else.
    """
    if questionnaire:
        try:
            return [str(site) for site in frames.sites(json.loads(questionnaire))] or ["'none'"]
        except (ValueError, AttributeError, TypeError):
            return ["'none'"]
    policy = " ".join(text for name, text in page.headers if name.lower() == "content-security-policy")
    named = re.search(r"frame-ancestors ((?:https?://[a-z0-9.:-]+ ?)+);", policy)
    return named[1].split() if named else ["'none'"]
