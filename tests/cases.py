"""Which cases of a promise every run of the tests looks at, and which `make test-long` alone."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """All cases, of which every run needs so many: those that come first tell most. The others are long."""
    cases = list(cases)
    return cases[:count] + [_long(case) for case in cases[count:]]


def every(step: int, cases: Iterable[Any], start: int = 0) -> list[Any]:
    """All cases, of which every run needs one of so many, spread over all that they combine. The others are long."""
    return [case if place % step == start else _long(case) for place, case in enumerate(cases)]


def spread(step: int, cases: Iterable[Any]) -> list[Any]:
    """One of so many cases, spread over all that they combine: neighbours would say the same again."""
    return list(cases)[::step]


def _long(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)


def only_on(vendor: str, reason: str) -> pytest.MarkDecorator:
    """A test of what one database has, or does in its own way."""
    return pytest.mark.skipif(connection.vendor != vendor, reason=reason)
