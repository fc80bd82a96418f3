"""Holding the locked packages against advisories."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer

from config.tools import audit
from tests.servers import ROOT, Quiet, answering, run_python


@contextmanager
def service(known: dict[str, list[str]]) -> Iterator[str]:
    """A service that knows these advisories, the first of each package on one page and the others on the next."""

    class Service(Quiet):
        def answer(self) -> None:
            queries = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            self.reply(json.dumps({"results": [self.result(query) for query in queries]}).encode())

        def result(self, query: dict) -> dict:
            names = known.get(query["package"]["name"], [])
            if query.get("page_token"):
                return {"vulns": [{"id": name} for name in names[1:]]}
            token = {"next_page_token": "more"} if len(names) > 1 else {}
            return {"vulns": [{"id": name} for name in names[:1]], **token} if names else {}

    with answering(ThreadingHTTPServer(("127.0.0.1", 0), Service)) as server:
        yield f"http://127.0.0.1:{server.server_port}"


def run(address: str) -> tuple[int, str]:
    done = run_python("config/tools/audit.py", CANDOR_ADVISORIES=address)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_advisories_about_locked_packages_are_named() -> None:
    """A line for each package, all pages of its advisories, and exit status 1."""
    version = audit.versions_in_locks()["django"]
    with service({"django": ["PYSEC-2", "GHSA-1"]}) as address:
        status, said = run(address)
    assert (status, said.splitlines()[0]) == (1, f"django {version}: GHSA-1, PYSEC-2")


def test_no_advisory_is_said_so() -> None:
    """Exit status 0, with the number of packages that were asked about."""
    with service({}) as address:
        host = address.removeprefix("http://")
        assert run(address) == (
            0,
            f"No advisory at {host} is about any of the {len(audit.versions_in_locks())} locked packages.\n",
        )


def test_a_service_that_cannot_be_reached_is_no_clean_record() -> None:
    """Exit status 2 and one sentence that says that nothing was checked."""
    status, said = run("http://127.0.0.1:9")
    assert status == 2
    assert said == (
        "The advisories at 127.0.0.1:9 cannot be had (<urlopen error [Errno 111] Connection refused>): "
        "nothing was checked.\n"
    )


def test_the_lock_is_read_whole() -> None:
    """Every pinned package of each lock is asked about: as many as have hashes."""
    pinned = [line for lock in audit.LOCKS for line in (ROOT / lock).read_text().splitlines() if "==" in line[:60]]
    assert {line.partition("==")[0] for line in pinned if line[0].isalpha()} == set(audit.versions_in_locks())


# The tool that checks JavaScript is pinned for everybody.


def test_the_tool_is_pinned_with_the_hash_of_every_build() -> None:
    """One version on each platform, whichever registry somebody asks."""
    (version,) = json.loads((ROOT / "package.json").read_text())["devDependencies"].values()
    text = (ROOT / "package-lock.json").read_text()
    builds = {name: lock for name, lock in json.loads(text)["packages"].items() if name}

    assert {lock["version"] for lock in builds.values()} == {version}
    assert all(lock["integrity"].startswith("sha512-") for lock in builds.values())
    assert {place for lock in builds.values() for place in lock.get("os", ())} == {"darwin", "linux", "win32"}
    assert '"resolved"' not in text
