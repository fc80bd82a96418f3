"""The R package in `r/` reads a study pack and computes what the site and the library do."""

import json
import math
import os
import re
import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from shutil import which
from zipfile import ZipFile

import numpy as np
import pytest
from django.core.management import call_command
from django.utils import timezone

import candor
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.domain.responses.snapshots import latest
from surveys.models import Snapshot, Survey
from tests.cases import first
from tests.docs.pages import text_of
from tests.mining.surveys import mined_run
from tests.servers import ROOT
from tests.surveys.making import make_survey, set_block
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.shown import site_shares

pytestmark = pytest.mark.skipif(not which("Rscript"), reason="no Rscript")
PACKAGE = ROOT / "r"
PAGE = ROOT / "docs" / "results.md"


def of_every_question() -> Snapshot:
    return latest(survey_with_results(4000, slug="many", least=20, direct_share=0.5).survey)


def of_a_sampled_block() -> Snapshot:
    """Ten questions in one block, of which each respondent gets four; those with an odd number go together."""
    survey = make_survey("sampled", tuple(f"q{number}" for number in range(10)), least=20)
    set_block(survey, settings={"keep": 0.4, "theta": 0.5, "ask": 4})
    version = publish(survey)
    chance = np.random.default_rng(11)
    likely = np.where(np.arange(10) % 2, 0.1 + 0.8 * (chance.random((4000, 1)) < 0.5), 0.3)
    truth = (chance.random((4000, 10)) < likely).astype(np.uint8)
    records = disguise(version.design, truth, chance.random(4000) < 0.3, words_from_seed(11))
    append(version, pack(records), [b"{}"] * 4000)
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    return latest(survey)


def study_pack(snapshot: Snapshot, folder: Path) -> Path:
    """The folder with the pack of a survey and of a mining run, and R's session in it."""
    run = mined_run(snapshot.version.survey, min_support=0.05, min_confidence=0.2, least=20)
    call_command("export", run.survey.slug, output=str(folder), file=["study-pack.zip"], stdout=StringIO())
    return folder


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed."""
    folder = tmp_path_factory.mktemp("library")
    subprocess.run(["R", "CMD", "INSTALL", f"--library={folder}", PACKAGE], capture_output=True, check=True)
    return folder


def session(code: str, folder: Path, library: Path) -> str:
    """What R writes at its prompt, with the commands; the number of a run depends on those before it."""
    done = subprocess.run(
        ["R", "--vanilla", "--quiet"],
        cwd=folder, env=os.environ | {"R_LIBS": str(library)}, input=code, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return re.sub(r"\brun-\d+", "run-1", done.stdout)


def lines_of(call: str, folder: Path, library: Path, pack: str = "study-pack.zip") -> dict[str, tuple[float, ...]]:
    """A data frame's first column with its numbers, to 15 digits."""
    code = f"""library(candorpack)
pack <- read_pack("{pack}")
invisible(utils::write.table({call}, "frame.txt", sep = "\\t", quote = FALSE, row.names = FALSE, col.names = FALSE))
"""
    session(code, folder, library)
    rows = (line.split("\t") for line in text_of(folder / "frame.txt").splitlines())
    return {name: tuple(map(float, values)) for name, *values in rows}


@pytest.mark.parametrize("made", first(1, [of_every_question, of_a_sampled_block]))
def test_r_agrees_with_the_findings_and_the_shares_of_the_site(
    made: Callable[[], Snapshot], tmp_path: Path, library: Path
) -> None:
    """Every share and rule of a mining run, and the share of every answer with its error."""
    snapshot = made()
    folder = study_pack(snapshot, tmp_path)

    said = session('writeLines(candorpack::check_pack(candorpack::read_pack("study-pack.zip")))', folder, library)

    for name, what in (("itemsets", "shares"), ("rules", "rules")):
        with ZipFile(folder / "study-pack.zip") as archive:
            (path,) = (each for each in archive.namelist() if each.endswith(f"{name}.csv"))
            found = len(archive.read(path).splitlines()) - 1
        assert found > 20
        assert f"run-1-{name}.csv: {found} {what} agree, the largest" in said
    assert "left out" not in said
    assert ("need the command candor" in said) == (made is of_a_sampled_block)
    ours = {name.removesuffix("=1"): values[1:] for name, values in lines_of("shares(pack)", folder, library).items()}
    assert ours == {name: pytest.approx(values, rel=0, abs=1e-8) for name, values in site_shares(snapshot).items()}


YES_NO = [{"id": name, "theta": 0.4} for name in "abhijkl"]
AGE = {"id": "age", "options": ["18", "30", "50"], "noise": [0.5, 0.25, 0.25]}
SAMPLED = {
    "blocks": [
        {"keep": 0.6, "ask": 2, "items": [*YES_NO[:2], AGE]},
        {"flips": [0.6, 0.3, 0.1, 0], "ask": 3, "items": [{"id": name} for name in "cdefg"]},
        {"keep": 0.5, "items": YES_NO[2:4]},
        {"keep": 0.5, "coin": "each", "ask": 2, "items": YES_NO[4:]},
        {"by-gamma": 9, "ask": 1, "items": [{"id": "m"}, {"id": "o", "options": ["x", "y", "z"]}]},
        {"by-gamma": 9, "ask": 2, "items": [{"id": "p"}, {"id": "q"}, {"id": "s", "options": ["x", "y", "z"]}]},
    ],
    "direct": True,
}
PATTERNS = ["a,b", "a,!age=30", "a,h", "c,d", "c,!d,e", "a,age=50,c,g,!h,i", "h,i", "j,!k", "a,j,k", "a,m", "h,o=y"]
PATTERNS += ["p", "!p", "s=x", "p,q", "p,!s=x", "a,q,s=z"]


