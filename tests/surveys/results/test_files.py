"""Files that leave the site: the same figures as on it, whole, shuffled, and safe to open."""

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from io import StringIO
from itertools import product
from pathlib import Path
from shutil import which
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

import candor
from candor.commands import main
from config.signin import tokens
from mining import offers  # noqa: F401  adds its findings to the study pack, which adds itself to the files
from mining.domain.result import mine_snapshot
from mining.engines.findings import json_chunks
from mining.engines.request import MiningRequest
from privacy.design import Design
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records import Records
from privacy.records.open_columns import read_columns
from privacy.records.packing import pack
from surveys.domain.exports import files, sheet
from surveys.domain.exports.columns import channel, columns_of
from surveys.domain.exports.formats import FORMATS
from surveys.domain.exports.risk import Undisguised, list_undisguised, risk_of
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.domain.responses.snapshots import cite, latest, records
from surveys.models import Export, Snapshot, Survey, SurveyVersion
from surveys.results.regression import explain
from surveys.results.report import ReportData, data_of
from surveys.results.tables import cross_table, variables
from tests.cases import every
from tests.mining.surveys import mined_run
from tests.surveys.making import add_question, make_survey, set_block, town_survey
from tests.surveys.results.making import answer, draft, survey_with_results
from tests.surveys.results.shown import site_shares
from tests.surveys.sealed import open_answers, seal_in_parts
from tests.surveys.staff import browser_of, somebody

RECORDS = [f"records.{name}" for name in FORMATS]


@pytest.fixture
def snapshot() -> Snapshot:
    """1 500 people, three in ten direct, with undisguised answers of every type."""
    return latest(survey_with_results(1500).survey)


@pytest.fixture
def of_many() -> Snapshot:
    """4 000 people, reported from 20 on: the direct group hides each of its people, and counts in every figure."""
    return latest(survey_with_results(4000, slug="many", least=20, direct_share=0.5).survey)


def files_of(survey: Survey) -> str:
    return f"/staff/studio/{survey.pk}/files/"


def write(snapshot: Snapshot, folder: Path, *names: str) -> Path:
    for name in names:
        with files.write_file(snapshot, name) as path:
            (folder / name).write_bytes(path.read_bytes())
    return folder


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_bytes().decode(), newline="")))


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def close_to(first: object, second: object) -> bool:
    """The same, numbers to 1e-12."""
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(close_to(first[key], second[key]) for key in first)
    if isinstance(first, list):
        return len(first) == len(second) and all(map(close_to, first, second))
    if isinstance(first, float) and isinstance(second, float):
        return abs(first - second) <= 1e-12 * max(1, abs(first))
    return first == second


def cells_of(cells: list[dict]) -> dict[tuple[str, ...], object]:
    """The share and standard error of each cell of a table, by the words of its answers; to be compared to 1e-12."""
    words = {"0": "No", "1": "Yes"}
    return {
        tuple(words[each] for each in cell["labels"]): pytest.approx((cell["support"], cell["se"]), rel=0, abs=1e-12)
        for cell in cells
    }


def cells_of_page(data: ReportData) -> dict[tuple[str, ...], tuple[float, float]]:
    """The same as the page of tables has them."""
    known = {each.axis.name: each for each in variables(data, "en")}
    page = cross_table(data, [known["drugs"], known["cheating"]])
    return {(line.answer, line.group[0]): (line.of_all.value, line.of_all.se) for line in page.lines}


