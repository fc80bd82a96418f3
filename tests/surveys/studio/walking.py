"""Addresses of the site, for tests that walk them by role."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver


def addresses(patterns: list[Any], start: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Every address of the site with its name, from the configuration."""
    for each in patterns:
        if isinstance(each, URLResolver):
            inside = f"{space}{each.namespace}:" if each.namespace else space
            yield from addresses(each.url_patterns, start + str(each.pattern), inside)
        elif isinstance(each, URLPattern):
            yield space + (each.name or ""), start + str(each.pattern)
