"""No worker is called: what tests of mining want to be mined they mine themselves."""

import pytest

from tests.mining.designs import design_of
from tests.mining.surveys import finished_run, sealed_survey


@pytest.fixture(autouse=True)
def _without_worker(request: pytest.FixtureRequest) -> None:
    if "broker" not in request.fixturenames:
        request.getfixturevalue("no_worker")


@pytest.fixture
def run():
    return finished_run()


@pytest.fixture
def survey():
    return sealed_survey(200)


@pytest.fixture
def design():
    return design_of("one block")
