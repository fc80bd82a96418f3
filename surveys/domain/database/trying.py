"""Asking the database over a connection that may have ended, without asking first whether it still lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")


def tried(ask: Callable[[], T]) -> T:
    """What `ask` returns. If the connection had ended, it is called once more over a new one.

    Other requests ask first whether their connection lives, which is a round trip on PostgreSQL. Whatever respondents
    send and ask most often only tries; it must be right to do twice.
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
