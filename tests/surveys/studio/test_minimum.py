"""From how many people on a survey shows something: one sentence on every page, and forecasts that keep to it."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.domain.questionnaire.draft import Draft
from surveys.domain.questionnaire.forecast import forecast_draft
from surveys.domain.questionnaire.minimum import Minimum, minimum_of_draft
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses import counts, snapshots
from surveys.models import Survey
from surveys.results.report import data_of
from tests.surveys.making import set_block, write
from tests.surveys.results.making import answer, draft
from tests.surveys.staff import somebody

pytestmark = pytest.mark.django_db

SENTENCE = (
    "Fewer than 20 people with disguised answers: nothing is ever shown, neither figures nor files. From 20 on, "
    "disguised answers are shown once the survey is closed; everything else from 100 people on."
)


@pytest.fixture
def a_class(client: Client) -> Survey:
    """A survey of a class of 60 that nobody may answer directly."""
    user: User = somebody()
    client.force_login(user)
    return draft(expected=60, direct=False, override_by="Tests", override_reason="two blocks")


def text_of(client: Client, survey: Survey, name: str) -> str:
    page = client.get(reverse(f"studio:{name}", args=[survey.pk]), follow=True).content.decode()
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def test_every_page_prints_one_sentence_of_a_class_of_sixty(client: Client, a_class: Survey) -> None:
    """Before publishing and afterwards; and none says that a report needs a hundred people."""
    before = {name: text_of(client, a_class, name) for name in ("protect", "publish", "protocol", "preregistration")}
    publish(a_class)
    after = {name: text_of(client, a_class, name) for name in ("fieldwork", "report", "protocol")}

    assert [SENTENCE in page for page in (*before.values(), *after.values())] == [True] * 7
    for page in (*before.values(), *after.values()):
        assert "needs at least 100" not in page
        assert "no share could be reported" not in page


def test_a_class_of_sixty_is_told_its_shares_and_that_undisguised_answers_are_not_shown(a_class: Survey) -> None:
    """The forecast is that of the closed survey; groups are made by undisguised answers, so there are none."""
    one = forecast_draft(Draft.load(a_class))

    assert one.most is not None
    assert 0.2 < one.most < 1
    assert (one.withheld, one.tells_groups) == (False, False)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, Minimum(20, 100)),
        ({"protection": {"epsilon": 1}}, Minimum(100, 100)),
    ],
)
def test_of_few_people_nothing_is_shown_where_counts_leave_with_noise(
    a_class: Survey, fields: dict[str, object], found: Minimum
) -> None:
    """Elsewhere their disguised answers are."""
    write(a_class, **fields)
    assert minimum_of_draft(Draft.load(a_class)) == found


def test_pages_and_files_name_the_same_number_of_people(client: Client, a_class: Survey) -> None:
    """Of a closed class of 35 the number is exact wherever it is named, since nobody may answer directly."""
    version = publish(a_class)
    answer(version, 35, direct=0)
    close(a_class)
    snapshot = snapshots.latest(a_class)

    assert data_of(version).n == 35
    assert counts.of_snapshot(snapshot) == counts.of_survey(a_class) == counts.Count(35, exact=True)
    assert "Version 1: 35 responses" in text_of(client, a_class, "files")
    assert "35 answers" in text_of(client, a_class, "fieldwork")


def test_field_counts_the_answers_that_each_question_needs(client: Client, a_class: Survey) -> None:
    """Each person is asked one of three questions: a hundred of each take 300 answers, and twenty take 60."""
    set_block(a_class, settings={"keep": 0.3, "theta": 0.6, "ask": 1})
    version = publish(a_class)
    answer(version, 142, direct=0)
    page = text_of(client, a_class, "fieldwork")

    assert "reports begin at about 300 answers to one version. At most 200 are missing." in page
    assert "60 answers disguised answers are shown once it is closed" in page
    assert "There are enough" not in page
