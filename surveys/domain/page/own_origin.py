"""The respondent's page as static files for an origin of its own, and its manifest in the format of WEBCAT.

Answers go to the site, which lets this origin ask (docs/decisions/0068-inside-other-pages.md). The rules are those of
https://github.com/freedomofpress/webcat-spec (manifest.md, csp.md): every file is in the manifest, every answer has the
one policy, no header loads or leads elsewhere.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from privacy.files import write_files
from surveys.domain.page import bundle

INDEX, MISSING = "index.html", "missing.html"
HEADERS = "_headers"  # what static hosts read: a path, and its headers below
_MARK = b'<meta name="viewport"'
_MISSING = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Candor</title>
<link rel="stylesheet" href="/client/style.css">
<main>
<h1>There is nothing here</h1>
<p>A survey opens by its whole link.</p>
</main>
</html>
"""


def policy(site: str) -> str:
    """The Content-Security-Policy of every file: that of the page, which may also ask the site."""
    return bundle.CONTENT_SECURITY_POLICY.replace("connect-src 'self'", f"connect-src 'self' {site}")


def headers(site: str) -> dict[str, str]:
    """The headers of every file. None names files to be loaded in advance, which WEBCAT forbids."""
    own = bundle.headers(bundle.PAGE) | {"Content-Security-Policy": policy(site), "Cache-Control": bundle.ASKED}
    return {name: own[name] for name in [*bundle.GUARDS, "Cache-Control", "X-Robots-Tag"]}


def files(site: str) -> dict[str, bytes]:
    """The bytes of every file by its path, for pages whose survey is at this site."""
    made = {
        bundle.place(name): file.body
        for name, file in bundle.files().items()
        if name not in (bundle.PAGE, bundle.RECEIPTS, bundle.HOST, *bundle.OF_TABLETS)
    }
    page, plain = bundle.files()[bundle.PAGE].body, bundle.place("style.css").encode()
    mark = f'<meta name="site" content="{site}">\n'.encode()
    made[INDEX] = page.replace(_MARK, mark + _MARK, 1)
    made[MISSING] = _MISSING.replace(b"client/style.css", plain)
    return dict(sorted(made.items()))


def settings(site: str, source: str, version: str) -> dict[str, object]:
    """The content of webcat.config.json, from which `webcat manifest generate` makes a manifest."""
    return {
        "app": source,
        "version": version,
        "default_csp": policy(site),
        "default_index": INDEX,
        "default_fallback": f"/{MISSING}",
        "wasm": [],
        "extra_csp": {},
    }


def manifest(given: Mapping[str, object], files: Mapping[str, bytes]) -> str:
    """The manifest of settings and files before it is signed, in the canonical order; a signer adds time and proof."""
    hashes = {f"/{path}": _digest(body) for path, body in files.items()}
    return json.dumps({**given, "files": hashes}, indent=1, sort_keys=True) + "\n"


def _digest(body: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()).decode().rstrip("=")


def write(folder: Path, site: str, source: str, version: str) -> int:
    """Write the files into `folder/page`, and beside it what WEBCAT takes; return how many files there are."""
    made, own, given = files(site), headers(site).items(), settings(site, source, version)
    written = {f"page/{path}": body for path, body in made.items()} | {
        f"page/{HEADERS}": "".join(["/*\n", *(f"  {name}: {value}\n" for name, value in own)]).encode(),
        "headers.conf": "".join(f'add_header {name} "{value}" always;\n' for name, value in own).encode(),
        "webcat.config.json": (json.dumps(given, indent=1) + "\n").encode(),
        "manifest.json": manifest(given, made).encode(),
    }
    for path in written:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    write_files({folder / path: body for path, body in written.items()})
    return len(made)
