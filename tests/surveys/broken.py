"""A broker that takes no note, for tests."""

from typing import Any

import pytest
from kombu.exceptions import OperationalError


def refused_notes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From now on no note goes; the list grows by whom each of them was about."""
    tried: list[int] = []

    def away(_task: str, about: int, **_options: Any) -> None:
        tried.append(about)
        raise OperationalError

    monkeypatch.setattr("surveys.notes.send", away)
    return tried
