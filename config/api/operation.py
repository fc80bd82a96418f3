"""What the table of operations holds."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from surveys.domain.people.roles import Action

Schema = dict[str, Any]
Does = Callable[["Call"], HttpResponseBase]

SCOPES = {
    "read": "surveys, their figures, and runs",
    "write": "publish, end a version, close, invite",
    "run": "start, cancel and repeat runs",
    "responses": "files of single responses",
}


@dataclass(frozen=True)
class QueryParameter:
    name: str
    schema: Schema
    about: str
    required: bool = False
    many: bool = False


@dataclass(frozen=True)
class Reply:
    """What an operation answers: JSON of a schema, or content of another type; and what may be asked of it."""

    about: str
    schema: Schema | None = None
    content_type: str = "application/json"
    query: tuple[QueryParameter, ...] = ()


FILE = Reply("the file", None, "*/*")


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
    """One operation, for people who may do these `actions` with the survey that the address names.

    A token acts with the role of its person in that survey, or by what they may do with all surveys. Lists hold what
    the person may see. What an address names is looked for within what stands before it.
    """

    name: str
    method: str
    path: str
    summary: str
    about: tuple[str, ...]
    scope: str
    actions: tuple[Action, ...]
    answers: Mapping[int, Reply]
    do: Does
    query: tuple[QueryParameter, ...]
    body: Schema | None
    refusals: Mapping[int, str]
    tag: str


class Operations(list[Operation]):
    """The operations of one subject, each declared above the function that does it."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.tag = tag

    def declare(
        self,
        call: str,
        scope: str,
        actions: tuple[Action, ...],
        answers: Reply | Mapping[int, Reply],
        *,
        query: tuple[QueryParameter, ...] = (),
        body: Schema | None = None,
        refusals: Mapping[int, str] | None = None,
    ) -> Callable[[Does], Does]:
        """Declare what the function below does for `call`, a method and an address.

        The operation is called as the function is, in camel case. The first paragraph of the docstring is its summary,
        the others say more. A single reply among `answers` is that of 200.
        """
        method, path = call.split(" ")
        replies = {200: answers} if isinstance(answers, Reply) else answers
        asked = (*query, *(parameter for reply in replies.values() for parameter in reply.query))

        def add(do: Does) -> Does:
            summary, *about = (" ".join(one.split()) for one in (inspect.getdoc(do) or "").split("\n\n"))
            first, *others = do.__name__.split("_")
            name = first + "".join(map(str.capitalize, others))
            own = Operation(
                name,
                method,
                path,
                summary.removesuffix("."),
                tuple(about),
                scope,
                actions,
                replies,
                do,
                asked,
                body,
                refusals or {},
                self.tag,
            )
            self.append(own)
            return do

        return add
