"""Reference data that is not there is asked for in one sentence."""

from pathlib import Path

import pytest

from papers.reference import how_to_get, reference_file
from tests.servers import ROOT


@pytest.mark.parametrize(
    ("named", "folder", "chosen"),
    [
        (None, "shared/reference", "../shared/reference, as CANDOR_REFERENCE is not set"),
        ("own", "checkout/own", "the folder that CANDOR_REFERENCE names"),
    ],
)
def test_the_folder_that_was_looked_in_is_named_whole(
    named: str | None, folder: str, chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is looked for in the folder of CANDOR_REFERENCE, else beside the checkout; who lacks it reads where."""
    (tmp_path / "checkout").mkdir()
    monkeypatch.chdir(tmp_path / "checkout")
    monkeypatch.delenv("CANDOR_REFERENCE", raising=False)
    if named:
        monkeypatch.setenv("CANDOR_REFERENCE", named)

    assert reference_file("adult/adult.csv") == tmp_path / folder / "adult" / "adult.csv"
    assert how_to_get("adult/adult.csv") == (
        f"There is no {tmp_path / folder / 'adult' / 'adult.csv'} ({chosen}). "
        "CONTRIBUTING.md says under “Reference data” how to get it; then set CANDOR_REFERENCE to its folder."
    )


def test_the_page_that_is_named_tells_how_to_get_the_data() -> None:
    """CONTRIBUTING.md has the section that the sentence speaks of."""
    assert "\n## Reference data\n" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_nothing_else_reads_the_folder_by_itself() -> None:
    """One module knows the variable and its default, so that no other default leads outside the checkout unseen."""
    readers = [
        str(path.relative_to(ROOT))
        for folder in ("benchmarks", "candor", "config", "mining", "papers", "privacy", "surveys", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "shared/reference" in path.read_text(encoding="utf-8")
    ]
    assert sorted(readers) == ["papers/reference.py", "tests/papers/test_reference_data.py"]
