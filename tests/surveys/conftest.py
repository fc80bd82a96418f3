"""What most tests of surveys begin with."""

from pathlib import Path

import pytest
from django.test import Client

from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey, SurveyVersion
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody

OF_PAGES = ("exchange", "features", "results", "studio")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test of these rooms has a database, by itself unless it says how."""
    if not item.get_closest_marker("django_db") and item.path.relative_to(Path(__file__).parent).parts[0] in OF_PAGES:
        item.add_marker(pytest.mark.django_db)


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
