"""What Django's admin shows of surveys: a table to search, and nothing to change."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import DjangoAssertNumQueries

from surveys.domain.demo.surveys import load
from surveys.domain.questionnaire import publish
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody, visit

pytestmark = pytest.mark.django_db

TABLE = "/staff/admin/surveys/survey/"


@pytest.fixture
def administrator() -> User:
    return somebody()


def test_only_sealed_responses_are_counted(administrator: User) -> None:
    """The count comes from the newest snapshot."""
    next(load())
    listed = visit(administrator, TABLE).context_data["cl"]
    assert [listed.model_admin.count_of_responses(survey) for survey in listed.result_list] == ["10\u202f000"]


def test_the_list_costs_the_same_for_one_and_three(
    administrator: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """State, version and sealed responses come with the rows."""
    for count in (1, 2):
        for number in range(count):
            publish.publish(make_survey(f"study-{count}-{number}"))
        with django_assert_num_queries(3):
            visit(administrator, TABLE)


def test_each_survey_leads_to_the_studio_and_nothing_is_written_here(client: Client, administrator: User) -> None:
    """Who may see no survey does not see the table."""
    survey = make_survey()
    client.force_login(administrator)
    page = client.get(TABLE, {"q": "Study"}).content.decode()
    assert f'<a href="/staff/studio/{survey.pk}/">Study</a>' in page
    for address in ("add/", f"{survey.pk}/delete/"):
        assert client.post(f"{TABLE}{address}").status_code in (403, 405)
    with pytest.raises(NoReverseMatch):
        reverse("admin:surveys_question_changelist")
    client.force_login(somebody("delete"))
    assert client.get(TABLE)["Location"] == reverse("studio:home")
