"""Addresses of the API. A request: who asks, what is asked, whether it may be done; and every refusal as a problem."""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, re_path
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from config.api.address import PATH
from config.api.checking import body_of, check, query_of
from config.api.document import OPERATIONS, PREFIX, document
from config.api.operation import SCOPES, Call, Operation
from config.api.problems import Problem, response_of
from config.models import ApiToken
from config.signin import attempts, tokens
from privacy.errors import InputError

View = Callable[..., HttpResponseBase]


def answering(methods: Mapping[str, Operation]) -> View:
    """The view of one address, by HTTP method. It reads no cookie: no other site's page can ask in a person's name."""

    @csrf_exempt
    def answer(request: HttpRequest, **values: str) -> HttpResponseBase:
        response: HttpResponseBase
        try:
            operation = methods.get("GET" if request.method == "HEAD" else request.method or "")
            if operation is None:
                raise Problem(405, f"This address answers only {', '.join(sorted(methods))}.")
            with translation.override("en"):
                response = _perform(request, operation, values)
        except Problem as problem:
            response = response_of(problem)
        except InputError as error:  # a rule of the domain that the state of things breaks
            response = response_of(Problem(409, str(error)))
        except Http404:
            response = response_of(Problem(404, "There is nothing at this address."))
        if response.status_code == 401:
            response["WWW-Authenticate"] = 'Bearer realm="Candor"'
        if response.status_code == 405:
            response["Allow"] = ", ".join(sorted(methods))
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return answer


def _perform(request: HttpRequest, operation: Operation, values: Mapping[str, str]) -> HttpResponseBase:
    user = _holder(request, operation)
    call = Call(
        request, user, operation.actions, _path(values), query_of(request, operation), body_of(request, operation)
    )
    return _with_etag(request, operation.do(call))


def _holder(request: HttpRequest, operation: Operation) -> User:
    """The person whose token came with the request, if it is good for this operation."""
    kind, _space, text = request.headers.get("Authorization", "").partition(" ")
    token = _token(request, text.strip()) if kind.lower() == "bearer" else None
    if token is None:
        raise Problem(401, "Send a valid token: Authorization: Bearer candor_….")
    if operation.scope not in token.scopes:
        raise Problem(403, f"This token lacks the scope {operation.scope!r}: {SCOPES[operation.scope]}.")
    request.user = token.user
    return token.user


def _token(request: HttpRequest, text: str) -> ApiToken | None:
    """The token with this text. Wrong ones count like wrong passwords: after too many the sender must wait."""
    try:
        with attempts.count_if_wrong(request, text):
            return tokens.holder(text)
    except attempts.TooManyAttemptsError as refused:
        sentence = f"Too many wrong tokens came from this address: wait {refused.seconds} seconds."
        raise Problem(429, sentence, seconds=refused.seconds) from None
    except ValidationError:
        return None


def _path(texts: Mapping[str, str]) -> dict[str, Any]:
    """The values in the address by name; a Problem (404) for a value that nothing can be called."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        is_number = PATH[name]["type"] == "integer" and re.fullmatch(r"[0-9]{1,15}", text)
        values[name] = int(text) if is_number else text
        try:
            check(values[name], PATH[name], name)
        except Problem:
            raise Problem(404, "There is nothing at this address.") from None
    return values


def _with_etag(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The answer to a GET with its ETag, or 304 if the caller already has this content."""
    if request.method not in ("GET", "HEAD") or not isinstance(response, HttpResponse) or response.status_code != 200:
        return response
    tag = f'"{sha256(response.content).hexdigest()}"'
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponse(status=304)
        del response["Content-Type"]
    response["ETag"] = tag
    return response


@csrf_exempt
@require_safe
def openapi(request: HttpRequest) -> HttpResponseBase:
    return _with_etag(request, JsonResponse(document(), json_dumps_params={"indent": 1}))


@require_safe
def readable(request: HttpRequest) -> HttpResponse:
    """Show the API's operations as a page."""
    described = document()["paths"]
    rows = [(operation, described[operation.path][operation.method.lower()]) for operation in OPERATIONS]
    context = {"title": _("API"), "rows": rows, "scopes": SCOPES, "prefix": PREFIX}
    return TemplateResponse(request, "api.html", context)


@csrf_exempt
def nothing(_request: HttpRequest) -> HttpResponse:
    """Answer 404 to every other address below the API's."""
    return response_of(Problem(404, "There is nothing at this address."))


def _patterns() -> list[URLPattern]:
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    return [
        re_path("^" + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", address[1:]) + "$", answering(methods))
        for address, methods in by_path.items()
    ]


urlpatterns = [
    path("", readable, name="api"),
    path("openapi.json", openapi, name="openapi"),
    *_patterns(),
    re_path("", nothing),
]
