"""What is said of a direct group that is too small, or too much alike in what is shown: nothing, in no question."""

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from mining.domain.result import mine_snapshot
from mining.engines.request import MiningRequest
from privacy.records import Records
from privacy.records.packing import pack
from surveys.displays import Display
from surveys.domain.exports import files
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.results.answers import answers
from surveys.results.report import data_of
from tests.cases import first
from tests.surveys.making import add_block, add_question, make_survey
from tests.surveys.results.game import People, lines_of


def seal_people(survey: Survey, people: People) -> SurveyVersion:
    version = publish(survey)
    records = Records(version.design, people.codes.astype(version.design.code_type), people.direct)
    append(version, pack(records), lines_of(people))
    close(survey)
    return version


def displays(version: SurveyVersion) -> dict[str, Sequence[Display]]:
    return {question.name: question.displays for question in answers(data_of(version), "en")}


def with_open_questions(direct: int, last: dict[str, Any]) -> SurveyVersion:
    """240 disguised people who answer questions that no table has an axis for, and some direct ones who say `last`."""
    survey = make_survey("open", ("drugs",), least=20, override_by="Tests", override_reason="few people")
    for name, type_ in (("boss", "text"), ("quit", "date"), ("hours", "number")):
        add_question(survey, name, type=type_, page=2, required=True)
    usual = [{"boss": f"fine {one % 7}", "quit": f"2024-{1 + one % 6:02}-03", "hours": 5} for one in range(240)]
    people = People(
        np.arange(240 + direct)[:, np.newaxis] % 2,
        np.arange(240 + direct) >= 240,
        usual + [last for _ in range(direct)],
    )
    return seal_people(survey, people)


@pytest.mark.parametrize("direct", [1, 25])
def test_texts_and_dates_of_a_direct_group_without_a_crowd_count_nowhere(direct: int) -> None:
    """One direct person, or 25 who all wrote the same: the report has the disguised alone, as the files of one have."""
    version = with_open_questions(direct, {"boss": "She hits people", "quit": "1999-03-09", "hours": 77})
    shown = displays(version)
    assert [shown[name][0].n for name in ("boss", "quit")] == [240, 240]
    assert "She hits people" not in shown["boss"][0].texts
    if direct == 1:
        with files.write_file(version.snapshots.get(), "texts.csv") as path, path.open(newline="") as file:
            assert sorted(text for _question, text in list(csv.reader(file))[1:]) == sorted(shown["boss"][0].texts)


@pytest.mark.parametrize(("months", "are_told"), [(1, False), (2, True)])
def test_direct_dates_that_share_a_range_of_the_report_count_nowhere(months: int, are_told: bool) -> None:
    """They differ by the day, and the report shows months; the size of the smallest crowd tells who else said May."""
    survey = make_survey("dates", ("drugs",), least=20, override_by="Tests", override_reason="few people")
    add_question(survey, "hired", type="date", page=2, required=True)
    days = ["2026-05-04"] * 50 + ["2026-06-08"] * 70
    days += [f"2026-{5 + one % months:02}-{1 + one % 28:02}" for one in range(50)]
    people = People(np.arange(170)[:, np.newaxis] % 2, np.arange(170) >= 120, [{"hired": day} for day in days])
    assert displays(seal_people(survey, people))["hired"][0].n == (170 if are_told else 120)


def number_survey() -> Survey:
    """A disguised number from 0 to 1000, which may be answered directly; reports show it in 20 bins."""
    survey = make_survey("number", (), least=20, direct=True, override_by="Tests", override_reason="few people")
    block = add_block(survey, "n", kind="square-wave", settings={"epsilon": 1.0})
    add_question(survey, "beers", type="number", block=block, min="0", max="1000", settings={"step": 1})
    return survey


@pytest.mark.parametrize(("largest", "are_told"), first(1, [(900, False), (30, False), (1000, True)]))
def test_direct_numbers_that_leave_a_bin_of_the_report_empty_count_nowhere(largest: int, are_told: bool) -> None:
    """Where 20 are in each bin they count, but not in rules, where each combination of answers needs so many."""
    version = publish(number_survey())
    direct = np.arange(860) < 800
    numbers = np.where(direct, np.arange(860) * largest // 800, np.arange(860))
    codes = version.design.blocks[0].items[0].grid.firsts[0] + numbers[:, np.newaxis]
    records = Records(version.design, codes.astype(version.design.code_type), direct)
    append(version, pack(records), [b""] * 860)
    close(version.survey)
    snapshot = version.snapshots.get()
    mined = mine_snapshot(snapshot, MiningRequest(0.1, 0.5, bins="beers=500", least=20)).summary["direct"]
    assert (displays(version)["beers"][0].n, mined) == (860 if are_told else 60, 0)
