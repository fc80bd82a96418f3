"""The manifests of releases: what anybody anywhere can hold a site against."""

from hashlib import sha256
from io import StringIO
from pathlib import Path

import yaml
from django.core.management import call_command
from pytest_django import Settings

from surveys.domain.page import bundle
from tests.servers import ROOT

RELEASES = ROOT / "docs" / "releases"
VERSION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"]  # the newest that was released

PUBLISHED = {"0.1.0.json": "9c8816dd5815351a6ece644ba5afab6c3ebcf36bfd9e187c8956e1a9bccb3e51"}


def sums(folder: Path) -> dict[str, str]:
    return {
        name: digest for digest, name in (line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines())
    }


def test_every_manifest_has_its_hash_beside_it() -> None:
    """`sha256sum --check SHA256SUMS` agrees, and no manifest is left out."""
    assert sums(RELEASES) == {file.name: sha256(file.read_bytes()).hexdigest() for file in RELEASES.glob("*.json")}


def test_a_published_manifest_never_changes() -> None:
    """People hold sites against the copies they have, so each release's hash is written here once and for all."""
    assert sums(RELEASES) == PUBLISHED


def test_the_newest_release_has_a_manifest_that_is_true() -> None:
    """True of the page that is shipped, unless the changelog says that something has changed since."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = changelog.split("## Unreleased")[1].split("\n## ")[0].strip()
    manifest = (RELEASES / f"{VERSION}.json").read_text(encoding="utf-8")
    assert unreleased or manifest == bundle.release(VERSION)


def test_one_command_makes_the_manifest_of_a_release(tmp_path: Path, settings: Settings) -> None:
    """It holds the hash of every file, and is listed with its own."""
    settings.BASE_DIR = tmp_path
    (tmp_path / "docs" / "releases").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "3.1.4"\n')
    said = StringIO()
    call_command("client_manifest", release=True, stdout=said)
    manifest = tmp_path / "docs" / "releases" / "3.1.4.json"
    digest = sha256(manifest.read_bytes()).hexdigest()
    assert manifest.read_text() == bundle.release("3.1.4")
    assert sums(manifest.parent) == {"3.1.4.json": digest}
    assert said.getvalue() == f"docs/releases/3.1.4.json has the hash {digest}.\n"