def test_commands_on_the_disguised_rows_give_the_figures_of_several_answers(
    snapshot: Snapshot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where too few gave the same direct answers, rules, tables and regressions of the site are about these rows."""
    write(snapshot, tmp_path, "records.csv", "design.json")
    rows = [row for row in table(tmp_path / "records.csv") if row["direct"] == "0"]
    with (tmp_path / "disguised.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    paths = (str(tmp_path / "disguised.csv"), str(tmp_path / "design.json"))
    data = data_of(snapshot.version)
    known = {each.axis.name: each for each in variables(data, "en")}
    of_site = json.loads("".join(json_chunks(mine_snapshot(snapshot, MiningRequest(0.05, 0.2, least=100)))))

    mined = command(capsys, "mine", *paths, "--min-support", "0.05", "--min-confidence", "0.2")
    cells = command(capsys, "table", *paths, "--items", "drugs,cheating")["cells"]
    fitted = command(capsys, "regress", *paths, "--outcome", "drugs", "--on", "cheating")["coefficients"]

    for key in ("itemsets", "rules", "n", "direct"):
        assert close_to(mined[key], of_site[key])
    assert (of_site["n"], of_site["direct"]) == (len(rows), 0)
    assert cells_of(cells) == cells_of_page(data)
    assert [(one["estimate"], one["se"]) for one in fitted][1:] == [
        pytest.approx((one.estimate, one.se), rel=0, abs=1e-12)
        for _, one in explain(data, known["drugs"], 1, [known["cheating"]]).coefficients
    ]


def frame_of(folder: Path, name: str) -> pd.DataFrame:
    """A file as its program reads it, with the names and values of the codebook beside it."""
    import pyreadstat

    book = json.loads((folder / "codebook.json").read_text())
    columns = [column for column in book["columns"] if column["file"] == "records"]
    if name.endswith(("csv", "jsonl")):
        return pd.DataFrame(read_columns(folder / name))
    if name.endswith("parquet"):
        frame = pd.read_parquet(folder / name).astype({"direct": int})
        return frame.rename(columns={column["variable"]: column["name"] for column in columns})
    read = pyreadstat.read_sav if name.endswith("sav") else pyreadstat.read_dta
    frame, _labels = read(folder / name)
    values = {
        column["name"]: frame[column["variable"]].map({entry["code"]: entry["value"] for entry in column["values"]})
        if "values" in column
        else frame[column["variable"]]
        for column in columns
    }
    return pd.DataFrame(values)


@pytest.mark.parametrize("name", every(5, RECORDS))
def test_every_format_gives_the_figures_of_the_pages(of_many: Snapshot, tmp_path: Path, name: str) -> None:
    """Shares, what is compared, coefficients, a table and every rule, each with its error, to 1e-12.

    Undisguised columns stand beside them.
    """
    write(of_many, tmp_path, name, "codebook.json", "design.json")
    data = data_of(of_many.version)
    known = {each.axis.name: each for each in variables(data, "en")}
    page = explain(data, known["drugs"], 1, [known["cheating"]])
    shares = site_shares(of_many)

    records = candor.Records.from_frame(frame_of(tmp_path, name), candor.read_design(tmp_path / "design.json"))

    reconstructed = candor.reconstruct(records, list(shares)).patterns
    compared = candor.compare(records, list(shares)).figures
    for (_pattern, figures), first, second in zip(shares.items(), reconstructed, compared, strict=True):
        assert (first.support, first.se) == pytest.approx(figures, rel=0, abs=1e-12)
        assert (second.estimate.estimate, second.estimate.se) == pytest.approx(figures, rel=0, abs=1e-12)
    regression = candor.regress(records, "drugs", ["cheating", "direct"])
    of_page = [(one.estimate, one.se) for _, one in page.coefficients]
    assert [(one.estimate, one.se) for one in regression.coefficients[1:]] == [
        pytest.approx(pair, rel=0, abs=1e-12) for pair in of_page
    ]
    beside = candor.regress(records, "drugs", ["cheating", "faculty=law", "hours", "direct"])
    assert (regression.n, beside.n, len(beside.coefficients)) == (4000, 4000, 5)
    table = candor.table(records, ["drugs", "cheating"]).to_json()["cells"]
    assert cells_of(table) == cells_of_page(data)
    mined = candor.mine(records, 0.05, 0.2, least=20).to_json()
    of_site = json.loads("".join(json_chunks(mine_snapshot(of_many, MiningRequest(0.05, 0.2, least=20)))))
    for key in ("itemsets", "rules", "n", "direct", "warnings"):
        assert close_to(mined[key], of_site[key])


def of_direct_answers_alike() -> SurveyVersion:
    """1 000 people, 300 of them direct, of whom all but two say no."""
    version = publish(make_survey(names=("drugs",)))
    yes = np.arange(1000, dtype=np.uint8)[:, None] % 3 == 0
    yes[:300], yes[:2] = False, True
    direct = np.arange(1000) < 300
    seal.append(version, pack(disguise(version.design, yes.astype(np.uint8), direct, words_from_seed(5))), [b""] * 1000)
    close(version.survey)
    return version


@pytest.mark.parametrize(
    "run",
    [
        [sys.executable, "reproduce.py"],
        pytest.param(["Rscript", "reproduce.R"], marks=pytest.mark.skipif(not which("Rscript"), reason="no Rscript")),
    ],
    ids=["Python", "R"],
)
@pytest.mark.parametrize(
    "made",
    every(3, [survey_with_results, partial(survey_with_results, direct_share=0.02), of_direct_answers_alike]),
    ids=["with the direct group", "with one of too few", "with one that says the same"],
)
def test_the_scripts_reproduce_the_shares_of_the_report(
    tmp_path: Path, run: list[str], made: Callable[[], SurveyVersion]
) -> None:
    """From the files beside them alone."""
    snapshot = latest(made().survey)
    write(snapshot, tmp_path, "records.csv", "codebook.json", "channels.csv", "reproduce.py", "reproduce.R")
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    of_script = {name.removesuffix("=1"): (float(share), float(se)) for name, share, se, _ in lines}
    for pattern, figures in site_shares(snapshot).items():
        assert of_script[pattern] == pytest.approx(figures, rel=0, abs=1e-12)


def test_what_is_disguised_says_so_in_its_name_and_label(snapshot: Snapshot, tmp_path: Path) -> None:
    """And the file holds the design. Rows of all formats are compared in test_every_file.py."""
    import pyreadstat

    write(snapshot, tmp_path, "records.sav")
    _sav, metadata = pyreadstat.read_sav(tmp_path / "records.sav")
    variables = [column.variable for column in sheet.sheet_of(snapshot).columns]
    assert variables[:5] == ["direct", "drugs_disguised", "cheating_disguised", "theft_disguised", "age_disguised"]
    note = "".join(metadata.notes)
    assert json.loads(note[note.index('{"blocks"') :]) == json.loads(snapshot.version.design.canonical())
    assert metadata.variable_value_labels["drugs_disguised"] == {0.0: "No", 1.0: "Yes"}
    assert metadata.column_names_to_labels["drugs_disguised"] == (
        "DISGUISED, not the truth: Have you ever used illegal drugs?"
    )


def test_what_was_not_asked_is_missing_by_a_code_of_its_own(tmp_path: Path) -> None:
    """-1 in SPSS and .a in Stata: not asked; -2 and .b: not answered. Both are missing there, and empty in CSV."""
    import pyreadstat

    survey = draft(override_by="Tests", override_reason="tests")
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 2})
    version = publish(survey)
    answer(version, 300, direct=0)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    snapshot = version.snapshots.get()
    write(snapshot, tmp_path, "records.csv", "records.sav", "records.dta")
    asked = pd.read_csv(tmp_path / "records.csv", dtype=str, keep_default_na=False)["drugs_disguised"] != ""
    assert 150 < asked.sum() < 250
    for reader, name, code in (("sav", "records.sav", -1.0), ("dta", "records.dta", "a")):
        read = getattr(pyreadstat, f"read_{reader}")
        usual, _ = read(tmp_path / name)
        whole, metadata = read(tmp_path / name, user_missing=True)
        assert (usual["drugs_disguised"].notna() == asked).all()
        assert (whole.loc[~asked, "drugs_disguised"] == code).all()
        assert metadata.variable_value_labels["drugs_disguised"][code] == "not asked"


@pytest.mark.parametrize("name", every(3, RECORDS))
def test_a_file_has_the_same_bytes_whenever_it_is_made(snapshot: Snapshot, tmp_path: Path, name: str) -> None:
    """So its hash names it; neither SPSS nor Stata notes the hour."""
    first = write(snapshot, tmp_path, name).joinpath(name).read_bytes()
    assert not re.search(rb"20(1|2)\d[ -]\d\d:\d\d|\d\d:\d\d:\d\d", first.replace(b"00:00:00", b"")[:2048])
    assert write(snapshot, tmp_path, name).joinpath(name).read_bytes() == first


def test_rows_of_all_parts_are_shuffled_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three parts of 500: where a row stands says nothing of the part it came from (within 4.5 standard errors)."""
    seal_in_parts(monkeypatch, 500)
    snapshot = latest(survey_with_results(1500).survey)
    assert snapshot.parts.count() == 3
    place_of = {json.dumps(answer, sort_keys=True): place for place, answer in enumerate(open_answers(snapshot))}
    rows = [json.loads(line) for _, lines in sheet.shuffle_responses(snapshot) for line in lines]
    assert len(rows) == 1500
    assert Counter(json.dumps(row, sort_keys=True) for row in rows) == Counter(
        json.dumps(row, sort_keys=True) for row in open_answers(snapshot)
    )
    places = [place_of[json.dumps(row, sort_keys=True)] for row in rows]
    assert abs(np.corrcoef(places, range(1500))[0, 1]) < 4.5 / np.sqrt(1500)


def test_texts_leave_by_themselves_and_shuffled_by_themselves(snapshot: Snapshot, tmp_path: Path) -> None:
    """No record has a text beside it, and the order of texts is none that the records have."""
    write(snapshot, tmp_path, "records.csv", "texts.csv")
    assert "remark" not in table(tmp_path / "records.csv")[0]
    texts = table(tmp_path / "texts.csv")
    expected = [json.loads(line)["remark"] for _, lines in sheet.shuffle_responses(snapshot) for line in lines]
    assert {text["question"] for text in texts} == {"remark"}
    assert Counter(text["text"] for text in texts) == Counter(expected)
    assert np.mean([text["text"] == other for text, other in zip(texts, expected, strict=True)]) < 0.2


def test_texts_stay_beside_where_respondents_read_so(tmp_path: Path) -> None:
    """Then they are a column, and no file of their own."""
    snapshot = latest(survey_with_results(200, beside=True).survey)
    assert "texts.csv" not in [file.name for file in files.list_files(snapshot)]
    write(snapshot, tmp_path, "records.csv")
    assert "remark" in table(tmp_path / "records.csv")[0]


@pytest.mark.parametrize("text", every(3, ["=1+1", "@SUM(A1)", "+1-1", "-2+3", "\tx", "＝1", "'=1+1", "''@x"]))
def test_nothing_is_computed_when_a_file_is_opened(tmp_path: Path, text: str) -> None:
    """What a spreadsheet would compute begins with an apostrophe, and is read back as the respondent wrote it."""
    for beside in (True, False):
        survey = draft(f"s{beside}".lower(), beside=beside, least=1, override_by="Tests", override_reason="tests")
        version = publish(survey)
        seal.append(version, np.zeros((1, 1), np.uint8), [json.dumps({"remark": text}).encode()])
        Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
        name = "records.csv" if beside else "texts.csv"
        write(version.snapshots.get(), tmp_path, name)
        (row,) = table(tmp_path / name)
        column = "remark" if beside else "text"
        assert (row[column], read_columns(tmp_path / name)[column].tolist()) == (f"'{text}", [text])


def test_the_codebook_says_what_every_column_is(snapshot: Snapshot, tmp_path: Path) -> None:
    """Questions, values, channels; and the same for people."""
    write(snapshot, tmp_path, "codebook.json", "codebook.html")
    book = json.loads((tmp_path / "codebook.json").read_text())
    columns = {column["name"]: column for column in book["columns"]}
    assert (book["snapshot"], book["design"]) == (cite(snapshot), snapshot.version.design.sha256)
    assert np.array(columns["drugs"]["channel"]) == pytest.approx(np.array([[0.58, 0.28], [0.42, 0.72]]), abs=1e-9)
    assert columns["age"]["values"][0] == {"value": "18-29", "code": 1, "label": {"en": "18-29", "zh-hans": "18-29"}}
    assert columns["drugs"]["values"][1] == {"value": "1", "code": 1, "label": {"en": "Yes", "zh-hans": "是"}}
    assert [value["label"]["en"] for value in columns["direct"]["values"]] == [
        "Answered under disguise",
        "Answered directly",
    ]
    assert columns["remark"]["file"] == "texts"
    html = (tmp_path / "codebook.html").read_text()
    for part in (
        "Have you ever used illegal drugs?",
        "drugs_disguised",
        "0.580000",
        cite(snapshot),
        "Exams are fair.",
    ):
        assert part in html
    assert "<script" not in html


KINDS = {
    "coin": {"keep": 0.3, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.5}]},
    "sampled": {"keep": 0.3, "ask": 1, "items": [{"id": "a", "theta": 0.6}, {"id": "b", "theta": 0.5}]},
    "flips": {"flips": [0.6, 0.3, 0.1], "items": [{"id": "a"}, {"id": "b"}]},
    "one-sided": {"one-sided": 0.3, "items": [{"id": "a", "harmless": "0"}, {"id": "b", "harmless": "1"}]},
    "options": {"keep": 0.5, "items": [{"id": "a", "options": ["x", "y", "z"], "noise": [0.5, 0.3, 0.2]}]},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_channel_of_a_column_is_that_of_its_block(kind: str) -> None:
    """Summed, exactly, over all that can happen to the other items of the block."""
    design = Design.parse({"blocks": [KINDS[kind]]})
    block = design.blocks[0]
    size = design.fields[0].size
    here = list(range(block.items_per_person))
    others = [range(design.fields[place].size) for place in here[1:]]
    for true in range(size):
        for recorded in range(size):
            exact = sum(block.chance(here, [true, *[0] * len(others)], [recorded, *rest]) for rest in product(*others))
            assert channel(design, 0)[recorded][true] == pytest.approx(float(exact), abs=1e-12)


