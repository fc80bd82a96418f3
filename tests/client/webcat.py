"""The published rules of WEBCAT, as its browser extension holds a site against a manifest.

Written from https://github.com/freedomofpress/webcat-spec (manifest.md, csp.md) and the project's documentation
(requirements, CSP), and of nothing of this repository.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, Response

NONE, SELF = "'none'", "'self'"
HASH = re.compile(r"'sha(256|384|512)-[A-Za-z0-9+/_=-]+'")
SCRIPTS = {NONE, SELF, "'wasm-unsafe-eval'"}
STYLES = {NONE, SELF, "'unsafe-inline'", "'unsafe-hashes'"}
# What may be data, and is looked at only where the manifest lists it.
PASSED_ON = {"image", "media", "font", "websocket", "xhr", "fetch", "ping", "other"}


def faults_of_policy(policy: str) -> list[str]:
    if "," in policy:
        return ["a comma"]
    directives: dict[str, list[str]] = {}
    for part in filter(None, map(str.strip, policy.split(";"))):
        name, *sources = part.split()
        directives.setdefault(name.lower(), [source if "sha" in source else source.lower() for source in sources])
    default = directives.get("default-src")
    faults = [f"default-src {source}" for source in default or [] if source not in (NONE, SELF)]
    is_none = default == [NONE]
    for name, keywords, hashed, instead in (
        ("script-src", SCRIPTS, True, None),
        ("script-src-elem", SCRIPTS, True, "script-src"),
        ("style-src", STYLES, True, None),
        ("style-src-elem", STYLES, True, "style-src"),
        ("object-src", {NONE}, False, None),
        ("worker-src", {NONE, SELF}, False, None),
    ):
        sources = directives.get(name)
        if sources is None and not is_none and instead not in directives:
            faults.append(f"no {name}")
        faults += [
            f"{name} {source}"
            for source in sources or []
            if source not in keywords and not (hashed and HASH.fullmatch(source))
        ]
    return faults


def faults_of_manifest(manifest: dict[str, Any]) -> list[str]:
    files = manifest.get("files") or {}
    index, fallback = manifest.get("default_index"), manifest.get("default_fallback")
    policies = [manifest.get("default_csp", ""), *manifest.get("extra_csp", {}).values()]
    return [
        *(name for name in ("app", "version", "default_csp") if not manifest.get(name)),
        *(["default_index"] if f"/{index}" not in files else []),
        *(["default_fallback"] if fallback not in files else []),
        *(["wasm"] if not isinstance(manifest.get("wasm"), list) else []),
        *(path for path, digest in files.items() if not re.fullmatch(r"/.*", path) or len(_bytes(digest)) != 32),
        *(fault for policy in policies for fault in faults_of_policy(policy)),
    ]


def faults_of_answer(manifest: dict[str, Any], kind: str, path: str, headers: Iterable[Any], body: bytes) -> list[str]:
    """What is wrong with an answer of a site that is enrolled with this manifest."""
    given: dict[str, list[str]] = {}
    for header in headers:
        given.setdefault(header["name"].lower(), []).append(header["value"])
    policies = given.get("content-security-policy", [])
    faults = [f"{path}: {name}" for name in ("refresh", "link") if name in given]
    faults += [f"{path}: leads to {to}" for to in given.get("location", []) if not re.match(r"\.{0,2}/(?!/)", to)]
    faults += [f"{path}: Origin-Agent-Cluster" for value in given.get("origin-agent-cluster", []) if value != "?1"]
    if len(policies) != 1:
        faults.append(f"{path}: {len(policies)} policies")
    elif policies[0].split(",")[0] != _policy_at(manifest, path):
        faults.append(f"{path}: another policy")
    files = manifest["files"]
    digest = files.get(path) or (files.get(path + manifest["default_index"]) if path.endswith("/") else None)
    if digest is None and kind in PASSED_ON:
        return faults
    if digest is None and not path.endswith("/"):
        digest = files.get(manifest["default_fallback"])
    if digest is None:
        faults.append(f"{path}: not listed")
    elif body and hashlib.sha256(body).digest() != _bytes(digest):
        faults.append(f"{path}: other bytes")
    return faults


def _policy_at(manifest: dict[str, Any], path: str) -> str:
    extra = manifest.get("extra_csp", {})
    here = manifest["default_index"] if path == "/" else path
    fitting = [prefix for prefix in extra if here.startswith(prefix)]
    return str(extra[max(fitting, key=len)] if fitting else manifest["default_csp"])


def _bytes(digest: str) -> bytes:
    return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4))


class Extension:
    """Looks at every answer of an enrolled origin that a page loads."""

    def __init__(self, page: Page, origin: str, manifest: dict[str, Any]) -> None:
        self.origin, self.manifest = origin, manifest
        self.answers: list[Response] = []
        page.on("response", lambda answer: self.answers.append(answer) if answer.url.startswith(origin) else None)

    def faults(self) -> list[str]:
        """Of what has come since this was last asked."""
        answers, self.answers[:] = list(self.answers), []
        return [
            fault
            for answer in answers
            for fault in faults_of_answer(
                self.manifest,
                answer.request.resource_type,
                urlsplit(answer.url).path,
                answer.headers_array(),
                answer.body(),
            )
        ]
