"""No worker is called: what tests of mining want to be mined they mine themselves."""

import pytest


@pytest.fixture(autouse=True)
def _without_worker(request: pytest.FixtureRequest) -> None:
    if "broker" not in request.fixturenames:
        request.getfixturevalue("no_worker")
