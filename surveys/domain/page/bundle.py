"""The respondent's page: a fixed set of files, the same bytes for every survey, and the manifest of their hashes."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import privacy

CLIENT = Path(__file__).resolve().parents[2] / "client"
# The disguise itself; tests compare it with the one in Python.
PRIVACY = Path(privacy.__file__).parent / "disguise" / "browser"
PAGE = "index.html"
RECEIPTS = "closed/receipts.html"  # the page that finds a receipt in the list of a closed survey
HOST = "inside/host-1.js"  # what a page that holds the survey in a frame may load; its bytes never change
# What interviewers install on a tablet; the worker keeps the files that it names, with their hashes.
TABLET, WORKER, APP = OF_TABLETS = (
    "features/interviews/index.html",
    "features/interviews/worker.js",
    "features/interviews/app.webmanifest",
)
PLAIN = "plain.html"  # what both say without JavaScript, in every language
# What every page needs before its first heading, and the usual kind of block. The first asks for the questionnaire, the
# second for the texts of the language. The rest comes when a questionnaire uses it: other kinds, types of questions,
# and what few visits need.
ALWAYS = ("exchange", "page", "kinds/coin", "chances", "disguise", "main", "promise")
LATER = ("questions/usual", "questionnaire", "response")  # what Begin needs: the first page does not wait for it
# These fit those of their own version alone, so their addresses name it.
VERSIONED = (".js", ".css", ".json")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    "media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
POLICY_OF_TABLETS = CONTENT_SECURITY_POLICY.replace(
    "trusted-types 'none'", "trusted-types worker; worker-src 'self'; manifest-src 'self'"
)
# The headers of every file of the bundle, for every browser. Headers that the page must not have (a cookie, a
# Refresh) are as telling as those it must have: `client_manifest --check` compares them all.
GUARDS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), interest-cohort=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# Who may keep a file: what lies at an address without a version is asked for each time, what lies at one with it never
# changes.
ASKED = "public, no-cache"
KEPT = "public, max-age=31536000, immutable"
# What the page fetches and compares with a hash: what a closed survey publishes, or a questionnaire (`survey_headers`
# says what is added once everybody may have it). It is no business of other origins.
FETCHED = {"Content-Type": "application/json", "Cache-Control": "no-store", "X-Robots-Tag": "noindex", **GUARDS}


def survey_headers(sha256: str) -> dict[str, str]:
    """All headers of a published questionnaire (its hash): caches may keep it, but ask each time whether it is still
    valid, because a copy of a survey that has closed or changed would let people answer for nothing.

    The ETag is its hash. One that anybody might choose would tell visitors apart.
    """
    return {**FETCHED, "Cache-Control": ASKED, "ETag": tag(sha256)}


def tag(sha256: str) -> str:
    """The ETag of content with this hash."""
    return f'W/"{sha256}"'  # weak: the same bytes, however they are packed on their way


@dataclass(frozen=True)
class PageFile:
    body: bytes
    type: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body).hexdigest()


@cache
def _read_files() -> dict[str, bytes]:
    """The bytes of every file by its name. Read once, so that a process never serves a mixture of two versions."""
    paths = {
        path.relative_to(folder).as_posix(): path
        for folder in (CLIENT, PRIVACY)
        for path in folder.rglob("*")
        if path.suffix in TYPES
    }
    return {name: path.read_bytes() for name, path in sorted(paths.items())}


@cache
def version() -> str:
    """A short hash over all modules and styles, which is part of their addresses: if one file changes, all move.

    So a visit never mixes two versions, although each of its requests may come to another machine.
    """
    hashes = [f"{hashlib.sha256(body).hexdigest()}  {name}\n" for name, body in _read_files().items() if _fits(name)]
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:12]


def _fits(name: str) -> bool:
    """Whether the file fits only others of its version, so that its address names the version."""
    return name.endswith(VERSIONED)


@cache
def files() -> dict[str, PageFile]:
    """Every file as it is served, by its name in the repository; HTML names modules by their versioned addresses."""
    served = dict(_read_files())
    for name in (PAGE, RECEIPTS, TABLET, PLAIN):
        served[name] = re.sub(
            rb'(?<=")/client/([^"]+)', lambda found: f"/{place(found[1].decode())}".encode(), served[name]
        )
    kept = {
        f"/{place(name)}": hashlib.sha256(body).hexdigest()
        for name, body in served.items()
        if name not in (PAGE, RECEIPTS, HOST, PLAIN, WORKER)
    }
    served[WORKER] = served[WORKER].replace(b"const FILES = {}", b"const FILES = " + json.dumps(kept).encode())
    return {name: PageFile(body, TYPES[Path(name).suffix]) for name, body in served.items()}


@cache
def names() -> dict[str, str]:
    """The name of the file at each address below `client/`; for other programs also at addresses without version."""
    own = [name for name in files() if name not in (PAGE, RECEIPTS, *OF_TABLETS)]
    return {name: name for name in own} | {place(name).removeprefix("client/"): name for name in own}


def headers(name: str) -> dict[str, str]:
    """All headers that a site sends with a file, but for those of the transport, which the web server adds.

    The bundle is the same for everybody and published, so pages of other origins may read it (never with a cookie):
    this is what lets somebody else's page check a site from a respondent's own browser.
    """
    own = {"Content-Type": files()[name].type, "Access-Control-Allow-Origin": "*", **GUARDS}
    if name not in (PAGE, RECEIPTS, *OF_TABLETS):
        return {**own, "Cache-Control": KEPT if _fits(name) else ASKED, "ETag": tag(files()[name].sha256)}
    own |= {"Access-Control-Expose-Headers": "*"}  # the policy above too, for the page that checks
    own |= {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
    if name in OF_TABLETS:
        own["Content-Security-Policy"] = POLICY_OF_TABLETS
    if name == PAGE:  # a question for a place may ask the browser where it is, and tells nobody
        own["Permissions-Policy"] = own["Permissions-Policy"].replace("geolocation=()", "geolocation=(self)")
        own["Link"] = preloads()
    return own


def headers_of_frame(sites: Iterable[str]) -> dict[str, str]:
    """The headers of the page where these sites, and no others, may hold it in a frame. It gets a process of its own,
    so that a page of the same domain does not feel how long something takes here. X-Frame-Options can name no site.
    """
    named = f"frame-ancestors {' '.join(sites)};"
    own = {name: text for name, text in headers(PAGE).items() if name != "X-Frame-Options"}
    policy = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none';", named)
    return own | {"Content-Security-Policy": policy, "Origin-Agent-Cluster": "?1"}


def integrity(name: str) -> str:
    """The hash with which a page of another site loads a file, so that its browser takes only these bytes."""
    return "sha384-" + base64.b64encode(hashlib.sha384(files()[name].body).digest()).decode()


@cache
def pack_file(name: str) -> bytes:
    return gzip.compress(files()[name].body, 9, mtime=0)


@cache
def preloads() -> str:
    """A Link header with the modules that every questionnaire needs, so that a slow line fetches them at once.

    Not with the questionnaire: what is loaded in advance goes into the browser's cache, and the device keeps no
    question. The first module asks for it, the second for the texts in the reader's language; the others, which are
    not needed as soon, let these pass.
    """
    exchange, page, *others = (f"</{place(f'{name}.js')}>; rel=modulepreload" for name in (*ALWAYS, *LATER))
    return ", ".join([exchange, page, *(f"{link}; fetchpriority=low" for link in others)])


def manifest() -> str:
    """A line for each file, as `sha256sum` writes it: the hash, two spaces, and where a site serves the file."""
    return "".join(f"{file.sha256}  {place(name)}\n" for name, file in files().items())


def release(version: str) -> str:
    """The manifest of a release of this version, as docs/releases keeps it: anybody can compare a site with it."""
    page = {name: text for name, text in headers(RECEIPTS).items() if name != "Content-Type"}
    listed: dict[str, dict[str, Any]] = {
        place(name): {"sha256": file.sha256, "type": file.type} for name, file in files().items()
    }
    for name in (PAGE, *OF_TABLETS):  # beside those of the page that finds receipts, or in their place
        different = {key: text for key, text in headers(name).items() - page.items() if key != "Content-Type"}
        listed[place(name)]["headers"] = dict(sorted(different.items()))
    # Likewise of the page in a frame: what is null must not be there.
    framed = dict(headers_of_frame(["{sites}"]).items() - headers(PAGE).items()) | {"X-Frame-Options": None}
    document = {"candor": 1, "version": version, "page": page, "framed": dict(sorted(framed.items())), "files": listed}
    return json.dumps(document, indent=1) + "\n"


def place(name: str) -> str:
    """Return the path at which a site serves a file. The two pages are served at the address of every survey."""
    folder = f"client/{version()}" if _fits(name) else "client"
    of_tablets = {TABLET: "i/", WORKER: "i/worker.js", APP: "i/app.webmanifest"}
    return {PAGE: "s/any/", RECEIPTS: "s/any/receipts/", **of_tablets}.get(name, f"{folder}/{name}")
