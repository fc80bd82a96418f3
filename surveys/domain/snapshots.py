"""Reading sealed responses: the newest snapshot of a survey, and what it holds."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from django.db.models import OuterRef, Subquery

from privacy.packing import row_bytes, unpack
from privacy.records import Records
from surveys.models import Snapshot, Survey


def latest(survey: Survey) -> Snapshot | None:
    """The newest snapshot of the newest version that has one."""
    return Snapshot.objects.filter(version__survey=survey).order_by("version__number", "id").last()


def of_surveys() -> dict[int, Snapshot]:
    """The newest snapshot of every survey that has one, by the survey's id, in one query."""
    newest = Snapshot.objects.filter(version__survey=OuterRef("version__survey")).order_by("-version__number", "-id")
    found = Snapshot.objects.filter(pk=Subquery(newest.values("pk")[:1])).select_related("version")
    return {snapshot.version.survey_id: snapshot for snapshot in found}


def records(snapshot: Snapshot) -> Records:
    """All records of a snapshot, in the order of its parts."""
    design = snapshot.version.design
    parts = snapshot.parts.order_by("id").values_list("records", flat=True)
    return unpack(design, np.frombuffer(b"".join(parts), np.uint8).reshape(-1, row_bytes(design)))


def open_answers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The open answers beside the records, row by row; an empty list where the questionnaire asks none."""
    kept = snapshot.parts.order_by("id").values_list("open", flat=True)
    return [json.loads(line) for part in kept for line in unzip(part)]


def zip_lines(lines: list[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines)) if any(lines) else b""


def unzip(packed: bytes) -> list[bytes]:
    return zlib.decompress(packed).split(b"\n") if packed else []
