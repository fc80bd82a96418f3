"""Every file of every kind of question can be taken and read back, whatever its names and in whatever writing."""

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

from mining import offers  # noqa: F401  adds the study pack to the files
from privacy.disguise import disguise
from privacy.records.packing import pack
from privacy.version import version
from surveys.domain.exports import files
from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.sheet import sheet_of
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.ask import open_lines, simulate_people
from surveys.domain.responses import seal
from surveys.domain.responses.snapshots import latest
from surveys.models import Survey
from surveys.questions.question import ColumnKind
from tests.cases import every
from tests.surveys.making import MAP, ZONES, add_block, add_question, edit_draft, make_survey, set_questions, write

WRITINGS = {
    "en": "Have you ever copied from another student in an exam, or let somebody else copy from you? " * 2,
    "zh-hans": "您是否曾经在考试中抄袭其他学生的答案，或者让别人抄袭您的答案？" * 6,
    "ar": "هل سبق لك أن نسخت من طالب آخر في الامتحان أو سمحت لغيرك بالنسخ منك؟ " * 3,
}
LENGTHS = (21, 22, 31, 32, 33, 40)  # with and without `_disguised`, about the longest names of Stata
NAMES = tuple("copied-from-another-student-in-an-exam-or-elsewhere"[:length] for length in LENGTHS)
ALIKE = tuple("x" * 38 + end for end in ("aa", "ab"))


# Rows and names alone, or what hashes are of: the codebook beside them names the code.
BARE = {"records.csv", "records.jsonl", "texts.csv", "channels.csv", "words.csv", "design.json", "questionnaire.json"}
PARTS = ("choice", "several", "ranking", "matrix")
KINDS = {
    "flip": {"gamma": 9, "radius": 1},
    "by-gamma": {"stated": 9, "names": 2},
    "one-of": {"list_gamma": 19, "cap": 2, "longest": 2},
    "one-sided": {"turned": 0.3},
}


def options_of(language: str, *values: str) -> tuple[tuple[str, Any], ...]:
    """Options whose labels begin alike."""
    return tuple((value, {language: WRITINGS[language] + value}) for value in values)


def undisguised(language: str, length: int) -> dict[str, dict[str, Any]]:
    """The fields of a question of each type that may be undisguised, whose parts have names of this length."""
    parts = {kind: options_of(language, kind[0] * length, kind[0] * (length - 1) + "x") for kind in PARTS}
    return {
        "yesno": {},
        **{kind: {"options": options} for kind, options in parts.items()},
        "matrix": {"min": "1", "max": "4", "options": parts["matrix"]},
        "scale": {"min": "1", "max": "5"},
        "number": {"min": "4", "max": "10"},
        "date": {},
        "text": {},
    }


def survey_in(language: str) -> Survey:
    """A draft with a question of every type, disguised and not, in each length of names."""
    survey = make_survey("study", NAMES[:3], override_by="Tests", override_reason="tests", languages=[language])
    text = {language: WRITINGS[language]}
    with edit_draft(survey):
        write(survey, direct=False, **dict.fromkeys(("heading", "who", "why", "consent", "closing"), text))
        for number, (kind, settings) in enumerate(KINDS.items()):
            add_block(survey, kind, kind, settings=settings)
            for name in ("a", "b"):
                add_question(
                    survey,
                    f"{name * 31}{number}",
                    block=kind,
                    settings={"harmless": "0"} if kind == "one-sided" else {},
                )
        add_block(survey, "grades", settings={"keep": 0.6})
        add_question(
            survey,
            ALIKE[0],
            type="choice",
            block="grades",
            options=options_of(language, "c" * 39 + "1", "c" * 39 + "2", "不"),
        )
        add_block(survey, "ages", "square-wave", settings={"epsilon": 2.0})
        add_question(survey, "n" * 32, type="number", block="ages", min="0", max="20")
        add_block(survey, "places", "zones", {"epsilon": 2.0})
        add_question(survey, "p" * 32, type="place", block="places", settings={"map": MAP, "zones": ZONES})
        for length in (30, 32, 33):
            for kind, fields in undisguised(language, length).items():
                add_question(survey, f"{kind}-{'q' * 40}"[:length], type=kind, page=2, required=True, **fields)
        set_questions(survey, text=text)
    return survey


