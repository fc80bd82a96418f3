"""Web and paper in the report and in files: the mode beside each response, and what was entered wrongly."""

import csv
import json
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest

import candor
from mining import offers  # noqa: F401  adds the study pack to the files
from mining.domain.result import mine_snapshot
from mining.engines.request import MiningRequest
from privacy.design.rationals import ONE
from privacy.errors import InputError
from privacy.estimate.sampling import Sampling
from privacy.own_draw.typed import EntryErrors
from privacy.reconstruct.modes import interval_of_error
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.exports import files
from surveys.domain.exports.codebook import codebook
from surveys.domain.exports.columns import columns_of
from surveys.domain.responses import seal
from surveys.features.study.report import PART
from surveys.models import PaperBatch, Survey, SurveyVersion
from surveys.releases.ask import check
from surveys.releases.table import releasable_columns
from surveys.results import figures, versions, weighted
from surveys.results.answers import show_answers
from surveys.results.comparison import AskedShare, compare
from surveys.results.figures import say_uncorrected
from surveys.results.regression import explain
from surveys.results.report import data_of, topics as topics_of
from surveys.results.sections import TrustTopic
from surveys.results.tables import variables
from surveys.results.words import words_of
from tests.surveys.features.paper.sheets_of import BORN, crosswise, publish_paper

HEADING = "Do paper and web give the same shares?"


