"""What most tests of surveys begin with."""

import pytest
from django.test import Client

from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody


@pytest.fixture
def survey() -> Survey:
    return make_survey()


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey())


@pytest.fixture
def ann(client: Client) -> Client:
    """The browser of somebody who may do everything."""
    client.force_login(somebody())
    return client
