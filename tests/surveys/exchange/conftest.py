"""Who takes surveys in and out."""

import pytest
from django.test import Client

from tests.surveys.staff import somebody


@pytest.fixture
def ann(client: Client) -> Client:
    """The browser of somebody who may begin surveys."""
    client.force_login(somebody("add"))
    return client
