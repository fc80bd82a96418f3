"""Reading sealed responses: the newest snapshot of a survey, and what it holds."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import numpy as np
from django.db.models import OuterRef, Subquery

from privacy.records import Records
from privacy.records.packing import row_bytes, unpack
from surveys.models import Part, Snapshot, Survey, SurveyVersion


def latest(survey: Survey) -> Snapshot | None:
    """The newest snapshot of the newest version that has one."""
    return Snapshot.objects.filter(version__survey=survey).order_by("version__number", "id").last()


def of_surveys() -> dict[int, Snapshot]:
    """The newest snapshot of every survey that has one, by the survey's id, in one query."""
    newest = Snapshot.objects.filter(version__survey=OuterRef("version__survey")).order_by("-version__number", "-id")
    found = Snapshot.objects.filter(pk=Subquery(newest.values("pk")[:1])).select_related("version")
    return {snapshot.version.survey_id: snapshot for snapshot in found}


def parts(snapshot: Snapshot) -> Iterator[Part]:
    """The parts of a snapshot in their order, one at a time; ValueError if they are not those that were sealed.

    The database refuses to change them. Whoever gets around it is found by the hashes: a part's over its bytes, and the
    snapshot's over those of its parts.
    """
    version = snapshot.version
    listed = snapshot.parts.order_by("id")
    sealed = list(listed.values_list("sha256", "size"))
    held = list_hash(version, [digest for digest, _ in sealed]), sum(size for _, size in sealed)
    if held != (snapshot.sha256, snapshot.respondents):
        raise ValueError(f"Snapshot {snapshot.pk} does not list the parts that were sealed under its hash.")
    for (digest, _), part in zip(sealed, listed.iterator(chunk_size=1), strict=True):
        size, rest = divmod(len(part.records), row_bytes(version.design))
        if part_hash(version, part.records, part.open) != digest or (size, rest) != (part.size, 0):
            raise ValueError(f"Part {part.pk} does not hold the responses that were sealed under its hash.")
        yield part


def records(snapshot: Snapshot) -> Records:
    """All records of a snapshot, in the order of its parts."""
    design = snapshot.version.design
    packed = b"".join(part.records for part in parts(snapshot))
    return unpack(design, np.frombuffer(packed, np.uint8).reshape(-1, row_bytes(design)))


def open_answers(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The open answers beside the records, row by row; an empty list where the questionnaire asks none."""
    return [json.loads(line) for part in parts(snapshot) for line in unzip(part.open)]


def part_hash(version: SurveyVersion, packed: bytes, opens: bytes) -> str:
    return sha256(b"".join((bytes.fromhex(version.sha256), packed, opens))).hexdigest()


def list_hash(version: SurveyVersion, hashes: Iterable[str]) -> str:
    return sha256(bytes.fromhex(version.sha256 + "".join(hashes))).hexdigest()


def zip_lines(lines: list[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines)) if any(lines) else b""


def unzip(packed: bytes) -> list[bytes]:
    return zlib.decompress(packed).split(b"\n") if packed else []
