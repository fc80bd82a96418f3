"""Erasing a survey leaves nothing of it, and nothing of others goes."""

import pytest
from django.apps import apps
from django.test import Client

from surveys.domain import seal
from surveys.domain.erase import erase
from surveys.domain.publish import publish
from surveys.domain.trial import trial
from surveys.models import Survey
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission

pytestmark = pytest.mark.django_db


def counts() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in apps.get_app_config("surveys").get_models()}


def test_an_erased_survey_leaves_only_the_notes_to_remove_its_traces(client: Client) -> None:
    """Sealed and waiting responses, keys, versions and drafts go together; another survey stays whole."""
    publish(make_survey("stays"))
    before = counts()
    version = publish(make_survey())
    trial(version.survey)
    for _ in range(20):
        send(client, "study", submission(version))
    seal.seal_all()
    send(client, "study", submission(version))
    erase(Survey.objects.get(slug="study"))
    assert counts() == before | {"Residue": 2}  # of the sealing and of the erasing
