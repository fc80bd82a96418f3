"""Each percentage says of whom it is: of people who were asked, who answered, or of the population."""

import re

import pytest
from django.utils import timezone

from config.api.document import OPERATIONS
from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.domain.exports.codebook import as_html
from surveys.domain.people.log import notes
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from surveys.results.report import data_of, part
from tests.surveys.making import set_question
from tests.surveys.results.making import answer, draft, survey_with_results
from tests.surveys.staff import somebody

ASKED = "Shares are of people who were asked."
ANSWERED = "Shares are of people who answered."
POPULATION = "Shares are of the population."
BOTH = "These are of people who were asked, others of people who answered."
BY_HOURS = "~hours~~"
ODDS = ("Odds are of people who were asked.", "Odds are of the population.")


def test_every_caption_of_a_report_says_of_whom_shares_are() -> None:
    """Answers, tables and comparisons, with weights and without; exactly once. Texts have no shares."""
    data = data_of(survey_with_results(3000))
    keys = ("answers", "table.drugs.cheating", "table.drugs.faculty", "compare.-.drugs.1.-.cheating.1.-")
    weighed = (
        f"table.drugs.cheating.{BY_HOURS}",
        f"compare.-.drugs.1.-.cheating.1.-.{BY_HOURS}",
        f"weighted.{BY_HOURS}",
    )
    said: dict[str, list[list[str]]] = {}
    for key in (*keys, *weighed):
        found = part(data, key, lambda _action: True)
        assert found is not None, key
        for figure in found.context()["figures"]:
            if not figure.texts:
                whose = [one for one in (ASKED, ANSWERED, POPULATION, BOTH) if one in figure.caption]
                said.setdefault(key, []).append(whose)

    assert {len(whose) for own in said.values() for whose in own} == {1}
    assert {whose for key in weighed for (whose,) in said[key]} == {POPULATION}
    assert {whose for key in keys[1:] for (whose,) in said[key]} == {ASKED}
    assert [whose for (whose,) in said["answers"]] == [BOTH, *[ASKED] * 4, *[ANSWERED] * (len(said["answers"]) - 5)]


def test_shares_with_the_few_who_gave_no_answer_are_of_people_who_were_asked() -> None:
    """Options, ticks, steps and ranges of questions that may be passed over; what all must answer is not so."""
    survey = draft(override_by="Tests", override_reason="two blocks")
    for name in ("faculty", "ways", "mood", "hours"):
        set_question(survey, name, required=False)
    version = publish(survey)
    answer(version, 3000)
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now())
    version.refresh_from_db()

    found = part(data_of(version), "answers", lambda _action: True)
    assert found is not None
    figures = {figure.name: figure.caption for figure in found.context()["figures"]}

    names = ("faculty-1", "ways-1", "mood-1", "hours-1", "born-1", "views-1")
    whose = [[one for one in (ASKED, ANSWERED) if one in figures[name]] for name in names]
    assert whose == [[ASKED]] * 4 + [[ANSWERED]] * 2


def test_the_caption_of_a_regression_says_of_whom_odds_are() -> None:
    """By a disguised question and by an undisguised one, and with weights; exactly once."""
    data = data_of(survey_with_results(3000))
    said = []
    for key in ("cheating", "faculty", f"cheating.{BY_HOURS}"):
        found = part(data, f"regression.drugs.1.{key}", lambda _action: True)
        assert found is not None, key
        (figure,) = found.context()["figures"]
        said.append([figure.caption.count(one) for one in (*ODDS, "Shares are")])

    assert said == [[1, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_the_codebook_says_of_whom_chances_are() -> None:
    """Each table of chances is of people with one true answer; nothing else in it is a share or a percentage."""
    version = survey_with_results(300)

    page = as_html(version.snapshots.get())

    tables = re.findall(r"<table>.*?</table>", page, re.DOTALL)
    of_chances = [table for table in tables if re.search(r"<td>[01]\.\d", table)]
    assert len(of_chances) == 4
    assert all("Chance that each value is recorded, by the true one</caption>" in table for table in of_chances)
    words = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert "%" not in words


def test_the_log_has_thresholds_and_no_percentages() -> None:
    """What was done with a survey names the thresholds of a search, which are of the people who were asked."""
    version = survey_with_results(300)
    request_run(version.survey, MiningRequest(min_support=0.05, min_confidence=0.5), somebody())

    said = [one.what for one in notes(version.survey, 100)]

    assert any("support 0.05, confidence 0.5" in one for one in said)
    assert not any("%" in one for one in said)


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("getAnswers", "Shares of a sensitive question are of the people who were asked it, others of the people who"),
        ("getShares", "Shares are of the people who were asked;"),
    ],
)
def test_the_api_says_of_whom_shares_are(name: str, whose: str) -> None:
    """In the document of the operation."""
    (operation,) = (one for one in OPERATIONS if one.name == name)

    assert whose in " ".join(operation.about)
