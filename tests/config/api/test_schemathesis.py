"""The API does what its OpenAPI document says, tried by schemathesis."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, assume, given, settings

from config.api.document import document
from tests.config.api.conftest import person, token_of
from tests.surveys.results.making import survey_with_results


@pytest.fixture(autouse=True)
def _tokens_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many wrong tokens are tried here; that a person who sends them waits is promised in test_tokens."""
    monkeypatch.setattr("config.signin.attempts._refuse_over", lambda *_: None)


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """A request that ends would close the connection that holds the test's transaction; Django's client knows that."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(
    ("step", "examples"), [(24, 1), pytest.param(1, 40, marks=pytest.mark.long)], ids=["few", "many"]
)
def test_the_api_does_what_its_document_says(step: int, examples: int) -> None:
    """Every operation, or one in 24, with values that fit its schemas and values that do not, under all checks."""
    import schemathesis  # half a second, which every process that collects tests would take

    survey_with_results(120)
    headers = {"Authorization": f"Bearer {token_of(person('prober'))}"}
    schema = schemathesis.openapi.from_dict(document())
    schema.app = get_wsgi_application()
    for result in islice(schema.get_all_operations(), None, None, step):
        operation = result.ok()
        for mode in schemathesis.GenerationMode:
            _try(operation, mode, headers, examples)


def _try(operation: Any, mode: Any, headers: dict[str, str], examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case: Any) -> None:
        assume(all(value not in ([], {}, None) for value in (case.query or {}).values()))  # would not be sent at all
        case.call_and_validate(headers=headers)

    one()