def test_long_and_odd_names_become_variables_once_each() -> None:
    """Stata takes 32 characters, and no program a hyphen."""
    names = ("a" * 40, "a" * 39 + "b", "b-c", "b_c")
    version = publish(make_survey(names=names, override_by="Tests", override_reason="tests"))
    variables = [column.variable for column in columns_of(version.parsed)]
    assert variables == [
        "direct",
        "a" * 22 + "_disguised",
        "a" * 20 + "_2_disguised",
        "b_c_disguised",
        "b_c_2_disguised",
    ]


def test_the_risk_counts_who_stands_alone() -> None:
    """Four people: two share undisguised answers and a direct answer, one is alone and direct, one alone and
    disguised.
    """
    survey = make_survey(names=("drugs",), least=1)
    add_question(survey, "age", type="number")
    version = publish(survey)
    rows = np.array([[0b11000000], [0b11000000], [0b10000000], [0b01000000]], np.uint8)
    seal.append(version, rows, [b'{"age":30}', b'{"age":30}', b'{"age":50}', b"{}"])
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    risk = risk_of(version.snapshots.get())
    assert (risk.respondents, risk.groups, risk.k, risk.alone, risk.few) == (4, 3, 1, 2, 4)
    assert (risk.direct, risk.disclosed, risk.at) == (3, 3, "drugs")


