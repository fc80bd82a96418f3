"""Asking the database over a connection that may have ended, without asking first whether it still lives."""

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")


def reconnecting(ask: Callable[[], T]) -> T:
    """Return what `ask` returns; if the connection had ended, call `ask` once more over a new connection.

    Other requests first ask whether their connection still lives, which is a round trip on PostgreSQL. What respondents
    send and ask most often does without; `ask` must be safe to call twice.
    """
    if connection.in_atomic_block:
        return ask()
    setattr(connection, "health_check_done", True)  # noqa: B010 - Django's stubs do not know it
    try:
        return ask()
    except (OperationalError, InterfaceError):
        if connection.is_usable():
            raise
        connection.close()
        return ask()
