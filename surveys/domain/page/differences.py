"""What differs between an answer of a site and what this repository serves: in which byte and in which header."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from surveys.domain.page import bundle

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
        at = next((place for place, pair in enumerate(zip(served, body, strict=False)) if pair[0] != pair[1]), None)
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