def answered(survey: Survey) -> Any:
    """The snapshot of 150 people who answered it."""
    published = publish(survey)
    chance = np.random.default_rng(8)
    truth, direct = simulate_people(published.design, 150, chance)
    lines = open_lines(published.parsed.beside_records, 150, chance)
    seal.append(published, pack(disguise(published.design, truth, direct)), lines)
    close(survey)
    return latest(survey)


def cells_of(column: FileColumn, cells: Any) -> list[str]:
    """Cells of a statistical program as CSV has them: codes as values, dates and numbers as text."""
    values = {value.code: value.value for value in column.values}
    if values:
        return [values.get(cell, "") for cell in cells]
    if column.kind is ColumnKind.NUMBER:
        return ["" if pd.isna(cell) else f"{float(cell):g}" for cell in cells]
    return ["" if cell is None else str(cell)[: 10 if column.kind is ColumnKind.DAY else None] for cell in cells]


@pytest.mark.parametrize("language", every(1, WRITINGS))
def test_every_file_of_every_type_is_read_back(tmp_path: Path, language: str) -> None:
    """Each file that the page lists is written whole; all formats of records hold the same answers."""
    import pyreadstat
    from pyarrow.parquet import read_schema

    snapshot = answered(survey_in(language))
    for file in files.list_files(snapshot):
        with files.write_file(snapshot, file.name) as path:
            (tmp_path / file.name).write_bytes(path.read_bytes())

    made = {file.name for file in tmp_path.iterdir() if version().encode() in file.read_bytes()}
    assert made == {file.name for file in files.list_files(snapshot)} - BARE - {"study-pack.zip"}
    columns = sheet_of(snapshot).columns
    names = [column.variable for column in columns]
    rows = list(csv.DictReader(StringIO((tmp_path / "records.csv").read_bytes().decode(), newline="")))
    lines = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    sav, sav_labels = pyreadstat.read_sav(tmp_path / "records.sav")
    dta, dta_labels = pyreadstat.read_dta(tmp_path / "records.dta")
    parquet = pd.read_parquet(tmp_path / "records.parquet")
    assert (read_schema(tmp_path / "records.parquet").metadata or {})[b"candor.version"] == version().encode()
    assert (len(rows), len(names), len(set(names))) == (150, 48, 48)
    assert [list(each) for each in (rows[0], lines[0], sav, dta, parquet)] == [names] * 5
    for column in columns:
        cells = [row[column.variable] for row in rows]
        assert ["" if line[column.variable] is None else str(line[column.variable]) for line in lines] == cells
        assert cells_of(column, sav[column.variable]) == cells_of(column, dta[column.variable]) == cells
        kept = parquet[column.variable]
        assert cells_of(replace(column, values=()), kept.astype(int) if column.name == "direct" else kept) == cells
    for column, of_sav, of_dta in zip(columns, sav_labels.column_labels, dta_labels.column_labels, strict=True):
        whole = ("DISGUISED, not the truth: " if column.disguised else "") + column.title(language)
        assert (of_sav, of_dta) == (whole.encode()[:255].decode(errors="ignore").rstrip(), whole[:80].rstrip())
    for option in columns[names.index("x" * 22 + "_disguised")].values:
        label = option.label[language].encode()[:120].decode(errors="ignore")
        assert sav_labels.variable_value_labels["x" * 22 + "_disguised"][option.code] == label
    book = json.loads((tmp_path / "codebook.json").read_text())
    assert [each["variable"] for each in book["columns"] if each["file"] == "records"] == names
    ElementTree.parse(tmp_path / "ddi.xml")
    with ZipFile(tmp_path / "study-pack.zip") as pack_of_study:
        assert pack_of_study.testzip() is None
        packed = {Path(name).name: pack_of_study.read(name) for name in pack_of_study.namelist()}
    pictures = [content for name, content in packed.items() if name.endswith(".svg")]
    assert pictures
    assert all(f"Candor {version()}".encode() in content for content in (packed["README.txt"], *pictures))
    assert packed["records.dta"] == (tmp_path / "records.dta").read_bytes()
