"""The addresses of the API, from the table of operations."""

import re

from django.urls import URLPattern, path, re_path

from config.api.operation import Operation
from config.api.serve import answering, nothing, openapi, readable
from config.api.table import OPERATIONS


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
