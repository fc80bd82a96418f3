"""Every operation of the API, from which addresses, checks and the page follow, and the OpenAPI document of all."""

import re
from functools import cache
from typing import Any

from config.api import figures, files, invitations, runs, surveys
from config.api.address import PATH
from config.api.operation import SCOPES, Operation, QueryParameter, Reply
from config.api.problems import CONTENT_TYPE
from config.api.schemas import COMPONENTS, reference_to

OPERATIONS: tuple[Operation, ...] = tuple(
    operation for module in (surveys, figures, files, invitations, runs) for operation in module.operations
)
PREFIX = "/api"
ALWAYS = {
    401: "no token, or one that is no longer valid",
    403: "the token lacks the scope, or the person the permission",
    429: "too many wrong tokens came from this address: wait for the seconds of Retry-After",
}


@cache
def document() -> dict[str, Any]:
    """OpenAPI 3.1: what `/api/openapi.json` serves."""
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    scopes = "; ".join(f"`{name}`: {about}" for name, about in SCOPES.items())
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Candor",
            "version": "1",
            "description": "Prevalences (shares) and rules of randomised response. Make a token under *Your account*.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": PREFIX}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": COMPONENTS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": f"Scopes: {scopes}."}},
        },
    }


def path_names(operation: Operation) -> list[str]:
    return re.findall(r"{(\w+)}", operation.path)


def _operation(operation: Operation) -> dict[str, Any]:
    rights = ", ".join(f"`{action.value}`" for action in operation.actions)
    operation_object: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": "\n\n".join([*operation.about, f"Scope `{operation.scope}`; rights in the survey: {rights}."]),
        "tags": [operation.tag],
        "parameters": [
            *({"name": name, "in": "path", "required": True, "schema": PATH[name]} for name in path_names(operation)),
            *map(_parameter, operation.query),
        ],
        "responses": _answers(operation),
    }
    if operation.body is not None:
        operation_object["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": operation.body}},
        }
    return operation_object


def _parameter(parameter: QueryParameter) -> dict[str, Any]:
    schema = {"type": "array", "items": parameter.schema} if parameter.many else parameter.schema
    parameter_object = {"name": parameter.name, "in": "query", "required": parameter.required, "schema": schema}
    return parameter_object | {"description": parameter.about}


def _answers(operation: Operation) -> dict[str, Any]:
    refusals = dict(ALWAYS)
    if path_names(operation):
        refusals[404] = "there is no such thing"
    if operation.body is not None:
        refusals |= {400: "the body is not a JSON object", 415: "the body is of another type"}
    refusals[422] = "a value breaks its rule"
    refusals |= operation.refusals
    answers = {str(status): _answer(answer) for status, answer in operation.answers.items()}
    if operation.method == "GET":
        answers["304"] = {"description": "the content has not changed since this ETag"}
    for status, about in sorted(refusals.items()):
        answers[str(status)] = {"description": about, "content": {CONTENT_TYPE: {"schema": reference_to("Problem")}}}
    return answers


def _answer(answer: Reply) -> dict[str, Any]:
    content = {} if answer.schema is None else {"schema": answer.schema}
    return {"description": answer.about, "content": {answer.content_type: content}}
