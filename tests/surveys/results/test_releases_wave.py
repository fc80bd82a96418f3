"""A number is disguised in a release by a square wave: from the form through both files to `candor reconstruct`."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from candor.commands import main
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import TableRelease
from surveys.releases import channels
from surveys.releases.table import answers_of, releasable_columns, to_release
from tests.surveys.making import add_question
from tests.surveys.results.making import answer, draft, survey_with_results
from tests.surveys.results.releasing import FORM, files_of, form_of, table_of

WAVE = {"channel-hours": "square-wave", "epsilon-hours": "2", "min-hours": "0", "max-hours": "24"}
HOURS = {"role-faculty": "", "role-hours": "disguised", **WAVE}


def test_a_number_is_disguised_on_the_page_and_its_mean_reconstructed_from_the_files(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within 4.5 standard errors; the design is the one that was asked for, and the page says what it keeps."""
    version = survey_with_results(800)
    true = [float(hours) for hours in answers_of(to_release(version), ["hours"])["hours"]]
    client.force_login(User.objects.create_superuser("root"))
    table, design = files_of(version, client, FORM | HOURS, tmp_path)
    release = TableRelease.objects.get()
    page = " ".join(client.get(reverse("studio:release", args=[version.pk, release.pk])).content.decode().split())
    capsys.readouterr()
    assert main(["reconstruct", str(table), str(design), "--distribution", "hours", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["distributions"]

    low, high = found["ci"]["mean"]
    assert abs(found["mean"] - sum(true) / 800) < 4.5 * (high - low) / (2 * 1.96)
    assert json.loads(design.read_text())["blocks"] == [
        {"number": "square-wave", "epsilon": 2, "items": [{"id": "hours", "min": 0, "max": 24, "step": 1}]}
    ]
    assert {float(row["hours"]) for row in table_of(release)} <= set(range(-3, 28))
    assert "In “Hours of sleep?” a number below 0 counts as 0, and one above 24 as 24" in page
    assert "Ask for the distribution of a number: <code>--distribution hours</code>" in page
    assert "gives it at most 29 % after finding" in page


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"epsilon-hours": "0"}, {"epsilon-hours": ["0 is not above 0 and at most 20."]}),
        ({"epsilon-hours": "much"}, {"epsilon-hours": ["Enter a number."]}),
        ({"max-hours": "-1"}, {"max-hours": ["max -1 is not above min 0."]}),
        ({"max-hours": ""}, {"max-hours": ["A square wave needs the least and the greatest number."]}),
        ({"max-hours": "1e6"}, {"step-hours": ["1000001 steps are more than 65536; take a larger step."]}),
        ({"step-hours": "5"}, {"step-hours": ["from 0 to 24 are no whole steps of 5."]}),
    ],
    ids=["no disguise", "no number", "falling", "no end", "wide", "no whole steps"],
)
def test_a_wrong_wave_is_refused_at_its_field(changed: dict[str, str], refused: dict[str, list[str]]) -> None:
    assert form_of(survey_with_results(300), FORM | HOURS | changed).errors == refused


def test_a_number_that_may_be_missing_goes_through_no_wave_and_says_so_in_both_languages(client: Client) -> None:
    """By the questionnaire, whatever people answered; ranges have a place for them. The page opens where it says so."""
    survey = draft(override_by="Tests", override_reason="two blocks")
    add_question(survey, "visits", type="number", page=3, text={"en": "How often?", "zh-hans": "几次？"})
    version = publish(survey)
    answer(version, 300)
    close(survey)
    visits = {"role-hours": "", "role-visits": "disguised", "epsilon-visits": "2", "min-visits": "0", "max-visits": "9"}

    waved = form_of(version, FORM | HOURS | visits | {"channel-visits": "square-wave"})
    coin = form_of(version, FORM | HOURS | visits | {"channel-visits": "coin", "starts-visits": "2, 4"})

    said = "A square wave has no place for people who gave no number: take ranges for this question."
    assert (waved.errors, coin.errors) == ({"channel-visits": [said]}, {})
    with translation.override("zh-hans"):
        assert form_of(version, FORM | HOURS | visits | {"channel-visits": "square-wave"}).errors == {
            "channel-visits": ["方波没有位置留给未填数字的人：请为此题改用区间。"]
        }
    client.force_login(User.objects.create_superuser("root"))
    given = FORM | HOURS | visits | {"channel-visits": "square-wave"}
    page = client.post(reverse("studio:releases", args=[version.pk]), given).content.decode()
    (opened,) = re.findall(
        r"<details open>\s*<summary>How strongly it is disguised</summary>(.*?)</details>", page, re.S
    )
    assert said in opened


def test_the_page_proposes_the_ends_of_the_question_and_never_those_of_the_answers() -> None:
    """People answered from 4 to 10, and the question has no other ends; without ends nothing is proposed."""
    (hours,) = (one for one in releasable_columns(survey_with_results(300), "en") if one.name == "hours")

    for ends, column in (((4, 10), hours), ((None, None), replace(hours, ends=(None, None)))):
        fields = channels.WAVE.fields(column)
        assert (fields["min"].initial, fields["max"].initial) == ends
