"""The tool that checks JavaScript is pinned for everybody."""

import json

from tests.servers import ROOT


def test_the_tool_is_pinned_with_the_hash_of_every_build() -> None:
    """One version on each platform, whichever registry somebody asks."""
    (version,) = json.loads((ROOT / "package.json").read_text())["devDependencies"].values()
    text = (ROOT / "package-lock.json").read_text()
    builds = {name: lock for name, lock in json.loads(text)["packages"].items() if name}

    assert {lock["version"] for lock in builds.values()} == {version}
    assert all(lock["integrity"].startswith("sha512-") for lock in builds.values())
    assert {place for lock in builds.values() for place in lock.get("os", ())} == {"darwin", "linux", "win32"}
    assert '"resolved"' not in text
