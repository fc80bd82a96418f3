"""What the table of operations holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from surveys.domain.people.roles import Action

Schema = dict[str, Any]

SCOPES = {
    "read": "surveys, their figures, and runs",
    "write": "publish, close, invite",
    "run": "start, cancel and repeat runs",
    "responses": "files of single responses",
}


@dataclass(frozen=True)
class QueryParameter:
    """A parameter of the address or of its query."""

    name: str
    schema: Schema
    about: str
    required: bool = False
    many: bool = False


@dataclass(frozen=True)
class Reply:
    """What an operation answers: JSON of a schema, or content of another type."""

    about: str
    schema: Schema | None = None
    content_type: str = "application/json"


@dataclass(frozen=True)
class Call:
    """A request, checked: who asks, what they want to do, and what was given by name."""

    request: HttpRequest
    user: User
    actions: tuple[Action, ...]
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """One thing that can be done, by whoever may do these `actions` with the survey that the address names.

    A token acts with the role of its person in that survey, or by what they may do with all surveys. Lists hold what
    the person may see. What an address names is looked for within what stands before it.
    """

    name: str
    method: str
    path: str
    summary: str
    scope: str
    actions: tuple[Action, ...]
    answers: Mapping[int, Reply]
    do: Callable[[Call], HttpResponseBase]
    query: tuple[QueryParameter, ...] = ()
    body: Schema | None = None
    refusals: Mapping[int, str] = field(default_factory=dict)
    tag: str = "surveys"
