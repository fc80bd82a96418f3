"""What the tests of the API share: people with tokens, and a caller."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client

from config.api.operation import SCOPES
from config.signin import tokens


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


@pytest.fixture(autouse=True)
def _no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