def collect(*asked: dict[str, Any], on_paper: int = 200, close: bool = True, **fields: Any) -> SurveyVersion:
    """400 by web, of whom 120 press 1, and so many on paper, half of whom do; else `asked` gets no, yes."""
    version = publish_paper(crosswise("copied"), *asked, **fields)
    pressed = np.array([1] * 120 + [0] * 280 + [1, 0] * (on_paper // 2), np.uint8)[:, None]
    modes = ["web" if at < 400 else "paper" for at in range(len(pressed))]
    said = [{"mode": mode} | {question["id"]: str(at % 2) for question in asked} for at, mode in enumerate(modes)]
    lines = [json.dumps(one).encode() for one in said]
    seal.append(version, pack(Records(version.design, pressed, np.zeros(len(pressed), bool))), lines)
    if close:
        Survey.objects.update(closed_at="2026-01-01T00:00Z")
    version.refresh_from_db()
    return version


def topic(version: SurveyVersion) -> TrustTopic:
    (match,) = (one for one in topics_of(data_of(version)) if one.heading == HEADING)
    return match


def test_the_report_compares_modes_and_joins_them_as_strata() -> None:
    """By web (.3 − 1/6)/(2/3) = .2, on paper .5, which no error moves; together (400 × .2 + 200 × .5)/600 = .3."""
    version = collect()
    PaperBatch.objects.create(version=version, counted=200, aside=0, compared=100, differing=2, file="a")
    said = topic(version)

    assert said.table is not None
    (row,) = said.table.rows
    assert (row[1], row[2], row[5].split()[0]) == ("20.0 %", "50.0 %", "30.0")
    assert said.sentences[0] == "400 answered by web, 200 on paper."
    assert said.sentences[1].startswith("Of 100 answers that were entered twice, 2 differ: about 1.0 % of entered")


def test_one_answer_that_was_entered_otherwise_is_said_in_the_singular() -> None:
    version = collect()
    PaperBatch.objects.create(version=version, counted=200, aside=0, compared=100, differing=1, file="a")

    said = topic(version)

    assert said.sentences[1].startswith("Of 100 answers that were entered twice, 1 differs: about 0.5 % of entered")


def test_modes_are_pooled_where_that_was_published() -> None:
    """.2 and .5 by inverse variance, which is λ(1 − λ)/n of λ .3 and .5: weights 1 905 and 800; it stands in files."""
    version = collect(modes="pooled")
    said = topic(version)

    assert said.table is not None
    ((_, _, _, difference, _, both),) = said.table.rows
    assert (difference.split()[0], both.split()[0]) == ("+30.0", "28.9")
    assert "as was decided before publishing" in said.sentences[-1]
    assert codebook(version.snapshots.get())["mode"] == "pooled"


def test_modes_wait_until_the_version_is_closed() -> None:
    """As all that is undisguised."""
    assert topic(collect(close=False)).sentences == (
        "The mode of each response is reported after this version is closed.",
    )


def test_a_mode_of_few_is_not_compared() -> None:
    """Its people would be a few."""
    assert topic(collect(on_paper=40)).sentences == ("Too few answered by web, or on paper, for a comparison.",)


def test_files_hold_the_mode() -> None:
    """A column with its two values, as that of two arms."""
    (column,) = (one for one in columns_of(collect().parsed) if one.name == "mode")

    assert [value.value for value in column.values] == ["web", "paper"]


def test_undisguised_answers_say_that_errors_of_entry_are_left_in_them() -> None:
    """With the largest error that sheets entered twice allow, of the share of records that were typed."""
    version = collect(BORN)
    said = say_uncorrected(SurveyVersion.objects.get(pk=version.pk))
    PaperBatch.objects.create(version=version, counted=210, aside=10, compared=400, differing=24, file="a")
    version = SurveyVersion.objects.get(pk=version.pk)
    most = interval_of_error(EntryErrors(400, 24))[1] / 3
    data = data_of(version)
    born, copied = (
        figures.of_answers(data, show_answers(data, question, "en"), {})[0].caption
        for question in version.parsed.questions
    )

    assert said == ""
    assert say_uncorrected(version).endswith(f"off by at most {math.ceil(1000 * most) / 10:g} points.")
    assert [say_uncorrected(version) in one for one in (born, copied)] == [True, False]


def test_groups_of_undisguised_answers_say_so_too() -> None:
    """Where they are compared, explain an answer, or are weighed; a figure of drawn answers alone does not."""
    version = collect(BORN)
    PaperBatch.objects.create(version=version, counted=210, aside=10, compared=400, differing=24, file="a")
    data = data_of(SurveyVersion.objects.get(pk=version.pk))
    said = say_uncorrected(data.version)
    by_name = {one.axis.name: one for one in variables(data, "en")}
    born, copied = by_name["born"], by_name["copied"]
    alike = Sampling.simple(len(data.sealed))
    captions = [
        compare(data, [AskedShare(words_of(data.version, "en"), copied, 1)], born).drawn,
        explain(data, copied, 1, [born]).said,
        weighted._figure(data, alike, born).caption,
        weighted._figure(data, alike, copied).caption,
    ]

    assert [said in one for one in captions] == [True, True, True, False]


def typed(version: SurveyVersion, differing: int) -> SurveyVersion:
    """As collected, once so many of 400 answers that were entered twice differ."""
    PaperBatch.objects.create(version=version, counted=210, aside=10, compared=400, differing=differing, file="a")
    return SurveyVersion.objects.get(pk=version.pk)


def test_versions_side_by_side_say_so_too() -> None:
    """With the largest error of all versions that asked undisguised."""
    sides = [typed(collect(BORN), 24), typed(collect(BORN, sentence="I copied."), 8)]
    born, copied = versions.figures([data_of(one) for one in sides], "en")
    said = say_uncorrected(*sides)

    assert said == say_uncorrected(sides[0]) != say_uncorrected(sides[1])
    assert [said in born.caption, said in copied.caption] == [True, False]


@pytest.mark.parametrize("asked", [(BORN,), ()])
def test_arms_side_by_side_say_so_too(asked: tuple[dict[str, Any], ...]) -> None:
    """Where one asks undisguised: of drawn answers all errors are corrected."""
    arm = collect(*asked, slug="arm")
    chances = {"here": ONE // 2, "arms": [{"slug": "arm", "version": arm.sha256, "chance": ONE // 2}]}
    sides = [typed(collect(*asked, slug="entry", study=chances), 8), typed(arm, 24)]
    (part,) = PART.parts(data_of(sides[0]))
    (figure,) = part.context()["figures"]

    assert (say_uncorrected(*sides) in figure.caption) == bool(asked)
    assert say_uncorrected(*sides) == say_uncorrected(sides[1])


def test_all_figures_reckon_with_errors_of_entry() -> None:
    """220 of 600 records say 1, and a third of them were typed: ē = ê/3, λ = (.3667 − ē)/(1 − 2ē), and π from λ."""
    version = collect()
    PaperBatch.objects.create(version=version, counted=210, aside=10, compared=400, differing=24, file="a")
    version = SurveyVersion.objects.get(pk=version.pk)
    error = (1 - (1 - 2 * 24 / 400) ** 0.5) / 2 / 3
    share = ((220 / 600 - error) / (1 - 2 * error) - 1 / 6) / (2 / 3)
    data = data_of(version)
    (report,) = candor.reconstruct(data.for_single_answers, ["copied"]).patterns
    snapshot = version.snapshots.get()
    mined = mine_snapshot(snapshot, MiningRequest(0.05, 0.5))
    (item,) = (one for one in columns_of(version.parsed, version.design) if one.name == "copied")

    assert report.support == pytest.approx(share)
    assert mined.columns.itemsets["support"].tolist() == pytest.approx([share])
    assert item.channel[1][1] == pytest.approx(5 / 6 - error * 2 / 3)
    assert candor.Design.parse(version.design.canonical()) == version.design != version.parsed.design
    assert "entry errors" in figures.describe_disguise(version, ["copied"])


@pytest.mark.parametrize(("on_paper", "is_said"), [(0, False), (2, False), (98, False), (200, True)])
def test_files_say_how_responses_came_only_where_enough_came_both_ways(
    on_paper: int, is_said: bool, tmp_path: Path
) -> None:
    """Who is one of two on paper would be found by it. That nobody came so looks alike: the column is in no file."""
    import pyreadstat

    snapshot = collect(on_paper=on_paper).snapshots.get()
    for each in files.list_files(snapshot):
        with files.write_file(snapshot, each.name) as path:
            (tmp_path / each.name).write_bytes(path.read_bytes())
    ZipFile(tmp_path / "study-pack.zip").extractall(tmp_path / "pack")
    read: dict[str, Callable[[Path], Iterable[str]]] = {
        "csv": lambda path: next(csv.reader(path.read_text().splitlines())),
        "jsonl": lambda path: json.loads(path.read_text().splitlines()[0]),
        "sav": lambda path: pyreadstat.read_sav(path)[0],
        "dta": lambda path: pyreadstat.read_dta(path)[0],
        "parquet": pd.read_parquet,
    }
    names = {path: [*read[path.suffix[1:]](path)] for path in tmp_path.rglob("records.*")}

    assert len(names) > len({path.suffix for path in names}) == len(read)
    assert {"mode" in found for found in names.values()} == {is_said}
    (column,) = (one for one in codebook(snapshot)["columns"] if one["name"] == "mode")
    assert column["file"] == ("records" if is_said else None)


@pytest.mark.parametrize(("on_paper", "is_said"), [(2, False), (200, True)])
def test_a_table_to_release_has_the_mode_only_where_files_have_it(on_paper: int, is_said: bool) -> None:
    """Neither the page that lists its columns, nor a table that somebody asks for by a spec."""
    version = collect(BORN, on_paper=on_paper)
    roles = {"mode": {"role": "insensitive"}, "born": {"role": "quasi"}, "copied": {"role": "sensitive"}}
    spec = {"candor": 1, "attributes": roles, "model": {"k": 2}}

    assert [column.name for column in releasable_columns(version, "en")] == ["born", "mode"][: 1 + is_said]
    if not is_said:
        with pytest.raises(InputError, match="mode"):
            check(version, spec)
