"""The version names the commit of this code, and never that of somebody else's."""

from pathlib import Path

import pytest

from privacy.version import find_commit
from tests.servers import committed


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "privacy").mkdir()
    (tmp_path / "privacy" / "version.py").write_text("# as it was committed")
    return tmp_path


def test_a_checkout_names_its_commit(checkout: Path) -> None:
    commit = committed(checkout)

    assert find_commit(checkout) == commit


def test_changes_after_the_commit_are_said(checkout: Path) -> None:
    commit = committed(checkout)
    (checkout / "privacy" / "version.py").write_text("# changed")

    assert find_commit(checkout) == f"{commit}.dirty"


def test_what_is_installed_within_another_checkout_does_not_take_its_commit(checkout: Path) -> None:
    committed(checkout)
    packages = checkout / "venv" / "site-packages"
    packages.mkdir(parents=True)

    assert find_commit(packages) == ""


def test_what_was_built_names_the_commit_that_its_build_wrote(checkout: Path) -> None:
    (checkout / "privacy" / "commit.txt").write_text("0123456789ab\n")

    assert find_commit(checkout) == "0123456789ab"
