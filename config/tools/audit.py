"""Hold the locked packages against published advisories.

`make audit` asks osv.dev, which gathers the advisories of PyPA, GitHub and others, once for all packages of the six
locks: exit status 0 if nothing is known against any of them, 1 with a line for each advisory, 2 if it cannot be asked.
"""

import json
import os
import re
import sys
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
LOCKS = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-docs.txt",
    "requirements-long.txt",
    "requirements-pip.txt",
    "requirements-uv.txt",
)
SERVICE = os.environ.get("CANDOR_ADVISORIES") or "https://api.osv.dev"
ADVISORY_SECONDS = 20


def versions_in_locks() -> dict[str, str]:
    lines = "\n".join((ROOT / lock).read_text(encoding="utf-8") for lock in LOCKS)
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;]+)", lines, re.MULTILINE))


def advisories(packages: dict[str, str]) -> dict[str, list[str]]:
    """The names of the advisories about each package; OSError, HTTPException or ValueError if they cannot be had."""
    asked = list(packages.items())
    queries = [{"package": {"ecosystem": "PyPI", "name": name}, "version": version} for name, version in asked]
    known: dict[str, list[str]] = {}
    while queries:
        answer = _ask({"queries": queries})["results"]
        if len(answer) != len(queries):
            raise ValueError("it answers another number of questions than was asked")
        again = []
        for query, result in zip(queries, answer, strict=True):
            name = query["package"]["name"]  # type: ignore[index]
            known.setdefault(name, []).extend(one["id"] for one in result.get("vulns", ()))
            if token := result.get("next_page_token"):
                again.append({**query, "page_token": token})
        queries = again
    return {name: sorted(names) for name, names in sorted(known.items()) if names}


def _ask(question: dict[str, Any]) -> Any:
    request = urllib.request.Request(
        f"{SERVICE}/v1/querybatch", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=ADVISORY_SECONDS) as answer:
        return json.load(answer)


def audit() -> int:
    packages = versions_in_locks()
    host = urlsplit(SERVICE).netloc
    try:
        known = advisories(packages)
    except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
        print(f"The advisories at {host} cannot be had ({error or type(error).__name__}): nothing was checked.")
        return 2
    for name, names in known.items():
        print(f"{name} {packages[name]}: {', '.join(names)}")
    if known:
        print("Read them at https://osv.dev/vulnerability/NAME; newer versions: `make lock`, then `make test`.")
        return 1
    print(f"No advisory at {host} is about any of the {len(packages)} locked packages.")
    return 0


if __name__ == "__main__":
    sys.exit(audit())
