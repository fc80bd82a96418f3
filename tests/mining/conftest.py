"""No worker is called: what tests of mining want to be mined they mine themselves."""

import pytest


@pytest.fixture(autouse=True)
def _no_hints(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "broker" not in request.fixturenames:
        monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
