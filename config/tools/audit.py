"""Hold the locked packages against published advisories; with `behind`, say which ones have newer versions.

`make audit` asks osv.dev, which gathers the advisories of PyPA, GitHub and others, once for all packages of the five
locks: exit status 0 if nothing is known against any of them, 1 with a line for each advisory, 2 if it cannot be asked.

`make check` ends with `behind`: which packages that pyproject.toml names have a newer version at the index that pip is
set to. It knows this or says that it does not, takes about a minute at most, and never fails.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
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
    "requirements-pip.txt",
    "requirements-uv.txt",
)
SERVICE = os.environ.get("CANDOR_ADVISORIES") or "https://api.osv.dev"
ADVISORY_SECONDS = 20
INDEX_SECONDS = 60


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


def requirements() -> dict[str, str]:
    """What pyproject.toml asks for, by the name of each package; packages that these bring along are left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    groups += project["dependency-groups"].values()
    lines = [line.partition(";")[0].strip() for group in groups for line in group]
    asked = {_normalise(re.split(r"[^\w.-]", line)[0]): line for line in lines}
    return {name: line for name, line in asked.items() if name != project["project"]["name"]}


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def list_outdated() -> None:
    """Say which packages are behind; nothing here is a reason to fail, so whatever happens is one line."""
    names = requirements()
    others = [f"--exclude={name}" for name in sorted({"candor", *map(_normalise, versions_in_locks())} - names.keys())]
    try:
        _pip("index", "versions", "pip")  # `list` takes an index that does not answer for one that has nothing newer
        listed = json.loads(_pip("list", "--outdated", "--format=json", *others))
    except (OSError, ValueError, subprocess.SubprocessError):
        print("Whether packages are behind is not known: the package index could not be asked, or not in time.")
        return
    newer = [one for one in listed if _normalise(one["name"]) in names]
    for one in newer:
        asked = names[_normalise(one["name"])]
        print(f"behind: {one['name']} {one['version']}, newest {one['latest_version']} (pyproject.toml: {asked})")
    print(
        f"{len(newer)} of {len(names)} packages are behind the index." + (" Renew them: `make lock`." if newer else "")
    )


def _pip(*words: str) -> bytes:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries=0", "--timeout=5"]
    return subprocess.run(
        [*command, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=INDEX_SECONDS, check=True
    ).stdout


if __name__ == "__main__":
    if sys.argv[1:] == ["behind"]:
        list_outdated()
    else:
        sys.exit(audit())