def test_the_page_says_of_places_outside_the_zones_who_stands_alone() -> None:
    """They are true as they stand: two people in one cell and one in another; one in the zone is not counted."""
    survey = town_survey()
    version = publish(survey)
    codes = np.array([[0], [0], [81], *[[50 * 80 + 40]] * 97], version.design.code_type)
    seal.append(version, pack(Records(version.design, codes, np.zeros(100, bool))), [b""] * 100)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    client = browser_of(somebody("change", "view"))

    page = client.get(files_of(survey)).content.decode()

    assert list_undisguised(version.snapshots.get()) == [Undisguised("home", respondents=3, alone=1, few=3)]
    assert "1 of these people are alone in their cell" in page


def test_the_risk_is_worked_out_once() -> None:
    """The next visit reads no response; once the direct group may be reported, it is another risk."""
    survey = make_survey(names=("drugs",), early=True, least=1)
    add_question(survey, "age", type="number")
    version = publish(survey)
    rows = np.array([[0b11000000], [0b10000000], [0b01000000]], np.uint8)
    snapshot = seal.append(version, rows, [b'{"age":30}', b'{"age":50}', b'{"age":30}'])
    early = risk_of(snapshot)
    Survey.objects.filter(pk=survey.pk).update(closed_at="2026-01-01T00:00Z")
    first = risk_of(snapshot)
    with CaptureQueriesContext(connection) as asked:
        assert risk_of(snapshot) == first
    assert not any('"surveys_part"."records"' in one["sql"] for one in asked)
    assert (early.respondents, early.direct, first.respondents, first.direct) == (1, 0, 3, 2)


