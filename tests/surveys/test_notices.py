"""Notices to the people of a survey: each once, to owners and editors, and nothing finer than their page says."""

from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from surveys.domain.mail.notices import send, send_due_notices
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.models import Notice, Survey
from tests.surveys.making import make_survey
from tests.surveys.postbox import Postbox, open_postbox
from tests.surveys.results.making import survey_with_results


@pytest.fixture
def postbox(settings: Settings) -> Iterator[Postbox]:
    with open_postbox(settings) as postbox:
        yield postbox


def with_people(survey: Survey) -> Survey:
    for role in Role.values:
        user = User.objects.create(username=role, email=f"{role}@example.org", is_staff=True)
        give(survey, user, role)
    return survey


def test_owners_and_editors_hear_of_the_first_answers_and_of_the_end_once(postbox: Postbox) -> None:
    """Analysts and viewers do not, and no number is said."""
    survey = with_people(survey_with_results(130, closed=False).survey)
    send(survey.pk)
    send(survey.pk)
    first = [(str(message["To"]), message.get_content().strip()) for message in postbox.messages]
    close(survey)
    send(survey.pk)
    said = "The first answers are sealed. The page of the survey counts them in hundreds."
    assert sorted(first) == [("editor@example.org", said), ("owner@example.org", said)]
    assert len(postbox.messages) == 4
    assert postbox.messages[-1].get_content().strip() == "It takes no more answers: somebody has closed it."


def test_of_answers_that_were_sealed_at_the_end_only_the_end_is_said(postbox: Postbox) -> None:
    """However few they are."""
    survey = with_people(survey_with_results(130, closed=True).survey)
    send(survey.pk)
    assert {message.get_content().strip() for message in postbox.messages} == {
        "It takes no more answers: somebody has closed it."
    }


def test_the_end_is_said_with_its_reason(postbox: Postbox) -> None:
    """A date that has come is one. With a quota, nobody can tell a person who closed it early from the last answer."""
    survey = with_people(make_survey(quota=200))
    publish(survey)
    close(survey)
    send(survey.pk)
    Survey.objects.update(closes_at=timezone.now() - timedelta(days=1))
    Notice.objects.all().delete()
    send(survey.pk)
    assert [message.get_content().strip() for message in postbox.messages[::2]] == [
        "It takes no more answers: its quota is reached, or somebody has closed it.",
        "It takes no more answers: its closing date has come.",
    ]


def test_the_end_that_comes_is_said_three_days_before(postbox: Postbox) -> None:
    """Not earlier."""
    survey = with_people(make_survey())
    publish(survey)
    for days, many in ((4, 0), (2, 2)):
        Survey.objects.update(closes_at=timezone.now() + timedelta(days=days))
        send(survey.pk)
        assert len(postbox.messages) == many
    assert "It closes on" in postbox.messages[-1].get_content()


def test_a_notice_that_is_not_taken_is_sent_later(postbox: Postbox, settings: Settings) -> None:
    """It counts as sent only when it was."""
    survey = with_people(make_survey())
    publish(survey)
    close(survey)
    there, settings.MAIL = settings.MAIL, {**settings.MAIL, "port": 1}
    send(survey.pk)
    settings.MAIL = there
    assert Notice.objects.count() == 0
    send(survey.pk)
    assert len(postbox.messages) == 2


@pytest.mark.parametrize("code", [550, 450])
def test_an_address_that_is_not_taken_makes_nobody_hear_twice(postbox: Postbox, code: int) -> None:
    """Somebody has left the university: the others have their notice, and no turn of the worker sends it again."""
    survey = with_people(make_survey())
    publish(survey)
    close(survey)
    postbox.answers["editor@example.org"] = code
    for _turn in range(3):
        send(survey.pk)
    assert postbox.recipients == ["owner@example.org"]
    assert Notice.objects.count() == 1


def test_without_a_mail_server_there_are_no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor of simulated people, wherever there is one."""
    hinted: list[int] = []
    monkeypatch.setattr("surveys.domain.mail.notices.hint", lambda pk: bool(hinted.append(pk)) or True)
    survey = make_survey()
    publish(survey)
    close(survey)
    send_due_notices()
    assert hinted == []


def test_nobody_hears_of_what_was_before_the_upgrade(survey: Survey) -> None:
    """A site with old surveys does not write to everybody."""
    publish(survey)
    close(survey)
    import_module("surveys.migrations.0052_mail").note_old(apps, SimpleNamespace(connection=connection))
    assert list(Notice.objects.values_list("kind", "survey")) == [("closed", survey.pk)]
