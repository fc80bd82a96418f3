"""The pictures in the documents are what `make papers` writes, on any processor."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from papers import PARTS, parts
from papers.private_mining import RETAIL
from papers.reference import ADULT, how_to_get, reference_file
from privacy.draw.chart import Axis, Line, Points, chart

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "images" / "papers"
WRITE = "import sys; from importlib import import_module; from pathlib import Path;"
WRITE += "import_module(sys.argv[1]).write(Path(sys.argv[2]))"
OF_ADULT = ("papers.local_recoding", "papers.notes_on_anonymity", "papers.mined")
DISPATCHED = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])  # type: ignore[call-overload,index]
WITHOUT = "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F"
PROCESSORS = {
    "its own": {},
    "without AVX-512": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            one for one in DISPATCHED if one != "X86_V3" and not one.startswith("AVX2")
        ),
        "OPENBLAS_NUM_THREADS": "2",
    },
    "an old one": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": " ".join(DISPATCHED),
        "OPENBLAS_NUM_THREADS": "1",
        "GLIBC_TUNABLES": WITHOUT,
    },
}
QUICK = ("papers.channels_of_ten", "an old one")


@pytest.mark.parametrize(
    ("part", "processor"),
    [
        pytest.param(part, processor, marks=[] if (part, processor) == QUICK else pytest.mark.long)
        for part in PARTS
        for processor in PROCESSORS
    ],
)
def test_the_pictures_in_the_documents_are_written_by_any_processor(part: str, processor: str, tmp_path: Path) -> None:
    """Byte by byte, whichever instructions exp, log and sums are made of, and by how many threads."""
    data = ADULT if part in OF_ADULT else RETAIL if part == "papers.private_mining" else None
    if data and not reference_file(data).exists():
        pytest.skip(how_to_get(data))
    environment = {**os.environ, **PROCESSORS[processor]}

    subprocess.run([sys.executable, "-c", WRITE, part, tmp_path], cwd=ROOT, env=environment, check=True)

    files = [file for one in parts() if one.__name__ == part for file, _ in one.ABOUT.pictures]
    assert {file: (tmp_path / file).read_text() for file in files} == {
        file: (PICTURES / file).read_text() for file in files
    }


def test_no_picture_in_the_documents_is_left_over() -> None:
    """Those of the parts, and no other."""
    assert {path.name for path in PICTURES.iterdir()} == {file for part in parts() for file, _ in part.ABOUT.pictures}


def test_the_last_bit_of_a_figure_changes_nothing_in_a_drawing() -> None:
    """Neither its identifier, nor where something stands that is exactly half way between two places, nor a colour."""
    x, y = np.linspace(0.25, 1, 33), np.linspace(0.5, 2, 33) ** 2

    def drawn(towards: float) -> str:
        own = [[float(value) for value in np.nextafter(values, towards)] for values in (x, y)]
        points = Points("b", *own, low=own[1], high=own[1], values=own[1], values_label="v", notes=["n"] * 33)
        return chart("A title", [Line("a", *own, own[1], own[1], markers=True), points], Axis("x"), Axis("y", high=4.5))

    low, high = drawn(-np.inf), drawn(np.inf)

    assert re.findall(r'<title id="(\w+)"', low) == re.findall(r'<title id="(\w+)"', high)
    assert low == high
