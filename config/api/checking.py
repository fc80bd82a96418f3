"""Check values against the schemas of the OpenAPI document: the few words of JSON Schema that it uses."""

import json
import re
from typing import Any

from django.http import HttpRequest

from config.api.operation import Operation, QueryParameter, Schema
from config.api.problems import Problem
from privacy.errors import InputError
from surveys.domain.messages import submission
from surveys.domain.messages.submission import Refused

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
}


def check(value: Any, schema: Schema, at: str) -> None:
    """Refuse a value that does not fit, naming it and the rule."""
    kind = schema["type"]
    if not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        raise Problem(422, f"{at}: {_shorten_json(value)} is not of type {kind}.", at)
    if "enum" in schema and value not in schema["enum"]:
        raise Problem(422, f"{at}: {_shorten_json(value)} is not one of {', '.join(schema['enum'])}.", at)
    if isinstance(value, int | float) and kind != "boolean":
        _check_size(value, value, schema, at, "minimum", "maximum")
        if "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
            raise Problem(422, f"{at}: {_shorten_json(value)} is not above {schema['exclusiveMinimum']}.", at)
    if isinstance(value, str):
        _check_size(len(value), value, schema, at, "minLength", "maxLength")
        if "pattern" in schema and not re.search(schema["pattern"], value):
            raise Problem(422, f"{at}: {_shorten_json(value)} does not match {schema['pattern']}.", at)
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", ()):
            if name not in value:
                raise Problem(422, f"{name}: is missing.", name)
        for name, member in value.items():
            if name not in properties:
                raise Problem(422, f"{name[:40]!r} is not one of {', '.join(properties) or 'what is taken here'}.")
            check(member, properties[name], name)


def query_of(request: HttpRequest, operation: Operation) -> dict[str, Any]:
    """The parameters of the query by name; a Problem if one is unknown or does not fit its schema."""
    known = {parameter.name: parameter for parameter in operation.query}
    for name in request.GET:
        if name not in known:
            raise Problem(422, f"{name[:40]!r} is not a parameter of this address.")
    return {name: _read_parameter(request, parameter) for name, parameter in known.items()}


def _read_parameter(request: HttpRequest, parameter: QueryParameter) -> Any:
    values: list[Any] = request.GET.getlist(parameter.name)
    if parameter.many:
        for each in values:
            check(each, parameter.schema, parameter.name)
        if parameter.required and not values:
            raise Problem(422, f"{parameter.name}: is missing.", parameter.name)
        return values
    if len(values) > 1:
        raise Problem(422, f"{parameter.name}: is given {len(values)} times.", parameter.name)
    if not values:
        return parameter.schema.get("default")
    value = values[0]
    if parameter.schema["type"] == "integer":
        value = int(value) if value.isascii() and value.isdecimal() and len(value) < 16 else value
    check(value, parameter.schema, parameter.name)
    return value


def body_of(request: HttpRequest, operation: Operation) -> dict[str, Any]:
    """The JSON object of the body; an operation without a schema takes none."""
    if operation.body is None:
        if request.body:
            raise Problem(422, "This operation takes no body.")
        return {}
    if request.content_type != "application/json":
        raise Problem(415, "The body must be application/json.")
    try:
        body = submission.read_object(request.body)
    except (Refused, InputError) as refusal:
        raise Problem(400, str(refusal) or "The body is not a JSON object.") from None
    whole = {name for name, schema in operation.body["properties"].items() if schema["type"] == "integer"}
    body = {name: _as_whole(value) if name in whole else value for name, value in body.items()}
    check(body, operation.body, "body")
    return body


def _as_whole(value: Any) -> Any:
    """Return 3.0 as 3: JSON Schema accepts it as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _check_size(size: float, value: Any, schema: Schema, at: str, least: str, most: str) -> None:
    """Refuse a size that the schema does not allow; `least` and `most` are the names of its bounds there."""
    what = " characters" if least == "minLength" else ""
    shown = f"{size}{what}" if what else _shorten_json(value)
    if least in schema and size < schema[least]:
        raise Problem(422, f"{at}: {shown} is less than {schema[least]}{what}.", at)
    if most in schema and size > schema[most]:
        raise Problem(422, f"{at}: {shown} is more than {schema[most]}{what}.", at)


def _shorten_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:40] + "…"
