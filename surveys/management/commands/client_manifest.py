"""Print the hashes of the respondent's page, or compare with them what a site serves."""

from __future__ import annotations

from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.core.management.base import BaseCommand, CommandError, CommandParser

from surveys.domain import bundle

SECONDS = 30


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", metavar="ADDRESS", help="address of a site, or of one survey on it, to compare")

    def handle(self, *_args: Any, check: str | None = None, **_options: Any) -> None:
        if check is None:
            self.stdout.write(bundle.manifest(), ending="")
            return
        wrong = [line for name in bundle.files() for line in differences(check, name)]
        if wrong:
            raise CommandError("\n".join([f"{check} does not serve what this repository holds:", *wrong]))
        self.stdout.write(f"{check} serves the {len(bundle.files())} files of this repository, byte for byte.")


def differences(address: str, name: str) -> list[str]:
    """How a site differs from the repository in one file: in its bytes, and for the page also in its policy."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise CommandError(
            f"--check is {address!r}, must be the address of a site, such as https://example.org/s/demo/"
        )
    where = parts.path.strip("/") + "/" if name == bundle.PAGE and parts.path.strip("/") else bundle.place(name)
    try:
        with urlopen(Request(f"{parts.scheme}://{parts.netloc}/{where}"), timeout=SECONDS) as answer:
            body, policy = answer.read(), answer.headers["Content-Security-Policy"]
    except (OSError, HTTPException) as error:
        return [f"{where}: {error}"]
    different = []
    if body != bundle.files()[name].body:
        different.append(f"{where}: other bytes")
    if name == bundle.PAGE and policy != bundle.CONTENT_SECURITY_POLICY:
        different.append(f"{where}: the Content-Security-Policy is {policy!r}")
    return different
