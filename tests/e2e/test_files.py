"""From closing a survey to its figures in other programs: close, read, take every file, and get the same figures."""

import json
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from candor.commands import main
from surveys.domain.exports.formats import FORMATS
from surveys.domain.responses.seal import seal_closed
from surveys.domain.responses.snapshots import latest
from tests.e2e.walking import sign_in
from tests.surveys.results.making import survey_with_results
from tests.surveys.results.shown import site_shares

pytestmark = pytest.mark.django_db(transaction=True)


def as_csv(path: Path) -> Path:
    """The records of any format as the commands read them: names without _disguised, values in place of codes."""
    if path.suffix in (".csv", ".jsonl"):
        return path
    import pyreadstat

    readers = {".sav": lambda: pyreadstat.read_sav(path, apply_value_formats=False)[0],
               ".dta": lambda: pyreadstat.read_dta(path)[0], ".parquet": lambda: pd.read_parquet(path)}  # fmt: skip
    table = readers[path.suffix]()
    book = json.loads((path.parent / "codebook.json").read_text())
    for column in book["columns"]:
        name = column["variable"]
        if name in table and "values" in column and path.suffix != ".parquet":
            table[name] = table[name].map({float(value["code"]): value["value"] for value in column["values"]})
    table["direct"] = table["direct"].astype(int)
    table = table.rename(columns={column["variable"]: column["name"] for column in book["columns"]})
    made = path.with_name(f"from-{path.suffix[1:]}.csv")
    table.to_csv(made, index=False)
    return made


@pytest.mark.long
def test_a_closed_survey_leaves_with_its_figures(
    live: LiveServer, page: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Close, read, take every file of responses in the browser; each gives the shares of the site to 1e-12."""
    version = survey_with_results(3_000, closed=False)  # so many that each direct answer counts on the site, too
    survey = version.survey
    sign_in(page, live)
    page.goto(live.url + f"/staff/studio/{survey.pk}/files/")
    expect(page.get_by_text("after this version is closed and its last response is sealed")).to_be_visible()
    expect(page.get_by_role("button", name="records.csv")).to_have_count(0)

    page.goto(live.url + f"/staff/studio/{survey.pk}/fieldwork/")
    page.get_by_role("button", name="Close the survey").click()
    page.get_by_role("button", name="Close it for good").click()
    seal_closed()
    page.get_by_role("link", name="Read the report").click()
    expect(page.get_by_text("Have you ever used illegal drugs?").first).to_be_visible()
    page.goto(live.url + f"/staff/studio/{survey.pk}/files/")
    expect(page.get_by_text("People can be found in these files.")).to_be_visible()
    page.get_by_text("more files").click()
    for name in (
        "codebook.json",
        "design.json",
        *(f"records.{each}" for each in FORMATS),
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.suggested_filename == f"study-v1-{name}"
        download.value.save_as(tmp_path / name)

    shares = site_shares(latest(survey))
    for name in FORMATS:
        path = as_csv(tmp_path / f"records.{name}")
        asked = [part for pattern in shares for part in ("--pattern", pattern)]
        capsys.readouterr()
        assert main(["reconstruct", str(path), str(tmp_path / "design.json"), *asked, "--json"]) == 0
        for entry in json.loads(capsys.readouterr().out)["patterns"]:
            assert (entry["support"], entry["se"]) == pytest.approx(shares[entry["pattern"]], rel=0, abs=1e-12)
    page.reload()
    page.get_by_text("Who took files").click()
    assert page.get_by_role("row").filter(has_text="records.sav").filter(has_text="ada").count() == 1
