"""Erasing a survey leaves nothing of it, and nothing of others goes."""

import json
import threading
from collections import Counter
from datetime import date
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, OperationalError, connection, transaction
from django.http import Http404
from django.test import Client
from django.utils import timezone

from privacy.errors import EntryError
from surveys.domain.closed import erase as erasing
from surveys.domain.closed.erase import erase
from surveys.domain.messages.invite import add_batch, draw
from surveys.domain.messages.submission import Refused
from surveys.domain.questionnaire.publish import publish, trial
from surveys.domain.responses import seal
from surveys.domain.responses.receive import receive
from surveys.models import Inbox, Invitation, SealingKey, SealingRound, Submission, Survey, SurveyVersion
from surveys.studio.rail import state
from tests.servers import PATIENCE
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission

DAY = date(2026, 1, 1)


def begin_erasing(survey: Survey) -> None:
    Survey.objects.filter(pk=survey.pk).update(closed_at=timezone.now(), erasing_since=timezone.now())


def counts() -> dict[str, int]:
    """Rows by table. Keys are no part of a survey: each round of sealing destroys those before it."""
    models = set(apps.get_app_config("surveys").get_models()) - {SealingKey, SealingRound}
    return {model.__name__: model.objects.count() for model in models}


def test_an_erased_survey_leaves_only_the_notes_to_remove_its_traces(client: Client) -> None:
    """Sealed and waiting responses, keys, versions and drafts go together; another survey stays whole."""
    publish(make_survey("stays"))
    before = counts()
    version = publish(make_survey())
    trial(version.survey)
    for _ in range(40):
        send(client, "study", submission(version))
    seal.seal_all()
    send(client, "study", submission(version))
    erase(Survey.objects.get(slug="study"))
    # Traces of the sealing and of the erasing, and the record that it is gone.
    assert counts() == before | {"Residue": 2, "Erasure": 1}


def test_notes_of_it_and_of_its_mining_runs_go_too(client: Client) -> None:
    """They name the survey, and its batches of invitations; those of another survey and of its runs stay."""
    user = User.objects.create(username="researcher")
    stays, goes = publish(make_survey("stays")).survey, publish(make_survey()).survey
    run = apps.get_model("mining", "MiningRun")
    for survey in (stays, goes):
        LogEntry.objects.log_actions(user.pk, [survey], CHANGE, "Invitations “ward 7”: 20.", single_object=True)
        for colon in (": ", "："):
            note = {"object_id": "1", "object_repr": f"{survey}{colon}0.1", "action_flag": CHANGE, "user": user}
            LogEntry.objects.create(content_type=ContentType.objects.get_for_model(run), **note)
    kept = ["Stays", "Stays: 0.1", "Stays：0.1"]
    erase(goes)
    assert [entry.object_repr for entry in LogEntry.objects.order_by("id")] == kept


def test_links_are_not_drawn_for_a_survey_that_is_going() -> None:
    """A batch that was made before would leave invitations behind that belong to nothing."""
    survey = publish(make_survey(access=Survey.Access.INVITATION)).survey
    batch = add_batch(survey, "ward 7", 3)
    begin_erasing(survey)
    with pytest.raises(EntryError, match="closed"):
        draw(batch)
    erase(survey)
    with pytest.raises(EntryError, match="closed"):
        draw(batch)
    assert Invitation.objects.count() == 0


def test_an_erasing_that_fails_half_way_says_so_and_can_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The survey is closed by then, which is not taken back; all of it is there still, and the panel says so."""
    survey = publish(make_survey()).survey
    with monkeypatch.context() as broken:
        broken.setattr(erasing, "_delete", Mock(side_effect=OperationalError("lock timeout")))
        with pytest.raises(EntryError, match="erase it again"):
            erase(survey)
    survey.refresh_from_db()
    (version,) = SurveyVersion.objects.all()
    assert state(survey, version)[1] == "closed, and not erased yet"
    erase(survey)
    assert Survey.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_survey_is_erased_while_people_send(version: SurveyVersion) -> None:
    """The first try succeeds; what is sent meanwhile is received, or refused because the survey is closed or gone."""
    heard: Counter[object] = Counter()
    begun, erased = threading.Event(), threading.Event()

    def send_on() -> None:
        late = 0
        while late < 5:  # some more after the end
            try:
                receive("study", json.dumps(submission(version)).encode())
                heard["kept"] += 1
            except Refused as refusal:
                heard[refusal.status] += 1
            except Http404:
                heard[404] += 1
            except Exception as error:
                heard[error] += 1
            late += erased.is_set()
            begun.set()
        connection.close()

    senders = [threading.Thread(target=send_on) for _ in range(4)]
    for sender in senders:
        sender.start()
    assert begun.wait(PATIENCE)
    try:
        erase(version.survey)
    finally:
        erased.set()
        for sender in senders:
            sender.join()
    assert heard.keys() <= {"kept", 404, 409, 410}
    assert heard["kept"] > 0
    assert Survey.objects.count() == Inbox.objects.count() == Submission.objects.count() == 0


@pytest.mark.parametrize("change", [{"closed_at": None}, {"erasing_since": None}])
def test_an_erasing_that_has_begun_cannot_be_taken_back(change: dict[str, None]) -> None:
    """Only then do versions go, so a survey that could return could return with another version."""
    survey = publish(make_survey()).survey
    begin_erasing(survey)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(**change)
    with pytest.raises(DatabaseError, match="published"), transaction.atomic():
        SurveyVersion.objects.create(survey=survey, number=2, definition=b"{}", sha256="0" * 64, published_on=DAY)
