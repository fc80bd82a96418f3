"""What the tests of the API share: people with tokens, and a caller."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client

from config.api.operation import SCOPES, Operation
from config.signin import tokens
from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.domain.messages.invite import add_batch
from tests.surveys.making import write
from tests.surveys.results.making import survey_with_results


def person(name: str, *permissions: str, **fields: Any) -> User:
    """Staff with these permissions; without any, one with every right."""
    user = User.objects.create_user(name, is_staff=True, is_superuser=not permissions, **fields)
    names = [permission.rpartition(".")[2] for permission in permissions]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return user


def token_of(user: User, *scopes: str, days: int = 30) -> str:
    return tokens.make(user, "tests", scopes or tuple(SCOPES), days)[1]


Caller = Callable[..., HttpResponse]


def caller(token: str) -> Caller:
    """`ask(method, path, body)` with this token."""

    def ask(method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        content = b"" if body is None else json.dumps(body).encode()
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return Client().generic(
            method, f"/api{path}", content, content_type="application/json", headers={**given, **headers}
        )

    return ask


def read(response: HttpResponse) -> bytes:
    """The whole content, streamed or not."""
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.fixture
def ask(db: None) -> Caller:
    """Somebody who may do everything."""
    return caller(token_of(person("everything")))


BODIES = {
    "publishVersion": {},
    "addBatch": {"label": "another", "count": 2},
    "startRun": {"min_support": 0.1, "min_confidence": 0.5},
}


@pytest.fixture
def address() -> dict[str, str]:
    """A survey with everything that an address can name."""
    survey = survey_with_results(200, closed=False).survey
    write(survey, access="invitation")
    batch = add_batch(survey, "class", 2)
    run = request_run(survey, MiningRequest(0.2, 0.5))
    names = {"survey": "study", "number": "1", "file": "records.csv", "format": "json"}
    return names | {"batch": str(batch.pk), "run": str(run.pk)}


def status(operation: Operation, token: str, address: dict[str, str]) -> int:
    query = "?pattern=drugs" if operation.name == "getShares" else ""
    named = address | ({"file": "rules.csv"} if operation.name == "getFindings" else {})
    path = operation.path.format(**named) + query
    response = caller(token)(operation.method, path, BODIES.get(operation.name))
    read(response)
    return response.status_code


@pytest.fixture(autouse=True)
def _without_worker(no_worker: None) -> None:
    """Runs wait."""
