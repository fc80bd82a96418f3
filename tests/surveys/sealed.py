"""What was sealed, read past what may be reported: only tests and benchmarks may. And how small it is cut."""

import json
from typing import Any

import pytest

from surveys.domain.closed import statement
from surveys.domain.responses import seal
from surveys.domain.responses.snapshots import parts, unzip_lines
from surveys.models import Snapshot


def open_answers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The undisguised answers of each response, in the order of the records; an empty list if the questionnaire has
    none.
    """
    return [json.loads(line) for part in parts(snapshot) for line in unzip_lines(part.open)]


def seal_in_parts(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A part is full with so many responses."""
    monkeypatch.setattr(seal, "PART_SIZE", size)


def list_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece of a list of receipts holds eight."""
    monkeypatch.setattr(statement, "PIECE", 8)


def list_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, and each call of the duty makes one step of each survey at the most."""
    list_in_pieces(monkeypatch)
    monkeypatch.setattr(statement, "SECONDS", 0.0)
    monkeypatch.setattr(statement, "_begun", {})
