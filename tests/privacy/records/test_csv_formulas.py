"""No cell of a CSV file is a formula, whichever separator a program takes, and every text is read back as it was."""

import csv
import io
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, strategies as st

from privacy.design import Design
from privacy.records import Records, read_records, write_records
from privacy.records.csv_rows import csv_text, formula_safe, without_apostrophes
from privacy.records.open_columns import read_columns
from privacy.release import as_csv, read_table

OFFICE = shutil.which("soffice")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?", re.ASCII)
TEXTS = st.text("ab1=+-@＝;,\"' \t\r\n", max_size=12)
NASTY = [
    "a;=1+1", "=1+1", 'a;"=1+1', "a\t=1+1", "a\n=1+1", "a\r\n=1+1", "a;;=1+1;b", "x;+1+1", "x;-1-1", "x;@SUM(1)",
    ";'=1", 'say "a;=1+1"', "a; =1+1", "＝1+1", "'=1+1", 'a";=1+1;"b', '";=1+1;"',
]  # fmt: skip


def test_a_cell_is_written_for_what_it_is_whatever_equals_it() -> None:
    """A text that stands in many rows, and values that Python takes for equal."""
    assert csv_text([["=1", 1, True, "1"], [1.0, "=1", -0.0, "1"]]) == '"\'=1",1,True,1\n1.0,"\'=1",-0.0,1\n'


def pieces(content: str) -> list[str]:
    """All that a program could take for a cell: cut at every separator, also in quotation marks."""
    return re.split(r"[;\t\r\n]", content)


def begins_a_formula(cell: str) -> bool:
    """Whether a program that drops quotation marks and blanks before a cell would compute it."""
    bare = cell.lstrip('" ').rstrip('"')
    return bare.startswith(tuple("=+-@＝＋－＠")) and not NUMBER.fullmatch(bare)


@given(st.lists(TEXTS, min_size=1, max_size=4))
@example(NASTY)
def test_no_separator_makes_a_formula_of_a_text(texts: list[str]) -> None:
    """Semicolon, tab and line break, also where quotation marks mean nothing; and the comma that the file has."""
    content = csv_text([["name", *texts], ["row", *texts]])

    by_comma = [cell for row in csv.reader(io.StringIO(content, newline=""), strict=True) for cell in row]
    by_semicolon = [cell for row in csv.reader(io.StringIO(content, newline=""), delimiter=";") for cell in row]
    for cell in (*by_comma, *by_semicolon, *pieces(content)):
        assert not begins_a_formula(cell), (cell, content)


@given(TEXTS)
@example("'-5")
@example("'\t=1")
def test_a_text_is_read_back_as_it_was(text: str) -> None:
    """Whatever apostrophes, signs and separators it holds itself."""
    assert without_apostrophes(formula_safe(text)) == text


def test_every_text_stands_in_quotation_marks_and_no_number_does() -> None:
    """So that programs tell one from the other, and a comma or line break in a text ends no cell."""
    content = csv_text([["question", "n"], ["drugs, theft", 5], ["-5", -0.5], ["", None]])

    assert content == '"question","n"\n"drugs, theft",5\n-5,-0.5\n,\n'


@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=5))
@example(NASTY)
def test_python_and_pandas_read_the_cells_that_were_written(texts: list[str]) -> None:
    """Both give the texts with the apostrophes that keep spreadsheets from computing."""
    content = csv_text([["text"], *([text] for text in texts)])
    safe = [formula_safe(text) for text in texts]

    read = [row[0] for row in csv.reader(io.StringIO(content, newline=""), strict=True)]
    frame = pd.read_csv(
        io.BytesIO(content.encode()), dtype=str, keep_default_na=False, lineterminator=None, skip_blank_lines=False
    )

    assert read == ["text", *safe]
    assert frame["text"].tolist() == safe


def test_own_readers_read_own_files_back(tmp_path: Path) -> None:
    """Records with undisguised columns, options that look like formulas, and tables of people."""
    options = ["=1", "'=1", "a;=1", "-1"]
    design = Design.parse(
        {"direct": True, "blocks": [{"keep": 0.5, "items": [{"id": "x", "options": options, "noise": [0.25] * 4}]}]}
    )
    codes = np.arange(len(NASTY)).astype(np.uint8)[:, np.newaxis] % 4
    records = Records(design, codes, np.zeros(len(NASTY), bool), {"=note": np.array(NASTY, object)})

    write_records(records, tmp_path / "records.csv")
    (tmp_path / "table.csv").write_bytes(as_csv({"=town": NASTY, "disease": NASTY}))

    assert read_records(tmp_path / "records.csv", design).codes.tolist() == codes.tolist()
    assert read_columns(tmp_path / "records.csv")["=note"].tolist() == NASTY
    assert {name: column.tolist() for name, column in read_table(tmp_path / "table.csv").items()} == {
        "=town": NASTY, "disease": NASTY,
    }  # fmt: skip
    assert not any(map(begins_a_formula, pieces((tmp_path / "records.csv").read_text())))


@pytest.mark.skipif(
    OFFICE is None, reason="there is no soffice: apt-get install libreoffice-calc --no-install-recommends"
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_libreoffice_finds_no_formula(tmp_path: Path, separator: str) -> None:
    """Whichever separator it is set to; a file that was not written by us has one, so that we would see it."""
    (tmp_path / "ours.csv").write_text(csv_text([["n", "text"], *([7, text] for text in NASTY)]), encoding="utf-8")
    (tmp_path / "bare.csv").write_text(f"n{separator}text\n7{separator}=1+1\n", encoding="utf-8")

    assert [formulas(tmp_path / name, separator) for name in ("bare.csv", "ours.csv")] == [["of:=1+1"], []]


def formulas(path: Path, separator: str) -> list[str]:
    """The formulas that LibreOffice makes of a file."""
    assert OFFICE is not None
    subprocess.run(
        [
            OFFICE, f"-env:UserInstallation=file://{path.parent}/profile", "--headless", "--convert-to", "ods",
            f"--infilter=CSV:{ord(separator)},34,76,1,,0,false,true,false,false,false,0,true",
            "--outdir", path.parent, path,
        ],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    with zipfile.ZipFile(path.with_suffix(".ods")) as made:
        return re.findall(r'table:formula="([^"]*)"', made.read("content.xml").decode())