def test_a_file_that_breaks_leaves_nothing(snapshot: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither half a file, nor a note that it left."""

    def fill_disk(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(sheet.Sheet, "rows", fill_disk)
    with pytest.raises(OSError, match="full"):
        call_command("export", "study", output=str(tmp_path), file=["records.csv"], stdout=StringIO())
    assert list(tmp_path.iterdir()) == []
    assert not Export.objects.exists()


def test_the_command_writes_everything_and_notes_it(snapshot: Snapshot, tmp_path: Path) -> None:
    """For administrators: the files of the page, and what the undisguised answers tell."""
    out = StringIO()
    call_command("export", "study", output=str(tmp_path), stdout=out)
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in files.list_files(snapshot)}
    assert f"1\u202f500 responses, snapshot {cite(snapshot)}" in out.getvalue()
    assert "of 1\u202f500 respondents are alone with theirs, k = 1." in out.getvalue()
    assert Export.objects.count() == len(FORMATS) + 2  # texts, and the study pack
    taken = Export.objects.get(file="records.csv")
    assert (taken.snapshot, taken.size) == (snapshot.sha256, (tmp_path / "records.csv").stat().st_size)
    assert taken.by.startswith("manage.py export")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "there is no survey 'nowhere'"),
        (("study", "--of-version", "7"), "'study' has no sealed responses of version 7"),
        (("study", "--file", "records.xls"), "There is not a file “records.xls” of this survey."),
        (("study", "--output", "/nowhere/at/all"), "/nowhere/at/all: is no folder."),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    """With exit status 2."""
    survey_with_results(60)
    with pytest.raises(CommandError, match=said) as refused:
        call_command("export", *arguments, stdout=StringIO())
    assert refused.value.returncode == 2


def test_there_are_no_files_of_few(tmp_path: Path) -> None:
    """Below twenty disguised ones: neither by page, API or command, nor in the study pack; codebooks stay."""
    survey = survey_with_results(3).survey
    client = browser_of(user := somebody())
    token = {"Authorization": f"Bearer {tokens.make(user, 'tests', ('responses',), 9)[1]}"}
    sentence = "Study: fewer than 20 people answered with disguise; nothing of them is reported."

    page = client.get(files_of(survey)).content.decode()
    listed = client.get("/api/surveys/study/versions/1/files", headers=token).json()["files"]
    assert sentence in page
    assert "records.csv" not in page
    assert "study-pack.zip" not in page
    assert "codebook.html" in page
    assert [file["name"] for file in listed if file["responses"]] == []
    for name in ("records.csv", "records.jsonl", "study-pack.zip"):
        posted = client.post(files_of(survey), {"file": f"1/{name}"}, follow=True)
        asked = client.get(f"/api/surveys/study/versions/1/files/{name}", headers=token)
        assert (sentence in posted.content.decode(), asked.status_code, asked.json()["detail"]) == (True, 409, sentence)
        with pytest.raises(CommandError, match="fewer than 20 people"):
            call_command("export", "study", output=str(tmp_path), file=[name], stdout=StringIO())
    assert client.get("/api/surveys/study/versions/1/responses", headers=token).status_code == 409
    assert (Export.objects.count(), list(tmp_path.iterdir())) == (0, [])


def test_direct_answers_of_few_are_in_no_file(tmp_path: Path) -> None:
    """Their texts and other undisguised answers neither; page and study pack say so, and the risk is that of the
    others.
    """
    snapshot = latest(survey_with_results(400, direct_share=0.1).survey)
    disguised = int((~records(snapshot).direct).sum())
    assert 0 < 400 - disguised < 100
    write(snapshot, tmp_path, "records.csv", "records.jsonl", "texts.csv", "study-pack.zip")

    assert {row["direct"] for row in table(tmp_path / "records.csv")} == {"0"}
    held = (tmp_path / "records.jsonl").read_text().splitlines()
    assert (len(table(tmp_path / "records.csv")), len(held), len(table(tmp_path / "texts.csv"))) == (disguised,) * 3
    with ZipFile(tmp_path / "study-pack.zip") as pack:
        assert "Too few answered directly" in pack.read("study-v1/README.txt").decode()
        assert pack.read("study-v1/records.csv") == (tmp_path / "records.csv").read_bytes()
    assert (risk_of(snapshot).respondents, risk_of(snapshot).direct) == (disguised, 0)
    client = browser_of(somebody())
    assert "Too few answered directly" in client.get(files_of(snapshot.version.survey)).content.decode()


def test_no_response_leaves_while_the_version_collects(tmp_path: Path) -> None:
    """Neither by page nor by command; codebook and design do."""
    snapshot = latest(survey_with_results(300, closed=False).survey)
    for name in ("records.csv", "records.sav", "texts.csv"):
        with pytest.raises(CommandError, match="after this version is closed"):
            call_command("export", "study", output=str(tmp_path), file=[name], stdout=StringIO())
    call_command("export", "study", output=str(tmp_path), file=["codebook.html"], stdout=StringIO())
    client = browser_of(somebody())
    page = client.post(files_of(snapshot.version.survey), {"file": "1/records.csv"}, follow=True)
    assert "after this version is closed" in page.content.decode()
    assert not Export.objects.exists()


def test_files_of_simulated_people_warn_of_nobody() -> None:
    """To practise with them puts no person at risk."""
    version = survey_with_results(150, simulated=True, direct_share=0.3)
    client = browser_of(somebody("change", "view"))
    body = client.get(files_of(version.survey)).content.decode()
    said = ["Simulated people gave these answers" in body, "People can be found in these files." in body]
    assert said == [True, False]


def test_the_page_gives_files_and_lists_who_took_them(snapshot: Snapshot) -> None:
    """What the undisguised answers tell stands before the files; afterwards the list has the file, its hash and the
    person.
    """
    client = browser_of(somebody("change", "view"))
    url = files_of(snapshot.version.survey)
    body = client.get(url).content.decode()
    assert "People can be found in these files." in body
    given = client.post(url, {"file": "1/records.csv"})
    content = b"".join(given.streaming_content)
    assert given["Content-Disposition"] == 'attachment; filename="study-v1-records.csv"'
    assert int(given["Content-Length"]) == len(content)
    taken = Export.objects.get()
    assert (taken.by, taken.file, taken.respondents) == ("may-change-view", "records.csv", 1500)
    assert taken.sha256[:12] in client.get(url).content.decode()


@pytest.mark.parametrize("posted", ["", "1/", "2/records.csv", "1/../design.json", "x/records.csv"])
def test_the_page_gives_nothing_else(snapshot: Snapshot, posted: str) -> None:
    client = browser_of(somebody())
    answer = client.post(files_of(snapshot.version.survey), {"file": posted})
    assert answer.status_code == 302


def test_queries_do_not_grow_with_rows(tmp_path: Path) -> None:
    """Rows are read a part at a time."""
    counts = []
    with files.write_file(latest(survey_with_results(150, slug="first", direct_share=0.3).survey), "records.csv"):
        pass  # what a process reads once
    for people in (150, 600):
        snapshot = latest(survey_with_results(people, slug=f"s{people}", direct_share=0.3).survey)
        with CaptureQueriesContext(connection) as asked, files.write_file(snapshot, "records.csv"):
            pass
        counts.append(len(asked))
    assert counts[0] == counts[1] < 40


@pytest.mark.long
def test_the_study_pack_is_the_whole_analysis(snapshot: Snapshot, tmp_path: Path) -> None:
    """One folder with protocol, files, figures, rules and scripts; every hash is right."""
    run = mined_run(snapshot.version.survey, min_support=0.1, min_confidence=0.3)
    write(snapshot, tmp_path, "study-pack.zip")
    archive = ZipFile(tmp_path / "study-pack.zip")
    names = {name.removeprefix("study-v1/") for name in archive.namelist()}
    assert {"README.txt", "records.csv", "records.sav", "texts.csv", "codebook.html", "design.json"} <= names
    assert {"scripts/reproduce.R", "figures/drugs-1.svg", f"rules/run-{run.pk}-rules.csv"} <= names
    sums = dict(reversed(line.split("  ")) for line in archive.read("study-v1/SHA256SUMS").decode().splitlines())
    assert sums == {name: sha256(archive.read(f"study-v1/{name}")).hexdigest() for name in names - {"SHA256SUMS"}}
    assert cite(snapshot) in archive.read("study-v1/README.txt").decode()
    archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "scripts/reproduce.py"], cwd=tmp_path / "study-v1", capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("drugs=0\t")
