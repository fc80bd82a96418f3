"""The protocol and the preregistration: what they say is what is published, and what nobody can know is a blank."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from privacy.design import Design
from privacy.plan.power import difference_power, seen_through
from surveys.domain.drafts.beginnings import beginning
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.publish import publish
from surveys.domain.questionnaire.testable import of_definition, powers
from surveys.models import DraftState, Survey
from surveys.studio.home import begin
from surveys.studio.protocol import _difference
from tests.surveys.making import add_question, make_survey
from tests.surveys.studio.conftest import Walk, on_a_phone

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client: Client) -> Survey:
    user = User.objects.create(username="ann", is_staff=True)
    client.force_login(user)
    own = make_survey()
    give(own, user, Role.VIEWER)
    return own


def read(client: Client, survey: Survey, name: str = "protocol", of: str = "") -> str:
    return client.get(f"/staff/studio/{survey.pk}/{name}/", {"of": of} if of else {}).content.decode()


def test_it_is_about_the_newest_version_and_names_it(client: Client, survey: Survey) -> None:
    """By its number, its date and its hash; an older version and the draft are asked for."""
    first = publish(survey)
    Survey.objects.update(heading={"en": "Changed"})
    survey.refresh_from_db()
    second = publish(survey)

    assert f"study / v2 / {second.sha256[:8]}" in read(client, survey)
    assert second.sha256 in read(client, survey, "preregistration")
    assert f"study / v1 / {first.sha256[:8]}" in read(client, survey, of="1")
    assert "study / draft / " in read(client, survey, of="draft")
    assert client.get(f"/staff/studio/{survey.pk}/protocol/", {"of": "3"}).status_code == 404


def test_a_lot_and_an_answer_of_known_share_are_told_and_planned(client: Client, survey: Survey) -> None:
    """As they were published, with what each will find, whatever the draft says meanwhile."""
    Survey.objects.update(lot=40, anchor="drugs", anchor_share=12.5, expected=2000)
    survey.refresh_from_db()
    version = publish(survey)
    Survey.objects.update(lot=None, anchor=None, anchor_share=None, direct=False)

    assert "Devices draw by chance who is asked to answer undisguised" in read(client, survey)
    planned = read(client, survey, "preregistration")
    first, second = powers(of_definition(version.parsed, 2000))
    assert f"with an interval that holds whoever declined. {first}</li>" in planned
    assert f"by an answer whose share is known. {second}</li>" in planned
    assert "whoever declined" not in read(client, survey, "preregistration", of="draft")


def test_it_says_what_this_questionnaire_promises(client: Client, survey: Survey) -> None:
    """The promise in words and numbers, direct answers, open questions, those that cannot be skipped, and the least."""
    add_question(survey, "age", type="number", position=9)
    publish(survey)
    page = read(client, survey)
    for said in (
        "cannot become more than 29 % sure",
        "Respondents may choose to answer undisguised",
        "Here these are: age.",
        'These sensitive questions have no “Prefer not to say”: </p><ul><li><code>drugs</code>: <span class="blank">',
        "Nothing is reported about fewer than 100 respondents.",
        "Until somebody erases the survey: no date is set.",
    ):
        assert said in page.replace("\n", " "), said
    assert page.count('class="blank') > 10


def test_a_draft_that_is_not_finished_says_why_in_place_of_a_document(client: Client, survey: Survey) -> None:
    """With the way to what is missing."""
    survey.questions.all().delete()
    answer = client.get(f"/staff/studio/{survey.pk}/protocol/")
    page = answer.content.decode()
    assert (answer.status_code, "See what is missing" in page, "Write it" in page) == (422, True, True)


def test_the_plan_lists_what_she_wants_to_tell(client: Client, survey: Survey) -> None:
    """And nothing else."""
    publish(survey)
    plans = {}
    for tell in (["shares"], ["pairs"], ["groups"]):
        protection = {"by": "hand", "sure": 50, "tell": tell}
        DraftState.objects.update_or_create(
            survey=survey, defaults={"protection": protection, "changed_at": "2026-01-01T00:00Z"}
        )
        page = read(client, survey, "preregistration")
        plans[tell[0]] = [part in page for part in ("The share of every answer", "What goes together", "Differences")]
    assert plans == {
        "shares": [True, False, False],
        "pairs": [False, True, False],
        "groups": [False, False, True],
    }


def test_the_plan_says_what_so_few_people_do_not_tell(client: Client, survey: Survey) -> None:
    """Of fewer than a report tells of no precision is promised; figures are named for the lengths that have one."""
    Survey.objects.update(expected=90)
    survey.refresh_from_db()
    publish(survey)
    planned = read(client, survey, "preregistration")

    assert "Of 90 people about 90 are asked each question, and nothing is reported about fewer than 100." in planned
    assert "Expected precision" not in planned
    assert re.search(r"at most so far: of one answer [\d.]+ points, of two [\d.]+ points", planned)


def test_the_difference_that_is_named_is_just_found() -> None:
    """Between halves of 4 000 asked both questions under one coin: at 80 %, one point less is not."""
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.5, "items": [{"id": "a", "theta": 0.5}]}]})
    points = int(_difference(design, 4000))
    channel = seen_through(design, "a")
    chances = [
        difference_power((2000, 2000), (0.3, 0.3 + change / 100), channel) for change in (points - 1, points + 1)
    ]
    assert chances[0] < 0.8 < chances[1]


def test_where_no_difference_is_likely_none_is_named() -> None:
    """Ten respondents; and places, of which power is not known."""
    design = Design.parse({"candor": 1, "blocks": [{"keep": 0.2, "items": [{"id": "a", "theta": 0.5}]}]})
    place = {"place": "square", "epsilon": 2, "items": [{"id": "home", "width": 4, "height": 3, "cell": 1}]}
    assert _difference(design, 10) == ""
    assert _difference(Design.parse({"candor": 1, "blocks": [place]}), 4000) == ""


@pytest.mark.parametrize("name", ["protocol", "preregistration"])
def test_it_asks_as_often_for_many_questions_as_for_few(client: Client, survey: Survey, name: str) -> None:
    """And however many versions there are."""

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            read(client, survey, name)
        return len(seen)

    publish(survey)
    queries()  # what a process reads once
    few = queries()
    for more in ("x", "y"):
        add_question(survey, more, position=9)
        publish(survey)
    assert queries() == few


@pytest.mark.django_db(transaction=True)
@on_a_phone
def test_the_documents_are_accessible(walk: Walk) -> None:
    who = {"en": "We", "zh-hans": "我们"}
    survey = begin(walk.user, {**beginning("academic-integrity", "Honest", "en"), "who": who})
    for name in ("protocol", "preregistration"):
        walk.look(f"/staff/studio/{survey.pk}/{name}/")
