"""What ends something for good asks first and names what will happen; a quota tells nobody how many wait."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.questionnaire.publish import publish
from surveys.models import Question, Survey, SurveyVersion
from tests.surveys.admin.pages import agree, entered, errors, send, somebody, step, survey_page, visit
from tests.surveys.making import make_survey
from tests.surveys.sending import send as respond
from tests.surveys.sending import submission

pytestmark = pytest.mark.django_db

RAISED_ONLY = (
    "Once a survey is published its quota can only be raised, or left empty: moved up and down it would tell how many "
    "responses are waiting."
)


@pytest.fixture
def researcher() -> User:
    return somebody("change")


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey(quota=100))


def moment(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M}"


PAST = moment(timezone.now() - timedelta(days=1))


def test_a_closing_date_in_the_past_asks_first(researcher: User, version: SurveyVersion, client: Client) -> None:
    """Nothing is saved, and the page says what would happen."""
    asked = send(researcher, survey_page(version.survey), {"closes_at": PAST, "title": "New"})

    (sentence,) = asked.context_data["endings"]
    assert "The survey closes now, for good: nobody can answer any more, it cannot be opened again" in sentence
    assert sentence in asked.render().content.decode()
    assert Survey.objects.values_list("title", "closes_at", "closed_at").get() == ("Study", None, None)
    assert client.get("/s/study/questionnaire").status_code == 200


def test_who_agrees_closes_the_survey_at_once(researcher: User, version: SurveyVersion, client: Client) -> None:
    """All that was entered is saved, and nothing opens the survey again."""
    url = survey_page(version.survey)
    agree(researcher, url, send(researcher, url, {"closes_at": PAST, "title": "New"}))

    survey = Survey.objects.get()
    assert (survey.title, survey.closed_at is not None) == ("New", True)
    assert client.get("/s/study/questionnaire").status_code == 410


def test_who_agreed_to_one_end_is_asked_about_another(researcher: User, version: SurveyVersion) -> None:
    """The button of an earlier page does not stand for what has been entered since."""
    url = survey_page(version.survey)
    asked = send(researcher, url, {"questions-0-DELETE": "on"})
    asked.context_data["kept"] = [*asked.context_data["kept"], ("closes_at", PAST)]

    again = agree(researcher, url, asked)

    assert len(again.context_data["endings"]) == 2
    assert (Survey.objects.get().closes_at, Question.objects.count()) == (None, 3)


def test_a_page_that_was_opened_before_the_date_was_moved_asks(researcher: User, version: SurveyVersion) -> None:
    """Two tabs: one moves the date on, the other still holds the old one, which passes, and saves another field."""
    now = timezone.now()
    Survey.objects.update(closes_at=now + timedelta(days=1))
    old = entered(researcher, survey_page(version.survey)) | {"closes_at": PAST, "title": "A typing error less"}
    Survey.objects.update(closes_at=now + timedelta(days=9))

    asked = visit(researcher, survey_page(version.survey), old)

    assert len(asked.context_data["endings"]) == 1
    assert Survey.objects.get().closes_at == now + timedelta(days=9)


def test_a_draft_is_not_asked_about_its_date(researcher: User) -> None:
    """Nothing ends; but it is not published over its date, which would close it at once."""
    survey = make_survey()
    assert send(researcher, survey_page(survey), {"closes_at": PAST}).status_code == 302
    with pytest.raises(EntryError, match="The closing date has passed: move it before you publish"):
        publish(Survey.objects.get())


def test_questions_are_deleted_after_a_question(researcher: User) -> None:
    """The page names them; whoever agrees loses them and nothing else."""
    survey = make_survey()
    asked = send(researcher, survey_page(survey), {"questions-1-DELETE": "on"})
    assert asked.context_data["endings"] == ["Deleted with all its texts: question “cheating”."]
    assert Question.objects.count() == 3

    agree(researcher, survey_page(survey), asked)

    assert list(Question.objects.values_list("identifier", flat=True)) == ["drugs", "theft"]


@pytest.mark.parametrize(("stored", "quota"), [(100, "99"), (100, "1"), (None, "5000")])
def test_a_published_quota_is_not_lowered(researcher: User, stored: int | None, quota: str) -> None:
    """Nor is one given to a survey that was published without: the sentence stands at the field."""
    version = publish(make_survey(quota=stored))
    response = send(researcher, survey_page(version.survey), {"quota": quota})
    assert (errors(response), Survey.objects.get().quota) == ({"quota": [RAISED_ONLY]}, stored)


@pytest.mark.parametrize(("quota", "kept"), [("100", 100), ("101", 101), ("", None)])
def test_a_published_quota_is_raised_or_removed(
    researcher: User, version: SurveyVersion, quota: str, kept: int | None
) -> None:
    """Both let more answer than was said, and nobody less."""
    assert send(researcher, survey_page(version.survey), {"quota": quota}).status_code == 302
    assert Survey.objects.get().quota == kept


def test_a_draft_that_is_published_in_another_tab_takes_no_quota(researcher: User) -> None:
    """What is stored when the page is saved counts, not what was stored when it was opened."""
    survey = make_survey()
    data = entered(researcher, survey_page(survey)) | {"quota": "10"}
    publish(survey)
    assert errors(visit(researcher, survey_page(survey), data)) == {"quota": [RAISED_ONLY]}


@pytest.mark.parametrize(("stored", "quota"), [(100, 99), (None, 5000)])
def test_the_database_refuses_too(stored: int | None, quota: int) -> None:
    """Whoever asks it."""
    publish(make_survey(quota=stored))
    with pytest.raises(IntegrityError, match="quota can only be raised after publication"), transaction.atomic():
        Survey.objects.update(quota=quota)
    assert Survey.objects.get().quota == stored


def test_ten_probes_of_the_quota_tell_nothing_of_who_waits(researcher: User, client: Client) -> None:
    """Moving the quota and watching the public page: the answers are the same whether 7 wait or 31."""
    seen = [probes(researcher, client, f"wait-{waiting}", waiting) for waiting in (7, 31)]
    assert seen[0] == seen[1]


def probes(researcher: User, client: Client, slug: str, waiting: int) -> list[Any]:
    """What ten probes show, by halving and by raising, of a survey in which so many wait."""
    version = publish(make_survey(slug, quota=64))
    for _ in range(waiting):
        assert respond(client, slug, submission(version)).status_code == 201
    shown: list[Any] = []
    for quota in (32, 16, 8, 4, 24, 28, 1, 65, 66, 128):
        answer = send(researcher, survey_page(version.survey), {"quota": str(quota)})
        said = errors(answer) if answer.status_code == 200 else answer.status_code
        state = visit(researcher, survey_page(version.survey)).context_data["state"]
        shown.append((quota, said, state, client.get(f"/s/{slug}/questionnaire").status_code))
    return shown


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_that_raise_the_quota_at_once_neither_lowers_it() -> None:
    """One after the other: the smaller number is saved before the larger one, or refused after it."""
    version = publish(make_survey(quota=100))
    user, url = somebody("change"), survey_page(version.survey)
    data = entered(user, url)

    def save(quota: int) -> int:
        try:
            return int(visit(user, url, data | {"quota": str(quota)}).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        answers = dict(zip((150, 200), pool.map(save, (150, 200)), strict=True))
    assert (answers[200], Survey.objects.get().quota) == (302, 200)
    assert answers[150] in (302, 200)


def test_publishing_says_what_can_no_longer_be_lowered(researcher: User) -> None:
    """Before the first version is published."""
    body = visit(researcher, step(make_survey(), "publish")).render().content.decode()
    assert "its quota can only be raised." in body