def test_r_takes_the_available_cases_of_the_library(tmp_path: Path, library: Path) -> None:
    """Of a coin, of flips, of several options, and beside a block that asks everything; with a direct group."""
    design = candor.Design.parse(SAMPLED)
    chance = np.random.default_rng(3)
    truth = chance.integers(0, [len(item.options) for item in design.items], (3000, 18)).astype(np.uint8)
    records = disguise(design, truth, chance.random(3000) < 0.2, words_from_seed(3))
    records.write(tmp_path / "records.csv")
    (tmp_path / "design.json").write_text(json.dumps(design.document))
    (tmp_path / "channels.csv").write_text("item,recorded,true,probability,least\n")

    ours = lines_of(f"shares(pack, c({json.dumps(PATTERNS)[1:-1]}))[1:3]", tmp_path, library, ".")

    theirs = candor.reconstruct(records, PATTERNS, estimator="stratified")
    assert ours == {one.pattern: pytest.approx((one.n, one.support), rel=0, abs=1e-8) for one in theirs.patterns}


def test_r_reads_a_pack_whose_columns_have_the_names_of_the_items(tmp_path: Path, library: Path) -> None:
    """As packs of earlier versions do: the shares are the same."""
    study_pack(of_every_question(), tmp_path)
    with ZipFile(tmp_path / "study-pack.zip") as archive:
        archive.extractall(tmp_path)
    (records,) = tmp_path.glob("*/records.csv")
    now = lines_of("shares(pack)", tmp_path, library, records.parent.name)

    head, *rows = text_of(records).splitlines(keepends=True)
    records.write_text("".join([head.replace("_disguised", ""), *rows]))

    assert head.startswith('"direct","drugs_disguised","cheating_disguised","theft_disguised","age_disguised",')
    assert lines_of("shares(pack)", tmp_path, library, records.parent.name) == now


def test_r_regresses_as_the_library(tmp_path: Path, library: Path) -> None:
    """Two disguised answers, an undisguised answer, an undisguised number and the group."""
    folder = study_pack(of_every_question(), tmp_path)
    on = ("cheating", "faculty=law", "hours", "direct")
    with ZipFile(folder / "study-pack.zip") as archive:
        archive.extractall(folder)
    (records,) = folder.glob("*/records.csv")

    ours = lines_of(f'regress(pack, "drugs", c{on})', folder, library)

    design = candor.Design.parse(json.loads(text_of(records.with_name("design.json"))))
    theirs = candor.regress(candor.read_records(records, design, open_columns=True), "drugs", on)
    assert ours == {
        one.name: pytest.approx((one.estimate, one.se, math.exp(one.estimate)), rel=0, abs=1e-8)
        for one in theirs.coefficients
    }


def test_the_guide_shows_what_r_prints(tmp_path: Path, library: Path) -> None:
    """Line by line, but for how large the rounding is."""
    folder = study_pack(of_every_question(), tmp_path)
    shown = "".join(re.findall(r"^```r\n(.*?)^```$", text_of(PAGE), re.MULTILINE | re.DOTALL))
    code = "".join(f"{line[2:]}\n" for line in shown.splitlines() if line.startswith(("> ", "+ ")))

    printed = session(code, folder, library)

    rounding = re.compile(r"\d(\.\d)?e-1\d")
    assert rounding.sub("…", printed.removesuffix("> \n")) == rounding.sub("…", shown)


def test_the_package_says_when_it_cannot_compute_a_finding(tmp_path: Path, library: Path) -> None:
    """The others are compared all the same, and one that differs is named."""
    (tmp_path / "rules").mkdir()
    half = '"options":["0","1"],"noise":[2147483648,2147483648]'
    blocks = f'{{"keep":2147483648,"items":[{{"id":"a",{half}}}]}},{{"theta":1,"items":[{{"id":"b",{half}}}]}}'
    (tmp_path / "design.json").write_text(f'{{"blocks":[{blocks}],"candor":1,"of":4294967296}}')
    (tmp_path / "channels.csv").write_text("item,recorded,true,probability,least\na,0,0,1,1\n")
    (tmp_path / "records.csv").write_text("direct,a,b\n" + "0,1,0\n" * 40 + "0,0,1\n" * 60)
    (tmp_path / "rules" / "run-1-itemsets.csv").write_text(
        "itemset,support,se,n\na,0.3,,100\nb,0.2,,100\n!a,0.6,,100\n"
    )
    (tmp_path / "rules" / "run-1-rules.csv").write_text("antecedent,consequent\n")

    said = session('writeLines(candorpack::check_pack(candorpack::read_pack(".")))', tmp_path, library)

    assert "run-1-itemsets.csv: 2 shares do not agree, the largest difference is 0.1." in said
    assert "run-1-itemsets.csv: 1 shares were left out: Words of a list" in said


@pytest.mark.long
def test_r_finds_nothing_to_say_against_the_package(tmp_path: Path) -> None:
    """Its own check: the help fits the functions, its example and tests run."""
    subprocess.run(["R", "CMD", "build", PACKAGE], cwd=tmp_path, capture_output=True, check=True)
    (built,) = tmp_path.glob("*.tar.gz")

    checked = subprocess.run(
        ["R", "CMD", "check", "--no-manual", built],
        cwd=tmp_path, env=os.environ | {"R_REPOSITORIES": "NULL"}, capture_output=True, text=True,
    )  # fmt: skip

    assert "Status: OK" in checked.stdout, checked.stdout
