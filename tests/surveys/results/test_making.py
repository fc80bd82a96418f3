"""Files of responses on their way out: nothing of them lies in the data folder once nobody makes them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from surveys.domain.exports import making, sheet
from surveys.domain.responses.snapshots import latest
from tests.servers import ROOT
from tests.surveys.results.making import survey_with_results
from tests.surveys.sealed import seal_in_parts

MAKER = """
import django
django.setup()
from surveys.domain.exports import making
with making.folder() as folder:
    (folder / "records.csv").write_text("answers")
    print("made", flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Any) -> Path:
    settings.CANDOR_DATA = tmp_path
    return tmp_path


@contextmanager
def making_elsewhere(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process of the site, in the middle of it."""
    environment = os.environ | {"CANDOR_DATA": str(data)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", MAKER], cwd=ROOT, env=environment, **pipes) as maker:  # type: ignore[call-overload]
        assert maker.stdout.readline() == b"made\n"
        yield maker


def files_in(data: Path) -> list[str]:
    return sorted(path.name for path in data.rglob("*") if path.is_file())


@pytest.mark.long
def test_what_a_killed_process_was_making_is_removed(data: Path) -> None:
    """Nobody else does so: without it answers would lie there in clear, whatever is erased."""
    with making_elsewhere(data) as maker:
        maker.send_signal(signal.SIGKILL)
        maker.wait()
        assert files_in(data) == ["records.csv"]
        making.remove_left()
    assert files_in(data) == []


def test_what_is_being_made_stays(data: Path) -> None:
    """By another process, and by this one, which makes the files of a study pack within that of the whole."""
    with making_elsewhere(data) as maker, making.folder() as whole:
        (whole / "study-pack.zip").write_text("answers")
        with making.folder() as part:
            (part / "records.json").write_text("answers")
            making.remove_left()
            assert files_in(data) == ["records.csv", "records.json", "study-pack.zip"]
        maker.communicate(b"\n")
    assert files_in(data) == []


def test_what_an_earlier_version_left_is_removed_after_a_day(data: Path) -> None:
    """It made them beside everything else; what is young may still be made."""
    for name in ("tmpabcd1234", "tmpyoung_01", "copies"):
        (data / name).mkdir()
        (data / name / "file").write_text("answers")
    for name in ("tmpabcd1234", "copies"):
        os.utime(data / name, (0, 0))
    making.remove_left()
    assert sorted(path.parent.name for path in data.rglob("file")) == ["copies", "tmpyoung_01"]


def test_where_nothing_was_made_nothing_is(data: Path) -> None:
    """A web server that starts needs no room on the disk for it."""
    making.remove_left()
    assert list(data.iterdir()) == []


def test_heaps_of_rows_have_no_name(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All parts are shuffled through files that hold responses, and that a killed process cannot leave behind."""
    seal_in_parts(monkeypatch, 500)
    snapshot = latest(survey_with_results(1500).survey)
    with closing(sheet.shuffle_responses(snapshot)) as rows:  # type: ignore[type-var]
        next(rows)
        assert files_in(data) == []
